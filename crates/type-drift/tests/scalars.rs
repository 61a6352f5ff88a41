//! Numbers, booleans and what says nothing: each rewriting beside its nearest neighbour.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

mod common;

use common::Did::{self, Gave, Nothing};
use common::{must, one, run};
use serde_json::{Value, json};

/// What became of `x` in an optional slot.
fn sent(slot: Value, x: Value) -> Option<Value> {
    match run(one(slot), json!({ "x": x })) {
        Gave(mut after, _) => after["x"].take().into(),
        Nothing => None,
        Did::Refused(code) => panic!("refused: {code}"),
    }
}

fn integer() -> Value {
    json!({ "type": "integer" })
}

fn number() -> Value {
    json!({ "type": "number" })
}

fn boolean() -> Value {
    json!({ "type": "boolean" })
}

#[test]
fn an_integer_is_read_from_its_text() {
    for (text, value) in [
        ("5", json!(5)),
        ("-2", json!(-2)),
        ("0", json!(0)),
        (" 5\n", json!(5)),
        ("9007199254740993", json!(9_007_199_254_740_993_u64)),
        ("18446744073709551615", json!(u64::MAX)),
    ] {
        assert_eq!(sent(integer(), json!(text)), Some(value), "{text}");
    }
}

#[test]
fn what_is_no_integer_literal_is_no_integer() {
    for text in [
        "5.0",
        "5.5",
        "1e3",
        "05",
        "+5",
        "0x5",
        "5 items",
        "1,000",
        "1_000",
        "five",
        "1/6",
        "- 5",
        "18446744073709551616",
        "²",
        "٣",
        "5;",
        "NaN",
        "None",
        "dontcare",
    ] {
        assert_eq!(sent(integer(), json!(text)), None, "{text}");
    }
}

#[test]
fn a_number_is_read_from_its_text() {
    for (text, value) in [
        ("5", json!(5)),
        ("5.0", json!(5.0)),
        ("0.25", json!(0.25)),
        ("-1.5e-7", json!(-1.5e-7)),
        ("8.854e-12", json!(8.854e-12)),
    ] {
        assert_eq!(sent(number(), json!(text)), Some(value), "{text}");
    }
}

#[test]
fn a_number_that_would_lose_digits_stays() {
    for text in [
        "0.12345678901234567890123",
        "12345678901234567890123",
        "9007199254740993.0",
        "1e999",
        "1e-999",
    ] {
        assert_eq!(sent(number(), json!(text)), None, "{text}");
    }
}

#[test]
fn a_boolean_is_read_from_its_text() {
    for (text, value) in [
        ("true", true),
        ("True", true),
        ("false", false),
        ("False", false),
    ] {
        assert_eq!(sent(boolean(), json!(text)), Some(json!(value)), "{text}");
    }
}

#[test]
fn what_is_no_spelling_of_a_boolean_is_none() {
    for text in ["TRUE", "yes", "no", "on", "1", "0", "t", "truthy", "true."] {
        assert_eq!(sent(boolean(), json!(text)), None, "{text}");
    }
    for x in [
        json!(1),
        json!(0),
        json!(1.0),
        json!([true]),
        json!({ "x": true }),
    ] {
        assert_eq!(sent(boolean(), x.clone()), None, "{x}");
    }
}

#[test]
fn a_string_slot_keeps_every_string() {
    for text in ["5", "true", "null", "", "[1]", "{\"a\": 1}", "['a']"] {
        for slot in [
            json!({ "type": "string" }),
            json!({}),
            json!({ "type": ["integer", "string"] }),
            json!({ "anyOf": [{ "type": "array" }, { "type": "string" }] }),
            json!({ "anyOf": [{ "type": "integer" }, { "pattern": "^x" }] }),
        ] {
            assert_eq!(sent(slot.clone(), json!(text)), None, "{text} in {slot}");
        }
    }
}

#[test]
fn no_other_value_becomes_a_string() {
    for x in [
        json!(5),
        json!(true),
        json!(2.5),
        json!(["a"]),
        json!({ "a": 1 }),
    ] {
        assert_eq!(sent(json!({ "type": "string" }), x.clone()), None, "{x}");
    }
}

#[test]
fn an_enum_of_numbers_takes_the_text_of_one() {
    let slot = || json!({ "enum": [1, 2, 13] });
    assert_eq!(sent(slot(), json!("13")), Some(json!(13)));
    assert_eq!(sent(slot(), json!("3")), None);
    assert_eq!(sent(slot(), json!("2.0")), None);
    assert_eq!(
        sent(json!({ "const": true }), json!("true")),
        Some(json!(true))
    );
    assert_eq!(sent(json!({ "const": true }), json!("false")), None);
}

#[test]
fn a_word_beside_an_integer_does_not_keep_other_strings() {
    let slot = || json!({ "anyOf": [{ "const": "auto" }, { "type": "integer" }] });
    assert_eq!(sent(slot(), json!("5")), Some(json!(5)));
    assert_eq!(sent(slot(), json!("auto")), None);
    assert_eq!(sent(slot(), json!("Auto")), None);
    assert_eq!(sent(slot(), json!("")), None);
    let digits = json!({ "anyOf": [{ "enum": ["5"] }, { "type": "integer" }] });
    assert_eq!(sent(digits, json!("5")), None);
}

#[test]
fn a_union_of_scalars_takes_the_one_reading() {
    let slot = || json!({ "type": ["boolean", "integer"] });
    assert_eq!(sent(slot(), json!("1")), Some(json!(1)));
    assert_eq!(sent(slot(), json!("true")), Some(json!(true)));
    assert_eq!(sent(slot(), json!("yes")), None);
    let ranges = json!({ "anyOf": [
        { "type": "integer", "minimum": 1 },
        { "type": "integer", "maximum": -1 }
    ] });
    assert_eq!(sent(ranges, json!("-100")), Some(json!(-100)));
}

#[test]
fn what_says_nothing_is_left_out_of_an_optional_slot() {
    for slot in [
        integer(),
        number(),
        boolean(),
        json!({ "type": "object" }),
        json!({ "type": "array" }),
    ] {
        for x in [json!(null), json!(""), json!("null"), json!("  ")] {
            assert_eq!(
                run(one(slot.clone()), json!({ "x": x })),
                Gave(json!({}), vec!["left-out"]),
                "{x} in {slot}"
            );
        }
    }
}

#[test]
fn null_is_left_out_of_an_optional_string_but_a_string_is_not() {
    let slot = || one(json!({ "type": "string", "enum": ["a"] }));
    assert_eq!(
        run(slot(), json!({ "x": null })),
        Gave(json!({}), vec!["left-out"])
    );
    for text in ["", "null"] {
        assert_eq!(run(slot(), json!({ "x": text })), Nothing);
    }
}

#[test]
fn what_says_nothing_stays_in_a_required_slot() {
    for x in [json!(null), json!(""), json!("null"), json!(" ")] {
        assert_eq!(run(must(integer()), json!({ "x": x })), Nothing, "{x}");
    }
}

#[test]
fn another_word_for_nothing_stays() {
    for text in ["None", "NULL", "undefined", "nil", "N/A", "-"] {
        assert_eq!(run(one(integer()), json!({ "x": text })), Nothing, "{text}");
    }
}

#[test]
fn null_where_null_is_taken_stays() {
    for slot in [
        json!({ "type": ["integer", "null"] }),
        json!({ "anyOf": [{ "type": "integer" }, { "type": "null" }] }),
        json!({}),
        json!({ "enum": [1, null] }),
    ] {
        assert_eq!(run(one(slot), json!({ "x": null })), Nothing);
    }
}

#[test]
fn an_optional_slot_that_takes_null_makes_two_readings() {
    for x in ["null", "", " "] {
        let slot = json!({ "type": ["integer", "null"] });
        assert_eq!(run(one(slot), json!({ "x": x })), Nothing, "{x}");
    }
}

#[test]
fn a_default_of_null_makes_them_one() {
    for slot in [
        json!({ "anyOf": [{ "type": "integer" }, { "type": "null" }], "default": null }),
        json!({ "type": ["array", "null"], "default": null }),
    ] {
        for x in ["null", ""] {
            assert_eq!(
                run(one(slot.clone()), json!({ "x": x })),
                Gave(json!({}), vec!["left-out"])
            );
        }
    }
    let five = json!({ "type": ["integer", "null"], "default": 5 });
    assert_eq!(run(one(five), json!({ "x": "null" })), Nothing);
}

#[test]
fn a_required_slot_that_takes_null_reads_its_text() {
    let slot = || must(json!({ "type": ["integer", "null"] }));
    assert_eq!(
        run(slot(), json!({ "x": "null" })),
        Gave(json!({ "x": null }), vec!["stringified-null"])
    );
    assert_eq!(run(slot(), json!({ "x": "" })), Nothing);
    assert_eq!(run(slot(), json!({ "x": "None" })), Nothing);
}

#[test]
fn null_is_never_left_out_of_a_list_or_a_map() {
    let list = json!({ "type": "array", "items": integer() });
    assert_eq!(run(one(list), json!({ "x": [null, 1, ""] })), Nothing);
    let map = json!({ "type": "object", "additionalProperties": integer() });
    assert_eq!(
        run(one(map), json!({ "x": { "a": null, "b": "" } })),
        Nothing
    );
}

#[test]
fn an_undeclared_argument_is_not_looked_at() {
    assert_eq!(run(one(integer()), json!({ "y": "5", "z": null })), Nothing);
}

#[test]
fn a_name_of_the_host_is_not_looked_at() {
    let tool = callmend_stage::Tool::builder(
        "t",
        json!({ "properties": { "x": {} }, "additionalProperties": integer() }),
    );
    assert_eq!(
        run(tool, json!({ "i": "5", "__x": "5", "y": "5" })),
        Gave(
            json!({ "i": "5", "__x": "5", "y": 5 }),
            vec!["stringified-number"]
        )
    );
}

#[test]
fn one_value_does_not_become_a_list() {
    for x in [json!(5), json!("5"), json!({ "a": 1 }), json!("1, 2")] {
        let slot = json!({ "type": "array", "items": integer() });
        assert_eq!(run(one(slot), json!({ "x": x })), Nothing, "{x}");
    }
}

#[test]
fn the_rest_of_the_call_may_be_wrong() {
    let tool = callmend_stage::Tool::builder(
        "t",
        json!({
            "properties": { "n": integer(), "s": { "type": "string" }, "must": {} },
            "required": ["must"]
        }),
    );
    assert_eq!(
        run(tool, json!({ "n": "5", "s": 1, "unknown": 2 })),
        Gave(
            json!({ "n": 5, "s": 1, "unknown": 2 }),
            vec!["stringified-number"]
        )
    );
}
