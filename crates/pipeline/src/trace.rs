//! What each stage saw of one call and said of it.

use crate::Outcome;
use callmend_stage::{Draft, StageMeta, Verdict};

/// One call's way through the cascade.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Trace<'a> {
    /// Each stage's turn, in order; with several passes a stage has several.
    pub steps: Vec<Traced<'a>>,
    /// What became of the call; the same that [`PreparedTool::run`](crate::PreparedTool::run)
    /// gives.
    pub outcome: Outcome<'a>,
}

/// One stage's turn.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Traced<'a> {
    /// Who.
    pub stage: &'static StageMeta,
    /// In which pass, from 1.
    pub pass: usize,
    /// The call as the stage saw it.
    pub saw: Draft<'a>,
    /// What the stage said.
    pub verdict: Verdict,
}
