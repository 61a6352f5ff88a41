//! What can be wrong with a pipeline or a set of tools: found when it is built.

use callmend_stage::ToolError;

/// Why a pipeline cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PipelineError {
    /// No stage has this id.
    #[error("there is no stage `{id}`{} (the stages are {})", did_you_mean(.nearest.as_deref()), .known.join(", "))]
    UnknownStage {
        /// The id that was asked for.
        id: String,
        /// The nearest id that there is.
        nearest: Option<String>,
        /// Every id that there is, in order.
        known: Vec<String>,
    },
    /// The stage's Cargo feature is off.
    #[error("the stage `{id}` is not compiled in; turn on the Cargo feature `{id}` of `callmend`")]
    NotCompiledIn {
        /// The stage's id, which is also the feature's name.
        id: String,
    },
    /// Two stages have one id.
    #[error(
        "two stages are called `{id}`: one of `{first}`, one of `{second}`; rename one, or put it in the other's place with `replace`"
    )]
    DuplicateStage {
        /// The id.
        id: String,
        /// The package of one.
        first: String,
        /// The package of the other.
        second: String,
    },
    /// Two repairs are for one tool.
    #[error(
        "two tool repairs are for the tool `{tool}`: one of `{first}`, one of `{second}`; keep one"
    )]
    DuplicateToolRepair {
        /// The tool's name.
        tool: String,
        /// The package of one.
        first: String,
        /// The package of the other.
        second: String,
    },
    /// A tool repair was given to a pipeline that runs none.
    #[error(
        "the repair for the tool `{tool}` would never run: the stage `tool-repair` is not in this pipeline"
    )]
    RepairWithoutStage {
        /// The tool's name.
        tool: String,
    },
}

/// Why a set of tools cannot be prepared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ToolSetError {
    /// Two tools have one name.
    #[error(
        "two tools are called `{name}`; a call names its tool, so each name must be there once"
    )]
    Duplicate {
        /// The name.
        name: String,
    },
    /// A tool that a stage cannot work with.
    #[error(transparent)]
    Tool(#[from] ToolError),
}

pub(crate) fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}
