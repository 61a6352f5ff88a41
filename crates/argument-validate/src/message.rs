//! Every code and every sentence of argument-validate (contract, sections 10 and 11).

use callmend_stage::{Code, CodeInfo, Rejection, Signature, message, unknown};
use serde_json::Value;

use crate::canonical;

/// The id of the stage.
pub const ID: &str = "argument-validate";

/// The arguments are not an object.
pub const NOT_AN_OBJECT: Code = Code::new("not-an-object");
/// The call has an argument that the tool, or an object of its schema, does not take.
pub const UNKNOWN_ARGUMENT: Code = unknown::UNKNOWN_ARGUMENT;
/// A required argument is missing.
pub const REQUIRED: Code = Code::new("required");
/// A value has a type that its slot does not take.
pub const WRONG_TYPE: Code = Code::new("wrong-type");
/// A value has the right type and is none of those that its slot takes.
pub const WRONG_VALUE: Code = Code::new("wrong-value");
/// A number, or a count of characters, items or keys, is beyond its bound.
pub const OUT_OF_RANGE: Code = Code::new("out-of-range");
/// A value fits none of the alternatives of its slot, or more than it may.
pub const NO_ALTERNATIVE: Code = Code::new("no-alternative");
/// Neither argument of a locator is given.
pub const NO_LOCATOR: Code = Code::new("no-locator");
/// Both arguments of a locator are given, and they name different things.
pub const LOCATORS_DIFFER: Code = Code::new("locators-differ");
/// A string stood where a list of strings belongs, and became its one item.
pub const STRING_FOR_LIST: Code = Code::new("string-for-list");
/// A string that spells a JSON list of strings stood where the list belongs.
pub const LIST_IN_STRING: Code = Code::new("list-in-string");

/// An integer was written as a number that cannot hold it exactly (extended cascade).
pub const INEXACT_INTEGER: Code = Code::new("inexact-integer");

/// Every code of the stage.
pub const CODES: &[CodeInfo] = &[
    CodeInfo::edit(
        STRING_FOR_LIST,
        "a string stood where a list of strings belongs, and became its one item",
    ),
    CodeInfo::edit(
        LIST_IN_STRING,
        "a string that spells a JSON list of strings stood where the list belongs",
    ),
    CodeInfo::rejection(NOT_AN_OBJECT, "the arguments are not an object"),
    unknown::UNKNOWN_ARGUMENT_INFO,
    CodeInfo::rejection(REQUIRED, "a required argument is missing"),
    CodeInfo::rejection(WRONG_TYPE, "a value has a type that its slot does not take"),
    CodeInfo::rejection(
        WRONG_VALUE,
        "a value has the right type and is none of those that its slot takes",
    ),
    CodeInfo::rejection(
        OUT_OF_RANGE,
        "a number, or a count of characters, items or keys, is beyond its bound",
    ),
    CodeInfo::rejection(
        NO_ALTERNATIVE,
        "a value fits none of the alternatives of its slot, or more than it may",
    ),
    CodeInfo::rejection(NO_LOCATOR, "neither argument of a locator is given"),
    CodeInfo::rejection(
        LOCATORS_DIFFER,
        "both arguments of a locator are given, and they name different things",
    ),
    CodeInfo::rejection(
        INEXACT_INTEGER,
        "an integer was written as a number that cannot hold it exactly (extended cascade)",
    ),
];

/// What is said of arguments that are not an object.
pub(crate) const ARGUMENTS_MUST_BE_AN_OBJECT: &str = "arguments must be an object";

/// What is said of a call whose alternatives nest so deeply that there is no saying which of them
/// was meant.
#[cfg(feature = "deep")]
pub(crate) const NO_COMBINATION: &str =
    "arguments fit no combination of the alternatives that their schema allows";

/// Rejects a call: the body, then the tail.
pub(crate) fn rejection(signature: &Signature, code: Code, body: &str) -> Rejection {
    Rejection::new(ID, code, message::with_tail(body, signature.tail()))
}

/// Of two findings at one place, the lower rank is told first.
pub(crate) fn rank(code: Code) -> usize {
    [
        WRONG_TYPE,
        REQUIRED,
        UNKNOWN_ARGUMENT,
        NO_ALTERNATIVE,
        WRONG_VALUE,
    ]
    .iter()
    .position(|known| *known == code)
    .unwrap_or(usize::MAX)
}

/// `` `limit` is required ``.
pub(crate) fn required(name: &str) -> String {
    format!("`{name}` is required")
}

/// `` `limit` must be an integer ``.
pub(crate) fn must_be(name: &str, phrase: &str) -> String {
    format!("`{name}` must be {phrase}")
}

/// What is said of an integer that was rounded on the way.
pub(crate) fn must_be_written_out(name: &str) -> String {
    format!(
        "{} must be an integer written digit by digit, without a fraction or an exponent",
        message::tick(name)
    )
}

/// `pass id or path`.
pub(crate) fn pass_either(first: &str, second: &str) -> String {
    format!("pass {first} or {second}")
}

/// `id "d_x" and path "/a.md" name different documents`.
pub(crate) fn name_different(
    (first, one): (&str, &Value),
    (second, other): (&str, &Value),
    noun: &str,
) -> String {
    format!(
        "{first} {} and {second} {} name different {noun}",
        quoted(one),
        quoted(other)
    )
}

/// Quotes a value from the call as JSON, clipped.
fn quoted(value: &Value) -> String {
    match value {
        Value::String(text) => canonical::string(&message::clip(text)),
        other => message::clip(&canonical::text(other).unwrap_or_default()),
    }
}

/// What to do next time, for a string that became the one item of its list.
pub(crate) fn pass_a_list(name: &str) -> String {
    format!("pass `{name}` as a list of strings, even for one item")
}

/// What to do next time, for a list that was spelled in a string.
pub(crate) fn pass_the_list(name: &str) -> String {
    format!("pass `{name}` as a list, not as a string that spells one")
}
