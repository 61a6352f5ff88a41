//! Where a walk stands, kept on the stack so that a clean call allocates nothing.

use callmend_stage::pointer;

/// One step below the root, linked to the step above.
#[derive(Clone, Copy)]
pub(crate) struct Path<'p> {
    above: Option<&'p Path<'p>>,
    step: Step<'p>,
}

#[derive(Clone, Copy)]
enum Step<'p> {
    Root,
    Key(&'p str),
    Index(usize),
}

impl<'p> Path<'p> {
    pub(crate) const ROOT: Self = Self {
        above: None,
        step: Step::Root,
    };

    pub(crate) fn key(&'p self, key: &'p str) -> Self {
        Self {
            above: Some(self),
            step: Step::Key(key),
        }
    }

    pub(crate) fn index(&'p self, index: usize) -> Self {
        Self {
            above: Some(self),
            step: Step::Index(index),
        }
    }

    /// Spells the path as a JSON Pointer.
    pub(crate) fn pointer(&self) -> String {
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
                Step::Key(key) => pointer::push(&mut out, key),
                Step::Index(index) => pointer::push_index(&mut out, index),
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_spelled_as_a_pointer() {
        assert_eq!(Path::ROOT.pointer(), "");
        let root = Path::ROOT;
        let edits = root.key("ed/its");
        assert_eq!(edits.index(2).key("a").pointer(), "/ed~1its/2/a");
    }
}
