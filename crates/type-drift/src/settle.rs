//! Finds, for a value and what holds at its place, the one rewriting that makes it fit.

use crate::fits::{Check, Level, is_deep};
use crate::patch::{Action, Patch, apply};
use crate::view::View;
use crate::{embedded, lists, message, scalar};
use callmend_stage::{Code, Slot, Type, pointer};
use serde_json::{Map, Value};

/// How many levels the walk goes down; what lies deeper is left as sent.
const LEVELS: usize = 160;

/// Plans the rewritings of a call.
#[derive(Debug)]
pub(crate) struct Settle<'t> {
    check: Check<'t>,
    /// Where the walk is, as a JSON Pointer.
    at: String,
    patches: Vec<Patch>,
}

/// What the walk knows of a value from above.
#[derive(Debug, Clone, Copy)]
struct Place {
    level: Level,
    /// Whether the value is a declared member that may be left out.
    optional: bool,
    levels: usize,
}

impl Place {
    /// The same place under a chosen alternative, or with its text read.
    fn again(self) -> Self {
        Self {
            levels: self.levels.saturating_sub(1),
            ..self
        }
    }

    fn below(self, optional: bool) -> Self {
        Self {
            level: self.level.below(),
            optional,
            levels: self.levels.saturating_sub(1),
        }
    }
}

/// Plans the rewritings of the arguments of a call.
pub(crate) fn arguments<'t>(check: Check<'t>, root: Slot<'t>, arguments: &Value) -> Vec<Patch> {
    let mut settle = Settle {
        check,
        at: String::new(),
        patches: Vec::new(),
    };
    let place = Place {
        level: Level::Root,
        optional: false,
        levels: LEVELS,
    };
    settle.inside(&View::of(root), arguments, place);
    settle.patches
}

impl<'t> Settle<'t> {
    /// Plans for one value; says whether it fits once the plan is carried out.
    fn value(&mut self, view: &View<'t>, value: &Value, place: Place) -> bool {
        if place.levels == 0 || !self.check.step(1) {
            self.check.give_up();
            return false;
        }
        if view.admits(value) {
            self.inside(view, value, place)
        } else {
            self.rewrite(view, value, place)
        }
    }

    /// Plans for what lies inside a value whose own type fits.
    fn inside(&mut self, view: &View<'t>, value: &Value, place: Place) -> bool {
        match value {
            Value::Object(_) | Value::Array(_) => {}
            _ => return true,
        }
        match view.choices(value) {
            Some(choices) => self.check_alternatives(view, choices, value, place),
            None => match value {
                Value::Object(object) => self.members(view, object, place),
                Value::Array(items) => self.items(view, items, place),
                _ => true,
            },
        }
    }

    fn members(&mut self, view: &View<'t>, object: &Map<String, Value>, place: Place) -> bool {
        let mut fits = view.required().all(|key| object.contains_key(key));
        for (key, value) in object {
            if place.level == Level::Root && self.check.is_harness(key) {
                continue;
            }
            fits &= !view.is_shut(key, &self.check);
            if is_scalar(value) && view.member_admits(key, value) {
                continue;
            }
            let Some(member) = view.member(key) else {
                continue;
            };
            let length = self.at.len();
            pointer::push(&mut self.at, key);
            fits &= self.value(&member, value, place.below(view.is_optional(key)));
            self.at.truncate(length);
        }
        fits
    }

    fn items(&mut self, view: &View<'t>, items: &[Value], place: Place) -> bool {
        let mut fits = true;
        for (index, value) in items.iter().enumerate() {
            if is_scalar(value) && view.item_admits(index, value) {
                continue;
            }
            let Some(item) = view.item(index) else {
                continue;
            };
            let length = self.at.len();
            pointer::push_index(&mut self.at, index);
            fits &= self.value(&item, value, place.below(false));
            self.at.truncate(length);
        }
        fits
    }

    /// Leaves a value alone that fits an alternative as sent; else plans under each alternative,
    /// and keeps the plan that makes it fit, if there is one alone.
    fn check_alternatives(
        &mut self,
        view: &View<'t>,
        choices: Vec<(Slot<'t>, View<'t>)>,
        value: &Value,
        place: Place,
    ) -> bool {
        let kept = self.patches.len();
        let outermost = self.check.enter(value);
        let fits = self.alternatives(view, choices, value, place);
        if outermost && !self.check.leave() {
            // What was not looked at could have been a second reading.
            self.patches.truncate(kept);
            return false;
        }
        fits
    }

    fn alternatives(
        &mut self,
        view: &View<'t>,
        choices: Vec<(Slot<'t>, View<'t>)>,
        value: &Value,
        place: Place,
    ) -> bool {
        let as_sent = view
            .shapes()
            .all(|slot| self.check.fits(slot, value, place.level, place.levels));
        if as_sent {
            return true;
        }
        let kept = self.patches.len();
        let mut plans = Vec::with_capacity(choices.len());
        for (alternative, chosen) in choices {
            let fits = self.inside(&chosen, value, place.again());
            plans.push(Plan {
                fits,
                plausible: is_plausible(alternative, value),
                patches: self.patches.split_off(kept),
            });
        }
        let mut fitting = plans.iter().filter(|plan| plan.fits);
        if let Some(first) = fitting.next() {
            // Two alternatives that ask for the same rewritings are one reading.
            let one = fitting.all(|other| other.patches == first.patches);
            if one {
                let patches = first.patches.clone();
                self.patches.extend(patches);
            }
            return one;
        }
        // Nothing fits yet. What every alternative that can be meant asks for is done all the
        // same: another stage may do the rest.
        if plans.iter().any(|plan| plan.plausible) {
            plans.retain(|plan| plan.plausible);
        }
        let mut plans = plans.into_iter();
        if let Some(first) = plans.next() {
            let others: Vec<Plan> = plans.collect();
            let shared = |patch: &Patch| others.iter().all(|plan| plan.patches.contains(patch));
            self.patches
                .extend(first.patches.into_iter().filter(shared));
        }
        false
    }

    /// Plans for a value whose own type does not fit.
    fn rewrite(&mut self, view: &View<'t>, value: &Value, place: Place) -> bool {
        match value {
            Value::Null if place.optional => self.leave_out(value),
            Value::String(text) => self.text(view, value, text, place),
            Value::Object(object) => self.single(view, value, object, place),
            _ => false,
        }
    }

    /// Puts one object into the list that it was sent for, if it is an item of that list beyond
    /// doubt: its keys are all declared there, and everything in it fits.
    fn single(
        &mut self,
        view: &View<'t>,
        value: &Value,
        object: &Map<String, Value>,
        place: Place,
    ) -> bool {
        let list = view.joined;
        let Some(item) = list.item(0).filter(|_| view.takes(Type::Array)) else {
            return false;
        };
        let alike = list.item(1).is_some_and(|second| second.is(item));
        if !alike || !item.admits(value) || !item.keys_all_declared(object) {
            return false;
        }
        if is_deep(value, place.levels) {
            return false;
        }
        let kept = self.patches.len();
        let at = std::mem::take(&mut self.at);
        let fits = self.inside(&View::of(item), value, place.again());
        self.at = at;
        let patches = self.patches.split_off(kept);
        if !fits {
            return false;
        }
        let mut item = value.clone();
        apply(patches, &mut item);
        let says_nothing = item.as_object().is_some_and(Map::is_empty);
        let list = Value::Array(vec![item]);
        if says_nothing || !view.admits(&list) {
            return false;
        }
        self.patches.push(Patch {
            at: self.at.clone(),
            action: Action::Put(list),
            code: message::SINGLE_ITEM,
            hint: message::as_list(&self.at),
            relaxed: Vec::new(),
        });
        true
    }

    fn text(&mut self, view: &View<'t>, value: &Value, text: &str, place: Place) -> bool {
        let bare = scalar::trimmed(text);
        if bare.starts_with(['[', '{']) {
            return self.open(view, text, place);
        }
        if bare.starts_with("```") && !lists::is_list(view.joined) {
            return self.open(view, text, place);
        }
        let says_nothing = scalar::is_blank(bare);
        if says_nothing || bare == "null" {
            if view.takes(Type::String) {
                return false;
            }
            if view.takes(Type::Null) && !view.defaults_to_null() {
                // Left out, or `null`? Only where it cannot be left out there is one reading.
                return !place.optional
                    && !says_nothing
                    && self.put(view, Value::Null, message::NULL);
            }
            if place.optional {
                return self.leave_out(value);
            }
        }
        if place.level == Level::Argument && lists::is_list(view.joined) {
            return !says_nothing;
        }
        if let Some(boolean) = scalar::boolean(bare) {
            return self.put(view, Value::Bool(boolean), message::BOOLEAN);
        }
        match scalar::number(bare) {
            Some(number) if view.takes(Type::Fraction) || scalar::is_integer(&number) => {
                self.put(view, Value::Number(number), message::NUMBER)
            }
            _ => false,
        }
    }

    /// Reads an array or object from its text, and settles what lies inside it.
    fn open(&mut self, view: &View<'t>, text: &str, place: Place) -> bool {
        if !(view.takes(Type::Array) || view.takes(Type::Object)) {
            return false;
        }
        if !self.check.step(1 + text.len() / 16) {
            return false;
        }
        let Some(parsed) = embedded::read(text, view.joined) else {
            return false;
        };
        let mut opened = parsed.value;
        if is_scalar(&opened) {
            return false;
        }
        if let Value::Array(items) = &opened
            && lists::is_list(view.joined)
            && !items.iter().all(Value::is_string)
        {
            // argument-validate answers with the list spelled out.
            return false;
        }
        if !view.admits(&opened) {
            return false;
        }
        let kept = self.patches.len();
        let at = std::mem::take(&mut self.at);
        let fits = self.inside(view, &opened, place.again());
        self.at = at;
        apply(self.patches.split_off(kept), &mut opened);
        let put = self.put(view, opened, message::CONTAINER);
        if put && let Some(patch) = self.patches.last_mut() {
            patch.relaxed = parsed.relaxed.names();
        }
        put && fits
    }

    /// Puts a value in the place, if it is one that the slot takes.
    fn put(&mut self, view: &View<'t>, value: Value, code: Code) -> bool {
        if !view.admits(&value) {
            return false;
        }
        let hint = message::pass_as(&self.at, &value, view.types());
        self.patches.push(Patch {
            at: self.at.clone(),
            action: Action::Put(value),
            code,
            hint,
            relaxed: Vec::new(),
        });
        true
    }

    fn leave_out(&mut self, sent: &Value) -> bool {
        self.patches.push(Patch {
            at: self.at.clone(),
            action: Action::LeaveOut,
            code: message::LEFT_OUT,
            hint: message::leave_out(&self.at, sent),
            relaxed: Vec::new(),
        });
        true
    }
}

/// What one alternative asks for.
struct Plan {
    /// Whether the value fits once it is done.
    fits: bool,
    plausible: bool,
    patches: Vec<Patch>,
}

/// Says whether no member contradicts an alternative by a value that is not in the member's list:
/// `{"kind": "file"}` is not meant for an alternative whose `kind` is `"url"`.
fn is_plausible(alternative: Slot<'_>, value: &Value) -> bool {
    let Value::Object(object) = value else {
        return true;
    };
    alternative.properties().all(|(key, slot)| {
        slot.values().is_none() || object.get(key).is_none_or(|value| slot.admits(value))
    })
}

fn is_scalar(value: &Value) -> bool {
    !(value.is_array() || value.is_object())
}
