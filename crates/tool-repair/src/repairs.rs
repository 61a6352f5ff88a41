//! The table of entries, checked: at most one for a tool.

use crate::{TASK, YIELD};
use callmend_stage::registry::{self, ToolRepair};

/// Entries, at most one for each tool.
///
/// ```
/// use callmend_tool_repair::{Repairs, TASK};
///
/// let repairs = Repairs::new([&TASK as _])?;
/// assert!(repairs.get("task").is_some());
/// assert!(repairs.get("read").is_none());
/// assert!(Repairs::new([&TASK as _, &TASK as _]).is_err());
/// # Ok::<(), callmend_tool_repair::DuplicateRepair>(())
/// ```
#[derive(Clone)]
pub struct Repairs {
    /// In the order of their tools.
    entries: Vec<&'static dyn ToolRepair>,
}

impl Repairs {
    /// Makes a table of the entries given, and of no others: for a target where registration at
    /// program start does not work, or a host that wants to choose.
    ///
    /// # Errors
    ///
    /// Two entries for one tool.
    pub fn new(
        entries: impl IntoIterator<Item = &'static dyn ToolRepair>,
    ) -> Result<Self, DuplicateRepair> {
        let mut entries: Vec<_> = entries.into_iter().collect();
        entries.sort_by_key(|entry| (entry.tool(), entry.package()));
        for pair in entries.windows(2) {
            if let [one, other] = pair
                && one.tool() == other.tool()
            {
                return Err(DuplicateRepair {
                    tool: one.tool().to_owned(),
                    first: one.package().to_owned(),
                    second: other.package().to_owned(),
                });
            }
        }
        Ok(Self { entries })
    }

    /// Makes the table of the built-in entries.
    ///
    /// # Errors
    ///
    /// None: every built-in entry has its own tool.
    pub fn builtin() -> Result<Self, DuplicateRepair> {
        Self::new([&TASK as &dyn ToolRepair, &YIELD])
    }

    /// Makes the table of every entry that a crate of the program registered, the built-in ones
    /// among them.
    ///
    /// # Errors
    ///
    /// Two entries for one tool.
    pub fn registered() -> Result<Self, DuplicateRepair> {
        Self::new(registry::tool_repairs())
    }

    /// Adds entries; one that is in the table already is not added twice.
    ///
    /// # Errors
    ///
    /// Two entries for one tool.
    pub fn with(
        self,
        more: impl IntoIterator<Item = &'static dyn ToolRepair>,
    ) -> Result<Self, DuplicateRepair> {
        let mut entries = self.entries;
        for entry in more {
            if !entries.iter().any(|other| is_same(*other, entry)) {
                entries.push(entry);
            }
        }
        Self::new(entries)
    }

    /// Finds a tool's entry.
    pub fn get(&self, tool: &str) -> Option<&'static dyn ToolRepair> {
        let at = self
            .entries
            .binary_search_by(|entry| entry.tool().cmp(tool));
        at.ok().and_then(|at| self.entries.get(at)).copied()
    }

    /// Lists the entries by tool.
    pub fn iter(&self) -> impl Iterator<Item = &'static dyn ToolRepair> {
        self.entries.iter().copied()
    }
}

impl std::fmt::Debug for Repairs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let entries = self.entries.iter();
        f.debug_map()
            .entries(entries.map(|entry| (entry.tool(), entry.package())))
            .finish()
    }
}

/// Says whether two entries are one: statics of a unit type may share an address, so what they
/// say of themselves decides.
fn is_same(one: &dyn ToolRepair, other: &dyn ToolRepair) -> bool {
    let told = |entry: &dyn ToolRepair| (entry.tool(), entry.package(), entry.code().0);
    told(one) == told(other) && one.fields() == other.fields()
}

/// Two entries name one tool; found when a pipeline is built or a tool is prepared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("two repairs for the tool `{tool}`: one from {first}, one from {second}")]
#[non_exhaustive]
pub struct DuplicateRepair {
    /// The tool.
    pub tool: String,
    /// The package of one.
    pub first: String,
    /// The package of the other.
    pub second: String,
}
