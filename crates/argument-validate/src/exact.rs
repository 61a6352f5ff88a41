//! Integers that a number could not hold exactly (extended cascade; contract, section 12: never a
//! loss of precision).
//!
//! `1e20` is an integer to JSON Schema, but it was rounded to the nearest number that a double
//! holds before anyone looked at it. Which integer was meant, nobody can say.

use crate::finding::Finding;
use crate::message;
use callmend_stage::{Signature, Slot, Type, pointer};
use serde_json::{Number, Value};

/// Integers up to here are exact in a double: 2⁵³ − 1.
const EXACT: f64 = 9_007_199_254_740_991.0;
/// How deep a call is looked into; it is never deeper (contract, section 4).
const MAX_DEPTH: usize = 128;

/// Finds the first argument, by path, that holds a rounded integer where only an integer may
/// stand. Nothing is allocated for a call without one.
pub(crate) fn check(signature: &Signature, arguments: &Value) -> Option<Finding> {
    if !has_rounded(arguments, MAX_DEPTH) {
        return None;
    }
    let mut found = Vec::new();
    search(
        signature.root(),
        arguments,
        &mut String::new(),
        MAX_DEPTH,
        &mut found,
    );
    found.sort();
    found.into_iter().next().map(|path| {
        let body = message::must_be_written_out(&pointer::display(&path));
        Finding::new(path, message::INEXACT_INTEGER, body)
    })
}

fn has_rounded(value: &Value, depth: usize) -> bool {
    match (value, depth.checked_sub(1)) {
        (Value::Number(number), _) => is_rounded(number),
        (Value::Array(items), Some(depth)) => items.iter().any(|item| has_rounded(item, depth)),
        (Value::Object(members), Some(depth)) => {
            members.values().any(|member| has_rounded(member, depth))
        }
        _ => false,
    }
}

fn is_rounded(number: &Number) -> bool {
    !number.is_i64()
        && !number.is_u64()
        && number
            .as_f64()
            .is_some_and(|float| float.abs() > EXACT && float.fract() == 0.0)
}

fn search(slot: Slot<'_>, value: &Value, path: &mut String, depth: usize, found: &mut Vec<String>) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    let length = path.len();
    match value {
        Value::Number(number)
            if is_rounded(number) && slot.takes(Type::Integer) && !slot.takes(Type::Fraction) =>
        {
            found.push(path.clone());
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                if let Some(slot) = slot.item(at) {
                    pointer::push_index(path, at);
                    search(slot, item, path, depth, found);
                    path.truncate(length);
                }
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                if let Some(slot) = slot.property(key) {
                    pointer::push(path, key);
                    search(slot, member, path, depth, found);
                    path.truncate(length);
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use callmend_stage::Tool;
    use serde_json::json;

    fn found(arguments: Value) -> Option<String> {
        let tool = Tool::new(
            "t",
            json!({"properties": {
                "n": {"type": "integer"}, "f": {"type": "number"}, "free": {},
                "list": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": ["integer", "null"]}}}}
            }}),
        )
        .unwrap();
        check(tool.signature(), &arguments).map(|finding| finding.path)
    }

    #[test]
    fn a_rounded_integer_is_found_at_any_depth() {
        assert_eq!(found(json!({"n": 1e20})).as_deref(), Some("/n"));
        assert_eq!(
            found(json!({"list": [{"n": 1}, {"n": -1e16}]})).as_deref(),
            Some("/list/1/n")
        );
    }

    #[test]
    fn an_exact_one_and_a_slot_that_takes_a_fraction_are_fine() {
        assert_eq!(found(json!({"n": 9_007_199_254_740_991.0})), None);
        assert_eq!(found(json!({"n": u64::MAX})), None);
        assert_eq!(found(json!({"f": 1e20, "free": 1e20, "other": 1e20})), None);
    }
}
