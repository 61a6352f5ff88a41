//! Adds up the calls of a stream, within a bound.

use crate::{Arguments, Format, WireCall, WireError};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;

/// How many bytes of names, ids and arguments an [`Accumulator`] holds at most, unless told
/// otherwise: 16 MiB.
pub const DEFAULT_LIMIT: usize = 16 * 1024 * 1024;

/// What one call costs, beside its text.
const CALL_COST: usize = 128;

/// Adds up the calls of one stream.
///
/// Each event is the parsed JSON of one server-sent event, one line or one chunk, in the order in
/// which they came; events that carry nothing of a call are ignored. The calls are given when the
/// stream ends, since only its last events say whether the provider finished. A call of a stream
/// that ended without a finish reason has [`complete`](WireCall::complete) `Some(false)`, and the
/// cascade refuses it.
///
/// Where the bounds of a call had to be guessed (a server that reuses or omits `index`), a finish
/// counts as unknown, so that no bracket is ever supplied to half a call.
///
/// ```
/// use callmend_wire::{Arguments, Format};
/// use serde_json::json;
///
/// let mut stream = Format::Anthropic.accumulator();
/// for event in [
///     json!({"type": "content_block_start", "index": 0,
///            "content_block": {"type": "tool_use", "id": "t1", "name": "find", "input": {}}}),
///     json!({"type": "content_block_delta", "index": 0,
///            "delta": {"type": "input_json_delta", "partial_json": "{\"query\":"}}),
///     json!({"type": "content_block_delta", "index": 0,
///            "delta": {"type": "input_json_delta", "partial_json": " \"lime\"}"}}),
///     json!({"type": "content_block_stop", "index": 0}),
///     json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}}),
///     json!({"type": "message_stop"}),
/// ] {
///     stream.push(&event)?;
/// }
/// let calls = stream.finish();
/// assert_eq!(calls[0].arguments, Arguments::Text("{\"query\": \"lime\"}".into()));
/// assert_eq!(calls[0].complete, Some(true));
/// # Ok::<(), callmend_wire::WireError>(())
/// ```
pub struct Accumulator {
    format: Format,
    gather: Box<dyn Gather>,
    budget: Budget,
    failed: Option<WireError>,
}

impl Accumulator {
    pub(crate) fn new(format: Format, gather: Box<dyn Gather>, limit: usize) -> Self {
        Self {
            format,
            gather,
            budget: Budget { left: limit, limit },
            failed: None,
        }
    }

    /// Returns the format of the stream.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Takes the next event.
    ///
    /// # Errors
    ///
    /// [`WireError::TooLarge`] when the calls come to more than the limit; every later event then
    /// gives the same error, and every call that was gathered counts as cut off.
    pub fn push(&mut self, event: &Value) -> Result<(), WireError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let done = self.gather.push(event, &mut self.budget);
        if let Err(error) = &done {
            self.failed = Some(error.clone());
        }
        done
    }

    /// Ends the stream and gives its calls, in the order in which they stand in the response.
    pub fn finish(self) -> Vec<WireCall<'static>> {
        let mut calls = self.gather.finish();
        if self.failed.is_some() {
            for call in &mut calls {
                call.complete = Some(false);
            }
        }
        calls
    }
}

impl fmt::Debug for Accumulator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accumulator")
            .field("format", &self.format)
            .field("budget", &self.budget)
            .finish_non_exhaustive()
    }
}

/// What each format's accumulator does.
pub(crate) trait Gather: Send {
    fn push(&mut self, event: &Value, budget: &mut Budget) -> Result<(), WireError>;
    fn finish(self: Box<Self>) -> Vec<WireCall<'static>>;
}

/// How much an accumulator may still hold.
#[derive(Debug)]
pub(crate) struct Budget {
    left: usize,
    limit: usize,
}

impl Budget {
    /// Takes room for some bytes.
    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), WireError> {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(WireError::TooLarge { limit: self.limit }),
        }
    }

    /// Takes room for one more call.
    pub(crate) fn call(&mut self) -> Result<(), WireError> {
        self.take(CALL_COST)
    }

    /// Copies a text, within the bound.
    pub(crate) fn text(&mut self, text: &str) -> Result<String, WireError> {
        self.take(text.len())?;
        Ok(text.to_owned())
    }

    /// Copies a value, within the bound.
    pub(crate) fn value(&mut self, value: &Value) -> Result<Value, WireError> {
        self.take(size(value))?;
        Ok(value.clone())
    }
}

/// Estimates what a value takes up.
fn size(value: &Value) -> usize {
    let mut total = 0_usize;
    let mut work = vec![value];
    while let Some(value) = work.pop() {
        total = total.saturating_add(std::mem::size_of::<Value>());
        match value {
            Value::String(text) => total = total.saturating_add(text.len()),
            Value::Array(items) => work.extend(items),
            Value::Object(members) => {
                for (key, value) in members {
                    total = total.saturating_add(key.len() + std::mem::size_of::<String>());
                    work.push(value);
                }
            }
            _ => {}
        }
    }
    total
}

/// The arguments of a call that is still coming in.
#[derive(Debug, Default)]
pub(crate) enum Gathered {
    #[default]
    Nothing,
    Text(String),
    Value(Value),
}

impl Gathered {
    /// Adds one piece; says whether it fits what came before.
    pub(crate) fn add(&mut self, piece: &Value, budget: &mut Budget) -> Result<bool, WireError> {
        match (&mut *self, piece) {
            (_, Value::Null) => Ok(true),
            (Self::Text(text), Value::String(more)) => {
                budget.take(more.len())?;
                text.push_str(more);
                Ok(true)
            }
            (Self::Nothing, Value::String(text)) => {
                *self = Self::Text(budget.text(text)?);
                Ok(true)
            }
            (Self::Nothing, value) => {
                *self = Self::Value(budget.value(value)?);
                Ok(true)
            }
            (Self::Text(text), value) if text.is_empty() => {
                *self = Self::Value(budget.value(value)?);
                Ok(true)
            }
            // A server that sends the whole value again says nothing new.
            (Self::Value(one), other) => Ok(*one == *other || other == ""),
            (Self::Text(_), _) => Ok(false),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Nothing => true,
            Self::Text(text) => text.is_empty(),
            Self::Value(_) => false,
        }
    }

    pub(crate) fn into_arguments(self) -> Arguments<'static> {
        match self {
            Self::Nothing => Arguments::Nothing,
            Self::Text(text) => Arguments::Text(Cow::Owned(text)),
            Self::Value(value) => Arguments::Value(Cow::Owned(value)),
        }
    }
}

/// Makes a call of what was gathered.
pub(crate) fn call(format: Format, name: String, arguments: Gathered) -> WireCall<'static> {
    let mut call = WireCall::new(format, None, arguments.into_arguments());
    call.name = Cow::Owned(name);
    call
}

/// Keeps the more cautious of two finish reasons: once stopped early, always stopped early.
pub(crate) fn cautious(before: Option<Option<bool>>, now: Option<bool>) -> Option<bool> {
    match (before, now) {
        (Some(Some(false)), _) | (_, Some(false)) => Some(false),
        (_, now) => now,
    }
}
