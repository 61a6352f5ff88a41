//! Changes (what a stage plans), edits (what was done), and the RFC 6902 operations of both.

use crate::{Code, pointer};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// One JSON Patch operation (RFC 6902, section 4), of the four that a repair needs.
///
/// Paths are JSON Pointers (RFC 6901).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Op {
    /// Puts a value where none was.
    Add {
        /// Where.
        path: String,
        /// What.
        value: Value,
    },
    /// Takes a value away.
    Remove {
        /// Where.
        path: String,
    },
    /// Puts a value in another's place.
    Replace {
        /// Where.
        path: String,
        /// What.
        value: Value,
    },
    /// Gives a value another place; within one object the key keeps its position.
    Move {
        /// Where from.
        from: String,
        /// Where to: nothing may stand there.
        path: String,
    },
}

impl Op {
    /// Returns the operation's name in JSON Patch.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Add { .. } => "add",
            Self::Remove { .. } => "remove",
            Self::Replace { .. } => "replace",
            Self::Move { .. } => "move",
        }
    }

    /// Returns the `path` of the operation.
    pub fn path(&self) -> &str {
        match self {
            Self::Add { path, .. }
            | Self::Remove { path }
            | Self::Replace { path, .. }
            | Self::Move { path, .. } => path,
        }
    }

    /// Returns the `from` of a move.
    pub fn from(&self) -> Option<&str> {
        match self {
            Self::Move { from, .. } => Some(from),
            _ => None,
        }
    }

    /// Returns the value of an add or a replace.
    pub fn value(&self) -> Option<&Value> {
        match self {
            Self::Add { value, .. } | Self::Replace { value, .. } => Some(value),
            _ => None,
        }
    }
}

/// One rewrite that a stage asks for: an operation, a stable code, and a line for the model.
///
/// ```
/// use callmend_stage::{Change, Code};
///
/// let change = Change::rename("", "filepath", "path", Code::new("alias"))
///     .hint("pass `path`, not `filepath`");
/// assert_eq!(change.op.from(), Some("/filepath"));
/// assert_eq!(change.op.path(), "/path");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Change {
    /// What to do.
    pub op: Op,
    /// Why, as a stable code.
    pub code: Code,
    /// What the model should do next time.
    pub hint: Option<String>,
    /// The relaxations of a lenient reading (contract, section 4), each once, in bytewise order.
    pub relaxed: Vec<&'static str>,
}

impl Change {
    /// Makes a change from its operation.
    pub fn new(op: Op, code: Code) -> Self {
        Self {
            op,
            code,
            hint: None,
            relaxed: Vec::new(),
        }
    }

    /// Puts `value` in the place of what stands at `path`.
    pub fn replace(path: impl Into<String>, value: Value, code: Code) -> Self {
        let path = path.into();
        Self::new(Op::Replace { path, value }, code)
    }

    /// Puts `value` at `path`, where nothing stands.
    pub fn add(path: impl Into<String>, value: Value, code: Code) -> Self {
        let path = path.into();
        Self::new(Op::Add { path, value }, code)
    }

    /// Takes away what stands at `path`.
    pub fn remove(path: impl Into<String>, code: Code) -> Self {
        Self::new(Op::Remove { path: path.into() }, code)
    }

    /// Gives the member `from` of the object at `parent` the name `to`; it keeps its position.
    pub fn rename(parent: &str, from: &str, to: &str, code: Code) -> Self {
        let at = |key| {
            let mut path = parent.to_owned();
            pointer::push(&mut path, key);
            path
        };
        Self::new(
            Op::Move {
                from: at(from),
                path: at(to),
            },
            code,
        )
    }

    /// Adds the line for the model.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds the relaxations of a lenient reading.
    #[must_use]
    pub fn relaxed(mut self, relaxed: Vec<&'static str>) -> Self {
        self.relaxed = relaxed;
        self
    }
}

/// What stood in a place before an edit.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Before<'a> {
    /// The text that was sent, shared with the caller.
    Text(Cow<'a, str>),
    /// A value.
    Value(Value),
}

impl Before<'_> {
    /// Builds the JSON value: a text is a JSON string.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Text(text) => Value::String(text.clone().into_owned()),
            Self::Value(value) => value.clone(),
        }
    }

    fn into_owned(self) -> Before<'static> {
        match self {
            Self::Text(text) => Before::Text(Cow::Owned(text.into_owned())),
            Self::Value(value) => Before::Value(value),
        }
    }
}

/// One recorded rewrite.
///
/// The operations of a call's edits, applied in order to what was sent, give the arguments that
/// the cascade returned, equal as JSON (property P5). A strict text was sent as its parsed
/// object, any other text as a JSON string, and nothing as `null`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Edit<'a> {
    /// The id of the stage that asked for it.
    pub stage: &'static str,
    /// Why, as a stable code.
    pub code: Code,
    /// What was done.
    pub op: Op,
    /// What stood there before; absent for an add and a move.
    pub before: Option<Before<'a>>,
    /// What the model should do next time.
    pub hint: Option<String>,
    /// The relaxations of a lenient reading.
    pub relaxed: Vec<&'static str>,
}

impl Edit<'_> {
    /// Builds the edit as it stands in an outcome line: an RFC 6902 operation with `stage`,
    /// `code`, `before` and `relaxed` beside it.
    pub fn to_json(&self) -> Value {
        let mut out = Map::new();
        let mut put = |key: &str, value| out.insert(key.to_owned(), value);
        put("stage", json!(self.stage));
        put("code", json!(self.code.as_str()));
        put("op", json!(self.op.name()));
        put("path", json!(self.op.path()));
        if let Some(from) = self.op.from() {
            put("from", json!(from));
        }
        if let Some(value) = self.op.value() {
            put("value", value.clone());
        }
        if let Some(before) = &self.before {
            put("before", before.to_json());
        }
        if !self.relaxed.is_empty() {
            put("relaxed", json!(self.relaxed));
        }
        Value::Object(out)
    }

    /// Takes its own copy of what it shares with the caller's text.
    pub fn into_owned(self) -> Edit<'static> {
        Edit {
            stage: self.stage,
            code: self.code,
            op: self.op,
            before: self.before.map(Before::into_owned),
            hint: self.hint,
            relaxed: self.relaxed,
        }
    }
}
