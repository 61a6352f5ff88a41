//! The one grammar that every message is written in (contract, section 11).
//!
//! Lower case, names in backticks, what was expected, then the tail: `` `query` is required (find
//! takes limit?, query) ``. No final stop. One message says one thing, and what to send.

use std::fmt::Write as _;

/// How many characters of a key or value from the call a message quotes at most.
pub const CLIP: usize = 80;

/// Clips what is quoted from a call to [`CLIP`] characters, so that no secret or file body is
/// echoed; control characters become spaces.
///
/// Costs no more than the clipped length, however long `text` is.
///
/// ```
/// use callmend_stage::message::clip;
/// assert_eq!(clip("short"), "short");
/// assert_eq!(clip(&"x".repeat(100)).chars().count(), 80);
/// assert!(clip(&"x".repeat(100)).ends_with('…'));
/// ```
pub fn clip(text: &str) -> String {
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    match text.char_indices().nth(CLIP) {
        None => text.chars().map(clean).collect(),
        Some(_) => text
            .chars()
            .take(CLIP - 1)
            .map(clean)
            .chain(std::iter::once('…'))
            .collect(),
    }
}

/// Quotes a name in backticks, clipped.
///
/// ```
/// assert_eq!(callmend_stage::message::tick("path"), "`path`");
/// ```
pub fn tick(name: &str) -> String {
    format!("`{}`", clip(name))
}

/// Joins parts as a person lists them: `a`, `b` or `c`; `word` stands before the last.
///
/// ```
/// use callmend_stage::message::list;
/// assert_eq!(list(["a", "b", "c"], "or"), "a, b or c");
/// assert_eq!(list(["a", "b"], "and"), "a and b");
/// assert_eq!(list(["a"], "or"), "a");
/// ```
pub fn list<S: AsRef<str>>(parts: impl IntoIterator<Item = S>, word: &str) -> String {
    let mut parts = parts.into_iter().peekable();
    let mut out = String::new();
    let mut first = true;
    while let Some(part) = parts.next() {
        if !first {
            if parts.peek().is_some() {
                out.push_str(", ");
            } else {
                let _ = write!(out, " {word} ");
            }
        }
        out.push_str(part.as_ref());
        first = false;
    }
    out
}

/// Ends a message with its tail: `BODY (TAIL)`.
///
/// ```
/// use callmend_stage::message::with_tail;
/// assert_eq!(with_tail("`q` is required", "find takes q"), "`q` is required (find takes q)");
/// ```
pub fn with_tail(body: &str, tail: &str) -> String {
    format!("{body} ({tail})")
}

/// Spells a tool's tail from its declared names, each with whether it is required: `find takes
/// limit?, query`, the names in bytewise order, or `find takes no arguments` (contract, section
/// 10.1).
///
/// ```
/// use callmend_stage::message::tail;
/// assert_eq!(tail("find", [("query", true), ("limit", false)]), "find takes limit?, query");
/// assert_eq!(tail("now", []), "now takes no arguments");
/// ```
pub fn tail<'n>(tool: &str, names: impl IntoIterator<Item = (&'n str, bool)>) -> String {
    let mut names: Vec<_> = names.into_iter().collect();
    names.sort_unstable();
    if names.is_empty() {
        return format!("{tool} takes no arguments");
    }
    let mut out = format!("{tool} takes ");
    for (at, (name, required)) in names.into_iter().enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        out.push_str(name);
        if !required {
            out.push('?');
        }
    }
    out
}

/// Words what a slot takes, for `must be …`: `an integer`, `one of a, b` (contract, section
/// 10.4). References are followed within `root`, the whole schema.
///
/// ```
/// use callmend_stage::message::phrase;
/// use serde_json::json;
/// let slot = json!({"type": "array", "items": {"type": "string"}});
/// assert_eq!(phrase(&slot, &slot), "an array of strings");
/// ```
pub fn phrase(schema: &serde_json::Value, root: &serde_json::Value) -> String {
    crate::phrase::phrase(schema, root)
}

/// Counts the edits between two names: Levenshtein distance over Unicode scalar values.
///
/// ```
/// assert_eq!(callmend_stage::message::levenshtein("limit", "limti"), 2);
/// ```
pub fn levenshtein(a: &str, b: &str) -> usize {
    strsim::levenshtein(a, b)
}

/// Finds the nearest of some names: a distance of at most 2, or one a prefix of the other (both
/// non-empty; further than 2 away it scores 3). The lowest score wins, ties go to the bytewise
/// first (contract, section 10.3).
///
/// Names whose lengths differ by more than 2 are compared by prefix alone, so a name of a
/// megabyte costs no more than a short one.
///
/// ```
/// use callmend_stage::message::nearest;
/// assert_eq!(nearest("q", ["limit", "query"]), Some("query"));
/// assert_eq!(nearest("zzz", ["limit", "query"]), None);
/// ```
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    candidates
        .into_iter()
        .filter_map(|candidate| score(name, candidate).map(|score| (score, candidate)))
        .min()
        .map(|(_, candidate)| candidate)
}

fn score(name: &str, candidate: &str) -> Option<usize> {
    // A distance of at most 2 changes the length by at most 2 scalar values, 8 bytes.
    let comparable = name.len().abs_diff(candidate.len()) <= 8;
    let near = comparable.then(|| within(name, candidate, 2)).flatten();
    let prefix = !name.is_empty()
        && !candidate.is_empty()
        && (name.starts_with(candidate) || candidate.starts_with(name));
    near.or(prefix.then_some(3))
}

/// Finds the Levenshtein distance of two names when it is at most `limit`: `3^limit` scans, where
/// the whole matrix would cost the product of their lengths.
fn within(a: &str, b: &str, limit: usize) -> Option<usize> {
    let (mut rest_a, mut rest_b) = (a.chars(), b.chars());
    loop {
        let (at_a, at_b) = (rest_a.as_str(), rest_b.as_str());
        match (rest_a.next(), rest_b.next()) {
            (None, None) => return Some(0),
            (x, y) if x == y => {}
            _ if limit == 0 => return None,
            _ => {
                return [
                    (rest_a.as_str(), at_b),
                    (at_a, rest_b.as_str()),
                    (rest_a.as_str(), rest_b.as_str()),
                ]
                .into_iter()
                .filter_map(|(a, b)| within(a, b, limit - 1))
                .min()
                .map(|distance| distance + 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_score_wins_and_ties_go_to_the_bytewise_first() {
        assert_eq!(nearest("ab", ["b", "a"]), Some("a"));
        assert_eq!(
            nearest("limit", ["limits", "limit_per_page"]),
            Some("limits")
        );
    }

    #[test]
    fn a_far_prefix_scores_three_and_loses_to_a_typo() {
        assert_eq!(
            nearest("query", ["query_string_long", "qurey"]),
            Some("qurey")
        );
        assert_eq!(
            nearest("query", ["query_string_long"]),
            Some("query_string_long")
        );
    }

    #[test]
    fn a_near_name_is_found_as_by_the_whole_matrix() {
        let names = [
            "", "a", "b", "ab", "ba", "abc", "acb", "bca", "abcd", "äb", "xabc", "aabbc",
        ];
        for a in names {
            for b in names {
                let whole = Some(levenshtein(a, b)).filter(|distance| *distance <= 2);
                assert_eq!(within(a, b, 2), whole, "{a} {b}");
            }
        }
    }

    #[test]
    fn an_empty_name_is_no_prefix() {
        assert_eq!(nearest("", ["abc"]), None);
        assert_eq!(nearest("abc", [""]), None);
    }

    #[test]
    fn clipping_counts_characters_and_hides_control_characters() {
        assert_eq!(clip("a\nb"), "a b");
        let exactly = "é".repeat(CLIP);
        assert_eq!(clip(&exactly), exactly);
    }
}
