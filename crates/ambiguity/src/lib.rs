//! Refuses a call in which a missing argument could be any of several others.
//!
//! # What it repairs
//!
//! Nothing, and that is the point: when a required string is missing and other strings stand
//! under names that the tool does not know, each of them could be it. Which one was meant, only
//! the model knows.
//!
//! # Why models do this
//!
//! They remember what a tool needs, but not what it calls it: `{"foo": "a.rs", "bar": "b.rs"}`
//! for a tool that requires `path`.
//!
//! # Before and after
//!
//! For a tool that requires `path`, that call becomes
//!
//! ```text
//! `path` is required, and `bar` or `foo` could be meant; pass `path` by name (read takes path)
//! ```
//!
//! # When it refuses
//!
//! Counted are the required arguments that are missing and take a string, and the donors: keys
//! that are neither declared nor harness-owned and hold a string. More than one donor, or one
//! donor for several missing arguments, is refused. No donor, or one donor for one missing
//! argument, is passed on: the donor is never moved, and argument-validate says what is missing.
//!
//! # Codes
//!
//! | code | kind | meaning |
//! |---|---|---|
//! | `ambiguous-donor` | rejection | a required argument is missing, and more than one reading says what was meant for it |
//!
//! Cost: one look-up for each required argument that takes a string; one for each key when any
//! of those is missing. Nothing is allocated for a call that passes.
//!
//! ```
//! use callmend_ambiguity::STAGE;
//! use callmend_stage::{Cascade, Draft, Stage, Tool, Verdict};
//! use serde_json::json;
//!
//! let read = Tool::new("read", json!({
//!     "type": "object",
//!     "properties": { "path": {"type": "string"} },
//!     "required": ["path"]
//! }))?;
//! let prepared = STAGE.prepare(&read, Cascade::Standard)?.expect("`path` is required");
//! let call = Draft::new(json!({"foo": "a.rs", "bar": "b.rs"}));
//! let Verdict::Reject(rejection) = prepared.plan(&call) else {
//!     panic!("either could be the path");
//! };
//! assert_eq!(
//!     rejection.message,
//!     "`path` is required, and `bar` or `foo` could be meant; pass `path` by name (read takes path)"
//! );
//! # Ok::<(), callmend_stage::ToolError>(())
//! ```

pub mod message;

use callmend_stage::registry::StageEntry;
use callmend_stage::{
    Cascade, Draft, Order, Prepared, Signature, Stage, StageMeta, Tool, ToolError, Type, Verdict,
    inventory,
};
use serde_json::{Map, Value};
use std::sync::Arc;

/// The stage.
pub static STAGE: Ambiguity = Ambiguity;

inventory::submit! { StageEntry { stage: &STAGE } }

static META: StageMeta = StageMeta {
    id: message::ID,
    order: Order::AMBIGUITY,
    rewrites: false,
    summary: "refuses a call in which a missing argument could be any of several others",
    codes: message::CODES,
    package: env!("CARGO_PKG_NAME"),
};

/// Refuses several donors for one missing argument, or one for several (contract, section 9).
#[derive(Debug, Clone, Copy, Default)]
pub struct Ambiguity;

impl Stage for Ambiguity {
    fn meta(&self) -> &'static StageMeta {
        &META
    }

    fn prepare(
        &self,
        tool: &Tool,
        _cascade: Cascade,
    ) -> Result<Option<Box<dyn Prepared>>, ToolError> {
        let signature = tool.signature().clone();
        let required: Vec<String> = signature
            .required_names()
            .filter(|name| takes_a_string(&signature, name))
            .map(str::to_owned)
            .collect();
        if required.is_empty() {
            return Ok(None);
        }
        Ok(Some(Box::new(Bound {
            signature,
            required,
        })))
    }
}

/// Whether a required argument takes a string; one that no `properties` declares takes anything.
fn takes_a_string(signature: &Signature, name: &str) -> bool {
    signature
        .declared(name)
        .is_none_or(|slot| slot.takes(Type::String))
}

struct Bound {
    signature: Arc<Signature>,
    /// The required arguments that take a string, in bytewise order.
    required: Vec<String>,
}

impl Prepared for Bound {
    fn plan(&self, call: &Draft<'_>) -> Verdict {
        match call.object() {
            Some(arguments) => plan(&self.signature, &self.required, arguments),
            None => Verdict::Pass,
        }
    }
}

/// Counts the missing arguments and the donors, and rejects when they pair up in several ways.
fn plan(signature: &Signature, required: &[String], arguments: &Map<String, Value>) -> Verdict {
    let missing: Vec<&str> = required
        .iter()
        .map(String::as_str)
        .filter(|name| !arguments.contains_key(*name))
        .collect();
    if missing.is_empty() {
        return Verdict::Pass;
    }
    let mut donors: Vec<&str> = arguments
        .iter()
        .filter(|(key, value)| value.is_string() && signature.is_unknown(key))
        .map(|(key, _)| key.as_str())
        .collect();
    donors.sort_unstable();
    match (missing.len(), donors.len()) {
        (_, 0) | (1, 1) => Verdict::Pass,
        _ => message::rejection(signature, &missing, &donors).into(),
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn run(schema: Value, arguments: Value) -> Option<String> {
        let tool = Tool::new("t", schema).unwrap();
        let prepared = STAGE.prepare(&tool, Cascade::Standard).unwrap()?;
        match prepared.plan(&Draft::new(arguments)) {
            Verdict::Pass => None,
            Verdict::Reject(rejection) => Some(rejection.message),
            other => panic!("{other:?}"),
        }
    }

    fn two() -> Value {
        json!({
            "properties": {
                "path": {"type": "string"}, "content": {"type": ["string", "null"]},
                "limit": {"type": "integer"}, "mode": {"type": "string"}
            },
            "required": ["path", "content", "limit"]
        })
    }

    #[test]
    fn two_donors_for_one_missing_argument_are_refused() {
        let call = json!({"content": "x", "limit": 1, "foo": "a", "bar": "b"});
        assert_eq!(
            run(two(), call).unwrap(),
            "`path` is required, and `bar` or `foo` could be meant; pass `path` by name \
             (t takes content, limit, mode?, path)"
        );
    }

    #[test]
    fn one_donor_for_two_missing_arguments_is_refused() {
        assert_eq!(
            run(two(), json!({"limit": 1, "foo": "a"})).unwrap(),
            "`content` and `path` are required, and `foo` could be meant for any of them; \
             pass each by name (t takes content, limit, mode?, path)"
        );
    }

    #[test]
    fn two_donors_for_two_missing_arguments_are_refused() {
        assert_eq!(
            run(two(), json!({"limit": 1, "foo": "a", "bar": "b"})).unwrap(),
            "`content` and `path` are required, and `bar` or `foo` could be meant; \
             pass each by name (t takes content, limit, mode?, path)"
        );
    }

    #[test]
    fn one_donor_for_one_missing_argument_passes() {
        assert_eq!(
            run(two(), json!({"content": "x", "limit": 1, "foo": "a"})),
            None
        );
    }

    #[test]
    fn nothing_missing_or_no_donor_passes() {
        let whole = json!({"content": "x", "limit": 1, "path": "p", "foo": "a", "bar": "b"});
        assert_eq!(run(two(), whole), None);
        assert_eq!(run(two(), json!({"limit": 1})), None);
    }

    #[test]
    fn a_donor_holds_a_string_and_is_neither_declared_nor_the_harnesss() {
        let call = json!({"content": "x", "limit": 1, "foo": "a", "bar": 2, "mode": "m",
                          "i": "why", "__t": "x"});
        assert_eq!(run(two(), call), None);
    }

    #[test]
    fn a_missing_argument_that_takes_no_string_does_not_count() {
        let call = json!({"content": "x", "path": "p", "foo": "1", "bar": "2"});
        assert_eq!(run(two(), call), None);
    }

    #[test]
    fn a_tool_that_requires_no_string_never_applies() {
        let tool = Tool::new("t", json!({"properties": {"path": {"type": "string"}}})).unwrap();
        assert!(STAGE.prepare(&tool, Cascade::Standard).unwrap().is_none());
    }

    #[test]
    fn what_is_no_object_passes() {
        assert_eq!(run(two(), json!("x")), None);
    }
}
