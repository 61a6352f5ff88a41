//! Writes what the client reads beside the server's words: the answer to a call that is refused,
//! and what was repaired about one that was forwarded.

use crate::json::{self, Span};
use crate::message::Message;
use callmend::{Edit, Outcome, Rejection};
use serde_json::{Value, json};

/// A change to a line: what stands in this place becomes this text.
pub(crate) type Splice = (Span, String);

/// What a repaired call's result has to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    edits: String,
    hints: Vec<String>,
}

impl Note {
    pub(crate) fn new(outcome: &Outcome<'_>) -> Self {
        let edits = outcome.edits.iter().map(Edit::to_json).collect();
        Self {
            edits: Value::Array(edits).to_string(),
            hints: outcome.hints.clone(),
        }
    }

    /// Returns about how much memory the note takes.
    pub(crate) fn len(&self) -> usize {
        self.edits.len() + self.hints.iter().map(String::len).sum::<usize>()
    }

    /// Plans the change of a response: the edits and hints under `_meta`, and the hints as one
    /// more text content when the proxy coaches.
    ///
    /// Nothing for a JSON-RPC error, which has no place for it.
    pub(crate) fn splices(&self, line: &str, response: &Message<'_>, coach: bool) -> Vec<Splice> {
        let Some(result) = response.result.clone() else {
            return Vec::new();
        };
        let Some(members) = json::members(line, result.clone()) else {
            return Vec::new();
        };
        let last = |name: &str| {
            let mut found = members.iter().filter(|(key, _)| key == name);
            found.next_back().map(|(_, span)| span.clone())
        };
        let pairs = format!(
            "\"callmend/edits\":{},\"callmend/hints\":{}",
            self.edits,
            json!(self.hints)
        );
        let mut splices = Vec::new();
        if let Some(content) = last("content").filter(|_| coach && !self.hints.is_empty()) {
            let text = json!({"type": "text", "text": self.hints.join("\n")}).to_string();
            let filled = json::elements(line, content.clone()).is_some_and(|e| !e.is_empty());
            splices.extend(appended(line, &content, b'[', filled, &text));
        }
        match last("_meta") {
            None => {
                let text = format!("\"_meta\":{{{pairs}}}");
                splices.extend(appended(line, &result, b'{', !members.is_empty(), &text));
            }
            Some(meta) if json::kind(line, &meta) == Some(b'{') => {
                let held = json::members(line, meta.clone()).unwrap_or_default();
                // Another proxy, nearer to the server, has had its say.
                if !held.iter().any(|(key, _)| key == "callmend/edits") {
                    splices.extend(appended(line, &meta, b'{', !held.is_empty(), &pairs));
                }
            }
            Some(meta) => splices.push((meta, format!("{{{pairs}}}"))),
        }
        splices
    }
}

/// Plans to put `text` before the closing bracket of an object or array.
fn appended(line: &str, span: &Span, open: u8, filled: bool, text: &str) -> Option<Splice> {
    if json::kind(line, span) != Some(open) {
        return None;
    }
    let end = span.end.checked_sub(1)?;
    let comma = if filled { "," } else { "" };
    Some((end..end, format!("{comma}{text}")))
}

/// Makes the changes; they must not overlap.
pub(crate) fn spliced(line: &str, mut splices: Vec<Splice>) -> String {
    splices.sort_by_key(|(span, _)| span.start);
    let mut out =
        String::with_capacity(line.len() + splices.iter().map(|(_, t)| t.len()).sum::<usize>());
    let mut at = 0;
    for (span, text) in splices {
        out.push_str(line.get(at..span.start).unwrap_or_default());
        out.push_str(&text);
        at = span.end;
    }
    out.push_str(line.get(at..).unwrap_or_default());
    out
}

/// How a refusal is put.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Manner {
    /// The request follows revision 2026-07-28 or later, where a result must say its type.
    pub(crate) typed: bool,
    /// The request asks for a task, so a tool result is no answer to it.
    pub(crate) as_error: bool,
}

/// Writes the answer to a call that is not dispatched, without a line end. `id` is raw JSON.
pub(crate) fn refusal(id: &str, rejection: &Rejection, manner: Manner) -> String {
    let hints = rejection.hints.iter().map(String::as_str);
    let lines = std::iter::once(rejection.message.as_str()).chain(hints);
    let text = lines.collect::<Vec<_>>().join("\n");
    let detail = rejection.to_json();
    if manner.as_error {
        let error = json!({"code": -32602, "message": text, "data": detail});
        return format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{error}}}");
    }
    let typed = if manner.typed {
        "\"resultType\":\"complete\","
    } else {
        ""
    };
    let content = json!([{"type": "text", "text": text}]);
    let meta = json!({"callmend/rejection": detail, "callmend/hints": rejection.hints});
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{{typed}\"content\":{content},\
         \"isError\":true,\"_meta\":{meta}}}}}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Shape, read};

    fn annotated(line: &str, coach: bool) -> String {
        let note = Note {
            edits: "[1]".into(),
            hints: vec!["pass `a`".into()],
        };
        let Some(Shape::One(message)) = read(line) else {
            panic!("no message");
        };
        spliced(line, note.splices(line, &message, coach))
    }

    const META: &str = r#""callmend/edits":[1],"callmend/hints":["pass `a`"]"#;

    #[test]
    fn the_edits_stand_under_meta_and_nothing_else_moves() {
        let line = r#"{"id": 1, "result": {"content": [],  "x": 1.0} }"#;
        let expected =
            format!(r#"{{"id": 1, "result": {{"content": [],  "x": 1.0,"_meta":{{{META}}}}} }}"#);
        assert_eq!(annotated(line, false), expected);
        assert_eq!(
            annotated(r#"{"id":1,"result":{}}"#, true),
            format!(r#"{{"id":1,"result":{{"_meta":{{{META}}}}}}}"#)
        );
    }

    #[test]
    fn what_stands_under_meta_already_stays() {
        for (meta, comma) in [("{}", ""), (r#"{"k":1}"#, ",")] {
            let line = format!(r#"{{"id":1,"result":{{"_meta":{meta}}}}}"#);
            let open = meta.strip_suffix('}').unwrap();
            let expected = format!(r#"{{"id":1,"result":{{"_meta":{open}{comma}{META}}}}}}}"#);
            assert_eq!(annotated(&line, false), expected);
        }
        let line = r#"{"id":1,"result":{"_meta":{"callmend/edits":[]}}}"#;
        assert_eq!(
            annotated(line, false),
            line,
            "a member would stand there twice"
        );
        let line = r#"{"id":1,"result":{"_meta":null}}"#;
        let expected = format!(r#"{{"id":1,"result":{{"_meta":{{{META}}}}}}}"#);
        assert_eq!(annotated(line, false), expected);
    }

    #[test]
    fn a_coach_adds_the_hints_as_one_more_text() {
        let line = r#"{"id":1,"result":{"content":[{"type":"text","text":"x"}]}}"#;
        let shown = annotated(line, true);
        assert!(
            shown.contains(r#"{"type":"text","text":"x"},{"text":"pass `a`","type":"text"}"#)
                || shown
                    .contains(r#"{"type":"text","text":"x"},{"type":"text","text":"pass `a`"}"#)
        );
        let empty = annotated(r#"{"id":1,"result":{"content":[]}}"#, true);
        assert!(serde_json::from_str::<Value>(&empty).is_ok());
    }

    #[test]
    fn an_error_has_no_place_for_a_note() {
        let line = r#"{"id":1,"error":{"code":1,"message":"x"}}"#;
        assert_eq!(annotated(line, true), line);
        let line = r#"{"id":1,"result":7}"#;
        assert_eq!(annotated(line, true), line);
    }
}
