//! Every sentence of the crate.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use callmend_stage::{Code, Rejection};
use callmend_wire::Format;
use serde_json::json;

#[test]
fn errors() {
    let mut lines = Vec::new();
    let mut say = |error: String| lines.push(error);
    say("open-ai".parse::<Format>().unwrap_err().to_string());
    say("openai-chta".parse::<Format>().unwrap_err().to_string());
    let bodies = [
        (Format::OpenAiChat, json!({"tools": 1})),
        (Format::Mcp, json!({"result": {"tools": [1]}})),
        (Format::Anthropic, json!({"tools": [{"input_schema": {}}]})),
        (
            Format::Ollama,
            json!({"tools": [{"function": {"name": ""}}]}),
        ),
        (
            Format::OpenAiResponses,
            json!({"tools": [{"type": "function", "name": "f", "closure": "open"}]}),
        ),
    ];
    for (format, body) in bodies {
        say(format.tools_from(&body).unwrap_err().to_string());
    }
    let mut schema = json!({});
    for _ in 0..200 {
        schema = json!({"items": schema});
    }
    let deep = json!({"tools": [{"functionDeclarations": [{"name": "f", "parameters": {"properties": {"a": schema}}}]}]});
    let error = Format::Gemini.tools_from(&deep).unwrap_err().to_string();
    say(error.replace(&"/items".repeat(127), "/…"));
    let body = json!({"choices": [{"message": {"tool_calls": [{"function": {"name": "f"}}]}}]});
    let calls = Format::OpenAiChat.calls_from(&body);
    let error = Format::OpenAiChat.with_arguments(&json!({}), &calls[0], json!({}));
    say(error.unwrap_err().to_string());
    let mut stream = Format::Anthropic.accumulator_with_limit(100);
    let event =
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use"}});
    say(stream.push(&event).unwrap_err().to_string());
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn a_rejection_with_everything() {
    let rejection = Rejection::new(
        "argument-validate",
        Code::new("type"),
        "`docs` must be an array of strings (read takes docs)",
    )
    .at("/docs")
    .hint("pass each document as a string of its own")
    .fix(r#"{"docs":["a","b"]}"#);
    let bodies = [
        (
            Format::OpenAiChat,
            json!({"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "read", "arguments": "{}"}}]}),
        ),
        (
            Format::OpenAiResponses,
            json!({"output": [{"type": "function_call", "call_id": "c", "name": "read", "arguments": "{}"}]}),
        ),
        (
            Format::Anthropic,
            json!({"content": [{"type": "tool_use", "id": "c", "name": "read", "input": {}}]}),
        ),
        (
            Format::Gemini,
            json!({"candidates": [{"content": {"parts": [{"functionCall": {"id": "c", "name": "read", "args": {}}}]}}]}),
        ),
        (
            Format::Ollama,
            json!({"message": {"tool_calls": [{"function": {"name": "read", "arguments": {}}}]}}),
        ),
        (
            Format::Mcp,
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "read", "arguments": {}}}),
        ),
    ];
    for (format, body) in bodies {
        let call = &format.calls_from(&body)[0];
        let result = format.rejection_for(call, &rejection);
        insta::assert_json_snapshot!(format!("rejection_{format}"), sorted(result));
    }
}

/// Sorts keys, so that the snapshot is the same with and without `preserve_order`.
fn sorted(value: serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Object(members) => {
            let members: std::collections::BTreeMap<_, _> =
                members.into_iter().map(|(k, v)| (k, sorted(v))).collect();
            serde_json::Value::Object(members.into_iter().collect())
        }
        serde_json::Value::Array(items) => items.into_iter().map(sorted).collect(),
        other => other,
    }
}
