//! Arrays and objects that came as their text.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod common;

use common::Did::{Gave, Nothing, Refused};
use common::{must, one, run};
use serde_json::{Value, json};

const OPENED: &str = "stringified-container";

fn opened(x: Value) -> common::Did {
    Gave(json!({ "x": x }), vec![OPENED])
}

fn strings() -> Value {
    json!({ "type": "array", "items": { "type": "string" } })
}

fn edits() -> Value {
    json!({ "type": "array", "items": { "type": "object", "properties": {
        "old": { "type": "string" },
        "count": { "type": "integer" }
    } } })
}

#[test]
fn an_array_is_read_from_its_text() {
    assert_eq!(
        run(
            one(edits()),
            json!({ "x": "[{\"old\": \"a\", \"count\": 1}]" })
        ),
        opened(json!([{ "old": "a", "count": 1 }]))
    );
    assert_eq!(run(one(edits()), json!({ "x": "[]" })), opened(json!([])));
    assert_eq!(
        run(one(edits()), json!({ "x": " [\n]\n" })),
        opened(json!([]))
    );
}

#[test]
fn an_object_is_read_from_its_text() {
    let slot = || one(json!({ "type": "object" }));
    assert_eq!(
        run(slot(), json!({ "x": "{\"a\": {\"b\": [1]}}" })),
        opened(json!({ "a": { "b": [1] } }))
    );
    assert_eq!(run(slot(), json!({ "x": "{}" })), opened(json!({})));
}

#[test]
fn the_other_container_stays() {
    assert_eq!(
        run(one(json!({ "type": "object" })), json!({ "x": "[1]" })),
        Nothing
    );
    assert_eq!(
        run(one(edits()), json!({ "x": "{\"old\": \"a\"}" })),
        Nothing
    );
    let both = || json!({ "type": ["object", "array"] });
    assert_eq!(run(one(both()), json!({ "x": "[1]" })), opened(json!([1])));
    assert_eq!(
        run(one(both()), json!({ "x": "{\"a\": 1}" })),
        opened(json!({ "a": 1 }))
    );
}

#[test]
fn text_that_is_almost_json_is_read_too() {
    for text in [
        "[{'old': 'a', 'count': 1}]",
        "[{\"old\": \"a\", \"count\": 1,}]",
        "[{\"old\": \"a\", \"count\": 1}]]",
        "```json\n[{\"old\": \"a\", \"count\": 1}]\n```",
    ] {
        assert_eq!(
            run(one(edits()), json!({ "x": text })),
            opened(json!([{ "old": "a", "count": 1 }])),
            "{text}"
        );
    }
    assert_eq!(
        run(one(edits()), json!({ "x": "[{\"old\": \"one\ntwo\"}]" })),
        opened(json!([{ "old": "one\ntwo" }]))
    );
}

#[test]
fn text_without_one_reading_stays() {
    for text in [
        "[{\"old\": \"a\"",
        "[{\"old\": \"a\"}",
        "[1, 2",
        "[(1, 2)]",
        "[NaN]",
        "[{\"old\": \"a\", \"old\": \"b\"}]",
        "[1] and more",
        "data['sales']",
        "see [1]",
        "[12345678901234567890123]",
    ] {
        assert_eq!(run(one(edits()), json!({ "x": text })), Nothing, "{text}");
    }
}

#[test]
fn equal_duplicates_in_a_text_are_one() {
    assert_eq!(
        run(
            one(edits()),
            json!({ "x": "[{\"old\": \"a\", \"old\": \"a\"}]" })
        ),
        opened(json!([{ "old": "a" }]))
    );
}

#[test]
fn what_a_text_holds_is_settled_in_the_same_edit() {
    assert_eq!(
        run(
            one(edits()),
            json!({ "x": "[{\"old\": \"5\", \"count\": \"5\"}, \"{\\\"count\\\": null}\"]" })
        ),
        opened(json!([{ "old": "5", "count": 5 }, {}]))
    );
}

#[test]
fn the_relaxations_of_a_reading_are_recorded() {
    use callmend_stage::{Cascade, Draft, Stage};
    let tool = one(strings()).build().unwrap();
    let bound = callmend_type_drift::STAGE
        .prepare(&tool, Cascade::Extended)
        .unwrap()
        .unwrap();
    let mut draft = Draft::new(json!({ "x": "['a', 'b']" }));
    let verdict = bound.plan(&draft);
    draft.apply("type-drift", verdict).unwrap();
    let edit = draft.edits()[0].to_json();
    assert_eq!(edit["relaxed"], json!(["single-quotes"]));
    assert_eq!(edit["before"], json!("['a', 'b']"));
    assert_eq!(edit["path"], json!("/x"));
}

#[test]
fn the_items_of_a_list_are_each_read_from_their_text() {
    assert_eq!(
        run(
            one(edits()),
            json!({ "x": ["{\"old\": \"a\"}", { "old": "b" }, "{\"old\": \"c\"}"] })
        ),
        Gave(
            json!({ "x": [{ "old": "a" }, { "old": "b" }, { "old": "c" }] }),
            vec![OPENED, OPENED]
        )
    );
    let grid =
        json!({ "type": "array", "items": { "type": "array", "items": { "type": "integer" } } });
    assert_eq!(
        run(one(grid), json!({ "x": ["[1, \"2\"]"] })),
        Gave(json!({ "x": [[1, 2]] }), vec![OPENED])
    );
}

#[test]
fn the_items_of_a_list_of_strings_stay() {
    assert_eq!(
        run(
            one(strings()),
            json!({ "x": ["{\"old\": \"a\"}", "[1]", "5"] })
        ),
        Nothing
    );
}

#[test]
fn an_item_that_is_no_json_stays_alone() {
    assert_eq!(
        run(one(edits()), json!({ "x": ["{\"old\": \"a\"}", "b"] })),
        Gave(json!({ "x": [{ "old": "a" }, "b"] }), vec![OPENED])
    );
}

#[test]
fn a_list_of_strings_is_read_where_it_opens_a_bracket() {
    for text in [
        "[\"a\", \"b\"]",
        "['a', 'b']",
        " [\"a\", \"b\"]",
        "[\"a\",\"b\"]]",
    ] {
        assert_eq!(
            run(must(strings()), json!({ "x": text })),
            opened(json!(["a", "b"])),
            "{text}"
        );
    }
}

#[test]
fn the_rest_of_a_list_of_strings_is_argument_validates() {
    for text in [
        "a",
        "a, b",
        "[1, 2]",
        "[\"a\", 1]",
        "[\"a\"",
        "[x",
        "5",
        "true",
        "null",
        "{\"a\": 1}",
    ] {
        assert_eq!(
            run(must(strings()), json!({ "x": text })),
            Nothing,
            "{text}"
        );
    }
}

#[test]
fn a_blank_string_for_a_required_list_of_strings_is_rejected() {
    for text in ["", " ", "\n\t", "\u{a0}"] {
        assert_eq!(
            run(must(strings()), json!({ "x": text })),
            Refused("blank-list"),
            "{text:?}"
        );
    }
}

#[test]
fn a_blank_string_for_an_optional_list_is_left_out() {
    for text in ["", " ", "null"] {
        assert_eq!(
            run(one(strings()), json!({ "x": text })),
            Gave(json!({}), vec!["left-out"]),
            "{text:?}"
        );
    }
}

#[test]
fn a_blank_string_for_another_required_list_is_argument_validates() {
    assert_eq!(run(must(edits()), json!({ "x": "" })), Nothing);
}

#[test]
fn one_object_that_is_an_item_of_its_list_is_put_into_it() {
    assert_eq!(
        run(one(edits()), json!({ "x": { "old": "5", "count": "5" } })),
        Gave(
            json!({ "x": [{ "old": "5", "count": 5 }] }),
            vec!["single-item"]
        )
    );
}

#[test]
fn one_object_that_need_not_be_an_item_stays() {
    for x in [
        json!({}),
        json!({ "old": "a", "unknown": 1 }),
        json!({ "old": 5 }),
        json!({ "old": null }),
        json!({ "count": "five" }),
        json!({ "edits": [{ "old": "a" }] }),
        json!("{\"old\": \"a\"}"),
    ] {
        assert_eq!(run(one(edits()), json!({ "x": x })), Nothing, "{x}");
    }
    for slot in [
        json!({ "type": "array" }),
        json!({ "type": "array", "items": { "type": "object" } }),
        strings(),
        json!({ "type": "array", "prefixItems": [edits()["items"]] }),
    ] {
        assert_eq!(run(one(slot), json!({ "x": { "old": "a" } })), Nothing);
    }
    let both = json!({ "anyOf": [edits(), { "type": "object" }] });
    assert_eq!(run(one(both), json!({ "x": { "old": "a" } })), Nothing);
}

#[test]
fn one_object_without_what_an_item_requires_stays() {
    let mut slot = edits();
    slot["items"]["required"] = json!(["old", "count"]);
    assert_eq!(
        run(one(slot.clone()), json!({ "x": { "old": "a" } })),
        Nothing
    );
    assert_eq!(
        run(one(slot), json!({ "x": { "old": "a", "count": 1 } })),
        Gave(
            json!({ "x": [{ "old": "a", "count": 1 }] }),
            vec!["single-item"]
        )
    );
}

#[test]
fn a_tuple_reads_each_item_by_its_own_slot() {
    let tuple = json!({ "type": "array", "prefixItems": [
        { "type": "string" }, { "type": "integer" }
    ], "items": { "type": "boolean" } });
    assert_eq!(
        run(
            one(tuple.clone()),
            json!({ "x": ["1", "2", "true", "false"] })
        ),
        Gave(
            json!({ "x": ["1", 2, true, false] }),
            vec![
                "stringified-number",
                "stringified-boolean",
                "stringified-boolean"
            ]
        )
    );
    assert_eq!(run(one(tuple), json!({ "x": ["1", 2, true] })), Nothing);
}

#[test]
fn a_map_reads_each_member_by_its_schema() {
    let map = json!({ "type": "object", "additionalProperties": { "type": "object", "properties": {
        "n": { "type": "integer" }
    } } });
    assert_eq!(
        run(
            one(map),
            json!({ "x": { "a": { "n": "1" }, "b": "{\"n\": 2}" } })
        ),
        Gave(
            json!({ "x": { "a": { "n": 1 }, "b": { "n": 2 } } }),
            vec!["stringified-number", OPENED]
        )
    );
}

#[test]
fn a_member_that_only_a_pattern_may_declare_stays() {
    let map = json!({ "type": "object", "patternProperties": { "^s": { "type": "string" } },
        "additionalProperties": { "type": "integer" }, "properties": { "n": { "type": "integer" } } });
    assert_eq!(
        run(one(map), json!({ "x": { "s": "1", "t": "1", "n": "1" } })),
        Gave(
            json!({ "x": { "s": "1", "t": "1", "n": 1 } }),
            vec!["stringified-number"]
        )
    );
}

#[test]
fn references_are_followed_to_any_depth() {
    let tool = callmend_stage::Tool::builder(
        "t",
        json!({
            "properties": { "tree": { "$ref": "#/$defs/node" } },
            "$defs": { "node": { "type": "object", "properties": {
                "n": { "type": "integer" },
                "children": { "type": "array", "items": { "$ref": "#/$defs/node" } }
            } } }
        }),
    );
    assert_eq!(
        run(
            tool,
            json!({ "tree": { "children": [{ "children": "[{\"n\": \"3\"}]", "n": "2" }], "n": 1 } })
        ),
        Gave(
            json!({ "tree": { "children": [{ "children": [{ "n": 3 }], "n": 2 }], "n": 1 } }),
            vec![OPENED, "stringified-number"]
        )
    );
}

#[test]
fn all_of_holds_together() {
    let slot = json!({ "allOf": [
        { "type": ["integer", "string"] },
        { "type": ["integer", "boolean"] }
    ] });
    assert_eq!(
        run(one(slot), json!({ "x": "5" })),
        Gave(json!({ "x": 5 }), vec!["stringified-number"])
    );
}

#[test]
fn a_value_deeper_than_any_text_is_not_copied() {
    let slot =
        json!({ "type": "array", "items": { "type": "object", "properties": { "any": {} } } });
    let mut deep = json!("a");
    for _ in 0..1_000 {
        deep = json!([deep]);
    }
    assert_eq!(run(one(slot), json!({ "x": { "any": deep } })), Nothing);
}
