//! Reads a stringified content.

use callmend_parse_leniency::{Guide, Options, parse};
use callmend_stage::Tool;
use serde_json::{Map, Value};

/// Reads the text of an object, with the relaxations that the reading made; `None` when it has
/// no reading as one, or more than one.
pub(crate) fn object(text: &str, tool: &Tool) -> Option<(Map<String, Value>, Vec<&'static str>)> {
    let parsed = parse(text, Guide::tool(tool), Options::arguments()).ok()?;
    match parsed.value {
        Value::Object(object) => Some((object, parsed.relaxed.names())),
        _ => None,
    }
}
