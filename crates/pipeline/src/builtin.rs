//! The stages that the pipeline names itself, each behind its Cargo feature.

use callmend_stage::{Cascade, Stage};

/// One stage of the two canonical cascades.
pub(crate) struct Builtin {
    pub(crate) id: &'static str,
    /// The smallest cascade that it belongs to.
    pub(crate) cascade: Cascade,
    /// Nothing when its Cargo feature is off.
    pub(crate) stage: Option<&'static dyn Stage>,
}

impl Builtin {
    pub(crate) fn belongs_to(&self, cascade: Cascade) -> bool {
        self.cascade == Cascade::Standard || cascade == Cascade::Extended
    }
}

/// Lists the stages of both cascades, in order.
pub(crate) fn all() -> [Builtin; 9] {
    use Cascade::{Extended, Standard};
    let builtin = |id, cascade, stage| Builtin { id, cascade, stage };
    [
        builtin("parse-leniency", Standard, None),
        builtin("unwrap", Extended, None),
        builtin("markup-split", Standard, None),
        builtin("alias-rename", Standard, None),
        builtin("tool-repair", Standard, None),
        builtin("type-drift", Extended, None),
        builtin("strict-reject", Standard, None),
        builtin("ambiguity", Standard, None),
        builtin("argument-validate", Standard, None),
    ]
}
