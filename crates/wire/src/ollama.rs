//! Ollama chat.
//!
//! Facts: Ollama's API documentation of `POST /api/chat` (tools as OpenAI writes them,
//! `message.tool_calls[].function.arguments` as an object, `done`, `done_reason`, `tool` messages
//! with `tool_name`) and its *Streaming responses with tool calling* (each chunk carries whole
//! calls). Servers in front of it have been seen to deliver the arguments as text.

use crate::answers::Answers;
use crate::stream::{Budget, Gather, Gathered, call};
use crate::wire::Wire;
use crate::{Arguments, CallId, Format, WireCall, WireError, tools};
use callmend_stage::{Rejection, ToolBuilder};
use serde_json::{Value, json};

pub(crate) struct Ollama;

impl Wire for Ollama {
    fn tools(&self, body: &Value) -> Result<Vec<ToolBuilder>, WireError> {
        let mut found = Vec::new();
        for (at, tool) in tools::items(body, "", "tools")? {
            if matches!(tools::type_of(tool), None | Some("function")) {
                found.push(tools::read(&at, &Value::Object(tool.clone()))?);
            }
        }
        Ok(found)
    }

    fn calls<'b>(&self, body: &'b Value) -> Vec<WireCall<'b>> {
        let mut calls = Vec::new();
        if let Some(message) = body.get("message") {
            message_calls(message, "/message", body_finished(body), &mut calls);
        }
        let messages = body.get("messages").and_then(Value::as_array);
        let mut answers = Answers::default();
        for (index, message) in messages.into_iter().flatten().enumerate() {
            message_calls(message, &format!("/messages/{index}"), None, &mut calls);
            let text = |key: &str| message.get(key).and_then(Value::as_str);
            if text("role") == Some("tool") {
                answers.note(text("tool_call_id"), text("tool_name").or(text("name")));
            }
        }
        for call in &mut calls {
            let id = call.id.as_ref().and_then(CallId::as_str);
            call.answered = answers.take(id, &call.name);
        }
        calls
    }

    fn result(&self, call: &WireCall<'_>, text: String, _: &Rejection) -> Value {
        let mut message = json!({ "role": "tool", "tool_name": call.name, "content": text });
        if let (Some(id), Some(message)) = (&call.id, message.as_object_mut()) {
            message.insert("tool_call_id".to_owned(), id.to_json());
        }
        message
    }

    fn finished(&self, reason: &str) -> Option<bool> {
        match reason {
            "stop" | "tool_calls" => Some(true),
            "length" => Some(false),
            _ => None,
        }
    }

    fn gather(&self) -> Box<dyn Gather> {
        Box::new(OllamaStream::default())
    }
}

/// Says whether the response finished. A chunk that is not the last one has not.
fn body_finished(body: &Value) -> Option<bool> {
    if body.get("done") == Some(&Value::Bool(false)) {
        return Some(false);
    }
    let reason = body.get("done_reason").and_then(Value::as_str)?;
    Ollama.finished(reason)
}

fn message_calls<'b>(
    message: &'b Value,
    at: &str,
    complete: Option<bool>,
    calls: &mut Vec<WireCall<'b>>,
) {
    let list = message.get("tool_calls").and_then(Value::as_array);
    for (index, item) in list.into_iter().flatten().enumerate() {
        if !item.is_object() {
            continue;
        }
        let function = item.get("function").and_then(Value::as_object);
        let name = function.and_then(|function| function.get("name"));
        let mut call = WireCall::new(Format::Ollama, name, Arguments::of(function, "arguments"));
        call.id = CallId::text(item.get("id"));
        call.pointer = format!("{at}/tool_calls/{index}/function/arguments");
        call.complete = complete;
        calls.push(call);
    }
}

#[derive(Default)]
struct OllamaStream {
    calls: Vec<WireCall<'static>>,
    /// How many entries `tool_calls` has in the chunks so far.
    seen: usize,
    finished: Option<Option<bool>>,
}

impl Gather for OllamaStream {
    fn push(&mut self, event: &Value, budget: &mut Budget) -> Result<(), WireError> {
        let message = event.get("message").unwrap_or(&Value::Null);
        let list = message.get("tool_calls").and_then(Value::as_array);
        for item in list.into_iter().flatten() {
            let place = self.seen;
            self.seen += 1;
            if !item.is_object() {
                continue;
            }
            budget.call()?;
            let function = item.get("function").unwrap_or(&Value::Null);
            let name = function.get("name").and_then(Value::as_str);
            let name = budget.text(name.unwrap_or_default())?;
            let mut arguments = Gathered::Nothing;
            if let Some(value) = function.get("arguments") {
                arguments.add(value, budget)?;
            }
            let mut call = call(Format::Ollama, name, arguments);
            let id = item.get("id").and_then(Value::as_str);
            call.id = id.map(|id| budget.text(id)).transpose()?.map(CallId::Text);
            call.pointer = format!("/message/tool_calls/{place}/function/arguments");
            self.calls.push(call);
        }
        if event.get("done") == Some(&Value::Bool(true)) {
            self.finished = Some(body_finished(event));
        }
        if event.get("error").is_some() {
            self.finished = Some(Some(false));
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Vec<WireCall<'static>> {
        let mut calls = std::mem::take(&mut self.calls);
        for call in &mut calls {
            call.complete = self.finished.unwrap_or(Some(false));
        }
        calls
    }
}
