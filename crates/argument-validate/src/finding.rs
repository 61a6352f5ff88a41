//! One thing that is wrong with a call.

use callmend_stage::pointer;
use callmend_stage::{Code, Rejection, Signature};
use std::cmp::Ordering;

use crate::message;

/// How many findings after the first go into the hints.
const LISTED: usize = 10;

/// One thing that is wrong: where, and what is said of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Finding {
    /// Where, as a JSON Pointer.
    pub(crate) path: String,
    pub(crate) code: Code,
    /// The message without its tail.
    pub(crate) body: String,
    /// The corrected arguments, as canonical JSON.
    pub(crate) fix: Option<String>,
    /// What else helps, when this is what the message is about.
    pub(crate) hint: Option<String>,
}

impl Finding {
    pub(crate) fn new(path: impl Into<String>, code: Code, body: String) -> Self {
        Self {
            path: path.into(),
            code,
            body,
            fix: None,
            hint: None,
        }
    }
}

/// Rejects a call for the first finding; the next ten are its hints.
pub(crate) fn rejection(
    signature: &Signature,
    findings: impl IntoIterator<Item = Finding>,
) -> Option<Rejection> {
    let mut findings = findings.into_iter();
    let first = findings.next()?;
    let mut rejection = message::rejection(signature, first.code, &first.body).at(first.path);
    rejection.fix = first.fix;
    rejection.hints = findings.take(LISTED).map(|other| other.body).collect();
    rejection.hints.extend(first.hint);
    Some(rejection)
}

/// Orders findings by path, tokens bytewise and indices by number, and drops repeats.
pub(crate) fn sort(findings: &mut Vec<Finding>) {
    findings.sort_by(|a, b| {
        by_path(&a.path, &b.path)
            .then_with(|| message::rank(a.code).cmp(&message::rank(b.code)))
            .then_with(|| a.body.cmp(&b.body))
    });
    findings.dedup_by(|a, b| a.path == b.path && a.body == b.body);
}

fn by_path(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (pointer::tokens(a), pointer::tokens(b));
    loop {
        let order = match (a.next(), b.next()) {
            (Some(x), Some(y)) => match (pointer::index(&x), pointer::index(&y)) {
                (Some(x), Some(y)) => x.cmp(&y),
                _ => x.cmp(&y),
            },
            (None, None) => return Ordering::Equal,
            (x, y) => return x.is_some().cmp(&y.is_some()),
        };
        if order.is_ne() {
            return order;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parent_comes_before_its_members_and_indices_count() {
        let mut paths = ["/b", "/a/10", "/a/2", "/a", "", "/a/2/x"];
        paths.sort_by(|a, b| by_path(a, b));
        assert_eq!(paths, ["", "/a", "/a/2", "/a/2/x", "/a/10", "/b"]);
    }
}
