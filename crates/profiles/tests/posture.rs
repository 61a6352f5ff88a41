//! What a profile makes of calls.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use callmend::{Closure, Draft, Outcome, Status, Tool};
use callmend_profiles::{Known, Profile, Profiles};
use proptest::prelude::*;
use serde_json::{Value, json};

fn profile(table: &str) -> Profile {
    let text = format!("[\"*\"]\n{table}\n");
    Profiles::parse(&text, &Known::of_this_program())
        .unwrap()
        .for_model("any/model")
}

fn find() -> Tool {
    let schema = json!({
        "type": "object",
        "properties": {
            "query": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}
        },
        "additionalProperties": false
    });
    Tool::new("find", schema).unwrap()
}

fn run(table: &str, call: impl Into<Draft<'static>>) -> Outcome<'static> {
    let prepared = profile(table).pipeline().unwrap().prepare(&find()).unwrap();
    prepared.run(call).into_owned()
}

#[test]
fn without_repair_strict_text_is_decoded() {
    let pipeline = profile("repair = false").pipeline().unwrap();
    let prepared = pipeline.prepare(&find()).unwrap();
    let outcome = prepared.run(r#"{"query": "lime"}"#);
    assert_eq!(outcome.status, Status::Clean);
    assert_eq!(outcome.arguments, Some(json!({"query": "lime"})));
    assert_eq!(outcome.text, Some(r#"{"query": "lime"}"#));
}

#[test]
fn without_repair_no_rewriting_stage_runs() {
    for call in [
        r#"{"query": "lime",}"#,
        r#""{\"query\": \"lime\"}""#,
        r#"{"q": "lime"}"#,
        r#"{"Query": "lime"}"#,
        r#"{"__parseError": "x", "__rawJson": "{\"query\": \"lime\"}"}"#,
        "None",
    ] {
        let outcome = run("repair = false", call);
        assert_eq!(outcome.status, Status::Unrepairable, "{call}");
        assert!(outcome.edits.is_empty(), "{call}");
        assert!(run("repair = true", call).edits.len() == 1, "{call}");
    }
}

#[test]
fn without_repair_the_extended_stages_do_not_run_either() {
    let table = "repair = false\ncascade = \"extended\"";
    let wrapped = json!({"arguments": {"query": "lime"}});
    assert_eq!(run(table, wrapped).status, Status::Unrepairable);
    let stages = profile(table).pipeline().unwrap();
    let ids: Vec<_> = stages.stages().map(|meta| meta.id).collect();
    assert_eq!(
        ids,
        [
            "strict-decode",
            "strict-reject",
            "ambiguity",
            "argument-validate"
        ]
    );
}

#[test]
fn without_repair_nothing_still_reads_as_no_arguments() {
    for call in [Draft::new(Value::Null), Draft::new(""), Draft::new("  \n")] {
        let outcome = run("repair = false", call);
        assert_eq!(outcome.arguments, Some(json!({})));
    }
    let strict = Tool::new("f", json!({"properties": {"a": {}}, "required": ["a"]})).unwrap();
    let prepared = profile("repair = false")
        .pipeline()
        .unwrap()
        .prepare(&strict)
        .unwrap();
    assert_eq!(prepared.run("").status, Status::Unrepairable);
}

#[test]
fn without_repair_a_call_that_was_cut_off_is_refused() {
    let cut = Draft::new(r#"{"query": "lime"}"#).with_complete(Some(false));
    let rejection = run("repair = false", cut).rejection.unwrap();
    assert_eq!(rejection.code.as_str(), "stopped-early");
    let open = Draft::new(r#"{"query": "lime""#).with_complete(Some(true));
    assert_eq!(run("repair = false", open).status, Status::Unrepairable);
}

#[test]
fn without_repair_validation_still_normalizes() {
    let outcome = run("repair = false", json!({"tags": "a"}));
    assert_eq!(outcome.arguments, Some(json!({"tags": ["a"]})));
}

#[test]
fn the_refusal_says_what_to_send() {
    let rejection = run("repair = false", r#"{"query": "lime",}"#)
        .rejection
        .unwrap();
    let said = format!(
        "{}\n{}\n{}",
        rejection.code,
        rejection.message,
        rejection.hints.join("\n")
    );
    insta::assert_snapshot!(said);
    let local = profile("tools = [\"read\"]");
    let none = profile("tools = []");
    let said = [&local, &none].map(|profile| {
        let rejection = profile.refusal("write").unwrap();
        format!(
            "{} {}: {}",
            rejection.stage, rejection.code, rejection.message
        )
    });
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn stages_pick_one_by_one() {
    let ids = |table: &str| -> Vec<&str> {
        let pipeline = profile(table).pipeline().unwrap();
        pipeline.stages().map(|meta| meta.id).collect()
    };
    let some = "stages = [\"argument-validate\", \"parse-leniency\", \"alias-rename\"]";
    assert_eq!(
        ids(some),
        ["parse-leniency", "alias-rename", "argument-validate"]
    );
    let strict = format!("{some}\nrepair = false");
    assert_eq!(ids(&strict), ["strict-decode", "argument-validate"]);
    assert_eq!(
        ids("repair = false\nstages = [\"argument-validate\"]"),
        ["argument-validate"]
    );
}

#[test]
fn closure_is_for_tools_that_do_not_say_themselves() {
    let closed = profile("closure = \"closed\"");
    let build = |builder| closed.close(builder).build().unwrap().closure();
    assert_eq!(build(Tool::builder("t", json!({}))), Closure::Closed);
    let own = Tool::builder("t", json!({})).closure(Closure::Authored);
    assert_eq!(build(own), Closure::Authored);
}

#[test]
fn the_allowlist_is_exact() {
    let some = profile("tools = [\"read\"]");
    assert!(some.allows("read") && !some.allows("Read") && !some.allows("write"));
    assert!(Profile::default().allows("anything"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,200}") {
        let _ = Profiles::parse(&text, &Known::default());
        let _ = Profiles::parse(&format!("[\"*\"]\n{text}"), &Known::default());
    }

    #[test]
    fn any_model_has_a_profile(model in ".{0,40}") {
        let text = "[\"*\"]\nrepair = false\n[\"a/*\"]\nrepair = true\n";
        let profiles = Profiles::parse(text, &Known::default()).unwrap();
        prop_assert_eq!(profiles.for_model(&model).repair, model.starts_with("a/"));
    }

    /// Without repair, a call comes back as it was sent or not at all.
    #[test]
    fn without_repair_nothing_is_rewritten(text in prop_oneof![
        ".{0,60}",
        "\\{\"(query|q|Query)\": ?\"[a-z]{0,5}\",?\\}",
    ]) {
        let prepared = profile("repair = false").pipeline().unwrap().prepare(&find()).unwrap();
        let outcome = prepared.run(text.as_str());
        if let Some(arguments) = outcome.arguments {
            let sent = serde_json::from_str::<Value>(&text).unwrap_or(json!({}));
            prop_assert_eq!(arguments, sent);
        }
    }
}
