//! Which calls in a history already have their result.

use std::collections::HashMap;

/// Counts the results in a body, so that as many calls as there are results count as answered.
#[derive(Debug, Default)]
pub(crate) struct Answers<'b> {
    by_id: HashMap<&'b str, usize>,
    by_name: HashMap<&'b str, usize>,
    nameless: usize,
}

impl<'b> Answers<'b> {
    /// Notes one result: by its id, else by its tool's name, else by its being there.
    pub(crate) fn note(&mut self, id: Option<&'b str>, name: Option<&'b str>) {
        match (id, name) {
            (Some(id), _) => *self.by_id.entry(id).or_default() += 1,
            (None, Some(name)) => *self.by_name.entry(name).or_default() += 1,
            (None, None) => self.nameless += 1,
        }
    }

    /// Says whether a call has a result, and uses that result up.
    pub(crate) fn take(&mut self, id: Option<&str>, name: &str) -> bool {
        let by_id = id.and_then(|id| self.by_id.get_mut(id));
        let counts = [by_id, self.by_name.get_mut(name), Some(&mut self.nameless)];
        for count in counts.into_iter().flatten() {
            if *count > 0 {
                *count -= 1;
                return true;
            }
        }
        false
    }
}
