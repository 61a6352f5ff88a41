//! What the README's first command prints.

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that cannot go on fails"
)]

mod support;

use serde_json::Value;
use std::collections::BTreeSet;
use support::{callmend, demo};

fn outcomes() -> Vec<Value> {
    let tools = demo("tools.json");
    let calls = demo("calls.jsonl");
    let ran = callmend(&["repair", "--tools", &tools, &calls], "");
    assert_eq!(ran.code, 1, "some of the calls cannot be dispatched");
    assert_eq!(ran.stderr, "");
    ran.lines()
}

/// The stages that edited, and those that refused.
fn stages(outcomes: &[Value]) -> (BTreeSet<&str>, BTreeSet<&str>) {
    let mut edited = BTreeSet::new();
    let mut refused = BTreeSet::new();
    for outcome in outcomes {
        if outcome["status"] == "repaired" {
            let edits = outcome["edits"].as_array().unwrap();
            edited.extend(edits.iter().map(|edit| edit["stage"].as_str().unwrap()));
        }
        refused.extend(outcome["rejection"]["stage"].as_str());
    }
    (edited, refused)
}

#[test]
fn every_stage_shows_what_it_does() {
    let outcomes = outcomes();
    let (edited, refused) = stages(&outcomes);
    let rewriting = [
        "alias-rename",
        "argument-validate",
        "markup-split",
        "parse-leniency",
        "tool-repair",
    ];
    let refusing = [
        "alias-rename",
        "ambiguity",
        "argument-validate",
        "parse-leniency",
        "pipeline",
        "strict-reject",
    ];
    assert_eq!(edited, BTreeSet::from(rewriting));
    assert_eq!(refused, BTreeSet::from(refusing));
    assert!(outcomes.iter().any(|outcome| outcome["status"] == "clean"));
}

#[test]
fn every_call_becomes_what_its_id_says() {
    for outcome in outcomes() {
        let id = outcome["id"].as_str().unwrap();
        let (word, rest) = id.split_once([' ', ',']).unwrap_or((id, ""));
        let status = match word {
            "refused" => "unrepairable",
            word => word,
        };
        assert_eq!(outcome["status"], status, "{id}");
        if let Some(stage) = rest
            .strip_prefix("by ")
            .filter(|stage| *stage != "three stages")
        {
            let by = match word {
                "repaired" => &outcome["edits"][0]["stage"],
                _ => &outcome["rejection"]["stage"],
            };
            assert_eq!(by, stage, "{id}");
        }
    }
}

#[test]
fn the_outcomes_are_these() {
    let tools = demo("tools.json");
    let ran = callmend(&["repair", "--tools", &tools, &demo("calls.jsonl")], "");
    insta::assert_snapshot!("demo", ran.stdout);
}

#[test]
fn the_demo_is_clean_or_refused_when_it_is_run_again() {
    let tools = demo("tools.json");
    let again: String = outcomes()
        .iter()
        .filter(|outcome| outcome.get("arguments").is_some())
        .map(|outcome| {
            format!(
                "{}\n",
                serde_json::json!({"tool": outcome["tool"], "arguments": outcome["arguments"]})
            )
        })
        .collect();
    let ran = callmend(&["repair", "--tools", &tools], &again);
    assert_eq!(ran.code, 0);
    assert!(
        ran.lines()
            .iter()
            .all(|outcome| outcome["status"] == "clean")
    );
}
