//! The stages that the pipeline names itself, each behind its Cargo feature.

use callmend_stage::registry::ToolRepair;
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

/// Names a stage behind the Cargo feature of its id.
macro_rules! stage {
    ($id:literal, $cascade:ident, $stage:path) => {
        Builtin {
            id: $id,
            cascade: Cascade::$cascade,
            #[cfg(feature = $id)]
            stage: Some(&$stage),
            #[cfg(not(feature = $id))]
            stage: None,
        }
    };
}

/// Lists the stages of both cascades, in order.
pub(crate) fn all() -> [Builtin; 9] {
    [
        stage!("parse-leniency", Standard, callmend_parse_leniency::STAGE),
        stage!("unwrap", Extended, callmend_unwrap::STAGE),
        stage!("markup-split", Standard, callmend_markup_split::STAGE),
        stage!("alias-rename", Standard, callmend_alias_rename::STAGE),
        stage!("tool-repair", Standard, callmend_tool_repair::STAGE),
        stage!("type-drift", Extended, callmend_type_drift::STAGE),
        stage!("strict-reject", Standard, callmend_strict_reject::STAGE),
        stage!("ambiguity", Standard, callmend_ambiguity::STAGE),
        stage!(
            "argument-validate",
            Standard,
            callmend_argument_validate::STAGE
        ),
    ]
}

/// Lists the tool repairs that tool-repair brings, for targets where registration does not work.
pub(crate) fn tool_repairs() -> Vec<&'static dyn ToolRepair> {
    #[cfg(feature = "tool-repair")]
    return vec![&callmend_tool_repair::TASK, &callmend_tool_repair::YIELD];
    #[cfg(not(feature = "tool-repair"))]
    return Vec::new();
}
