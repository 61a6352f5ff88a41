//! Reads tool-call arguments that are almost JSON.
//!
//! One hand-written parser takes every text in one pass, strict JSON and almost-JSON alike. It
//! knows at each relaxation which one it makes, and it makes one only where the text has no other
//! reading; otherwise it refuses, with the kind of the fault and its place.
//!
//! # What it repairs
//!
//! At any depth, alone or together (contract, section 4):
//!
//! - trailing, leading and doubled commas; comments `//`, `#` and `/* */` between tokens;
//! - strings in single, typographic, triple or escaped quotes or in backticks; raw control
//!   characters in strings; escapes that JSON lacks (`\d`, `\.`), kept with their backslash;
//! - keys without quotes; values without quotes, in a slot that takes a string;
//! - `True`, `False`, `None`; `+1`, `.5`, `5.`, `0x1F`;
//! - a byte-order mark, white space of any kind, literal `\n` between tokens, NUL bytes at the end;
//! - a code fence, call markup or chat-template tokens around the object; surplus closing brackets
//!   after it; every brace doubled; the same object twice, or beside empty ones;
//! - a missing comma, a missing colon, a quote inside a string without its backslash, when exactly
//!   one reading gives an object whose keys are all declared;
//! - an object inside up to three strings, or written with escaped quotes throughout; one that a
//!   host's parser left behind in `__rawJson`;
//! - nothing at all, when the tool requires nothing;
//! - missing closing brackets at the very end, when the host says that the provider finished.
//!
//! Strict JSON that is an object is taken as it is, and that is no edit. Anything else is one edit,
//! `replace` at the root, that lists the relaxations made.
//!
//! # Why models do this
//!
//! A model writes arguments one token at a time, with nothing to hold it to a grammar. It falls
//! back on the languages that it has read most: Python's quotes and literals, JavaScript's keys and
//! comments, Markdown's fences, a shell's backslashes. It quotes code inside a string and forgets
//! one escape among hundreds; and a provider or a host in between may encode the text once more,
//! or cut it off.
//!
//! # Before and after
//!
//! | sent | read as |
//! |---|---|
//! | `{'path': 'a.rs', 'all': True,}` | `{"path": "a.rs", "all": true}` |
//! | `{path: src/a.rs}` | `{"path": "src/a.rs"}` |
//! | `{"pattern": "\d+\."}` | `{"pattern": "\\d+\\."}` |
//! | `{"text": "say "hi" now", "limit": 1}` | `{"text": "say \"hi\" now", "limit": 1}` |
//! | `"{\"limit\": 1}"` | `{"limit": 1}` |
//!
//! # When it refuses
//!
//! When a text has two readings, or none. In particular:
//!
//! - text that is cut off anywhere, unless only closing brackets are missing and the host says that
//!   the provider finished; any call at all when the host says that it stopped early;
//! - one key with two values; several objects that differ; prose around the object; a root that is
//!   no object;
//! - `NaN`, `Infinity`, `undefined`, an ellipsis, a missing value, a bracket closed by the wrong one;
//! - numbers that overflow, would be rounded, or begin with a zero;
//! - a string whose backslashes or quotes read in two ways: is `\n` in `C:\new\Docs` a line end?
//! - a quote that seems missing rather than unescaped: an argument's text is never moved into
//!   another one to make a text parse;
//! - more than 127 containers, one in another; more than 1,048,576 bytes that are not strict JSON.
//!
//! # Codes
//!
//! | code | kind | meaning |
//! |---|---|---|
//! | `relaxed-json` | edit | text that is almost JSON was read as its object |
//! | `stringified-json` | edit | the object was read from a string that held it |
//! | `raw-json` | edit | the object was read from the `__rawJson` that a host left behind |
//! | `nothing-sent` | edit | nothing was sent, and nothing is required |
//! | `not-json` | rejection | no mistake that is repaired explains the text |
//! | `truncated` | rejection | the text is cut off |
//! | `stopped-early` | rejection | the provider stopped before the call was whole |
//! | `missing-value` | rejection | a key or an element has no value |
//! | `wrong-closer` | rejection | a bracket is closed by one of the other kind |
//! | `no-json-value` | rejection | `NaN`, `Infinity`, `undefined` and the like |
//! | `ellipsis` | rejection | an ellipsis stands where content belongs |
//! | `leading-zero` | rejection | a number begins with a zero |
//! | `number-out-of-range` | rejection | a number that would be rounded or overflows |
//! | `foreign-escape` | rejection | an escape that another language reads as a character |
//! | `lone-surrogate` | rejection | half of a surrogate pair |
//! | `two-readings` | rejection | the text can be read in more than one way |
//! | `search-bound` | rejection | the search for the one reading came to its bound |
//! | `duplicate-key` | rejection | one key with two values |
//! | `several-objects` | rejection | several objects that differ |
//! | `text-around` | rejection | text before or after the object |
//! | `other-tool` | rejection | markup around the object names another tool |
//! | `not-an-object` | rejection | the arguments are not an object |
//! | `empty-arguments` | rejection | nothing was sent, and something is required |
//! | `too-deep` | rejection | more than 127 containers, one in another |
//! | `too-large` | rejection | over 1,048,576 bytes, and not strict JSON |
//! | `too-many-layers` | rejection | the object lies inside more than three strings |
//! | `not-utf8` | rejection | the bytes are no UTF-8 |
//!
//! Cost: linear in the text, and below that of `serde_json` on strict JSON; the search for a
//! missing comma, colon or backslash looks at each byte a few times at most, and then gives up.
//! Nothing is allocated beyond the value. Recursion is bounded by the nesting limit.
//!
//! Other crates read values inside the arguments with [`parse`] and [`Options::embedded`].

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
pub static STAGE: ParseLeniency = ParseLeniency;

static META: StageMeta = StageMeta {
    id: ID,
    order: Order::PARSE_LENIENCY,
    rewrites: true,
    summary: "reads text that is almost JSON, and refuses what has no reading or two",
    codes: message::CODES,
    package: env!("CARGO_PKG_NAME"),
};

callmend_stage::inventory::submit! {
    callmend_stage::registry::StageEntry { stage: &STAGE }
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
