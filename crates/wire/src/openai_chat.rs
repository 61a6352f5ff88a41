//! OpenAI Chat Completions, and the many servers that speak it.
//!
//! Facts: the API reference of `POST /v1/chat/completions` (tools, `tool_calls`, the deprecated
//! `functions` and `function_call`, custom tools, `finish_reason`); `model_length` and `error` are
//! Mistral's, `insufficient_system_resource` is DeepSeek's.

use crate::answers::Answers;
use crate::call::Kind;
use crate::openai_chat_stream::ChatStream;
use crate::stream::Gather;
use crate::wire::Wire;
use crate::{Arguments, CallId, Format, WireCall, WireError, tools};
use callmend_stage::{Rejection, ToolBuilder};
use serde_json::{Map, Value, json};

pub(crate) struct OpenAiChat;

impl Wire for OpenAiChat {
    fn tools(&self, body: &Value) -> Result<Vec<ToolBuilder>, WireError> {
        let mut found = Vec::new();
        for (at, tool) in tools::items(body, "", "tools")? {
            if matches!(tools::type_of(tool), None | Some("function")) {
                found.push(tools::read(&at, &Value::Object(tool.clone()))?);
            }
        }
        for (at, function) in tools::items(body, "", "functions")? {
            found.push(tools::read(&at, &Value::Object(function.clone()))?);
        }
        Ok(found)
    }

    fn calls<'b>(&self, body: &'b Value) -> Vec<WireCall<'b>> {
        let mut calls = Vec::new();
        let choices = body.get("choices").and_then(Value::as_array);
        for (index, choice) in choices.into_iter().flatten().enumerate() {
            let reason = choice.get("finish_reason").and_then(Value::as_str);
            let complete = reason.and_then(|reason| self.finished(reason));
            if let Some(message) = choice.get("message") {
                let at = format!("/choices/{index}/message");
                message_calls(message, &at, complete, &mut calls);
            }
        }
        let messages = body.get("messages").and_then(Value::as_array);
        for (index, message) in messages.into_iter().flatten().enumerate() {
            message_calls(message, &format!("/messages/{index}"), None, &mut calls);
        }
        // A message by itself; a request's `function_call` is no call but a choice.
        if body.get("role").is_some_and(Value::is_string) {
            message_calls(body, "", None, &mut calls);
        }
        mark_answered(&mut calls, messages.into_iter().flatten());
        calls
    }

    fn writes_text(&self) -> bool {
        true
    }

    fn result(&self, call: &WireCall<'_>, text: String, _: &Rejection) -> Value {
        if call.kind == Kind::Legacy {
            return json!({ "role": "function", "name": call.name, "content": text });
        }
        let mut message = json!({ "role": "tool", "content": text });
        if let (Some(id), Some(message)) = (&call.id, message.as_object_mut()) {
            message.insert("tool_call_id".to_owned(), id.to_json());
        }
        message
    }

    fn finished(&self, reason: &str) -> Option<bool> {
        match reason {
            "stop" | "tool_calls" | "function_call" => Some(true),
            "length"
            | "content_filter"
            | "model_length"
            | "error"
            | "insufficient_system_resource" => Some(false),
            _ => None,
        }
    }

    fn gather(&self) -> Box<dyn Gather> {
        Box::new(ChatStream::default())
    }
}

/// Reads the calls of one message. A server that sends `function_call` beside `tool_calls` means
/// the same call by both.
fn message_calls<'b>(
    message: &'b Value,
    at: &str,
    complete: Option<bool>,
    calls: &mut Vec<WireCall<'b>>,
) {
    let list = message.get("tool_calls").and_then(Value::as_array);
    for (index, item) in list.into_iter().flatten().enumerate() {
        let Some(item) = item.as_object().filter(|item| is_function(item)) else {
            continue;
        };
        let function = item.get("function").and_then(Value::as_object);
        let mut call = function_call(function);
        call.id = CallId::text(item.get("id"));
        call.pointer = format!("{at}/tool_calls/{index}/function/arguments");
        call.complete = complete;
        calls.push(call);
    }
    let legacy = message.get("function_call").and_then(Value::as_object);
    if let Some(function) = legacy.filter(|_| list.is_none_or(Vec::is_empty)) {
        let mut call = function_call(Some(function));
        call.kind = Kind::Legacy;
        call.pointer = format!("{at}/function_call/arguments");
        call.complete = complete;
        calls.push(call);
    }
}

/// Custom tools take free text: there is nothing to repair.
fn is_function(item: &Map<String, Value>) -> bool {
    match tools::type_of(item) {
        Some("function") => true,
        Some(_) => item.contains_key("function") && !item.contains_key("custom"),
        None => !item.contains_key("custom"),
    }
}

fn function_call(function: Option<&Map<String, Value>>) -> WireCall<'_> {
    let name = function.and_then(|function| function.get("name"));
    let arguments = Arguments::of(function, "arguments");
    WireCall::new(Format::OpenAiChat, name, arguments)
}

fn mark_answered<'b>(calls: &mut [WireCall<'b>], messages: impl Iterator<Item = &'b Value>) {
    let mut answers = Answers::default();
    let mut legacy = Answers::default();
    for message in messages {
        let text = |key: &str| message.get(key).and_then(Value::as_str);
        match text("role") {
            Some("tool") => answers.note(text("tool_call_id"), text("name")),
            Some("function") => legacy.note(None, text("name")),
            _ => {}
        }
    }
    for call in calls {
        let id = call.id.as_ref().and_then(CallId::as_str);
        call.answered = match call.kind {
            Kind::Legacy => legacy.take(None, &call.name),
            _ => answers.take(id, &call.name),
        };
    }
}
