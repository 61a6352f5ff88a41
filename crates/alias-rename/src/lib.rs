//! Gives keys their declared names: common aliases, casing and separators.
//!
//! # What it repairs
//!
//! A key that the tool does not declare, and that reads as exactly one argument which it does:
//!
//! - another spelling of it: `filePath` or `file-path` for `file_path`. Names are compared
//!   lower-cased and without `_`, `-`, `.`, `/` and spaces;
//! - a common alias of it: `filepath` for `path`, `contents` for `content`, `q` for `query`, and
//!   whatever a tool adds with `x-aliases` on a property's schema, a host with
//!   [`ToolBuilder::alias`](callmend_stage::ToolBuilder::alias), or a crate with an
//!   [`AliasEntry`](callmend_stage::registry::AliasEntry).
//!
//! The key keeps its place in the object, its value is not touched.
//!
//! In the extended cascade it reaches every declared object at any depth, another spelling comes
//! before an alias, and the common aliases work both ways: `path` becomes a declared `file_path`
//! when that is the only declared name of its group. `file`, `filename`, `text`, `body` and
//! `action` are never targets.
//!
//! # Why models do this
//!
//! The same argument has other names in the tools that they saw in training, and in the sibling
//! tools of the same prompt; and they write the casing of the language that they just wrote.
//!
//! # Before and after
//!
//! For a tool that takes `path` and `content`, `{"filepath": "a.rs", "Content": ""}` becomes
//! `{"path": "a.rs", "content": ""}`, with the hints `` pass `path`, not `filepath` `` and
//! `` pass `content`, not `Content` ``.
//!
//! # When it refuses
//!
//! When a key reads as more than one argument, when two keys read as one, and when the argument
//! already has a value: which of the values is meant? The message names every key involved.
//!
//! A key that is one or two letters off is not renamed (later stages suggest the name). Neither is
//! a name that the harness owns, any that begins with `__`, any key of an object whose schema has
//! `patternProperties`, nor, below the root, any key of an object whose undeclared members have a
//! type of their own: such a key may well be meant. Two declared names that read alike are both
//! left alone. In the extended cascade a key is never renamed to what only an alternative declares
//! that the object's own constants rule out.
//!
//! # Codes
//!
//! | code | kind | meaning |
//! |---|---|---|
//! | `alias` | edit | a common alias got its declared name |
//! | `spelling` | edit | a declared name in another casing or with other separators was put right |
//! | `alias-ambiguous` | rejection | one key reads as more than one declared argument |
//! | `alias-collision` | rejection | two or more keys read as one declared argument |
//! | `alias-occupied` | rejection | a key reads as a declared argument that already has a value |
//!
//! Cost: one look-up a key, the tables being built once per tool. An unknown key is read no
//! further than the longest name that it could be; a call without unknown keys allocates nothing.
//!
//! ```
//! use callmend_alias_rename::STAGE;
//! use callmend_stage::{Cascade, Draft, Stage, Tool};
//! use serde_json::json;
//!
//! let write = Tool::new("write", json!({
//!     "type": "object",
//!     "properties": { "path": {"type": "string"}, "content": {"type": "string"} }
//! }))?;
//! let prepared = STAGE.prepare(&write, Cascade::Standard)?.expect("the tool declares arguments");
//! let mut draft = Draft::new(json!({"filepath": "a.rs", "Content": ""}));
//! let verdict = prepared.plan(&draft);
//! draft.apply("alias-rename", verdict)?;
//! assert_eq!(draft.value(), Some(&json!({"path": "a.rs", "content": ""})));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod aliases;
mod form;
pub mod message;
mod table;
mod walk;

use callmend_stage::registry::{self, StageEntry};
use callmend_stage::{
    Cascade, Draft, Order, Prepared, Signature, Slot, Stage, StageMeta, Tool, ToolError, Verdict,
    inventory,
};
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use table::Table;
use walk::{Found, Tables};

/// The stage.
pub static STAGE: AliasRename = AliasRename;

inventory::submit! { StageEntry { stage: &STAGE } }

static META: StageMeta = StageMeta {
    id: message::ID,
    order: Order::ALIAS_RENAME,
    rewrites: true,
    summary: "gives keys their declared names: aliases, casing, separators",
    codes: message::CODES,
    package: env!("CARGO_PKG_NAME"),
};

/// Renames unknown keys that read as exactly one declared argument (contract, sections 6 and 12).
#[derive(Debug, Clone, Copy, Default)]
pub struct AliasRename;

impl Stage for AliasRename {
    fn meta(&self) -> &'static StageMeta {
        &META
    }

    fn prepare(
        &self,
        tool: &Tool,
        cascade: Cascade,
    ) -> Result<Option<Box<dyn Prepared>>, ToolError> {
        let tables = tables(tool, cascade);
        if tables.by_slot.is_empty() {
            return Ok(None);
        }
        let signature = tool.signature().clone();
        Ok(Some(Box::new(Names { signature, tables })))
    }
}

struct Names {
    signature: Arc<Signature>,
    tables: Tables,
}

impl Prepared for Names {
    fn plan(&self, call: &Draft<'_>) -> Verdict {
        match call.object() {
            Some(arguments) => plan(&self.signature, &self.tables, arguments),
            None => Verdict::Pass,
        }
    }
}

/// Renames what reads as one declared argument; rejects what reads as none alone.
fn plan(signature: &Signature, tables: &Tables, arguments: &Map<String, Value>) -> Verdict {
    let found = Found::in_arguments(signature, tables, arguments);
    match found.rejection() {
        Some(rejection) => rejection.into(),
        None if found.changes.is_empty() => Verdict::Pass,
        None => Verdict::Rewrite(found.changes),
    }
}

fn tables(tool: &Tool, cascade: Cascade) -> Tables {
    let registered = registry::aliases();
    let extended = cascade == Cascade::Extended;
    let root = tool.signature().root();
    let mut tables = Tables {
        by_slot: HashMap::new(),
        live: HashSet::new(),
        extended,
    };
    // Which slots stand directly above each slot.
    let mut above: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut seen = HashSet::from([root.id()]);
    let mut work: Vec<Slot<'_>> = vec![root];
    while let Some(slot) = work.pop() {
        // Under patternProperties no list of names tells which keys are unknown.
        if !slot.is_patterned()
            && let Some(table) = Table::new(slot, tool, &registered, cascade)
        {
            tables.by_slot.insert(slot.id(), table);
        }
        if !extended {
            break;
        }
        for below in slot.children() {
            above.entry(below.id()).or_default().push(slot.id());
            if seen.insert(below.id()) {
                work.push(below);
            }
        }
    }
    let mut work: Vec<usize> = tables.by_slot.keys().copied().collect();
    while let Some(id) = work.pop() {
        if tables.live.insert(id) {
            work.extend(above.get(&id).into_iter().flatten());
        }
    }
    tables
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests;
