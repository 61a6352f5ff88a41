//! Reads the text of an array or object that stands in a string.

use callmend_stage::Slot;
use serde_json::Value;

/// Reads the text as the value of a slot; `None` when it has no reading, or more than one.
pub(crate) fn read(text: &str, _slot: Slot<'_>) -> Option<Value> {
    serde_json::from_str(text).ok()
}
