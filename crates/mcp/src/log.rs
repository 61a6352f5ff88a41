//! The log: one outcome line per call.

use crate::json;
use callmend::{Edit, Outcome, Rejection};
use serde_json::{Map, Value, json};
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// A file that takes one outcome line per call, each with a single write to its end, so that
/// several proxies may share it and a killed one leaves whole lines.
pub(crate) struct Log {
    file: Mutex<LogFile>,
    values: bool,
}

struct LogFile {
    file: File,
    /// The last write did not end in a line end: a full disk, or a machine that went down.
    half: bool,
}

impl Log {
    /// Opens the file, or makes it.
    pub(crate) fn open(path: &Path, values: bool) -> io::Result<Self> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        let half = ends_in_half_a_line(path).unwrap_or(false);
        Ok(Self {
            file: Mutex::new(LogFile { file, half }),
            values,
        })
    }

    /// Notes what became of a call. `id` is raw JSON.
    pub(crate) fn outcome(&self, id: &str, tool: &str, outcome: &Outcome<'_>) -> io::Result<()> {
        let rest = if self.values {
            outcome.to_json()
        } else {
            masked(outcome)
        };
        self.line(id, tool, &rest)
    }

    /// Notes a call that was refused before the cascade saw it.
    pub(crate) fn refused(&self, id: &str, tool: &str, rejection: &Rejection) -> io::Result<()> {
        let (hints, shown) = match self.values {
            true => (json!(rejection.hints), rejection.to_json()),
            false => (Value::Null, masked_rejection(rejection)),
        };
        let mut rest = json!({"status": "unrepairable", "edits": [], "rejection": shown});
        if let (false, Some(rest)) = (hints.is_null(), rest.as_object_mut()) {
            rest.insert("hints".to_owned(), hints);
        }
        self.line(id, tool, &rest)
    }

    /// Notes a call that was forwarded without being looked at, and why.
    pub(crate) fn passed(&self, id: &str, tool: &str, reason: &str) -> io::Result<()> {
        self.line(id, tool, &json!({"status": "passed", "reason": reason}))
    }

    fn line(&self, id: &str, tool: &str, rest: &Value) -> io::Result<()> {
        let rest = rest.to_string();
        let rest = rest.strip_prefix('{').unwrap_or(&rest);
        let mut state = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let start = if state.half { "\n" } else { "" };
        let line = format!(
            "{start}{{\"id\":{id},\"tool\":{},{rest}\n",
            json::quoted(tool)
        );
        let written = loop {
            match state.file.write(line.as_bytes()) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        if written == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        state.half = written < line.len();
        if state.half {
            return Err(io::Error::new(
                io::ErrorKind::WriteZero,
                "only a part of a line could be written",
            ));
        }
        Ok(())
    }
}

fn ends_in_half_a_line(path: &Path) -> io::Result<bool> {
    // A pipe has no end to look at, and opening one to read would wait for a writer.
    let about = std::fs::metadata(path)?;
    if !about.is_file() || about.len() == 0 {
        return Ok(false);
    }
    let mut file = File::open(path)?;
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

/// Builds the outcome without any value of the call: messages and hints quote some, so they go
/// too. What is left says which stage did what, where, and why.
fn masked(outcome: &Outcome<'_>) -> Value {
    let edit = |edit: &Edit<'_>| {
        let mut out = Map::new();
        let mut put = |key: &str, value: Value| out.insert(key.to_owned(), value);
        put("stage", json!(edit.stage));
        put("code", json!(edit.code.as_str()));
        put("op", json!(edit.op.name()));
        put("path", json!(edit.op.path()));
        if let Some(from) = edit.op.from() {
            put("from", json!(from));
        }
        if !edit.relaxed.is_empty() {
            put("relaxed", json!(edit.relaxed));
        }
        Value::Object(out)
    };
    let mut out = Map::new();
    out.insert("status".to_owned(), json!(outcome.status.as_str()));
    let edits = outcome.edits.iter().map(edit).collect();
    out.insert("edits".to_owned(), Value::Array(edits));
    if let Some(rejection) = &outcome.rejection {
        out.insert("rejection".to_owned(), masked_rejection(rejection));
    }
    Value::Object(out)
}

fn masked_rejection(rejection: &Rejection) -> Value {
    let mut shown = json!({"stage": rejection.stage, "code": rejection.code.as_str()});
    if let (Some(path), Some(shown)) = (&rejection.path, shown.as_object_mut()) {
        shown.insert("path".to_owned(), json!(path));
    }
    shown
}
