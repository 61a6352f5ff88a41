//! The stream of OpenAI Responses.
//!
//! Facts: the streaming reference of `POST /v1/responses` (`response.output_item.added` and
//! `.done`, `response.function_call_arguments.delta` and `.done`, `response.completed`,
//! `.incomplete` and `.failed`, `error`). `output_index` comes before `item_id`: it is the place in
//! the response, while some gateways give an item another id in each event.

use crate::openai_responses::{both, item_finished, namespace, response_finished};
use crate::stream::{Budget, Gather, Gathered, call};
use crate::{CallId, Format, WireCall, WireError};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::HashMap;

#[derive(Default)]
pub(crate) struct ResponsesStream {
    items: Vec<Item>,
    by_index: HashMap<u64, usize>,
    by_item: HashMap<String, usize>,
    by_call: HashMap<String, usize>,
    /// What the last event said of the whole response; outside, whether it came.
    finished: Option<Option<bool>>,
}

#[derive(Default)]
struct Item {
    index: Option<u64>,
    call_id: Option<String>,
    name: String,
    namespace: Option<String>,
    arguments: Gathered,
    complete: Option<bool>,
    broken: bool,
}

impl Gather for ResponsesStream {
    fn push(&mut self, event: &Value, budget: &mut Budget) -> Result<(), WireError> {
        let Some(kind) = event.get("type").and_then(Value::as_str) else {
            return Ok(());
        };
        let index = event.get("output_index").and_then(Value::as_u64);
        let item = event.get("item").filter(|item| is_call(item));
        match kind {
            "response.output_item.added" | "response.output_item.done" => {
                if let Some(item) = item {
                    let id = item.get("id").and_then(Value::as_str);
                    let at = self.find(index, id, budget)?;
                    self.take(at, item, budget)?;
                }
            }
            "response.function_call_arguments.delta" => {
                let id = event.get("item_id").and_then(Value::as_str);
                let at = self.find(index, id, budget)?;
                if let (Some(item), Some(delta)) = (self.items.get_mut(at), event.get("delta")) {
                    item.broken |= !item.arguments.add(delta, budget)?;
                }
            }
            "response.function_call_arguments.done" => {
                let id = event.get("item_id").and_then(Value::as_str);
                let at = self.find(index, id, budget)?;
                if let Some(item) = self.items.get_mut(at) {
                    item.whole(event, budget)?;
                }
            }
            "response.completed"
            | "response.incomplete"
            | "response.failed"
            | "response.cancelled" => {
                let done = (kind == "response.completed").then_some(true);
                let response = event.get("response").unwrap_or(&Value::Null);
                let said = both(response_finished(response), done.or(Some(false)));
                self.finished = Some(said);
                self.last(response, budget)?;
            }
            "error" => self.finished = Some(Some(false)),
            _ => {}
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Vec<WireCall<'static>> {
        let finished = self.finished;
        let mut items = std::mem::take(&mut self.items);
        if items.iter().all(|item| item.index.is_some()) {
            items.sort_by_key(|item| item.index);
        }
        let calls = items.into_iter().enumerate().map(|(place, item)| {
            let place = item.index.unwrap_or(place as u64);
            let mut call = call(Format::OpenAiResponses, item.name, item.arguments);
            call.namespace = item.namespace.map(Cow::Owned);
            call.id = item.call_id.map(CallId::Text);
            call.pointer = format!("/output/{place}/arguments");
            call.complete = match finished {
                Some(response) if !item.broken => both(response, item.complete),
                _ => Some(false),
            };
            call
        });
        calls.collect()
    }
}

impl ResponsesStream {
    /// Finds the item of an event, or begins it.
    fn find(
        &mut self,
        index: Option<u64>,
        id: Option<&str>,
        budget: &mut Budget,
    ) -> Result<usize, WireError> {
        let found = match index {
            Some(index) => self.by_index.get(&index),
            None => id.and_then(|id| self.by_item.get(id)),
        };
        let at = match found {
            Some(at) => *at,
            None => self.begin(index, budget)?,
        };
        if let Some(id) = id.filter(|id| !self.by_item.contains_key(*id)) {
            self.by_item.insert(budget.text(id)?, at);
        }
        Ok(at)
    }

    fn begin(&mut self, index: Option<u64>, budget: &mut Budget) -> Result<usize, WireError> {
        budget.call()?;
        let item = Item {
            index,
            ..Item::default()
        };
        self.items.push(item);
        let at = self.items.len() - 1;
        if let Some(index) = index {
            self.by_index.insert(index, at);
        }
        Ok(at)
    }

    /// Takes what a whole item says.
    fn take(&mut self, at: usize, item: &Value, budget: &mut Budget) -> Result<(), WireError> {
        let text = |key: &str| item.get(key).and_then(Value::as_str);
        if let Some(id) = text("call_id").filter(|id| !self.by_call.contains_key(*id)) {
            self.by_call.insert(budget.text(id)?, at);
        }
        let Some(own) = self.items.get_mut(at) else {
            return Ok(());
        };
        if let Some(id) = text("call_id").filter(|_| own.call_id.is_none()) {
            own.call_id = Some(budget.text(id)?);
        }
        if let Some(space) = item.as_object().and_then(namespace)
            && own.namespace.is_none()
        {
            own.namespace = Some(budget.text(space)?);
        }
        own.complete = item_finished(item);
        own.whole(item, budget)
    }

    /// Takes the response that the last event carries whole. Its calls are found by their id first:
    /// a gateway may have left other items out of it.
    fn last(&mut self, response: &Value, budget: &mut Budget) -> Result<(), WireError> {
        let output = response.get("output").and_then(Value::as_array);
        for (index, item) in output.into_iter().flatten().enumerate() {
            if !is_call(item) {
                continue;
            }
            let index = index as u64;
            let id = item.get("call_id").and_then(Value::as_str);
            let known = id.and_then(|id| self.by_call.get(id).copied());
            let at = match known.or_else(|| self.by_index.get(&index).copied()) {
                Some(at) => at,
                None => self.begin(Some(index), budget)?,
            };
            self.take(at, item, budget)?;
            if let Some(own) = self.items.get_mut(at) {
                own.index = Some(index);
            }
        }
        Ok(())
    }
}

impl Item {
    /// Takes the name and the whole arguments, which stand for every delta before them. Empty ones
    /// after deltas say nothing: an item begins with them, and some gateways end with them.
    fn whole(&mut self, item: &Value, budget: &mut Budget) -> Result<(), WireError> {
        let name = item.get("name").and_then(Value::as_str);
        if let Some(name) = name.filter(|name| !name.is_empty() && *name != self.name) {
            self.name = budget.text(name)?;
        }
        let Some(whole) = item.get("arguments") else {
            return Ok(());
        };
        let same = match (&self.arguments, whole) {
            (_, Value::Null) => true,
            (Gathered::Text(own), Value::String(text)) => text.is_empty() || own == text,
            (Gathered::Value(own), value) => own == value || value == "",
            _ => false,
        };
        if !same {
            self.arguments = Gathered::Nothing;
            self.arguments.add(whole, budget)?;
        }
        Ok(())
    }
}

fn is_call(item: &Value) -> bool {
    item.get("type").and_then(Value::as_str) == Some("function_call")
}
