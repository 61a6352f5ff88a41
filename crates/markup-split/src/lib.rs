//! Cuts leaked call markup out of string values, and gives each part to its argument.
//!
//! # What it repairs
//!
//! A string value that runs on into the next argument, tags and all: with ‹ and › for the angle
//! brackets, `py‹/parameter›`, perhaps white space, then `‹parameter name="title"›imports`. The
//! text before the closing tag stays, the text after each opening tag becomes an argument.
//!
//! In the extended cascade it reads, at any depth, the leaks that the field reports: closing tags
//! that carry the argument's own name, a namespace or a vendor prefix, in any case; opening tags
//! of the form `‹parameter=k›`; and values that end in nothing but closing tags.
//!
//! # Why models do this
//!
//! Many models write calls in markup that their provider turns into JSON. When the model closes an
//! argument with the wrong tag, the provider's parser finds no end and takes everything that
//! follows for text.
//!
//! # Before and after
//!
//! For a tool that takes `language` and `title`, the value above at `language` becomes
//! `{"language": "py", "title": "imports"}`, with the hint
//! `` pass `title` as an argument of its own, not inside `language` ``.
//!
//! # When it refuses
//!
//! It cuts only when every leaked name is declared (or owned by the harness, `i`), appears once
//! and has no value yet, when no part holds further markup, and when a part for a slot that takes
//! no string is JSON of that slot's type. Otherwise the standard cascade leaves the value as sent.
//!
//! The extended cascade refuses the call instead, since a neighbour's text is inside the value:
//! also when the cut would leave the argument empty, when a line end before a closing tag could be
//! text or markup, when a nested leak's target is declared both beside it and at the root, and when
//! what stands before the tag of a missing argument is a tag that closes nothing.
//!
//! What is data stays data, wherever a string may stand: balanced tags, a closing tag in running
//! text, HTML, XML, JSX. In a slot that takes no string, call markup is refused.
//!
//! # Codes
//!
//! | code | kind | meaning |
//! |---|---|---|
//! | `markup-split` | edit | arguments that stood as call markup inside another one's value got their places |
//! | `markup-trimmed` | edit | closing tags of call markup at the end of a value were taken off |
//! | `leaked-markup` | rejection | a value holds leaked call markup that does not come apart in one way |
//! | `misplaced-markup` | rejection | a value holds call markup where no string belongs |
//!
//! Cost: one search for `<` in each string, and a bounded look at each that is found; linear in
//! the call, and without allocation unless there is such markup.
//!
//! ```
//! use callmend_markup_split::STAGE;
//! use callmend_stage::{Cascade, Draft, Stage, Tool};
//! use serde_json::json;
//!
//! let show = Tool::new("show", json!({
//!     "type": "object",
//!     "properties": { "language": {"type": "string"}, "title": {"type": "string"} }
//! }))?;
//! let prepared = STAGE.prepare(&show, Cascade::Standard)?.expect("it always applies");
//! let mut draft = Draft::new(json!({
//!     "language": "py</parameter>\n<parameter name=\"title\">imports"
//! }));
//! let verdict = prepared.plan(&draft);
//! draft.apply("markup-split", verdict)?;
//! assert_eq!(draft.value(), Some(&json!({"language": "py", "title": "imports"})));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod elements;
mod extended;
mod leak;
pub mod message;
mod standard;
mod tag;

use callmend_stage::registry::StageEntry;
use callmend_stage::{
    Cascade, Draft, Order, Prepared, Signature, Stage, StageMeta, Tool, ToolError, Verdict,
    inventory,
};
use serde_json::{Map, Value};
use std::sync::Arc;

/// The stage.
pub static STAGE: MarkupSplit = MarkupSplit;

inventory::submit! { StageEntry { stage: &STAGE } }

static META: StageMeta = StageMeta {
    id: message::ID,
    order: Order::MARKUP_SPLIT,
    rewrites: true,
    summary: "cuts leaked call markup out of string values",
    codes: message::CODES,
    package: env!("CARGO_PKG_NAME"),
};

/// Splits values that hold leaked call markup (contract, sections 5 and 12).
#[derive(Debug, Clone, Copy, Default)]
pub struct MarkupSplit;

impl Stage for MarkupSplit {
    fn meta(&self) -> &'static StageMeta {
        &META
    }

    fn prepare(
        &self,
        tool: &Tool,
        cascade: Cascade,
    ) -> Result<Option<Box<dyn Prepared>>, ToolError> {
        Ok(Some(Box::new(Markup {
            signature: tool.signature().clone(),
            cascade,
        })))
    }
}

struct Markup {
    signature: Arc<Signature>,
    cascade: Cascade,
}

impl Prepared for Markup {
    fn plan(&self, call: &Draft<'_>) -> Verdict {
        match call.object() {
            Some(arguments) => plan(&self.signature, self.cascade, arguments),
            None => Verdict::Pass,
        }
    }
}

fn plan(signature: &Signature, cascade: Cascade, arguments: &Map<String, Value>) -> Verdict {
    if cascade == Cascade::Extended {
        return extended::plan(signature, arguments);
    }
    let changes = standard::plan(signature, arguments);
    if changes.is_empty() {
        return Verdict::Pass;
    }
    Verdict::Rewrite(changes)
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests;
