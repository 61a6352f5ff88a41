//! The common aliases (contract, sections 6 and 12).

/// Names that models use for one thing, in the normalized form: lower case, no separators.
#[derive(Debug, Clone, Copy)]
pub struct Group {
    /// What the standard cascade renames to.
    pub canonical: &'static str,
    /// Further names that, in the extended cascade, a declared property may have.
    pub others: &'static [&'static str],
    /// Names that are never a target: tools use them for other things as well.
    pub only_sent: &'static [&'static str],
}

impl Group {
    /// Lists what models send for the canonical name: every other name of the group.
    pub fn sent(&self) -> impl Iterator<Item = &'static str> {
        self.others.iter().chain(self.only_sent).copied()
    }

    /// Lists the names that a declared property may have in the extended cascade.
    pub fn targets(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.canonical).chain(self.others.iter().copied())
    }
}

/// The built-in groups.
pub const GROUPS: &[Group] = &[
    Group {
        canonical: "path",
        others: &["filepath", "targetfile"],
        only_sent: &["file", "filename"],
    },
    Group {
        canonical: "content",
        others: &["contents"],
        only_sent: &["text", "body"],
    },
    Group {
        canonical: "recursive",
        others: &["isrecursive", "recurse"],
        only_sent: &[],
    },
    Group {
        canonical: "directory",
        others: &["dir", "folder"],
        only_sent: &[],
    },
    Group {
        canonical: "query",
        others: &["q", "searchquery"],
        only_sent: &[],
    },
    Group {
        canonical: "op",
        others: &["operation"],
        only_sent: &["action"],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::form;
    use std::collections::HashSet;

    #[test]
    fn every_name_is_in_its_normalized_form_and_in_one_group() {
        let mut seen = HashSet::new();
        for group in GROUPS {
            for name in group.targets().chain(group.sent()) {
                assert_eq!(form(name), name);
            }
            let distinct = std::iter::once(group.canonical).chain(group.sent());
            for name in distinct {
                assert!(seen.insert(name), "{name} stands twice");
            }
        }
    }
}
