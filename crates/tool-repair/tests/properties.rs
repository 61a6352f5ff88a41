//! Properties that hold for every text and every call.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use callmend_stage::{Cascade, Draft, Stage, Tool, Verdict};
use callmend_tool_repair::{STAGE, decode_once, holds_call_markup};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Text made of what encoding twice leaves behind, and of what only looks like it.
fn text() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "\\n",
        "\\t",
        "\\\"",
        "\\\\",
        "\\/",
        "\\u2014",
        "\\ud83d\\ude00",
        "\\ud83d",
        "\\b",
        "\\d",
        "\\",
        "\"",
        "a",
        "word ",
        "é",
        "\n",
        "C:",
        "<parameter=k>",
        "\\u003cinvoke ",
        "{\"data\":",
        "1",
        "}",
        "",
    ]);
    prop::collection::vec(parts, 0..9).prop_map(|parts| parts.concat())
}

/// Prose as a person writes it: no escapes in it.
fn prose() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9 .,:;!?'\"(){}#*\\n\\t—é😀-]{0,60}"
}

fn encoded(text: &str) -> String {
    let quoted = Value::String(text.to_owned()).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn decoding_again_changes_nothing(text in text()) {
        if let Some(decoded) = decode_once(&text) {
            prop_assert_ne!(&decoded, &text);
            prop_assert_eq!(decode_once(&decoded), None);
            prop_assert!(!holds_call_markup(&decoded));
            // What came out is exactly what a JSON parser makes of the same body.
            let wanted: String = serde_json::from_str(&format!("\"{text}\"")).unwrap();
            prop_assert_eq!(decoded, wanted);
        }
    }

    #[test]
    fn prose_encoded_once_too_often_comes_back_or_stays(text in prose()) {
        let sent = encoded(&text);
        if let Some(decoded) = decode_once(&sent) {
            prop_assert_eq!(decoded, text);
        }
    }

    #[test]
    fn prose_with_two_line_ends_comes_back(start in "[a-z]{1,9}", end in "[a-z]{1,9}") {
        let text = format!("{start}\n\n{end}");
        prop_assert_eq!(decode_once(&encoded(&text)), Some(text));
    }

    #[test]
    fn prose_itself_stays(text in prose()) {
        prop_assert_eq!(decode_once(&text), None);
    }

    #[test]
    fn every_entry_settles_and_touches_its_fields_alone(a in text(), b in text(), c in text()) {
        let call = json!({"task": a, "context": b, "label": c, "result": c,
                          "tasks": [{"task": b, "label": a}]});
        for name in ["task", "yield"] {
            let tool = Tool::new(name, json!({})).unwrap();
            let prepared = STAGE.prepare(&tool, Cascade::Standard).unwrap().unwrap();
            let mut draft = Draft::new(call.clone());
            let verdict = prepared.plan(&draft);
            draft.apply("tool-repair", verdict).unwrap();
            let after = draft.value().unwrap().clone();
            prop_assert_eq!(&after["label"], &call["label"]);
            prop_assert_eq!(&after["tasks"][0]["label"], &call["tasks"][0]["label"]);
            // The recorded operations alone give the same arguments.
            let mut replayed = call.clone();
            for edit in draft.edits() {
                *replayed.pointer_mut(edit.op.path()).unwrap() = edit.op.value().unwrap().clone();
            }
            prop_assert_eq!(&replayed, &after);
            prop_assert_eq!(prepared.plan(&Draft::new(after)), Verdict::Pass);
        }
    }
}
