//! A pipeline bound to one tool, and the engine that runs its stages.

use crate::message;
use crate::outcome::Outcome;
use crate::trace::{Trace, Traced};
use callmend_stage::{
    Cascade, Delivered, Draft, Order, Prepared, Rejection, StageMeta, Tool, Verdict,
};
use serde_json::Value;
use std::fmt;

/// How often the extended cascade repeats its rewriting stages at most (contract, section 12).
pub const MAX_PASSES: usize = 4;

/// A pipeline bound to one tool. Prepare it once, run it for every call, from any thread.
///
/// ```
/// use callmend::{Pipeline, Tool};
/// use serde_json::json;
///
/// fn shared<T: Send + Sync>(_: &T) {}
///
/// let tool = Tool::new("now", json!({"type": "object", "properties": {}}))?;
/// let prepared = Pipeline::standard()?.prepare(&tool)?;
/// shared(&prepared);
/// let outcome = prepared.run(json!({}));
/// assert!(outcome.is_dispatchable() && outcome.edits.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PreparedTool {
    tool: Tool,
    /// The stages that repeat until they settle come first.
    steps: Vec<Step>,
    repeated: usize,
}

pub(crate) struct Step {
    pub(crate) meta: &'static StageMeta,
    pub(crate) prepared: Box<dyn Prepared>,
}

impl PreparedTool {
    pub(crate) fn new(tool: Tool, cascade: Cascade, steps: Vec<Step>) -> Self {
        let repeats = |step: &Step| {
            cascade == Cascade::Extended
                && step.meta.rewrites
                && step.meta.order < Order::STRICT_REJECT
        };
        let (mut ordered, last): (Vec<_>, Vec<_>) = steps.into_iter().partition(repeats);
        let repeated = ordered.len();
        ordered.extend(last);
        Self {
            tool,
            steps: ordered,
            repeated,
        }
    }

    /// Returns the tool.
    pub fn tool(&self) -> &Tool {
        &self.tool
    }

    /// Lists the stages that apply to this tool, in the order in which they run, each with its
    /// prepared form.
    ///
    /// A stage that can never apply to the tool is not there.
    pub fn steps(&self) -> impl Iterator<Item = (&'static StageMeta, &dyn Prepared)> {
        self.steps
            .iter()
            .map(|step| (step.meta, step.prepared.as_ref()))
    }

    /// Runs one call: text, bytes, a JSON value, or a [`Draft`] that says more about it.
    ///
    /// Total: any input gives an outcome. A clean call takes one pass and costs the pipeline no
    /// allocation of its own. A call that was repaired is looked at once more by the stages up to
    /// the last that rewrote, so that what is returned needs no repair (property P3).
    pub fn run<'a>(&self, call: impl Into<Draft<'a>>) -> Outcome<'a> {
        self.drive(call.into(), |_, _, _, _| ())
    }

    /// Runs one call and keeps what each stage saw and said.
    ///
    /// Costs a copy of the call for each stage: made for people, not for production.
    pub fn trace<'a>(&self, call: impl Into<Draft<'a>>) -> Trace<'a> {
        let mut steps = Vec::new();
        let outcome = self.drive(call.into(), |pass, stage, saw, verdict| {
            steps.push(Traced {
                stage,
                pass,
                saw: saw.clone(),
                verdict: verdict.clone(),
            });
        });
        Trace { steps, outcome }
    }

    fn drive<'a>(&self, mut draft: Draft<'a>, mut observe: impl Observe<'a>) -> Outcome<'a> {
        let settled = self.settle(&mut draft, &mut observe);
        match (settled, draft.into_parts()) {
            (Ok(()), (Delivered::Value(arguments @ Value::Object(_)), text, edits)) => {
                Outcome::dispatchable(arguments, text, edits)
            }
            (Ok(()), (_, _, edits)) => {
                Outcome::refused(edits, *message::undecoded(self.tool.signature()))
            }
            (Err(rejection), (_, _, edits)) => Outcome::refused(edits, *rejection),
        }
    }

    fn settle<'a>(
        &self,
        draft: &mut Draft<'a>,
        observe: &mut impl Observe<'a>,
    ) -> Result<(), Box<Rejection>> {
        let (repeated, last) = self
            .steps
            .split_at_checked(self.repeated)
            .unwrap_or((&[], &self.steps));
        let mut pass = 1;
        loop {
            let mut changed = false;
            for step in repeated {
                changed |= step.run(draft, pass, observe)?;
            }
            if !changed {
                break;
            }
            if pass == MAX_PASSES {
                return Err(message::unsettled(self.tool.signature()));
            }
            pass += 1;
        }
        let mut rewritten = None;
        for (at, step) in last.iter().enumerate() {
            if step.run(draft, pass, observe)? {
                rewritten = Some(at);
            }
        }
        if let Some(at) = rewritten {
            let again = repeated.iter().chain(last.iter().take(at + 1));
            self.confirm(again, draft, pass + 1, observe)?;
        }
        Ok(())
    }

    /// Refuses a result that the stages before the last rewrite would change again (property P3).
    fn confirm<'a, 's>(
        &self,
        steps: impl Iterator<Item = &'s Step>,
        draft: &Draft<'a>,
        pass: usize,
        observe: &mut impl Observe<'a>,
    ) -> Result<(), Box<Rejection>> {
        for step in steps {
            let verdict = step.prepared.plan(draft);
            match &verdict {
                Verdict::Pass => continue,
                Verdict::Rewrite(changes) if changes.is_empty() => continue,
                _ => observe(pass, step.meta, draft, &verdict),
            }
            return Err(match verdict {
                Verdict::Reject(rejection) => rejection,
                _ => message::unsettled(self.tool.signature()),
            });
        }
        Ok(())
    }
}

impl Step {
    fn run<'a>(
        &self,
        draft: &mut Draft<'a>,
        pass: usize,
        observe: &mut impl Observe<'a>,
    ) -> Result<bool, Box<Rejection>> {
        let verdict = self.prepared.plan(draft);
        observe(pass, self.meta, draft, &verdict);
        draft.apply(self.meta.id, verdict)
    }
}

/// Looks on while a call is run.
trait Observe<'a>: FnMut(usize, &'static StageMeta, &Draft<'a>, &Verdict) {}
impl<'a, F: FnMut(usize, &'static StageMeta, &Draft<'a>, &Verdict)> Observe<'a> for F {}

impl fmt::Debug for PreparedTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids: Vec<_> = self.steps.iter().map(|step| step.meta.id).collect();
        f.debug_struct("PreparedTool")
            .field("tool", &self.tool.name())
            .field("steps", &ids)
            .finish()
    }
}
