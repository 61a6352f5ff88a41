//! What one model gets, and the pipeline of it.

use crate::error::names;
use crate::strict::STRICT_DECODE;
use callmend::stage::message::tick;
use callmend::{
    Cascade, Closure, Code, Pipeline, PipelineBuilder, PipelineError, Rejection, ToolBuilder,
    catalog,
};

/// The stage that validation may normalize in: it is no rewriting stage of the contract's section 3.
const VALIDATION: &str = "argument-validate";
const DECODING: &str = "parse-leniency";

/// The call names a tool that its model may not use.
pub const TOOL_NOT_ALLOWED: Code = Code::new("tool-not-allowed");

/// The stage that the profile's own rejections name.
pub const PROFILE: &str = "profile";

/// The posture toward one model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Profile {
    /// Whether anything is repaired; without it, arguments are only decoded and validated.
    pub repair: bool,
    /// Which cascade runs.
    pub cascade: Cascade,
    /// The stages that run, where the file picks them one by one.
    pub stages: Option<Vec<String>>,
    /// The tools that the model may call, where the file limits them.
    pub tools: Option<Vec<String>>,
    /// Who closed the schema of every tool that does not say so itself.
    pub closure: Option<Closure>,
}

impl Default for Profile {
    /// Repairs with the standard cascade, for every tool.
    fn default() -> Self {
        Self {
            repair: true,
            cascade: Cascade::Standard,
            stages: None,
            tools: None,
            closure: None,
        }
    }
}

impl Profile {
    /// Builds the pipeline.
    ///
    /// # Errors
    ///
    /// See [`PipelineError`]; a stage whose Cargo feature is off, for one.
    pub fn pipeline(&self) -> Result<Pipeline, PipelineError> {
        self.builder().build()
    }

    /// Starts the pipeline, for a host that adds stages or repairs of its own.
    ///
    /// With `repair = false` every rewriting stage is left out, one that another crate registered
    /// too, and a stage that decodes strictly stands in for parse-leniency: strict JSON becomes its
    /// object, anything that would have been rewritten is refused with what to send instead, and a
    /// call that carries nothing reads as `{}` when the tool requires nothing. argument-validate
    /// stays whole: what it normalizes (a string where a list of strings belongs, contract, section
    /// 10.5) is part of validating.
    ///
    /// ```
    /// use callmend::{Status, Tool};
    /// use callmend_profiles::{Known, Profiles};
    /// use serde_json::json;
    ///
    /// let profiles = Profiles::parse("[\"*\"]\nrepair = false", &Known::of_this_program())?;
    /// let tool = Tool::new("find", json!({"properties": {"query": {"type": "string"}}}))?;
    /// let find = profiles.for_model("openai/gpt-5").pipeline()?.prepare(&tool)?;
    /// assert_eq!(find.run(r#"{"query": "lime"}"#).status, Status::Clean);
    /// assert_eq!(find.run(r#"{"query": "lime",}"#).status, Status::Unrepairable);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn builder(&self) -> PipelineBuilder {
        let mut builder = Pipeline::builder().cascade(self.cascade);
        if self.repair {
            return match &self.stages {
                Some(ids) => builder.only(ids),
                None => builder,
            };
        }
        let rewriting = rewriting_stages();
        let decodes = match &self.stages {
            Some(ids) => {
                let kept = ids.iter().filter(|id| !rewriting.contains(&id.as_str()));
                builder = builder.only(kept);
                ids.iter().any(|id| id == DECODING)
            }
            None => {
                builder = builder.skip(rewriting);
                true
            }
        };
        if decodes {
            builder = builder.stage(&STRICT_DECODE);
        }
        builder
    }

    /// Sets who closed a tool's schema, unless the tool says so itself.
    pub fn close(&self, tool: ToolBuilder) -> ToolBuilder {
        match self.closure {
            Some(closure) => tool.default_closure(closure),
            None => tool,
        }
    }

    /// Says whether the model may call a tool.
    pub fn allows(&self, tool: &str) -> bool {
        let listed = |names: &Vec<String>| names.iter().any(|name| name == tool);
        self.tools.as_ref().is_none_or(listed)
    }

    /// Refuses a call of a tool that the model may not use, before anything of it is read; `None`
    /// for one that it may.
    ///
    /// ```
    /// use callmend_profiles::{Known, Profiles};
    ///
    /// let file = "[\"local/*\"]\ntools = [\"read\", \"find\"]";
    /// let local = Profiles::parse(file, &Known::of_this_program())?.for_model("local/qwen3");
    /// assert!(local.refusal("read").is_none());
    /// assert_eq!(
    ///     local.refusal("write").unwrap().message,
    ///     "`write` is not a tool of this model (the tools are read and find)"
    /// );
    /// # Ok::<(), callmend_profiles::ProfileError>(())
    /// ```
    pub fn refusal(&self, tool: &str) -> Option<Rejection> {
        let tools = self.tools.as_ref().filter(|_| !self.allows(tool))?;
        let listed = match tools.as_slice() {
            [] => "there are no tools".to_owned(),
            tools => format!("the tools are {}", names(tools)),
        };
        let body = format!("{} is not a tool of this model ({listed})", tick(tool));
        Some(Rejection::new(PROFILE, TOOL_NOT_ALLOWED, body))
    }
}

/// Lists the ids of the stages that rewrite, those of this program that were registered included.
fn rewriting_stages() -> Vec<&'static str> {
    let stages = catalog::stages().into_iter().map(|listed| listed.meta);
    stages
        .filter(|meta| meta.rewrites && meta.id != VALIDATION)
        .map(|meta| meta.id)
        .collect()
}
