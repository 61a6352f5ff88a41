//! The checks of each declared argument: presence and type, and string lists (contract, sections
//! 10.4 and 10.5).

use crate::finding::{self, Finding};
use crate::lists::{self, Reading};
use crate::{canonical, message};
use callmend_stage::{Change, Code, Signature, Slot, Type, pointer};
use serde_json::{Map, Value};

/// What the shallow check comes to.
#[derive(Debug, Default)]
pub(crate) struct Shallow {
    /// What is wrong, in bytewise order of the arguments.
    pub(crate) findings: Vec<Finding>,
    /// The string lists to put in the place of strings.
    pub(crate) changes: Vec<Change>,
    /// Whether some finding has no better word for its slot than `valid`.
    pub(crate) vague: bool,
}

/// Checks each declared argument, in bytewise order.
pub(crate) fn check(signature: &Signature, arguments: &Map<String, Value>) -> Shallow {
    let root = signature.root();
    let mut out = Shallow::default();
    // The lists that the fix puts in the place of strings.
    let mut corrections: Vec<(&str, Value)> = Vec::new();
    for (name, slot) in root.properties() {
        let Some(value) = arguments.get(name) else {
            if root.requires(name) {
                out.find(name, message::REQUIRED, message::required(name));
            }
            continue;
        };
        if let Value::String(text) = value
            && lists::is_string_list(slot)
        {
            match lists::read(text) {
                Reading::Single(list) => {
                    corrections.push((name, list.clone()));
                    let hint = message::pass_a_list(name);
                    out.put(name, list, message::STRING_FOR_LIST, hint);
                }
                Reading::Spelled(list) => {
                    corrections.push((name, list.clone()));
                    let hint = message::pass_the_list(name);
                    out.put(name, list, message::LIST_IN_STRING, hint);
                }
                Reading::Unclear(list) => {
                    corrections.push((name, list));
                    let body = message::must_be(name, signature.phrase(name));
                    out.find(name, message::WRONG_TYPE, body);
                }
            }
        } else if declared_alike(root, name) && !fits(slot, value) {
            let code = if slot.takes(Type::of(value)) && !value.is_array() {
                message::WRONG_VALUE
            } else {
                message::WRONG_TYPE
            };
            let body = message::must_be(name, signature.phrase(name));
            out.find(name, code, body);
            out.vague |= signature.phrase(name) == "valid";
        }
    }
    let undeclared = root.required().filter(|name| !root.declares(name));
    for name in undeclared.filter(|name| !arguments.contains_key(*name)) {
        out.find(name, message::REQUIRED, message::required(name));
    }
    finding::sort(&mut out.findings);
    out.add_fix(arguments, corrections);
    out
}

impl Shallow {
    fn find(&mut self, name: &str, code: Code, body: String) {
        self.findings
            .push(Finding::new(pointer::to(name), code, body));
    }

    fn put(&mut self, name: &str, list: Value, code: Code, hint: String) {
        self.changes
            .push(Change::replace(pointer::to(name), list, code).hint(hint));
    }

    /// Puts what the validator says in the place of findings that have no word for it.
    pub(crate) fn reword(&mut self, deeper: &[Finding]) {
        for finding in &mut self.findings {
            let within = |path: &str| {
                path.strip_prefix(finding.path.as_str())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            let better = deeper.iter().find(|other| within(&other.path));
            if let Some(better) = better.filter(|_| finding.body.ends_with(" must be valid")) {
                *finding = better.clone();
            }
        }
    }

    /// Adds the corrected arguments to a first finding that is about a string list.
    fn add_fix(&mut self, arguments: &Map<String, Value>, corrections: Vec<(&str, Value)>) {
        let Some(first) = self.findings.first_mut() else {
            return;
        };
        if !corrections
            .iter()
            .any(|(name, _)| pointer::to(name) == first.path)
        {
            return;
        }
        let mut corrected = arguments.clone();
        for (name, list) in corrections {
            corrected.insert(name.to_owned(), list);
        }
        first.fix = canonical::text(&Value::Object(corrected));
    }
}

/// Whether every branch of a root union says the same of an argument: it declares it, or none
/// does. Where only some do, what the others take decides, and that is not a shallow question.
fn declared_alike(root: Slot<'_>, name: &str) -> bool {
    root.unions().all(|branches| {
        let objects = branches.iter().filter(|branch| branch.takes(Type::Object));
        let (declaring, open) = objects.fold((0, 0), |(declaring, open), branch| {
            let declares = branch.declares(name);
            (
                declaring + usize::from(declares),
                open + usize::from(!declares && !branch.is_closed()),
            )
        });
        declaring == 0 || open == 0
    })
}

/// Whether a value fits a slot by its type and values, and its items by their types.
fn fits(slot: Slot<'_>, value: &Value) -> bool {
    slot.admits(value)
        && match value {
            Value::Array(items) if !lists::has_places(slot) => items
                .iter()
                .enumerate()
                .all(|(at, item)| item_fits(slot, at, item)),
            _ => true,
        }
}

/// Whether an item fits by its type; under a union, in some alternative that takes an array.
fn item_fits(slot: Slot<'_>, at: usize, item: &Value) -> bool {
    let mut in_unions = slot.unions().peekable();
    if in_unions.peek().is_some() {
        return in_unions.all(|alternatives| {
            alternatives
                .into_iter()
                .filter(|alternative| alternative.takes(Type::Array))
                .any(|alternative| item_fits(alternative, at, item))
        });
    }
    slot.item(at)
        .is_none_or(|declared| declared.takes(Type::of(item)))
}

/// Puts the lists of [`check`] in their places.
pub(crate) fn perform(arguments: &mut Value, changes: &[Change]) {
    for change in changes {
        let slot = arguments.pointer_mut(change.op.path());
        if let (Some(slot), Some(list)) = (slot, change.op.value()) {
            slot.clone_from(list);
        }
    }
}
