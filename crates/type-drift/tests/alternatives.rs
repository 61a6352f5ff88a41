//! Values under `anyOf` and `oneOf`.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod common;

use callmend_stage::{Closure, Tool, ToolBuilder};
use common::Did::{Gave, Nothing};
use common::{must, one, run};
use serde_json::{Value, json};

const OPENED: &str = "stringified-container";
const NUMBER: &str = "stringified-number";

fn any(alternatives: Value) -> ToolBuilder {
    must(json!({ "anyOf": alternatives }))
}

fn closed(properties: Value, required: Value) -> Value {
    json!({ "type": "object", "properties": properties, "required": required,
        "additionalProperties": false })
}

fn reminders() -> ToolBuilder {
    must(json!({ "type": "array", "items": { "oneOf": [
        closed(
            json!({ "kind": { "const": "relative" }, "minutes": { "type": "integer" } }),
            json!(["kind", "minutes"])
        ),
        closed(
            json!({ "kind": { "const": "absolute" }, "at": { "type": "string" } }),
            json!(["kind", "at"])
        )
    ] } }))
}

#[test]
fn a_list_or_null_is_read_as_a_list() {
    let slot =
        || any(json!([{ "type": "array", "items": { "type": "string" } }, { "type": "null" }]));
    assert_eq!(
        run(slot(), json!({ "x": "[\"a\"]" })),
        Gave(json!({ "x": ["a"] }), vec![OPENED])
    );
    assert_eq!(run(slot(), json!({ "x": null })), Nothing);
    assert_eq!(run(slot(), json!({ "x": "[1]" })), Nothing);
}

#[test]
fn a_discriminated_alternative_is_read() {
    assert_eq!(
        run(
            reminders(),
            json!({ "x": "[{\"kind\": \"relative\", \"minutes\": \"30\"}]" })
        ),
        Gave(
            json!({ "x": [{ "kind": "relative", "minutes": 30 }] }),
            vec![OPENED]
        )
    );
    assert_eq!(
        run(
            reminders(),
            json!({ "x": [{ "kind": "absolute", "at": "9" }, { "kind": "relative", "minutes": "9" }] })
        ),
        Gave(
            json!({ "x": [{ "kind": "absolute", "at": "9" }, { "kind": "relative", "minutes": 9 }] }),
            vec![NUMBER]
        )
    );
}

#[test]
fn a_discriminated_alternative_that_cannot_fit_yet_is_settled_as_far_as_it_goes() {
    // alias-rename has `mins` to say in the next pass.
    assert_eq!(
        run(
            reminders(),
            json!({ "x": "[{\"kind\": \"relative\", \"mins\": 30}]" })
        ),
        Gave(
            json!({ "x": [{ "kind": "relative", "mins": 30 }] }),
            vec![OPENED]
        )
    );
    let slot = || {
        any(json!([
            { "type": "object", "properties": { "kind": { "const": "a" }, "n": { "type": "integer" }, "m": { "type": "string" } } },
            { "type": "object", "properties": { "kind": { "const": "b" }, "n": { "type": "boolean" } } }
        ]))
    };
    assert_eq!(
        run(slot(), json!({ "x": { "kind": "a", "n": "1", "m": 2 } })),
        Gave(
            json!({ "x": { "kind": "a", "n": 1, "m": 2 } }),
            vec![NUMBER]
        )
    );
    assert_eq!(
        run(slot(), json!({ "x": { "kind": "c", "n": "1", "m": 2 } })),
        Nothing
    );
}

#[test]
fn a_union_that_takes_the_value_as_sent_is_left_alone() {
    for (alternatives, x) in [
        (
            json!([{ "type": "integer" }, { "type": "string" }]),
            json!("5"),
        ),
        (
            json!([
                { "type": "object", "properties": { "a": { "type": "integer" } } },
                { "type": "object", "properties": { "a": { "type": "string" } } }
            ]),
            json!({ "a": "5" }),
        ),
        // The second says nothing of `a`.
        (
            json!([
                { "type": "object", "properties": { "a": { "type": "integer" } } },
                { "type": "object", "properties": { "b": { "type": "integer" } } }
            ]),
            json!({ "a": "5" }),
        ),
        (
            json!([{ "type": "array", "items": { "type": "integer" } }, { "type": "array" }]),
            json!(["5"]),
        ),
    ] {
        assert_eq!(run(any(alternatives), json!({ "x": x })), Nothing, "{x}");
    }
}

#[test]
fn an_alternative_that_the_value_cannot_be_does_not_count() {
    let slot = |other: Value| {
        any(json!([
            closed(json!({ "a": { "type": "integer" } }), json!([])),
            other
        ]))
    };
    let call = || json!({ "x": { "a": "5" } });
    let five = || Gave(json!({ "x": { "a": 5 } }), vec![NUMBER]);
    assert_eq!(
        run(slot(closed(json!({ "b": {} }), json!([]))), call()),
        five()
    );
    assert_eq!(
        run(slot(json!({ "type": "object", "required": ["b"] })), call()),
        five()
    );
    assert_eq!(run(slot(json!({ "type": "boolean" })), call()), five());
    assert_eq!(
        run(
            slot(json!({ "properties": { "a": { "const": "6" } } })),
            call()
        ),
        five()
    );
    assert_eq!(run(slot(json!({ "type": "object" })), call()), Nothing);
}

#[test]
fn a_converters_closure_shuts_nothing() {
    let slot = || {
        any(json!([
            closed(json!({ "a": { "type": "integer" } }), json!([])),
            closed(json!({ "b": {} }), json!([]))
        ]))
    };
    let call = || json!({ "x": { "a": "5" } });
    assert_eq!(run(slot().closure(Closure::Synthesized), call()), Nothing);
    assert_eq!(
        run(slot(), call()),
        Gave(json!({ "x": { "a": 5 } }), vec![NUMBER])
    );
}

#[test]
fn alternatives_that_ask_for_the_same_are_one_reading() {
    let slot = any(json!([
        { "type": "object", "properties": { "a": { "type": "integer" }, "b": {} } },
        { "type": "object", "properties": { "a": { "type": "number" }, "c": {} } }
    ]));
    assert_eq!(
        run(slot, json!({ "x": { "a": "5" } })),
        Gave(json!({ "x": { "a": 5 } }), vec![NUMBER])
    );
}

#[test]
fn alternatives_that_ask_for_different_rewritings_are_two_readings() {
    let slot = any(json!([
        { "type": "object", "properties": { "a": { "type": "integer" }, "b": { "type": "string" } } },
        { "type": "object", "properties": { "a": { "type": "string" }, "b": { "type": "integer" } } }
    ]));
    assert_eq!(run(slot, json!({ "x": { "a": 1, "b": 1 } })), Nothing);
    let slot = || {
        any(json!([
            { "type": "object", "properties": { "a": { "type": "integer" }, "b": { "type": "boolean" } } },
            { "type": "object", "properties": { "a": { "type": "integer" }, "b": { "type": ["string", "null"] } } }
        ]))
    };
    assert_eq!(
        run(slot(), json!({ "x": { "a": "5", "b": "true" } })),
        Nothing
    );
    assert_eq!(
        run(slot(), json!({ "x": { "a": "5", "b": null } })),
        Nothing
    );
    assert_eq!(
        run(slot(), json!({ "x": { "a": "5", "b": true } })),
        Gave(json!({ "x": { "a": 5, "b": true } }), vec![NUMBER])
    );
}

#[test]
fn an_argument_is_optional_by_the_alternative_that_is_meant() {
    let tool = || {
        Tool::builder(
            "t",
            json!({
                "type": "object",
                "properties": { "id": { "type": "integer" }, "path": { "type": "string" } },
                "anyOf": [{ "required": ["id"] }, { "required": ["path"] }]
            }),
        )
    };
    assert_eq!(
        run(tool(), json!({ "id": null, "path": "a" })),
        Gave(json!({ "path": "a" }), vec!["left-out"])
    );
    assert_eq!(run(tool(), json!({ "id": null })), Nothing);
    assert_eq!(
        run(tool(), json!({ "id": "5" })),
        Gave(json!({ "id": 5 }), vec![NUMBER])
    );
}

#[test]
fn a_root_of_alternatives_is_followed() {
    let tool = || {
        Tool::builder(
            "t",
            json!({ "oneOf": [
        closed(json!({ "op": { "const": "add" }, "n": { "type": "integer" } }), json!(["op", "n"])),
        closed(json!({ "op": { "const": "say" }, "n": { "type": "string" } }), json!(["op", "n"]))
    ] }),
        )
    };
    assert_eq!(
        run(tool(), json!({ "op": "add", "n": "5", "i": "why" })),
        Gave(json!({ "op": "add", "n": 5, "i": "why" }), vec![NUMBER])
    );
    assert_eq!(run(tool(), json!({ "op": "say", "n": "5" })), Nothing);
}

#[test]
fn a_list_that_argument_validate_wraps_does_not_hide_the_alternative() {
    let tool = Tool::builder(
        "t",
        json!({
            "type": "object",
            "properties": {
                "n": { "type": "integer" },
                "docs": { "type": "array", "items": { "type": "string" } }
            },
            "anyOf": [{ "required": ["n"] }, { "required": ["m"] }]
        }),
    );
    assert_eq!(
        run(tool, json!({ "n": "5", "docs": "a" })),
        Gave(json!({ "n": 5, "docs": "a" }), vec![NUMBER])
    );
}

#[test]
fn two_unions_are_both_chosen_from() {
    let slot = || {
        must(json!({
            "type": "object",
            "allOf": [
                { "anyOf": [
                    { "properties": { "a": { "type": "integer" } }, "required": ["a"] },
                    { "required": ["b"] }
                ] },
                { "anyOf": [
                    { "properties": { "c": { "type": "boolean" } }, "required": ["c"] },
                    { "required": ["d"] }
                ] }
            ]
        }))
    };
    assert_eq!(
        run(slot(), json!({ "x": { "a": "1", "c": "true" } })),
        Gave(
            json!({ "x": { "a": 1, "c": true } }),
            vec![NUMBER, "stringified-boolean"]
        )
    );
    assert_eq!(
        run(slot(), json!({ "x": { "b": "1", "d": "true" } })),
        Nothing
    );
}

#[test]
fn a_stringified_alternative_beside_words_is_read() {
    let at = || {
        one(json!({ "oneOf": [
        { "const": "start" },
        { "const": "end" },
        { "type": "object", "properties": { "before": { "type": "string" } }, "required": ["before"] }
    ] }))
    };
    assert_eq!(
        run(at(), json!({ "x": "{\"before\": \"b\"}" })),
        Gave(json!({ "x": { "before": "b" } }), vec![OPENED])
    );
    assert_eq!(run(at(), json!({ "x": "start" })), Nothing);
    assert_eq!(run(at(), json!({ "x": "middle" })), Nothing);
}

#[test]
fn alternatives_within_alternatives_end() {
    let node = |op: &str| {
        json!({ "type": "object", "properties": {
        "left": { "$ref": "#/$defs/node" }, "right": { "$ref": "#/$defs/node" }, op: { "type": "integer" }
    } })
    };
    let tool = || {
        Tool::builder(
            "t",
            json!({
                "properties": { "x": { "$ref": "#/$defs/node" } },
                "$defs": { "node": { "anyOf": [node("a"), node("b"), node("c"), node("d")] } }
            }),
        )
    };
    let mut deep = json!({ "a": "wrong", "b": "wrong", "c": "wrong", "d": "wrong" });
    for _ in 0..60 {
        deep = json!({ "left": deep, "right": 5 });
    }
    assert_eq!(run(tool(), json!({ "x": deep })), Nothing);
}

#[test]
fn a_value_deeper_than_any_text_ends() {
    let tool = || {
        Tool::builder(
            "t",
            json!({
                "properties": { "x": { "$ref": "#/$defs/node" } },
                "$defs": { "node": { "anyOf": [
                    { "type": "array", "items": { "$ref": "#/$defs/node" } },
                    { "type": "object", "properties": { "x": { "$ref": "#/$defs/node" }, "n": { "type": "integer" } } }
                ] } }
            }),
        )
    };
    let mut deep = json!({ "n": "5" });
    for level in 0..2_000 {
        deep = if level % 2 == 0 {
            json!([deep])
        } else {
            json!({ "x": deep })
        };
    }
    let handle = std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(move || {
            let call = json!({ "x": deep });
            run(tool(), call)
        });
    assert_eq!(handle.unwrap().join().unwrap(), Nothing);
}
