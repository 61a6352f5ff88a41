//! JSON Pointer (RFC 6901), and the argument paths that messages use.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Appends one reference token to a pointer, escaping `~` and `/` (RFC 6901, section 3).
///
/// ```
/// let mut at = String::from("/edits");
/// callmend_stage::pointer::push(&mut at, "a/b");
/// assert_eq!(at, "/edits/a~1b");
/// ```
pub fn push(pointer: &mut String, token: &str) {
    pointer.push('/');
    for part in token.split_inclusive(['~', '/']) {
        match part.strip_suffix(['~', '/']) {
            Some(plain) if part.ends_with('~') => {
                pointer.push_str(plain);
                pointer.push_str("~0");
            }
            Some(plain) => {
                pointer.push_str(plain);
                pointer.push_str("~1");
            }
            None => pointer.push_str(part),
        }
    }
}

/// Appends an array index to a pointer.
pub fn push_index(pointer: &mut String, index: usize) {
    // Writing to a String cannot fail.
    let _ = write!(pointer, "/{index}");
}

/// Makes the pointer to one member of the root object.
///
/// ```
/// assert_eq!(callmend_stage::pointer::to("file_path"), "/file_path");
/// ```
pub fn to(key: &str) -> String {
    let mut pointer = String::with_capacity(key.len() + 1);
    push(&mut pointer, key);
    pointer
}

/// Decodes one reference token.
pub fn unescape(token: &str) -> Cow<'_, str> {
    if token.contains('~') {
        Cow::Owned(token.replace("~1", "/").replace("~0", "~"))
    } else {
        Cow::Borrowed(token)
    }
}

/// Splits a pointer into its parent's pointer and its last token, decoded; `None` for the root.
pub fn split_last(pointer: &str) -> Option<(&str, Cow<'_, str>)> {
    let (parent, token) = pointer.rsplit_once('/')?;
    Some((parent, unescape(token)))
}

/// Lists the decoded reference tokens of a pointer, from the root.
pub fn tokens(pointer: &str) -> impl Iterator<Item = Cow<'_, str>> {
    pointer.split('/').skip(1).map(unescape)
}

/// Reads a token as an array index: no sign, no leading zero (RFC 6901, section 4).
pub fn index(token: &str) -> Option<usize> {
    let canonical = token == "0" || !token.starts_with('0');
    if canonical && token.bytes().all(|b| b.is_ascii_digit()) {
        token.parse().ok()
    } else {
        None
    }
}

/// Spells a pointer as the argument path that a message shows: `/edits/0/old_text` is
/// `edits[0].old_text`.
///
/// A token that is all digits reads as an index; clip the result before it goes into a message.
///
/// ```
/// assert_eq!(callmend_stage::pointer::display("/edits/0/old_text"), "edits[0].old_text");
/// ```
pub fn display(pointer: &str) -> String {
    let mut out = String::with_capacity(pointer.len());
    for token in tokens(pointer) {
        if index(&token).is_some() {
            let _ = write!(out, "[{token}]");
        } else {
            if !out.is_empty() {
                out.push('.');
            }
            out.push_str(&token);
        }
    }
    out
}

/// Where a walk stands: one step below the root, linked to the step above.
///
/// Kept on the stack, so that a walk over a clean call allocates nothing; spelled as a pointer
/// only when there is something to say.
///
/// ```
/// use callmend_stage::pointer::Path;
///
/// let edits = Path::ROOT.key("edits");
/// let item = edits.index(0);
/// assert_eq!(item.key("old").pointer(), "/edits/0/old");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Path<'p> {
    above: Option<&'p Path<'p>>,
    step: Step<'p>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'p> {
    Root,
    Key(&'p str),
    Index(usize),
}

impl<'p> Path<'p> {
    /// The root.
    pub const ROOT: Self = Self {
        above: None,
        step: Step::Root,
    };

    /// Makes the path of a member.
    #[must_use]
    pub fn key(&'p self, key: &'p str) -> Self {
        Self {
            above: Some(self),
            step: Step::Key(key),
        }
    }

    /// Makes the path of an item.
    #[must_use]
    pub fn index(&'p self, index: usize) -> Self {
        Self {
            above: Some(self),
            step: Step::Index(index),
        }
    }

    /// Spells the path as a JSON Pointer.
    pub fn pointer(&self) -> String {
        let mut steps = Vec::new();
        let mut at = Some(self);
        while let Some(path) = at {
            steps.push(path.step);
            at = path.above;
        }
        let mut out = String::new();
        for step in steps.into_iter().rev() {
            match step {
                Step::Root => {}
                Step::Key(key) => push(&mut out, key),
                Step::Index(index) => push_index(&mut out, index),
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_round_trips_through_its_escaping() {
        for token in ["", "a", "~", "/", "~1", "a~/b", "/~/"] {
            let pointer = to(token);
            let (parent, last) = split_last(&pointer).unwrap();
            assert_eq!((parent, last.as_ref()), ("", token));
            assert_eq!(tokens(&pointer).collect::<Vec<_>>(), [token]);
        }
    }

    #[test]
    fn the_root_has_no_last_token() {
        assert_eq!(split_last(""), None);
        assert_eq!(tokens("").count(), 0);
    }

    #[test]
    fn an_index_has_no_leading_zero() {
        assert_eq!(index("0"), Some(0));
        assert_eq!(index("10"), Some(10));
        assert_eq!(index("01"), None);
        assert_eq!(index("+1"), None);
        assert_eq!(index(""), None);
    }

    #[test]
    fn a_path_is_spelled_as_a_pointer() {
        assert_eq!(Path::ROOT.pointer(), "");
        let edits = Path::ROOT.key("ed/its");
        assert_eq!(edits.index(2).key("a").pointer(), "/ed~1its/2/a");
    }
}
