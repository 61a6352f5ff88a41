//! Runs the built command.

#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::Value;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What a run gave.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    /// Reads the outcome lines.
    pub(crate) fn lines(&self) -> Vec<Value> {
        let lines = self.stdout.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// Reads the one outcome line.
    pub(crate) fn one(&self) -> Value {
        let lines = self.lines();
        assert_eq!(lines.len(), 1, "{self:?}");
        lines.into_iter().next().unwrap()
    }
}

/// Runs the command with some standard input.
pub(crate) fn callmend(args: &[&str], input: impl AsRef<[u8]>) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_callmend"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.as_ref().to_vec();
    let writer = std::thread::spawn(move || {
        // A command that fails early does not read its input.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Ran {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Returns the path of one of the demo's files.
pub(crate) fn demo(name: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    root.join("../../fixtures/demo")
        .join(name)
        .display()
        .to_string()
}

/// Writes a file for one test; `name` must be its own.
pub(crate) fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).unwrap();
    path.display().to_string()
}

/// Takes the folder of test files out of a message.
pub(crate) fn without_folder(text: &str) -> String {
    let folder = format!("{}/", env!("CARGO_TARGET_TMPDIR"));
    text.replace(&folder, "")
}
