//! `callmend validate`: argument-validate alone, unknown names always checked.

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that cannot go on fails"
)]

mod support;

use serde_json::{Value, json};
use support::{callmend, demo, file};

fn validate(call: &str) -> Value {
    callmend(&["validate", "--tools", &demo("tools.json")], call).one()
}

fn message(call: &str) -> String {
    validate(call)["rejection"]["message"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn a_call_that_fits_is_clean_as_text_and_as_a_value() {
    for arguments in [r#"{"path": "a"}"#, r#""{\"path\": \"a\"}""#] {
        let outcome = validate(&format!(
            "{{\"tool\": \"read\", \"arguments\": {arguments}}}"
        ));
        assert_eq!(outcome["status"], "clean");
        assert_eq!(outcome["arguments"], json!({"path": "a"}));
    }
}

#[test]
fn nothing_is_repaired_but_what_the_check_normalizes() {
    assert_eq!(
        message(r#"{"tool": "read", "arguments": {"Path": "a"}}"#),
        "unknown argument `Path`; did you mean `path`? (read takes limit?, path)"
    );
    assert_eq!(
        message(r#"{"tool": "read", "arguments": "{path: \"a\"}"}"#),
        "arguments must be an object (read takes limit?, path)"
    );
    let outcome = validate(r#"{"tool": "search", "arguments": {"query": "a", "paths": "src"}}"#);
    assert_eq!(
        outcome["arguments"],
        json!({"query": "a", "paths": ["src"]})
    );
    assert_eq!(outcome["edits"][0]["code"], "string-for-list");
}

#[test]
fn unknown_names_are_checked_whoever_closed_the_schema_and_no_name_is_the_harnesss() {
    let unknown = "unknown argument `i` (note takes title)";
    assert_eq!(
        message(r#"{"tool": "note", "arguments": {"title": "a", "i": "b"}}"#),
        unknown
    );
    assert_eq!(
        message(r#"{"tool": "note", "arguments": {"title": "a", "__x": 1}}"#),
        "unknown argument `__x` (note takes title)"
    );
    let tools = json!([
        {"name": "s", "closure": "synthesized", "parameters": {"properties": {"a": {}}, "additionalProperties": false}},
        {"name": "p", "parameters": {"properties": {"a": {}}, "patternProperties": {"^x-": {}}}}
    ]);
    let tools = file("closures.json", tools.to_string());
    let run = |call: &str| callmend(&["validate", "--tools", &tools], call).one();
    assert_eq!(
        run(r#"{"tool": "s", "arguments": {"b": 1}}"#)["rejection"]["code"],
        "unknown-argument"
    );
    // Under patternProperties no list of names decides, and the schema does.
    assert_eq!(
        run(r#"{"tool": "p", "arguments": {"x-b": 1}}"#)["status"],
        "clean"
    );
}

#[test]
fn what_is_no_object_is_refused() {
    for arguments in [
        "",
        r#", "arguments": null"#,
        r#", "arguments": []"#,
        r#", "arguments": """#,
    ] {
        assert_eq!(
            message(&format!("{{\"tool\": \"read\"{arguments}}}")),
            "arguments must be an object (read takes limit?, path)"
        );
    }
}

#[test]
fn keys_given_twice_and_calls_cut_short_are_refused() {
    let twice = validate(r#"{"tool": "read", "arguments": {"path": "a", "path": "b"}}"#);
    assert_eq!(twice["rejection"]["stage"], "parse-leniency");
    for arguments in [r#"{"path": "a"}"#, r#""{\"path\": \"a\"}""#] {
        let call =
            format!("{{\"tool\": \"read\", \"arguments\": {arguments}, \"complete\": false}}");
        assert_eq!(validate(&call)["status"], "unrepairable");
    }
}
