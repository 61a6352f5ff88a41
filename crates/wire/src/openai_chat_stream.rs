//! The stream of OpenAI Chat Completions.
//!
//! Facts: the streaming reference of `POST /v1/chat/completions` (`choices[].delta.tool_calls[]`
//! with `index`, the id and the name in a call's first chunk). Many servers bend it, as their issue
//! trackers say: they leave `index` out, send `0` for every parallel call, send an empty id, or the
//! id and the name again with each chunk. What begins a new call is therefore decided here, in
//! [`Choice::place`], and a call whose bounds were guessed never counts as finished.

use crate::call::Kind;
use crate::openai_chat::OpenAiChat;
use crate::stream::{Budget, Gather, Gathered, call, cautious};
use crate::wire::Wire;
use crate::{CallId, Format, WireCall, WireError};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

#[derive(Default)]
pub(crate) struct ChatStream {
    choices: BTreeMap<u64, Choice>,
}

#[derive(Default)]
struct Choice {
    calls: Vec<Open>,
    /// The newest call at each `index`.
    by_index: HashMap<u64, usize>,
    by_id: HashMap<String, usize>,
    legacy: Option<Open>,
    reason: Option<Option<bool>>,
}

#[derive(Default)]
struct Open {
    index: Option<u64>,
    id: Option<String>,
    name: String,
    arguments: Gathered,
    custom: bool,
    /// Where it begins or ends was guessed.
    guessed: bool,
    /// Its pieces contradict one another.
    broken: bool,
}

/// Where a chunk of a call belongs.
enum Place {
    Old(usize),
    New { guessed: bool },
}

impl Gather for ChatStream {
    fn push(&mut self, event: &Value, budget: &mut Budget) -> Result<(), WireError> {
        let choices = event.get("choices").and_then(Value::as_array);
        for choice in choices.into_iter().flatten() {
            let index = choice.get("index").and_then(Value::as_u64).unwrap_or(0);
            let delta = choice.get("delta");
            let chunks = delta
                .and_then(|delta| delta.get("tool_calls"))
                .and_then(Value::as_array);
            let legacy = delta
                .and_then(|delta| delta.get("function_call"))
                .filter(|legacy| legacy.is_object());
            let reason = choice.get("finish_reason").and_then(Value::as_str);
            if chunks.is_none_or(Vec::is_empty) && legacy.is_none() && reason.is_none() {
                continue;
            }
            let choice = match self.choices.entry(index) {
                std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
                std::collections::btree_map::Entry::Vacant(entry) => {
                    budget.call()?;
                    entry.insert(Choice::default())
                }
            };
            for chunk in chunks.into_iter().flatten() {
                choice.chunk(chunk, budget)?;
            }
            if let Some(function) = legacy {
                if choice.legacy.is_none() {
                    budget.call()?;
                }
                choice
                    .legacy
                    .get_or_insert_default()
                    .function(function, budget)?;
            }
            if let Some(reason) = reason {
                choice.reason = Some(cautious(choice.reason, OpenAiChat.finished(reason)));
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Vec<WireCall<'static>> {
        let mut calls = Vec::new();
        for (place, choice) in self.choices.into_values().enumerate() {
            let at = format!("/choices/{place}/message");
            choice.finish(&at, &mut calls);
        }
        calls
    }
}

impl Choice {
    fn chunk(&mut self, chunk: &Value, budget: &mut Budget) -> Result<(), WireError> {
        let text = |key: &str| {
            let text = chunk.get(key).and_then(Value::as_str);
            text.filter(|text| !text.is_empty())
        };
        let index = chunk.get("index").and_then(Value::as_u64);
        let id = text("id");
        let function = chunk.get("function").unwrap_or(&Value::Null);
        let name = function.get("name").and_then(Value::as_str);
        let name = name.filter(|name| !name.is_empty());
        let at = match self.place(index, id, name) {
            Place::Old(at) => at,
            Place::New { guessed } => {
                budget.call()?;
                let id_as_sent = chunk.get("id").and_then(Value::as_str);
                let open = Open {
                    index,
                    id: id_as_sent.map(|id| budget.text(id)).transpose()?,
                    guessed,
                    ..Open::default()
                };
                self.calls.push(open);
                let at = self.calls.len() - 1;
                if let Some(index) = index {
                    let before = self.by_index.insert(index, at);
                    if let Some(open) = before.and_then(|before| self.calls.get_mut(before)) {
                        open.guessed = true;
                    }
                }
                at
            }
        };
        if let Some(id) = id {
            self.by_id.entry(budget.text(id)?).or_insert(at);
        }
        let Some(open) = self.calls.get_mut(at) else {
            return Ok(());
        };
        if let Some(id) = id.filter(|_| open.id.as_ref().is_none_or(String::is_empty)) {
            open.id = Some(budget.text(id)?);
        }
        open.custom |= text("type") == Some("custom") || chunk.get("custom").is_some();
        open.function(function, budget)
    }

    /// Finds the call that a chunk continues, or says that it begins one.
    fn place(&self, index: Option<u64>, id: Option<&str>, name: Option<&str>) -> Place {
        let by_id = id.and_then(|id| self.by_id.get(id).copied());
        let Some(index) = index else {
            return match (by_id, id.or(name), self.calls.len().checked_sub(1)) {
                (Some(at), _, _) => Place::Old(at),
                // An id alone, without a name, begins nothing: some servers make one up per chunk.
                (None, _, Some(last)) if name.is_none() => Place::Old(last),
                _ => Place::New { guessed: true },
            };
        };
        let Some(at) = self.by_index.get(&index).copied() else {
            return Place::New { guessed: false };
        };
        let Some(open) = self.calls.get(at) else {
            return Place::New { guessed: true };
        };
        let own = open.id.as_deref().filter(|own| !own.is_empty());
        match (own, id) {
            (Some(own), Some(id)) if own != id => match by_id {
                Some(other) => Place::Old(other),
                None if name.is_some() => Place::New { guessed: true },
                None => Place::Old(at),
            },
            (Some(_), Some(_)) => Place::Old(at),
            _ => {
                let begun = !open.arguments.is_empty();
                let other = name.is_some_and(|name| name != open.name);
                if begun && other {
                    Place::New { guessed: true }
                } else {
                    Place::Old(at)
                }
            }
        }
    }

    fn finish(mut self, at: &str, calls: &mut Vec<WireCall<'static>>) {
        let indexed = self.calls.iter().all(|open| open.index.is_some());
        if indexed && self.by_index.len() == self.calls.len() {
            self.calls.sort_by_key(|open| open.index);
        }
        let has_calls = !self.calls.is_empty();
        for (place, open) in self.calls.into_iter().enumerate() {
            if open.custom {
                continue;
            }
            let pointer = format!("{at}/tool_calls/{place}/function/arguments");
            calls.push(open.finish(pointer, self.reason));
        }
        if let Some(open) = self.legacy.filter(|_| !has_calls) {
            let mut call = open.finish(format!("{at}/function_call/arguments"), self.reason);
            call.kind = Kind::Legacy;
            calls.push(call);
        }
    }
}

impl Open {
    fn function(&mut self, function: &Value, budget: &mut Budget) -> Result<(), WireError> {
        let name = function.get("name").and_then(Value::as_str);
        // Sent again with each chunk, it is the same name; else it is the rest of it.
        if let Some(name) = name.filter(|name| *name != self.name) {
            self.name.push_str(&budget.text(name)?);
        }
        if let Some(piece) = function.get("arguments") {
            self.broken |= !self.arguments.add(piece, budget)?;
        }
        Ok(())
    }

    fn finish(self, pointer: String, reason: Option<Option<bool>>) -> WireCall<'static> {
        let mut call = call(Format::OpenAiChat, self.name, self.arguments);
        call.id = self.id.map(CallId::Text);
        call.pointer = pointer;
        call.complete = match reason {
            None => Some(false),
            Some(_) if self.broken => Some(false),
            Some(Some(true)) if self.guessed => None,
            Some(complete) => complete,
        };
        call
    }
}
