//! Runs the repair that a tool's own entry has for it.
//!
//! # What it repairs
//!
//! What models get wrong with one tool in particular. An entry names its tool and the fields that
//! it may rewrite; a plan that reaches outside them is refused. Built in:
//!
//! | tool | fields | mistake | repair |
//! |---|---|---|---|
//! | `task` | `task`, `context`, `tasks[].task` | prose JSON-escaped twice: literal `\n`, `\"`, `\u2014` where the characters belong | decoded once, see [`decode_once`] |
//! | `yield` | `result` | the wrapper sent as a JSON string, `"{\"data\": {…}}"` | parsed into its object |
//!
//! A crate adds an entry for its own tool by implementing
//! [`ToolRepair`] and registering it; `src/task.rs` and
//! `src/yield_.rs` are two files of that very shape.
//!
//! # Why models do this
//!
//! They write the arguments of a call as JSON, and a long brief inside it as JSON once more; an
//! object whose content is free-form gets quoted as if it were text.
//!
//! # Before and after
//!
//! For `task`, `{"task": "Fix it.\\n\\nThen test."}` (the backslashes arrive as characters) becomes
//! `{"task": "Fix it.\n\nThen test."}`, with the hint `` send `task` escaped once, not twice ``.
//!
//! # When it refuses
//!
//! It leaves as sent whatever has a second reading: prose that mentions an escape, prose that
//! would decode twice, a field longer than 1,048,576 UTF-16 code units, a decoding that holds call
//! markup, a result that is any other JSON than the wrapper or has a key twice, and any value that
//! the field's slot would not take. A `search` field that the selected type ignores, `https:/host`
//! and a path with a leading `:`, `@` or `~` are not argument repair and stay.
//!
//! It rejects only when an entry breaks its own promise and plans a change outside its fields.
//!
//! # Codes
//!
//! | code | kind | meaning |
//! |---|---|---|
//! | `double-escaped` | edit | prose that was JSON-escaped twice was decoded once |
//! | `stringified-result` | edit | a result wrapper that was sent as a JSON string was parsed into its object |
//! | `internal-error` | rejection | a tool's entry planned a change outside the fields that it lists |
//!
//! Cost: nothing for a tool without an entry, and for the built-in ones a search for a backslash
//! in each field.
//!
//! ```
//! use callmend_stage::{Cascade, Draft, Stage, Tool};
//! use callmend_tool_repair::STAGE;
//! use serde_json::json;
//!
//! let task = Tool::new("task", json!({"properties": {"task": {"type": "string"}}}))?;
//! let prepared = STAGE.prepare(&task, Cascade::Standard)?.expect("`task` has an entry");
//! let mut draft = Draft::new(json!({"task": r"Fix it.\n\nThen test."}));
//! let verdict = prepared.plan(&draft);
//! draft.apply("tool-repair", verdict)?;
//! assert_eq!(draft.value(), Some(&json!({"task": "Fix it.\n\nThen test."})));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod decode;
mod fields;
mod markup;
pub mod message;
mod repairs;
mod task;
mod yield_;

pub use decode::{MAX_UNITS, decode_once};
pub use markup::holds_call_markup;
pub use repairs::{DuplicateRepair, Repairs};
pub use task::{TASK, Task};
pub use yield_::{YIELD, Yield};

use callmend_stage::registry::{StageEntry, ToolRepair};
use callmend_stage::{
    Cascade, Change, Code, Draft, Order, Prepared, Rejection, SchemaError, Signature, Slot, Stage,
    StageMeta, Tool, ToolError, Verdict, inventory, pointer,
};
use std::sync::Arc;

/// The stage, with every entry that a crate of the program registered.
pub static STAGE: ToolRepairs = ToolRepairs;

inventory::submit! { StageEntry { stage: &STAGE } }

static META: StageMeta = StageMeta {
    id: message::ID,
    order: Order::TOOL_REPAIR,
    rewrites: true,
    summary: "runs the repair that a tool's own entry has for it",
    codes: message::CODES,
    package: env!("CARGO_PKG_NAME"),
};

/// Runs a tool's registered entry (contract, section 7).
#[derive(Debug, Clone, Copy, Default)]
pub struct ToolRepairs;

impl Stage for ToolRepairs {
    fn meta(&self) -> &'static StageMeta {
        &META
    }

    fn prepare(
        &self,
        tool: &Tool,
        cascade: Cascade,
    ) -> Result<Option<Box<dyn Prepared>>, ToolError> {
        let repairs = Repairs::registered()
            .map_err(|error| ToolError::new(tool, SchemaError::Definition(error.to_string())))?;
        ChosenRepairs(repairs).prepare(tool, cascade)
    }
}

/// The stage with a table of its own, for where registration does not work or is not wanted.
///
/// ```
/// use callmend_stage::{Cascade, Stage, Tool};
/// use callmend_tool_repair::{ChosenRepairs, Repairs, YIELD};
/// use serde_json::json;
///
/// let stage = ChosenRepairs(Repairs::new([&YIELD as _])?);
/// let task = Tool::new("task", json!({}))?;
/// assert!(stage.prepare(&task, Cascade::Standard)?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ChosenRepairs(pub Repairs);

impl Stage for ChosenRepairs {
    fn meta(&self) -> &'static StageMeta {
        &META
    }

    fn prepare(
        &self,
        tool: &Tool,
        _cascade: Cascade,
    ) -> Result<Option<Box<dyn Prepared>>, ToolError> {
        Ok(self.0.get(tool.name()).map(|repair| bind(repair, tool)))
    }
}

/// Binds one entry to its tool, held to the fields that it lists and to what their slots take.
pub fn bind(repair: &'static dyn ToolRepair, tool: &Tool) -> Box<dyn Prepared> {
    Box::new(Bound {
        repair,
        signature: tool.signature().clone(),
    })
}

struct Bound {
    repair: &'static dyn ToolRepair,
    signature: Arc<Signature>,
}

impl Prepared for Bound {
    fn plan(&self, call: &Draft<'_>) -> Verdict {
        match call.object() {
            Some(arguments) => plan(self.repair, &self.signature, self.repair.plan(arguments)),
            None => Verdict::Pass,
        }
    }
}

/// Checks what an entry planned.
fn plan(repair: &dyn ToolRepair, signature: &Signature, changes: Vec<Change>) -> Verdict {
    if let Some(field) = fields::outside(repair.fields(), &changes) {
        let message = message::outside_its_fields(repair.tool(), &field, signature.tail());
        return Rejection::new(message::ID, Code::INTERNAL, message).into();
    }
    // One change that does not fit makes the whole plan a misreading.
    if changes.is_empty() || !changes.iter().all(|change| fits(signature.root(), change)) {
        return Verdict::Pass;
    }
    Verdict::Rewrite(changes)
}

/// Says whether the declared slot of a place takes the value that a change puts there.
fn fits(root: Slot<'_>, change: &Change) -> bool {
    let Some(value) = change.op.value() else {
        return true;
    };
    let mut slot = Some(root);
    for token in pointer::tokens(change.op.path()) {
        slot = slot.and_then(|slot| match pointer::index(&token) {
            Some(index) => slot.item(index).or_else(|| slot.property(&token)),
            None => slot.property(&token),
        });
    }
    slot.is_none_or(|slot| slot.admits(value))
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests;
