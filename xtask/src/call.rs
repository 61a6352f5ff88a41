//! A call as it was delivered, and the independent checks that every task makes of its outcome.

use anyhow::{Context as _, Result, anyhow};
use callmend_stage::{Delivered, Draft};
use serde_json::Value;

/// Arguments as delivered, owned.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Sent {
    /// No arguments at all.
    Nothing,
    /// Text.
    Text(String),
    /// A value.
    Value(Value),
}

impl Sent {
    /// Reads the `arguments` of a fixture or a call line: a JSON string is text.
    pub(crate) fn from_json(arguments: Option<&Value>) -> Self {
        match arguments {
            None => Self::Nothing,
            Some(Value::String(text)) => Self::Text(text.clone()),
            Some(value) => Self::Value(value.clone()),
        }
    }

    /// Makes the draft that a cascade starts from.
    pub(crate) fn draft(&self, complete: Option<bool>) -> Draft<'_> {
        let delivered = match self {
            Self::Nothing => Delivered::Nothing,
            Self::Text(text) => Delivered::Text(text),
            Self::Value(value) => Delivered::Value(value.clone()),
        };
        Draft::new(delivered).with_complete(complete)
    }

    /// Returns what the edits apply to: a strict text's object, any other text as a string.
    pub(crate) fn start(&self) -> Value {
        match self {
            Self::Nothing => Value::Null,
            Self::Value(value) => value.clone(),
            Self::Text(text) => match serde_json::from_str(text) {
                Ok(object @ Value::Object(_)) => object,
                _ => Value::String(text.clone()),
            },
        }
    }

    /// Returns the text whose parts every returned scalar must be (property P2).
    pub(crate) fn source(&self) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::Text(text) => text.clone(),
            Self::Value(value) => value.to_string(),
        }
    }

    /// Shows the arguments in a report, clipped.
    pub(crate) fn shown(&self, limit: usize) -> String {
        match self {
            Self::Nothing => "(nothing)".to_owned(),
            Self::Text(text) => format!("text {}", clip(text, limit)),
            Self::Value(value) => format!("value {}", clip(&value.to_string(), limit)),
        }
    }
}

/// Cuts a text for a report.
pub(crate) fn clip(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    let head: String = text.chars().take(limit * 2 / 3).collect();
    let tail: Vec<char> = text.chars().rev().take(limit / 3).collect();
    let tail: String = tail.into_iter().rev().collect();
    format!("{head} … {tail}")
}

/// Applies recorded edits (as they stand in an outcome line) with a JSON Patch library that
/// knows nothing of callmend.
pub(crate) fn replay(sent: &Sent, edits: &Value) -> Result<Value> {
    let mut value = sent.start();
    let patch: json_patch::Patch =
        serde_json::from_value(edits.clone()).context("the edits are not a JSON Patch")?;
    json_patch::patch(&mut value, &patch)
        .map_err(|error| anyhow!("the edits do not apply: {error}"))?;
    Ok(value)
}
