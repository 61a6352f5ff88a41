//! Lists what this program has: the canonical stages, and what other crates registered.

use crate::builtin;
use callmend_stage::registry;
use callmend_stage::{Cascade, Stage, StageMeta};

/// One stage that a pipeline of this program can take.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Listed {
    /// Who it is, and the package that it comes from.
    pub meta: &'static StageMeta,
    /// The smallest cascade that takes it by itself; nothing for a stage that another crate
    /// registered, which only a builder's word takes.
    pub cascade: Option<Cascade>,
}

/// Lists every stage of this program, by place and id.
///
/// ```
/// let orders: Vec<_> = callmend::catalog::stages().iter().map(|s| s.meta.order).collect();
/// assert!(orders.is_sorted());
/// ```
pub fn stages() -> Vec<Listed> {
    let builtin = builtin::all().into_iter().filter_map(|builtin| {
        Some(Listed {
            meta: builtin.stage?.meta(),
            cascade: Some(builtin.cascade),
        })
    });
    let foreign = registered().into_iter().map(|stage| Listed {
        meta: stage.meta(),
        cascade: None,
    });
    let mut all: Vec<_> = builtin.chain(foreign).collect();
    all.sort_by_key(|listed| (listed.meta.order, listed.meta.id, listed.meta.package));
    all
}

/// Lists the tool repairs that this program's crates registered, by tool and package.
pub fn tool_repairs() -> Vec<&'static dyn registry::ToolRepair> {
    registry::tool_repairs()
}

/// Lists the registered stages that are not the pipeline's own, each once, by place and id.
pub(crate) fn registered() -> Vec<&'static dyn Stage> {
    let own = builtin::all();
    let mut found: Vec<&'static dyn Stage> = Vec::new();
    for stage in registry::stages() {
        let is_own = own
            .iter()
            .filter_map(|builtin| builtin.stage)
            .any(|builtin| same(builtin, stage));
        if !is_own && !found.iter().any(|other| same(*other, stage)) {
            found.push(stage);
        }
    }
    found
}

/// Whether two references are to one stage: stages have no state, and often no address either.
pub(crate) fn same(one: &dyn Stage, other: &dyn Stage) -> bool {
    std::ptr::eq(one.meta(), other.meta())
        || (one.meta().id == other.meta().id && one.meta().package == other.meta().package)
}
