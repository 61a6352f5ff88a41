//! Hostile schemas and calls: an answer in time that grows with the call, or an error that names
//! the limit. A regression to quadratic or exponential cost shows as a run that does not end.
#![cfg(feature = "deep")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test's helpers may fail like the test"
)]

use callmend_argument_validate::STAGE;
use callmend_stage::{Cascade, Draft, Rejection, SchemaError, Stage, Tool, ToolError, Verdict};
use serde_json::{Map, Value, json};

fn refused(schema: Value, arguments: Value) -> Rejection {
    let tool = Tool::new("t", schema).unwrap();
    let prepared = STAGE.prepare(&tool, Cascade::Standard).unwrap().unwrap();
    match prepared.plan(&Draft::new(arguments)) {
        Verdict::Reject(rejection) => *rejection,
        other => panic!("{other:?}"),
    }
}

fn not_prepared(schema: Value) -> ToolError {
    let tool = Tool::new("t", schema).unwrap();
    match STAGE.prepare(&tool, Cascade::Standard) {
        Err(error) => error,
        Ok(_) => panic!("the schema is broken"),
    }
}

#[test]
fn twenty_thousand_unknown_keys_against_a_thousand_declared_ones() {
    let declared: Map<String, Value> = (0..1_000)
        .map(|n| (format!("name{n}"), json!({})))
        .collect();
    let sent: Map<String, Value> = (0..20_000)
        .map(|n| (format!("nome{n}"), json!(n)))
        .collect();
    let schema = json!({"properties": declared, "additionalProperties": false});
    let rejection = refused(schema, Value::Object(sent));
    assert!(
        rejection
            .message
            .starts_with("unknown argument `nome0`; did you mean `name0`? ")
    );
    assert!(rejection.hints[0].ends_with(" and 19989 more"));
}

#[test]
fn a_key_of_a_megabyte_against_names_as_long() {
    let declared: Map<String, Value> = (0..20)
        .map(|n| (format!("{}{n}", "k".repeat(1_000_000)), json!({})))
        .collect();
    let schema = json!({"properties": declared, "additionalProperties": false});
    let key = format!("{}x{}", "k".repeat(500_000), "k".repeat(500_000));
    let rejection = refused(schema, json!({ key: 1 }));
    assert!(rejection.message.starts_with("unknown argument `kkk"));
}

#[test]
fn many_errors_are_told_by_the_first_and_ten_more() {
    let schema = json!({"properties": {"x": {"items": {"type": "object", "required": ["a"]}}}});
    let rejection = refused(schema, json!({"x": vec![json!({}); 50_000]}));
    assert!(rejection.message.starts_with("`x[0].a` is required "));
    assert_eq!(rejection.hints.len(), 10);
}

#[test]
fn branches_that_double_with_each_level_are_not_listed() {
    let schema = json!({
        "properties": {"x": {"$ref": "#/$defs/e"}},
        "$defs": {"e": {"anyOf": [
            {"type": "object", "required": ["op"],
             "properties": {"a": {"$ref": "#/$defs/e"}, "op": {"type": "string"}}},
            {"type": "object", "required": ["op"],
             "properties": {"a": {"$ref": "#/$defs/e"}, "op": {"type": "integer"}}}
        ]}}
    });
    let expression = (0..60).fold(json!({"op": true}), |inner, _| json!({"a": inner, "op": 1}));
    let rejection = refused(schema, json!({ "x": expression }));
    assert_eq!(
        rejection.message,
        "arguments fit no combination of the alternatives that their schema allows (t takes x?)"
    );
}

#[test]
fn references_that_fan_out_are_compiled_once() {
    let mut defs = Map::new();
    for n in 0..60 {
        let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
        defs.insert(
            format!("d{n}"),
            json!({"properties": {"a": next.clone(), "b": next}}),
        );
    }
    defs.insert("d60".to_owned(), json!({"type": "string"}));
    let schema = json!({"properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": defs});
    let sent = (0..60).fold(json!(5), |inner, n| {
        let key = if n % 2 == 0 { "a" } else { "b" };
        json!({ key: inner })
    });
    assert!(
        refused(schema, json!({ "x": sent }))
            .message
            .contains(" must be a string ")
    );
}

#[test]
fn a_schema_that_refers_to_itself_within_not_ends() {
    let tool = Tool::new(
        "t",
        json!({"properties": {"x": {"not": {"$ref": "#/properties/x"}}}}),
    )
    .unwrap();
    if let Ok(Some(prepared)) = STAGE.prepare(&tool, Cascade::Standard) {
        prepared.plan(&Draft::new(json!({"x": 1})));
    }
}

#[test]
fn a_broken_schema_is_an_error_of_the_tool() {
    for schema in [
        json!({"properties": {"x": {"type": "strin"}}}),
        json!({"properties": {"x": {"pattern": "("}}}),
        json!({"properties": {"x": {"minimum": "5"}}}),
        json!({"properties": {"x": {"not": {"$ref": "https://example.org/x.json"}}}}),
        json!({"$schema": "https://example.org/own-dialect", "properties": {}}),
    ] {
        assert!(matches!(
            not_prepared(schema).reason,
            SchemaError::Invalid(_)
        ));
    }
}

#[test]
fn a_hostile_pattern_is_an_error_or_ends() {
    assert!(matches!(
        not_prepared(json!({"properties": {"x": {"pattern": "(a{1000}){1000}"}}})).reason,
        SchemaError::Invalid(_)
    ));
    let schema = json!({"properties": {"x": {"pattern": "^(a+)+$"}}});
    let rejection = refused(schema, json!({"x": format!("{}!", "a".repeat(100_000))}));
    assert!(rejection.message.starts_with("`x` must match `^(a+)+$` "));
}
