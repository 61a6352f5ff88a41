//! Walks the arguments along their slots and says, object by object, what each key means.

use crate::message;
use crate::table::{Entry, Table};
use callmend_stage::pointer::{self, Path};
use callmend_stage::{Change, Code, Rejection, Signature, Slot};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

/// How deep the walk goes. JSON text is nested at most this deep; a delivered value that is
/// deeper is left as sent below it, and the stack holds.
const MAX_DEPTH: usize = 128;

/// How many further problems the hints of a rejection name.
const MORE: usize = 10;

/// The tables of one tool.
#[derive(Debug)]
pub(crate) struct Tables {
    /// The table of each declared object, by [`Slot::id`].
    pub(crate) by_slot: HashMap<usize, Table>,
    /// The slots at or below which there is a table.
    pub(crate) live: HashSet<usize>,
    /// Whether the extended cascade's rules hold.
    pub(crate) extended: bool,
}

/// What the walk found.
pub(crate) struct Found<'w> {
    signature: &'w Signature,
    tables: &'w Tables,
    pub(crate) changes: Vec<Change>,
    problems: Vec<Problem>,
    form: String,
}

struct Problem {
    code: Code,
    at: String,
    /// The sentence, without its tail.
    body: String,
}

/// A key that reads as something declared.
struct Claim<'w> {
    key: &'w str,
    targets: Vec<&'w str>,
    code: Code,
}

impl<'w> Found<'w> {
    /// Walks the arguments of one call.
    pub(crate) fn in_arguments(
        signature: &'w Signature,
        tables: &'w Tables,
        arguments: &'w Map<String, Value>,
    ) -> Self {
        let mut found = Self {
            signature,
            tables,
            changes: Vec::new(),
            problems: Vec::new(),
            form: String::new(),
        };
        found.object(signature.root(), arguments, &Path::ROOT, 0);
        found
    }

    /// Makes the rejection that the problems call for, the first in the order of the call.
    pub(crate) fn rejection(&self) -> Option<Rejection> {
        let (first, more) = self.problems.split_first()?;
        let message = callmend_stage::message::with_tail(&first.body, self.signature.tail());
        let rejection = Rejection::new(message::ID, first.code, message).at(first.at.clone());
        let more = more.iter().take(MORE);
        Some(more.fold(rejection, |rejection, problem| {
            rejection.hint(problem.body.clone())
        }))
    }

    fn value(&mut self, slot: Slot<'w>, value: &'w Value, path: &Path<'_>, depth: usize) {
        if depth > MAX_DEPTH || !self.tables.live.contains(&slot.id()) {
            return;
        }
        match value {
            Value::Object(object) => self.object(slot, object, path, depth),
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    if let Some(below) = slot.item(index) {
                        self.value(below, item, &path.index(index), depth + 1);
                    }
                }
            }
            _ => {}
        }
    }

    fn object(
        &mut self,
        slot: Slot<'w>,
        object: &'w Map<String, Value>,
        path: &Path<'_>,
        depth: usize,
    ) {
        let at_root = depth == 0;
        let claims = match self.tables.by_slot.get(&slot.id()) {
            Some(table) if at_root || !is_map(slot) => self.claims(table, slot, object, at_root),
            _ => Vec::new(),
        };
        let renames = if claims.is_empty() {
            HashMap::new()
        } else {
            self.settle(claims, object, path)
        };
        if !self.tables.extended {
            return;
        }
        for (key, value) in object {
            if at_root && self.signature.is_harness(key) {
                continue;
            }
            let name = renames.get(key.as_str()).copied().unwrap_or(key);
            if let Some(below) = slot.property(name) {
                self.value(below, value, &path.key(name), depth + 1);
            }
        }
    }

    /// Lists the keys of an object that read as something declared, in the order of the call.
    fn claims(
        &mut self,
        table: &'w Table,
        slot: Slot<'w>,
        object: &'w Map<String, Value>,
        at_root: bool,
    ) -> Vec<Claim<'w>> {
        let mut claims = Vec::new();
        let mut branches = None;
        for key in object.keys() {
            let known = if at_root {
                !self.signature.is_unknown(key)
            } else {
                // No key that begins with `__` is ever renamed.
                slot.declares(key) || key.starts_with("__")
            };
            if known {
                continue;
            }
            let Some(entry) = table.get(key, &mut self.form) else {
                continue;
            };
            let claim = if self.tables.extended {
                let branches = branches
                    .get_or_insert_with(|| Branches::of(slot, object, table, &mut String::new()));
                spelling_first(entry, branches)
            } else {
                all_together(entry)
            };
            if let Some((targets, code)) = claim {
                claims.push(Claim { key, targets, code });
            }
        }
        claims
    }

    /// Turns claims into renames or problems; returns the renames.
    fn settle(
        &mut self,
        claims: Vec<Claim<'w>>,
        object: &'w Map<String, Value>,
        path: &Path<'_>,
    ) -> HashMap<&'w str, &'w str> {
        let mut by_target: HashMap<&str, Vec<&str>> = HashMap::new();
        for claim in &claims {
            for target in &claim.targets {
                by_target.entry(target).or_default().push(claim.key);
            }
        }
        let parent = path.pointer();
        let named = |key: &str| {
            let mut at = parent.clone();
            pointer::push(&mut at, key);
            // At the root a name that is all digits is no index.
            if parent.is_empty() {
                key.to_owned()
            } else {
                pointer::display(&at)
            }
        };
        let mut renames = HashMap::new();
        let mut told = HashSet::new();
        for claim in &claims {
            let mut problem = |code, body| {
                let mut at = parent.clone();
                pointer::push(&mut at, claim.key);
                self.problems.push(Problem { code, at, body });
            };
            let target = match claim.targets.as_slice() {
                [target] => *target,
                targets => {
                    let targets: Vec<String> = targets.iter().map(|name| named(name)).collect();
                    let body = message::ambiguous_body(&named(claim.key), &targets);
                    problem(message::ALIAS_AMBIGUOUS, body);
                    continue;
                }
            };
            let claimants = by_target.get(target).map_or(&[][..], Vec::as_slice);
            let occupied = object.contains_key(target);
            if !occupied && claimants.len() < 2 {
                renames.insert(claim.key, target);
                let hint = message::renamed(claim.key, &named(target));
                let change = Change::rename(&parent, claim.key, target, claim.code);
                self.changes.push(change.hint(hint));
                continue;
            }
            if !told.insert(target) {
                continue;
            }
            let keys: Vec<String> = claimants.iter().map(|key| named(key)).collect();
            if occupied {
                let body = message::occupied_body(&keys, &named(target));
                problem(message::ALIAS_OCCUPIED, body);
            } else {
                let body = message::collision_body(&keys, &named(target));
                problem(message::ALIAS_COLLISION, body);
            }
        }
        renames
    }
}

/// Reads an entry as the standard cascade does: every candidate counts.
fn all_together(entry: &Entry) -> Option<(Vec<&str>, Code)> {
    let mut targets: Vec<&str> = entry.aliases.iter().map(String::as_str).collect();
    let mut code = message::ALIAS;
    if let Some(name) = &entry.spelling {
        code = message::SPELLING;
        if !entry.aliases.contains(name) {
            targets.push(name);
            targets.sort_unstable();
        }
    }
    (!targets.is_empty()).then_some((targets, code))
}

/// Reads an entry as the extended cascade does: a normalized match comes first.
fn spelling_first<'w>(entry: &'w Entry, branches: &Branches<'w>) -> Option<(Vec<&'w str>, Code)> {
    if let Some(name) = &entry.spelling
        && branches.allow(name)
    {
        return Some((vec![name], message::SPELLING));
    }
    let aliases = entry.aliases.iter().map(String::as_str);
    let targets: Vec<&str> = aliases.filter(|name| branches.allow(name)).collect();
    (!targets.is_empty()).then_some((targets, message::ALIAS))
}

/// Which alternatives of a union an object can still be, by its constants: a key is never
/// renamed to what only another alternative declares.
struct Branches<'w> {
    slot: Slot<'w>,
    /// Each union's alternatives, each with whether it is still possible.
    unions: Vec<Vec<(Slot<'w>, bool)>>,
}

impl<'w> Branches<'w> {
    fn of(
        slot: Slot<'w>,
        object: &'w Map<String, Value>,
        table: &'w Table,
        form: &mut String,
    ) -> Self {
        let mut unions = slot.alternatives().peekable();
        if unions.peek().is_none() {
            return Self {
                slot,
                unions: Vec::new(),
            };
        }
        // A constant may stand under another spelling of its name.
        let mut values: HashMap<&str, &Value> = HashMap::new();
        for (key, value) in object {
            let spelling = table.get(key, form).and_then(|e| e.spelling.as_deref());
            values.entry(spelling.unwrap_or(key)).or_insert(value);
        }
        Self {
            slot,
            unions: unions
                .map(|union| {
                    union
                        .map(|branch| (branch, is_possible(branch, &values)))
                        .collect()
                })
                .collect(),
        }
    }

    fn allow(&self, name: &str) -> bool {
        self.unions.is_empty()
            || self.slot.exact().declares(name)
            || self.unions.iter().all(|union| {
                let mut declaring = union.iter().filter(|(branch, _)| branch.declares(name));
                let mut declared = false;
                declaring.any(|(_, possible)| {
                    declared = true;
                    *possible
                }) || !declared
            })
    }
}

/// Says whether no constant of an alternative contradicts what the object holds.
fn is_possible(branch: Slot<'_>, values: &HashMap<&str, &Value>) -> bool {
    branch.properties().all(|(name, member)| {
        member.values().is_none() || values.get(name).is_none_or(|value| member.admits(value))
    })
}

/// Says whether an object holds names of the caller's own, so that no key of it is a mistake.
fn is_map(slot: Slot<'_>) -> bool {
    // No declared name is this long: what is found is the slot of undeclared members.
    const UNDECLARED: &str = "\u{0}\u{0}undeclared\u{0}\u{0}";
    slot.property(UNDECLARED)
        .is_some_and(|undeclared| undeclared.types() != callmend_stage::TypeSet::ALL)
}
