//! OpenAI Responses.
//!
//! Facts: the API reference of `POST /v1/responses` (`function_call` and `function_call_output`
//! items, `status`, `incomplete_details`, tool namespaces, `tool_search_output`). Items of other
//! types (`custom_tool_call`, `mcp_call`, `tool_search_call`, `web_search_call`, …) take free text
//! or are run by the provider, and are left alone.

use crate::answers::Answers;
use crate::openai_responses_stream::ResponsesStream;
use crate::stream::Gather;
use crate::wire::Wire;
use crate::{Arguments, CallId, Format, WireCall, WireError, tools};
use callmend_stage::{Rejection, ToolBuilder, pointer};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::HashSet;

pub(crate) struct OpenAiResponses;

impl Wire for OpenAiResponses {
    fn tools(&self, body: &Value) -> Result<Vec<ToolBuilder>, WireError> {
        let mut found = Found::default();
        found.list(body, "", "tools")?;
        for list in ["output", "input"] {
            let items = body.get(list).and_then(Value::as_array);
            for (index, item) in items.into_iter().flatten().enumerate() {
                if item.get("type").and_then(Value::as_str) == Some("tool_search_output") {
                    found.list(item, &format!("/{list}/{index}"), "tools")?;
                }
            }
        }
        Ok(found.tools)
    }

    fn calls<'b>(&self, body: &'b Value) -> Vec<WireCall<'b>> {
        let mut calls = Vec::new();
        let stopped = response_finished(body);
        let list = |key: &str| body.get(key).and_then(Value::as_array);
        for (index, item) in list("output").into_iter().flatten().enumerate() {
            item_call(item, format!("/output/{index}"), stopped, &mut calls);
        }
        let input = list("input");
        for (index, item) in input.into_iter().flatten().enumerate() {
            item_call(item, format!("/input/{index}"), None, &mut calls);
        }
        item_call(body, String::new(), None, &mut calls);
        let mut answers = Answers::default();
        for item in input.into_iter().flatten() {
            if item.get("type").and_then(Value::as_str) == Some("function_call_output") {
                answers.note(item.get("call_id").and_then(Value::as_str), None);
            }
        }
        for call in &mut calls {
            let id = call.id.as_ref().and_then(CallId::as_str);
            call.answered = answers.take(id, "");
        }
        calls
    }

    fn writes_text(&self) -> bool {
        true
    }

    fn result(&self, call: &WireCall<'_>, text: String, _: &Rejection) -> Value {
        let mut item = json!({ "type": "function_call_output", "output": text });
        if let (Some(id), Some(item)) = (&call.id, item.as_object_mut()) {
            item.insert("call_id".to_owned(), id.to_json());
        }
        item
    }

    fn finished(&self, reason: &str) -> Option<bool> {
        match reason {
            "completed" => Some(true),
            "incomplete" | "failed" | "cancelled" | "in_progress" | "queued"
            | "max_output_tokens" | "content_filter" => Some(false),
            _ => None,
        }
    }

    fn gather(&self) -> Box<dyn Gather> {
        Box::new(ResponsesStream::default())
    }
}

/// Says whether a whole response finished: its `status`, and no reason for being incomplete.
pub(crate) fn response_finished(response: &Value) -> Option<bool> {
    let details = response.get("incomplete_details");
    if details.is_some_and(|details| !details.is_null()) {
        return Some(false);
    }
    let status = response.get("status").and_then(Value::as_str)?;
    OpenAiResponses.finished(status)
}

/// Joins what the response and the item say: either of them can tell that the call was cut off.
pub(crate) fn both(response: Option<bool>, item: Option<bool>) -> Option<bool> {
    match (response, item) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (response, item) => response.or(item),
    }
}

/// Says whether the status of one item tells that it finished.
pub(crate) fn item_finished(item: &Value) -> Option<bool> {
    let status = item.get("status").and_then(Value::as_str)?;
    OpenAiResponses.finished(status)
}

fn item_call<'b>(
    item: &'b Value,
    at: String,
    response: Option<bool>,
    calls: &mut Vec<WireCall<'b>>,
) {
    let Some(object) = item.as_object() else {
        return;
    };
    if tools::type_of(object) != Some("function_call") {
        return;
    }
    let arguments = Arguments::of(Some(object), "arguments");
    let mut call = WireCall::new(Format::OpenAiResponses, object.get("name"), arguments);
    call.namespace = namespace(object).map(Cow::Borrowed);
    call.id = CallId::text(object.get("call_id"));
    call.pointer = at + "/arguments";
    call.complete = both(response, item_finished(item));
    calls.push(call);
}

pub(crate) fn namespace(item: &Map<String, Value>) -> Option<&str> {
    let space = item.get("namespace").and_then(Value::as_str);
    space.filter(|space| !space.is_empty())
}

/// The tools found so far; one that a search loads again is the same tool.
#[derive(Default)]
struct Found {
    tools: Vec<ToolBuilder>,
    names: HashSet<String>,
}

impl Found {
    fn list(&mut self, parent: &Value, at: &str, key: &str) -> Result<(), WireError> {
        for (at, tool) in tools::items(parent, at, key)? {
            match tools::type_of(tool) {
                None | Some("function") => self.tool(&at, tool, None)?,
                Some("namespace") => {
                    let space = tool.get("name").and_then(Value::as_str);
                    let whole = Value::Object(tool.clone());
                    for (at, tool) in tools::items(&whole, &at, "tools")? {
                        if matches!(tools::type_of(tool), None | Some("function")) {
                            self.tool(&at, tool, space)?;
                        }
                    }
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    fn tool(
        &mut self,
        at: &str,
        tool: &Map<String, Value>,
        space: Option<&str>,
    ) -> Result<(), WireError> {
        let mut tool = tool.clone();
        if let Some(name) = tool.get("name").and_then(Value::as_str) {
            let name = match space {
                Some(space) => format!("{space}.{name}"),
                None => name.to_owned(),
            };
            let loaded = pointer::tokens(at)
                .next()
                .is_some_and(|list| list != "tools");
            if !self.names.insert(name.clone()) && loaded {
                return Ok(());
            }
            tool.insert("name".to_owned(), Value::String(name));
        }
        self.tools.push(tools::read(at, &Value::Object(tool))?);
        Ok(())
    }
}
