//! What became of one call.

use callmend_stage::{Edit, Rejection};
use serde_json::{Map, Value, json};
use std::fmt;

/// Says in one word what became of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// The arguments are what was sent.
    Clean,
    /// The arguments were repaired; every edit is recorded.
    Repaired,
    /// Nothing may be dispatched.
    Unrepairable,
}

impl Status {
    /// Returns the word that an outcome line uses.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Repaired => "repaired",
            Self::Unrepairable => "unrepairable",
        }
    }

    /// Says whether the call may be dispatched.
    pub const fn is_dispatchable(self) -> bool {
        !matches!(self, Self::Unrepairable)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What became of one call (contract, section 3).
///
/// `arguments` is there exactly when the call may be dispatched, `rejection` exactly when it may
/// not. A call that was refused late keeps the edits made before, for the audit.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Outcome<'a> {
    /// What became of the call, in one word.
    pub status: Status,
    /// The arguments to dispatch, always an object.
    pub arguments: Option<Value>,
    /// What was changed, in order, as JSON Patch operations (RFC 6902): applied to what was sent,
    /// they give `arguments`.
    pub edits: Vec<Edit<'a>>,
    /// Lines for the model: what to do next time, or what else to mind when sending again.
    pub hints: Vec<String>,
    /// Why the call may not be dispatched.
    pub rejection: Option<Rejection>,
    /// The text of a clean call that was delivered as text, unchanged.
    pub text: Option<&'a str>,
}

impl<'a> Outcome<'a> {
    pub(crate) fn dispatchable(
        arguments: Value,
        text: Option<&'a str>,
        edits: Vec<Edit<'a>>,
    ) -> Self {
        let status = if edits.is_empty() {
            Status::Clean
        } else {
            Status::Repaired
        };
        let mut hints = Vec::new();
        for hint in edits.iter().filter_map(|edit| edit.hint.as_ref()) {
            if hints.last() != Some(hint) {
                hints.push(hint.clone());
            }
        }
        Self {
            status,
            arguments: Some(arguments),
            edits,
            hints,
            rejection: None,
            text,
        }
    }

    /// Makes the outcome of a call that a host refuses itself, before any stage has seen it.
    pub fn unrepairable(rejection: Rejection) -> Self {
        Self::refused(Vec::new(), rejection)
    }

    pub(crate) fn refused(edits: Vec<Edit<'a>>, rejection: Rejection) -> Self {
        Self {
            status: Status::Unrepairable,
            arguments: None,
            edits,
            hints: rejection.hints.clone(),
            rejection: Some(rejection),
            text: None,
        }
    }

    /// Says whether the call may be dispatched.
    pub fn is_dispatchable(&self) -> bool {
        self.status.is_dispatchable()
    }

    /// Builds the outcome as an outcome line has it: `status`, `arguments` (absent exactly when
    /// unrepairable), `edits`, `hints`, and the `rejection` if there is one.
    ///
    /// The command puts `id` and `tool` before it.
    pub fn to_json(&self) -> Value {
        let mut out = Map::new();
        out.insert("status".to_owned(), json!(self.status.as_str()));
        if let Some(arguments) = &self.arguments {
            out.insert("arguments".to_owned(), arguments.clone());
        }
        let edits = self.edits.iter().map(Edit::to_json).collect();
        out.insert("edits".to_owned(), Value::Array(edits));
        out.insert("hints".to_owned(), json!(self.hints));
        if let Some(rejection) = &self.rejection {
            out.insert("rejection".to_owned(), rejection.to_json());
        }
        Value::Object(out)
    }

    /// Takes its own copy of what the edits share with the caller's text.
    ///
    /// `text` is given up: it is the caller's own.
    pub fn into_owned(self) -> Outcome<'static> {
        Outcome {
            status: self.status,
            arguments: self.arguments,
            edits: self.edits.into_iter().map(Edit::into_owned).collect(),
            hints: self.hints,
            rejection: self.rejection,
            text: None,
        }
    }
}
