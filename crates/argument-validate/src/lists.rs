//! Strings where a list of strings belongs (contract, section 10.5).

use callmend_stage::{Slot, Type, TypeSet};
use serde_json::Value;

/// What a string that opens `[` reads as.
#[derive(Debug, Clone, PartialEq)]
pub enum JsonArrayString {
    /// A JSON array of strings: the list that was meant.
    List(Vec<String>),
    /// Something else: the array that the string holds, or its comma split when it holds none.
    Fix(Vec<Value>),
}

/// Reads a string whose trimmed form opens `[`; `None` when it does not open `[`.
///
/// ```
/// use callmend_argument_validate::{JsonArrayString, json_array_string};
/// use serde_json::json;
///
/// assert_eq!(
///     json_array_string(r#" ["a", "b"] "#),
///     Some(JsonArrayString::List(vec!["a".to_owned(), "b".to_owned()]))
/// );
/// assert_eq!(json_array_string("[1]"), Some(JsonArrayString::Fix(vec![json!(1)])));
/// assert_eq!(
///     json_array_string("[a, b"),
///     Some(JsonArrayString::Fix(vec![json!("[a"), json!("b")]))
/// );
/// assert_eq!(json_array_string("a, b"), None);
/// ```
pub fn json_array_string(text: &str) -> Option<JsonArrayString> {
    let trimmed = text.trim();
    if !trimmed.starts_with('[') {
        return None;
    }
    let Ok(Value::Array(items)) = serde_json::from_str(trimmed) else {
        return Some(JsonArrayString::Fix(split(text)));
    };
    if !items.iter().all(Value::is_string) {
        return Some(JsonArrayString::Fix(items));
    }
    let strings = items.into_iter().filter_map(|item| match item {
        Value::String(string) => Some(string),
        _ => None,
    });
    Some(JsonArrayString::List(strings.collect()))
}

/// Splits a string on its commas; each part is trimmed, and empty parts are dropped.
///
/// ```
/// assert_eq!(callmend_argument_validate::comma_split(" a, b,,c "), ["a", "b", "c"]);
/// ```
pub fn comma_split(text: &str) -> Vec<String> {
    text.split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

fn split(text: &str) -> Vec<Value> {
    comma_split(text).into_iter().map(Value::String).collect()
}

/// What a string in a string-list slot comes to.
#[derive(Debug, PartialEq)]
pub(crate) enum Reading {
    /// The string itself is the one item.
    Single(Value),
    /// The string spells the list as JSON.
    Spelled(Value),
    /// More than one list could be meant, or none: this is the likeliest.
    Unclear(Value),
}

pub(crate) fn read(text: &str) -> Reading {
    match json_array_string(text) {
        Some(JsonArrayString::List(list)) => {
            Reading::Spelled(list.into_iter().map(Value::String).collect())
        }
        Some(JsonArrayString::Fix(items)) => Reading::Unclear(Value::Array(items)),
        None if text.contains(',') => Reading::Unclear(Value::Array(split(text))),
        None => Reading::Single(Value::Array(vec![Value::from(text)])),
    }
}

/// Whether a slot is a string list: it takes an array, no string, and every item is a string.
pub(crate) fn is_string_list(slot: Slot<'_>) -> bool {
    slot.takes(Type::Array)
        && !slot.takes(Type::String)
        && !has_places(slot)
        && slot
            .item(0)
            .is_some_and(|item| item.types() == TypeSet::only(Type::String))
}

/// Whether some of an array's items have slots of their own, by their places.
pub(crate) fn has_places(slot: Slot<'_>) -> bool {
    // Beyond every `prefixItems` the items of `items` stand.
    match (slot.item(0), slot.item(usize::MAX)) {
        (Some(first), Some(any)) => !first.is(any),
        (first, any) => first.is_some() != any.is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use callmend_stage::Tool;
    use serde_json::json;

    fn list(slot: Value) -> bool {
        let tool = Tool::new("t", json!({"properties": {"a": slot}})).unwrap();
        is_string_list(tool.signature().declared("a").unwrap())
    }

    #[test]
    fn only_an_array_of_strings_is_a_string_list() {
        assert!(list(json!({"type": "array", "items": {"type": "string"}})));
        assert!(list(
            json!({"type": ["array", "null"], "items": {"type": "string"}})
        ));
        assert!(!list(json!({"type": "array"})));
        assert!(!list(
            json!({"type": "array", "items": {"type": ["string", "integer"]}})
        ));
        assert!(!list(
            json!({"type": ["array", "string"], "items": {"type": "string"}})
        ));
        assert!(!list(json!({
            "type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "string"}
        })));
        assert!(!list(json!({"type": "string"})));
    }

    #[test]
    fn a_string_is_read_as_the_contract_says() {
        assert_eq!(read("a b"), Reading::Single(json!(["a b"])));
        assert_eq!(read(""), Reading::Single(json!([""])));
        assert_eq!(read(" [\"a\"]\n"), Reading::Spelled(json!(["a"])));
        assert_eq!(read("[]"), Reading::Spelled(json!([])));
        assert_eq!(read("[1, \"a\"]"), Reading::Unclear(json!([1, "a"])));
        assert_eq!(read("[a, b]"), Reading::Unclear(json!(["[a", "b]"])));
        assert_eq!(read("a, b,"), Reading::Unclear(json!(["a", "b"])));
        assert_eq!(read(","), Reading::Unclear(json!([])));
    }
}
