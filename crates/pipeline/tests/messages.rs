//! Every sentence of the pipeline itself.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use callmend::{Pipeline, PipelineError, Tool, ToolSet, ToolSetError};
use serde_json::json;

fn set(names: &[&str]) -> ToolSet {
    let tools = names
        .iter()
        .map(|name| Tool::new(*name, json!({})).unwrap());
    ToolSet::new(&Pipeline::standard().unwrap(), tools).unwrap()
}

fn refused(names: &[&str], called: &str) -> String {
    let outcome = set(names).run(called, json!({}));
    assert!(!outcome.is_dispatchable() && outcome.hints.is_empty());
    let rejection = outcome.rejection.unwrap();
    format!(
        "{} {}\n{}",
        rejection.stage, rejection.code, rejection.message
    )
}

#[test]
fn an_unknown_tool() {
    insta::assert_snapshot!("unknown_tool_near", refused(&["write", "read"], "raed"));
    insta::assert_snapshot!("unknown_tool_far", refused(&["write", "read"], "zzz"));
    insta::assert_snapshot!("unknown_tool_without_tools", refused(&[], "read"));
    let many: Vec<String> = (0..23).map(|n| format!("tool_{n:02}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    insta::assert_snapshot!("unknown_tool_of_many", refused(&many, "x"));
    insta::assert_snapshot!("unknown_tool_clipped", refused(&["read"], &"y".repeat(200)));
}

#[test]
fn arguments_that_no_stage_reads() {
    let none: [&str; 0] = [];
    let pipeline = Pipeline::builder().only(none).build().unwrap();
    let tool = Tool::new("find", json!({"properties": {"query": {}}})).unwrap();
    let outcome = pipeline.prepare(&tool).unwrap().run("{}");
    insta::assert_snapshot!("undecoded", outcome.rejection.unwrap().message);
}

#[test]
fn errors_of_building() {
    let duplicate = ToolSet::new(
        &Pipeline::standard().unwrap(),
        [
            Tool::new("a", json!({})).unwrap(),
            Tool::new("a", json!({})).unwrap(),
        ],
    );
    let errors = [
        duplicate.unwrap_err().to_string(),
        ToolSetError::from(Tool::new("t", json!({"$ref": "#/nowhere"})).unwrap_err()).to_string(),
        PipelineError::NotCompiledIn {
            id: "alias-rename".into(),
        }
        .to_string(),
        PipelineError::DuplicateStage {
            id: "alias-rename".into(),
            first: "callmend-alias-rename".into(),
            second: "mine".into(),
        }
        .to_string(),
        PipelineError::DuplicateToolRepair {
            tool: "task".into(),
            first: "callmend-tool-repair".into(),
            second: "mine".into(),
        }
        .to_string(),
    ];
    insta::assert_snapshot!("errors_of_building", errors.join("\n"));
}

#[test]
fn codes() {
    let line =
        |info: &callmend::CodeInfo| format!("{} ({:?}): {}", info.code, info.kind, info.meaning);
    let all: Vec<String> = callmend::CODES.iter().map(line).collect();
    insta::assert_snapshot!(all.join("\n"), @r"
    unsettled (Rejection): repairs opened further mistakes and did not come to an end
    undecoded (Rejection): no stage of this pipeline reads what was sent as an object
    unknown-tool (Rejection): the call names a tool that is not there
    internal-error (Rejection): a stage planned a change that does not fit: a fault of that stage
    ");
}
