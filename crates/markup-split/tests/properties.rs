//! Properties that hold for every value, and leaks built from known arguments.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use callmend_markup_split::{STAGE, message};
use callmend_stage::{Cascade, Draft, Edit, Op, Stage, Tool, Verdict, pointer};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn tool() -> Tool {
    let text = json!({"type": "string"});
    let inner = json!({"properties": {"a": text, "inner": text, "n": {"type": "integer"}}});
    let schema = json!({"type": "object", "properties": {
        "a": text, "note": text, "content": text, "n": {"type": "integer"},
        "list": {"type": "array", "items": text}, "object": inner,
        "items": {"type": "array", "items": inner}
    }});
    Tool::new("t", schema).unwrap()
}

/// Text made of tags in every form, and of what stands between them.
fn soup() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "</parameter>",
        "<parameter name=\"a\">",
        "<parameter name=\"note\">",
        "<parameter=note>",
        "<parameter name=\"n\">",
        "<parameter name=\"inner\">",
        "<parameter name=\"list\">",
        "<parameter name=\"object\">",
        "<parameter name=\"zz\">",
        "<parameter name='i'>",
        "</content>",
        "<content>",
        "</note>",
        "<note>",
        "</inner>",
        "</a>",
        "</invoke>",
        "<invoke name=\"f\">",
        "</ns:parameter>",
        "</ns name=\"content\">",
        "</ns name=\"note\">",
        "<?ns:parameter>",
        "</tool_call>",
        "<|im_end|>",
        "<parameter",
        "</parameter",
        "<param",
        "<parameter name=\"note\"/>",
        "</PARAMETER>",
        "\n",
        "\n",
        " ",
        "\r\n",
        "x",
        "text",
        "5",
        "[\"p\"]",
        "{\"inner\": \"q\"}",
        "{\"inner\": \"\\u003c/inner>\\n\\u003c/invoke>\"}",
        "<div>",
    ]);
    prop::collection::vec(parts, 0..10).prop_map(|parts| parts.concat())
}

fn call() -> impl Strategy<Value = Value> {
    let key = prop::sample::select(vec!["a", "note", "content", "n", "list", "i", "zz"]);
    let inner = || {
        let key = prop::sample::select(vec!["a", "inner", "n"]);
        prop::collection::hash_map(key, soup(), 0..3)
    };
    let flat = prop::collection::hash_map(key, soup(), 1..4);
    (flat, inner(), inner(), prop::collection::vec(soup(), 0..3)).prop_map(
        |(flat, one, two, list)| {
            let mut call: Map<String, Value> = Map::new();
            for (key, text) in flat {
                call.insert(key.to_owned(), Value::from(text));
            }
            if !one.is_empty() {
                call.insert("object".to_owned(), json!(one));
            }
            if !two.is_empty() {
                call.insert("items".to_owned(), json!([two]));
            }
            if list.len() > 1 {
                call.insert("list".to_owned(), json!(list));
            }
            Value::Object(call)
        },
    )
}

/// Applies recorded edits by their JSON Patch operations alone.
fn replay(sent: &Value, edits: &[Edit<'_>]) -> Value {
    let mut value = sent.clone();
    for edit in edits {
        let new = edit.op.value().unwrap().clone();
        match &edit.op {
            Op::Replace { path, .. } => *value.pointer_mut(path).unwrap() = new,
            Op::Add { path, .. } => {
                let (parent, key) = pointer::split_last(path).unwrap();
                let object = value.pointer_mut(parent).unwrap().as_object_mut().unwrap();
                assert!(object.insert(key.into_owned(), new).is_none());
            }
            other => panic!("{other:?}"),
        }
    }
    value
}

fn leaves<'v>(value: &'v Value, out: &mut Vec<&'v Value>) {
    match value {
        Value::Object(object) => object.values().for_each(|v| leaves(v, out)),
        Value::Array(items) => items.iter().for_each(|v| leaves(v, out)),
        scalar => out.push(scalar),
    }
}

/// P2: every scalar stood in what was sent, as a part of a string or as JSON in one.
fn assert_nothing_invented(sent: &Value, after: &Value) {
    let (mut before, mut now) = (Vec::new(), Vec::new());
    leaves(sent, &mut before);
    leaves(after, &mut now);
    for scalar in now {
        let stood = before.iter().any(|old| {
            let Some(old) = old.as_str() else {
                return *old == scalar;
            };
            match scalar {
                Value::String(text) => old.contains(text) || old.contains(&scalar.to_string()),
                other => old.contains(&other.to_string()),
            }
        });
        assert!(stood, "{scalar} is new in {after}");
    }
}

/// What the stage makes of a call; nothing when it refuses it.
fn outcome(tool: &Tool, cascade: Cascade, sent: &Value) -> Option<Value> {
    let prepared = STAGE.prepare(tool, cascade).unwrap().unwrap();
    let mut draft = Draft::new(sent.clone());
    let verdict = prepared.plan(&draft);
    match draft.apply(message::ID, verdict) {
        Ok(rewritten) => {
            let after = draft.value().unwrap().clone();
            assert_eq!(replay(sent, draft.edits()), after);
            assert_nothing_invented(sent, &after);
            assert_eq!(rewritten, &after != sent);
            assert_eq!(
                prepared.plan(&Draft::new(after.clone())),
                Verdict::Pass,
                "{after}"
            );
            Some(after)
        }
        Err(rejection) => {
            assert_eq!(cascade, Cascade::Extended);
            assert!(
                message::CODES
                    .iter()
                    .any(|info| info.code == rejection.code)
            );
            assert!(sent.pointer(rejection.path.as_deref().unwrap()).is_some());
            None
        }
    }
}

/// How a leak is written.
#[derive(Debug, Clone)]
struct Style {
    prefix: &'static str,
    own_names: bool,
    shorthand: bool,
    gap: &'static str,
    tail: &'static str,
}

fn style() -> impl Strategy<Value = Style> {
    let prefix = prop::sample::select(vec!["", "ns:", "｜｜DSML｜｜"]);
    let gap = prop::sample::select(vec!["", "\n", "\n\n  "]);
    let tail = prop::sample::select(vec![
        "",
        "\n",
        "\n</invoke>",
        "</invoke>\n</function_calls>",
    ]);
    (prefix, any::<bool>(), any::<bool>(), gap, tail).prop_map(
        |(prefix, own_names, shorthand, gap, tail)| Style {
            prefix,
            own_names,
            shorthand,
            gap,
            tail,
        },
    )
}

impl Style {
    fn closing(&self, name: &str) -> String {
        let line = if self.shorthand { "\n" } else { "" };
        if self.own_names {
            format!("{line}</{name}>")
        } else {
            format!("{line}</{}parameter>", self.prefix)
        }
    }

    fn opening(&self, name: &str) -> String {
        if self.shorthand {
            format!("<{}parameter={name}>\n", self.prefix)
        } else {
            format!("<{}parameter name=\"{name}\">", self.prefix)
        }
    }

    /// Writes everything after the first argument into the first.
    fn leak(&self, arguments: &[(&str, &str)], closed: bool) -> String {
        let mut out = String::new();
        for (at, (name, text)) in arguments.iter().enumerate() {
            if at > 0 {
                out.push_str(self.gap);
                out.push_str(&self.opening(name));
            }
            out.push_str(text);
            if at + 1 < arguments.len() || closed {
                out.push_str(&self.closing(name));
            }
        }
        if closed {
            out.push_str(self.tail);
        }
        out
    }
}

/// Text without markup, that may hold tags of other kinds and line ends anywhere.
fn text() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "x",
        "a word",
        "\n",
        "  ",
        "<b>bold</b>",
        "</p>",
        "a < b",
        "{\"k\": 1}",
        "é—",
        "5",
        ">",
        "</parameters>",
        "parameter",
        "\"",
        "'",
    ]);
    prop::collection::vec(parts, 1..6).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_call_is_accounted_for_and_settled(call in call()) {
        let tool = tool();
        outcome(&tool, Cascade::Standard, &call);
        outcome(&tool, Cascade::Extended, &call);
    }

    #[test]
    fn text_without_call_markup_is_never_touched(a in text(), b in text()) {
        let call = json!({"a": a, "content": b, "object": {"inner": a}, "list": [b]});
        for cascade in [Cascade::Standard, Cascade::Extended] {
            prop_assert_eq!(outcome(&tool(), cascade, &call), Some(call.clone()));
        }
    }

    #[test]
    fn a_leak_comes_back_as_it_was_meant_or_is_refused(
        style in style(), a in text(), b in text(), c in text(), closed in any::<bool>()
    ) {
        let parts = [("content", a.as_str()), ("note", b.as_str()), ("i", c.as_str())];
        let sent = json!({"content": style.leak(&parts, closed)});
        let meant = json!({"content": a, "note": b, "i": c});
        if let Some(after) = outcome(&tool(), Cascade::Extended, &sent) {
            prop_assert_eq!(after, meant);
        }
    }

    #[test]
    fn a_leak_of_plain_texts_comes_back(style in style(), closed in any::<bool>()) {
        let parts = [("content", "one\n\ntwo"), ("note", "three"), ("i", "fo\nur")];
        let sent = json!({"content": style.leak(&parts, closed)});
        let meant = json!({"content": "one\n\ntwo", "note": "three", "i": "fo\nur"});
        // `</i>` at the very end of the last part could be HTML.
        let doubtful = closed && style.own_names && style.tail.trim().is_empty();
        let after = outcome(&tool(), Cascade::Extended, &sent);
        prop_assert_eq!(after, (!doubtful).then_some(meant));
    }
}
