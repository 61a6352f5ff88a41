//! Properties that hold for every schema and every call.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use callmend_alias_rename::{STAGE, message};
use callmend_stage::{Cascade, Draft, Edit, Stage, Tool, Verdict, pointer};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Names that collide, match, alias and miss.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "path",
            "Path",
            "file_path",
            "filePath",
            "filepath",
            "file",
            "filename",
            "targetFile",
            "content",
            "contents",
            "Contents",
            "text",
            "body",
            "q",
            "query",
            "search_query",
            "op",
            "action",
            "operation",
            "dir",
            "folder",
            "directory",
            "i",
            "__x",
            "kind",
            "",
        ])
        .prop_map(str::to_owned),
        "[a-cA-C_\\-. /]{0,5}",
    ]
}

fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({})),
        Just(json!({"const": "a"})),
        Just(json!({"x-aliases": ["file", "X"]})),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            (prop::collection::vec((name(), inner.clone()), 0..4), any::<bool>()).prop_map(
                |(members, closed)| {
                    let properties: Map<String, Value> = members.into_iter().collect();
                    json!({"type": "object", "properties": properties, "additionalProperties": !closed})
                }
            ),
            inner.clone().prop_map(|items| json!({"type": "array", "items": items})),
            prop::collection::vec(inner, 1..3).prop_map(|any| json!({"anyOf": any})),
        ]
    })
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(json!("a")), Just(json!(1)), Just(Value::Null)];
    leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            prop::collection::vec((name(), inner.clone()), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
            prop::collection::vec(inner, 0..3).prop_map(Value::Array),
        ]
    })
}

/// Applies recorded edits by their JSON Patch operations alone.
fn replay(sent: &Value, edits: &[Edit<'_>]) -> Value {
    let mut value = sent.clone();
    for edit in edits {
        let from = edit.op.from().unwrap();
        let (parent, key) = pointer::split_last(from).unwrap();
        let (_, to) = pointer::split_last(edit.op.path()).unwrap();
        let object = value.pointer_mut(parent).unwrap().as_object_mut().unwrap();
        let moved = object.remove(key.as_ref()).unwrap();
        assert!(object.insert(to.into_owned(), moved).is_none());
    }
    value
}

fn leaves(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Object(object) => object.values().for_each(|v| leaves(v, out)),
        Value::Array(items) => items.iter().for_each(|v| leaves(v, out)),
        scalar => out.push(scalar.to_string()),
    }
}

fn check(schema: &Value, sent: &Value, cascade: Cascade) {
    let Ok(tool) = Tool::new("t", schema.clone()) else {
        return;
    };
    let Some(prepared) = STAGE.prepare(&tool, cascade).unwrap() else {
        return;
    };
    let mut draft = Draft::new(sent.clone());
    let verdict = prepared.plan(&draft);
    let rewritten = match draft.apply(message::ID, verdict) {
        Ok(rewritten) => rewritten,
        Err(rejection) => {
            assert!(
                message::CODES
                    .iter()
                    .any(|info| info.code == rejection.code)
            );
            assert!(rejection.message.ends_with(')'));
            assert!(sent.pointer(rejection.path.as_deref().unwrap()).is_some());
            return;
        }
    };
    let after = draft.value().unwrap();
    // P5: the operations alone give the same arguments.
    assert_eq!(&replay(sent, draft.edits()), after);
    // P2: nothing is invented, nothing dropped.
    let (mut before, mut now) = (Vec::new(), Vec::new());
    leaves(sent, &mut before);
    leaves(after, &mut now);
    before.sort();
    now.sort();
    assert_eq!(before, now);
    // P3: what was planned, applied, plans nothing more.
    assert_eq!(prepared.plan(&Draft::new(after.clone())), Verdict::Pass);
    // P1: no edit, no change.
    assert_eq!(rewritten, after != sent);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_call_of_any_tool_is_accounted_for_and_settled(schema in schema(), sent in value()) {
        check(&schema, &sent, Cascade::Standard);
        check(&schema, &sent, Cascade::Extended);
    }

    #[test]
    fn declared_keys_alone_are_never_touched(names in prop::collection::vec(name(), 1..6)) {
        let object: Map<String, Value> = names.iter().map(|n| (n.clone(), json!({}))).collect();
        let tool = Tool::new("t", json!({"properties": object})).unwrap();
        for cascade in [Cascade::Standard, Cascade::Extended] {
            if let Some(prepared) = STAGE.prepare(&tool, cascade).unwrap() {
                let call = Draft::new(Value::Object(object.clone()));
                prop_assert_eq!(prepared.plan(&call), Verdict::Pass);
            }
        }
    }
}
