//! Which format a body is of, where that is certain.

use crate::Format;
use serde_json::Value;

/// Says which format a body, an event of a stream or a listing is of; `None` when nothing in it
/// decides.
///
/// A request to OpenAI Chat Completions and one to Ollama may look the same when neither has calls
/// in its history; both are read alike then, and the answer is [`Format::OpenAiChat`].
///
/// ```
/// use callmend_wire::{Format, detect};
/// use serde_json::json;
///
/// let body = json!({"candidates": [{"content": {"parts": []}, "finishReason": "STOP"}]});
/// assert_eq!(detect(&body), Some(Format::Gemini));
/// assert_eq!(detect(&json!({"hello": "world"})), None);
/// ```
pub fn detect(body: &Value) -> Option<Format> {
    let body = match body {
        // A JSON-RPC batch, or a stream's chunks kept as one list.
        Value::Array(items) => {
            let mut formats = items.iter().map(detect_object);
            let first = formats.next()??;
            let listed = matches!(first, Format::Mcp | Format::Gemini);
            return Some(first).filter(|_| listed && formats.all(|format| format == Some(first)));
        }
        body => body,
    };
    detect_object(body)
}

fn detect_object(body: &Value) -> Option<Format> {
    let has = |key: &str| body.get(key).is_some();
    let word = |key: &str| body.get(key).and_then(Value::as_str).unwrap_or_default();
    if !body.is_object() {
        return None;
    }
    if has("jsonrpc") {
        return Some(Format::Mcp);
    }
    if ["candidates", "contents", "promptFeedback"]
        .into_iter()
        .any(has)
    {
        return Some(Format::Gemini);
    }
    if has("choices") || word("object").starts_with("chat.completion") {
        return Some(Format::OpenAiChat);
    }
    if word("object") == "response" || word("type").starts_with("response.") {
        return Some(Format::OpenAiResponses);
    }
    if is_anthropic_type(word("type")) && (has("content") || word("type") != "message") {
        return Some(Format::Anthropic);
    }
    if has("message") && (has("done") || has("created_at")) {
        return Some(Format::Ollama);
    }
    if let Some(format) = by_items(body, "output").or_else(|| by_items(body, "input")) {
        return Some(format);
    }
    // Of a request, its history is the surest; then its tools, then what else it carries.
    by_history(body)
        .or_else(|| by_tools(body))
        .or_else(|| by_settings(body))
}

/// The types of Anthropic's response and of its events.
fn is_anthropic_type(word: &str) -> bool {
    matches!(
        word,
        "message"
            | "message_start"
            | "message_delta"
            | "message_stop"
            | "content_block_start"
            | "content_block_delta"
            | "content_block_stop"
    )
}

fn list<'b>(body: &'b Value, key: &str) -> impl Iterator<Item = &'b Value> {
    let list = body.get(key).and_then(Value::as_array);
    list.into_iter().flatten()
}

fn type_of(value: &Value) -> &str {
    value
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// Items of OpenAI Responses, in a response without its frame or in a request's input.
fn by_items(body: &Value, key: &str) -> Option<Format> {
    let mut items = list(body, key);
    let known = |item: &Value| {
        let kind = type_of(item);
        kind.ends_with("_call") || kind.ends_with("_call_output") || kind == "reasoning"
    };
    items.any(known).then_some(Format::OpenAiResponses)
}

fn by_history(body: &Value) -> Option<Format> {
    for message in list(body, "messages").chain([body]) {
        let blocks = list(message, "content");
        let mut kinds = blocks.map(type_of);
        if kinds.any(|kind| matches!(kind, "tool_use" | "tool_result" | "server_tool_use")) {
            return Some(Format::Anthropic);
        }
        if message.get("tool_name").is_some() {
            return Some(Format::Ollama);
        }
        for call in list(message, "tool_calls") {
            let arguments = call.get("function").and_then(|f| f.get("arguments"));
            match arguments {
                Some(Value::Object(_)) => return Some(Format::Ollama),
                Some(_) => return Some(Format::OpenAiChat),
                None => {}
            }
        }
        let legacy = message
            .get("function_call")
            .filter(|_| message.get("role").is_some());
        if legacy.is_some_and(Value::is_object) || message.get("tool_call_id").is_some() {
            return Some(Format::OpenAiChat);
        }
    }
    None
}

fn by_tools(body: &Value) -> Option<Format> {
    if let Some(tool) = body.get("tools").filter(|tools| tools.is_object()) {
        return declares(tool).then_some(Format::Gemini);
    }
    for tool in list(body, "tools") {
        let has = |key: &str| tool.get(key).is_some();
        if declares(tool) {
            return Some(Format::Gemini);
        }
        if has("inputSchema") {
            return Some(Format::Mcp);
        }
        if has("input_schema") {
            return Some(Format::Anthropic);
        }
        if has("function") {
            let own = ["options", "keep_alive", "think"];
            let ollama = own.into_iter().any(|key| body.get(key).is_some());
            return Some(if ollama {
                Format::Ollama
            } else {
                Format::OpenAiChat
            });
        }
        if matches!(type_of(tool), "function" | "namespace") {
            return Some(Format::OpenAiResponses);
        }
    }
    body.get("functions")
        .and_then(Value::as_array)
        .map(|_| Format::OpenAiChat)
}

fn declares(tool: &Value) -> bool {
    tool.get("functionDeclarations").is_some() || tool.get("function_declarations").is_some()
}

fn by_settings(body: &Value) -> Option<Format> {
    let has = |key: &str| body.get(key).is_some();
    if has("anthropic_version") || (has("messages") && has("system") && has("max_tokens")) {
        return Some(Format::Anthropic);
    }
    if has("messages") && ["options", "keep_alive", "think"].into_iter().any(has) {
        return Some(Format::Ollama);
    }
    None
}
