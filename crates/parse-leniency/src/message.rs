//! Every code and every sentence of this stage.

use crate::error::{ErrorKind, ParseError};
use crate::relaxation::{Relaxation, Relaxed};
use callmend_stage::message::{tick, with_tail};
use callmend_stage::{Code, CodeInfo, Rejection};

/// Text that is almost JSON was read as its object.
pub const RELAXED_JSON: Code = Code::new("relaxed-json");
/// An object was read from the string that held it.
pub const STRINGIFIED_JSON: Code = Code::new("stringified-json");
/// An object was read from the raw text that a host's parser left behind.
pub const RAW_JSON: Code = Code::new("raw-json");
/// Nothing was sent, and the tool requires nothing.
pub const NOTHING_SENT: Code = Code::new("nothing-sent");

/// The text is not JSON, and no mistake that is repaired explains it.
pub const NOT_JSON: Code = Code::new("not-json");
/// The text is cut off.
pub const TRUNCATED: Code = Code::new("truncated");
/// The provider stopped before the call was whole.
pub const STOPPED_EARLY: Code = Code::new("stopped-early");
/// A key or an element has no value.
pub const MISSING_VALUE: Code = Code::new("missing-value");
/// A bracket of one kind is closed by one of the other.
pub const WRONG_CLOSER: Code = Code::new("wrong-closer");
/// A word that JSON has no value for.
pub const NO_JSON_VALUE: Code = Code::new("no-json-value");
/// An ellipsis stands where content belongs.
pub const ELLIPSIS: Code = Code::new("ellipsis");
/// A number begins with a zero.
pub const LEADING_ZERO: Code = Code::new("leading-zero");
/// A number that no JSON reader keeps.
pub const NUMBER_OUT_OF_RANGE: Code = Code::new("number-out-of-range");
/// An escape of another language.
pub const FOREIGN_ESCAPE: Code = Code::new("foreign-escape");
/// Half of a surrogate pair.
pub const LONE_SURROGATE: Code = Code::new("lone-surrogate");
/// More than one reading.
pub const TWO_READINGS: Code = Code::new("two-readings");
/// The search for readings came to its bound.
pub const SEARCH_BOUND: Code = Code::new("search-bound");
/// One key with two values.
pub const DUPLICATE_KEY: Code = Code::new("duplicate-key");
/// Several objects that differ.
pub const SEVERAL_OBJECTS: Code = Code::new("several-objects");
/// Prose or anything else around the object.
pub const TEXT_AROUND: Code = Code::new("text-around");
/// Markup that names another tool.
pub const OTHER_TOOL: Code = Code::new("other-tool");
/// The root is no object.
pub const NOT_AN_OBJECT: Code = Code::new("not-an-object");
/// Nothing was sent, and the tool requires something.
pub const EMPTY_ARGUMENTS: Code = Code::new("empty-arguments");
/// Nested too deeply.
pub const TOO_DEEP: Code = Code::new("too-deep");
/// Too large to be read leniently.
pub const TOO_LARGE: Code = Code::new("too-large");
/// Too many strings around the object.
pub const TOO_MANY_LAYERS: Code = Code::new("too-many-layers");
/// The bytes are no UTF-8.
pub const NOT_UTF8: Code = Code::new("not-utf8");

/// Every code of the stage.
pub static CODES: &[CodeInfo] = &[
    CodeInfo::edit(
        RELAXED_JSON,
        "text that is almost JSON was read as its object",
    ),
    CodeInfo::edit(
        STRINGIFIED_JSON,
        "the object was read from a string that held it",
    ),
    CodeInfo::edit(
        RAW_JSON,
        "the object was read from the `__rawJson` that a host left behind",
    ),
    CodeInfo::edit(NOTHING_SENT, "nothing was sent, and nothing is required"),
    CodeInfo::rejection(NOT_JSON, "no mistake that is repaired explains the text"),
    CodeInfo::rejection(TRUNCATED, "the text is cut off"),
    CodeInfo::rejection(
        STOPPED_EARLY,
        "the provider stopped before the call was whole",
    ),
    CodeInfo::rejection(MISSING_VALUE, "a key or an element has no value"),
    CodeInfo::rejection(WRONG_CLOSER, "a bracket is closed by one of the other kind"),
    CodeInfo::rejection(NO_JSON_VALUE, "`NaN`, `Infinity`, `undefined` and the like"),
    CodeInfo::rejection(ELLIPSIS, "an ellipsis stands where content belongs"),
    CodeInfo::rejection(LEADING_ZERO, "a number begins with a zero"),
    CodeInfo::rejection(
        NUMBER_OUT_OF_RANGE,
        "a number that would be rounded or overflows",
    ),
    CodeInfo::rejection(
        FOREIGN_ESCAPE,
        "an escape that another language reads as a character",
    ),
    CodeInfo::rejection(LONE_SURROGATE, "half of a surrogate pair"),
    CodeInfo::rejection(TWO_READINGS, "the text can be read in more than one way"),
    CodeInfo::rejection(
        SEARCH_BOUND,
        "the search for the one reading came to its bound",
    ),
    CodeInfo::rejection(DUPLICATE_KEY, "one key with two values"),
    CodeInfo::rejection(SEVERAL_OBJECTS, "several objects that differ"),
    CodeInfo::rejection(TEXT_AROUND, "text before or after the object"),
    CodeInfo::rejection(OTHER_TOOL, "markup around the object names another tool"),
    CodeInfo::rejection(NOT_AN_OBJECT, "the arguments are not an object"),
    CodeInfo::rejection(
        EMPTY_ARGUMENTS,
        "nothing was sent, and something is required",
    ),
    CodeInfo::rejection(TOO_DEEP, "more than 127 containers, one in another"),
    CodeInfo::rejection(TOO_LARGE, "over 1,048,576 bytes, and not strict JSON"),
    CodeInfo::rejection(
        TOO_MANY_LAYERS,
        "the object lies inside more than three strings",
    ),
    CodeInfo::rejection(NOT_UTF8, "the bytes are no UTF-8"),
];

/// Returns the code of an error.
pub fn code(kind: &ErrorKind) -> Code {
    match kind {
        ErrorKind::Expected(_) => NOT_JSON,
        ErrorKind::Truncated => TRUNCATED,
        ErrorKind::MissingValue => MISSING_VALUE,
        ErrorKind::WrongCloser { .. } => WRONG_CLOSER,
        ErrorKind::NoJsonValue => NO_JSON_VALUE,
        ErrorKind::Ellipsis => ELLIPSIS,
        ErrorKind::LeadingZero => LEADING_ZERO,
        ErrorKind::NumberOutOfRange => NUMBER_OUT_OF_RANGE,
        ErrorKind::ForeignEscape => FOREIGN_ESCAPE,
        ErrorKind::LoneSurrogate => LONE_SURROGATE,
        ErrorKind::MixedEscapes
        | ErrorKind::QuoteReadings
        | ErrorKind::TwoReadings
        | ErrorKind::BracesInString => TWO_READINGS,
        ErrorKind::SearchBound => SEARCH_BOUND,
        ErrorKind::DuplicateKey(_) => DUPLICATE_KEY,
        ErrorKind::SeveralObjects => SEVERAL_OBJECTS,
        ErrorKind::TextBefore | ErrorKind::TextAfter => TEXT_AROUND,
        ErrorKind::OtherTool => OTHER_TOOL,
        ErrorKind::NotAnObject => NOT_AN_OBJECT,
        ErrorKind::Empty => EMPTY_ARGUMENTS,
        ErrorKind::TooDeep => TOO_DEEP,
        ErrorKind::TooLarge => TOO_LARGE,
        ErrorKind::TooManyLayers => TOO_MANY_LAYERS,
    }
}

/// Words an error for the model, without the tail.
pub fn body(error: &ParseError) -> String {
    let place = format!("at line {} column {}", error.line(), error.column());
    let inside = error
        .argument()
        .map(|argument| format!(" inside {}", tick(&argument)))
        .unwrap_or_default();
    match &error.kind {
        ErrorKind::Expected(what) => format!("arguments are not JSON: expected {what} {place}"),
        ErrorKind::Truncated => {
            format!("arguments were cut off{inside}; send the whole call again")
        }
        ErrorKind::MissingValue => {
            format!("arguments are not JSON: expected a value {place}")
        }
        ErrorKind::WrongCloser { expected } => {
            format!("arguments are not JSON: expected `{expected}` {place}")
        }
        ErrorKind::NoJsonValue => format!(
            "arguments are not JSON: no `NaN`, `Infinity` or `undefined`; send a value {place}"
        ),
        ErrorKind::Ellipsis => {
            format!("arguments hold an ellipsis {place}; send the whole content")
        }
        ErrorKind::LeadingZero => format!(
            "arguments are not JSON: expected a number without leading zeros, or a string, {place}"
        ),
        ErrorKind::NumberOutOfRange => format!(
            "the number {place} is out of range; send one between -9223372036854775808 and \
             18446744073709551615, or a string"
        ),
        ErrorKind::ForeignEscape => format!(
            "arguments are not JSON: expected an escape that JSON has {place}; send `\\\\` for a \
             backslash"
        ),
        ErrorKind::LoneSurrogate => {
            format!("arguments are not JSON: expected both halves of a surrogate pair {place}")
        }
        ErrorKind::MixedEscapes => format!(
            "the backslashes in the string {place} can be read in two ways; send `\\\\` for each \
             backslash"
        ),
        ErrorKind::QuoteReadings => format!(
            "the quotes in the string {place} can be read in two ways; send `\\\"` for each quote \
             inside a string"
        ),
        ErrorKind::TwoReadings => format!(
            "arguments can be read in two ways {place}; send strict JSON, with `\\\"` for each \
             quote inside a string"
        ),
        ErrorKind::SearchBound => format!(
            "arguments are not JSON, and too many readings are possible {place}; send strict JSON, \
             with `\\\"` for each quote inside a string"
        ),
        ErrorKind::DuplicateKey(key) => {
            format!(
                "{} is given twice with different values; pass it once",
                tick(key)
            )
        }
        ErrorKind::BracesInString => {
            "doubled braces can be read in two ways; send single braces".to_owned()
        }
        ErrorKind::SeveralObjects => {
            "arguments hold several objects that differ; send one object, and one call for each"
                .to_owned()
        }
        ErrorKind::TextBefore => format!("arguments are not JSON: expected `{{` {place}"),
        ErrorKind::TextAfter => {
            format!("arguments are not JSON: expected nothing after the object {place}")
        }
        ErrorKind::OtherTool => {
            "arguments stand in markup that names another tool; send them alone".to_owned()
        }
        ErrorKind::NotAnObject => "arguments must be an object".to_owned(),
        ErrorKind::Empty => "arguments are empty; send an object".to_owned(),
        ErrorKind::TooDeep => {
            format!("arguments are nested too deeply {place}; send at most 127 levels")
        }
        ErrorKind::TooLarge => format!(
            "arguments are not strict JSON {place}, and longer than 1048576 bytes; send strict JSON"
        ),
        ErrorKind::TooManyLayers => {
            "arguments are an object inside too many strings; send the object itself".to_owned()
        }
    }
}

/// Makes the rejection of an error.
pub fn rejection(error: &ParseError, tail: &str) -> Rejection {
    rejected(code(&error.kind), &body(error), tail)
}

/// Makes the rejection of a call with nothing in it: names the first argument that is required.
pub fn empty(required: &str, tail: &str) -> Rejection {
    let body = format!("arguments are empty; {} is required", tick(required));
    rejected(EMPTY_ARGUMENTS, &body, tail)
}

/// Makes the rejection of a call whose provider stopped early.
pub fn stopped_early(tail: &str) -> Rejection {
    let body = "the provider stopped before the arguments were whole; send the whole call again";
    rejected(STOPPED_EARLY, body, tail)
}

/// Makes the rejection of bytes that are no UTF-8 from `offset` on.
pub fn not_utf8(offset: usize, tail: &str) -> Rejection {
    let body = format!("arguments are not UTF-8 at byte {offset}; send UTF-8 text");
    rejected(NOT_UTF8, &body, tail)
}

fn rejected(code: Code, body: &str, tail: &str) -> Rejection {
    Rejection::new(crate::ID, code, with_tail(body, tail))
}

/// Words what to do next time, from what was read this time.
pub fn hint(relaxed: Relaxed) -> String {
    let mut advice: Vec<&str> = Vec::new();
    for one in relaxed.iter().map(Relaxation::advice) {
        if !advice.contains(&one) {
            advice.push(one);
        }
    }
    format!("send the arguments as strict JSON: {}", advice.join(", "))
}

/// What to do next time when a host's parser left the raw text behind.
pub const RAW_HINT: &str = "send the arguments as strict JSON, so that every host can read them";

/// What to do next time when nothing was sent.
pub const NOTHING_HINT: &str = "send `{}` when there are no arguments";
