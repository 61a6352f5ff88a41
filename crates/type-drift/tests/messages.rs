//! Every code, message and hint of the stage, as snapshots.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use callmend_stage::{Cascade, Draft, Stage, Tool, Verdict};
use callmend_type_drift::STAGE;
use serde_json::{Value, json};

fn said(call: Value) -> String {
    let tool = Tool::new(
        "edit",
        json!({
            "properties": {
                "limit": { "type": "integer" },
                "ratio": { "type": "number" },
                "force": { "type": "boolean" },
                "after": { "type": ["integer", "null"] },
                "edits": { "type": "array", "items": { "type": "object", "properties": {
                    "count": { "type": "integer" }
                } } },
                "options": { "type": "object" },
                "paths": { "type": "array", "items": { "type": "string" } }
            },
            "required": ["after", "paths"]
        }),
    )
    .unwrap();
    let bound = STAGE.prepare(&tool, Cascade::Extended).unwrap().unwrap();
    match bound.plan(&Draft::new(call)) {
        Verdict::Rewrite(changes) => changes
            .iter()
            .map(|change| {
                let hint = change.hint.as_deref().unwrap_or("no hint");
                format!(
                    "{} {} {}: {hint}",
                    change.code,
                    change.op.name(),
                    change.op.path()
                )
            })
            .collect::<Vec<_>>()
            .join("\n"),
        Verdict::Reject(rejection) => format!("{}: {}", rejection.code, rejection.message),
        other => panic!("nothing said: {other:?}"),
    }
}

#[test]
fn codes() {
    let codes: Vec<_> = STAGE
        .meta()
        .codes
        .iter()
        .map(|info| format!("{} ({:?}): {}", info.code, info.kind, info.meaning))
        .collect();
    insta::assert_snapshot!(codes.join("\n"));
}

#[test]
fn scalars_read_from_their_text() {
    insta::assert_snapshot!(said(json!({
        "after": "null", "force": "True", "limit": "5", "ratio": "5"
    })));
}

#[test]
fn containers_read_from_their_text() {
    insta::assert_snapshot!(said(json!({
        "edits": "[{\"count\": \"5\"}]", "options": "{}", "paths": "['a']"
    })));
}

#[test]
fn arguments_left_out() {
    insta::assert_snapshot!(said(json!({ "force": "null", "limit": null, "ratio": "" })));
}

#[test]
fn places_inside_an_argument() {
    insta::assert_snapshot!(said(json!({ "edits": [
        { "count": "1" }, { "count": "2" }, "{\"count\": 3}", { "count": null }
    ] })));
}

#[test]
fn a_blank_string_for_a_list() {
    insta::assert_snapshot!(said(json!({ "paths": "" })));
}

#[test]
fn one_object_for_a_list() {
    insta::assert_snapshot!(said(json!({ "edits": { "count": 1 } })));
}
