//! Gemini's `Schema`, a subset of OpenAPI 3.0 with names of its own, as JSON Schema.
//!
//! Facts: the API reference of `Schema` (upper-case types, `nullable`, `int64` fields such as
//! `minItems` written as strings, snake case beside camel case).

use crate::WireError;
use callmend_stage::pointer;
use serde_json::{Map, Value, json};

/// How deep a schema may be nested; the compiler of tools has the same limit.
const MAX_DEPTH: usize = 128;

/// Converts a schema. One that is JSON Schema already comes back as it is.
///
/// # Errors
///
/// A schema that is nested too deeply.
pub(crate) fn to_json_schema(schema: Value, at: &str) -> Result<Value, WireError> {
    convert(schema, at, 0)
}

fn convert(schema: Value, at: &str, depth: usize) -> Result<Value, WireError> {
    if depth > MAX_DEPTH {
        return Err(WireError::TooDeep {
            at: at.to_owned(),
            limit: MAX_DEPTH,
        });
    }
    let Value::Object(members) = schema else {
        return Ok(schema);
    };
    let mut out = Map::new();
    let mut nullable = false;
    for (key, value) in members {
        let key = keyword(key);
        let mut at = at.to_owned();
        pointer::push(&mut at, &key);
        let value = match key.as_str() {
            "nullable" => {
                nullable = value == Value::Bool(true);
                continue;
            }
            "type" => match types(value) {
                Some(types) => types,
                None => continue,
            },
            "minItems" | "maxItems" | "minLength" | "maxLength" | "minProperties"
            | "maxProperties" => count(value),
            "properties" | "$defs" => map(value, &at, depth)?,
            "items" | "additionalProperties" => convert(value, &at, depth + 1)?,
            "anyOf" | "prefixItems" | "oneOf" | "allOf" => list(value, &at, depth)?,
            _ => value,
        };
        out.insert(key, value);
    }
    if nullable {
        take_null(&mut out);
    }
    Ok(Value::Object(out))
}

/// Spells a keyword as JSON Schema does.
fn keyword(key: String) -> String {
    match key.as_str() {
        "any_of" => "anyOf",
        "min_items" => "minItems",
        "max_items" => "maxItems",
        "min_length" => "minLength",
        "max_length" => "maxLength",
        "min_properties" => "minProperties",
        "max_properties" => "maxProperties",
        "prefix_items" => "prefixItems",
        "additional_properties" => "additionalProperties",
        "defs" => "$defs",
        "ref" => "$ref",
        _ => return key,
    }
    .to_owned()
}

/// Spells one type or a list of them; `None` for the unspecified one.
fn types(value: Value) -> Option<Value> {
    match value {
        Value::String(word) if word == "TYPE_UNSPECIFIED" => None,
        Value::String(word) => Some(Value::String(match word.as_str() {
            "STRING" | "NUMBER" | "INTEGER" | "BOOLEAN" | "ARRAY" | "OBJECT" | "NULL" => {
                word.to_ascii_lowercase()
            }
            _ => word,
        })),
        Value::Array(words) => Some(words.into_iter().filter_map(types).collect()),
        other => Some(other),
    }
}

fn count(value: Value) -> Value {
    match value.as_str().map(str::parse::<u64>) {
        Some(Ok(number)) => json!(number),
        _ => value,
    }
}

fn map(value: Value, at: &str, depth: usize) -> Result<Value, WireError> {
    let Value::Object(members) = value else {
        return Ok(value);
    };
    let members = members.into_iter().map(|(name, schema)| {
        let mut at = at.to_owned();
        pointer::push(&mut at, &name);
        Ok((name, convert(schema, &at, depth + 1)?))
    });
    Ok(Value::Object(members.collect::<Result<_, WireError>>()?))
}

fn list(value: Value, at: &str, depth: usize) -> Result<Value, WireError> {
    let Value::Array(items) = value else {
        return Ok(value);
    };
    let items = items.into_iter().enumerate().map(|(index, schema)| {
        let mut at = at.to_owned();
        pointer::push_index(&mut at, index);
        convert(schema, &at, depth + 1)
    });
    Ok(Value::Array(items.collect::<Result<_, WireError>>()?))
}

/// Lets a schema take `null`.
fn take_null(schema: &mut Map<String, Value>) {
    if let Some(types) = schema.get_mut("type") {
        if types.is_string() {
            *types = json!([types.take()]);
        }
        if let Value::Array(words) = types
            && !words.iter().any(|word| word == "null")
        {
            words.push(json!("null"));
        }
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    if let Some(Value::Array(schemas)) = schema.get_mut("anyOf") {
        schemas.push(json!({ "type": "null" }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted(schema: Value) -> Value {
        to_json_schema(schema, "").unwrap()
    }

    #[test]
    fn types_are_lower_case_at_every_depth_and_names_are_left_alone() {
        let schema = json!({
            "type": "OBJECT",
            "properties": {
                "type": {"type": "STRING", "enum": ["OBJECT"]},
                "list": {"type": "ARRAY", "items": {"type": "INTEGER"}, "minItems": "1"},
                "any_of": {"any_of": [{"type": "NUMBER"}, {"type": "BOOLEAN"}]},
                "free": {"type": "TYPE_UNSPECIFIED"}
            },
            "required": ["type"]
        });
        let expected = json!({
            "type": "object",
            "properties": {
                "type": {"type": "string", "enum": ["OBJECT"]},
                "list": {"type": "array", "items": {"type": "integer"}, "minItems": 1},
                "any_of": {"anyOf": [{"type": "number"}, {"type": "boolean"}]},
                "free": {}
            },
            "required": ["type"]
        });
        assert_eq!(converted(schema), expected);
    }

    #[test]
    fn nullable_takes_null() {
        assert_eq!(
            converted(json!({"type": "STRING", "nullable": true, "enum": ["a"]})),
            json!({"type": ["string", "null"], "enum": ["a", null]})
        );
        assert_eq!(
            converted(json!({"anyOf": [{"type": "STRING"}], "nullable": true})),
            json!({"anyOf": [{"type": "string"}, {"type": "null"}]})
        );
        assert_eq!(
            converted(json!({"type": "STRING", "nullable": false})),
            json!({"type": "string"})
        );
    }

    #[test]
    fn json_schema_comes_back_as_it_is() {
        let schema = json!({"type": "object", "properties": {"a": {"type": ["string", "null"]}},
                            "additionalProperties": false, "$defs": {"x": {"type": "integer"}}});
        assert_eq!(converted(schema.clone()), schema);
    }

    #[test]
    fn a_schema_that_is_too_deep_is_an_error_with_its_place() {
        let mut schema = json!({});
        for _ in 0..200 {
            schema = json!({"items": schema});
        }
        let error = to_json_schema(schema, "/tools/0").unwrap_err();
        assert!(matches!(error, WireError::TooDeep { limit: 128, .. }));
    }
}
