//! The look-up table of one declared object: from a normalized form to what it may mean.

use crate::aliases::GROUPS;
use crate::form;
use callmend_stage::registry::AliasEntry;
use callmend_stage::{Cascade, Slot, Tool};
use std::collections::HashMap;

/// What the keys of one declared object may mean.
#[derive(Debug)]
pub(crate) struct Table {
    entries: HashMap<String, Entry>,
    /// The length of the longest form, in bytes: what is longer means nothing.
    longest: usize,
}

/// What one normalized form may mean.
#[derive(Debug, Default)]
pub(crate) struct Entry {
    /// The declared name that has this form, when it is the only one.
    pub(crate) spelling: Option<String>,
    /// The declared targets of aliases, each once, in bytewise order.
    pub(crate) aliases: Vec<String>,
}

impl Table {
    /// Builds the table of the object at `slot`; `None` when it declares nothing.
    pub(crate) fn new(
        slot: Slot<'_>,
        tool: &Tool,
        registered: &[AliasEntry],
        cascade: Cascade,
    ) -> Option<Self> {
        let mut builder = Builder::default();
        builder.spellings(slot);
        for (name, member) in slot.properties() {
            for alias in member.aliases() {
                builder.alias(&form::form(alias), name);
            }
        }
        let own = tool
            .aliases()
            .iter()
            .map(|(from, to)| (from.as_str(), to.as_str()));
        let registered = registered.iter().map(|entry| (entry.from, entry.to));
        for (from, to) in own.chain(registered) {
            if slot.declares(to) {
                builder.alias(&form::form(from), to);
            }
        }
        match cascade {
            Cascade::Extended => builder.groups_both_ways(slot),
            _ => builder.groups(slot),
        }
        builder.build()
    }

    /// Finds what a key may mean; `form` is a buffer to work in.
    pub(crate) fn get(&self, key: &str, form: &mut String) -> Option<&Entry> {
        if !form::bounded(key, self.longest, form) {
            return None;
        }
        self.entries.get(form.as_str())
    }
}

#[derive(Default)]
struct Builder {
    entries: HashMap<String, Entry>,
}

impl Builder {
    fn spellings(&mut self, slot: Slot<'_>) {
        let mut by_form: HashMap<String, Vec<&str>> = HashMap::new();
        for (name, _) in slot.properties() {
            by_form.entry(form::form(name)).or_default().push(name);
        }
        for (form, names) in by_form {
            // Two declared names of one form are matched by neither.
            if let [name] = names.as_slice() {
                self.entries.entry(form).or_default().spelling = Some((*name).to_owned());
            }
        }
    }

    fn groups(&mut self, slot: Slot<'_>) {
        for group in GROUPS {
            if slot.declares(group.canonical) {
                for from in group.sent() {
                    self.alias(from, group.canonical);
                }
            }
        }
    }

    fn groups_both_ways(&mut self, slot: Slot<'_>) {
        for (name, _) in slot.properties() {
            let own = form::form(name);
            for group in GROUPS {
                if group.targets().any(|target| target == own) {
                    for from in group.sent().chain([group.canonical]) {
                        self.alias(from, name);
                    }
                }
            }
        }
    }

    fn alias(&mut self, form: &str, target: &str) {
        let aliases = &mut self.entries.entry(form.to_owned()).or_default().aliases;
        if !aliases.iter().any(|other| other == target) {
            aliases.push(target.to_owned());
        }
    }

    fn build(mut self) -> Option<Table> {
        // An empty form matches nothing.
        self.entries.remove("");
        for entry in self.entries.values_mut() {
            entry.aliases.sort();
        }
        let longest = self.entries.keys().map(String::len).max()?;
        Some(Table {
            entries: self.entries,
            longest,
        })
    }
}
