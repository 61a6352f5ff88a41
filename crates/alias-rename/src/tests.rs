//! What the stage repairs, and what it leaves alone.

use super::*;
use callmend_stage::{Code, Rejection};
use serde_json::json;

/// The arguments after the stage, or its rejection.
fn run(tool: &Tool, cascade: Cascade, arguments: Value) -> Result<Value, Box<Rejection>> {
    let Some(prepared) = STAGE.prepare(tool, cascade).unwrap() else {
        return Ok(arguments);
    };
    let mut draft = Draft::new(arguments);
    let verdict = prepared.plan(&draft);
    match draft.apply(message::ID, verdict) {
        Ok(_) => Ok(draft.value().unwrap().clone()),
        Err(rejection) => Err(rejection),
    }
}

fn object(names: &[&str]) -> Value {
    let properties: Map<String, Value> = names
        .iter()
        .map(|name| ((*name).to_owned(), json!({})))
        .collect();
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

fn tool(names: &[&str]) -> Tool {
    Tool::new("t", object(names)).unwrap()
}

fn standard(names: &[&str], arguments: Value) -> Result<Value, Code> {
    run(&tool(names), Cascade::Standard, arguments).map_err(|rejection| rejection.code)
}

fn extended(names: &[&str], arguments: Value) -> Result<Value, Code> {
    run(&tool(names), Cascade::Extended, arguments).map_err(|rejection| rejection.code)
}

/// An `edits` tool whose items declare these names.
fn nested(names: &[&str]) -> Tool {
    let schema = json!({
        "type": "object",
        "properties": {"edits": {"type": "array", "items": object(names)}}
    });
    Tool::new("t", schema).unwrap()
}

#[test]
fn casing_and_separators_are_put_right_in_both_cascades() {
    for key in [
        "maxResults",
        "MaxResults",
        "max-results",
        "max.results",
        "MAX RESULTS",
        "max/results",
    ] {
        let sent = json!({ key: 5 });
        assert_eq!(
            standard(&["max_results"], sent.clone()),
            Ok(json!({"max_results": 5}))
        );
        assert_eq!(
            extended(&["max_results"], sent),
            Ok(json!({"max_results": 5}))
        );
    }
}

#[test]
fn every_common_alias_fires_where_its_target_is_declared() {
    for group in aliases::GROUPS {
        for from in group.sent() {
            let sent = json!({ from: 1 });
            let wanted = json!({ group.canonical: 1 });
            assert_eq!(standard(&[group.canonical], sent.clone()), Ok(wanted));
            assert_eq!(standard(&["other"], sent.clone()), Ok(sent));
        }
    }
}

#[test]
fn an_alias_is_compared_in_the_normalized_form() {
    assert_eq!(
        standard(&["path"], json!({"file_path": 1})),
        Ok(json!({"path": 1}))
    );
    assert_eq!(
        standard(&["query"], json!({"Search-Query": 1})),
        Ok(json!({"query": 1}))
    );
}

#[test]
fn declared_and_harness_owned_names_are_never_renamed() {
    let sent = json!({"filepath": 1, "i": 2, "__path": 3});
    assert_eq!(
        standard(&["filepath", "I", "path"], sent.clone()),
        Ok(sent.clone())
    );
    assert_eq!(extended(&["filepath", "I", "path"], sent.clone()), Ok(sent));
}

#[test]
fn a_key_that_is_a_letter_off_is_not_renamed() {
    for key in ["include_id", "includ_ids", "paht"] {
        let sent = json!({ key: 1 });
        assert_eq!(extended(&["include_ids", "path"], sent.clone()), Ok(sent));
    }
}

#[test]
fn the_empty_form_matches_nothing() {
    let sent = json!({"": 1, "_": 2, "- .": 3});
    assert_eq!(standard(&["/", "path"], sent.clone()), Ok(sent));
}

#[test]
fn declared_names_that_read_alike_are_matched_by_neither() {
    let sent = json!({"MaxResults": 1});
    assert_eq!(
        standard(&["max_results", "maxResults"], sent.clone()),
        Ok(sent.clone())
    );
    assert_eq!(
        extended(&["max_results", "maxResults"], sent.clone()),
        Ok(sent)
    );
}

#[test]
fn one_key_with_two_candidates_is_refused_in_the_standard_cascade() {
    let sent = json!({"Contents": 1});
    assert_eq!(
        standard(&["content", "contents"], sent.clone()),
        Err(message::ALIAS_AMBIGUOUS)
    );
    // A normalized match comes first in the extended one.
    assert_eq!(
        extended(&["content", "contents"], sent),
        Ok(json!({"contents": 1}))
    );
}

#[test]
fn two_keys_with_one_candidate_are_refused() {
    for sent in [
        json!({"file": 1, "filepath": 2}),
        json!({"Path": 1, "PATH": 2}),
    ] {
        assert_eq!(
            standard(&["path"], sent.clone()),
            Err(message::ALIAS_COLLISION)
        );
        assert_eq!(extended(&["path"], sent), Err(message::ALIAS_COLLISION));
    }
}

#[test]
fn equal_values_do_not_make_two_keys_one() {
    assert_eq!(
        standard(&["path"], json!({"file": 1, "filepath": 1})),
        Err(message::ALIAS_COLLISION)
    );
}

#[test]
fn a_candidate_that_has_a_value_is_refused_even_when_it_is_null() {
    for value in [json!("a"), Value::Null] {
        let sent = json!({"path": value, "filepath": 2});
        assert_eq!(
            standard(&["path"], sent.clone()),
            Err(message::ALIAS_OCCUPIED)
        );
        assert_eq!(extended(&["path"], sent), Err(message::ALIAS_OCCUPIED));
    }
}

#[test]
fn all_the_keys_involved_are_named() {
    let said = |sent| {
        run(&tool(&["path"]), Cascade::Standard, sent)
            .unwrap_err()
            .message
    };
    assert_eq!(
        said(json!({"file": 1, "filename": 2, "filepath": 3})),
        "`file`, `filename` and `filepath` all read as `path`; pass `path` once (t takes path?)"
    );
    assert_eq!(
        said(json!({"file": 1, "filename": 2, "path": 3})),
        "`file` and `filename` both read as `path`, which already has a value; pass `path` alone (t takes path?)"
    );
}

#[test]
fn further_problems_go_into_the_hints() {
    let sent = json!({"Q": 1, "file": 1, "filename": 2, "q": 2});
    let rejection = run(&tool(&["path", "query"]), Cascade::Standard, sent).unwrap_err();
    assert_eq!(rejection.path.as_deref(), Some("/Q"));
    assert_eq!(
        rejection.hints,
        ["`file` and `filename` both read as `path`; pass `path` once"]
    );
}

#[test]
fn a_tool_its_host_and_its_schema_add_aliases() {
    let tool = Tool::builder(
        "t",
        json!({"properties": {"cmd": {"x-aliases": ["command", "Shell-Command"]}, "cwd": {}}}),
    )
    .alias("working_directory", "cwd")
    .alias("nothing", "undeclared")
    .build()
    .unwrap();
    let run = |sent| run(&tool, Cascade::Standard, sent);
    assert_eq!(
        run(json!({"command": 1, "workingDirectory": 2})),
        Ok(json!({"cmd": 1, "cwd": 2}))
    );
    assert_eq!(run(json!({"shell_command": 1})), Ok(json!({"cmd": 1})));
    assert_eq!(run(json!({"nothing": 1})), Ok(json!({"nothing": 1})));
    assert_eq!(
        run(json!({"cmd": 1, "command": 2})).unwrap_err().code,
        message::ALIAS_OCCUPIED
    );
}

#[test]
fn an_alias_of_two_arguments_is_refused() {
    let schema = json!({"properties": {"a": {"x-aliases": ["x"]}, "b": {"x-aliases": ["x"]}}});
    let tool = Tool::new("t", schema).unwrap();
    let rejection = run(&tool, Cascade::Standard, json!({"x": 1})).unwrap_err();
    assert_eq!(
        rejection.message,
        "`x` could be `a` or `b`; pass the one you mean (t takes a?, b?)"
    );
}

#[test]
fn the_groups_work_both_ways_in_the_extended_cascade_alone() {
    for (sent, declared) in [
        ("path", "file_path"),
        ("path", "filePath"),
        ("file", "target_file"),
        ("filepath", "targetfile"),
        ("content", "contents"),
        ("text", "contents"),
        ("query", "q"),
        ("q", "search_query"),
        ("recursive", "isRecursive"),
        ("directory", "dir"),
        ("folder", "dir"),
        ("op", "operation"),
        ("action", "operation"),
    ] {
        let call = json!({ sent: 1 });
        assert_eq!(standard(&[declared], call.clone()), Ok(call.clone()));
        assert_eq!(
            extended(&[declared], call),
            Ok(json!({ declared: 1 })),
            "{sent}"
        );
    }
}

#[test]
fn names_that_tools_use_for_other_things_are_never_targets() {
    for (sent, declared) in [
        ("path", "file"),
        ("path", "filename"),
        ("path", "file_name"),
        ("content", "text"),
        ("content", "body"),
        ("op", "action"),
        ("file", "filename"),
        ("text", "body"),
    ] {
        let call = json!({ sent: 1 });
        assert_eq!(extended(&[declared], call.clone()), Ok(call), "{sent}");
    }
}

#[test]
fn two_declared_members_of_a_group_are_two_readings() {
    let call = json!({"file": 1});
    assert_eq!(
        extended(&["path", "file_path"], call.clone()),
        Err(message::ALIAS_AMBIGUOUS)
    );
    // One that is never a target does not count.
    assert_eq!(
        extended(&["path", "filename"], call),
        Ok(json!({"path": 1}))
    );
}

#[test]
fn nested_objects_are_reached_in_the_extended_cascade_alone() {
    let tool = nested(&["oldText", "newText"]);
    let sent = json!({"edits": [{"old_text": "a", "newText": "b"}, {"oldText": "c"}]});
    assert_eq!(
        run(&tool, Cascade::Standard, sent.clone()),
        Ok(sent.clone())
    );
    assert_eq!(
        run(&tool, Cascade::Extended, sent),
        Ok(json!({"edits": [{"oldText": "a", "newText": "b"}, {"oldText": "c"}]}))
    );
}

#[test]
fn a_renamed_key_is_followed_into_its_object_in_the_same_pass() {
    let tool = nested(&["oldText"]);
    assert_eq!(
        run(
            &tool,
            Cascade::Extended,
            json!({"Edits": [{"old_text": "a"}]})
        ),
        Ok(json!({"edits": [{"oldText": "a"}]}))
    );
}

#[test]
fn a_nested_problem_is_told_with_its_path() {
    let tool = nested(&["oldText", "newText"]);
    let sent = json!({"edits": [{"newText": "b", "new_text": "c"}]});
    let rejection = run(&tool, Cascade::Extended, sent).unwrap_err();
    assert_eq!(
        rejection.message,
        "`edits[0].new_text` reads as `edits[0].newText`, which already has a value; pass `edits[0].newText` alone (t takes edits?)"
    );
    assert_eq!(rejection.path.as_deref(), Some("/edits/0/new_text"));
}

#[test]
fn a_name_one_letter_off_in_a_nested_object_stays() {
    let tool = nested(&["oldText", "newText"]);
    let sent = json!({"edits": [{"newText": "b", "new_text_x": "c"}]});
    assert_eq!(run(&tool, Cascade::Extended, sent.clone()), Ok(sent));
}

#[test]
fn what_is_harness_owned_at_the_root_is_an_ordinary_name_below() {
    let tool = nested(&["I", "path"]);
    assert_eq!(
        run(
            &tool,
            Cascade::Extended,
            json!({"i": {"Path": 1}, "edits": [{"i": 1, "__path": 2}]})
        ),
        Ok(json!({"i": {"Path": 1}, "edits": [{"I": 1, "__path": 2}]}))
    );
}

#[test]
fn a_recursive_schema_is_followed_as_deep_as_the_call_goes() {
    let schema = json!({
        "properties": {"nodes": {"type": "array", "items": {"$ref": "#"}}, "file_path": {}}
    });
    let tool = Tool::new("t", schema).unwrap();
    let sent = json!({"nodes": [{"nodes": [{"path": 1}]}]});
    assert_eq!(
        run(&tool, Cascade::Extended, sent),
        Ok(json!({"nodes": [{"nodes": [{"file_path": 1}]}]}))
    );
}

#[test]
fn keys_of_a_map_are_its_callers_own() {
    let schema = json!({"properties": {
        "env": {"properties": {"PATH": {}}, "additionalProperties": {"type": "string"}},
        "headers": {"properties": {"accept": {}}, "patternProperties": {"^x-": {}}},
        "open": {"properties": {"accept": {}}, "additionalProperties": {}}
    }});
    let tool = Tool::new("t", schema).unwrap();
    let sent = json!({"env": {"path": "a"}, "headers": {"Accept": "b"}, "open": {"Accept": "c"}});
    assert_eq!(
        run(&tool, Cascade::Extended, sent),
        Ok(json!({"env": {"path": "a"}, "headers": {"Accept": "b"}, "open": {"accept": "c"}}))
    );
}

#[test]
fn a_pattern_at_the_root_leaves_every_key_alone() {
    let schema = json!({"properties": {"path": {}}, "patternProperties": {"^file": {}}});
    let tool = Tool::new("t", schema).unwrap();
    assert!(STAGE.prepare(&tool, Cascade::Standard).unwrap().is_none());
}

#[test]
fn constants_rule_out_alternatives() {
    let branch = |kind: &str, name: &str| json!({"type": "object", "properties": {"kind": {"const": kind}, name: {}}});
    let schema = json!({"properties": {"target": {"anyOf": [
        branch("a", "path"), branch("b", "file_path")
    ]}}});
    let tool = Tool::new("t", schema).unwrap();
    let run = |target| run(&tool, Cascade::Extended, json!({ "target": target }));
    let target = |value| Ok(json!({ "target": value }));
    assert_eq!(
        run(json!({"kind": "a", "filepath": 1})),
        target(json!({"kind": "a", "path": 1}))
    );
    assert_eq!(
        run(json!({"kind": "b", "file": 1})),
        target(json!({"kind": "b", "file_path": 1}))
    );
    assert_eq!(
        run(json!({"Kind": "a", "file": 1})),
        target(json!({"kind": "a", "path": 1}))
    );
    assert_eq!(
        run(json!({"file": 1})).unwrap_err().code,
        message::ALIAS_AMBIGUOUS
    );
}

#[test]
fn a_deep_value_is_left_as_sent_below_the_limit() {
    let schema = json!({"properties": {"child": {"$ref": "#"}, "file_path": {}}});
    let tool = Tool::new("t", schema).unwrap();
    let prepared = STAGE.prepare(&tool, Cascade::Extended).unwrap().unwrap();
    let mut deep = json!({"path": 1});
    for _ in 0..1_000 {
        deep = json!({ "child": deep });
    }
    assert_eq!(prepared.plan(&Draft::new(deep)), Verdict::Pass);
}

#[test]
fn many_unknown_keys_and_long_ones_are_told_apart_by_look_up() {
    let mut arguments = Map::new();
    for n in 0..20_000 {
        arguments.insert(format!("key{n}"), json!(n));
    }
    arguments.insert("k".repeat(1 << 20), json!(1));
    arguments.insert(format!("{}path", "-".repeat(1 << 20)), json!("a"));
    let sent = Value::Object(arguments);
    let got = run(&tool(&["path"]), Cascade::Extended, sent).unwrap();
    assert_eq!(got["path"], json!("a"));
}

#[test]
fn what_is_no_object_passes() {
    let prepared = STAGE
        .prepare(&tool(&["path"]), Cascade::Standard)
        .unwrap()
        .unwrap();
    for value in [json!([{"filepath": 1}]), json!("filepath"), Value::Null] {
        assert_eq!(prepared.plan(&Draft::new(value)), Verdict::Pass);
    }
    assert_eq!(
        prepared.plan(&Draft::new(r#"{"filepath": 1}"#)),
        Verdict::Pass
    );
}
