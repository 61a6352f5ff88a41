//! Which stages a pipeline takes, and what it says of those that it cannot.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use callmend::{Cascade, Pipeline, PipelineError, catalog};

const STANDARD: [&str; 7] = [
    "parse-leniency",
    "markup-split",
    "alias-rename",
    "tool-repair",
    "strict-reject",
    "ambiguity",
    "argument-validate",
];

const EXTENDED: [&str; 9] = [
    "parse-leniency",
    "unwrap",
    "markup-split",
    "alias-rename",
    "tool-repair",
    "type-drift",
    "strict-reject",
    "ambiguity",
    "argument-validate",
];

fn ids(pipeline: &Pipeline) -> Vec<&'static str> {
    pipeline.stages().map(|meta| meta.id).collect()
}

#[test]
fn each_cascade_takes_its_own_stages_in_order() {
    assert_eq!(ids(&Pipeline::standard().unwrap()), STANDARD);
    assert_eq!(ids(&Pipeline::extended().unwrap()), EXTENDED);
}

#[test]
fn every_canonical_stage_is_listed_once_with_its_package() {
    let listed = catalog::stages();
    let ids: Vec<_> = listed.iter().map(|listed| listed.meta.id).collect();
    assert_eq!(ids, EXTENDED);
    for listed in listed {
        assert_eq!(listed.meta.package, format!("callmend-{}", listed.meta.id));
        assert!(!listed.meta.summary.is_empty() && !listed.meta.codes.is_empty());
        let extended = matches!(listed.meta.id, "unwrap" | "type-drift");
        let smallest = if extended {
            Cascade::Extended
        } else {
            Cascade::Standard
        };
        assert_eq!(listed.cascade, Some(smallest));
    }
}

#[test]
fn no_code_marks_both_an_edit_and_a_rejection() {
    let mut kinds = std::collections::BTreeMap::new();
    let own = callmend::CODES.iter();
    let stages = catalog::stages();
    for info in stages
        .iter()
        .flat_map(|listed| listed.meta.codes)
        .chain(own)
    {
        let kind = kinds.entry(info.code).or_insert(info.kind);
        assert_eq!(*kind, info.kind, "{}", info.code);
    }
}

#[test]
fn the_built_in_tool_repairs_are_found() {
    let tools: Vec<_> = catalog::tool_repairs()
        .iter()
        .map(|repair| repair.tool())
        .collect();
    assert_eq!(tools, ["task", "yield"]);
}

#[test]
fn stages_are_picked_and_skipped_by_id_in_their_own_order() {
    let picked = Pipeline::builder().only(["ambiguity", "parse-leniency", "type-drift"]);
    assert_eq!(
        ids(&picked.build().unwrap()),
        ["parse-leniency", "type-drift", "ambiguity"]
    );
    let skipped = Pipeline::builder()
        .skip(["alias-rename", "type-drift"])
        .build()
        .unwrap();
    let rest: Vec<_> = STANDARD
        .into_iter()
        .filter(|id| *id != "alias-rename")
        .collect();
    assert_eq!(ids(&skipped), rest);
}

#[test]
fn an_unknown_id_is_an_error_that_names_the_nearest() {
    let errors = [
        Pipeline::builder().only(["alias-renam"]),
        Pipeline::builder().skip(["alias-renam"]),
        Pipeline::builder().registered("alias-renam"),
    ]
    .map(|builder| builder.build().unwrap_err());
    let [first, ..] = &errors;
    insta::assert_snapshot!(
        first,
        @"there is no stage `alias-renam`; did you mean `alias-rename`? (the stages are parse-leniency, unwrap, markup-split, alias-rename, tool-repair, type-drift, strict-reject, ambiguity, argument-validate)"
    );
    assert!(errors.iter().all(|error| error == first));
    let error = Pipeline::builder().only(["zzz"]).build().unwrap_err();
    assert!(matches!(
        error,
        PipelineError::UnknownStage { nearest: None, .. }
    ));
}

#[test]
fn a_tool_repair_that_would_never_run_is_refused() {
    let error = Pipeline::builder()
        .skip(["tool-repair"])
        .tool_repair(&callmend::tool_repair::TASK)
        .build()
        .unwrap_err();
    insta::assert_snapshot!(
        error,
        @"the repair for the tool `task` would never run: the stage `tool-repair` is not in this pipeline"
    );
}
