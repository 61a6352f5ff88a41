//! Every message and code of the stage.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test's helpers may fail like the test"
)]

use callmend_ambiguity::{STAGE, message};
use callmend_stage::{Cascade, Draft, Stage, Tool, Verdict};
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
        "write",
        json!({
            "type": "object",
            "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
            "required": ["path", "content"]
        }),
    )
    .unwrap();
    let prepared = STAGE.prepare(&tool, Cascade::Standard).unwrap().unwrap();
    let many: Map<String, Value> = (0..13).map(|n| (format!("x{n:02}"), json!("a"))).collect();
    let mut out = String::new();
    for info in message::CODES {
        writeln!(out, "{} ({:?}): {}", info.code, info.kind, info.meaning).unwrap();
    }
    for call in [
        json!({"path": "a", "foo": "x", "bar": "y"}),
        json!({"foo": "x"}),
        json!({"foo": "x", "bar": "y"}),
        json!({"path": "a", "foo": "x", ("k".repeat(200)): "y"}),
        Value::Object(many),
    ] {
        writeln!(out, "\n{}", shown(&call)).unwrap();
        let Verdict::Reject(rejection) = prepared.plan(&Draft::new(call)) else {
            panic!("there are several readings");
        };
        writeln!(out, "  [{}] {}", rejection.code, rejection.message).unwrap();
    }
    insta::with_settings!({ omit_expression => true }, {
        insta::assert_snapshot!(out);
    });
}
