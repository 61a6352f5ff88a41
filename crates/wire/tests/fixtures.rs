//! Every wire fixture, read and written.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use callmend_stage::{Closure, Code, Rejection, Tool};
use callmend_wire::{Arguments, Format, WireCall, detect};
use serde_json::{Map, Value, json};
use std::path::PathBuf;

#[test]
fn fixtures_hold() {
    let mut cases = 0;
    for format in Format::ALL {
        for (file, case) in cases_of(format) {
            let at = format!("{file}: {}", case["id"].as_str().unwrap());
            check(format, &case, &at);
            cases += 1;
        }
    }
    assert!(cases > 80, "only {cases} cases were found");
}

#[test]
fn every_body_goes_round() {
    let marker = json!({"marker": [1, "two", null], "q": "\"\\\n"});
    for format in Format::ALL {
        for (file, case) in cases_of(format) {
            let Some(body) = case.get("body") else {
                continue;
            };
            for call in format.calls_from(body) {
                let at = format!("{file}: {} at {}", case["id"], call.pointer);
                let written = format.with_arguments(body, &call, marker.clone()).unwrap();
                let again = format.calls_from(&written);
                let again = again.iter().find(|again| again.pointer == call.pointer);
                assert_eq!(arguments(again.unwrap()), marker, "{at}");
                assert_only_there(body, written, &call.pointer, &at);
            }
        }
    }
}

#[test]
fn ids_are_unique_and_files_say_what_they_show() {
    for format in Format::ALL {
        let mut seen = std::collections::HashSet::new();
        for (file, case) in cases_of(format) {
            let id = case["id"].as_str().unwrap();
            assert!(seen.insert(format!("{file}/{id}")), "{file}: {id} twice");
            assert!(case["description"].is_string(), "{file}: {id}");
        }
    }
}

fn cases_of(format: Format) -> Vec<(String, Value)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../fixtures/wire")
        .join(format.as_str());
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "json"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{format} has no fixtures");
    let mut cases = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let file: Value = serde_json::from_str(&text).unwrap();
        let name = format!("{format}/{}", path.file_name().unwrap().to_str().unwrap());
        assert!(file["description"].is_string(), "{name}");
        let list = file["cases"].as_array().unwrap();
        cases.extend(list.iter().map(|case| (name.clone(), case.clone())));
    }
    cases
}

fn check(format: Format, case: &Value, at: &str) {
    let expect = case["expect"].as_object().unwrap();
    let known = [
        "detect",
        "tools",
        "error",
        "calls",
        "results",
        "messages",
        "rewritten",
    ];
    for key in expect.keys() {
        assert!(known.contains(&key.as_str()), "{at}: unknown member {key}");
    }
    let calls = match (case.get("body"), case.get("events")) {
        (Some(body), None) => {
            check_detection(format, expect, body, at);
            check_tools(format, expect, body, at);
            let calls = format.calls_from(body);
            check_rewritten(format, expect, body, &calls, at);
            calls
        }
        (None, Some(Value::Array(events))) => {
            let mut stream = format.accumulator();
            for event in events {
                assert_eq!(detect(event).unwrap_or(format), format, "{at}: {event}");
                stream.push(event).unwrap();
            }
            stream.finish()
        }
        _ => panic!("{at}: neither body nor events"),
    };
    let got: Vec<_> = calls.iter().map(|call| described(format, call)).collect();
    let expected = expect.get("calls").cloned().unwrap_or(json!([]));
    assert_eq!(Value::Array(got), expected, "{at}: calls");

    let rejection = Rejection::new(
        "argument-validate",
        Code::new("required"),
        "`query` is required (find takes limit?, query)",
    )
    .hint("pass `query`, not `q`");
    let results: Vec<_> = calls
        .iter()
        .map(|call| format.rejection_for(call, &rejection))
        .collect();
    if let Some(expected) = expect.get("results") {
        assert_eq!(&json!(results), expected, "{at}: results");
    }
    if let Some(expected) = expect.get("messages") {
        assert_eq!(&json!(format.messages(results)), expected, "{at}: messages");
    }
}

fn check_detection(format: Format, expect: &Map<String, Value>, body: &Value, at: &str) {
    let expected = match expect.get("detect") {
        None => Some(format.as_str()),
        Some(word) => word.as_str(),
    };
    assert_eq!(detect(body).map(Format::as_str), expected, "{at}: detect");
}

fn check_tools(format: Format, expect: &Map<String, Value>, body: &Value, at: &str) {
    match (format.tools_from(body), expect.get("error")) {
        (Err(error), Some(expected)) => assert_eq!(&json!(error.to_string()), expected, "{at}"),
        (Err(error), None) => panic!("{at}: {error}"),
        (Ok(_), Some(expected)) => panic!("{at}: no error, but {expected} was expected"),
        (Ok(builders), None) => {
            let tools = builders.into_iter().map(|builder| builder.build().unwrap());
            let got: Vec<_> = tools.map(|tool| described_tool(&tool)).collect();
            if let Some(expected) = expect.get("tools") {
                assert_eq!(&json!(got), expected, "{at}: tools");
            }
        }
    }
}

fn check_rewritten(
    format: Format,
    expect: &Map<String, Value>,
    body: &Value,
    calls: &[WireCall<'_>],
    at: &str,
) {
    let list = expect.get("rewritten").and_then(Value::as_array);
    for rewritten in list.into_iter().flatten() {
        let index = rewritten["call"].as_u64().unwrap() as usize;
        let call = &calls[index];
        let new = rewritten["arguments"].clone();
        let written = format.with_arguments(body, call, new).unwrap();
        assert_eq!(
            written.pointer(&call.pointer),
            Some(&rewritten["gives"]),
            "{at}"
        );
        assert_only_there(body, written, &call.pointer, at);
    }
}

/// Checks that nothing but what stands at `pointer` differs.
fn assert_only_there(body: &Value, mut written: Value, pointer: &str, at: &str) {
    match body.pointer(pointer) {
        Some(before) => *written.pointer_mut(pointer).unwrap() = before.clone(),
        None => {
            let (parent, key) = pointer.rsplit_once('/').unwrap();
            let parent = written.pointer_mut(parent).unwrap();
            parent.as_object_mut().unwrap().remove(key).unwrap();
        }
    }
    assert_eq!(&written, body, "{at}: something else changed");
}

fn described(format: Format, call: &WireCall<'_>) -> Value {
    assert_eq!(call.format, format);
    let mut out = Map::new();
    out.insert("tool".into(), json!(call.tool()));
    match &call.arguments {
        Arguments::Nothing => {}
        Arguments::Text(text) => drop(out.insert("text".into(), json!(text))),
        Arguments::Value(value) => drop(out.insert("value".into(), value.clone().into_owned())),
    }
    if let Some(id) = &call.id {
        out.insert("id".into(), id.to_json());
    }
    if let Some(complete) = call.complete {
        out.insert("complete".into(), json!(complete));
    }
    if call.answered {
        out.insert("answered".into(), json!(true));
    }
    out.insert("pointer".into(), json!(call.pointer));
    assert_eq!(call.draft().complete(), call.complete);
    Value::Object(out)
}

fn described_tool(tool: &Tool) -> Value {
    let mut out = Map::new();
    out.insert("name".into(), json!(tool.name()));
    if let Some(description) = tool.description() {
        out.insert("description".into(), json!(description));
    }
    match tool.closure() {
        Closure::Authored => {}
        Closure::Synthesized => drop(out.insert("closure".into(), json!("synthesized"))),
        _ => drop(out.insert("closure".into(), json!("closed"))),
    }
    out.insert("parameters".into(), tool.parameters().clone());
    Value::Object(out)
}

fn arguments(call: &WireCall<'_>) -> Value {
    match &call.arguments {
        Arguments::Nothing => Value::Null,
        Arguments::Text(text) => serde_json::from_str(text).unwrap(),
        Arguments::Value(value) => value.clone().into_owned(),
    }
}
