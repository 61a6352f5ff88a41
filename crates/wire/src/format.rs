//! The formats, and what each of them can be asked.

use crate::wire::Wire;
use crate::{
    Accumulator, DEFAULT_LIMIT, WireCall, WireError, anthropic, gemini, mcp, message, ollama,
    openai_chat, openai_responses,
};
use callmend_stage::{Rejection, ToolBuilder, pointer};
use serde_json::Value;
use std::fmt;
use std::str::FromStr;

/// A wire format: how a provider or a protocol writes tools, calls and results.
///
/// ```
/// use callmend_wire::Format;
///
/// let format: Format = "openai-chat".parse()?;
/// assert_eq!(format, Format::OpenAiChat);
/// assert!("open-ai-chat".parse::<Format>().unwrap_err().to_string().contains("did you mean"));
/// # Ok::<(), callmend_wire::WireError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// OpenAI Chat Completions, and the many servers that speak it: arguments are text.
    OpenAiChat,
    /// OpenAI Responses: arguments are text.
    OpenAiResponses,
    /// Anthropic Messages: `input` is a value.
    Anthropic,
    /// Gemini `generateContent`: `args` is a value.
    Gemini,
    /// Ollama chat: `arguments` is a value.
    Ollama,
    /// The Model Context Protocol: `tools/list` and `tools/call` over JSON-RPC.
    Mcp,
}

impl Format {
    /// Every format, in the order of the documentation.
    pub const ALL: [Self; 6] = [
        Self::OpenAiChat,
        Self::OpenAiResponses,
        Self::Anthropic,
        Self::Gemini,
        Self::Ollama,
        Self::Mcp,
    ];

    /// Returns the name that commands and files use, such as `openai-chat`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OpenAiChat => "openai-chat",
            Self::OpenAiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
            Self::Mcp => "mcp",
        }
    }

    /// Reads the tools that a body declares: a request, a response that echoes its tools, or an
    /// MCP `tools/list` result. A body without tools gives an empty list.
    ///
    /// Tools that the provider runs itself, and tools whose input is free text, are left out: they
    /// have no arguments to repair. A tool with `strict: true` is marked
    /// [`Synthesized`](callmend_stage::Closure::Synthesized), since the provider's strict mode, not
    /// its author, closed the schema; it can still be overruled with
    /// [`ToolBuilder::closure`].
    ///
    /// # Errors
    ///
    /// A list of tools that is none, a tool without a name, a schema that is nested too deeply.
    pub fn tools_from(self, body: &Value) -> Result<Vec<ToolBuilder>, WireError> {
        self.wire().tools(body)
    }

    /// Reads the calls of a body, in the order in which they stand: those of a response, or those
    /// in the history of a request ([`WireCall::answered`] tells the ones that have a result).
    ///
    /// Calls that the provider runs itself and calls with free text for input are left alone. What
    /// is not of the format's form holds no calls; nothing panics.
    pub fn calls_from(self, body: &Value) -> Vec<WireCall<'_>> {
        self.wire().calls(body)
    }

    /// Gives the body with `arguments` in the place of one call's, and nothing else changed.
    ///
    /// Text stays text: in a format whose arguments are text they are written as compact JSON
    /// inside a string, unless the body had an object there. In the other formats they are written
    /// as the value. A call that came back clean needs no writing.
    ///
    /// # Errors
    ///
    /// [`WireError::NoPlace`] when `call` was not read from `body`.
    pub fn with_arguments(
        self,
        body: &Value,
        call: &WireCall<'_>,
        arguments: Value,
    ) -> Result<Value, WireError> {
        let mut body = body.clone();
        self.set_arguments(&mut body, &call.pointer, arguments)?;
        Ok(body)
    }

    /// Puts `arguments` at a call's [`pointer`](WireCall::pointer), as
    /// [`Format::with_arguments`] does, without a copy of the body.
    ///
    /// # Errors
    ///
    /// [`WireError::NoPlace`] when the body has no such place; it is unchanged then.
    pub fn set_arguments(
        self,
        body: &mut Value,
        pointer: &str,
        arguments: Value,
    ) -> Result<(), WireError> {
        let no_place = || WireError::NoPlace {
            at: pointer.to_owned(),
        };
        let (parent, key) = pointer::split_last(pointer).ok_or_else(no_place)?;
        let parent = body
            .pointer_mut(parent)
            .and_then(Value::as_object_mut)
            .ok_or_else(no_place)?;
        let as_text = matches!(
            parent.get(key.as_ref()),
            None | Some(Value::String(_) | Value::Null)
        );
        let written = if self.wire().writes_text() && as_text {
            Value::String(arguments.to_string())
        } else {
            arguments
        };
        parent.insert(key.into_owned(), written);
        Ok(())
    }

    /// Builds what the model must get in the place of a result: a `tool` message, a
    /// `function_call_output` item, a `tool_result` block with `is_error`, a `functionResponse`
    /// part, or an MCP response with `isError`. Its text is the message, then each hint on a line
    /// of its own, then the corrected arguments where they can be spelled.
    ///
    /// Where several results must go into one message (Anthropic, Gemini),
    /// [`Format::messages`] makes it.
    ///
    /// ```
    /// use callmend_stage::{Code, Rejection};
    /// use callmend_wire::Format;
    /// use serde_json::json;
    ///
    /// let body = json!({"content": [{"type": "tool_use", "id": "t1", "name": "find", "input": {}}]});
    /// let call = &Format::Anthropic.calls_from(&body)[0];
    /// let rejection = Rejection::new("argument-validate", Code::new("required"),
    ///     "`query` is required (find takes query)");
    /// assert_eq!(Format::Anthropic.rejection_for(call, &rejection), json!({
    ///     "type": "tool_result", "tool_use_id": "t1", "is_error": true,
    ///     "content": "`query` is required (find takes query)"
    /// }));
    /// ```
    pub fn rejection_for(self, call: &WireCall<'_>, rejection: &Rejection) -> Value {
        self.wire()
            .result(call, message::text(rejection), rejection)
    }

    /// Builds the messages to append for the results of one turn: Anthropic's `tool_result` blocks
    /// go into one `user` message, Gemini's parts into one content; the other formats send each
    /// result as it is. Results of calls that were dispatched may stand among them.
    pub fn messages(self, results: impl IntoIterator<Item = Value>) -> Vec<Value> {
        self.wire().messages(results.into_iter().collect())
    }

    /// Says what a finish reason of this format (`finish_reason`, `status`, `stop_reason`,
    /// `finishReason`, `done_reason`) tells of completeness: `None` for one that is not known.
    ///
    /// ```
    /// use callmend_wire::Format;
    /// assert_eq!(Format::OpenAiChat.finished("length"), Some(false));
    /// assert_eq!(Format::Gemini.finished("STOP"), Some(true));
    /// assert_eq!(Format::Anthropic.finished("new_reason"), None);
    /// ```
    pub fn finished(self, reason: &str) -> Option<bool> {
        self.wire().finished(reason)
    }

    /// Starts to add up the calls of one stream, holding at most [`DEFAULT_LIMIT`] bytes.
    pub fn accumulator(self) -> Accumulator {
        self.accumulator_with_limit(DEFAULT_LIMIT)
    }

    /// Starts to add up the calls of one stream, holding at most `limit` bytes of names, ids and
    /// arguments.
    pub fn accumulator_with_limit(self, limit: usize) -> Accumulator {
        Accumulator::new(self, self.wire().gather(), limit)
    }

    fn wire(self) -> &'static dyn Wire {
        match self {
            Self::OpenAiChat => &openai_chat::OpenAiChat,
            Self::OpenAiResponses => &openai_responses::OpenAiResponses,
            Self::Anthropic => &anthropic::Anthropic,
            Self::Gemini => &gemini::Gemini,
            Self::Ollama => &ollama::Ollama,
            Self::Mcp => &mcp::Mcp,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Format {
    type Err = WireError;

    fn from_str(name: &str) -> Result<Self, WireError> {
        let mut all = Self::ALL.into_iter();
        all.find(|format| format.as_str() == name)
            .ok_or_else(|| WireError::UnknownFormat {
                name: name.to_owned(),
            })
    }
}
