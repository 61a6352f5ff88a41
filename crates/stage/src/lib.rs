//! The core that every callmend stage depends on.
//!
//! A call enters the cascade as a [`Draft`]. Each [`Stage`], prepared once per [`Tool`], looks at
//! the draft and answers with a [`Verdict`]: pass, rewrite (a list of [`Change`]s, as data) or
//! reject. A stage changes nothing itself: the draft applies the changes and records each as an
//! [`Edit`], so the audit trail holds by construction.
//!
//! | module | holds |
//! |---|---|
//! | [`tool`] | [`Tool`], its builder, and what its host knows about it |
//! | [`schema`] | [`Slot`]: what the schema says of one place in the arguments |
//! | [`signature`] | [`Signature`]: the declared arguments, compiled once |
//! | [`stage`] | [`Stage`], [`Prepared`], [`Verdict`], [`StageMeta`] |
//! | [`change`], [`draft`] | RFC 6902 changes, recorded edits, and the draft that applies them |
//! | [`rejection`] | [`Rejection`], [`Code`] and the error envelope |
//! | [`message`] | the one grammar that every message is written in |
//! | [`json`] | reading JSON text without losing anything of it |
//! | [`mod@pointer`] | JSON Pointer (RFC 6901) and argument paths |
//! | [`registry`] | what crates register through `inventory` |
//! | [`retired`], [`unknown`] | what is said of names that a tool does not take |
//!
//! This crate turns on no feature of `serde_json`: features unify across a whole program, and
//! adding callmend must not change what another crate does.

pub mod change;
mod compile;
pub mod draft;
pub mod json;
pub mod message;
mod phrase;
pub mod pointer;
pub mod registry;
pub mod rejection;
pub mod retired;
pub mod schema;
pub mod signature;
pub mod stage;
pub mod tool;
mod tool_json;
pub mod unknown;

pub use change::{Before, Change, Edit, Op};
pub use draft::{Delivered, Draft};
pub use rejection::{Code, Rejection};
pub use schema::{Slot, Type, TypeSet};
pub use signature::Signature;
pub use stage::{Cascade, CodeInfo, CodeKind, Order, Prepared, Stage, StageMeta, Verdict};
pub use tool::{Closure, Locator, SchemaError, Tool, ToolBuilder, ToolError};

#[doc(hidden)]
pub use inventory;
