//! Repairs a language model's tool call when it has exactly one reading.
//!
//! A model sends a call whose arguments are *almost* right. A [`Pipeline`] runs the stages of the
//! cascade over it, in order, and gives an [`Outcome`]: *clean* (nothing to do), *repaired* (with
//! every edit recorded as a JSON Patch operation), or *unrepairable* (with one message that tells
//! the model what to send instead). With two readings, or none, nothing is dispatched.
//!
//! | type | is |
//! |---|---|
//! | [`Pipeline`] | the stages that a host picked, in order |
//! | [`PreparedTool`] | a pipeline bound to one tool: prepare once, run many, from any thread |
//! | [`ToolSet`] | many tools, found by name |
//! | [`Outcome`] | what became of one call |
//! | [`Trace`] | the same, with what each stage saw and said |
//!
//! Each stage stands in a crate of its own and has a Cargo feature of its own, named by its id;
//! all are on by default. The pipeline names its stages itself and depends on no registration;
//! what other crates register through `inventory` is listed by [`catalog`], and a registered stage
//! runs only where a builder asks for it.

mod builder;
mod builtin;
pub mod catalog;
mod error;
mod message;
mod outcome;
mod pipeline;
mod prepared;
mod tool_set;
mod trace;

pub use builder::PipelineBuilder;
pub use error::{PipelineError, ToolSetError};
pub use message::{CODES, PIPELINE, UNDECODED, UNKNOWN_TOOL, UNSETTLED};
pub use outcome::{Outcome, Status};
pub use pipeline::Pipeline;
pub use prepared::{MAX_PASSES, PreparedTool};
pub use tool_set::ToolSet;
pub use trace::{Trace, Traced};

/// The stage tool-repair, with what a repair for your own tool can build on.
#[cfg(feature = "tool-repair")]
pub use callmend_tool_repair as tool_repair;

/// The core, whole: everything that a stage of your own needs.
pub use callmend_stage as stage;
pub use callmend_stage::registry::{
    AliasEntry, RetiredEntry, StageEntry, ToolRepair, ToolRepairEntry,
};
pub use callmend_stage::{
    Before, Cascade, Change, Closure, Code, CodeInfo, CodeKind, Delivered, Draft, Edit, Locator,
    Op, Order, Prepared, Rejection, SchemaError, Stage, StageMeta, Tool, ToolBuilder, ToolError,
    Verdict,
};

/// Whatever runs calls is shared between threads.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Pipeline>();
    shared::<PreparedTool>();
    shared::<ToolSet>();
    shared::<Outcome<'static>>();
};

/// The README's example runs.
#[cfg(all(doctest, feature = "deep", feature = "extended"))]
#[doc = include_str!("../README.md")]
struct Readme;
