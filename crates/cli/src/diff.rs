//! Shows two texts with their differences marked, line by line.

/// One line of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark<'t> {
    /// Stands in both.
    Same(&'t str),
    /// Stands only in the first.
    Gone(&'t str),
    /// Stands only in the second.
    New(&'t str),
}

/// Beyond this many pairs of lines the middle is shown as wholly changed.
const MAX_PAIRS: usize = 250_000;

/// How many lines that did not change are kept around those that did.
const CONTEXT: usize = 2;

/// Compares two texts by lines; lines far from any difference are left out.
pub(crate) fn lines<'t>(before: &'t str, after: &'t str) -> Vec<Mark<'t>> {
    let old: Vec<&str> = before.lines().collect();
    let new: Vec<&str> = after.lines().collect();
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - head;
    let tail = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take(rest)
        .take_while(|(a, b)| a == b)
        .count();
    let middle = |all: &[&'t str]| -> Vec<&'t str> {
        let end = all.len() - tail;
        all.get(head..end).unwrap_or_default().to_vec()
    };
    let mut out: Vec<Mark<'t>> = Vec::new();
    let first = head.saturating_sub(CONTEXT);
    out.extend(
        old.iter()
            .take(head)
            .skip(first)
            .map(|line| Mark::Same(line)),
    );
    compare(&middle(&old), &middle(&new), &mut out);
    let from = old.len() - tail;
    out.extend(
        old.iter()
            .skip(from)
            .take(CONTEXT)
            .map(|line| Mark::Same(line)),
    );
    out
}

/// Marks what a longest common subsequence leaves over.
fn compare<'t>(old: &[&'t str], new: &[&'t str], out: &mut Vec<Mark<'t>>) {
    let width = new.len() + 1;
    if old.len().saturating_mul(new.len()) > MAX_PAIRS {
        out.extend(old.iter().map(|line| Mark::Gone(line)));
        out.extend(new.iter().map(|line| Mark::New(line)));
        return;
    }
    let mut lengths = vec![0_usize; (old.len() + 1) * width];
    let at =
        |lengths: &[usize], i: usize, j: usize| lengths.get(i * width + j).copied().unwrap_or(0);
    for (i, a) in old.iter().enumerate().rev() {
        for (j, b) in new.iter().enumerate().rev() {
            let length = match a == b {
                true => at(&lengths, i + 1, j + 1) + 1,
                false => at(&lengths, i + 1, j).max(at(&lengths, i, j + 1)),
            };
            if let Some(place) = lengths.get_mut(i * width + j) {
                *place = length;
            }
        }
    }
    let (mut i, mut j) = (0, 0);
    loop {
        match (old.get(i), new.get(j)) {
            (Some(a), Some(b)) if a == b => {
                out.push(Mark::Same(a));
                i += 1;
                j += 1;
            }
            (Some(a), b) if b.is_none() || at(&lengths, i + 1, j) >= at(&lengths, i, j + 1) => {
                out.push(Mark::Gone(a));
                i += 1;
            }
            (_, Some(b)) => {
                out.push(Mark::New(b));
                j += 1;
            }
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Mark::{Gone, New, Same};

    #[test]
    fn what_changed_is_marked_and_what_did_not_stands_around_it() {
        assert_eq!(
            lines("a\nb\nc\nd\ne\nf\ng", "a\nb\nc\nD\ne\nf\ng"),
            [
                Same("b"),
                Same("c"),
                Gone("d"),
                New("D"),
                Same("e"),
                Same("f")
            ]
        );
    }

    #[test]
    fn two_changes_apart_leave_what_is_between_them() {
        assert_eq!(
            lines("a\nb\nc", "A\nb\nC"),
            [Gone("a"), New("A"), Same("b"), Gone("c"), New("C")]
        );
    }

    #[test]
    fn nothing_and_something_are_told_apart() {
        assert_eq!(lines("", "x"), [New("x")]);
        assert_eq!(lines("x", ""), [Gone("x")]);
        assert_eq!(lines("x", "x"), [Same("x")]);
    }

    #[test]
    fn texts_of_many_lines_are_compared_without_a_table() {
        let many = |word: &str| {
            (0..1000)
                .map(|n| format!("{word}{n}\n"))
                .collect::<String>()
        };
        let (old, new) = (many("a"), many("b"));
        assert_eq!(lines(&old, &new).len(), 2000);
    }
}
