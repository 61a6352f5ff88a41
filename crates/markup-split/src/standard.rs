//! The standard cascade's splitting, exactly (contract, section 5).

use crate::message;
use crate::tag::holds_markup;
use callmend_stage::json::read_exactly;
use callmend_stage::{Change, Signature, Type, pointer};
use serde_json::{Map, Value};
use std::collections::HashMap;

const CLOSING: &str = "</parameter>";
const OPENING: &str = "<parameter name=\"";

/// A value cut at each `</parameter>`, optional white space, `<parameter name="k">`.
struct Cut<'v> {
    key: &'v str,
    kept: &'v str,
    parts: Vec<(&'v str, &'v str)>,
    /// Whether no part holds further markup. A value that cannot be split still leaks its names.
    clean: bool,
}

/// Plans the splits of one call; whatever is not safe to split is left as sent.
pub(crate) fn plan(signature: &Signature, arguments: &Map<String, Value>) -> Vec<Change> {
    let mut cuts = Vec::new();
    for (key, value) in arguments {
        if let Value::String(text) = value
            && !signature.is_harness(key)
            && let Some(cut) = cut(key, text)
        {
            cuts.push(cut);
        }
    }
    if cuts.is_empty() {
        return Vec::new();
    }
    let mut leaked: HashMap<&str, usize> = HashMap::new();
    for (name, _) in cuts.iter().flat_map(|cut| &cut.parts) {
        *leaked.entry(name).or_default() += 1;
    }
    let is_free = |name: &str| leaked.get(name) == Some(&1) && !arguments.contains_key(name);
    let mut changes = Vec::new();
    for cut in cuts.iter().filter(|cut| cut.clean) {
        changes.extend(split(signature, cut, is_free).into_iter().flatten());
    }
    changes
}

fn cut<'v>(key: &'v str, text: &'v str) -> Option<Cut<'v>> {
    let mut parts = Vec::new();
    let mut kept = None;
    // The argument that the text since the last cut belongs to, and where it begins.
    let mut current: Option<(&str, usize)> = None;
    let mut done = 0;
    for (at, _) in text.match_indices(CLOSING) {
        if at < done {
            continue;
        }
        let Some((name, next)) = opening(text, at + CLOSING.len()) else {
            continue;
        };
        match current {
            None => kept = text.get(..at),
            Some((name, start)) => parts.push((name, text.get(start..at)?)),
        }
        current = Some((name, next));
        done = next;
    }
    let (name, start) = current?;
    parts.push((name, text.get(start..)?));
    let kept = kept?;
    let clean = !holds_markup(kept) && parts.iter().all(|(_, part)| !holds_markup(part));
    Some(Cut {
        key,
        kept,
        parts,
        clean,
    })
}

/// Reads white space and an opening tag; returns the name and where its text begins.
fn opening(text: &str, at: usize) -> Option<(&str, usize)> {
    let rest = text.get(at..)?.trim_start();
    let (name, _) = rest.strip_prefix(OPENING)?.split_once('"')?;
    let tag = OPENING.len() + name.len() + 1;
    rest.get(tag..)?.strip_prefix('>')?;
    Some((name, text.len() - rest.len() + tag + 1))
}

fn split(
    signature: &Signature,
    cut: &Cut<'_>,
    is_free: impl Fn(&str) -> bool,
) -> Option<Vec<Change>> {
    let at = pointer::to(cut.key);
    let mut changes = vec![Change::replace(at, Value::from(cut.kept), message::SPLIT)];
    for (name, part) in &cut.parts {
        if !is_free(name) {
            return None;
        }
        let value = match signature.declared(name) {
            Some(slot) if !slot.takes(Type::String) => {
                read_exactly(part).filter(|value| slot.admits(value))?
            }
            Some(_) => Value::from(*part),
            None if signature.is_harness_target(name) => Value::from(*part),
            None => return None,
        };
        let change = Change::add(pointer::to(name), value, message::SPLIT);
        changes.push(change.hint(message::pass_apart(name, cut.key)));
    }
    Some(changes)
}
