//! Checks a call against its tool's schema, and says what was expected in one byte-exact grammar.
//!
//! # What it repairs
//!
//! One mistake: a string where the schema declares a list of strings, when it has one reading. A
//! string that spells a JSON list of strings becomes that list; a string without a comma becomes
//! the one item of its list.
//!
//! # Why models do this
//!
//! A list of one item is most often written as the item. And a list that travels through a
//! template or a form arrives as text.
//!
//! # Before and after
//!
//! For a tool `read` that takes `docs`, a list of strings, and `limit?`:
//!
//! ```text
//! {"docs": "a.md"}              {"docs": ["a.md"]}
//! {"docs": "[\"a\", \"b\"]"}    {"docs": ["a", "b"]}
//! {"docs": "a.md, b.md"}        `docs` must be an array of strings (read takes docs, limit?)
//!                               fix: {"docs":["a.md","b.md"]}
//! {"limit": 5}                  `docs` is required (read takes docs, limit?)
//! ```
//!
//! # When it refuses
//!
//! Whatever the schema does not accept, and what the schema accepts it never refuses (the closure
//! of the root and the locator aside). The first error found is told, in this order: arguments
//! that are no object; names that a closed tool does not take, in bytewise order; each declared
//! argument, in bytewise order, for presence and type; a locator without a value; and what lies
//! deeper, by path. Up to ten more go into the hints. In the extended cascade an integer beyond
//! 2⁵³ that was written with an exponent or a fraction (`1e20`) is refused too: it was rounded.
//!
//! What lies deeper (nested members and items, `pattern`, `minimum`, `const`, `not` and the rest)
//! is checked by the `jsonschema` crate behind the feature `deep`, which is on by default.
//! Nothing is ever fetched. The closure of the root is not checked twice: it belongs to the
//! unknown names above. For a tool whose schema a converter closed
//! ([`Closure::Synthesized`](callmend_stage::Closure)), no `additionalProperties: false` counts,
//! at any depth. Names that the harness owns are not looked at.
//!
//! # Codes
//!
//! | code | kind | meaning |
//! |---|---|---|
//! | `string-for-list` | edit | a string stood where a list of strings belongs, and became its one item |
//! | `list-in-string` | edit | a string that spells a JSON list of strings stood where the list belongs |
//! | `not-an-object` | rejection | the arguments are not an object |
//! | `unknown-argument` | rejection | the call has an argument that the tool does not take |
//! | `required` | rejection | a required argument is missing |
//! | `wrong-type` | rejection | a value has a type that its slot does not take |
//! | `wrong-value` | rejection | a value has the right type and is none of those that its slot takes |
//! | `out-of-range` | rejection | a number, or a count of characters, items or keys, is beyond its bound |
//! | `no-alternative` | rejection | a value fits none of the alternatives of its slot, or more than it may |
//! | `no-locator` | rejection | neither argument of a locator is given |
//! | `locators-differ` | rejection | both arguments of a locator are given, and they name different things |
//! | `inexact-integer` | rejection | an integer was written as a number that cannot hold it exactly (extended cascade) |
//!
//! Cost: a call that is fine costs one look-up a key and one run of a validator that was compiled
//! when the tool was prepared; nothing else is allocated. Details are worked out only for a call
//! that is not fine.
//!
//! ```
//! use callmend_argument_validate::STAGE;
//! use callmend_stage::{Cascade, Draft, Stage, Tool, Verdict};
//! use serde_json::json;
//!
//! let query = Tool::new("query", json!({
//!     "type": "object",
//!     "properties": { "query": {"type": "string"}, "limit": {"type": "integer", "maximum": 100} },
//!     "required": ["query"],
//!     "additionalProperties": false
//! }))?;
//! let prepared = STAGE.prepare(&query, Cascade::Standard)?.expect("it applies to every tool");
//! let say = |arguments| match prepared.plan(&Draft::new(arguments)) {
//!     Verdict::Reject(rejection) => rejection.message,
//!     other => format!("{other:?}"),
//! };
//! assert_eq!(say(json!({"query": "a", "limit": 5})), "Pass");
//! assert_eq!(say(json!({"limit": 5})), "`query` is required (query takes limit?, query)");
//! # #[cfg(feature = "deep")]
//! assert_eq!(
//!     say(json!({"query": "a", "limit": 500})),
//!     "`limit` must be at most 100 (query takes limit?, query)"
//! );
//! # Ok::<(), callmend_stage::ToolError>(())
//! ```
//!
//! The functions of the contract's section 10.9 stand alone, without a stage: see
//! [`validate_arguments`] and its neighbours.

mod canonical;
#[cfg(feature = "deep")]
mod deep;
mod exact;
mod finding;
mod lists;
mod locator;
pub mod message;
mod names;
pub mod retired;
mod shallow;

pub use callmend_stage::message::{levenshtein, nearest};
pub use lists::{JsonArrayString, comma_split, json_array_string};
pub use names::{
    argument_error, argument_error_fix, arguments_hint, phrase_for, unknown_argument_message,
    validate_arguments,
};
pub use retired::{DRY_RUN_RETIRED, OPS_RETIRED};

use callmend_stage::registry::{RetiredEntry, StageEntry};
use callmend_stage::{
    Cascade, Draft, Order, Prepared, Rejection, Stage, StageMeta, Tool, ToolError, Verdict,
    inventory, unknown,
};
use finding::Finding;
use serde_json::{Map, Value};

/// The stage, with the retired names in force.
pub static STAGE: ArgumentValidate = ArgumentValidate::new();

inventory::submit! { StageEntry { stage: &STAGE } }

static META: StageMeta = StageMeta {
    id: message::ID,
    order: Order::ARGUMENT_VALIDATE,
    rewrites: true,
    summary: "checks the arguments against the schema and says what was expected",
    codes: message::CODES,
    package: env!("CARGO_PKG_NAME"),
};

/// Checks a call against its tool's schema (contract, section 10).
#[derive(Debug, Clone, Copy, Default)]
pub struct ArgumentValidate {
    retired: Option<&'static [RetiredEntry]>,
}

impl ArgumentValidate {
    /// Makes the stage with the retired names in force: the reference's, and what the program's
    /// crates registered.
    pub const fn new() -> Self {
        Self { retired: None }
    }

    /// Makes the stage with a table of retired names in the place of every other.
    ///
    /// ```
    /// use callmend_argument_validate::ArgumentValidate;
    ///
    /// static NONE_RETIRED: ArgumentValidate = ArgumentValidate::with_retired(&[]);
    /// ```
    pub const fn with_retired(retired: &'static [RetiredEntry]) -> Self {
        Self {
            retired: Some(retired),
        }
    }
}

impl Stage for ArgumentValidate {
    fn meta(&self) -> &'static StageMeta {
        &META
    }

    fn prepare(
        &self,
        tool: &Tool,
        cascade: Cascade,
    ) -> Result<Option<Box<dyn Prepared>>, ToolError> {
        Ok(Some(Box::new(Checked {
            tool: tool.clone(),
            retired: self.retired.unwrap_or_else(retired::in_force),
            exact: cascade == Cascade::Extended,
            #[cfg(feature = "deep")]
            deep: deep::Deep::compile(tool)?,
        })))
    }
}

struct Checked {
    tool: Tool,
    retired: &'static [RetiredEntry],
    /// Whether an integer that was rounded on the way is refused.
    exact: bool,
    #[cfg(feature = "deep")]
    deep: deep::Deep,
}

impl Prepared for Checked {
    fn plan(&self, call: &Draft<'_>) -> Verdict {
        let object = call
            .value()
            .and_then(|value| value.as_object().map(|arguments| (value, arguments)));
        let Some((value, arguments)) = object else {
            return message::rejection(
                self.tool.signature(),
                message::NOT_AN_OBJECT,
                message::ARGUMENTS_MUST_BE_AN_OBJECT,
            )
            .into();
        };
        #[cfg(feature = "deep")]
        if self.deep.decides_names() && self.deep.accepts(value) {
            return self.accepted(value, arguments);
        }
        if let Some(rejection) = self.unknown(arguments) {
            return rejection.into();
        }
        #[cfg(feature = "deep")]
        if !self.deep.decides_names() && self.deep.accepts(value) {
            return self.accepted(value, arguments);
        }
        self.details(value, arguments)
    }
}

impl Checked {
    fn unknown(&self, arguments: &Map<String, Value>) -> Option<Rejection> {
        let signature = self.tool.signature();
        if !signature.is_closed() {
            return None;
        }
        unknown::rejection(message::ID, signature, self.retired, arguments, |name| {
            signature.is_unknown(name)
        })
    }

    /// Looks at a call that the schema accepts.
    #[cfg(feature = "deep")]
    fn accepted(&self, value: &Value, arguments: &Map<String, Value>) -> Verdict {
        self.locator(arguments)
            .or_else(|| self.rounded(value))
            .and_then(|finding| self.reject([finding]))
            .map_or(Verdict::Pass, Verdict::from)
    }

    /// Finds out what is wrong with a call, or which strings to make lists of.
    fn details(&self, value: &Value, arguments: &Map<String, Value>) -> Verdict {
        let mut shallow = shallow::check(self.tool.signature(), arguments);
        if shallow.vague {
            shallow.reword(&self.deeper(value));
        }
        let rejection = self
            .reject(shallow.findings)
            .or_else(|| self.reject(self.locator(arguments)));
        if let Some(rejection) = rejection {
            return rejection.into();
        }
        if shallow.changes.is_empty() {
            let rejection = self
                .reject(self.deeper(value))
                .or_else(|| self.reject(self.rounded(value)));
            return rejection.map_or(Verdict::Pass, Verdict::from);
        }
        let mut normalized = value.clone();
        shallow::perform(&mut normalized, &shallow.changes);
        let rejection = self
            .reject(self.deeper(&normalized))
            .or_else(|| self.reject(self.rounded(&normalized)));
        rejection.map_or_else(|| Verdict::Rewrite(shallow.changes), Verdict::from)
    }

    fn rounded(&self, value: &Value) -> Option<Finding> {
        self.exact
            .then(|| exact::check(self.tool.signature(), value))
            .flatten()
    }

    fn locator(&self, arguments: &Map<String, Value>) -> Option<Finding> {
        locator::check(self.tool.locator()?, arguments)
    }

    #[cfg(feature = "deep")]
    fn deeper(&self, value: &Value) -> Vec<Finding> {
        self.deep.findings(value)
    }

    #[cfg(not(feature = "deep"))]
    fn deeper(&self, _value: &Value) -> Vec<Finding> {
        Vec::new()
    }

    fn reject(&self, findings: impl IntoIterator<Item = Finding>) -> Option<Rejection> {
        finding::rejection(self.tool.signature(), findings)
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
