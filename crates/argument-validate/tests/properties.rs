//! Properties of the stage over generated schemas and calls: what the schema accepts passes, what
//! passes the schema accepts, and everything else is refused in one grammar.
#![cfg(feature = "deep")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test's helpers may fail like the test"
)]

use callmend_argument_validate::{STAGE, validate_arguments};
use callmend_stage::{Cascade, Closure, Draft, Stage, Tool, Verdict};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const NAMES: [&str; 5] = ["a", "b", "list", "name", "names"];

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(NAMES.to_vec()).prop_map(str::to_owned)
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3i64..4).prop_map(Value::from),
        prop::sample::select(vec![0.0, 1.0, 1.5, -2.0, 1e20, 1e-7]).prop_map(Value::from),
        prop::sample::select(vec!["", "a", "b", "a,b", "[\"a\"]", "[1]", "[", "1"])
            .prop_map(Value::from),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            object(inner),
        ]
    })
}

fn object(member: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    prop::collection::btree_map(name(), member, 0..4)
        .prop_map(|members| Value::Object(members.into_iter().collect()))
}

fn arguments() -> impl Strategy<Value = Value> {
    object(value())
}

fn leaf_schema() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!({})),
        prop::sample::select(vec![
            json!("string"),
            json!("integer"),
            json!("number"),
            json!("boolean"),
            json!("null"),
            json!("array"),
            json!("object"),
            json!(["string", "null"]),
            json!(["integer", "string"]),
            json!(["array", "string"]),
        ])
        .prop_map(|types| json!({ "type": types })),
        Just(json!({"enum": ["a", 1, null, [1.0]]})),
        scalar().prop_map(|value| json!({ "const": value })),
        Just(json!({"type": "integer", "minimum": 0, "maximum": 2})),
        Just(json!({"type": "string", "minLength": 1, "pattern": "^a"})),
        Just(json!({"type": "array", "items": {"type": "string"}})),
        Just(json!({"type": "array", "items": {"type": "string", "enum": ["a"]}, "minItems": 1})),
        Just(json!({"type": "array", "prefixItems": [{"type": "string"}], "items": false})),
        Just(json!({"not": {"type": "string"}})),
        Just(json!({"$ref": "#/$defs/d"})),
        Just(json!(false)),
    ]
}

fn schema() -> impl Strategy<Value = Value> {
    leaf_schema().prop_recursive(3, 12, 3, |inner| {
        let list = prop::collection::vec(inner.clone(), 1..3);
        prop_oneof![
            object_schema(inner.clone()),
            inner.prop_map(|items| json!({"type": "array", "items": items})),
            list.clone().prop_map(|all| json!({ "anyOf": all })),
            list.clone().prop_map(|all| json!({ "oneOf": all })),
            list.prop_map(|all| json!({ "allOf": all })),
        ]
    })
}

fn object_schema(member: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let members = prop::collection::btree_map(name(), member, 0..4);
    let required = prop::collection::btree_set(name(), 0..3);
    (members, required, any::<bool>()).prop_map(|(members, required, closed)| {
        let mut schema = json!({
            "type": "object",
            "properties": members.into_iter().collect::<Map<_, _>>(),
            "required": required,
        });
        if closed {
            schema["additionalProperties"] = json!(false);
        }
        schema
    })
}

/// A tool's schema whose root is one object, so that its closure is no one's but section 8's.
fn plain() -> impl Strategy<Value = Value> {
    (object_schema(schema()), leaf_schema()).prop_map(|(mut root, shared)| {
        // A shared schema that refers to itself would never end.
        let shared = if shared.get("$ref").is_some() {
            json!({})
        } else {
            shared
        };
        root["$defs"] = json!({ "d": shared });
        root
    })
}

/// A tool's schema whose root is made of parts.
fn merged() -> impl Strategy<Value = Value> {
    let part = || object_schema(schema());
    let keyword = prop::sample::select(vec!["allOf", "anyOf", "oneOf"]);
    (plain(), keyword, part(), part(), any::<bool>()).prop_map(
        |(mut root, keyword, one, other, alone)| {
            if alone {
                root = json!({"$defs": root["$defs"]});
            }
            root[keyword] = json!([one, other]);
            root
        },
    )
}

fn accepts(schema: &Value, arguments: &Value) -> bool {
    let validator = jsonschema::options().offline().build(schema);
    validator.unwrap().is_valid(arguments)
}

fn tool(schema: &Value, closure: Closure) -> Tool {
    let tool = Tool::builder("t", schema.clone()).closure(closure);
    tool.build().unwrap()
}

fn verdict(tool: &Tool, arguments: &Value) -> Verdict {
    let prepared = STAGE.prepare(tool, Cascade::Standard).unwrap().unwrap();
    prepared.plan(&Draft::new(arguments.clone()))
}

/// Puts the changes of a verdict into effect.
fn applied(arguments: &Value, verdict: Verdict) -> Value {
    let mut draft = Draft::new(arguments.clone());
    draft.apply("argument-validate", verdict).unwrap();
    draft.value().unwrap().clone()
}

fn is_well_formed(tool: &Tool, message: &str) -> bool {
    let body = message.strip_suffix(&format!(" ({})", tool.signature().tail()));
    body.is_some_and(|body| {
        !body.is_empty()
            && !body.ends_with('.')
            && !body.starts_with(char::is_uppercase)
            && !body.contains(char::is_control)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn what_passes_is_what_the_schema_accepts(schema in plain(), arguments in arguments()) {
        let tool = tool(&schema, Closure::Authored);
        match verdict(&tool, &arguments) {
            Verdict::Pass => prop_assert!(accepts(&schema, &arguments)),
            Verdict::Reject(rejection) => {
                prop_assert!(!accepts(&schema, &arguments), "{}", rejection.message);
                prop_assert!(is_well_formed(&tool, &rejection.message), "{}", rejection.message);
                prop_assert!(rejection.hints.len() <= 12);
            }
            changes => {
                prop_assert!(!accepts(&schema, &arguments));
                let settled = applied(&arguments, changes);
                prop_assert!(accepts(&schema, &settled));
                prop_assert_eq!(verdict(&tool, &settled), Verdict::Pass);
            }
        }
    }

    #[test]
    fn a_root_of_parts_refuses_nothing_that_its_schema_accepts(
        schema in merged(), arguments in arguments()
    ) {
        let tool = tool(&schema, Closure::Authored);
        let verdict = verdict(&tool, &arguments);
        if accepts(&schema, &arguments) {
            prop_assert_eq!(verdict, Verdict::Pass);
        } else if let Verdict::Reject(rejection) = verdict {
            prop_assert!(is_well_formed(&tool, &rejection.message), "{}", rejection.message);
        }
    }

    #[test]
    fn a_synthesized_closure_refuses_nothing_that_its_schema_accepts(
        schema in prop_oneof![plain(), merged()], arguments in arguments()
    ) {
        if accepts(&schema, &arguments) {
            let tool = tool(&schema, Closure::Synthesized);
            prop_assert_eq!(verdict(&tool, &arguments), Verdict::Pass);
        }
    }

    #[test]
    fn the_harness_changes_nothing(
        schema in prop_oneof![plain(), merged()], arguments in arguments(), own in value()
    ) {
        let tool = tool(&schema, Closure::Authored);
        let mut with = arguments.clone();
        with["i"] = own.clone();
        with["__own"] = own;
        let said = |verdict: Verdict| match verdict {
            Verdict::Reject(rejection) => (rejection.message, rejection.hints),
            Verdict::Rewrite(changes) => (format!("{changes:?}"), Vec::new()),
            other => (format!("{other:?}"), Vec::new()),
        };
        prop_assert_eq!(said(verdict(&tool, &with)), said(verdict(&tool, &arguments)));
    }

    #[test]
    fn the_shallow_check_refuses_nothing_that_a_closed_schema_accepts(
        schema in prop_oneof![plain(), merged()], arguments in arguments()
    ) {
        let tool = tool(&schema, Closure::Authored);
        if tool.signature().is_closed() && accepts(&schema, &arguments) {
            prop_assert_eq!(validate_arguments(&tool, &arguments), Ok(None));
        }
    }

    #[test]
    fn any_value_gets_a_verdict(schema in prop_oneof![plain(), merged()], any in value()) {
        let tool = tool(&schema, Closure::Closed);
        verdict(&tool, &any);
    }
}
