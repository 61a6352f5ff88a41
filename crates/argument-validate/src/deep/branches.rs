//! What to say when a value fits no branch of an `anyOf` or `oneOf`: when one branch is clearly
//! meant, what is wrong inside it; else what all of them take.

use super::wording::{Wording, quoted, subject};
use crate::finding::{self, Finding};
use crate::message as own;
use callmend_stage::{message, pointer};
use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;
use std::collections::BTreeSet;

type Branch = Vec<ValidationError<'static>>;

pub(super) fn describe(
    wording: &Wording<'_>,
    error: &ValidationError<'_>,
    context: &[Branch],
    out: &mut Vec<Finding>,
) {
    let place = error.instance_path().as_str();
    let inside = |branch: &Branch| {
        let mut findings = Vec::new();
        for error in branch {
            wording.describe(error, &mut findings);
        }
        finding::sort(&mut findings);
        findings
    };
    // A branch with nothing left to say is refused for the closure of the root alone, and that
    // is not decided here.
    if place.is_empty() {
        let accepting = context.iter().filter(|branch| inside(branch).is_empty());
        match (error.kind(), accepting.count()) {
            (_, 0) => {}
            (Kind::OneOfNotValid { .. }, 2..) => {
                return out.push(too_many(wording, error, context));
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
    if let Some(one) = only_complete(&all, place) {
        return out.extend(one.iter().cloned());
    }
    let code = if of_kind.is_empty() {
        own::WRONG_TYPE
    } else {
        own::NO_ALTERNATIVE
    };
    let body = exclusive(&all)
        .or_else(|| pass_one_of(&all).filter(|_| place.is_empty()))
        .unwrap_or_else(|| match wording.phrase(error).as_str() {
            "valid" => either(&all, &subject(place)),
            phrase => format!("{} must be {phrase}", subject(place)),
        });
    out.push(Finding::new(place, code, body));
}

/// Finds the one branch that misses nothing: it is meant, and something in it is wrong.
fn only_complete<'f>(all: &'f [Vec<Finding>], place: &str) -> Option<&'f Vec<Finding>> {
    let mut complete = all.iter().filter(|findings| {
        !findings.iter().any(|finding| {
            finding.code == own::REQUIRED
                && pointer::split_last(&finding.path).is_some_and(|(parent, _)| parent == place)
        })
    });
    complete.next().filter(|_| complete.next().is_none())
}

/// `` `x` must be at least 5, or must be at most 1 ``: what is wrong with each branch.
fn either(all: &[Vec<Finding>], subject: &str) -> String {
    let mut choices: Vec<&str> = Vec::new();
    for finding in all.iter().filter_map(|findings| findings.first()) {
        let choice = finding.body.strip_prefix(subject).map(str::trim_start);
        let choice = choice.unwrap_or(&finding.body);
        if !choices.contains(&choice) {
            choices.push(choice);
        }
    }
    format!("{subject} {}", choices.join(", or "))
}

/// Says of a value that fits several branches of a `oneOf` by which of its members it does.
pub(super) fn too_many(
    wording: &Wording<'_>,
    error: &ValidationError<'_>,
    context: &[Branch],
) -> Finding {
    let place = error.instance_path().as_str();
    let fitting = wording
        .keyword(error)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .zip(context)
        .filter(|(_, errors)| errors.is_empty());
    let choices: Option<Vec<String>> = fitting
        .map(|(schema, _)| {
            let required = schema.get("required")?.as_array()?;
            let names = required.iter().filter_map(Value::as_str).map(message::tick);
            Some(message::list(names, "and")).filter(|choice| !choice.is_empty())
        })
        .collect();
    let body = match (choices, place.is_empty()) {
        (Some(choices), true) if choices.len() > 1 => {
            format!("pass only one of {}", listed(&choices, "and"))
        }
        (Some(choices), false) if choices.len() > 1 => {
            format!(
                "{} must have only one of {}",
                subject(place),
                listed(&choices, "and")
            )
        }
        _ => format!(
            "{} must be only one of {}",
            subject(place),
            wording.phrase(error)
        ),
    };
    Finding::new(place, own::NO_ALTERNATIVE, body)
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
    let told = branch.iter().filter_map(|error| {
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
    });
    told.min_by_key(|(path, _)| *path)
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

/// `` `a` and `b` do not go together ``, when all that is wrong with each branch is what it does
/// not take.
fn exclusive(all: &[Vec<Finding>]) -> Option<String> {
    let unknown = |finding: &Finding| finding.code == own::UNKNOWN_ARGUMENT;
    if all.len() < 2 || !all.iter().all(|findings| findings.iter().all(unknown)) {
        return None;
    }
    let names: BTreeSet<String> = all
        .iter()
        .flatten()
        .map(|finding| subject(&finding.path))
        .collect();
    (names.len() > 1).then(|| format!("{} do not go together", message::list(names, "and")))
}

/// `` pass `id` or `path` ``, when all that is wrong with each branch is what it misses.
fn pass_one_of(all: &[Vec<Finding>]) -> Option<String> {
    let mut choices: Vec<String> = Vec::new();
    for findings in all {
        let names = findings
            .iter()
            .map(|finding| (finding.code == own::REQUIRED).then(|| subject(&finding.path)));
        let names: Vec<String> = names.collect::<Option<_>>()?;
        let choice = message::list(names, "and");
        if !choices.contains(&choice) {
            choices.push(choice);
        }
    }
    (choices.len() > 1).then(|| format!("pass {}", listed(&choices, "or")))
}

/// Lists choices; a choice of several names keeps its own `and` apart by a comma.
fn listed(choices: &[String], word: &str) -> String {
    if choices.iter().any(|choice| choice.contains(" and ")) {
        choices.join(&format!(", {word} "))
    } else {
        message::list(choices, word)
    }
}
