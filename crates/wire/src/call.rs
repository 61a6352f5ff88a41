//! One call as it stands on the wire.

use crate::Format;
use callmend_stage::{Delivered, Draft};
use serde_json::{Map, Number, Value};
use std::borrow::Cow;
use std::fmt;

/// One tool call as it stands in a body, or as a stream added it up.
///
/// It borrows from the body that it was read from; [`WireCall::into_owned`] lets it outlive it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct WireCall<'b> {
    /// The format that it was read from.
    pub format: Format,
    /// The tool's name as sent; empty when the call names none.
    pub name: Cow<'b, str>,
    /// The namespace of the tool, where the format has them (OpenAI Responses); see
    /// [`WireCall::tool`].
    pub namespace: Option<Cow<'b, str>>,
    /// The arguments as delivered.
    pub arguments: Arguments<'b>,
    /// What a result must carry to be matched to this call.
    pub id: Option<CallId>,
    /// Where the arguments stand, as a JSON Pointer (RFC 6901) into the body; for a streamed call,
    /// into the response that the stream adds up to. Where nothing was sent, nothing stands there.
    pub pointer: String,
    /// What the finish reason says: `Some(true)` when the provider finished, `Some(false)` when it
    /// stopped early, `None` when the body does not tell.
    pub complete: Option<bool>,
    /// Whether the same body already holds a result for this call, as the history in a request
    /// does.
    pub answered: bool,
    pub(crate) kind: Kind,
}

/// What a result's form depends on, beside the format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Kind {
    #[default]
    Plain,
    /// OpenAI's `function_call`, which predates `tool_calls`.
    Legacy,
    /// An MCP request that names its protocol version, whose result must say its type.
    TypedResult,
}

impl<'b> WireCall<'b> {
    pub(crate) fn new(format: Format, name: Option<&'b Value>, arguments: Arguments<'b>) -> Self {
        let name = name.and_then(Value::as_str).unwrap_or_default();
        Self {
            format,
            name: Cow::Borrowed(name),
            namespace: None,
            arguments,
            id: None,
            pointer: String::new(),
            complete: None,
            answered: false,
            kind: Kind::Plain,
        }
    }

    /// Returns the name of the tool as [`Format::tools_from`] gives it: `name`, or
    /// `namespace.name` for a tool in a namespace.
    pub fn tool(&self) -> Cow<'_, str> {
        match &self.namespace {
            Some(space) => Cow::Owned(format!("{space}.{}", self.name)),
            None => Cow::Borrowed(&self.name),
        }
    }

    /// Makes the draft that goes through the cascade: the arguments as delivered, with what is
    /// known of completeness. Text is shared; a value is cloned.
    ///
    /// ```
    /// use callmend_wire::Format;
    /// use serde_json::json;
    ///
    /// let body = json!({"content": [{"type": "tool_use", "id": "t", "name": "f", "input": {"a": 1}}],
    ///                   "stop_reason": "max_tokens"});
    /// let calls = Format::Anthropic.calls_from(&body);
    /// assert_eq!(calls[0].draft().complete(), Some(false));
    /// ```
    pub fn draft(&self) -> Draft<'_> {
        let delivered = match &self.arguments {
            Arguments::Nothing => Delivered::Nothing,
            Arguments::Text(text) => Delivered::Text(text),
            Arguments::Value(value) => Delivered::Value(value.clone().into_owned()),
        };
        Draft::new(delivered).with_complete(self.complete)
    }

    /// Takes its own copy of what it shares with the body.
    pub fn into_owned(self) -> WireCall<'static> {
        WireCall {
            format: self.format,
            name: Cow::Owned(self.name.into_owned()),
            namespace: self.namespace.map(|space| Cow::Owned(space.into_owned())),
            arguments: self.arguments.into_owned(),
            id: self.id,
            pointer: self.pointer,
            complete: self.complete,
            answered: self.answered,
            kind: self.kind,
        }
    }
}

/// Arguments as they were delivered on the wire.
#[derive(Debug, Clone, PartialEq)]
pub enum Arguments<'b> {
    /// No arguments at all.
    Nothing,
    /// Text, as OpenAI delivers it.
    Text(Cow<'b, str>),
    /// A JSON value, as the other formats deliver it.
    Value(Cow<'b, Value>),
}

impl<'b> Arguments<'b> {
    /// Reads the member `key`: a string is text, whatever the format.
    pub(crate) fn of(parent: Option<&'b Map<String, Value>>, key: &str) -> Self {
        match parent.and_then(|parent| parent.get(key)) {
            None => Self::Nothing,
            Some(Value::String(text)) => Self::Text(Cow::Borrowed(text)),
            Some(value) => Self::Value(Cow::Borrowed(value)),
        }
    }

    /// Takes its own copy of what it shares with the body.
    pub fn into_owned(self) -> Arguments<'static> {
        match self {
            Self::Nothing => Arguments::Nothing,
            Self::Text(text) => Arguments::Text(Cow::Owned(text.into_owned())),
            Self::Value(value) => Arguments::Value(Cow::Owned(value.into_owned())),
        }
    }
}

/// What matches a result to its call: a string everywhere, or a number in JSON-RPC.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum CallId {
    /// A string.
    Text(String),
    /// A JSON-RPC number.
    Number(Number),
}

impl CallId {
    pub(crate) fn text(id: Option<&Value>) -> Option<Self> {
        id.and_then(Value::as_str)
            .map(|id| Self::Text(id.to_owned()))
    }

    /// Builds the JSON value, of the type that was sent.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Text(id) => Value::String(id.clone()),
            Self::Number(id) => Value::Number(id.clone()),
        }
    }

    /// Returns the id when it is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(id) => Some(id),
            Self::Number(_) => None,
        }
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(id) => f.write_str(id),
            Self::Number(id) => write!(f, "{id}"),
        }
    }
}
