//! Why a call is not dispatched, and the envelope that says so.

use serde_json::{Value, json};
use std::fmt;

/// A stable name for one kind of edit or rejection, such as `unknown-argument`.
///
/// Codes are kebab-case, never reused and never reworded; messages may be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(&'static str);

impl Code {
    /// The draft could not take a change that a stage planned: a bug in that stage.
    pub const INTERNAL: Self = Self("internal-error");

    /// Names a code.
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// Returns the name.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Code({})", self.0)
    }
}

/// Says why a call is not dispatched, and what the model should send instead.
///
/// ```
/// use callmend_stage::{Code, Rejection};
///
/// const REQUIRED: Code = Code::new("required");
/// let rejection = Rejection::new("argument-validate", REQUIRED, "`query` is required (find takes query)")
///     .at("/query");
/// assert_eq!(rejection.envelope()["data"]["reason"], "`query` is required (find takes query)");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Rejection {
    /// The id of the stage that refused.
    pub stage: &'static str,
    /// The stable code.
    pub code: Code,
    /// The message for the model, tail included.
    pub message: String,
    /// More lines for the model.
    pub hints: Vec<String>,
    /// Where, as a JSON Pointer (RFC 6901) into the arguments.
    pub path: Option<String>,
    /// The corrected arguments as canonical JSON (contract, section 10.5), when they can be
    /// spelled.
    pub fix: Option<String>,
}

impl Rejection {
    /// Makes a rejection from its stage, code and whole message.
    pub fn new(stage: &'static str, code: Code, message: impl Into<String>) -> Self {
        Self {
            stage,
            code,
            message: message.into(),
            hints: Vec::new(),
            path: None,
            fix: None,
        }
    }

    /// Adds the place, as a JSON Pointer.
    #[must_use]
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Adds a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Adds the corrected arguments, as canonical JSON text.
    #[must_use]
    pub fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }

    /// Builds the error envelope that goes to the model (contract, section 10.8).
    pub fn envelope(&self) -> Value {
        let mut data = json!({ "reason": self.message, "hint": "arguments" });
        if let (Some(fix), Some(data)) = (&self.fix, data.as_object_mut()) {
            data.insert("fix".to_owned(), Value::String(fix.clone()));
        }
        json!({
            "error": "filter_invalid",
            "message": self.message,
            "data": data,
            "retriable": false,
        })
    }

    /// Builds the `rejection` object of an outcome line: the envelope, with the stage, the code
    /// and the place.
    pub fn to_json(&self) -> Value {
        let mut out = json!({ "stage": self.stage, "code": self.code.as_str() });
        if let Some(object) = out.as_object_mut() {
            if let Some(path) = &self.path {
                object.insert("path".to_owned(), Value::String(path.clone()));
            }
            if let Value::Object(envelope) = self.envelope() {
                object.extend(envelope);
            }
        }
        out
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Rejection {}
