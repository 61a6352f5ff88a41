//! The extended cascade's splitting: every string at any depth (contract, section 12).

use crate::leak::{Finding, Leak, Part, examine};
use crate::message::{self, Why};
use callmend_stage::json::read_exactly;
use callmend_stage::pointer::{self, Path};
use callmend_stage::{Change, Code, Rejection, Signature, Slot, Type, Verdict};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// How deep the walk goes. JSON text is nested at most this deep; a delivered value that is
/// deeper is left as sent below it, and the stack holds.
const MAX_DEPTH: usize = 128;

/// How many further problems the hints of a rejection name.
const MORE: usize = 10;

/// Plans the splits of one call, or refuses it.
pub(crate) fn plan(signature: &Signature, arguments: &Map<String, Value>) -> Verdict {
    let mut walk = Walk {
        signature,
        arguments,
        splits: Vec::new(),
        problems: Vec::new(),
    };
    let root = Holder {
        slot: Some(signature.root()),
        object: arguments,
        path: &Path::ROOT,
    };
    for (key, value) in arguments {
        if !signature.is_harness(key) {
            let slot = signature.root().property(key);
            walk.value(slot, value, &Path::ROOT.key(key), 1, key, &root, true);
        }
    }
    walk.refuse_shared_targets();
    if let Some(rejection) = walk.rejection() {
        return rejection.into();
    }
    let changes: Vec<Change> = walk.splits.into_iter().flat_map(Split::changes).collect();
    if changes.is_empty() {
        return Verdict::Pass;
    }
    Verdict::Rewrite(changes)
}

struct Walk<'w> {
    signature: &'w Signature,
    arguments: &'w Map<String, Value>,
    splits: Vec<Split<'w>>,
    problems: Vec<Problem>,
}

/// The object that a string stands in, lists aside.
struct Holder<'w, 'p> {
    slot: Option<Slot<'w>>,
    object: &'w Map<String, Value>,
    path: &'p Path<'p>,
}

/// One value that comes apart.
struct Split<'w> {
    at: String,
    kept: &'w str,
    added: Vec<Added<'w>>,
}

struct Added<'w> {
    at: String,
    name: &'w str,
    value: Value,
}

struct Problem {
    code: Code,
    at: String,
    body: String,
}

impl<'w> Walk<'w> {
    #[allow(
        clippy::too_many_arguments,
        reason = "one frame of a walk, kept on the stack"
    )]
    fn value(
        &mut self,
        slot: Option<Slot<'w>>,
        value: &'w Value,
        path: &Path<'_>,
        depth: usize,
        key: &'w str,
        holder: &Holder<'w, '_>,
        is_last: bool,
    ) {
        if depth > MAX_DEPTH {
            return;
        }
        match value {
            Value::String(text) => {
                let takes_string = slot.is_none_or(|slot| slot.takes(Type::String));
                match examine(text, key, takes_string) {
                    Finding::Clean => {}
                    finding => self.found(finding, path, holder, is_last),
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    let below = slot.and_then(|slot| slot.item(index));
                    let is_last = is_last && index + 1 == items.len();
                    let path = path.index(index);
                    self.value(below, item, &path, depth + 1, key, holder, is_last);
                }
            }
            Value::Object(object) => {
                let holder = Holder { slot, object, path };
                for (key, value) in object {
                    let below = slot.and_then(|slot| slot.property(key));
                    let path = path.key(key);
                    self.value(below, value, &path, depth + 1, key, &holder, true);
                }
            }
            _ => {}
        }
    }

    fn found(
        &mut self,
        finding: Finding<'w>,
        path: &Path<'_>,
        holder: &Holder<'w, '_>,
        is_last: bool,
    ) {
        let at = path.pointer();
        match finding {
            Finding::Clean => {}
            Finding::Misplaced => {
                let source = self.display(&at);
                let phrase = match self.signature.declared(&source) {
                    Some(_) => self.signature.phrase(&source),
                    None => "valid",
                };
                let body = message::misplaced_body(&source, phrase);
                self.problem(message::MISPLACED, at, body);
            }
            Finding::Stuck(stuck) => self.leaked(at, stuck.into()),
            Finding::Suspect(parts) => {
                if parts.iter().all(|part| self.place(part, holder).is_ok()) {
                    self.leaked(at, Why::Broken);
                }
            }
            // What follows an item in its list cannot have followed the leak.
            Finding::Leak(_) if !is_last => self.leaked(at, Why::TextAfter),
            Finding::Leak(leak) => match self.resolve(&at, leak, holder) {
                Ok(split) => self.splits.push(split),
                Err(body) => self.problem(message::LEAKED, at, body),
            },
        }
    }

    /// Finds the place of every part; the error is the sentence that says what is wrong.
    fn resolve(
        &self,
        at: &str,
        leak: Leak<'w>,
        holder: &Holder<'w, '_>,
    ) -> Result<Split<'w>, String> {
        let source = self.display(at);
        let mut added: Vec<Added<'w>> = Vec::new();
        for part in &leak.parts {
            let place = self
                .place(part, holder)
                .map_err(|why| self.sentence(&source, why))?;
            if added.iter().any(|other| other.at == place.at) {
                return Err(message::leaked_body(&source, Why::Twice(part.name)));
            }
            added.push(place);
        }
        Ok(Split {
            at: at.to_owned(),
            kept: leak.kept,
            added,
        })
    }

    fn place(&self, part: &Part<'w>, holder: &Holder<'w, '_>) -> Result<Added<'w>, Misfit<'w>> {
        let name = part.name;
        let inner = holder.path.pointer();
        let is_root = inner.is_empty();
        let root = self.signature.declared(name);
        let in_root = root.is_some() || self.signature.is_harness_target(name);
        let in_holder = !is_root && holder.slot.is_some_and(|slot| slot.declares(name));
        let mut at = String::new();
        let (slot, object) = match (in_holder, in_root) {
            (false, false) => return Err(Misfit::Why(Why::Unknown(name))),
            (true, true) => return Err(Misfit::Either(inner, name)),
            (false, true) => (root, self.arguments),
            (true, false) => {
                at = inner;
                let slot = holder.slot.and_then(|slot| slot.property(name));
                (slot, holder.object)
            }
        };
        pointer::push(&mut at, name);
        if object.contains_key(name) {
            return Err(Misfit::Taken(at));
        }
        let value = self
            .typed(part, slot)
            .ok_or_else(|| Misfit::Type(at.clone()))?;
        Ok(Added { at, name, value })
    }

    /// Reads a part as its slot takes it.
    fn typed(&self, part: &Part<'_>, slot: Option<Slot<'_>>) -> Option<Value> {
        match slot {
            Some(slot) if !slot.takes(Type::String) => {
                let value = read_exactly(part.text).filter(|value| slot.admits(value))?;
                is_clean(Some(slot), &value, part.name, 0).then_some(value)
            }
            // The tag says that it is no string, the slot that it is one.
            _ if part.is_string == Some(false) => None,
            _ => Some(Value::from(part.text)),
        }
    }

    /// Two values that leak one argument leave neither a reading.
    fn refuse_shared_targets(&mut self) {
        let mut places: HashMap<&str, usize> = HashMap::new();
        for added in self.splits.iter().flat_map(|split| &split.added) {
            *places.entry(&added.at).or_default() += 1;
        }
        let mut problems = Vec::new();
        for split in &self.splits {
            let shared = split.added.iter().find(|added| {
                places
                    .get(added.at.as_str())
                    .is_some_and(|count| *count > 1)
            });
            if let Some(added) = shared {
                let why = Why::Twice(added.name);
                let body = message::leaked_body(&self.display(&split.at), why);
                problems.push((split.at.clone(), body));
            }
        }
        for (at, body) in problems {
            self.problem(message::LEAKED, at, body);
        }
    }

    fn rejection(&self) -> Option<Rejection> {
        let (first, more) = self.problems.split_first()?;
        let message = callmend_stage::message::with_tail(&first.body, self.signature.tail());
        let rejection = Rejection::new(message::ID, first.code, message).at(first.at.clone());
        let more = more.iter().take(MORE);
        Some(more.fold(rejection, |rejection, problem| {
            rejection.hint(problem.body.clone())
        }))
    }

    fn leaked(&mut self, at: String, why: Why<'_>) {
        let body = message::leaked_body(&self.display(&at), why);
        self.problem(message::LEAKED, at, body);
    }

    fn problem(&mut self, code: Code, at: String, body: String) {
        self.problems.push(Problem { code, at, body });
    }

    fn sentence(&self, source: &str, misfit: Misfit<'_>) -> String {
        match misfit {
            Misfit::Why(why) => message::leaked_body(source, why),
            Misfit::Taken(at) => message::leaked_body(source, Why::Taken(&self.display(&at))),
            Misfit::Either(inner, name) => {
                let mut at = inner;
                pointer::push(&mut at, name);
                message::leaked_body(source, Why::Either(&self.display(&at), name))
            }
            Misfit::Type(at) => {
                let name = self.display(&at);
                let phrase = self.signature.phrase(&name);
                message::leaked_body(source, Why::NotOfType(&name, phrase))
            }
        }
    }

    /// Spells a place as messages do; at the root a name that is all digits is no index.
    fn display(&self, at: &str) -> String {
        display(at)
    }
}

enum Misfit<'w> {
    Why(Why<'w>),
    /// The place that has a value.
    Taken(String),
    /// The inner object's place and the name.
    Either(String, &'w str),
    /// The place whose type the text is not of.
    Type(String),
}

impl Split<'_> {
    fn changes(self) -> Vec<Change> {
        let source = display(&self.at);
        let code = if self.added.is_empty() {
            message::TRIMMED
        } else {
            message::SPLIT
        };
        let mut replace = Change::replace(self.at, Value::from(self.kept), code);
        if self.added.is_empty() {
            replace = replace.hint(message::end_plainly(&source));
        }
        let mut changes = vec![replace];
        for added in self.added {
            let hint = message::pass_apart(&display(&added.at), &source);
            changes.push(Change::add(added.at, added.value, message::SPLIT).hint(hint));
        }
        changes
    }
}

fn display(at: &str) -> String {
    match pointer::split_last(at) {
        Some(("", name)) => name.into_owned(),
        _ => pointer::display(at),
    }
}

/// Says whether no string in a value holds a leak: the value was read from a leak itself, and
/// must settle.
fn is_clean(slot: Option<Slot<'_>>, value: &Value, key: &str, depth: usize) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    match value {
        Value::String(text) => {
            let takes_string = slot.is_none_or(|slot| slot.takes(Type::String));
            examine(text, key, takes_string) == Finding::Clean
        }
        Value::Array(items) => items.iter().enumerate().all(|(index, item)| {
            let below = slot.and_then(|slot| slot.item(index));
            is_clean(below, item, key, depth + 1)
        }),
        Value::Object(object) => object.iter().all(|(key, value)| {
            let below = slot.and_then(|slot| slot.property(key));
            is_clean(below, value, key, depth + 1)
        }),
        _ => true,
    }
}
