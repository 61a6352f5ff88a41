//! `task`: prose that was JSON-escaped twice.

use crate::{decode_once, message};
use callmend_stage::registry::{ToolRepair, ToolRepairEntry};
use callmend_stage::{Change, Code, inventory, pointer};
use serde_json::{Map, Value};

/// The entry.
pub static TASK: Task = Task;

inventory::submit! { ToolRepairEntry { repair: &TASK } }

/// Decodes a brief that arrives with literal `\n`, `\"` and `\u2014` where the characters belong.
#[derive(Debug, Clone, Copy, Default)]
pub struct Task;

impl ToolRepair for Task {
    fn tool(&self) -> &'static str {
        "task"
    }

    fn fields(&self) -> &'static [&'static str] {
        &["task", "context", "tasks[].task"]
    }

    fn code(&self) -> (Code, &'static str) {
        (
            message::DOUBLE_ESCAPED,
            "prose that was JSON-escaped twice was decoded once",
        )
    }

    fn package(&self) -> &'static str {
        env!("CARGO_PKG_NAME")
    }

    fn plan(&self, arguments: &Map<String, Value>) -> Vec<Change> {
        let mut changes = Vec::new();
        for key in ["task", "context"] {
            changes.extend(decoded(pointer::to(key), arguments.get(key)));
        }
        let tasks = arguments.get("tasks").and_then(Value::as_array);
        for (index, item) in tasks.into_iter().flatten().enumerate() {
            let at = || format!("/tasks/{index}/task");
            changes.extend(item.get("task").and_then(|task| decoded(at(), Some(task))));
        }
        changes
    }
}

fn decoded(at: String, value: Option<&Value>) -> Option<Change> {
    let text = decode_once(value?.as_str()?)?;
    let hint = message::escape_once(&pointer::display(&at));
    Some(Change::replace(at, Value::String(text), message::DOUBLE_ESCAPED).hint(hint))
}
