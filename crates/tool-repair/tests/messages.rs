//! Snapshots of every sentence and code of tool-repair.

use callmend_tool_repair::{Repairs, message};
use std::fmt::Write as _;

#[test]
fn messages_and_hints() {
    let said = [
        message::escape_once("task"),
        message::escape_once("tasks[1].task"),
        message::send_object("result"),
        message::outside_its_fields("task", "label", "task takes context?, task"),
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

#[test]
fn entries() {
    let mut out = String::new();
    for entry in Repairs::builtin().expect("each has its own tool").iter() {
        let (code, meaning) = entry.code();
        let _ = writeln!(
            out,
            "{} {:?} {code}: {meaning}",
            entry.tool(),
            entry.fields()
        );
    }
    insta::assert_snapshot!(out);
}
