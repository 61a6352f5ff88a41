//! Reads the text of an array or object that stands in a string.

use callmend_parse_leniency::{Guide, Options, Parsed, parse};
use callmend_stage::Slot;

/// Reads the text as the value of a slot; `None` when it has no reading, or more than one.
///
/// Brackets that are missing at its end are never supplied: the string around it is whole, so
/// nothing says where the rest went.
pub(crate) fn read(text: &str, slot: Slot<'_>) -> Option<Parsed> {
    parse(text, Guide::slot(slot), Options::embedded()).ok()
}
