//! Snapshots of every sentence and code of markup-split.

use callmend_markup_split::message::{self, Why};
use std::fmt::Write as _;

const TAIL: &str = "note takes a, b?";

#[test]
fn messages() {
    let long = "x".repeat(200);
    let leaked = [
        Why::Unknown("zz"),
        Why::Unknown(&long),
        Why::Taken("b"),
        Why::Twice("b"),
        Why::Either("edits[0].path", "path"),
        Why::NotOfType("n", "an integer"),
        Why::Empty,
        Why::EmptyPart("b"),
        Why::LineEnd,
        Why::MoreMarkup,
        Why::TextAfter,
        Why::Broken,
        Why::AnotherCall,
    ];
    let mut said: Vec<String> = leaked
        .into_iter()
        .map(|why| message::leaked("a", why, TAIL))
        .collect();
    said.push(message::misplaced("queries", "an array of strings", TAIL));
    said.push(message::misplaced("edits[0].count", "valid", TAIL));
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn hints() {
    let said = [
        message::pass_apart("title", "language"),
        message::pass_apart("edits[0].new", "edits[0].old"),
        message::end_plainly("content"),
    ];
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn codes() {
    let mut out = String::new();
    for info in message::CODES {
        let _ = writeln!(out, "{} ({:?}): {}", info.code, info.kind, info.meaning);
    }
    insta::assert_snapshot!(out);
}
