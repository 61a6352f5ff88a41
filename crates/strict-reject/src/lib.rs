//! Refuses a call that carries arguments which a closed tool does not take.
//!
//! # What it repairs
//!
//! Nothing. It is the point of the cascade where a key that is still unknown, after every rename,
//! stops the call instead of being dropped or passed on in silence: the tool would ignore it, and
//! the model would believe that it counted.
//!
//! # Why models do this
//!
//! They carry an argument over from a sibling tool (`query` where this one takes `pattern`), from
//! an older version of the tool, or invent one that would be handy (`offset`, `dry_run`).
//!
//! # Before and after
//!
//! For a tool that takes `query` and `limit?` and is closed, `{"q": "rust"}` becomes
//!
//! ```text
//! unknown argument `q`; did you mean `query`? (find takes limit?, query)
//! hint: `query` is required
//! ```
//!
//! # When it refuses
//!
//! When the schema declares `additionalProperties: false` and its author meant it (the default),
//! or when the host says that it checks every name. A schema that a converter closed
//! ([`Closure::Synthesized`](callmend_stage::Closure)) passes everything. Names that the harness
//! owns (`i`, and whatever begins with `__`) always pass. Under `patternProperties` no list of
//! names decides, and the schema does, later.
//!
//! # Codes
//!
//! | code | kind | meaning |
//! |---|---|---|
//! | `unknown-argument` | rejection | the call has an argument that the tool does not take |
//!
//! Cost: one look-up a key; nothing is allocated for a call without unknown keys.
//!
//! ```
//! use callmend_stage::{Cascade, Draft, Stage, Tool, Verdict};
//! use callmend_strict_reject::STAGE;
//! use serde_json::json;
//!
//! let find = Tool::new("find", json!({
//!     "type": "object",
//!     "properties": { "query": {"type": "string"}, "limit": {"type": "integer"} },
//!     "required": ["query"],
//!     "additionalProperties": false
//! }))?;
//! let prepared = STAGE.prepare(&find, Cascade::Standard)?.expect("the tool is closed");
//! let Verdict::Reject(rejection) = prepared.plan(&Draft::new(json!({"q": "rust"}))) else {
//!     panic!("`q` is not declared");
//! };
//! assert_eq!(
//!     rejection.message,
//!     "unknown argument `q`; did you mean `query`? (find takes limit?, query)"
//! );
//! # Ok::<(), callmend_stage::ToolError>(())
//! ```

pub mod message;

use callmend_stage::registry::{RetiredEntry, StageEntry};
use callmend_stage::{
    Cascade, Draft, Order, Prepared, Signature, Stage, StageMeta, Tool, ToolError, Verdict,
    inventory, retired, unknown,
};
use std::sync::Arc;

/// The stage, with the retired names in force.
pub static STAGE: StrictReject = StrictReject::new();

inventory::submit! { StageEntry { stage: &STAGE } }

static META: StageMeta = StageMeta {
    id: message::ID,
    order: Order::STRICT_REJECT,
    rewrites: false,
    summary: "refuses arguments that a closed tool does not take",
    codes: message::CODES,
    package: env!("CARGO_PKG_NAME"),
};

/// Refuses unknown arguments where the schema is closed (contract, section 8).
#[derive(Debug, Clone, Copy, Default)]
pub struct StrictReject {
    retired: Option<&'static [RetiredEntry]>,
}

impl StrictReject {
    /// Makes the stage with the retired names in force: the reference's, and what the program's
    /// crates registered.
    pub const fn new() -> Self {
        Self { retired: None }
    }

    /// Makes the stage with a table of retired names in the place of every other.
    ///
    /// ```
    /// use callmend_strict_reject::StrictReject;
    ///
    /// static NONE_RETIRED: StrictReject = StrictReject::with_retired(&[]);
    /// ```
    pub const fn with_retired(retired: &'static [RetiredEntry]) -> Self {
        Self {
            retired: Some(retired),
        }
    }
}

impl Stage for StrictReject {
    fn meta(&self) -> &'static StageMeta {
        &META
    }

    fn prepare(
        &self,
        tool: &Tool,
        _cascade: Cascade,
    ) -> Result<Option<Box<dyn Prepared>>, ToolError> {
        let signature = tool.signature().clone();
        if !signature.is_closed() {
            return Ok(None);
        }
        let retired = self.retired.unwrap_or_else(retired::in_force);
        Ok(Some(Box::new(Closed { signature, retired })))
    }
}

struct Closed {
    signature: Arc<Signature>,
    retired: &'static [RetiredEntry],
}

impl Prepared for Closed {
    fn plan(&self, call: &Draft<'_>) -> Verdict {
        plan(&self.signature, self.retired, call)
    }
}

/// Rejects the first unknown name in bytewise order; passes what is no object.
fn plan(signature: &Signature, retired: &[RetiredEntry], call: &Draft<'_>) -> Verdict {
    let is_unknown = |name: &str| signature.is_unknown(name);
    call.object()
        .and_then(|arguments| {
            unknown::rejection(message::ID, signature, retired, arguments, is_unknown)
        })
        .map_or(Verdict::Pass, Verdict::from)
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use super::*;
    use callmend_stage::{Closure, Rejection};
    use serde_json::{Value, json};

    fn closed() -> Value {
        json!({
            "type": "object",
            "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}},
            "required": ["query"],
            "additionalProperties": false
        })
    }

    fn run(tool: Tool, arguments: Value) -> Option<Rejection> {
        let prepared = STAGE.prepare(&tool, Cascade::Standard).unwrap()?;
        match prepared.plan(&Draft::new(arguments)) {
            Verdict::Pass => None,
            Verdict::Reject(rejection) => Some(*rejection),
            other => panic!("{other:?}"),
        }
    }

    fn closure(schema: Value, closure: Closure) -> Tool {
        Tool::builder("find", schema)
            .closure(closure)
            .build()
            .unwrap()
    }

    #[test]
    fn an_unknown_key_of_a_closed_tool_is_refused() {
        let tool = Tool::new("find", closed()).unwrap();
        let rejection = run(tool, json!({"query": "a", "zzz": 1})).unwrap();
        assert_eq!(
            rejection.message,
            "unknown argument `zzz` (find takes limit?, query)"
        );
        assert_eq!(rejection.path.as_deref(), Some("/zzz"));
    }

    #[test]
    fn declared_and_harness_owned_keys_pass() {
        let tool = Tool::new("find", closed()).unwrap();
        assert_eq!(
            run(tool, json!({"query": "a", "i": 1, "__trace": {}})),
            None
        );
    }

    #[test]
    fn an_open_schema_never_applies() {
        let tool = Tool::new("find", json!({"properties": {"query": {}}})).unwrap();
        assert!(STAGE.prepare(&tool, Cascade::Standard).unwrap().is_none());
    }

    #[test]
    fn a_converters_closure_passes_everything_and_the_hosts_word_closes() {
        let arguments = json!({"query": "a", "zzz": 1});
        assert_eq!(
            run(closure(closed(), Closure::Synthesized), arguments.clone()),
            None
        );
        let open = json!({"properties": {"query": {"type": "string"}}});
        assert!(run(closure(open, Closure::Closed), arguments).is_some());
    }

    #[test]
    fn what_is_no_object_passes() {
        let tool = Tool::new("find", closed()).unwrap();
        assert_eq!(run(tool, json!([1])), None);
    }

    #[test]
    fn a_table_of_its_own_replaces_the_retired_names() {
        const SLUG: RetiredEntry = RetiredEntry {
            name: "slug",
            needs: &["query"],
            instead: "pass `query`",
            package: "test",
        };
        static OWN: StrictReject = StrictReject::with_retired(&[SLUG]);
        let tool = Tool::new("find", closed()).unwrap();
        let prepared = OWN.prepare(&tool, Cascade::Standard).unwrap().unwrap();
        let said = |key: &str| match prepared.plan(&Draft::new(json!({ key: 1 }))) {
            Verdict::Reject(rejection) => rejection.message,
            other => panic!("{other:?}"),
        };
        assert_eq!(
            said("slug"),
            "`slug` is no longer an argument — pass `query` (find takes limit?, query)"
        );
        assert_eq!(
            said("dry_run"),
            "unknown argument `dry_run` (find takes limit?, query)"
        );
    }
}
