//! Every message, hint and code of the stage.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test's helpers may fail like the test"
)]

use callmend_stage::{Cascade, Draft, Stage, Tool, Verdict};
use callmend_strict_reject::{STAGE, message};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;

/// A value as text, keys in bytewise order whatever order the map of this build keeps.
fn shown(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let sorted: std::collections::BTreeMap<_, _> = members.iter().collect();
            let members = sorted
                .into_iter()
                .map(|(key, value)| format!("{}:{}", json!(key), shown(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        Value::Array(items) => {
            let items = items.iter().map(shown);
            format!("[{}]", items.collect::<Vec<_>>().join(","))
        }
        scalar => scalar.to_string(),
    }
}

#[test]
fn messages() {
    let tool = Tool::new(
        "docs_read",
        json!({
            "type": "object",
            "properties": {"id": {"type": "string"}, "path": {"type": "string"}, "limit": {"type": "integer"}},
            "required": ["path", "limit"],
            "additionalProperties": false
        }),
    )
    .unwrap();
    let prepared = STAGE.prepare(&tool, Cascade::Standard).unwrap().unwrap();
    let many: Map<String, Value> = (0..14).map(|n| (format!("x{n:02}"), json!(n))).collect();
    let mut out = String::new();
    for info in message::CODES {
        writeln!(out, "{} ({:?}): {}", info.code, info.kind, info.meaning).unwrap();
    }
    for call in [
        json!({"path": "a", "limit": 1, "zzz": 1}),
        json!({"paht": "a", "limit": 1}),
        json!({"doc": "a"}),
        json!({"dry_run": true, "path": "a", "limit": 1}),
        json!({"path": "a", "limit": 1, "pathological": 1, "offset": 2}),
        json!({"path": "a", "limit": 1, "": 1}),
        json!({"path": "a", "limit": 1, "line\nbreak": 1}),
        json!({"path": "a", "limit": 1, ("k".repeat(200)): 1}),
        Value::Object(many),
    ] {
        writeln!(out, "\n{}", shown(&call)).unwrap();
        let Verdict::Reject(rejection) = prepared.plan(&Draft::new(call)) else {
            panic!("a name is unknown");
        };
        writeln!(out, "  [{}] {}", rejection.code, rejection.message).unwrap();
        for hint in &rejection.hints {
            writeln!(out, "  hint: {hint}").unwrap();
        }
    }
    insta::with_settings!({ omit_expression => true }, {
        insta::assert_snapshot!(out);
    });
}
