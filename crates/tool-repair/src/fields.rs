//! Holds an entry to the fields that it lists.

use callmend_stage::{Change, pointer};

/// Finds the first place that a plan touches and its entry does not list, as an argument path.
pub(crate) fn outside(fields: &[&str], changes: &[Change]) -> Option<String> {
    changes
        .iter()
        .flat_map(|change| [Some(change.op.path()), change.op.from()])
        .flatten()
        .find(|at| !fields.iter().any(|field| covers(field, at)))
        .map(pointer::display)
}

/// Says whether a place is a field, or stands within one. A field is written `name`, or
/// `list[].name` for a member of every item of a list.
fn covers(field: &str, at: &str) -> bool {
    let mut tokens = pointer::tokens(at);
    field.split('.').all(|part| {
        let (name, items) = match part.strip_suffix("[]") {
            Some(list) => (list, true),
            None => (part, false),
        };
        let named = tokens.next().is_some_and(|token| token == name);
        let item = || {
            tokens
                .next()
                .is_some_and(|token| token == "-" || pointer::index(&token).is_some())
        };
        named && (!items || { item }())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_covers_itself_and_what_stands_within() {
        assert!(covers("task", "/task"));
        assert!(covers("task", "/task/deep"));
        assert!(covers("tasks[].task", "/tasks/0/task"));
        assert!(covers("a[]", "/a/-"));
        assert!(covers("a.b", "/a/b"));
    }

    #[test]
    fn a_field_covers_nothing_else() {
        for at in [
            "",
            "/",
            "/tasks",
            "/tasks/0",
            "/tasks/x/task",
            "/tasks/0/other",
            "/context",
        ] {
            assert!(!covers("tasks[].task", at), "{at}");
        }
        assert!(!covers("task", "/tasks"));
        assert!(!covers("a.b", "/a"));
    }
}
