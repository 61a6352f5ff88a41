//! `yield`: the result wrapper sent as a JSON string.

use crate::{decode, message};
use callmend_stage::registry::{ToolRepair, ToolRepairEntry};
use callmend_stage::{Change, Code, inventory, json, pointer};
use serde_json::{Map, Value};

/// The entry.
pub static YIELD: Yield = Yield;

inventory::submit! { ToolRepairEntry { repair: &YIELD } }

/// The names by which the wrapper is told from any other JSON.
const WRAPPER: [&str; 2] = ["data", "error"];

/// Parses a result wrapper, `{"data": …}`, that arrives as a JSON string.
#[derive(Debug, Clone, Copy, Default)]
pub struct Yield;

impl ToolRepair for Yield {
    fn tool(&self) -> &'static str {
        "yield"
    }

    fn fields(&self) -> &'static [&'static str] {
        &["result"]
    }

    fn code(&self) -> (Code, &'static str) {
        (
            message::STRINGIFIED_RESULT,
            "a result wrapper that was sent as a JSON string was parsed into its object",
        )
    }

    fn package(&self) -> &'static str {
        env!("CARGO_PKG_NAME")
    }

    fn plan(&self, arguments: &Map<String, Value>) -> Vec<Change> {
        let text = arguments.get("result").and_then(Value::as_str);
        text.and_then(wrapper).into_iter().collect()
    }
}

fn wrapper(text: &str) -> Option<Change> {
    if !text.trim_start().starts_with('{') || decode::is_too_long(text) {
        return None;
    }
    let value = json::read_exactly(text)?;
    let object = value.as_object()?;
    WRAPPER
        .iter()
        .any(|key| object.contains_key(*key))
        .then(|| {
            let hint = message::send_object("result");
            Change::replace(pointer::to("result"), value, message::STRINGIFIED_RESULT).hint(hint)
        })
}
