//! Every message, hint, fix and code of the stage, in one snapshot for each section of the
//! contract.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test's helpers may fail like the test"
)]

use callmend_argument_validate::{STAGE, message, validate_arguments};
use callmend_stage::{Cascade, Draft, Locator, Stage, Tool, Verdict};
use serde_json::{Value, json};
use std::fmt::Write as _;

macro_rules! snapshot {
    ($($arguments:tt)*) => {
        insta::with_settings!({ omit_expression => true }, {
            insta::assert_snapshot!($($arguments)*);
        })
    };
}

/// A value as text, keys in bytewise order whatever order the map of this build keeps.
fn shown(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let sorted: std::collections::BTreeMap<_, _> = members.iter().collect();
            let members = sorted
                .into_iter()
                .map(|(key, value)| format!("{}:{}", json!(key), shown(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
        Value::Array(items) => {
            let items = items.iter().map(shown);
            format!("[{}]", items.collect::<Vec<_>>().join(","))
        }
        scalar => scalar.to_string(),
    }
}

/// What the stage says of each call, as text.
fn said(tool: &Tool, calls: impl IntoIterator<Item = Value>) -> String {
    said_in(Cascade::Standard, tool, calls)
}

fn said_in(cascade: Cascade, tool: &Tool, calls: impl IntoIterator<Item = Value>) -> String {
    let prepared = STAGE.prepare(tool, cascade).unwrap().unwrap();
    let mut out = String::new();
    for call in calls {
        writeln!(out, "{}", shown(&call)).unwrap();
        match prepared.plan(&Draft::new(call)) {
            Verdict::Pass => writeln!(out, "  pass").unwrap(),
            Verdict::Rewrite(changes) => {
                for change in changes {
                    let value = shown(change.op.value().unwrap());
                    writeln!(out, "  [{}] {} = {value}", change.code, change.op.path()).unwrap();
                    writeln!(out, "  hint: {}", change.hint.unwrap()).unwrap();
                }
            }
            Verdict::Reject(rejection) => {
                let path = rejection.path.as_deref().unwrap_or("-");
                writeln!(out, "  [{}] at {path:?}", rejection.code).unwrap();
                writeln!(out, "  {}", rejection.message).unwrap();
                for hint in &rejection.hints {
                    writeln!(out, "  hint: {hint}").unwrap();
                }
                if let Some(fix) = &rejection.fix {
                    writeln!(out, "  fix: {fix}").unwrap();
                }
            }
            Verdict::Decoded(value) => panic!("decoded {value}"),
        }
    }
    out
}

fn tool(name: &str, schema: Value) -> Tool {
    Tool::new(name, schema).unwrap()
}

/// One optional argument `x` of the given schema.
#[cfg(feature = "deep")]
fn slot(schema: Value) -> Tool {
    tool("t", json!({"type": "object", "properties": {"x": schema}}))
}

#[cfg(feature = "deep")]
fn slots(cases: impl IntoIterator<Item = (Value, Value)>) -> String {
    let mut out = String::new();
    for (schema, value) in cases {
        writeln!(out, "# {}", shown(&schema)).unwrap();
        out.push_str(&said(&slot(schema), [json!({ "x": value })]));
    }
    out
}

#[test]
fn shape_and_unknown_names() {
    let query = tool(
        "query",
        json!({
            "type": "object",
            "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
            "required": ["query"],
            "additionalProperties": false
        }),
    );
    snapshot!(said(
        &query,
        [
            json!("query"),
            json!([]),
            json!(null),
            json!({"q": "a"}),
            json!({"zzz": 1, "query": "a"}),
            json!({"querry": "a", "limit": "5", "lim": 1, "other": 2}),
            json!({"dry_run": true, "query": "a"}),
            json!({"i": "why", "__t": 1, "query": "a"}),
        ]
    ));
}

#[test]
fn retired_names() {
    let all = tool(
        "t",
        json!({
            "properties": {"id": {}, "path": {}, "section": {}, "text": {}, "effects": {}, "checked": {}},
            "additionalProperties": false
        }),
    );
    let names = [
        "doc", "block", "node", "heading", "markdown", "ops", "dry_run", "attrs",
    ];
    snapshot!(said(&all, names.map(|name| json!({ name: 1 }))));
    let none = tool(
        "t",
        json!({"properties": {"zzzzzzz": {}}, "additionalProperties": false}),
    );
    snapshot!(
        "retired_without_replacement",
        said(&none, names.map(|name| json!({ name: 1 })))
    );
}

#[test]
#[cfg(feature = "deep")]
fn presence_and_type() {
    let find = tool(
        "find",
        json!({
            "type": "object",
            "properties": {
                "s": {"type": "string"}, "i": {"type": "integer"}, "n": {"type": "number"},
                "b": {"type": "boolean"}, "o": {"type": "object"},
                "ls": {"type": "array", "items": {"type": "string"}},
                "li": {"type": "array", "items": {"type": "integer"}},
                "ln": {"type": "array", "items": {"type": "number"}},
                "lb": {"type": "array", "items": {"type": "boolean"}},
                "lo": {"type": "array", "items": {"type": "object"}},
                "l": {"type": "array"},
                "e": {"enum": ["a", "b", "c"]},
                "ne": {"enum": [1, 2.5, null]},
                "sn": {"type": ["null", "string"]},
                "u": {"oneOf": [{"const": "start"}, {"enum": ["end"]},
                      {"type": "object", "required": ["before"]}, {"type": "object", "required": ["after"]}]},
                "many": {"type": ["integer", "boolean"]}
            },
            "required": ["s", "o"]
        }),
    );
    let with = |key: &str, value: Value| json!({"s": "", "o": {}, key: value});
    snapshot!(said(
        &find,
        [
            json!({}),
            json!({"s": "a"}),
            json!({"s": null, "o": 1}),
            with("i", json!("5")),
            with("i", json!(5.0)),
            with("i", json!(5.5)),
            with("i", json!(null)),
            with("n", json!("1")),
            with("b", json!(1)),
            with("o", json!("{}")),
            with("ls", json!(["a", 1])),
            with("li", json!([1.5])),
            with("ln", json!(["a"])),
            with("lb", json!([0])),
            with("lo", json!([[]])),
            with("l", json!({})),
            with("e", json!("d")),
            with("e", json!(1)),
            with("ne", json!(2)),
            with("ne", json!(1.0)),
            with("sn", json!(null)),
            with("sn", json!(1)),
            with("u", json!("end")),
            with("u", json!("middle")),
            with("u", json!({"after": 1})),
            with("u", json!({"beside": 1})),
            with("many", json!(true)),
            with("many", json!("true")),
        ]
    ));
}

#[test]
#[cfg(feature = "deep")]
fn string_lists() {
    let read = tool(
        "read",
        json!({
            "properties": {
                "docs": {"type": "array", "items": {"type": "string"}},
                "tags": {"type": "array", "items": {"enum": ["x", "y"], "type": "string"}, "minItems": 1},
                "limit": {"type": "number"}
            },
            "required": ["docs"]
        }),
    );
    snapshot!(said(
        &read,
        [
            json!({"docs": "a"}),
            json!({"docs": ""}),
            json!({"docs": " a b "}),
            json!({"docs": "[\"a\", \"b\"]"}),
            json!({"docs": " [] "}),
            json!({"docs": "a, b,,c", "limit": 5.0, "i": "why"}),
            json!({"docs": "[1, \"a\"]", "limit": 1e21}),
            json!({"docs": "[a, b]"}),
            json!({"docs": "[\"a\""}),
            json!({"docs": ","}),
            json!({"docs": "a", "tags": "x"}),
            json!({"docs": "a,b", "tags": "x"}),
            json!({"docs": "a", "tags": "z"}),
            json!({"docs": "a", "tags": "[]"}),
            json!({"docs": "a", "limit": "5"}),
            json!({"docs": 5}),
        ]
    ));
}

#[test]
fn the_free_function() {
    let schema = json!({
        "properties": {
            "docs": {"type": "array", "items": {"type": "string"}}, "limit": {"type": "integer"},
            "mode": {"enum": ["r", "w"]}, "query": {"type": "string"}
        },
        "required": ["query"]
    });
    let rule = Locator::new("docs", "limit", "pages");
    let find = Tool::builder("find", schema).locator(rule).build().unwrap();
    let mut out = String::new();
    for call in [
        json!([]),
        json!({"query": "a", "i": 1}),
        json!({"query": "a", "zzz": 1, "doc": 2}),
        json!({"limit": 1}),
        json!({"query": 1, "limit": 1.5, "mode": "x"}),
        json!({"query": "a", "docs": "x,y"}),
        json!({"query": "a", "docs": "x"}),
        json!({"query": "a", "docs": "[\"x\"]"}),
        json!({"query": "a"}),
        json!({"query": "a", "limit": 5, "docs": ["x"]}),
    ] {
        writeln!(out, "{}", shown(&call)).unwrap();
        match validate_arguments(&find, &call) {
            Ok(None) => writeln!(out, "  fine").unwrap(),
            Ok(Some(normalized)) => writeln!(out, "  = {}", shown(&normalized)).unwrap(),
            Err(rejection) => {
                writeln!(out, "  [{}] {}", rejection.code, rejection.message).unwrap();
                for hint in &rejection.hints {
                    writeln!(out, "  hint: {hint}").unwrap();
                }
                if let Some(fix) = &rejection.fix {
                    writeln!(out, "  fix: {fix}").unwrap();
                }
            }
        }
    }
    snapshot!(out);
}

#[test]
fn locators() {
    let schema = json!({"properties": {"id": {"type": "string"}, "path": {"type": "string"}}});
    let rule = Locator::new("id", "path", "documents").resolver(|_, path| path != "/same.md");
    let read = Tool::builder("docs_read", schema)
        .locator(rule)
        .build()
        .unwrap();
    snapshot!(said(
        &read,
        [
            json!({}),
            json!({"id": "d_x"}),
            json!({"id": "d_x", "path": "/a.md"}),
            json!({"id": "d_x", "path": "/same.md"}),
            json!({"id": "x".repeat(100), "path": "\"quoted\"\n"}),
            json!({"id": 5, "path": "/a.md"}),
        ]
    ));
}

#[test]
fn rounded_integers_in_the_extended_cascade() {
    let schema = json!({"properties": {"limit": {"type": "integer"}, "ratio": {"type": "number"}}});
    let tool = tool("t", schema);
    let calls = [
        json!({"limit": 1e20}),
        json!({"limit": 100}),
        json!({"ratio": 1e20}),
    ];
    let mut out = said(&tool, calls.clone());
    out.push_str("# extended\n");
    out.push_str(&said_in(Cascade::Extended, &tool, calls));
    snapshot!(out);
}

#[test]
fn codes() {
    let mut out = String::new();
    for info in message::CODES {
        writeln!(out, "{} ({:?}): {}", info.code, info.kind, info.meaning).unwrap();
    }
    snapshot!(out);
}

#[test]
#[cfg(feature = "deep")]
fn no_combination_of_alternatives() {
    let branch = |op: &str| {
        json!({"type": "object", "required": ["op"],
               "properties": {"a": {"$ref": "#/$defs/e"}, "op": {"type": op}}})
    };
    let nests = tool(
        "t",
        json!({
            "properties": {"x": {"$ref": "#/$defs/e"}},
            "$defs": {"e": {"anyOf": [branch("string"), branch("integer")]}}
        }),
    );
    let expression = (0..40).fold(json!({"op": true}), |inner, _| json!({"a": inner, "op": 1}));
    let said = said(&nests, [json!({ "x": expression })]);
    snapshot!(said.lines().skip(1).collect::<Vec<_>>().join("\n"));
}

#[test]
#[cfg(feature = "deep")]
fn each_keyword() {
    snapshot!(slots([
        (json!({"maximum": 100}), json!(101)),
        (json!({"maximum": 2.50}), json!(3)),
        (json!({"minimum": 1}), json!(0)),
        (json!({"exclusiveMaximum": 10}), json!(10)),
        (json!({"exclusiveMinimum": 0}), json!(0)),
        (json!({"multipleOf": 5}), json!(3)),
        (json!({"multipleOf": 0.1}), json!(0.25)),
        (json!({"maxLength": 1}), json!("ab")),
        (json!({"minLength": 2}), json!("a")),
        (json!({"pattern": "^d_[a-z]+$"}), json!("D")),
        (json!({"maxItems": 1}), json!([1, 2])),
        (json!({"minItems": 2}), json!([1])),
        (json!({"uniqueItems": true}), json!([1, 1.0])),
        (json!({"contains": {"type": "integer"}}), json!(["a"])),
        (
            json!({"contains": {"const": "a"}, "minContains": 2}),
            json!(["a"])
        ),
        (
            json!({"contains": {"const": "a"}, "maxContains": 1}),
            json!(["a", "a"])
        ),
        (
            json!({"prefixItems": [{"type": "integer"}], "items": false}),
            json!([1, 2])
        ),
        (
            json!({"prefixItems": [{"type": "integer"}], "unevaluatedItems": false}),
            json!([1, 2])
        ),
        (json!({"prefixItems": [{"type": "integer"}]}), json!(["a"])),
        (json!({"maxProperties": 1}), json!({"a": 1, "b": 2})),
        (json!({"minProperties": 1}), json!({})),
        (
            json!({"propertyNames": {"maxLength": 2}}),
            json!({"abc": 1})
        ),
        (
            json!({"propertyNames": {"pattern": "^[a-z]$"}}),
            json!({"AB": 1})
        ),
        (json!({"const": "a"}), json!("b")),
        (json!({"const": {"b": 1.0, "a": null}}), json!(1)),
        (json!({"not": {"type": "string"}}), json!("a")),
        (json!({"not": {"const": 0}}), json!(0)),
        (json!({"not": {"enum": ["a", "b"]}}), json!("b")),
        (
            json!({"not": {"required": ["a", "b"]}}),
            json!({"a": 1, "b": 2})
        ),
        (json!({"not": {"required": ["a"]}}), json!({"a": 1})),
        (json!({"not": {"pattern": "^/"}}), json!("/a")),
        (json!({"not": {}}), json!(1)),
        (json!(false), json!(1)),
        (json!({"dependentRequired": {"a": ["b"]}}), json!({"a": 1})),
        (
            json!({"dependentSchemas": {"a": {"required": ["b"]}}}),
            json!({"a": 1})
        ),
        (
            json!({"if": {"required": ["a"]}, "then": {"required": ["b"]}}),
            json!({"a": 1})
        ),
        (
            json!({"items": {"type": "object", "required": ["a"]}}),
            json!([{"a": 1}, {}])
        ),
        (
            json!({"additionalProperties": {"type": "integer"}}),
            json!({"k": "v"})
        ),
        (json!({"contentEncoding": "base64"}), json!("%")),
    ]));
}

#[test]
#[cfg(feature = "deep")]
fn draft_7_asserts_more() {
    let draft = |keywords: Value| {
        tool(
            "t",
            json!({"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"x": keywords}}),
        )
    };
    let mut out = String::new();
    for (keywords, value) in [
        (json!({"format": "date"}), json!("yesterday")),
        (json!({"format": "email"}), json!("nobody")),
        (json!({"contentEncoding": "base64"}), json!("%")),
        (json!({"contentMediaType": "application/json"}), json!("{")),
        (
            json!({"items": [{"type": "integer"}], "additionalItems": false}),
            json!([1, 2]),
        ),
        (json!({"dependencies": {"a": ["b"]}}), json!({"a": 1})),
    ] {
        writeln!(out, "# {}", shown(&keywords)).unwrap();
        out.push_str(&said(&draft(keywords), [json!({ "x": value })]));
    }
    snapshot!(out);
}

#[test]
#[cfg(feature = "deep")]
fn nested_objects() {
    let edit = tool(
        "edit",
        json!({
            "type": "object",
            "properties": {
                "path": {"type": "string"},
                "edits": {"type": "array", "items": {"$ref": "#/$defs/edit"}}
            },
            "required": ["path", "edits"],
            "additionalProperties": false,
            "$defs": {"edit": {
                "type": "object",
                "properties": {"old_text": {"type": "string"}, "new_text": {"type": "string"}},
                "required": ["old_text", "new_text"],
                "additionalProperties": false
            }}
        }),
    );
    let edits = |edits: Value| json!({"path": "a", "edits": edits});
    let many: Vec<Value> = (0..14)
        .map(|_| json!({"old_text": 1, "new_text": ""}))
        .collect();
    snapshot!(said(
        &edit,
        [
            edits(json!([{"new_text": "b"}])),
            edits(json!([{"old_text": "a", "new_text": "b", "in_file": "c"}])),
            edits(json!([{"old_text": "a", "newtext": "b"}])),
            edits(json!([{"old_text": 1, "new_text": null}])),
            edits(json!(many)),
            edits(json!(["a"])),
            edits(json!([{"old_text": "a", "new_text": "b", "k".repeat(200): 1}])),
        ]
    ));
}

#[test]
#[cfg(feature = "deep")]
fn alternatives() {
    let at = |alternatives: Value| json!({"anyOf": alternatives});
    let tagged = |tag: &str, needs: &str| {
        json!({"type": "object", "required": ["type", needs],
               "properties": {"type": {"const": tag}, needs: {"type": "string"}}})
    };
    let by_type = at(json!([tagged("file", "path"), tagged("url", "href")]));
    let either = at(json!([
        {"type": "object", "required": ["before"], "properties": {"before": {"type": "string"}}},
        {"type": "object", "required": ["after"], "properties": {"after": {"type": "string"}}}
    ]));
    snapshot!(slots([
        (
            at(json!([{"type": "integer", "maximum": 5}, {"type": "null"}])),
            json!(6)
        ),
        (
            at(json!([{"type": "integer"}, {"type": "null"}])),
            json!("6")
        ),
        (
            at(json!([{"type": "string"}, {"type": "array", "items": {"type": "string"}}])),
            json!([1])
        ),
        (
            at(json!([{"type": "string"}, {"type": "object", "required": ["a"]}])),
            json!({"b": 1})
        ),
        (by_type.clone(), json!({"type": "file"})),
        (by_type.clone(), json!({"type": "url", "href": 1})),
        (by_type.clone(), json!({"type": "dir", "path": "a"})),
        (by_type.clone(), json!({"path": "a"})),
        (by_type.clone(), json!("a")),
        (either.clone(), json!({})),
        (either.clone(), json!({"before": 1})),
        (either.clone(), json!({"before": 1, "after": 2})),
        (
            json!({"oneOf": either["anyOf"].clone()}),
            json!({"before": "a", "after": "b"})
        ),
        (at(json!([{"minimum": 5}, {"maximum": 1}])), json!(3)),
    ]));
}

#[test]
#[cfg(feature = "deep")]
fn alternatives_at_the_root() {
    let by_one = tool(
        "read",
        json!({
            "type": "object",
            "properties": {"id": {"type": "string"}, "path": {"type": "string"}, "from": {}, "to": {}},
            "oneOf": [{"required": ["id"]}, {"required": ["path"]}, {"required": ["from", "to"]}],
            "additionalProperties": false
        }),
    );
    let branch = |key: &str, closed: bool| {
        json!({"type": "object", "properties": {key: {"type": "string"}, "x": {"type": "integer"}},
               "required": [key], "additionalProperties": !closed})
    };
    let closed = tool(
        "pick",
        json!({"oneOf": [branch("a", true), branch("b", true)]}),
    );
    let mut out = said(
        &by_one,
        [
            json!({}),
            json!({"id": "a"}),
            json!({"id": "a", "path": "b"}),
            json!({"from": 1}),
            json!({"id": 1}),
        ],
    );
    out.push_str(&said(
        &closed,
        [
            json!({"a": "1", "x": 2}),
            json!({"a": "1", "b": "2"}),
            json!({"a": "1", "c": "2"}),
            json!({"x": 2}),
            json!({"a": 1}),
            json!({"a": "1", "i": 2}),
        ],
    ));
    snapshot!(out);
}
