//! Gives a value that drifted to another JSON type the type that its slot takes.
//!
//! Part of the extended cascade; the standard one has it only where a host picks it.
//!
//! # What it repairs
//!
//! A value that its slot does not take and that has one reading as a value that the slot takes, at
//! any depth that the schema declares (through `$ref`, `allOf`, `properties`,
//! `additionalProperties`, `items`, `prefixItems`, `anyOf` and `oneOf`):
//!
//! - the text of an array or object, read by the lenient parser of `callmend-parse-leniency`, and
//!   what lies in it settled as well;
//! - the text of a number or boolean (`"5"`, `"true"`, `"True"`);
//! - `null`, or `""` and `"null"` where the slot takes no string, for an optional argument: it is
//!   left out;
//! - `"null"` for a required argument that takes `null` and no string;
//! - one object for a list of objects, where its keys are all declared and everything in it fits.
//!
//! In a list of strings it takes the strings that open `[`; argument-validate takes the rest.
//!
//! # Why models do this
//!
//! Call formats that write arguments as text between tags have no types of their own, and models
//! trained on them write text everywhere. Deep or branching schemas make it more likely. `null`
//! and the empty string stand for "nothing" where a template asked for every argument.
//!
//! # Before and after
//!
//! | slot | sent | dispatched |
//! |---|---|---|
//! | an array of objects | `"[{\"old\": \"a\"}]"` | `[{"old": "a"}]` |
//! | an integer | `"5"` | `5` |
//! | a boolean | `"False"` | `false` |
//! | an optional integer | `null` | nothing |
//! | an array of objects | `["{\"old\": \"a\"}"]`, `{"old": "a"}` | `[{"old": "a"}]` |
//! | a string | `"5"`, `"[1]"`, `"true"` | as sent |
//!
//! # When it refuses
//!
//! A blank string for a required list of strings is rejected: argument-validate would make a list
//! with an empty string of it. Everything else without one reading is left as sent, and
//! argument-validate says what is wrong with it:
//!
//! - `"yes"` or `1` for a boolean, a number for a string, a fraction or `"5.0"` for an integer, a
//!   number that would lose digits, `"05"`, `"+5"`, `"1,000"`, `"1/6"`;
//! - `null` for a required argument, for an item of a list, for a member that only
//!   `additionalProperties` allows;
//! - `""` or `"null"` for an optional argument that takes `null`: left out, or `null`? (Where the
//!   slot's `default` is `null` both mean the same, and it is left out.)
//! - text that has no reading as JSON, or more than one, or says one key twice;
//! - one value for a list, unless it is an object that fits the list's items;
//! - a value under alternatives (`anyOf`, `oneOf`) of which one takes it as sent, or of which two
//!   ask for different rewritings.
//!
//! # Codes
//!
//! | code | marks |
//! |---|---|
//! | `stringified-container` | an edit: an array or object read from its text |
//! | `stringified-number` | an edit: a number read from its text |
//! | `stringified-boolean` | an edit: a boolean read from its text |
//! | `stringified-null` | an edit: `null` read from its text |
//! | `left-out` | an edit: a value that says nothing, left out |
//! | `single-item` | an edit: one object put into the list that it was sent for |
//! | `blank-list` | a rejection |
//!
//! Cost: one walk over what the schema declares, with nothing allocated, for a call whose types
//! fit; a second walk for one whose types do not. Alternatives in alternatives are looked at within
//! a bound that is linear in the size of the value; past it the value is left as sent.

mod embedded;
mod fits;
mod lists;
pub mod message;
mod patch;
mod scalar;
mod settle;
mod view;

use callmend_stage::{
    Cascade, Change, Draft, Order, Prepared, Signature, Stage, StageMeta, Tool, ToolError, Verdict,
    pointer,
};
use fits::Check;
use patch::Patch;
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::sync::Arc;

const ID: &str = "type-drift";

static META: StageMeta = StageMeta {
    id: ID,
    order: Order::TYPE_DRIFT,
    rewrites: true,
    summary: "gives values the type that their slot takes",
    codes: message::CODES,
    package: env!("CARGO_PKG_NAME"),
};

/// Gives values the type that their slot takes (contract, section 12).
///
/// ```
/// use callmend_stage::{Cascade, Draft, Stage, Tool};
/// use callmend_type_drift::TypeDrift;
/// use serde_json::json;
///
/// let tool = Tool::new("read", json!({ "properties": {
///     "path": { "type": "string" },
///     "lines": { "type": "array", "items": { "type": "integer" } }
/// } }))?;
/// let stage = TypeDrift.prepare(&tool, Cascade::Extended)?.unwrap();
///
/// let mut call = Draft::new(json!({ "path": "7", "lines": "[1, \"2\"]" }));
/// let verdict = stage.plan(&call);
/// call.apply("type-drift", verdict).unwrap();
/// assert_eq!(call.value(), Some(&json!({ "path": "7", "lines": [1, 2] })));
/// # Ok::<(), callmend_stage::ToolError>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct TypeDrift;

/// The stage, as it is registered.
pub static STAGE: TypeDrift = TypeDrift;

callmend_stage::inventory::submit! {
    callmend_stage::registry::StageEntry { stage: &STAGE }
}

impl Stage for TypeDrift {
    fn meta(&self) -> &'static StageMeta {
        &META
    }

    fn prepare(
        &self,
        tool: &Tool,
        _cascade: Cascade,
    ) -> Result<Option<Box<dyn Prepared>>, ToolError> {
        let signature = tool.signature();
        let root = signature.root();
        let says_nothing = root.properties().next().is_none() && root.property("").is_none();
        let bound = (!says_nothing).then(|| Bound {
            signature: signature.clone(),
        });
        Ok(bound.map(|bound| Box::new(bound) as Box<dyn Prepared>))
    }
}

/// The stage bound to one tool.
#[derive(Debug)]
struct Bound {
    signature: Arc<Signature>,
}

impl Prepared for Bound {
    fn plan(&self, call: &Draft<'_>) -> Verdict {
        match call.value() {
            Some(arguments @ Value::Object(object)) => plan(&self.signature, arguments, object),
            _ => Verdict::Pass,
        }
    }
}

fn plan(signature: &Signature, arguments: &Value, object: &Map<String, Value>) -> Verdict {
    let root = signature.root();
    let mut check = Check::new(signature);
    if check.arguments_fit(root, arguments) {
        return Verdict::Pass;
    }
    let patches = settle::arguments(check, root, arguments);
    if let Some(name) = blank_list(signature, object, &patches) {
        return message::blank_list(ID, name, signature.tail()).into();
    }
    if patches.is_empty() {
        return Verdict::Pass;
    }
    Verdict::Rewrite(changes(patches))
}

/// Finds the first argument, in bytewise order, that is a list of strings and got a blank string
/// that no rewriting takes away.
fn blank_list<'c>(
    signature: &Signature,
    object: &'c Map<String, Value>,
    patches: &[Patch],
) -> Option<&'c str> {
    let is_blank = |key: &str, value: &Value| {
        value.as_str().is_some_and(scalar::is_blank)
            && signature.declared(key).is_some_and(lists::is_list)
            && !patches.iter().any(|patch| patch.at == pointer::to(key))
    };
    object
        .iter()
        .filter(|(key, value)| is_blank(key, value))
        .map(|(key, _)| key.as_str())
        .min()
}

/// Makes the changes. The items of a list share one hint, that of the first.
fn changes(patches: Vec<Patch>) -> Vec<Change> {
    let mut said = HashSet::new();
    patches
        .into_iter()
        .map(|patch| {
            let new = said.insert((general(&patch.at), patch.code));
            let mut change = patch.into_change();
            if !new {
                change.hint = None;
            }
            change
        })
        .collect()
}

/// Replaces every index of a pointer by one sign.
fn general(at: &str) -> String {
    at.split('/')
        .map(|token| match pointer::index(token) {
            Some(_) => "*",
            None => token,
        })
        .collect::<Vec<_>>()
        .join("/")
}

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
