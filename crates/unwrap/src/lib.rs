//! Takes off an envelope that a model put around a call's arguments.
//!
//! Part of the extended cascade; the standard one has it only where a host picks it.
//!
//! # What it repairs
//!
//! The arguments inside **one** envelope that the schema does not declare:
//!
//! - under one of the names `arguments`, `args`, `input`, `parameters`, `params`, `payload` or
//!   `$PARAMETER_NAME`;
//! - or as a whole call, `{"name": THIS TOOL, "arguments": {…}}`.
//!
//! The envelope stands alone (names that the host owns may stand beside it, and stay), and its
//! content is an object whose keys are all declared, or the text of one.
//!
//! # Why models do this
//!
//! Providers and prompts show calls in that form: `function.arguments` at one, `input` at
//! another, a whole call as JSON in a chat template. A model that has seen several writes the
//! frame along with the picture. `$PARAMETER_NAME` is the placeholder of a prompt that explains
//! the call syntax, copied as it stood.
//!
//! # Before and after
//!
//! | sent to `read`, which takes `path` | dispatched |
//! |---|---|
//! | `{"arguments": {"path": "a.md"}}` | `{"path": "a.md"}` |
//! | `{"params": "{\"path\": \"a.md\"}"}` | `{"path": "a.md"}` |
//! | `{"name": "read", "arguments": {"path": "a.md"}, "i": "look"}` | `{"path": "a.md", "i": "look"}` |
//!
//! # When it refuses
//!
//! - The envelope names another tool: which of the two is meant?
//! - A name that the host owns stands inside and beside the envelope, with two values.
//! - The envelope's name also reads as a declared argument that could hold the content
//!   (`{"input": {…}}` where the tool declares `Input`).
//!
//! Left as sent, for a later stage to judge: an envelope that the schema declares, one with an
//! argument beside it, one whose content is empty or has a key that is not declared, an envelope
//! inside an envelope, a list, a value nested deeper than JSON text can be.
//!
//! # Codes
//!
//! | code | marks |
//! |---|---|
//! | `envelope` | an edit: `replace` at the root |
//! | `envelope-conflict` | a rejection |
//! | `envelope-other-tool` | a rejection |
//! | `envelope-ambiguous` | a rejection |
//!
//! Cost: a call without an envelope is left at its third key of its own, with nothing allocated;
//! a call with one is read once.

mod embedded;
mod envelopes;
pub mod message;
mod rival;

use callmend_stage::{
    Cascade, Change, Draft, Order, Prepared, Stage, StageMeta, Tool, ToolError, Type, Verdict,
};
use serde_json::{Map, Value};
use std::borrow::Cow;

const ID: &str = "unwrap";

/// How deeply a content may be nested: as deeply as JSON text can be.
const MAX_LEVELS: usize = 128;

static META: StageMeta = StageMeta {
    id: ID,
    order: Order::UNWRAP,
    rewrites: true,
    summary: "takes off an envelope around the arguments",
    codes: message::CODES,
    package: env!("CARGO_PKG_NAME"),
};

/// Takes off an envelope around the arguments (contract, section 12).
///
/// ```
/// use callmend_stage::{Cascade, Draft, Stage, Tool, Verdict};
/// use callmend_unwrap::Unwrap;
/// use serde_json::json;
///
/// let tool = Tool::new("read", json!({ "properties": { "path": { "type": "string" } } }))?;
/// let stage = Unwrap.prepare(&tool, Cascade::Extended)?.unwrap();
///
/// let mut call = Draft::new(json!({ "arguments": { "path": "a.md" } }));
/// let verdict = stage.plan(&call);
/// call.apply("unwrap", verdict).unwrap();
/// assert_eq!(call.value(), Some(&json!({ "path": "a.md" })));
/// # Ok::<(), callmend_stage::ToolError>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Unwrap;

/// The stage, as it is registered.
pub static STAGE: Unwrap = Unwrap;

callmend_stage::inventory::submit! {
    callmend_stage::registry::StageEntry { stage: &STAGE }
}

impl Stage for Unwrap {
    fn meta(&self) -> &'static StageMeta {
        &META
    }

    fn prepare(
        &self,
        tool: &Tool,
        _cascade: Cascade,
    ) -> Result<Option<Box<dyn Prepared>>, ToolError> {
        Ok(Bound::new(tool).map(|bound| Box::new(bound) as Box<dyn Prepared>))
    }
}

/// The stage bound to one tool.
#[derive(Debug)]
struct Bound {
    tool: Tool,
    /// The names that can be an envelope here, each with the argument that it also reads as.
    envelopes: Vec<(&'static str, Option<String>)>,
    /// Whether a whole call, with the tool's name, can be one.
    whole_call: bool,
}

impl Bound {
    fn new(tool: &Tool) -> Option<Self> {
        let signature = tool.signature();
        // Without a declared key there is no content whose keys are all declared.
        signature.declared_names().next()?;
        let envelopes: Vec<_> = envelopes::NAMES
            .into_iter()
            .filter(|name| signature.is_unknown(name))
            .map(|name| (name, rival::of(name, tool)))
            .collect();
        let (name, arguments) = envelopes::CALL;
        let whole_call = signature.is_unknown(name) && signature.is_unknown(arguments);
        (!envelopes.is_empty()).then(|| Self {
            tool: tool.clone(),
            envelopes,
            whole_call,
        })
    }

    /// Finds the envelope that a call consists of, and the tool that it names.
    fn find<'c>(&self, call: &'c Map<String, Value>) -> Option<Envelope<'_, 'c>> {
        let signature = self.tool.signature();
        let mut own = call.iter().filter(|(key, _)| !signature.is_harness(key));
        let (first, second, third) = (own.next()?, own.next(), own.next());
        if third.is_some() {
            return None;
        }
        let ((key, content), named) = match second {
            None => (first, None),
            Some(second) => {
                let (name, arguments) = envelopes::CALL;
                let (named, content) = match (first.0.as_str(), second.0.as_str()) {
                    (a, b) if (a, b) == (name, arguments) => (first, second),
                    (a, b) if (b, a) == (name, arguments) => (second, first),
                    _ => return None,
                };
                (content, Some(named.1.as_str().filter(|_| self.whole_call)?))
            }
        };
        let (name, rival) = self.envelopes.iter().find(|(name, _)| *name == key)?;
        Some(Envelope {
            name,
            // With the tool's name beside it, it is a call and nothing else.
            rival: rival.as_deref().filter(|_| named.is_none()),
            named,
            content,
        })
    }

    fn open(&self, call: &Map<String, Value>, envelope: &Envelope<'_, '_>) -> Option<Verdict> {
        let signature = self.tool.signature();
        let tail = signature.tail();
        let (content, relaxed) = match envelope.content {
            Value::Object(content) => (Cow::Borrowed(content), Vec::new()),
            Value::String(text) => {
                let (content, relaxed) = embedded::object(text, &self.tool)?;
                (Cow::Owned(content), relaxed)
            }
            _ => return None,
        };
        if !signature.keys_all_declared(&content) || is_deep(envelope.content, MAX_LEVELS) {
            return None;
        }
        if let Some(named) = envelope.named
            && named != self.tool.name()
        {
            return Some(message::other_tool(ID, named, self.tool.name(), tail).into());
        }
        if let Some(rival) = envelope.rival
            && let Some(slot) = signature.declared(rival)
            && (slot.takes(Type::of(envelope.content)) || slot.takes(Type::Object))
        {
            return Some(message::ambiguous(ID, envelope.name, rival, tail).into());
        }
        let mut arguments = Map::new();
        for (key, value) in call {
            if key == envelope.name {
                for (key, value) in content.as_ref() {
                    if call.get(key).is_some_and(|beside| beside != value) {
                        return Some(message::conflict(ID, key, envelope.name, tail).into());
                    }
                    arguments.insert(key.clone(), value.clone());
                }
            } else if signature.is_harness(key) {
                arguments.insert(key.clone(), value.clone());
            }
        }
        let change = Change::replace("", Value::Object(arguments), message::ENVELOPE)
            .hint(message::hint(envelope.name))
            .relaxed(relaxed);
        Some(Verdict::Rewrite(vec![change]))
    }
}

/// Says whether a value is nested so deeply that copying it could overflow the stack.
fn is_deep(value: &Value, levels: usize) -> bool {
    let Some(below) = levels.checked_sub(1) else {
        return true;
    };
    match value {
        Value::Array(items) => items.iter().any(|item| is_deep(item, below)),
        Value::Object(object) => object.values().any(|member| is_deep(member, below)),
        _ => false,
    }
}

/// An envelope as it was sent.
struct Envelope<'t, 'c> {
    name: &'static str,
    rival: Option<&'t str>,
    named: Option<&'c str>,
    content: &'c Value,
}

impl Prepared for Bound {
    fn plan(&self, call: &Draft<'_>) -> Verdict {
        call.object()
            .and_then(|object| self.open(object, &self.find(object)?))
            .unwrap_or(Verdict::Pass)
    }
}

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;
