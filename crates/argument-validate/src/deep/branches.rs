//! What to say when a value fits no branch of an `anyOf` or `oneOf`: when one branch is clearly
//! meant, what is wrong inside it; else what all of them take.

use super::Deep;
use super::wording::{quoted, subject};
use crate::finding::Finding;
use crate::message as own;
use callmend_stage::{message, pointer};
use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;
use std::collections::BTreeSet;

type Branch = Vec<ValidationError<'static>>;

pub(super) fn describe(
    deep: &Deep,
    error: &ValidationError<'_>,
    context: &[Branch],
    out: &mut Vec<Finding>,
) {
    let place = error.instance_path().as_str();
    let inside = |branch: &Branch| {
        let mut findings = Vec::new();
        for error in branch {
            deep.describe(error, &mut findings);
        }
        findings
    };
    // A branch with nothing left to say is refused for the closure of the root alone, and that
    // is not decided here.
    if place.is_empty() {
        let accepting = context.iter().filter(|branch| inside(branch).is_empty());
        match (error.kind(), accepting.count()) {
            (_, 0) => {}
            (Kind::OneOfNotValid { .. }, 2..) => {
                let body = format!("arguments must be only one of {}", deep.phrase(error));
                return out.push(Finding::new(place, own::NO_ALTERNATIVE, body));
            }
            _ => return,
        }
    }
    let of_kind: Vec<&Branch> = context
        .iter()
        .filter(|branch| !rules_out_kind(branch, place))
        .collect();
    let meant: Vec<&Branch> = of_kind
        .iter()
        .copied()
        .filter(|branch| discriminated(branch, place).is_none())
        .collect();
    if let ([one], _) | ([], [one]) = (meant.as_slice(), of_kind.as_slice()) {
        return out.extend(inside(one));
    }
    if meant.is_empty()
        && let Some(finding) = no_such_discriminator(&of_kind, place)
    {
        return out.push(finding);
    }
    let undecided = if meant.is_empty() { &of_kind } else { &meant };
    let all: Vec<Vec<Finding>> = undecided.iter().map(|branch| inside(branch)).collect();
    if let Some(shared) = shared(&all) {
        return out.push(shared);
    }
    let code = if of_kind.is_empty() {
        own::WRONG_TYPE
    } else {
        own::NO_ALTERNATIVE
    };
    let body = match place.is_empty().then(|| pass_one_of(&all)).flatten() {
        Some(body) => body,
        None => format!("{} must be {}", subject(place), deep.phrase(error)),
    };
    out.push(Finding::new(place, code, body));
}

/// Whether a branch does not take a value of this kind at all.
fn rules_out_kind(branch: &Branch, place: &str) -> bool {
    branch.iter().any(|error| {
        error.instance_path().as_str() == place
            && matches!(
                error.kind(),
                Kind::Type { .. } | Kind::Constant { .. } | Kind::Enum { .. } | Kind::FalseSchema
            )
    })
}

/// Finds the member by which a branch says that it is not meant, and what the member must be.
fn discriminated<'b>(branch: &'b Branch, place: &str) -> Option<(&'b str, &'b Value)> {
    branch.iter().find_map(|error| {
        let path = error.instance_path().as_str();
        let (parent, _) = pointer::split_last(path)?;
        let expected = match error.kind() {
            Kind::Constant { expected_value } => expected_value.as_ref(),
            Kind::Enum { options } => match options.as_array()?.as_slice() {
                [only] => only,
                _ => return None,
            },
            _ => return None,
        };
        (parent == place).then_some((path, expected))
    })
}

/// `` `at.type` must be one of "a", "b" ``, when every branch is told by the same member.
fn no_such_discriminator(branches: &[&Branch], place: &str) -> Option<Finding> {
    let mut expected = Vec::new();
    let mut member = None;
    for branch in branches {
        let (path, value) = discriminated(branch, place)?;
        if *member.get_or_insert(path) != path {
            return None;
        }
        let value = match value {
            Value::String(text) => message::clip(text),
            other => quoted(other),
        };
        if !expected.contains(&value) {
            expected.push(value);
        }
    }
    let path = member?;
    let body = format!("{} must be one of {}", subject(path), expected.join(", "));
    Some(Finding::new(path, own::WRONG_VALUE, body))
}

/// Finds what every branch says: a member that all of them require, say.
fn shared(all: &[Vec<Finding>]) -> Option<Finding> {
    let (first, others) = all.split_first()?;
    let mut shared = first
        .iter()
        .filter(|finding| others.iter().all(|other| other.contains(finding)));
    shared.next().cloned()
}

/// `` pass `id` or `path` ``, when all that is wrong with each branch is what it misses.
fn pass_one_of(all: &[Vec<Finding>]) -> Option<String> {
    let mut choices = BTreeSet::new();
    let mut ordered = Vec::new();
    for findings in all {
        let names = findings
            .iter()
            .map(|finding| (finding.code == own::REQUIRED).then(|| subject(&finding.path)));
        let names: Vec<String> = names.collect::<Option<_>>()?;
        let choice = message::list(names, "and");
        if choices.insert(choice.clone()) {
            ordered.push(choice);
        }
    }
    (ordered.len() > 1).then(|| format!("pass {}", message::list(ordered, "or")))
}
