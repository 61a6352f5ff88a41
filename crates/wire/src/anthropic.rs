//! Anthropic Messages.
//!
//! Facts: the API reference of `POST /v1/messages`, *Handling stop reasons*, *Streaming messages*
//! and *Fine-grained tool streaming*. Blocks of other types (`server_tool_use`, `mcp_tool_use`) are
//! run by the provider and left alone, and so are tools without an `input_schema`.
//!
//! A turn whose stop sequence was found is not one that ended with its tool calls (that one's
//! reason is `tool_use`), so `stop_sequence` counts as stopped early.

use crate::answers::Answers;
use crate::stream::{Budget, Gather, Gathered, call, cautious};
use crate::wire::Wire;
use crate::{Arguments, CallId, Format, WireCall, WireError, tools};
use callmend_stage::{Rejection, ToolBuilder};
use serde_json::{Value, json};
use std::collections::HashMap;

pub(crate) struct Anthropic;

impl Wire for Anthropic {
    fn tools(&self, body: &Value) -> Result<Vec<ToolBuilder>, WireError> {
        let mut found = Vec::new();
        for (at, tool) in tools::items(body, "", "tools")? {
            let typed = !matches!(tools::type_of(tool), None | Some("custom"));
            if tool.contains_key("input_schema") || !typed {
                found.push(tools::read(&at, &Value::Object(tool.clone()))?);
            }
        }
        Ok(found)
    }

    fn calls<'b>(&self, body: &'b Value) -> Vec<WireCall<'b>> {
        let mut calls = Vec::new();
        let reason = body.get("stop_reason").and_then(Value::as_str);
        let complete = reason.and_then(|reason| self.finished(reason));
        content_calls(body, "", complete, &mut calls);
        let messages = body.get("messages").and_then(Value::as_array);
        let mut answers = Answers::default();
        for (index, message) in messages.into_iter().flatten().enumerate() {
            content_calls(message, &format!("/messages/{index}"), None, &mut calls);
            let blocks = message.get("content").and_then(Value::as_array);
            for block in blocks.into_iter().flatten() {
                if block.get("type").and_then(Value::as_str) == Some("tool_result") {
                    answers.note(block.get("tool_use_id").and_then(Value::as_str), None);
                }
            }
        }
        for call in &mut calls {
            let id = call.id.as_ref().and_then(CallId::as_str);
            call.answered = answers.take(id, "");
        }
        calls
    }

    fn result(&self, call: &WireCall<'_>, text: String, _: &Rejection) -> Value {
        let mut block = json!({ "type": "tool_result", "is_error": true, "content": text });
        if let (Some(id), Some(block)) = (&call.id, block.as_object_mut()) {
            block.insert("tool_use_id".to_owned(), id.to_json());
        }
        block
    }

    fn messages(&self, results: Vec<Value>) -> Vec<Value> {
        if results.is_empty() {
            return Vec::new();
        }
        vec![json!({ "role": "user", "content": results })]
    }

    fn finished(&self, reason: &str) -> Option<bool> {
        match reason {
            "tool_use" | "end_turn" => Some(true),
            "max_tokens" | "model_context_window_exceeded" | "refusal" | "stop_sequence" => {
                Some(false)
            }
            _ => None,
        }
    }

    fn gather(&self) -> Box<dyn Gather> {
        Box::new(AnthropicStream::default())
    }
}

fn content_calls<'b>(
    message: &'b Value,
    at: &str,
    complete: Option<bool>,
    calls: &mut Vec<WireCall<'b>>,
) {
    let blocks = message.get("content").and_then(Value::as_array);
    for (index, block) in blocks.into_iter().flatten().enumerate() {
        let Some(block) = block.as_object() else {
            continue;
        };
        if tools::type_of(block) != Some("tool_use") {
            continue;
        }
        let arguments = Arguments::of(Some(block), "input");
        let mut call = WireCall::new(Format::Anthropic, block.get("name"), arguments);
        call.id = CallId::text(block.get("id"));
        call.pointer = format!("{at}/content/{index}/input");
        call.complete = complete;
        calls.push(call);
    }
}

#[derive(Default)]
struct AnthropicStream {
    blocks: Vec<Block>,
    /// The newest call at each index.
    by_index: HashMap<u64, usize>,
    reason: Option<Option<bool>>,
    failed: bool,
}

struct Block {
    index: u64,
    id: Option<String>,
    name: String,
    /// The input that the block began with: an empty object, unless a gateway sends it whole.
    input: Gathered,
    text: String,
    broken: bool,
    ended: bool,
}

impl Gather for AnthropicStream {
    fn push(&mut self, event: &Value, budget: &mut Budget) -> Result<(), WireError> {
        let index = event.get("index").and_then(Value::as_u64).unwrap_or(0);
        match event.get("type").and_then(Value::as_str) {
            Some("content_block_start") => {
                self.by_index.remove(&index);
                let block = event.get("content_block").unwrap_or(&Value::Null);
                if block.get("type").and_then(Value::as_str) == Some("tool_use") {
                    self.begin(index, block, budget)?;
                }
            }
            Some("content_block_delta") => {
                let delta = event
                    .get("delta")
                    .and_then(|delta| delta.get("partial_json"));
                if let (Some(block), Some(Value::String(piece))) = (self.block(index), delta) {
                    budget.take(piece.len())?;
                    block.text.push_str(piece);
                    // Nothing may follow a block's end.
                    block.broken |= block.ended && !piece.is_empty();
                }
            }
            Some("content_block_stop") => {
                if let Some(block) = self.block(index) {
                    block.ended = true;
                }
            }
            Some("message_delta") => {
                let delta = event.get("delta").unwrap_or(&Value::Null);
                if let Some(reason) = delta.get("stop_reason").and_then(Value::as_str) {
                    self.reason = Some(cautious(self.reason, Anthropic.finished(reason)));
                }
            }
            Some("message_stop") => {
                self.reason.get_or_insert(None);
            }
            Some("error") => self.failed = true,
            _ => {}
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Vec<WireCall<'static>> {
        let reason = self.reason.filter(|_| !self.failed);
        let calls = self.blocks.into_iter().map(|block| block.finish(reason));
        calls.collect()
    }
}

impl AnthropicStream {
    fn begin(&mut self, index: u64, block: &Value, budget: &mut Budget) -> Result<(), WireError> {
        budget.call()?;
        let text = |key: &str| block.get(key).and_then(Value::as_str);
        let mut input = Gathered::Nothing;
        if let Some(value) = block.get("input") {
            input.add(value, budget)?;
        }
        let begun = Block {
            index,
            id: text("id").map(|id| budget.text(id)).transpose()?,
            name: budget.text(text("name").unwrap_or_default())?,
            input,
            text: String::new(),
            broken: false,
            ended: false,
        };
        self.by_index.insert(index, self.blocks.len());
        self.blocks.push(begun);
        Ok(())
    }

    fn block(&mut self, index: u64) -> Option<&mut Block> {
        let at = *self.by_index.get(&index)?;
        self.blocks.get_mut(at)
    }
}

impl Block {
    fn finish(self, reason: Option<Option<bool>>) -> WireCall<'static> {
        let (arguments, agree) = match self.input {
            input if self.text.is_empty() => (input, true),
            Gathered::Value(Value::Object(start)) if !start.is_empty() => {
                let same = serde_json::from_str::<Value>(&self.text).ok();
                let same = same.is_some_and(|text| text.as_object() == Some(&start));
                (Gathered::Text(self.text), same)
            }
            _ => (Gathered::Text(self.text), true),
        };
        let mut call = call(Format::Anthropic, self.name, arguments);
        call.id = self.id.map(CallId::Text);
        call.pointer = format!("/content/{}/input", self.index);
        call.complete = match reason {
            Some(_) if self.broken || !agree => Some(false),
            // A block that never ended may be short, whatever the reason says.
            Some(Some(true)) if !self.ended => None,
            Some(complete) => complete,
            None => Some(false),
        };
        call
    }
}
