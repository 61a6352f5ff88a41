//! Reads tool-call arguments that are almost JSON.
//!
//! # What it repairs
//!
//! TODO

mod blank;
mod document;
mod error;
mod guide;
mod markup;
pub mod message;
mod number;
mod parser;
mod relaxation;
mod relaxed;
mod scan;
mod search;
mod string;

pub use error::{ErrorKind, ParseError, Step};
pub use guide::Guide;
pub use relaxation::{Relaxation, Relaxed};

use callmend_stage::{
    Cascade, Change, Delivered, Draft, Order, Prepared, Stage, StageMeta, Tool, ToolError, Verdict,
};
use serde_json::{Map, Value};

/// The stage's id.
pub const ID: &str = "parse-leniency";

/// How long a text may be that is not strict JSON, in bytes.
pub const MAX_RELAXED_BYTES: usize = 1_048_576;

/// In how many strings, one in another, an object is looked for.
pub const MAX_LAYERS: u8 = 3;

/// What a text is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Which roots are taken.
    pub root: Root,
    /// The host says that the provider finished: closing brackets that are missing at the very
    /// end, after a whole value, are supplied.
    pub complete: bool,
}

/// Which roots are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Root {
    /// An object, or strings around one.
    Object,
    /// Any value; a string stays a string.
    Any,
}

impl Options {
    /// The text is a call's arguments: an object, or strings around one.
    pub const fn arguments() -> Self {
        Self {
            root: Root::Object,
            complete: false,
        }
    }

    /// The text is a value that stood as a string inside the arguments: an array, an object or a
    /// scalar.
    pub const fn embedded() -> Self {
        Self {
            root: Root::Any,
            complete: false,
        }
    }

    /// Sets whether the provider is known to have finished.
    #[must_use]
    pub const fn complete(mut self, complete: bool) -> Self {
        self.complete = complete;
        self
    }
}

/// The one reading of a text.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Parsed {
    /// The value.
    pub value: Value,
    /// The relaxations that the reading made; none for strict JSON.
    pub relaxed: Relaxed,
    /// How many strings the value was wrapped in.
    pub layers: u8,
}

/// Reads one text in one pass, strict JSON and almost-JSON alike (contract, section 4).
///
/// Strict JSON reads exactly as `serde_json` reads it, under any of its features; that is also
/// true of its limit of 127 nested containers. Two things are refused that `serde_json` passes
/// over in silence: an integer that would be rounded, and one key with two values.
///
/// The cost is linear in the text; recursion is bounded by the nesting limit.
///
/// # Errors
///
/// The text has no reading, or more than one: see [`ErrorKind`].
///
/// # Examples
///
/// A call's arguments, with what the schema says of them:
///
/// ```
/// use callmend_parse_leniency::{Guide, Options, parse};
/// use callmend_stage::Tool;
/// use serde_json::json;
///
/// let tool = Tool::new("find", json!({
///     "properties": { "query": {"type": "string"}, "limit": {"type": "integer"} }
/// }))?;
/// let read = parse("{query: 'it\\'s', \"limit\": 3,}", Guide::tool(&tool), Options::arguments())?;
/// assert_eq!(read.value, json!({"query": "it's", "limit": 3}));
/// assert!(!read.relaxed.is_strict());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A value that stood as a string in one slot:
///
/// ```
/// use callmend_parse_leniency::{Guide, Options, parse};
/// use callmend_stage::Tool;
/// use serde_json::json;
///
/// let tool = Tool::new("read", json!({
///     "properties": { "paths": {"type": "array", "items": {"type": "string"}} }
/// }))?;
/// let slot = tool.signature().root().property("paths").unwrap();
/// let read = parse("['a.rs', 'b.rs']", Guide::slot(slot), Options::embedded())?;
/// assert_eq!(read.value, json!(["a.rs", "b.rs"]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A refusal, with its place:
///
/// ```
/// use callmend_parse_leniency::{ErrorKind, Guide, Options, parse};
///
/// let error = parse("{\"a\": [1, 2", Guide::NONE, Options::arguments()).unwrap_err();
/// assert_eq!(error.kind, ErrorKind::Truncated);
/// assert_eq!((error.offset, error.argument().as_deref()), (11, Some("a[1]")));
/// ```
pub fn parse(text: &str, guide: Guide<'_>, options: Options) -> Result<Parsed, ParseError> {
    document::read(text, guide, options, 0)
}

/// The stage: text becomes its object, or the call is refused.
#[derive(Debug, Clone, Copy, Default)]
pub struct ParseLeniency;

/// The stage, registered.
pub static PARSE_LENIENCY: ParseLeniency = ParseLeniency;

static META: StageMeta = StageMeta {
    id: ID,
    order: Order::PARSE_LENIENCY,
    rewrites: true,
    summary: "reads text that is almost JSON, and refuses what has no reading or two",
    codes: message::CODES,
    package: env!("CARGO_PKG_NAME"),
};

callmend_stage::inventory::submit! {
    callmend_stage::registry::StageEntry { stage: &PARSE_LENIENCY }
}

impl Stage for ParseLeniency {
    fn meta(&self) -> &'static StageMeta {
        &META
    }

    fn prepare(
        &self,
        tool: &Tool,
        _cascade: Cascade,
    ) -> Result<Option<Box<dyn Prepared>>, ToolError> {
        Ok(Some(Box::new(Bound { tool: tool.clone() })))
    }
}

/// The stage, bound to one tool.
struct Bound {
    tool: Tool,
}

impl Prepared for Bound {
    fn plan(&self, call: &Draft<'_>) -> Verdict {
        plan(&self.tool, call)
    }
}

/// Plans what to do with a call of `tool`.
///
/// ```
/// use callmend_parse_leniency::plan;
/// use callmend_stage::{Draft, Tool, Verdict};
/// use serde_json::json;
///
/// let tool = Tool::new("find", json!({"properties": {"query": {"type": "string"}}}))?;
/// let strict = plan(&tool, &Draft::new(r#"{"query": "x"}"#));
/// assert_eq!(strict, Verdict::Decoded(json!({"query": "x"})));
/// let Verdict::Rewrite(changes) = plan(&tool, &Draft::new("{'query': 'x'}")) else { panic!() };
/// assert_eq!(changes[0].relaxed, ["single-quotes"]);
/// # Ok::<(), callmend_stage::ToolError>(())
/// ```
pub fn plan(tool: &Tool, call: &Draft<'_>) -> Verdict {
    let tail = tool.signature().tail();
    if call.complete() == Some(false) && call.edits().is_empty() {
        return message::stopped_early(tail).into();
    }
    let complete = call.complete() == Some(true);
    match call.delivered() {
        Delivered::Text(text) => plan_text(tool, text, complete, 0),
        Delivered::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => plan_text(tool, text, complete, 0),
            Err(error) => message::not_utf8(error.valid_up_to(), tail).into(),
        },
        Delivered::Value(Value::Object(map)) => match left_behind(tool, map) {
            Some(text) => plan_raw(tool, text, complete),
            None => Verdict::Pass,
        },
        Delivered::Value(Value::String(text)) => plan_text(tool, text, complete, 1),
        Delivered::Nothing | Delivered::Value(Value::Null) => nothing(tool),
        _ => {
            let error = ParseError::new(ErrorKind::NotAnObject, 0, "", 0);
            message::rejection(&error, tail).into()
        }
    }
}

fn plan_text(tool: &Tool, text: &str, complete: bool, layer: u8) -> Verdict {
    let options = Options::arguments().complete(complete);
    let parsed = match document::read(text, Guide::tool(tool), options, layer) {
        Ok(parsed) => parsed,
        Err(error) if error.kind == ErrorKind::Empty => return nothing(tool),
        Err(error) => return message::rejection(&error, tool.signature().tail()).into(),
    };
    if let Value::Object(map) = &parsed.value
        && let Some(text) = left_behind(tool, map)
    {
        return plan_raw(tool, text, complete);
    }
    if parsed.relaxed.is_strict() {
        return Verdict::Decoded(parsed.value);
    }
    let code = if parsed.layers > 0 {
        message::STRINGIFIED_JSON
    } else {
        message::RELAXED_JSON
    };
    let hint = message::hint(parsed.relaxed);
    let mut change = Change::replace("", parsed.value, code).hint(hint);
    change.relaxed = parsed.relaxed.names();
    Verdict::Rewrite(vec![change])
}

/// Returns the raw text of an object that a host's parser left behind in place of arguments that
/// it could not read.
fn left_behind<'m>(tool: &Tool, map: &'m Map<String, Value>) -> Option<&'m str> {
    if map.len() != 2 || !map.contains_key("__parseError") {
        return None;
    }
    let text = map.get("__rawJson")?.as_str()?;
    let signature = tool.signature();
    (!signature.is_declared("__rawJson") && !signature.is_declared("__parseError")).then_some(text)
}

fn plan_raw(tool: &Tool, text: &str, complete: bool) -> Verdict {
    let options = Options::arguments().complete(complete);
    let tail = tool.signature().tail();
    match document::read(text, Guide::tool(tool), options, 0) {
        Err(error) if error.kind == ErrorKind::Empty => nothing(tool),
        Err(error) => message::rejection(&error, tail).into(),
        Ok(parsed) => {
            if let Value::Object(map) = &parsed.value
                && left_behind(tool, map).is_some()
            {
                let error = ParseError::new(ErrorKind::TooManyLayers, 0, "", 0);
                return message::rejection(&error, tail).into();
            }
            let hint = if parsed.relaxed.is_strict() {
                message::RAW_HINT.to_owned()
            } else {
                message::hint(parsed.relaxed)
            };
            let mut change = Change::replace("", parsed.value, message::RAW_JSON).hint(hint);
            change.relaxed = parsed.relaxed.names();
            Verdict::Rewrite(vec![change])
        }
    }
}

/// Nothing was sent: fine for a tool that requires nothing.
fn nothing(tool: &Tool) -> Verdict {
    let signature = tool.signature();
    match signature.required_names().next() {
        Some(required) => message::empty(required, signature.tail()).into(),
        None => Verdict::Rewrite(vec![
            Change::replace("", Value::Object(Map::new()), message::NOTHING_SENT)
                .hint(message::NOTHING_HINT),
        ]),
    }
}
