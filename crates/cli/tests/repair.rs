//! `callmend repair`: lines in, lines out.

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that cannot go on fails"
)]

mod support;

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use support::{callmend, demo, file};

fn repair(input: &str) -> support::Ran {
    callmend(&["repair", "--tools", &demo("tools.json")], input)
}

fn extended(input: &str) -> support::Ran {
    callmend(
        &[
            "repair",
            "--cascade",
            "extended",
            "--tools",
            &demo("tools.json"),
        ],
        input,
    )
}

#[test]
fn the_exit_status_says_the_worst_that_happened() {
    let clean = r#"{"tool": "read", "arguments": {"path": "a"}}"#;
    let refused = r#"{"tool": "read", "arguments": {}}"#;
    assert_eq!(repair("").code, 0);
    assert_eq!(repair(clean).code, 0);
    assert_eq!(repair(&format!("{clean}\n{refused}\n{clean}\n")).code, 1);
    assert_eq!(repair(&format!("{refused}\nnot a call\n{clean}\n")).code, 2);
}

#[test]
fn outcomes_come_in_order_and_carry_their_ids_as_sent() {
    let ids = [
        "7",
        "1e400",
        "\"a\"",
        "[1, {\"b\": null}]",
        "null",
        "12345678901234567890123",
    ];
    let input: String = ids
        .iter()
        .map(|id| {
            format!("{{\"id\": {id}, \"tool\": \"read\", \"arguments\": {{\"path\": \"a\"}}}}\n")
        })
        .collect();
    let ran = repair(&input);
    for (line, id) in ran.stdout.lines().zip(ids) {
        let expected = format!(
            "{{\"id\":{id},\"tool\":\"read\",\"status\":\"clean\",\"arguments\":{{\"path\":\"a\"}},\"edits\":[],\"hints\":[]}}"
        );
        assert_eq!(line, expected);
    }
    assert_eq!(ran.stdout.lines().count(), ids.len());
}

#[test]
fn a_line_that_is_no_call_is_said_so_and_the_rest_goes_on() {
    let ran = repair(
        "{\"id\": 1}\n\n[]\n{\"tool\": \"read\", \"arguments\": {\"path\": \"a\"}}\r\n{\"tool\"\n",
    );
    let lines = ran.lines();
    assert_eq!(
        lines[0],
        json!({"id": 1, "status": "invalid", "line": 1, "error": "a call must have a `tool`"})
    );
    assert_eq!(lines[1]["line"], 3);
    assert_eq!(lines[2]["status"], "clean");
    assert_eq!(
        lines[3],
        json!({"status": "invalid", "line": 5, "error": "not JSON: EOF while parsing an object at column 7"})
    );
    assert_eq!((lines.len(), ran.code, ran.stderr.as_str()), (4, 2, ""));
}

#[test]
fn bytes_that_are_no_text_are_an_invalid_line() {
    let ran = callmend(
        &["repair", "--tools", &demo("tools.json")],
        b"\xff\xfe{}\n".as_slice(),
    );
    assert_eq!(ran.one()["error"], "not UTF-8 at byte 1");
    assert_eq!(ran.code, 2);
}

#[test]
fn a_key_given_twice_is_seen_in_a_value_too() {
    let equal = repair(r#"{"tool": "read", "arguments": {"path": "a", "path": "a"}}"#).one();
    assert_eq!(equal["status"], "repaired");
    assert_eq!(equal["arguments"], json!({"path": "a"}));
    assert_eq!(equal["edits"][0]["path"], "");
    let unequal = repair(r#"{"tool": "read", "arguments": {"path": "a", "path": "b"}}"#).one();
    assert_eq!(unequal["status"], "unrepairable");
    assert_eq!(unequal["rejection"]["stage"], "parse-leniency");
    for flags in [
        ["--skip", "parse-leniency"],
        ["--stages", "argument-validate"],
    ] {
        let tools = demo("tools.json");
        let args = [&["repair", "--tools", tools.as_str()][..], &flags[..]].concat();
        let ran = callmend(
            &args,
            r#"{"tool": "read", "arguments": {"path": "a", "path": "b"}}"#,
        );
        assert_eq!(ran.one()["status"], "unrepairable", "{flags:?}");
        let ran = callmend(&args, r#"{"tool": "read", "arguments": {"path": "a"}}"#);
        assert_eq!(ran.one()["status"], "clean", "{flags:?}");
        let ran = callmend(
            &args,
            r#"{"tool": "read", "arguments": {"__parseError": "x", "__rawJson": "{\"path\": \"a\"}"}}"#,
        );
        assert_ne!(ran.one()["status"], "repaired", "{flags:?}");
    }
}

#[test]
fn text_that_nothing_reads_is_refused() {
    let ran = callmend(
        &[
            "repair",
            "--tools",
            &demo("tools.json"),
            "--skip",
            "parse-leniency",
        ],
        r#"{"tool": "read", "arguments": "{\"path\": \"a\"}"}"#,
    );
    assert_eq!(
        ran.one()["rejection"]["message"],
        "arguments must be an object (read takes limit?, path)"
    );
}

#[test]
fn an_integer_that_would_be_rounded_is_refused_in_a_value_too() {
    let ran =
        repair(r#"{"tool": "read", "arguments": {"path": "a", "limit": 123456789012345678901}}"#);
    assert_eq!(ran.one()["rejection"]["stage"], "parse-leniency");
}

#[test]
fn whatever_was_delivered_has_an_outcome() {
    for arguments in [
        "null",
        "5",
        "[]",
        "true",
        "\"\"",
        "\"null\"",
        "\"[1]\"",
        "\"\\ud800\"",
        "\"{\\\"path\\\": \\\"\\ud800\\\"}\"",
        "{\"path\": \"\\ud800\"}",
    ] {
        let ran = repair(&format!(
            "{{\"tool\": \"read\", \"arguments\": {arguments}}}"
        ));
        let outcome = ran.one();
        assert_eq!(outcome["status"], "unrepairable", "{arguments}");
        assert_eq!(outcome["rejection"]["error"], "filter_invalid");
        assert!(outcome.get("arguments").is_none());
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let ran = repair(&format!(
        "{{\"tool\": \"read\", \"arguments\": {{\"path\": {deep}}}}}\n{{\"tool\": \"read\", \"arguments\": {deep}}}"
    ));
    assert!(
        ran.lines()
            .iter()
            .all(|outcome| outcome["status"] == "unrepairable")
    );
}

#[test]
fn keys_keep_their_order_and_renamed_ones_their_place() {
    let ran =
        repair(r#"{"tool": "write", "arguments": {"filepath": "a", "__note": 1, "content": "b"}}"#);
    assert!(
        ran.stdout
            .contains(r#""arguments":{"path":"a","__note":1,"content":"b"}"#),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_tool_may_stand_in_the_call_itself() {
    let tool = r#"{"name": "find", "parameters": {"type": "object", "properties": {"q": {"type": "integer"}}, "required": ["q"]}}"#;
    let line = format!("{{\"tool\": {tool}, \"arguments\": \"{{q: 1}}\"}}\n");
    let ran = callmend(&["repair"], line.repeat(3));
    assert_eq!(ran.code, 0);
    for outcome in ran.lines() {
        assert_eq!(
            (&outcome["tool"], &outcome["arguments"]),
            (&json!("find"), &json!({"q": 1}))
        );
    }
    let many: String = (0..600)
        .map(|n| {
            format!("{{\"id\": {n}, \"tool\": {{\"name\": \"t{n}\"}}, \"arguments\": {{}}}}\n")
        })
        .collect();
    let ran = callmend(&["repair"], many);
    assert_eq!(ran.lines().last().unwrap()["tool"], "t599");
    assert_eq!(ran.code, 0);
}

#[test]
fn a_definition_that_cannot_be_compiled_is_an_invalid_line() {
    let ran = callmend(
        &["repair"],
        r##"{"id": 1, "tool": {"name": "t", "parameters": {"$ref": "#/nowhere"}}}"##,
    );
    let outcome = ran.one();
    assert_eq!((outcome["status"].as_str(), ran.code), (Some("invalid"), 2));
    assert_eq!(
        outcome["error"],
        "tool `t`: `$ref` `#/nowhere` cannot be resolved: only references within the schema are followed"
    );
    let ran = callmend(&["repair"], r#"{"tool": {"parameters": {}}}"#);
    assert_eq!(ran.one()["error"], "a tool must have a `name`");
}

#[test]
fn tools_files_may_have_every_form() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false});
    let forms = [
        json!({"name": "t", "parameters": schema}).to_string(),
        json!([{"name": "t", "input_schema": schema}]).to_string(),
        json!({"tools": [{"name": "t", "inputSchema": schema}]}).to_string(),
        format!(
            "\u{feff}{}\n\n{}\n",
            json!({"type": "function", "function": {"name": "t", "parameters": schema}}),
            json!({"name": "u"})
        ),
        serde_json::to_string_pretty(&json!({"name": "t", "parameters": schema})).unwrap(),
    ];
    for (at, form) in forms.iter().enumerate() {
        let tools = file(&format!("form-{at}.json"), form);
        let ran = callmend(
            &["repair", "--tools", &tools],
            r#"{"tool": "t", "arguments": {"b": 1}}"#,
        );
        assert_eq!(ran.one()["rejection"]["stage"], "strict-reject", "{form}");
    }
    let synthesized =
        json!({"name": "t", "parameters": schema, "closure": "synthesized"}).to_string();
    let tools = file("synthesized.json", synthesized);
    let ran = callmend(
        &["repair", "--tools", &tools],
        r#"{"tool": "t", "arguments": {"b": 1}}"#,
    );
    assert_eq!(ran.one()["status"], "clean");
}

#[test]
fn several_files_are_read_in_order_and_invalid_lines_name_theirs() {
    let one = file(
        "one.jsonl",
        "{\"id\": 1, \"tool\": \"read\", \"arguments\": {\"path\": \"a\"}}\n",
    );
    let two = file(
        "two.jsonl",
        "{\"id\": 2, \"tool\": \"read\", \"arguments\": {\"path\": \"a\"}}\nno",
    );
    let ran = callmend(&["repair", "--tools", &demo("tools.json"), &two, &one], "");
    let lines = ran.lines();
    assert_eq!((&lines[0]["id"], &lines[2]["id"]), (&json!(2), &json!(1)));
    assert_eq!(lines[1]["line"], 2);
    assert!(lines[1]["file"].as_str().unwrap().ends_with("two.jsonl"));
    let ran = callmend(
        &["repair", "--tools", &demo("tools.json"), &one, "-"],
        "{\"id\": 3, \"tool\": \"read\", \"arguments\": {\"path\": \"a\"}}",
    );
    assert_eq!(ran.lines()[1]["id"], 3);
}

#[test]
fn who_waits_for_an_outcome_before_the_next_call_gets_it() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_callmend"))
        .args(["repair", "--tools", &demo("tools.json")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for id in 0..3 {
        writeln!(
            stdin,
            "{{\"id\": {id}, \"tool\": \"read\", \"arguments\": {{\"path\": \"a\"}}}}"
        )
        .unwrap();
        stdin.flush().unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        let outcome: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(outcome["id"], id);
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_callmend"))
        .args(["repair", "--tools", &demo("tools.json")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    let line = "{\"tool\": \"read\", \"arguments\": {\"path\": \"a\"}}\n".repeat(5000);
    let _ = stdin.write_all(line.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn stages_are_picked_and_left_out() {
    let call = r#"{"tool": "write", "arguments": {"filepath": "a", "content": "b"}}"#;
    let tools = demo("tools.json");
    let only = callmend(
        &[
            "repair",
            "--tools",
            &tools,
            "--stages",
            "parse-leniency, alias-rename",
        ],
        call,
    );
    assert_eq!(only.one()["status"], "repaired");
    let skipped = callmend(
        &["repair", "--tools", &tools, "--skip", "alias-rename"],
        call,
    );
    assert_eq!(skipped.one()["rejection"]["stage"], "strict-reject");
}

#[test]
fn the_extended_cascade_is_asked_for() {
    let call = r#"{"tool": "read", "arguments": {"arguments": "{\"file_path\": \"a\", \"limit\": \"5\"}"}}"#;
    assert_eq!(repair(call).one()["status"], "unrepairable");
    let outcome = extended(r#"{"tool": "read", "arguments": {"path": "a", "limit": "5"}}"#).one();
    assert_eq!(outcome["arguments"], json!({"path": "a", "limit": 5}));
}
