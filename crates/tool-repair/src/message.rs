//! Every code and every sentence of tool-repair and of its built-in entries.

use callmend_stage::message::{tick, with_tail};
use callmend_stage::{Code, CodeInfo};

/// The id of the stage.
pub const ID: &str = "tool-repair";

/// Prose that was JSON-escaped twice was decoded once.
pub const DOUBLE_ESCAPED: Code = Code::new("double-escaped");

/// A result wrapper that was sent as a JSON string was parsed.
pub const STRINGIFIED_RESULT: Code = Code::new("stringified-result");

/// Every code of the stage's own; a downstream entry brings its own with it.
pub const CODES: &[CodeInfo] = &[
    CodeInfo::edit(
        DOUBLE_ESCAPED,
        "prose that was JSON-escaped twice was decoded once",
    ),
    CodeInfo::edit(
        STRINGIFIED_RESULT,
        "a result wrapper that was sent as a JSON string was parsed into its object",
    ),
    CodeInfo::rejection(
        Code::INTERNAL,
        "a tool's entry planned a change outside the fields that it lists",
    ),
];

/// Says how to send prose next time.
pub fn escape_once(field: &str) -> String {
    format!("send {} escaped once, not twice", tick(field))
}

/// Says how to send an object next time.
pub fn send_object(field: &str) -> String {
    format!("send {} as an object, not as a JSON string", tick(field))
}

/// Says that an entry planned more than it may.
pub fn outside_its_fields(tool: &str, field: &str, tail: &str) -> String {
    let body = format!(
        "the call could not be repaired: the entry for {} planned a change to {}, which it does not list",
        tick(tool),
        tick(field)
    );
    with_tail(&body, tail)
}
