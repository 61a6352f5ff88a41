//! What a stage is: a step that says who it is and binds itself to one tool.

use crate::{Change, Code, Draft, Rejection, Tool, ToolError};
use serde_json::Value;

/// Says who a stage is, and binds it to one tool.
///
/// A stage is a value without state (`static MY_STAGE: MyStage`). Everything that depends on the
/// tool is computed in [`Stage::prepare`], once, so that a call costs only what the call needs.
pub trait Stage: Sync {
    /// Returns the stage's id, place and codes.
    fn meta(&self) -> &'static StageMeta;

    /// Binds the stage to one tool; `None` when it can never apply to it.
    ///
    /// `cascade` tells which of the two cascades the stage will run in; most stages do the same
    /// in both.
    ///
    /// # Errors
    ///
    /// What the stage cannot work with in the tool's own definition. It is found here, when the
    /// pipeline is prepared, and never when a call arrives.
    fn prepare(
        &self,
        tool: &Tool,
        cascade: Cascade,
    ) -> Result<Option<Box<dyn Prepared>>, ToolError>;
}

/// A stage bound to one tool.
///
/// Planning is pure (it reads the draft and nothing else), total (any draft gets a verdict, never
/// a panic) and idempotent (what it planned, applied, plans nothing more).
pub trait Prepared: Send + Sync {
    /// Looks at the call and says what to do with it.
    fn plan(&self, call: &Draft<'_>) -> Verdict;
}

/// What a stage says of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Nothing to do.
    Pass,
    /// Strict text, read as its object. Not an edit.
    Decoded(Value),
    /// Changes to make, in order, all of them or none.
    Rewrite(Vec<Change>),
    /// The call has no reading, or more than one.
    Reject(Box<Rejection>),
}

impl From<Rejection> for Verdict {
    fn from(rejection: Rejection) -> Self {
        Self::Reject(Box::new(rejection))
    }
}

/// Which of the two cascades a stage is prepared for (contract, sections 3 and 12).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Cascade {
    /// Exactly what the reference texts say.
    #[default]
    Standard,
    /// The standard cascade plus what the field needs.
    Extended,
}

/// A stage's place in the cascade: lower runs earlier, ties are broken by the stage's id.
///
/// The canonical stages stand a hundred apart, so that a downstream stage fits between any two:
/// `Order(Order::ALIAS_RENAME.0 + 50)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Order(pub u16);

impl Order {
    /// Text becomes an object.
    pub const PARSE_LENIENCY: Self = Self(100);
    /// An envelope around the arguments is taken off (extended).
    pub const UNWRAP: Self = Self(200);
    /// Leaked call markup is cut.
    pub const MARKUP_SPLIT: Self = Self(300);
    /// Keys get their declared names.
    pub const ALIAS_RENAME: Self = Self(400);
    /// A tool's own entry runs.
    pub const TOOL_REPAIR: Self = Self(500);
    /// Values get their declared types (extended).
    pub const TYPE_DRIFT: Self = Self(600);
    /// Keys that are left over are refused.
    pub const STRICT_REJECT: Self = Self(700);
    /// Several donors for one missing argument are refused.
    pub const AMBIGUITY: Self = Self(800);
    /// The schema has its say.
    pub const ARGUMENT_VALIDATE: Self = Self(900);
}

/// Who a stage is.
#[derive(Debug)]
pub struct StageMeta {
    /// The stage's id: its crate's folder, its fixture folder and its page, such as
    /// `alias-rename`.
    pub id: &'static str,
    /// Its place in the cascade.
    pub order: Order,
    /// Whether it may rewrite; only rewriting stages are repeated in the extended cascade.
    pub rewrites: bool,
    /// One line for `callmend stages`.
    pub summary: &'static str,
    /// Every code it can give, edits and rejections.
    pub codes: &'static [CodeInfo],
    /// The package that it comes from: `env!("CARGO_PKG_NAME")`.
    pub package: &'static str,
}

/// One code of a stage, as listed by `callmend stages` and in the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeInfo {
    /// The code itself. Stable, and never used for anything else.
    pub code: Code,
    /// Whether it marks an edit or a rejection.
    pub kind: CodeKind,
    /// What it means, in one line.
    pub meaning: &'static str,
}

impl CodeInfo {
    /// Describes a code that marks an edit.
    pub const fn edit(code: Code, meaning: &'static str) -> Self {
        Self {
            code,
            kind: CodeKind::Edit,
            meaning,
        }
    }

    /// Describes a code that marks a rejection.
    pub const fn rejection(code: Code, meaning: &'static str) -> Self {
        Self {
            code,
            kind: CodeKind::Rejection,
            meaning,
        }
    }
}

/// What a code marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CodeKind {
    /// A recorded rewrite.
    Edit,
    /// A call that is not dispatched.
    Rejection,
}
