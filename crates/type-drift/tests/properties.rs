//! P1, P2, P3 and P5 over generated schemas and calls, with the jsonschema crate as the judge of
//! what a schema accepts.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use callmend_stage::{Cascade, Draft, Stage, Tool, Verdict};
use callmend_type_drift::STAGE;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

const KEYS: [&str; 4] = ["a", "b", "c", "d"];

fn scalar_schema() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![
        json!({ "type": "integer" }),
        json!({ "type": "number" }),
        json!({ "type": "boolean" }),
        json!({ "type": "string" }),
        json!({ "type": "null" }),
        json!({ "type": ["integer", "null"] }),
        json!({ "type": ["integer", "null"], "default": null }),
        json!({ "type": ["boolean", "string"] }),
        json!({ "type": "object" }),
        json!({ "type": "array" }),
        json!({ "type": "array", "items": { "type": "string" } }),
        json!({ "enum": [1, 2, "x", null] }),
        json!({ "const": "x" }),
        json!({ "const": 5 }),
        json!({ "minimum": 3 }),
        json!({ "type": "integer", "minimum": 3 }),
        json!({}),
        json!({ "$ref": "#/$defs/tree" }),
    ])
}

fn schema() -> impl Strategy<Value = Value> {
    scalar_schema().prop_recursive(3, 12, 3, |inner| {
        let members = prop::collection::btree_map(prop::sample::select(&KEYS[..]), inner.clone(), 0..4);
        let object = (members, any::<u8>(), inner.clone()).prop_map(|(members, bits, additional)| {
            let required: Vec<_> = members
                .keys()
                .enumerate()
                .filter(|(at, _)| bits >> at & 1 == 1)
                .map(|(_, key)| *key)
                .collect();
            let mut object = json!({ "type": "object", "properties": members, "required": required });
            match bits >> 6 {
                0 => object["additionalProperties"] = json!(false),
                1 => object["additionalProperties"] = additional,
                _ => {}
            }
            object
        });
        let list = prop::collection::vec(inner.clone(), 1..3);
        prop_oneof![
            4 => object,
            2 => inner.clone().prop_map(|items| json!({ "type": "array", "items": items })),
            1 => (list.clone(), inner.clone())
                .prop_map(|(prefix, rest)| json!({ "type": "array", "prefixItems": prefix, "items": rest })),
            2 => list.clone().prop_map(|parts| json!({ "anyOf": parts })),
            2 => list.clone().prop_map(|parts| json!({ "oneOf": parts })),
            1 => list.prop_map(|parts| json!({ "allOf": parts })),
        ]
    })
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        prop::sample::select(vec![
            json!(null),
            json!(true),
            json!(1),
            json!(5),
            json!(5.0),
            json!(2.5),
            json!("x"),
        ]),
        prop::sample::select(vec![
            "5", "1", "2.5", "5.0", "true", "False", "null", "", " ", "[x", "5 "
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        let object =
            prop::collection::btree_map(prop::sample::select(&KEYS[..]), inner.clone(), 0..4)
                .prop_map(|members| json!(members));
        let list = prop::collection::vec(inner, 0..3).prop_map(Value::from);
        prop_oneof![
            object.clone(),
            list.clone(),
            object.prop_map(|object| Value::from(object.to_string())),
            list.prop_map(|list| Value::from(list.to_string())),
        ]
    })
}

/// A schema of arguments, and arguments.
fn case() -> impl Strategy<Value = (Value, Value)> {
    let members = prop::collection::btree_map(prop::sample::select(&KEYS[..]), schema(), 1..4);
    let arguments = prop::collection::btree_map(prop::sample::select(&KEYS[..]), value(), 0..4);
    (
        members,
        arguments,
        any::<u8>(),
        prop::option::weighted(0.3, prop::collection::vec(schema(), 2)),
    )
        .prop_map(|(members, arguments, bits, any)| {
            let required: Vec<_> = members
                .keys()
                .enumerate()
                .filter(|(at, _)| bits >> at & 1 == 1)
                .map(|(_, key)| *key)
                .collect();
            let mut schema = json!({
                "type": "object", "properties": members, "required": required,
                "$defs": { "tree": { "type": "object", "properties": {
                    "a": { "$ref": "#/$defs/tree" },
                    "b": { "anyOf": [{ "type": "integer" }, { "$ref": "#/$defs/tree" }] }
                } } }
            });
            if let Some(any) = any {
                schema["anyOf"] = json!(any);
            }
            (schema, json!(arguments))
        })
}

/// One way to rewrite a value: the result, and what was done where.
#[derive(Debug, Clone)]
struct Variant {
    value: Value,
    done: BTreeSet<String>,
}

/// Lists every way to rewrite a value by the mistakes of the contract, whatever the slots say; an
/// oracle that knows nothing of how the stage works.
fn variants(value: &Value, at: &str, most: usize) -> Vec<Variant> {
    let mut out = vec![];
    match value {
        Value::Object(object) => {
            let mut all = vec![(Map::new(), BTreeSet::new())];
            for (key, member) in object {
                let at = format!("{at}/{key}");
                let mut options: Vec<_> = variants(member, &at, most)
                    .into_iter()
                    .map(|v| (Some(v.value), v.done))
                    .collect();
                let nothing = member.is_null()
                    || member
                        .as_str()
                        .is_some_and(|s| s == "null" || s.trim().is_empty());
                if nothing {
                    options.push((None, BTreeSet::from([format!("{at} out")])));
                }
                all = all
                    .iter()
                    .flat_map(|(object, done): &(Map<String, Value>, BTreeSet<String>)| {
                        options.iter().map(move |(member, more)| {
                            let mut object = object.clone();
                            if let Some(member) = member {
                                object.insert(key.clone(), member.clone());
                            }
                            (object, done.union(more).cloned().collect())
                        })
                    })
                    .take(most)
                    .collect();
            }
            out.extend(all.into_iter().map(|(object, done)| Variant {
                value: object.into(),
                done,
            }));
        }
        Value::Array(items) => {
            let mut all = vec![(vec![], BTreeSet::new())];
            for (index, item) in items.iter().enumerate() {
                let options = variants(item, &format!("{at}/{index}"), most);
                all = all
                    .iter()
                    .flat_map(|(list, done): &(Vec<Value>, BTreeSet<String>)| {
                        options.iter().map(move |option| {
                            let mut list = list.clone();
                            list.push(option.value.clone());
                            (list, done.union(&option.done).cloned().collect())
                        })
                    })
                    .take(most)
                    .collect();
            }
            out.extend(all.into_iter().map(|(list, done)| Variant {
                value: list.into(),
                done,
            }));
        }
        Value::String(text) => {
            out.push(Variant {
                value: value.clone(),
                done: BTreeSet::new(),
            });
            let bare = text.trim();
            let read = match bare {
                "true" | "True" => Some(json!(true)),
                "false" | "False" => Some(json!(false)),
                _ => serde_json::from_str(bare)
                    .ok()
                    .filter(|v: &Value| !v.is_string()),
            };
            if let Some(read) = read {
                let opened = format!("{at} read");
                out.extend(
                    variants(&read, &format!("{at}!"), most)
                        .into_iter()
                        .map(|mut v| {
                            v.done.insert(opened.clone());
                            v
                        }),
                );
            }
        }
        other => out.push(Variant {
            value: other.clone(),
            done: BTreeSet::new(),
        }),
    }
    out.truncate(most);
    out
}

fn scalars(value: &Value, out: &mut Vec<Value>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| scalars(item, out)),
        Value::Object(object) => object.values().for_each(|member| scalars(member, out)),
        scalar => out.push(scalar.clone()),
    }
}

/// Every scalar that was sent, those in texts included.
fn sent_scalars(value: &Value, out: &mut Vec<Value>) {
    let mut here = Vec::new();
    scalars(value, &mut here);
    for scalar in here {
        if let Value::String(text) = &scalar {
            match text.trim() {
                "True" => out.push(json!(true)),
                "False" => out.push(json!(false)),
                bare => {
                    if let Ok(read) = serde_json::from_str::<Value>(bare)
                        && !read.is_string()
                    {
                        sent_scalars(&read, out);
                    }
                }
            }
        }
        out.push(scalar);
    }
}

/// Carries out the recorded operations (RFC 6902) on what was sent.
fn replayed(mut value: Value, draft: &Draft<'_>) -> Value {
    for edit in draft.edits() {
        let edit = edit.to_json();
        let path = edit["path"].as_str().unwrap();
        match edit["op"].as_str().unwrap() {
            "replace" => *value.pointer_mut(path).unwrap() = edit["value"].clone(),
            "remove" => {
                let (parent, key) = path.rsplit_once('/').unwrap();
                let parent = value.pointer_mut(parent).unwrap().as_object_mut().unwrap();
                assert_eq!(parent.remove(key), Some(edit["before"].clone()));
            }
            other => panic!("{other}"),
        }
    }
    value
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn one_reading_or_none((schema, call) in case()) {
        // A schema may loop, or refuse everything: that is the tool's own error.
        let Ok(tool) = Tool::new("t", schema.clone()) else { return Ok(()) };
        let judge = jsonschema::validator_for(&schema).unwrap();
        let Some(bound) = STAGE.prepare(&tool, Cascade::Extended).unwrap() else { return Ok(()) };
        let mut draft = Draft::new(call.clone());
        let verdict = bound.plan(&draft);

        if judge.is_valid(&call) {
            prop_assert_eq!(&verdict, &Verdict::Pass, "P1: valid as sent");
        }
        let Verdict::Rewrite(_) = verdict else { return Ok(()) };
        draft.apply("type-drift", verdict).unwrap();
        let after = draft.value().unwrap();

        prop_assert!(!matches!(bound.plan(&draft), Verdict::Rewrite(_)), "P3: settled");
        let mut from = Vec::new();
        sent_scalars(&call, &mut from);
        let mut to = Vec::new();
        scalars(after, &mut to);
        for scalar in to {
            prop_assert!(from.contains(&scalar), "P2: {} was not sent", scalar);
        }
        prop_assert_eq!(&replayed(call.clone(), &draft), after, "P5: accounted");

        // What the schema now accepts is the only thing that the mistakes explain.
        let most = 4_096;
        let all = variants(&call, "", most);
        // A member that only `additionalProperties` allows is never left out; the oracle cannot tell.
        let is_map = schema.to_string().contains("\"additionalProperties\":{");
        let leaves_out = |v: &Variant| v.done.iter().any(|done| done.ends_with(" out"));
        // With a default of `null`, left out and `null` are one reading.
        let says_null = schema.to_string().contains("\"default\"");
        // The oracle puts no object into a list.
        let wraps = draft.edits().iter().any(|edit| edit.code.as_str() == "single-item");
        let unjudged = wraps || says_null || is_map && all.iter().any(leaves_out);
        if judge.is_valid(after) && all.len() < most && !unjudged {
            let valid: Vec<_> = all.iter().filter(|v| judge.is_valid(&v.value)).collect();
            let ours = valid.iter().filter(|v| &v.value == after).min_by_key(|v| v.done.len());
            let ours = ours.expect("the result is a variant");
            for other in &valid {
                prop_assert!(
                    other.done.is_superset(&ours.done),
                    "two readings: {} by {:?}, or {} by {:?}",
                    after, ours.done, other.value, other.done
                );
            }
        }
    }

    #[test]
    fn any_json_gets_a_verdict((schema, _) in case(), call in value()) {
        let Ok(tool) = Tool::new("t", schema) else { return Ok(()) };
        let Some(bound) = STAGE.prepare(&tool, Cascade::Extended).unwrap() else { return Ok(()) };
        let _ = bound.plan(&Draft::new(call));
        let _ = bound.plan(&Draft::new("{\"a\": \"5\"}"));
    }
}
