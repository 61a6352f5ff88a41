//! What crates register through `inventory`: stages, tool repairs, aliases and retired names.
//!
//! `inventory` gives no order, and a linker drops a crate that nothing names. Whoever reads the
//! registry therefore sorts what it finds and refuses duplicates (contract, section 13).

use crate::{Change, Code, Stage};
use serde_json::{Map, Value};

/// A registered stage.
pub struct StageEntry {
    /// The stage.
    pub stage: &'static dyn Stage,
}

/// A registered repair for one tool.
pub struct ToolRepairEntry {
    /// The repair.
    pub repair: &'static dyn ToolRepair,
}

/// A registered alias: `from` reads as `to` wherever a tool declares `to`.
///
/// `from` is compared lower-cased and without `_`, `-`, `.`, `/` and spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct AliasEntry {
    /// What models send.
    pub from: &'static str,
    /// What the tool declares.
    pub to: &'static str,
    /// The package that registered it: `env!("CARGO_PKG_NAME")`.
    pub package: &'static str,
}

/// A registered retired name: an argument that tools no longer take (contract, section 10.3).
///
/// The message is `` `NAME` is no longer an argument — INSTEAD ``.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RetiredEntry {
    /// The name that was retired.
    pub name: &'static str,
    /// The declared names that the tool must have for the message to hold.
    pub needs: &'static [&'static str],
    /// What to send instead.
    pub instead: &'static str,
    /// The package that registered it.
    pub package: &'static str,
}

/// Repairs the mistakes that models make with one tool (contract, section 7).
///
/// An entry rewrites only the fields that it lists, and planning again on its own result gives
/// nothing.
pub trait ToolRepair: Sync {
    /// Returns the name of the tool, exactly.
    fn tool(&self) -> &'static str;

    /// Returns the fields that the entry may rewrite, as `name` or `list[].name`.
    fn fields(&self) -> &'static [&'static str];

    /// Returns the code of its edits and what it means, one line.
    fn code(&self) -> (Code, &'static str);

    /// Returns the package that it comes from: `env!("CARGO_PKG_NAME")`.
    fn package(&self) -> &'static str;

    /// Plans the changes for a call's arguments; nothing when the call carries no such mistake.
    fn plan(&self, arguments: &Map<String, Value>) -> Vec<Change>;
}

inventory::collect!(StageEntry);
inventory::collect!(ToolRepairEntry);
inventory::collect!(AliasEntry);
inventory::collect!(RetiredEntry);

/// Lists the registered stages by place and id.
pub fn stages() -> Vec<&'static dyn Stage> {
    let mut found: Vec<_> = inventory::iter::<StageEntry>
        .into_iter()
        .map(|entry| entry.stage)
        .collect();
    found.sort_by_key(|stage| (stage.meta().order, stage.meta().id));
    found
}

/// Lists the registered tool repairs by tool and package.
pub fn tool_repairs() -> Vec<&'static dyn ToolRepair> {
    let mut found: Vec<_> = inventory::iter::<ToolRepairEntry>
        .into_iter()
        .map(|entry| entry.repair)
        .collect();
    found.sort_by_key(|repair| (repair.tool(), repair.package()));
    found
}

/// Lists the registered aliases, sorted.
pub fn aliases() -> Vec<AliasEntry> {
    let mut found: Vec<_> = inventory::iter::<AliasEntry>.into_iter().copied().collect();
    found.sort();
    found
}

/// Lists the registered retired names, sorted.
pub fn retired() -> Vec<RetiredEntry> {
    let mut found: Vec<_> = inventory::iter::<RetiredEntry>
        .into_iter()
        .copied()
        .collect();
    found.sort();
    found
}
