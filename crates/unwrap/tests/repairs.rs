//! Every rule of the stage, each beside the nearest call that it must leave alone.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use callmend_stage::{Cascade, Draft, Stage, Tool, ToolBuilder, Verdict};
use callmend_unwrap::STAGE;
use serde_json::{Value, json};

/// What the stage did: the arguments after a rewrite, the code of a rejection, or nothing.
#[derive(Debug, PartialEq)]
enum Did {
    Nothing,
    Gave(Value),
    Refused(&'static str),
}

use Did::{Gave, Nothing, Refused};

fn read() -> ToolBuilder {
    Tool::builder(
        "read",
        json!({
            "type": "object",
            "properties": { "path": { "type": "string" }, "limit": { "type": "integer" } },
            "required": ["path"],
            "additionalProperties": false
        }),
    )
}

fn with(tool: ToolBuilder, call: Value) -> Did {
    let tool = tool.build().unwrap();
    let Some(bound) = STAGE.prepare(&tool, Cascade::Extended).unwrap() else {
        return Nothing;
    };
    let mut draft = Draft::new(call);
    match bound.plan(&draft) {
        Verdict::Pass => Nothing,
        Verdict::Reject(rejection) => Refused(rejection.code.as_str()),
        verdict => {
            draft.apply("unwrap", verdict).unwrap();
            assert_eq!(draft.edits().len(), 1);
            assert_eq!(draft.edits()[0].op.path(), "");
            assert_eq!(bound.plan(&draft), Verdict::Pass, "planning again");
            Gave(draft.value().unwrap().clone())
        }
    }
}

fn on_read(call: Value) -> Did {
    with(read(), call)
}

#[test]
fn every_name_of_an_envelope_is_known() {
    for name in [
        "arguments",
        "args",
        "input",
        "parameters",
        "params",
        "payload",
        "$PARAMETER_NAME",
    ] {
        assert_eq!(
            on_read(json!({ name: { "path": "a", "limit": 2 } })),
            Gave(json!({ "path": "a", "limit": 2 })),
            "{name}"
        );
    }
}

#[test]
fn another_name_is_no_envelope() {
    for name in [
        "properties",
        "data",
        "body",
        "Arguments",
        "PARAMETER_NAME",
        "",
    ] {
        assert_eq!(on_read(json!({ name: { "path": "a" } })), Nothing, "{name}");
    }
}

#[test]
fn a_stringified_content_is_read() {
    assert_eq!(
        on_read(json!({ "arguments": "{\"path\": \"a\"}" })),
        Gave(json!({ "path": "a" }))
    );
}

#[test]
fn a_stringified_content_that_is_no_object_stays() {
    for text in [
        "",
        "a",
        "[]",
        "[{\"path\": \"a\"}]",
        "null",
        "{}",
        "{\"path\": \"a\"",
    ] {
        assert_eq!(on_read(json!({ "arguments": text })), Nothing, "{text}");
    }
}

#[test]
fn a_stringified_content_with_unequal_duplicates_stays() {
    assert_eq!(
        on_read(json!({ "arguments": "{\"path\": \"a\", \"path\": \"b\"}" })),
        Nothing
    );
}

#[test]
fn a_content_that_is_no_object_stays() {
    for content in [json!(null), json!(1), json!(true), json!([{ "path": "a" }])] {
        assert_eq!(on_read(json!({ "arguments": content })), Nothing);
    }
}

#[test]
fn a_content_with_an_undeclared_key_stays() {
    assert_eq!(on_read(json!({ "args": { "path": "a", "x": 1 } })), Nothing);
    let open = Tool::builder("read", json!({ "properties": { "path": {} } }));
    assert_eq!(
        with(open, json!({ "args": { "path": "a", "x": 1 } })),
        Nothing
    );
}

#[test]
fn an_empty_content_stays() {
    assert_eq!(on_read(json!({ "args": {} })), Nothing);
    assert_eq!(on_read(json!({ "args": { "i": "why" } })), Nothing);
}

#[test]
fn a_declared_envelope_is_an_argument() {
    let proxy = || {
        Tool::builder(
            "proxy",
            json!({ "properties": { "arguments": { "type": "object" }, "path": {} } }),
        )
    };
    assert_eq!(
        with(proxy(), json!({ "arguments": { "path": "a" } })),
        Nothing
    );
    // The others still are none.
    assert_eq!(
        with(proxy(), json!({ "input": { "path": "a" } })),
        Gave(json!({ "path": "a" }))
    );
}

#[test]
fn an_envelope_beside_an_argument_stays() {
    assert_eq!(
        on_read(json!({ "args": { "path": "a" }, "limit": 1 })),
        Nothing
    );
    assert_eq!(
        on_read(json!({ "args": { "path": "a" }, "unknown": 1 })),
        Nothing
    );
}

#[test]
fn two_envelopes_stay() {
    assert_eq!(
        on_read(json!({ "args": { "path": "a" }, "params": { "limit": 1 } })),
        Nothing
    );
    assert_eq!(
        on_read(json!({ "args": { "input": { "path": "a" } } })),
        Nothing
    );
}

#[test]
fn names_of_the_host_stay_beside_it() {
    assert_eq!(
        on_read(json!({ "i": "why", "args": { "path": "a" }, "__id": 7 })),
        Gave(json!({ "i": "why", "path": "a", "__id": 7 }))
    );
}

#[test]
fn names_of_the_host_inside_come_out() {
    assert_eq!(
        on_read(json!({ "args": { "path": "a", "i": "why" } })),
        Gave(json!({ "path": "a", "i": "why" }))
    );
    assert_eq!(
        on_read(json!({ "args": { "path": "a", "i": "why" }, "i": "why" })),
        Gave(json!({ "path": "a", "i": "why" }))
    );
}

#[test]
fn a_name_of_the_host_with_two_values_is_a_conflict() {
    assert_eq!(
        on_read(json!({ "args": { "path": "a", "i": "in" }, "i": "out" })),
        Refused("envelope-conflict")
    );
}

#[test]
fn a_whole_call_is_an_envelope() {
    for call in [
        json!({ "name": "read", "arguments": { "path": "a" } }),
        json!({ "arguments": { "path": "a" }, "name": "read" }),
        json!({ "name": "read", "arguments": "{\"path\": \"a\"}" }),
    ] {
        assert_eq!(on_read(call), Gave(json!({ "path": "a" })));
    }
    assert_eq!(
        on_read(json!({ "name": "read", "arguments": { "path": "a" }, "i": "why" })),
        Gave(json!({ "path": "a", "i": "why" }))
    );
}

#[test]
fn a_whole_call_to_another_tool_is_refused() {
    for name in ["write", "Read", "read ", ""] {
        assert_eq!(
            on_read(json!({ "name": name, "arguments": { "path": "a" } })),
            Refused("envelope-other-tool"),
            "{name}"
        );
    }
}

#[test]
fn a_whole_call_with_another_frame_stays() {
    for call in [
        json!({ "name": "read", "parameters": { "path": "a" } }),
        json!({ "name": "read", "arguments": { "path": "a" }, "id": "call_1" }),
        json!({ "name": 1, "arguments": { "path": "a" } }),
        json!({ "tool": "read", "arguments": { "path": "a" } }),
        json!({ "name": "read" }),
        json!({ "name": "write", "arguments": { "target": "a" } }),
    ] {
        assert_eq!(on_read(call.clone()), Nothing, "{call}");
    }
}

#[test]
fn a_declared_name_is_an_argument() {
    let register = Tool::builder(
        "register",
        json!({ "properties": { "name": {}, "path": {} } }),
    );
    assert_eq!(
        with(
            register,
            json!({ "name": "register", "arguments": { "path": "a" } })
        ),
        Nothing
    );
}

#[test]
fn an_envelope_that_also_reads_as_an_argument_is_refused() {
    let spelled = |slot: Value| {
        Tool::builder(
            "read",
            json!({ "properties": { "Input": slot, "path": {} } }),
        )
    };
    let call = || json!({ "input": { "path": "a" } });
    for slot in [json!({ "type": "object" }), json!({})] {
        assert_eq!(with(spelled(slot), call()), Refused("envelope-ambiguous"));
    }
    assert_eq!(
        with(spelled(json!({ "type": "integer" })), call()),
        Gave(json!({ "path": "a" }))
    );
    let aliased = Tool::builder(
        "read",
        json!({ "properties": { "text": { "x-aliases": ["payload"] }, "path": {} } }),
    );
    assert_eq!(
        with(aliased, json!({ "payload": { "path": "a" } })),
        Refused("envelope-ambiguous")
    );
    assert_eq!(
        with(
            read().alias("params", "path"),
            json!({ "params": "{\"path\": \"a\"}" })
        ),
        Refused("envelope-ambiguous")
    );
    // A stringified content cannot be an integer.
    assert_eq!(
        with(
            read().alias("params", "limit"),
            json!({ "params": "{\"path\": \"a\"}" })
        ),
        Gave(json!({ "path": "a" }))
    );
}

#[test]
fn a_name_that_the_host_configured_is_no_envelope() {
    assert_eq!(
        with(
            read().harness_names(["input"]),
            json!({ "input": { "path": "a" } })
        ),
        Nothing
    );
}

#[test]
fn a_tool_without_arguments_has_nothing_to_unwrap() {
    let now = Tool::new("now", json!({ "type": "object", "properties": {} })).unwrap();
    assert!(STAGE.prepare(&now, Cascade::Extended).unwrap().is_none());
}

#[test]
fn arguments_that_are_no_object_pass() {
    for call in [json!(null), json!("{}"), json!([]), json!(1)] {
        assert_eq!(on_read(call), Nothing);
    }
}

#[test]
fn the_edit_records_what_was_sent() {
    let sent = json!({ "i": 1, "params": { "path": "a" } });
    let tool = read().build().unwrap();
    let bound = STAGE.prepare(&tool, Cascade::Standard).unwrap().unwrap();
    let mut draft = Draft::new(sent.clone());
    let verdict = bound.plan(&draft);
    draft.apply("unwrap", verdict).unwrap();
    let edit = draft.edits()[0].to_json();
    assert_eq!(edit["before"], sent);
    assert_eq!(edit["op"], "replace");
    assert_eq!(edit["value"], json!({ "i": 1, "path": "a" }));
}

#[test]
fn a_content_deeper_than_json_text_stays() {
    let mut deep = json!("a");
    for _ in 0..1_000 {
        deep = json!([deep]);
    }
    assert_eq!(on_read(json!({ "args": { "path": deep } })), Nothing);
}
