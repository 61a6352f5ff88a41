//! What holds for any JSON, and for any way to cut a stream.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use callmend_stage::{Code, Rejection};
use callmend_wire::{Arguments, Format, WireError, detect};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Words of the formats, so that generated JSON reaches the places where calls stand.
const WORDS: &[&str] = &[
    "choices",
    "message",
    "messages",
    "tool_calls",
    "function",
    "function_call",
    "arguments",
    "name",
    "id",
    "index",
    "delta",
    "finish_reason",
    "role",
    "output",
    "input",
    "type",
    "call_id",
    "status",
    "content",
    "stop_reason",
    "candidates",
    "contents",
    "parts",
    "functionCall",
    "args",
    "partialArgs",
    "jsonPath",
    "stringValue",
    "willContinue",
    "finishReason",
    "done",
    "done_reason",
    "jsonrpc",
    "method",
    "params",
    "result",
    "tools",
    "functionDeclarations",
    "parameters",
    "items",
    "properties",
    "nullable",
    "item",
    "output_index",
    "item_id",
    "response",
    "content_block",
    "partial_json",
    "namespace",
    "custom",
    "tool_call_id",
    "tool_use_id",
    "functionResponse",
    "incomplete_details",
    "strict",
    "functions",
    "error",
    "_meta",
];

const VALUES: &[&str] = &[
    "assistant",
    "tool",
    "function",
    "custom",
    "tool_use",
    "tool_result",
    "function_call",
    "function_call_output",
    "namespace",
    "tool_search_output",
    "stop",
    "length",
    "completed",
    "incomplete",
    "STOP",
    "MAX_TOKENS",
    "tools/call",
    "2.0",
    "OBJECT",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
    "response.output_item.added",
    "response.output_item.done",
    "response.completed",
    "response.function_call_arguments.delta",
    "response.function_call_arguments.done",
    "$.a",
    "$.a[0]",
    "$",
    "{\"a\":1}",
    "{\"a\":",
    "find",
    "",
];

fn wire_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0_u64..3).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        prop::sample::select(VALUES).prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
    ];
    let key = prop_oneof![
        9 => prop::sample::select(WORDS).prop_map(str::to_owned),
        1 => ".{0,4}",
    ];
    leaf.prop_recursive(7, 96, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((key.clone(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// A body with calls at every format's place, its leaves anything.
fn body_with_calls() -> impl Strategy<Value = Value> {
    (wire_json(), wire_json(), wire_json(), "[a-z]{0,6}").prop_map(|(a, b, c, name)| {
        json!({
            "jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": name, "arguments": a, "_meta": c},
            "choices": [{"finish_reason": c, "message": {"role": "assistant", "content": b,
                "tool_calls": [{"id": c, "type": "function", "function": {"name": name, "arguments": a}}, b]}}],
            "output": [{"type": "function_call", "call_id": c, "name": name, "arguments": a}, b],
            "content": [{"type": "tool_use", "id": c, "name": name, "input": a}, b],
            "candidates": [{"content": {"parts": [{"functionCall": {"name": name, "args": a}}, b]}}],
            "message": {"tool_calls": [{"function": {"name": name, "arguments": a}}, b]},
            "messages": b, "contents": c, "input": b, "tools": c
        })
    })
}

fn rejection() -> Rejection {
    Rejection::new("s", Code::new("c"), "m").hint("h").fix("{}")
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_json_is_safe(body in wire_json(), other in wire_json()) {
        let _ = detect(&body);
        for format in Format::ALL {
            let _ = format.tools_from(&body);
            for call in format.calls_from(&body) {
                let _ = format.rejection_for(&call, &rejection());
                let _ = call.draft();
                // A body that the call was not read from may have no such place, but never panics.
                let _ = format.with_arguments(&other, &call, json!({}));
            }
            let mut stream = format.accumulator();
            let events = body.as_array().cloned().unwrap_or_else(|| vec![body.clone()]);
            for event in events.iter().chain([&body, &other]) {
                stream.push(event).unwrap();
            }
            for call in stream.finish() {
                let _ = format.rejection_for(&call, &rejection());
            }
        }
    }

    #[test]
    fn writing_changes_nothing_else(body in body_with_calls(), arguments in wire_json()) {
        for format in Format::ALL {
            let calls = format.calls_from(&body);
            prop_assert!(!calls.is_empty(), "{format}");
            for call in calls {
                let (parent, _) = call.pointer.rsplit_once('/').unwrap();
                let Ok(mut written) = format.with_arguments(&body, &call, arguments.clone()) else {
                    // A call without its `function` names no tool and has no place.
                    prop_assert!(call.name.is_empty());
                    prop_assert!(!body.pointer(parent).is_some_and(Value::is_object));
                    continue;
                };
                let at = written.pointer_mut(&call.pointer).unwrap();
                let read = match (at.as_str(), &arguments) {
                    (Some(text), value) if !value.is_string() => serde_json::from_str(text).unwrap(),
                    _ => at.clone(),
                };
                // Text of a string is that string in quotes.
                prop_assert!(
                    same(&read, &arguments) || read == json!(arguments.to_string()),
                    "{read} is not {arguments}"
                );
                let before = body.pointer(&call.pointer).cloned();
                match before {
                    Some(before) => *at = before,
                    None => {
                        let (parent, key) = call.pointer.rsplit_once('/').unwrap();
                        let parent = written.pointer_mut(parent).unwrap();
                        parent.as_object_mut().unwrap().remove(key);
                    }
                }
                prop_assert_eq!(&written, &body);
            }
        }
    }

    #[test]
    fn a_stream_cut_anywhere_adds_up_to_its_text(
        texts in prop::collection::vec("[ -~é\n]{1,40}", 1..4),
        cuts in prop::collection::vec((0_usize..4, 1_usize..9), 0..60),
    ) {
        for format in [Format::OpenAiChat, Format::OpenAiResponses, Format::Anthropic] {
            let mut stream = format.accumulator();
            for event in begin(format, texts.len()) {
                stream.push(&event).unwrap();
            }
            let mut rest: Vec<&str> = texts.iter().map(String::as_str).collect();
            let all = (0..texts.len()).map(|which| (which, usize::MAX));
            for (which, length) in cuts.iter().copied().chain(all) {
                let Some(left) = rest.get_mut(which) else { continue };
                let end = left.char_indices().nth(length).map_or(left.len(), |(at, _)| at);
                let (piece, after) = left.split_at(end);
                stream.push(&delta(format, which, piece)).unwrap();
                *left = after;
            }
            for event in end(format, texts.len()) {
                stream.push(&event).unwrap();
            }
            let calls = stream.finish();
            prop_assert_eq!(calls.len(), texts.len());
            for (call, text) in calls.iter().zip(&texts) {
                prop_assert_eq!(&call.arguments, &Arguments::Text(text.into()));
                prop_assert_eq!(call.complete, Some(true), "{}", format);
            }
        }
    }

    #[test]
    fn a_stream_never_holds_more_than_its_limit(
        events in prop::collection::vec(wire_json(), 0..40), limit in 0_usize..600,
    ) {
        for format in Format::ALL {
            let mut stream = format.accumulator_with_limit(limit);
            let mut failed = false;
            for event in &events {
                match stream.push(event) {
                    Ok(()) => prop_assert!(!failed),
                    Err(error) => {
                        prop_assert_eq!(error, WireError::TooLarge { limit });
                        failed = true;
                    }
                }
            }
            let calls = stream.finish();
            let held: usize = calls.iter().map(|call| match &call.arguments {
                Arguments::Text(text) => text.len(),
                _ => 0,
            }).sum();
            prop_assert!(held <= limit);
            if failed {
                prop_assert!(calls.iter().all(|call| call.complete == Some(false)));
            }
        }
    }
}

/// Numbers written and read again may differ in their last digit without `float_roundtrip`.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => {
            a == b
                || a.as_f64()
                    .zip(b.as_f64())
                    .is_some_and(|(a, b)| (a - b).abs() <= a.abs() * 1e-15)
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(k, v)| b.get(k).is_some_and(|w| same(v, w)))
        }
        _ => one == other,
    }
}

fn begin(format: Format, count: usize) -> Vec<Value> {
    let events = (0..count).map(|n| match format {
        Format::OpenAiChat => json!({"choices": [{"index": 0, "delta": {"tool_calls": [
            {"index": n, "id": format!("c{n}"), "type": "function", "function": {"name": "f", "arguments": ""}}]}}]}),
        Format::OpenAiResponses => json!({"type": "response.output_item.added", "output_index": n, "item":
            {"type": "function_call", "id": format!("i{n}"), "call_id": format!("c{n}"), "name": "f", "arguments": ""}}),
        _ => json!({"type": "content_block_start", "index": n, "content_block":
            {"type": "tool_use", "id": format!("c{n}"), "name": "f", "input": {}}}),
    });
    events.collect()
}

fn delta(format: Format, which: usize, piece: &str) -> Value {
    match format {
        Format::OpenAiChat => json!({"choices": [{"index": 0, "delta": {"tool_calls": [
            {"index": which, "function": {"arguments": piece}}]}}]}),
        Format::OpenAiResponses => json!({"type": "response.function_call_arguments.delta",
            "output_index": which, "item_id": format!("i{which}"), "delta": piece}),
        _ => json!({"type": "content_block_delta", "index": which,
            "delta": {"type": "input_json_delta", "partial_json": piece}}),
    }
}

fn end(format: Format, count: usize) -> Vec<Value> {
    match format {
        Format::OpenAiChat => {
            vec![json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})]
        }
        Format::OpenAiResponses => {
            vec![
                json!({"type": "response.completed", "response": {"status": "completed", "output": []}}),
            ]
        }
        _ => {
            let stops = (0..count).map(|n| json!({"type": "content_block_stop", "index": n}));
            let last = json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}});
            stops.chain([last]).collect()
        }
    }
}
