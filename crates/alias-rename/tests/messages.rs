//! Snapshots of every sentence and code of alias-rename.

use callmend_alias_rename::message;
use std::fmt::Write as _;

const TAIL: &str = "write takes content, path";

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn messages() {
    let many: Vec<String> = (0..25).map(|n| format!("file{n}")).collect();
    let long = "x".repeat(200);
    let said = [
        message::collision(&names(&["filepath", "file"]), "path", TAIL),
        message::collision(&names(&["filepath", "file", "filename"]), "path", TAIL),
        message::collision(&many, "path", TAIL),
        message::ambiguous("Contents", &names(&["content", "contents"]), TAIL),
        message::ambiguous("x", &names(&["a", "b", "c"]), TAIL),
        message::occupied(&names(&["filepath"]), "path", TAIL),
        message::occupied(&names(&["filepath", "file"]), "path", TAIL),
        message::occupied(&names(&["edits[0].old_text"]), "edits[0].oldText", TAIL),
        message::occupied(&[long], "path", TAIL),
    ];
    insta::assert_snapshot!(said.join("\n"));
}

#[test]
fn hints() {
    let said = [
        message::renamed("filepath", "path"),
        message::renamed("old_text", "edits[0].oldText"),
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
