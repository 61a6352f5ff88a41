//! What the command says when it cannot do its work: one clear line, exit status 2, no output.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use support::{callmend, demo, file, without_folder};

/// Runs the command, which must fail at once, and returns what it said.
fn said(args: &[&str]) -> String {
    let ran = callmend(
        args,
        "{\"tool\": \"read\", \"arguments\": {\"path\": \"a\"}}\n",
    );
    assert_eq!(ran.code, 2, "{ran:?}");
    assert_eq!(ran.stdout, "", "nothing is half-written");
    without_folder(&ran.stderr)
}

fn with_tools(name: &str, content: &str) -> String {
    said(&["repair", "--tools", &file(name, content)])
}

#[test]
fn files_that_are_not_there() {
    insta::assert_snapshot!(
        said(&["repair", "--tools", "no-tools.json"]),
        @"error: no-tools.json: there is no such file; give the path of the tools"
    );
    insta::assert_snapshot!(
        said(&["repair", "--tools", &demo("tools.json"), "-", "no-calls.jsonl"]),
        @"error: no-calls.jsonl: there is no such file; give the path of the calls"
    );
    insta::assert_snapshot!(
        said(&["repair", "--tools", &demo("tools.json"), "."]),
        @"error: .: is a folder; give the file that holds the calls"
    );
}

#[test]
fn tools_files_that_cannot_be_read() {
    let errors = [
        with_tools("empty.json", " \n"),
        with_tools(
            "syntax.json",
            "[\n  {\"name\": \"a\"},\n  {\"name\" \"b\"}\n]",
        ),
        with_tools("syntax.jsonl", "{\"name\": \"a\"}\n{\"name\": \"b\"\n"),
        with_tools("number.json", "5"),
        with_tools(
            "nameless.json",
            "[{\"name\": \"a\"},\n\n {\"parameters\": {}}]",
        ),
        with_tools(
            "twice.json",
            "{\"name\": \"a\"}\n{\"name\": \"b\"}\n{\"name\": \"a\"}\n",
        ),
        with_tools("closure.json", "[{\"name\": \"a\", \"closure\": \"open\"}]"),
        with_tools(
            "reference.json",
            "{\"tools\": [\n{\"name\": \"a\", \"parameters\": {\"$ref\": \"https://example.org/s\"}}]}",
        ),
        with_tools(
            "schema.json",
            "\n{\"name\": \"a\", \"parameters\": {\"properties\": {\"x\": {\"type\": \"strnig\"}}}}",
        ),
        with_tools(
            "pattern.json",
            "{\"name\": \"a\", \"parameters\": {\"properties\": {\"x\": {\"pattern\": \"(\"}}}}",
        ),
        said(&["repair", "--tools", &file("latin.json", b"[\n\xe9]")]),
    ];
    insta::assert_snapshot!("tools_files", errors.concat());
}

#[test]
fn a_name_that_stands_in_two_files() {
    let one = file("first.json", "[{\"name\": \"a\"}]");
    let two = file("second.json", "[\n{\"name\": \"a\"}]");
    insta::assert_snapshot!(
        said(&["repair", "--tools", &one, "--tools", &two]),
        @"error: second.json:2: two tools are called `a`, the first at first.json:1; rename one or take it away"
    );
}

#[test]
fn stages_that_are_not_there() {
    let tools = demo("tools.json");
    let errors = [
        said(&[
            "repair",
            "--tools",
            &tools,
            "--stages",
            "parse-leniency,alias-renam",
        ]),
        said(&["repair", "--tools", &tools, "--skip", "zzz"]),
        said(&[
            "explain",
            "--tools",
            &tools,
            "--skip",
            "tool_repair",
            "read",
            "{}",
        ]),
    ];
    insta::assert_snapshot!("stages", errors.concat());
}

#[test]
fn wrong_usage() {
    let tools = demo("tools.json");
    for args in [
        &[
            "repair",
            "--tools",
            &tools,
            "--stages",
            "ambiguity",
            "--skip",
            "ambiguity",
        ][..],
        &["repair", "--cascade", "other"],
        &["explain", "read", "{}"],
        &["mend"],
        &[],
    ] {
        let ran = callmend(args, "");
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{args:?}");
        assert!(ran.stderr.contains("--help"), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn a_tool_that_no_file_has() {
    insta::assert_snapshot!(
        said(&["explain", "--tools", &demo("tools.json"), "raed", "{}"]),
        @"error: no tools file has a tool `raed`; did you mean `read`?"
    );
}

#[test]
fn help_and_version_are_no_errors() {
    let ran = callmend(&["--version"], "");
    assert_eq!(
        (ran.code, ran.stdout),
        (0, format!("callmend {}\n", env!("CARGO_PKG_VERSION")))
    );
    for args in [
        &["--help"][..],
        &["repair", "--help"],
        &["explain", "--help"],
        &["validate", "--help"],
    ] {
        let ran = callmend(args, "");
        assert_eq!(ran.code, 0);
        assert!(ran.stdout.contains("Example"), "{args:?}");
    }
}
