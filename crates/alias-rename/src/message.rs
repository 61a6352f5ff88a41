//! Every code and every sentence of alias-rename.

use callmend_stage::message::{list, tick, with_tail};
use callmend_stage::{Code, CodeInfo};

/// The id of the stage.
pub const ID: &str = "alias-rename";

/// A key was a common alias of a declared property, or one that the tool or a crate added.
pub const ALIAS: Code = Code::new("alias");

/// A key was a declared property in another casing, or with other separators.
pub const SPELLING: Code = Code::new("spelling");

/// One key reads as more than one declared property.
pub const ALIAS_AMBIGUOUS: Code = Code::new("alias-ambiguous");

/// Two or more keys read as one declared property.
pub const ALIAS_COLLISION: Code = Code::new("alias-collision");

/// A key reads as a declared property that already has a value.
pub const ALIAS_OCCUPIED: Code = Code::new("alias-occupied");

/// Every code of the stage.
pub const CODES: &[CodeInfo] = &[
    CodeInfo::edit(ALIAS, "a common alias got its declared name"),
    CodeInfo::edit(
        SPELLING,
        "a declared name in another casing or with other separators was put right",
    ),
    CodeInfo::rejection(
        ALIAS_AMBIGUOUS,
        "one key reads as more than one declared argument",
    ),
    CodeInfo::rejection(
        ALIAS_COLLISION,
        "two or more keys read as one declared argument",
    ),
    CodeInfo::rejection(
        ALIAS_OCCUPIED,
        "a key reads as a declared argument that already has a value",
    ),
];

/// How many of the keys involved a message names; how many more there are is counted.
const NAMED: usize = 10;

/// Says what to pass next time.
pub fn renamed(from: &str, to: &str) -> String {
    format!("pass {}, not {}", tick(to), tick(from))
}

/// Says that one key reads as several arguments.
pub fn ambiguous(key: &str, targets: &[String], tail: &str) -> String {
    with_tail(&ambiguous_body(key, targets), tail)
}

/// Says that several keys read as one argument.
pub fn collision(keys: &[String], target: &str, tail: &str) -> String {
    with_tail(&collision_body(keys, target), tail)
}

/// Says that the argument which one or more keys read as already has a value.
pub fn occupied(keys: &[String], target: &str, tail: &str) -> String {
    with_tail(&occupied_body(keys, target), tail)
}

pub(crate) fn ambiguous_body(key: &str, targets: &[String]) -> String {
    format!(
        "{} could be {}; pass the one you mean",
        tick(key),
        list(named(targets), "or")
    )
}

pub(crate) fn collision_body(keys: &[String], target: &str) -> String {
    format!("{}; pass {} once", reads_as(keys, target), tick(target))
}

pub(crate) fn occupied_body(keys: &[String], target: &str) -> String {
    format!(
        "{}, which already has a value; pass {} alone",
        reads_as(keys, target),
        tick(target)
    )
}

fn reads_as(keys: &[String], target: &str) -> String {
    let verb = match keys.len() {
        0 | 1 => "reads as",
        2 => "both read as",
        _ => "all read as",
    };
    format!("{} {verb} {}", list(named(keys), "and"), tick(target))
}

fn named(names: &[String]) -> Vec<String> {
    let mut out: Vec<String> = names.iter().take(NAMED).map(|name| tick(name)).collect();
    let more = names.len().saturating_sub(NAMED);
    if more > 0 {
        out.push(format!("{more} more"));
    }
    out
}
