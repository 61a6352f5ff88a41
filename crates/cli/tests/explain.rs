//! `callmend explain` and `callmend stages`: pages for a person.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use support::{callmend, demo};

fn explain(more: &[&str], tool: &str, arguments: &str) -> (i32, String) {
    let tools = demo("tools.json");
    let args = [&["explain", "--tools", &tools], more, &[tool, arguments]].concat();
    let ran = callmend(&args, "");
    assert_eq!(ran.stderr, "");
    (ran.code, ran.stdout)
}

#[test]
fn a_clean_call() {
    let (code, page) = explain(&[], "read", r#"{"path": "src/lib.rs"}"#);
    assert_eq!(code, 0);
    insta::assert_snapshot!("clean", page);
}

#[test]
fn a_repaired_call_shows_what_changed() {
    let (code, page) = explain(
        &[],
        "write",
        "{filepath: 'notes.md', \"contents\": \"one\\ntwo\",}",
    );
    assert_eq!(code, 0);
    insta::assert_snapshot!("repaired", page);
}

#[test]
fn a_refused_call_shows_what_the_model_gets() {
    let (code, page) = explain(
        &[],
        "write",
        r#"{"filepath": "a.md", "file": "b.md", "content": ""}"#,
    );
    assert_eq!(code, 1);
    insta::assert_snapshot!("refused", page);
}

#[test]
fn a_fix_is_shown() {
    let (code, page) = explain(&[], "search", r#"{"query": "a", "paths": "src, tests"}"#);
    assert_eq!(code, 1);
    insta::assert_snapshot!("fix", page);
}

#[test]
fn the_extended_cascade_is_explained() {
    let call = r#"{"arguments": "{\"path\": \"a.rs\", \"limit\": \"5\"}"}"#;
    let (_, page) = explain(&["--cascade", "extended"], "read", call);
    insta::assert_snapshot!("extended", page);
}

#[test]
fn a_call_cut_short_is_explained() {
    let (code, page) = explain(&["--complete", "false"], "read", r#"{"path": "src"#);
    assert_eq!(code, 1);
    insta::assert_snapshot!("cut_short", page);
}

#[test]
fn arguments_come_from_standard_input_and_may_be_any_bytes() {
    let tools = demo("tools.json");
    let ran = callmend(
        &["explain", "--tools", &tools, "read", "-"],
        b"{\"path\": \"\xff\x1b[2J\"}",
    );
    assert_eq!(ran.code, 1);
    assert!(!ran.stdout.contains('\u{1b}'), "{}", ran.stdout);
    let ran = callmend(&["explain", "--tools", &tools, "read", "-"], "");
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("(empty)"), "{}", ran.stdout);
}

#[test]
fn nothing_is_coloured_but_on_a_terminal() {
    let (_, page) = explain(&[], "read", "{path: 'a'}");
    assert!(!page.contains('\u{1b}'));
}

#[test]
fn the_stages_are_listed() {
    let ran = callmend(&["stages"], "");
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let is_code = |line: &&str| line.starts_with("        ");
    let headings: Vec<_> = ran.stdout.lines().filter(|line| !is_code(line)).collect();
    insta::assert_snapshot!("stages", headings.join("\n"));
    let listed: Vec<_> = ran.stdout.lines().filter(is_code).collect();
    let stages = callmend::catalog::stages();
    let own = stages.iter().flat_map(|listed| listed.meta.codes);
    for info in own.chain(callmend::CODES) {
        let is_there = |line: &&str| {
            let mut words = line.split_whitespace();
            words.any(|word| word == info.code.as_str()) && line.ends_with(info.meaning)
        };
        assert!(listed.iter().any(is_there), "{}", info.code);
    }
}
