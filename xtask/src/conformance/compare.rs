//! How an outcome line differs from what a case expects.

use crate::call::clip;
use crate::fixture::Case;
use anyhow::Result;
use serde_json::Value;

/// Lists the differences, each as expected and got.
pub(super) fn differences(case: &Case, outcome: &Value) -> Vec<String> {
    let expect = &case.expect;
    let mut found = Vec::new();
    let mut check = |what: &str, expected: Option<&Value>, got: Option<&Value>| {
        if let Some(expected) = expected
            && got != Some(expected)
        {
            found.push(format!(
                "{what}\n    expected {}\n    got      {}",
                show(Some(expected)),
                show(got)
            ));
        }
    };
    check("status", expect.get("status"), outcome.get("status"));
    check("hints", expect.get("hints"), outcome.get("hints"));
    let rejection = outcome.get("rejection");
    let of_rejection = |key: &str| rejection.and_then(|rejection| rejection.get(key));
    for key in ["stage", "code", "path", "message"] {
        check(key, expect.get(key), of_rejection(key));
    }
    let fix = of_rejection("data").and_then(|data| data.get("fix"));
    check("fix", expect.get("fix"), fix);
    let clean = expect.get("status").and_then(Value::as_str) == Some("clean");
    let sent = clean.then(|| case.sent().start()).filter(Value::is_object);
    let arguments = expect.get("arguments").or(sent.as_ref());
    check("arguments", arguments, outcome.get("arguments"));
    if let Some(expected) = expect.get("edits") {
        let got = narrowed(outcome.get("edits"), expected);
        check("edits", Some(expected), Some(&got));
    }
    found
}

/// Keeps of each edit only what the case speaks of.
fn narrowed(edits: Option<&Value>, expected: &Value) -> Value {
    let edits = edits.and_then(Value::as_array).into_iter().flatten();
    let narrowed = edits.enumerate().map(|(at, edit)| {
        let keys = expected.get(at).and_then(Value::as_object);
        let keeps = |key: &str| match keys {
            Some(keys) => keys.contains_key(key),
            None => matches!(key, "code" | "path"),
        };
        let kept = edit
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(key, _)| keeps(key));
        Value::Object(
            kept.map(|(key, value)| (key.clone(), value.clone()))
                .collect(),
        )
    });
    Value::Array(narrowed.collect())
}

/// Says how the replayed edits differ from the arguments (property P5).
pub(super) fn replayed(replayed: Result<Value>, arguments: &Value) -> Option<String> {
    match replayed {
        Ok(value) if &value == arguments => None,
        Ok(value) => Some(format!("the edits, replayed, give {}", show(Some(&value)))),
        Err(error) => Some(format!("{error:#}")),
    }
}

fn show(value: Option<&Value>) -> String {
    value.map_or_else(
        || "nothing".to_owned(),
        |value| clip(&value.to_string(), 600),
    )
}
