//! A slot with some of its alternatives chosen.

use crate::fits::{Check, member};
use callmend_stage::{Slot, Type, TypeSet};
use serde_json::Value;

/// Everything that holds at one place, once alternatives have been chosen for it.
#[derive(Debug, Clone)]
pub(crate) struct View<'t> {
    /// The slot that the place has in the joined view of the schema.
    pub(crate) joined: Slot<'t>,
    /// Exact slots that hold together.
    shapes: Vec<Slot<'t>>,
    /// The alternatives that are still to be chosen from.
    unions: Vec<Vec<Slot<'t>>>,
}

impl<'t> View<'t> {
    pub(crate) fn of(slot: Slot<'t>) -> Self {
        let mut view = Self {
            joined: slot,
            shapes: Vec::with_capacity(1),
            unions: Vec::new(),
        };
        view.also(slot);
        view
    }

    fn all(slots: impl Iterator<Item = Slot<'t>>) -> Option<Self> {
        let mut view: Option<Self> = None;
        for slot in slots {
            match &mut view {
                None => view = Some(Self::of(slot)),
                Some(view) => view.also(slot),
            }
        }
        view
    }

    fn also(&mut self, slot: Slot<'t>) {
        let exact = slot.exact();
        self.unions
            .extend(exact.alternatives().map(Iterator::collect));
        self.shapes.push(exact);
    }

    /// Chooses in turn each alternative of the first union that a value's type allows; `None`
    /// when nothing is left to choose.
    pub(crate) fn choices(&self, value: &Value) -> Option<Vec<(Slot<'t>, Self)>> {
        let (first, rest) = self.unions.split_first()?;
        let allowed = first.iter().filter(|one| one.admits(value));
        let choose = |one: &Slot<'t>| {
            let mut view = Self {
                joined: self.joined,
                shapes: self.shapes.clone(),
                unions: rest.to_vec(),
            };
            view.also(*one);
            (*one, view)
        };
        Some(allowed.map(choose).collect())
    }

    pub(crate) fn types(&self) -> TypeSet {
        self.shapes
            .iter()
            .fold(TypeSet::ALL, |types, slot| types.and(slot.types()))
    }

    pub(crate) fn takes(&self, one: Type) -> bool {
        self.types().has(one)
    }

    /// Says whether a value can fit by its type and by `enum` and `const`.
    pub(crate) fn admits(&self, value: &Value) -> bool {
        self.shapes.iter().all(|slot| slot.admits(value))
    }

    /// Says whether the slot's default is `null`.
    pub(crate) fn defaults_to_null(&self) -> bool {
        self.joined.defaults_to_null() || self.shapes.iter().any(|slot| slot.defaults_to_null())
    }

    /// Lists the exact slots.
    pub(crate) fn shapes(&self) -> impl Iterator<Item = Slot<'t>> {
        self.shapes.iter().copied()
    }

    /// Returns what holds for a member, once all alternatives are chosen.
    pub(crate) fn member(&self, key: &str) -> Option<Self> {
        Self::all(self.shapes().filter_map(|slot| member(slot, key)))
    }

    /// Says whether a member that is a scalar fits.
    pub(crate) fn member_admits(&self, key: &str, scalar: &Value) -> bool {
        self.shapes()
            .filter_map(|slot| member(slot, key))
            .all(|slot| slot.admits(scalar))
    }

    pub(crate) fn item(&self, index: usize) -> Option<Self> {
        Self::all(self.shapes().filter_map(|slot| slot.item(index)))
    }

    pub(crate) fn item_admits(&self, index: usize, scalar: &Value) -> bool {
        self.shapes()
            .filter_map(|slot| slot.item(index))
            .all(|slot| slot.admits(scalar))
    }

    /// Says whether a member is declared, and may be left out.
    pub(crate) fn is_optional(&self, key: &str) -> bool {
        self.shapes().any(|slot| slot.declares(key))
            && !self.shapes().any(|slot| slot.requires(key))
    }

    /// Lists the members that must be there.
    pub(crate) fn required(&self) -> impl Iterator<Item = &'t str> {
        self.shapes().flat_map(|slot| slot.required())
    }

    /// Says whether the object is closed to a member.
    pub(crate) fn is_shut(&self, key: &str, check: &Check<'_>) -> bool {
        self.shapes().any(|slot| check.is_shut(slot, key))
    }
}
