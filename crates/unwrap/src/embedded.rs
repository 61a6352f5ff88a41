//! Reads a stringified content.

use callmend_stage::Tool;
use serde_json::{Map, Value};

/// Reads the text of an object; `None` when it has no reading as one.
pub(crate) fn object(text: &str, _tool: &Tool) -> Option<Map<String, Value>> {
    serde_json::from_str(text).ok()
}
