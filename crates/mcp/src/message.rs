//! Reads one line as JSON-RPC 2.0: which members a message has, and where they stand.

use crate::json::{self, Span};
use std::borrow::Cow;

/// One line.
#[derive(Debug)]
pub(crate) enum Shape<'a> {
    /// A message.
    One(Message<'a>),
    /// A batch, as revision 2025-03-26 of the protocol has it, with the place of each element.
    Batch(Vec<(Span, Option<Message<'a>>)>),
}

/// One message.
#[derive(Debug, Default)]
pub(crate) struct Message<'a> {
    pub(crate) id: Option<Span>,
    pub(crate) method: Option<Cow<'a, str>>,
    pub(crate) params: Option<Span>,
    pub(crate) result: Option<Span>,
    /// A member that decides something stands there twice, so that two readers may differ.
    pub(crate) doubled: bool,
}

/// Reads a line; `None` when it is neither a message nor a batch.
pub(crate) fn read(line: &str) -> Option<Shape<'_>> {
    let whole = 0..line.len();
    let first = line.find(|c: char| !c.is_ascii_whitespace())?;
    match line.as_bytes().get(first)? {
        b'{' => message(line, whole).map(Shape::One),
        b'[' => {
            let elements = json::elements(line, whole)?;
            let read = |span: Span| (span.clone(), message(line, span));
            Some(Shape::Batch(elements.into_iter().map(read).collect()))
        }
        _ => None,
    }
}

fn message(line: &str, span: Span) -> Option<Message<'_>> {
    let mut message = Message::default();
    for (key, value) in json::members(line, span)? {
        let twice = match key.as_ref() {
            "id" => message.id.replace(value).is_some(),
            "params" => message.params.replace(value).is_some(),
            "result" => message.result.replace(value).is_some(),
            "method" => message.method.replace(json::string(line, value)?).is_some(),
            _ => false,
        };
        message.doubled |= twice;
    }
    Some(message)
}

impl Message<'_> {
    /// Returns the id of a request or a response; a `null` is none.
    pub(crate) fn id(&self, line: &str) -> Option<Id> {
        Id::read(line, self.id.clone()?)
    }

    /// Says whether this answers a request.
    pub(crate) fn is_response(&self) -> bool {
        self.method.is_none() && self.id.is_some()
    }
}

/// A request's id, so that `7` and `7.0` are one and `7` and `"7"` are two.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Id {
    Number(String),
    Text(String),
}

impl Id {
    pub(crate) fn read(line: &str, span: Span) -> Option<Self> {
        match json::kind(line, &span)? {
            b'"' => Some(Self::Text(json::string(line, span)?.into_owned())),
            b'-' | b'0'..=b'9' => {
                let number: serde_json::Number = serde_json::from_str(line.get(span)?).ok()?;
                let whole = number
                    .as_f64()
                    .filter(|n| n.fract() == 0.0 && n.abs() < 9e15 && !number.is_i64())
                    .map(|n| format!("{n:.0}"));
                Some(Self::Number(whole.unwrap_or_else(|| number.to_string())))
            }
            _ => None,
        }
    }
}

/// The `params` of a `tools/call` request.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) arguments: Option<Span>,
    /// Where the closing brace of `params` stands.
    pub(crate) end: usize,
    /// The request asks for a task (revision 2025-11-25), and an answer of another kind.
    pub(crate) is_task: bool,
    /// The `_meta` object.
    pub(crate) meta: Option<Span>,
    /// A member that decides something stands there twice.
    pub(crate) doubled: bool,
}

/// Reads the `params` of a `tools/call` request; `None` when they name no tool.
pub(crate) fn call(line: &str, params: Span) -> Option<Call<'_>> {
    let mut name = None;
    let mut call = Call {
        name: Cow::Borrowed(""),
        arguments: None,
        end: params.end.checked_sub(1)?,
        is_task: false,
        meta: None,
        doubled: false,
    };
    for (key, value) in json::members(line, params)? {
        let twice = match key.as_ref() {
            "name" => name.replace(json::string(line, value)?).is_some(),
            "arguments" => call.arguments.replace(value).is_some(),
            "_meta" => {
                call.meta = Some(value);
                false
            }
            "task" => {
                call.is_task = true;
                false
            }
            _ => false,
        };
        call.doubled |= twice;
    }
    call.name = name?;
    Some(call)
}

/// Returns one string member of an object.
pub(crate) fn text_member<'a>(line: &'a str, object: Span, key: &str) -> Option<Cow<'a, str>> {
    let span = member(line, object, key)?;
    json::string(line, span)
}

/// Returns the place of one member of an object.
pub(crate) fn member(line: &str, object: Span, key: &str) -> Option<Span> {
    let members = json::members(line, object)?;
    let mut found = members.into_iter().filter(|(name, _)| name == key);
    found.next_back().map(|(_, span)| span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_read_whatever_the_order_and_spelling_of_its_members() {
        let line =
            r#"{"params":{"arguments":{"a":1},"name":"t"},"m\u0065thod":"tools\/call","id":"x"}"#;
        let Some(Shape::One(message)) = read(line) else {
            panic!("no message");
        };
        assert_eq!(message.method.as_deref(), Some("tools/call"));
        assert_eq!(message.id(line), Some(Id::Text("x".into())));
        let call = call(line, message.params.unwrap()).unwrap();
        assert_eq!((call.name.as_ref(), call.doubled), ("t", false));
        assert_eq!(&line[call.arguments.unwrap()], r#"{"a":1}"#);
        assert_eq!(&line[call.end..=call.end], "}");
    }

    #[test]
    fn a_batch_is_read_element_by_element() {
        let line = r#"[{"id":1,"method":"ping"}, 7, {"id":2,"result":{}}]"#;
        let Some(Shape::Batch(elements)) = read(line) else {
            panic!("no batch");
        };
        let responses = elements
            .iter()
            .map(|(_, m)| m.as_ref().map(Message::is_response));
        assert_eq!(
            responses.collect::<Vec<_>>(),
            [Some(false), None, Some(true)]
        );
    }

    #[test]
    fn an_id_is_one_however_a_number_is_spelled() {
        let id = |text: &str| Id::read(text, 0..text.len());
        assert_eq!(id("7"), id("7.0"));
        assert_eq!(id("7"), id("7e0"));
        assert_ne!(id("7"), id("\"7\""));
        assert_ne!(id("9007199254740993"), id("9007199254740992"));
        assert_eq!(id("null"), None);
    }

    #[test]
    fn a_doubled_member_is_noticed() {
        let Some(Shape::One(message)) = read(r#"{"id":1,"id":2,"method":"a"}"#) else {
            panic!("no message");
        };
        assert!(message.doubled);
        let line = r#"{"name":"a","name":"b"}"#;
        assert!(call(line, 0..line.len()).unwrap().doubled);
    }

    #[test]
    fn what_is_no_message_is_none() {
        for line in ["", "  ", "7", "{", "hello", r#"{"method":7}"#, "[1,"] {
            assert!(read(line).is_none(), "{line}");
        }
    }
}
