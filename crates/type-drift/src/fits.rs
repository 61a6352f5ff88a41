//! Says whether a value fits a slot, as deeply as types, `enum`, `required` and closure go.
//!
//! It errs to one side: what a schema says beyond that (`pattern`, `minimum`, `not`, …) is not
//! asked, so a value that does not fit here never fits the schema. What fits is never touched.

use crate::lists;
use callmend_stage::{Signature, Slot};
use serde_json::Value;

/// How many levels of values and alternatives are looked at; what lies deeper is left as sent.
/// JSON text ends at 127 levels.
pub(crate) const LEVELS: usize = 256;

/// Where in the call a value stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// The arguments themselves, among which names of the host are not looked at.
    Root,
    /// One argument, where a plain string for a list is argument-validate's to wrap.
    Argument,
    /// Anything deeper.
    Deeper,
}

impl Level {
    pub(crate) fn below(self) -> Self {
        match self {
            Self::Root => Self::Argument,
            _ => Self::Deeper,
        }
    }
}

/// Walks values, and bounds the work that alternatives may multiply to.
#[derive(Debug)]
pub(crate) struct Check<'t> {
    signature: &'t Signature,
    /// The steps that are left for the outermost alternatives; none are counted outside them.
    fuel: Option<usize>,
}

impl<'t> Check<'t> {
    pub(crate) fn new(signature: &'t Signature) -> Self {
        Self {
            signature,
            fuel: None,
        }
    }

    /// Says whether a value fits; `true` as well where the bounds end the look.
    pub(crate) fn fits(
        &mut self,
        slot: Slot<'t>,
        value: &Value,
        level: Level,
        levels: usize,
    ) -> bool {
        if levels == 0 || !self.step(1) {
            self.give_up();
            return true;
        }
        let slot = slot.exact();
        if !slot.admits(value) {
            return level == Level::Argument && lists::is_pending(slot, value);
        }
        self.inside(slot, value, level, levels)
            && slot.alternatives().all(|alternatives| {
                let mut alternatives = alternatives;
                self.bounded(value, |check| {
                    alternatives.any(|one| check.fits(one, value, level, levels - 1))
                })
            })
    }

    /// Says whether members and items fit, what alternatives say of them aside.
    fn inside(&mut self, slot: Slot<'t>, value: &Value, level: Level, levels: usize) -> bool {
        match value {
            Value::Object(object) => {
                slot.required().all(|key| object.contains_key(key))
                    && object.iter().all(|(key, value)| {
                        level == Level::Root && self.signature.is_harness(key)
                            || match member(slot, key) {
                                Some(member) => self.fits(member, value, level.below(), levels - 1),
                                None => !self.is_shut(slot, key),
                            }
                    })
            }
            Value::Array(items) => items.iter().enumerate().all(|(index, item)| {
                slot.item(index)
                    .is_none_or(|slot| self.fits(slot, item, level.below(), levels - 1))
            }),
            _ => true,
        }
    }

    /// Says whether the arguments fit, but for required ones that are missing: nothing here could
    /// add them.
    pub(crate) fn arguments_fit(&mut self, root: Slot<'t>, arguments: &Value) -> bool {
        let root = root.exact();
        let Value::Object(object) = arguments else {
            return true;
        };
        object.iter().all(|(key, value)| {
            self.signature.is_harness(key)
                || member(root, key)
                    .is_none_or(|slot| self.fits(slot, value, Level::Argument, LEVELS))
        }) && root.alternatives().all(|alternatives| {
            let mut alternatives = alternatives;
            self.bounded(arguments, |check| {
                alternatives.any(|one| check.fits(one, arguments, Level::Root, LEVELS))
            })
        })
    }

    /// Says whether a closed object refuses a member. A converter's closure says nothing, and that
    /// of the root is strict-reject's alone.
    pub(crate) fn is_shut(&self, slot: Slot<'_>, key: &str) -> bool {
        slot.is_closed()
            && !slot.declares(key)
            && !self.signature.is_synthesized()
            && !slot.is(self.signature.root().exact())
    }

    /// Says whether the host owns a name.
    pub(crate) fn is_harness(&self, key: &str) -> bool {
        self.signature.is_harness(key)
    }

    /// Looks at alternatives within the bound.
    fn bounded(&mut self, value: &Value, look: impl FnOnce(&mut Self) -> bool) -> bool {
        let outermost = self.enter(value);
        let result = look(self);
        if outermost {
            self.leave();
        }
        result
    }

    /// Begins to look at the alternatives for a value; says whether they are the outermost ones,
    /// which [`Check::leave`] ends.
    ///
    /// Alternatives in alternatives could multiply without end. The outermost get as many steps
    /// as the value's size allows, and so the whole work stays linear in the size of the call.
    pub(crate) fn enter(&mut self, value: &Value) -> bool {
        let outermost = self.fuel.is_none() && (value.is_object() || value.is_array());
        if outermost {
            self.fuel = Some(4096 + 64 * weight(value, LEVELS));
        }
        outermost
    }

    /// Ends the look at the outermost alternatives; says whether the bound held.
    pub(crate) fn leave(&mut self) -> bool {
        self.fuel.take() != Some(0)
    }

    /// Ends the look at the outermost alternatives without a result.
    pub(crate) fn give_up(&mut self) {
        self.fuel = self.fuel.map(|_| 0);
    }

    /// Takes steps; `false` when they are used up.
    pub(crate) fn step(&mut self, steps: usize) -> bool {
        match &mut self.fuel {
            None => true,
            Some(left) => {
                *left = left.saturating_sub(steps);
                *left > 0
            }
        }
    }
}

/// Returns the slot of a member, as far as the schema says: under `patternProperties` an
/// undeclared name can be anything.
pub(crate) fn member<'t>(slot: Slot<'t>, key: &str) -> Option<Slot<'t>> {
    if slot.is_patterned() && !slot.declares(key) {
        return None;
    }
    slot.property(key)
}

/// Says whether a value is nested deeper than the walk goes, and so too deep to be copied.
pub(crate) fn is_deep(value: &Value, levels: usize) -> bool {
    let Some(below) = levels.checked_sub(1) else {
        return true;
    };
    match value {
        Value::Array(items) => items.iter().any(|item| is_deep(item, below)),
        Value::Object(object) => object.values().any(|member| is_deep(member, below)),
        _ => false,
    }
}

/// Measures a value: its nodes, and its strings by the 16 bytes.
fn weight(value: &Value, levels: usize) -> usize {
    if levels == 0 {
        return 1;
    }
    match value {
        Value::String(text) => 1 + text.len() / 16,
        Value::Array(items) => 1 + items.iter().map(|v| weight(v, levels - 1)).sum::<usize>(),
        Value::Object(object) => {
            1 + object
                .values()
                .map(|v| weight(v, levels - 1))
                .sum::<usize>()
        }
        _ => 1,
    }
}
