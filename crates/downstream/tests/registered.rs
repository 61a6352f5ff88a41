//! What this crate registers runs in every pipeline; its stage runs only where it is asked for.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use callmend::{Cascade, Pipeline, PipelineError, Status, Tool, catalog};
use callmend_downstream::{DeployVersion, ShellPrompt};
use serde_json::{Value, json};

fn deploy() -> Tool {
    let string = json!({"type": "string"});
    let parameters = json!({
        "type": "object",
        "properties": {
            "service": string, "version": string, "command": string, "confirm": {"type": "boolean"}
        },
        "required": ["service", "version"],
        "additionalProperties": false
    });
    callmend_downstream::link();
    Tool::new("deploy", parameters).unwrap()
}

fn edits(pipeline: &Pipeline, call: Value) -> (Status, Vec<(&'static str, String)>) {
    let prepared = pipeline.prepare(&deploy()).unwrap();
    let outcome = prepared.run(call);
    let edits = outcome.edits.iter();
    let edits = edits
        .map(|edit| (edit.stage, edit.code.to_string()))
        .collect();
    (outcome.status, edits)
}

#[test]
fn the_alias_and_the_tool_repair_run_in_order_and_are_recorded() {
    for pipeline in [Pipeline::standard().unwrap(), Pipeline::extended().unwrap()] {
        let prepared = pipeline.prepare(&deploy()).unwrap();
        let outcome = prepared.run(r#"{"svc": "api", "version": "v1.2.3",}"#);
        assert_eq!(outcome.status, Status::Repaired);
        assert_eq!(
            outcome.arguments,
            Some(json!({"service": "api", "version": "1.2.3"}))
        );
        let stages: Vec<_> = outcome.edits.iter().map(|edit| edit.stage).collect();
        assert_eq!(stages, ["parse-leniency", "alias-rename", "tool-repair"]);
        let last = outcome.edits.last().unwrap().to_json();
        assert_eq!(
            last,
            json!({
                "stage": "tool-repair", "code": "deploy-version-tag", "op": "replace",
                "path": "/version", "value": "1.2.3", "before": "v1.2.3"
            })
        );
        assert!(
            outcome
                .hints
                .contains(&"send `version` without its `v`".to_owned())
        );
    }
}

#[test]
fn the_repair_is_for_its_tool_alone() {
    let other = Tool::new("release", deploy().parameters().clone()).unwrap();
    let prepared = Pipeline::standard().unwrap().prepare(&other).unwrap();
    let sent = json!({"service": "api", "version": "v1.2.3"});
    let outcome = prepared.run(sent.clone());
    assert_eq!(
        (outcome.status, outcome.arguments),
        (Status::Clean, Some(sent))
    );
}

#[test]
fn the_retired_name_is_told() {
    let prepared = Pipeline::standard().unwrap().prepare(&deploy()).unwrap();
    let outcome = prepared.run(json!({"service": "api", "version": "1", "force": true}));
    assert_eq!(
        outcome.rejection.unwrap().message,
        "`force` is no longer an argument — pass `confirm` (deploy takes command?, confirm?, service, version)"
    );
}

#[test]
fn the_stage_is_listed_and_not_taken() {
    let listed = catalog::stages();
    let own = listed
        .iter()
        .find(|listed| listed.meta.id == "shell-prompt")
        .unwrap();
    assert_eq!(
        (own.cascade, own.meta.package),
        (None, "callmend-downstream")
    );
    let sent = json!({"service": "api", "version": "1", "command": "$ ls"});
    for pipeline in [Pipeline::standard().unwrap(), Pipeline::extended().unwrap()] {
        assert!(pipeline.stages().all(|meta| meta.id != "shell-prompt"));
        assert_eq!(edits(&pipeline, sent.clone()), (Status::Clean, vec![]));
    }
}

#[test]
fn the_stage_runs_in_its_place_where_the_builder_asks_for_it() {
    let sent = json!({"svc": "api", "version": "v1", "command": "$ ls"});
    let expected = [
        ("alias-rename", "alias".to_owned()),
        ("shell-prompt", "shell-prompt".to_owned()),
        ("tool-repair", "deploy-version-tag".to_owned()),
    ];
    for builder in [
        Pipeline::builder().stage(&ShellPrompt),
        Pipeline::builder().registered("shell-prompt"),
        Pipeline::builder()
            .registered("shell-prompt")
            .stage(&ShellPrompt),
        Pipeline::builder()
            .cascade(Cascade::Extended)
            .stage(&ShellPrompt),
    ] {
        let pipeline = builder.build().unwrap();
        let (status, edits) = edits(&pipeline, sent.clone());
        assert_eq!(status, Status::Repaired);
        let stages: Vec<_> = edits.iter().map(|(stage, _)| *stage).collect();
        assert_eq!(stages, expected.each_ref().map(|(stage, _)| *stage));
        let orders: Vec<_> = pipeline.stages().map(|meta| meta.order).collect();
        assert!(orders.is_sorted());
    }
}

#[test]
fn a_repair_that_is_registered_and_given_again_is_one() {
    let pipeline = Pipeline::builder()
        .tool_repair(&DeployVersion)
        .build()
        .unwrap();
    let (_, edits) = edits(&pipeline, json!({"service": "api", "version": "v1"}));
    assert_eq!(edits, [("tool-repair", "deploy-version-tag".to_owned())]);
}

#[test]
fn a_second_repair_for_the_tool_is_refused() {
    struct Rival;
    impl callmend::ToolRepair for Rival {
        fn tool(&self) -> &'static str {
            "deploy"
        }
        fn fields(&self) -> &'static [&'static str] {
            &["service"]
        }
        fn code(&self) -> (callmend::Code, &'static str) {
            (callmend::Code::new("rival"), "never runs")
        }
        fn package(&self) -> &'static str {
            "rival"
        }
        fn plan(&self, _: &serde_json::Map<String, Value>) -> Vec<callmend::Change> {
            Vec::new()
        }
    }
    let error = Pipeline::builder().tool_repair(&Rival).build().unwrap_err();
    assert_eq!(
        error,
        PipelineError::DuplicateToolRepair {
            tool: "deploy".into(),
            first: "callmend-downstream".into(),
            second: "rival".into(),
        }
    );
}
