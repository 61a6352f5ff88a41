//! Every code and every sentence of the stage.

use callmend_stage::message::{clip, tick, with_tail};
use callmend_stage::{Code, CodeInfo, Rejection, Type, TypeSet, pointer};
use serde_json::Value;

/// An array or object was sent as its text.
pub const CONTAINER: Code = Code::new("stringified-container");
/// A number was sent as its text.
pub const NUMBER: Code = Code::new("stringified-number");
/// A boolean was sent as its text.
pub const BOOLEAN: Code = Code::new("stringified-boolean");
/// `null` was sent as its text, for a required argument that takes `null`.
pub const NULL: Code = Code::new("stringified-null");
/// A value that says nothing was sent for an optional argument, and left out.
pub const LEFT_OUT: Code = Code::new("left-out");
/// One object was sent for a list of such objects.
pub const SINGLE_ITEM: Code = Code::new("single-item");
/// A blank string was sent for a list of strings.
pub const BLANK_LIST: Code = Code::new("blank-list");

/// Every code, as `callmend stages` lists them.
pub(crate) const CODES: &[CodeInfo] = &[
    CodeInfo::edit(
        CONTAINER,
        "an array or object came as its text and was read from it",
    ),
    CodeInfo::edit(NUMBER, "a number came as its text and was read from it"),
    CodeInfo::edit(BOOLEAN, "a boolean came as its text and was read from it"),
    CodeInfo::edit(
        NULL,
        "`null` came as its text, for a required argument that takes `null`",
    ),
    CodeInfo::edit(
        LEFT_OUT,
        "`null` or its like came for an optional argument that does not take it, and was left out",
    ),
    CodeInfo::edit(
        SINGLE_ITEM,
        "one object came for a list of such objects and was put into one",
    ),
    CodeInfo::rejection(BLANK_LIST, "a blank string came for a list of strings"),
];

/// Tells the model to pass a value as what it is.
pub(crate) fn pass_as(path: &str, value: &Value, slot: TypeSet) -> String {
    let kind = match value {
        Value::Number(_) if slot.has(Type::Fraction) => "a number",
        Value::Number(_) => "an integer",
        Value::Bool(_) => "a boolean",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
        Value::String(_) => "a string",
        Value::Null => "`null`",
    };
    format!("pass {} as {kind}, not as a string", place(path))
}

/// Tells the model to pass a list.
pub(crate) fn as_list(path: &str) -> String {
    format!("pass {} as an array, not as one object", place(path))
}

/// Tells the model to leave an argument out.
pub(crate) fn leave_out(path: &str, sent: &Value) -> String {
    let sent = match sent {
        Value::String(text) if text.trim().is_empty() => "an empty string",
        Value::String(_) => "the string `null`",
        _ => "`null`",
    };
    format!("leave {} out instead of passing {sent}", place(path))
}

pub(crate) fn blank_list(stage: &'static str, name: &str, tail: &str) -> Rejection {
    let body = format!(
        "{} must be an array of strings, not a blank string",
        tick(name)
    );
    Rejection::new(stage, BLANK_LIST, with_tail(&body, tail)).at(pointer::to(name))
}

fn place(path: &str) -> String {
    format!("`{}`", clip(&pointer::display(path)))
}
