//! Runs the stage alone on one call.

use callmend_stage::{Cascade, Draft, Stage, Tool, ToolBuilder, Verdict};
use callmend_type_drift::STAGE;
use serde_json::{Value, json};

/// What the stage did: the arguments after its edits and their codes, or the code of a rejection.
#[derive(Debug, PartialEq)]
pub(crate) enum Did {
    Nothing,
    Gave(Value, Vec<&'static str>),
    Refused(&'static str),
}

/// A tool `t` with one optional argument `x`.
pub(crate) fn one(slot: Value) -> ToolBuilder {
    Tool::builder(
        "t",
        json!({ "type": "object", "properties": { "x": slot } }),
    )
}

/// A tool `t` with one required argument `x`.
pub(crate) fn must(slot: Value) -> ToolBuilder {
    let schema = json!({ "type": "object", "properties": { "x": slot }, "required": ["x"] });
    Tool::builder("t", schema)
}

/// Runs the stage, and checks that it has nothing to add to its own result.
pub(crate) fn run(tool: ToolBuilder, call: Value) -> Did {
    let tool = tool.build().unwrap();
    let Some(bound) = STAGE.prepare(&tool, Cascade::Extended).unwrap() else {
        return Did::Nothing;
    };
    let mut draft = Draft::new(call);
    match bound.plan(&draft) {
        Verdict::Pass => Did::Nothing,
        Verdict::Reject(rejection) => Did::Refused(rejection.code.as_str()),
        verdict => {
            draft.apply("type-drift", verdict).unwrap();
            assert!(
                !matches!(bound.plan(&draft), Verdict::Rewrite(_)),
                "planning again on {:?}",
                draft.value()
            );
            let codes = draft.edits().iter().map(|edit| edit.code.as_str());
            Did::Gave(draft.value().unwrap().clone(), codes.collect())
        }
    }
}
