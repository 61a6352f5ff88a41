//! P1 to P5 over generated tools and calls.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use callmend_stage::{Cascade, Draft, Stage, Tool, Verdict};
use callmend_unwrap::STAGE;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const KEYS: [&str; 12] = [
    "path",
    "limit",
    "arguments",
    "args",
    "input",
    "Input",
    "params",
    "payload",
    "$PARAMETER_NAME",
    "name",
    "i",
    "__x",
];

fn key() -> impl Strategy<Value = String> {
    prop_oneof![9 => prop::sample::select(&KEYS[..]).prop_map(str::to_owned), 1 => ".{0,4}"]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "t|read|[a-z]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            object(inner.clone()),
            object(inner).prop_map(|object| Value::from(object.to_string())),
        ]
    })
}

fn object(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop::collection::vec((key(), inner), 0..4)
        .prop_map(|members| Value::Object(members.into_iter().collect()))
}

fn tool() -> impl Strategy<Value = Tool> {
    (
        prop::collection::vec(
            (
                key(),
                prop::sample::select(vec![json!({}), json!({ "type": "object" })]),
            ),
            0..4,
        ),
        any::<bool>(),
    )
        .prop_map(|(declared, closed)| {
            let declared: Map<String, Value> = declared.into_iter().collect();
            let schema = json!({ "properties": declared, "additionalProperties": !closed });
            Tool::new("t", schema).unwrap()
        })
}

fn scalars<'v>(value: &'v Value, out: &mut Vec<&'v Value>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| scalars(item, out)),
        Value::Object(object) => object.values().for_each(|member| scalars(member, out)),
        scalar => out.push(scalar),
    }
}

proptest! {
    #[test]
    fn a_rewrite_is_one_settled_edit_and_invents_nothing(tool in tool(), call in value()) {
        let Some(bound) = STAGE.prepare(&tool, Cascade::Extended).unwrap() else { return Ok(()) };
        let mut draft = Draft::new(call.clone());
        let verdict = bound.plan(&draft);
        prop_assert_eq!(&verdict, &bound.plan(&draft));
        let Verdict::Rewrite(changes) = &verdict else {
            prop_assert!(matches!(verdict, Verdict::Pass | Verdict::Reject(_)));
            return Ok(());
        };
        prop_assert_eq!(changes.len(), 1);
        draft.apply("unwrap", verdict).unwrap();
        prop_assert_eq!(bound.plan(&draft), Verdict::Pass);
        let after = draft.value().unwrap();
        let signature = tool.signature();
        prop_assert!(signature.keys_all_declared(after.as_object().unwrap()));
        let sent = call.to_string();
        let mut found = Vec::new();
        scalars(after, &mut found);
        for scalar in found {
            let bare = scalar.to_string();
            let escaped = Value::from(bare.clone()).to_string();
            prop_assert!(sent.contains(&bare) || sent.contains(&escaped[1..escaped.len() - 1]));
        }
        // The edits, replayed on what was sent, give the arguments.
        let edit = draft.edits()[0].to_json();
        prop_assert_eq!(&edit["value"], after);
        prop_assert_eq!(&edit["before"], &call);
    }

    #[test]
    fn any_json_gets_a_verdict(tool in tool(), text in ".{0,60}") {
        let Some(bound) = STAGE.prepare(&tool, Cascade::Extended).unwrap() else { return Ok(()) };
        let _ = bound.plan(&Draft::new(json!({ "arguments": text })));
        let _ = bound.plan(&Draft::new(text.as_str()));
        let _ = bound.plan(&Draft::new(text.as_bytes()));
    }
}
