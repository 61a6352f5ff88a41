//! Gemini `generateContent`, of the Gemini API and of Vertex AI.
//!
//! Facts: the API references of `generateContent` and `streamGenerateContent`
//! (`functionDeclarations` with `parameters` or `parametersJsonSchema`, `functionCall` with an
//! optional `id`, `functionResponse` with an `error` key, `finishReason`), and Vertex AI's streamed
//! arguments (`partialArgs`, `willContinue`). Names are read in camel case and in snake case, as
//! the service does.

use crate::answers::Answers;
use crate::gemini_partial::Partial;
use crate::gemini_schema::to_json_schema;
use crate::stream::{Budget, Gather, Gathered, call, cautious};
use crate::wire::Wire;
use crate::{Arguments, CallId, Format, WireCall, WireError, tools};
use callmend_stage::{Rejection, ToolBuilder, pointer};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashMap};

pub(crate) struct Gemini;

impl Wire for Gemini {
    fn tools(&self, body: &Value) -> Result<Vec<ToolBuilder>, WireError> {
        // A client may write one tool without a list around it.
        if body.get("tools").is_some_and(Value::is_object) {
            let mut found = Vec::new();
            if let Some(tool) = body.get("tools") {
                declarations(tool, "/tools", &mut found)?;
            }
            return Ok(found);
        }
        let mut found = Vec::new();
        for (at, tool) in tools::items(body, "", "tools")? {
            declarations(&Value::Object(tool.clone()), &at, &mut found)?;
        }
        Ok(found)
    }

    fn calls<'b>(&self, body: &'b Value) -> Vec<WireCall<'b>> {
        let mut calls = Vec::new();
        let chunks = body.as_array().map(Vec::as_slice);
        let reasons = chunks.map(last_reasons);
        for (chunk_index, chunk) in chunks
            .unwrap_or(std::slice::from_ref(body))
            .iter()
            .enumerate()
        {
            let at = match chunks {
                Some(_) => format!("/{chunk_index}"),
                None => String::new(),
            };
            let candidates = chunk.get("candidates").and_then(Value::as_array);
            for (index, candidate) in candidates.into_iter().flatten().enumerate() {
                let complete = match &reasons {
                    Some(reasons) => reasons
                        .get(&candidate_index(candidate))
                        .copied()
                        .unwrap_or(Some(false)),
                    None => candidate_finished(candidate).flatten(),
                };
                if let Some(content) = candidate.get("content") {
                    let at = format!("{at}/candidates/{index}/content");
                    content_calls(content, &at, complete, &mut calls);
                }
            }
        }
        let contents = body.get("contents").and_then(Value::as_array);
        let mut answers = Answers::default();
        for (index, content) in contents.into_iter().flatten().enumerate() {
            content_calls(content, &format!("/contents/{index}"), None, &mut calls);
            for part in parts(content) {
                if let Some(response) = either(part, "functionResponse", "function_response") {
                    let text = |key: &str| response.get(key).and_then(Value::as_str);
                    answers.note(text("id"), text("name"));
                }
            }
        }
        for call in &mut calls {
            let id = call.id.as_ref().and_then(CallId::as_str);
            call.answered = answers.take(id, &call.name);
        }
        calls
    }

    fn result(&self, call: &WireCall<'_>, text: String, _: &Rejection) -> Value {
        let mut response = json!({ "name": call.name, "response": { "error": text } });
        if let (Some(id), Some(response)) = (&call.id, response.as_object_mut()) {
            response.insert("id".to_owned(), id.to_json());
        }
        json!({ "functionResponse": response })
    }

    fn messages(&self, results: Vec<Value>) -> Vec<Value> {
        if results.is_empty() {
            return Vec::new();
        }
        vec![json!({ "role": "user", "parts": results })]
    }

    fn finished(&self, reason: &str) -> Option<bool> {
        match reason {
            "STOP" => Some(true),
            "MAX_TOKENS"
            | "SAFETY"
            | "RECITATION"
            | "LANGUAGE"
            | "OTHER"
            | "BLOCKLIST"
            | "PROHIBITED_CONTENT"
            | "SPII"
            | "MALFORMED_FUNCTION_CALL"
            | "MALFORMED_RESPONSE"
            | "MISSING_THOUGHT_SIGNATURE"
            | "UNEXPECTED_TOOL_CALL"
            | "TOO_MANY_TOOL_CALLS"
            | "NO_IMAGE"
            | "IMAGE_SAFETY"
            | "IMAGE_PROHIBITED_CONTENT"
            | "IMAGE_RECITATION"
            | "IMAGE_OTHER" => Some(false),
            _ => None,
        }
    }

    fn gather(&self) -> Box<dyn Gather> {
        Box::new(GeminiStream::default())
    }
}

fn declarations(tool: &Value, at: &str, found: &mut Vec<ToolBuilder>) -> Result<(), WireError> {
    for key in ["functionDeclarations", "function_declarations"] {
        for (at, declaration) in tools::items(tool, at, key)? {
            let mut definition = declaration.clone();
            let schema = ["parametersJsonSchema", "parameters_json_schema"]
                .into_iter()
                .find_map(|key| definition.remove(key));
            let schema = match (schema, definition.remove("parameters")) {
                (Some(schema), _) if !schema.is_null() => Some(schema),
                (_, Some(schema)) => {
                    let mut at = at.clone();
                    pointer::push(&mut at, "parameters");
                    Some(to_json_schema(schema, &at)?)
                }
                _ => None,
            };
            if let Some(schema) = schema {
                definition.insert("parameters".to_owned(), schema);
            }
            found.push(tools::read(&at, &Value::Object(definition))?);
        }
    }
    Ok(())
}

fn content_calls<'b>(
    content: &'b Value,
    at: &str,
    complete: Option<bool>,
    calls: &mut Vec<WireCall<'b>>,
) {
    for (index, part) in parts(content).enumerate() {
        for key in ["functionCall", "function_call"] {
            let Some(function) = part.get(key).and_then(Value::as_object) else {
                continue;
            };
            let arguments = Arguments::of(Some(function), "args");
            let mut call = WireCall::new(Format::Gemini, function.get("name"), arguments);
            call.id = CallId::text(function.get("id"));
            call.pointer = format!("{at}/parts/{index}/{key}/args");
            let partial = continues(function) || has_partial(function);
            call.complete = if partial { Some(false) } else { complete };
            calls.push(call);
        }
    }
}

fn parts(content: &Value) -> impl Iterator<Item = &Value> {
    let parts = content.get("parts").and_then(Value::as_array);
    parts.into_iter().flatten()
}

fn either<'b>(parent: &'b Value, camel: &str, snake: &str) -> Option<&'b Value> {
    parent.get(camel).or_else(|| parent.get(snake))
}

fn continues(function: &Map<String, Value>) -> bool {
    ["willContinue", "will_continue"]
        .into_iter()
        .any(|key| function.get(key) == Some(&Value::Bool(true)))
}

fn partial_args(function: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    let list = function.get("partialArgs").or(function.get("partial_args"));
    list.and_then(Value::as_array).into_iter().flatten()
}

fn has_partial(function: &Map<String, Value>) -> bool {
    partial_args(function).next().is_some()
}

fn candidate_index(candidate: &Value) -> u64 {
    let index = candidate.get("index").and_then(Value::as_u64);
    index.unwrap_or(0)
}

/// Says what a candidate's finish reason tells; outside, whether there is one.
fn candidate_finished(candidate: &Value) -> Option<Option<bool>> {
    let reason = either(candidate, "finishReason", "finish_reason")?.as_str()?;
    Some(Gemini.finished(reason)).filter(|_| !reason.is_empty())
}

/// Gathers the finish reason of each candidate from the chunks of a stream that was kept as one
/// list.
fn last_reasons(chunks: &[Value]) -> HashMap<u64, Option<bool>> {
    let mut reasons = HashMap::new();
    for chunk in chunks {
        let candidates = chunk.get("candidates").and_then(Value::as_array);
        for candidate in candidates.into_iter().flatten() {
            if let Some(now) = candidate_finished(candidate) {
                let index = candidate_index(candidate);
                let before = reasons.get(&index).copied();
                reasons.insert(index, cautious(before, now));
            }
        }
    }
    reasons
}

#[derive(Default)]
struct GeminiStream {
    candidates: BTreeMap<u64, Candidate>,
}

#[derive(Default)]
struct Candidate {
    calls: Vec<Open>,
    /// How many parts the candidate has had so far.
    seen: usize,
    /// The last call goes on in the next chunk.
    goes_on: bool,
    reason: Option<Option<bool>>,
}

struct Open {
    id: Option<String>,
    name: String,
    arguments: Gathered,
    partial: Option<Partial>,
    place: usize,
    broken: bool,
}

impl Gather for GeminiStream {
    fn push(&mut self, event: &Value, budget: &mut Budget) -> Result<(), WireError> {
        let candidates = event.get("candidates").and_then(Value::as_array);
        for candidate in candidates.into_iter().flatten() {
            let index = candidate_index(candidate);
            let own = match self.candidates.entry(index) {
                std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
                std::collections::btree_map::Entry::Vacant(entry) => {
                    budget.call()?;
                    entry.insert(Candidate::default())
                }
            };
            for part in parts(candidate.get("content").unwrap_or(&Value::Null)) {
                let place = own.seen;
                own.seen += 1;
                if let Some(Value::Object(function)) = either(part, "functionCall", "function_call")
                {
                    own.function(function, place, budget)?;
                }
            }
            if let Some(now) = candidate_finished(candidate) {
                own.reason = Some(cautious(own.reason, now));
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Vec<WireCall<'static>> {
        let mut calls = Vec::new();
        for (index, candidate) in self.candidates.into_values().enumerate() {
            let last = candidate.calls.len();
            for (at, open) in candidate.calls.into_iter().enumerate() {
                let unended = candidate.goes_on && at + 1 == last;
                let mut call = open.finish(index);
                if let Some(complete) = candidate.reason.filter(|_| !unended) {
                    call.complete = call.complete.or(complete);
                } else {
                    call.complete = Some(false);
                }
                calls.push(call);
            }
        }
        calls
    }
}

impl Candidate {
    fn function(
        &mut self,
        function: &Map<String, Value>,
        place: usize,
        budget: &mut Budget,
    ) -> Result<(), WireError> {
        let text = |key: &str| {
            let text = function.get(key).and_then(Value::as_str);
            text.filter(|text| !text.is_empty())
        };
        let named = text("name");
        if named.is_some() || !self.goes_on {
            // The end of a streamed call is an empty `functionCall`; by itself it is none.
            if named.is_none() && !function.contains_key("args") && !has_partial(function) {
                return Ok(());
            }
            if let Some(open) = self.calls.last_mut().filter(|_| self.goes_on) {
                open.broken = true;
            }
            budget.call()?;
            self.calls.push(Open {
                id: text("id").map(|id| budget.text(id)).transpose()?,
                name: budget.text(named.unwrap_or_default())?,
                arguments: Gathered::Nothing,
                partial: None,
                place,
                broken: false,
            });
        }
        self.goes_on = continues(function);
        let Some(open) = self.calls.last_mut() else {
            return Ok(());
        };
        if let Some(args) = function.get("args") {
            open.broken |= !open.arguments.add(args, budget)?;
        }
        for piece in partial_args(function) {
            open.partial.get_or_insert_default().add(piece, budget)?;
        }
        Ok(())
    }
}

impl Open {
    /// Makes the call; `complete` is set only when its own pieces tell that it is not whole.
    fn finish(self, index: usize) -> WireCall<'static> {
        let mut broken = self.broken;
        let arguments = match self.partial {
            None => self.arguments,
            Some(partial) => {
                broken |= !matches!(&self.arguments, Gathered::Nothing)
                    && !matches!(&self.arguments, Gathered::Value(Value::Object(args)) if args.is_empty());
                let (args, whole) = partial.finish();
                broken |= !whole;
                Gathered::Value(args)
            }
        };
        let mut call = call(Format::Gemini, self.name, arguments);
        call.id = self.id.map(CallId::Text);
        let place = self.place;
        call.pointer = format!("/candidates/{index}/content/parts/{place}/functionCall/args");
        call.complete = broken.then_some(false);
        call
    }
}
