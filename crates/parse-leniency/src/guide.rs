//! What the parser may know of the schema while it reads.

use callmend_stage::{Signature, Slot, Tool};
use serde_json::{Map, Value};

/// What a text is read for: nothing known, a tool's arguments, or one slot of them.
///
/// The parser asks it only where strict JSON ends: an unquoted value, a missing comma or colon and
/// an inner quote are repaired only under declared keys. A clean text never asks.
#[derive(Debug, Clone, Copy, Default)]
pub struct Guide<'t> {
    kind: Kind<'t>,
}

#[derive(Debug, Clone, Copy, Default)]
enum Kind<'t> {
    #[default]
    Nothing,
    Tool(&'t Tool),
    Slot(Slot<'t>),
}

impl<'t> Guide<'t> {
    /// Nothing is known; what needs a declared key is refused.
    pub const NONE: Guide<'static> = Guide {
        kind: Kind::Nothing,
    };

    /// The text is the arguments of a tool.
    pub fn tool(tool: &'t Tool) -> Self {
        Self {
            kind: Kind::Tool(tool),
        }
    }

    /// The text is the value of one slot, at any depth.
    pub fn slot(slot: Slot<'t>) -> Self {
        Self {
            kind: Kind::Slot(slot),
        }
    }

    /// Returns the slot of the whole text.
    pub(crate) fn root(self) -> Option<Slot<'t>> {
        match self.kind {
            Kind::Nothing => None,
            Kind::Tool(tool) => Some(tool.signature().root()),
            Kind::Slot(slot) => Some(slot),
        }
    }

    fn signature(self) -> Option<&'t Signature> {
        match self.kind {
            Kind::Tool(tool) => Some(tool.signature()),
            _ => None,
        }
    }

    /// Returns the name of the tool that is called.
    pub(crate) fn name(self) -> Option<&'t str> {
        match self.kind {
            Kind::Tool(tool) => Some(tool.name()),
            _ => None,
        }
    }

    /// Says whether a key of the root object may stand there: declared, or owned by the harness.
    pub(crate) fn knows(self, key: &str) -> bool {
        self.root().is_some_and(|slot| slot.declares(key))
            || self.signature().is_some_and(|s| s.is_harness(key))
    }

    /// Says whether the keys of the root object are all declared.
    pub(crate) fn declares_all(self, object: &Map<String, Value>) -> bool {
        match self.kind {
            Kind::Nothing => false,
            Kind::Tool(tool) => tool.signature().keys_all_declared(object),
            Kind::Slot(slot) => slot.keys_all_declared(object),
        }
    }
}

/// Where the parser stands: the containers that are open, from the innermost out.
///
/// A frame lives on the stack of the call that reads the container, so keeping it costs a few
/// stores; the schema is walked only when a rule asks.
#[derive(Clone, Copy)]
pub(crate) struct Frame<'f> {
    pub(crate) up: Option<&'f Frame<'f>>,
    pub(crate) holder: Holder<'f>,
}

/// An open container and the place in it that is being read.
#[derive(Clone, Copy)]
pub(crate) enum Holder<'f> {
    Object {
        /// The members read so far.
        map: &'f Map<String, Value>,
        /// The key whose value is being read.
        key: &'f str,
    },
    Array {
        /// The index of the item that is being read.
        index: usize,
    },
}

impl Frame<'_> {
    /// Returns the slot of the value that is being read.
    pub(crate) fn slot<'t>(&self, guide: Guide<'t>) -> Option<Slot<'t>> {
        let holder = self.holder_slot(guide)?;
        match self.holder {
            Holder::Object { key, .. } => holder.property(key),
            Holder::Array { index } => holder.item(index),
        }
    }

    /// Returns the slot of the container itself. Recursion is bounded by the parser's depth.
    pub(crate) fn holder_slot<'t>(&self, guide: Guide<'t>) -> Option<Slot<'t>> {
        match self.up {
            None => guide.root(),
            Some(up) => up.slot(guide),
        }
    }
}
