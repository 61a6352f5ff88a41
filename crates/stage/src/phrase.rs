//! Words what a slot takes, for `must be …` (contract, section 10.4).

use crate::compile::{MAX_DEPTH, resolve};
use crate::message;
use serde_json::Value;

/// Words what a schema takes: `an integer`, `one of a, b`, `a string or an array of strings`.
///
/// References are followed within `root`.
pub(crate) fn phrase(schema: &Value, root: &Value) -> String {
    bounded(schema, root, MAX_DEPTH)
}

fn bounded(schema: &Value, root: &Value, depth: usize) -> String {
    let valid = || "valid".to_owned();
    let Some(depth) = depth.checked_sub(1) else {
        return valid();
    };
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return one_of(values);
    }
    for union in ["oneOf", "anyOf"] {
        if let Some(alternatives) = schema.get(union).and_then(Value::as_array) {
            return alternatives_phrase(alternatives, root, depth);
        }
    }
    match schema.get("type").and_then(first_type) {
        Some("string") => "a string".to_owned(),
        Some("integer") => "an integer".to_owned(),
        Some("number") => "a number".to_owned(),
        Some("boolean") => "a boolean".to_owned(),
        Some("object") => "an object".to_owned(),
        Some("array") => array(schema, root, depth),
        Some(_) => valid(),
        None => {
            let reference = schema.get("$ref").and_then(Value::as_str);
            if let Some(target) = reference.and_then(|reference| resolve(root, reference)) {
                return bounded(target, root, depth);
            }
            let parts = schema.get("allOf").and_then(Value::as_array);
            parts
                .into_iter()
                .flatten()
                .map(|part| bounded(part, root, depth))
                .find(|phrase| phrase != "valid")
                .unwrap_or_else(valid)
        }
    }
}

fn first_type(types: &Value) -> Option<&str> {
    match types {
        Value::String(name) => Some(name),
        Value::Array(names) => names
            .iter()
            .filter_map(Value::as_str)
            .find(|name| *name != "null"),
        _ => None,
    }
}

fn one_of(values: &[Value]) -> String {
    let strings: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
    if strings.is_empty() {
        let all: Vec<String> = values.iter().map(Value::to_string).collect();
        return format!("one of {}", all.join(", "));
    }
    format!("one of {}", strings.join(", "))
}

/// Words an array by the declared type of its items; an `enum` beside it does not hide it.
fn array(schema: &Value, root: &Value, depth: usize) -> String {
    match schema
        .get("items")
        .and_then(|items| item_type(items, root, depth))
    {
        Some("string") => "an array of strings",
        Some("integer") => "an array of integers",
        Some("number") => "an array of numbers",
        Some("boolean") => "an array of booleans",
        _ => "an array of objects",
    }
    .to_owned()
}

fn item_type<'v>(schema: &'v Value, root: &'v Value, depth: usize) -> Option<&'v str> {
    let depth = depth.checked_sub(1)?;
    if let Some(types) = schema.get("type") {
        return first_type(types);
    }
    let reference = schema.get("$ref").and_then(Value::as_str);
    if let Some(target) = reference.and_then(|reference| resolve(root, reference)) {
        return item_type(target, root, depth);
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let strings = !values.is_empty() && values.iter().all(Value::is_string);
        return strings.then_some("string");
    }
    let parts = schema.get("allOf").and_then(Value::as_array);
    parts
        .into_iter()
        .flatten()
        .find_map(|part| item_type(part, root, depth))
}

fn alternatives_phrase(alternatives: &[Value], root: &Value, depth: usize) -> String {
    let mut parts: Vec<String> = Vec::new();
    for alternative in alternatives {
        for part in alternative_phrases(alternative, root, depth) {
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
    }
    if parts.is_empty() {
        return "valid".to_owned();
    }
    message::list(parts, "or")
}

fn alternative_phrases(alternative: &Value, root: &Value, depth: usize) -> Vec<String> {
    let target = alternative
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| resolve(root, reference));
    if let (Some(target), Some(depth)) = (target, depth.checked_sub(1)) {
        return alternative_phrases(target, root, depth);
    }
    if alternative.get("type").and_then(Value::as_str) == Some("null") {
        return Vec::new();
    }
    let constants = match (alternative.get("const"), alternative.get("enum")) {
        (Some(value), _) => std::slice::from_ref(value),
        (None, Some(Value::Array(values))) => values.as_slice(),
        _ => &[],
    };
    if !constants.is_empty() && constants.iter().all(Value::is_string) {
        return constants.iter().map(Value::to_string).collect();
    }
    let required = alternative.get("required").and_then(Value::as_array);
    let required: Vec<String> = required
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(|key| format!("{{{key}}}"))
        .collect();
    if required.is_empty() {
        vec![bounded(alternative, root, depth)]
    } else {
        required
    }
}
