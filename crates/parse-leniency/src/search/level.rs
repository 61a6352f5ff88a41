//! The open containers of a reading, and which of their keys may stand there.

use crate::guide::{Frame, Guide, Holder};
use callmend_stage::Slot;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// An open container of a reading.
#[derive(Clone)]
pub(super) struct Level<'s, 't, 'f> {
    pub(super) object: bool,
    pub(super) slot: Option<Slot<'t>>,
    pub(super) root: bool,
    /// A mistake lies in it.
    pub(super) broken: bool,
    /// It holds a key that is not declared, or one twice.
    pub(super) strange: bool,
    /// The declared keys seen in the rest of the text.
    pub(super) keys: Vec<Cow<'s, str>>,
    /// The members that the parser had read.
    pub(super) read: Option<(&'f Map<String, Value>, &'f str)>,
    pub(super) index: usize,
}

impl Level<'_, '_, '_> {
    /// Whether a key may stand in the object.
    pub(super) fn knows(&self, key: &str, guide: Guide<'_>) -> bool {
        if self.root {
            guide.knows(key)
        } else {
            self.slot.is_some_and(|slot| slot.declares(key))
        }
    }
}

/// Marks every open object as one that a mistake lies in; false when one cannot be, because of
/// its keys.
pub(super) fn break_levels(levels: &mut [Level<'_, '_, '_>]) -> bool {
    let mut objects = false;
    for level in levels {
        if level.object {
            if level.strange {
                return false;
            }
            level.broken = true;
            objects = true;
        }
    }
    objects
}

/// Makes the levels of the containers that the parser has open; false when a key is not declared.
pub(super) fn push_levels<'s, 't, 'f>(
    levels: &mut Vec<Level<'s, 't, 'f>>,
    frame: &Frame<'f>,
    guide: Guide<'t>,
) -> bool {
    if let Some(up) = frame.up
        && !push_levels(levels, up, guide)
    {
        return false;
    }
    let root = frame.up.is_none();
    let slot = frame.holder_slot(guide);
    let knows = |key: &str| match root {
        true => guide.knows(key),
        false => slot.is_some_and(|slot| slot.declares(key)),
    };
    let mut level = Level {
        object: false,
        slot,
        root,
        broken: false,
        strange: false,
        keys: Vec::new(),
        read: None,
        index: 0,
    };
    match frame.holder {
        Holder::Array { index } => level.index = index + 1,
        Holder::Object { map, key } => {
            // The parser checks the keys before it, at the end of the object.
            if map.contains_key(key) || !knows(key) {
                return false;
            }
            level.object = true;
            level.broken = true;
            level.read = Some((map, key));
        }
    }
    levels.push(level);
    true
}
