//! Many tools, found by name.

use crate::{Outcome, Pipeline, PreparedTool, ToolSetError, message};
use callmend_stage::{Draft, Tool};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Many tools, each prepared once, found by name at the cost of one hash.
///
/// ```
/// use callmend::{Pipeline, Tool, ToolSet};
/// use serde_json::json;
///
/// let tools = [Tool::new("read", json!({}))?, Tool::new("write", json!({}))?];
/// let set = ToolSet::new(&Pipeline::standard()?, tools)?;
/// assert!(set.run("read", json!({})).is_dispatchable());
///
/// let refused = set.run("raed", json!({})).rejection.unwrap();
/// assert_eq!(
///     refused.message,
///     "unknown tool `raed`; did you mean `read`? (the tools are read, write)"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ToolSet {
    tools: HashMap<String, PreparedTool>,
    /// In bytewise order.
    names: Vec<String>,
}

impl ToolSet {
    /// Prepares every tool for a pipeline.
    ///
    /// # Errors
    ///
    /// Two tools of one name; a tool that a stage cannot work with.
    pub fn new(
        pipeline: &Pipeline,
        tools: impl IntoIterator<Item = Tool>,
    ) -> Result<Self, ToolSetError> {
        let mut set = HashMap::new();
        for tool in tools {
            match set.entry(tool.name().to_owned()) {
                Entry::Occupied(entry) => {
                    let name = entry.key().clone();
                    return Err(ToolSetError::Duplicate { name });
                }
                Entry::Vacant(entry) => entry.insert(pipeline.prepare(&tool)?),
            };
        }
        let mut names: Vec<_> = set.keys().cloned().collect();
        names.sort_unstable();
        Ok(Self { tools: set, names })
    }

    /// Finds a tool by its exact name.
    pub fn get(&self, name: &str) -> Option<&PreparedTool> {
        self.tools.get(name)
    }

    /// Lists the names in bytewise order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Runs one call of the tool that it names.
    ///
    /// A name that is not there is refused with [`UNKNOWN_TOOL`](crate::UNKNOWN_TOOL): the message
    /// gives the nearest name and at most 20 of those that there are. A tool's name is never
    /// repaired: to run another tool than the one named is not a spelling matter.
    pub fn run<'a>(&self, name: &str, call: impl Into<Draft<'a>>) -> Outcome<'a> {
        match self.get(name) {
            Some(tool) => tool.run(call),
            None => Outcome::refused(Vec::new(), *message::unknown_tool(name, &self.names)),
        }
    }
}
