//! Lists of strings, where argument-validate has rules of its own (contract, section 10.5).

use crate::scalar;
use callmend_stage::{Slot, Type, TypeSet};
use serde_json::Value;

/// Says whether a slot is a list of strings: an array whose items are strings alone.
pub(crate) fn is_list(slot: Slot<'_>) -> bool {
    slot.takes(Type::Array)
        && !slot.takes(Type::String)
        && slot
            .item(0)
            .is_some_and(|item| item.types() == TypeSet::only(Type::String))
}

/// Says whether a string stands for a list, and argument-validate decides on it: it does not open
/// `[`, is not blank and is not the word `null`.
pub(crate) fn is_pending(slot: Slot<'_>, value: &Value) -> bool {
    let Value::String(text) = value else {
        return false;
    };
    let text = scalar::trimmed(text);
    !scalar::is_blank(text) && text != "null" && !text.starts_with('[') && is_list(slot)
}
