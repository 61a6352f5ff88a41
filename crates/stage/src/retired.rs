//! The names that tools no longer take, and what to send instead (contract, section 10.3).
//!
//! [`DEFAULT`] is the table of the reference. A host extends it through `inventory`
//! ([`RetiredEntry`]), or gives a stage a table of its own in its place.

use crate::Signature;
use crate::registry::{self, RetiredEntry};
use std::sync::OnceLock;

/// What is said of `ops` to a tool that takes `effects`.
pub const OPS_RETIRED: &str = "`ops` is no longer an argument — `apply` takes `effects` \
     (the kernel ops are a library/fixture contract since spec/mutate 3.0)";

/// What is said of `dry_run` to any tool.
pub const DRY_RUN_RETIRED: &str =
    "`dry_run` is no longer an argument — preview with `plan { effects: [...] }`";

/// The retired names of the reference, in the order in which they are looked at.
pub static DEFAULT: &[RetiredEntry] = &[
    entry("doc", &["id", "path"], "pass `id` or `path`"),
    entry("block", &["id"], "pass `id`"),
    entry("node", &["id"], "pass `id`"),
    entry(
        "heading",
        &["section"],
        "pass `section` (the heading's text), or blocks_append with the heading's `id`",
    ),
    entry("markdown", &["text"], "pass `text`"),
    entry(
        "ops",
        &["effects"],
        "`apply` takes `effects` (the kernel ops are a library/fixture contract since spec/mutate 3.0)",
    ),
    entry("dry_run", &[], "preview with `plan { effects: [...] }`"),
    entry("attrs", &["checked"], "pass `checked`"),
];

const fn entry(
    name: &'static str,
    needs: &'static [&'static str],
    instead: &'static str,
) -> RetiredEntry {
    RetiredEntry {
        name,
        needs,
        instead,
        package: env!("CARGO_PKG_NAME"),
    }
}

/// Lists the retired names in force: what hosts registered, sorted, then [`DEFAULT`].
///
/// What a host says of a name comes before what the reference says of it.
pub fn in_force() -> &'static [RetiredEntry] {
    static IN_FORCE: OnceLock<Vec<RetiredEntry>> = OnceLock::new();
    IN_FORCE.get_or_init(|| {
        let mut entries = registry::retired();
        entries.extend_from_slice(DEFAULT);
        entries
    })
}

/// Says what to send instead of a retired name; `None` when the name is not retired, or the tool
/// has no replacement for it.
///
/// ```
/// use callmend_stage::{Tool, retired};
/// use serde_json::json;
///
/// let read = Tool::new("docs_read", json!({"properties": {"id": {}, "path": {}}}))?;
/// assert_eq!(
///     retired::message("doc", read.signature(), retired::DEFAULT).unwrap(),
///     "`doc` is no longer an argument — pass `id` or `path`",
/// );
/// # Ok::<(), callmend_stage::ToolError>(())
/// ```
pub fn message(name: &str, signature: &Signature, entries: &[RetiredEntry]) -> Option<String> {
    let entry = entries
        .iter()
        .filter(|entry| entry.name == name)
        .find(|entry| entry.needs.iter().all(|need| signature.is_declared(need)))?;
    Some(format!(
        "`{}` is no longer an argument — {}",
        entry.name, entry.instead
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tool;
    use serde_json::{Value, json};

    fn said(name: &str, declared: &[&str]) -> Option<String> {
        let properties: serde_json::Map<String, Value> = declared
            .iter()
            .map(|name| ((*name).to_owned(), json!({})))
            .collect();
        let tool = Tool::new("t", json!({ "properties": properties })).unwrap();
        message(name, tool.signature(), DEFAULT)
    }

    #[test]
    fn the_constants_are_what_the_table_says() {
        assert_eq!(said("ops", &["effects"]).as_deref(), Some(OPS_RETIRED));
        assert_eq!(said("dry_run", &[]).as_deref(), Some(DRY_RUN_RETIRED));
    }

    #[test]
    fn a_retired_name_needs_its_replacement() {
        assert_eq!(said("doc", &["id"]), None);
        assert_eq!(said("block", &["path"]), None);
        assert_eq!(said("attrs", &[]), None);
        assert_eq!(
            said("node", &["id"]).unwrap(),
            "`node` is no longer an argument — pass `id`"
        );
    }
}
