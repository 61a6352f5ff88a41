//! The names that a file may use.

/// The names that a file of profiles may use.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Known {
    /// The ids of the stages.
    pub stages: Vec<String>,
    /// The names of the tools; `None` when they are not known yet, as before an MCP server lists
    /// them: then every name is taken.
    pub tools: Option<Vec<String>>,
}

impl Known {
    /// Names the stages of this program, the registered ones included, and no tools yet.
    pub fn of_this_program() -> Self {
        let stages = callmend::catalog::stages().into_iter();
        Self {
            stages: stages.map(|listed| listed.meta.id.to_owned()).collect(),
            tools: None,
        }
    }

    /// Names the tools.
    ///
    /// ```
    /// use callmend_profiles::{Known, Profiles};
    ///
    /// let known = Known::of_this_program().with_tools(["read", "write"]);
    /// let error = Profiles::parse("[\"*\"]\ntools = [\"raed\"]", &known).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "line 2: unknown tool `raed`; did you mean `read`? (the tools are read and write)"
    /// );
    /// ```
    #[must_use]
    pub fn with_tools<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.tools = Some(names.into_iter().map(Into::into).collect());
        self
    }
}
