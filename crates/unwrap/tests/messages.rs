//! Every code, message and hint of the stage, as snapshots.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use callmend_stage::{Cascade, Draft, Stage, Tool, Verdict};
use callmend_unwrap::STAGE;
use serde_json::{Value, json};

fn said(call: Value) -> String {
    let tool = Tool::builder(
        "read",
        json!({
            "properties": { "path": { "type": "string" }, "Input": { "type": "object" } },
            "required": ["path"]
        }),
    )
    .build()
    .unwrap();
    let bound = STAGE.prepare(&tool, Cascade::Extended).unwrap().unwrap();
    match bound.plan(&Draft::new(call)) {
        Verdict::Rewrite(changes) => changes
            .iter()
            .map(|c| format!("{}: {}", c.code, c.hint.as_deref().unwrap_or("no hint")))
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
fn an_envelope_taken_off() {
    insta::assert_snapshot!(said(json!({ "arguments": { "path": "a" } })));
}

#[test]
fn a_placeholder_taken_off() {
    insta::assert_snapshot!(said(json!({ "$PARAMETER_NAME": { "path": "a" } })));
}

#[test]
fn a_name_of_the_host_with_two_values() {
    insta::assert_snapshot!(said(
        json!({ "args": { "path": "a", "i": "in" }, "i": "out" })
    ));
}

#[test]
fn another_tools_name() {
    insta::assert_snapshot!(said(
        json!({ "name": "delete", "arguments": { "path": "a" } })
    ));
}

#[test]
fn another_tools_name_is_clipped() {
    insta::assert_snapshot!(said(
        json!({ "name": "x".repeat(500), "arguments": { "path": "a" } })
    ));
}

#[test]
fn an_envelope_that_could_be_an_argument() {
    insta::assert_snapshot!(said(json!({ "input": { "path": "a" } })));
}
