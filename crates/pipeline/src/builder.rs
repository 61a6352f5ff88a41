//! Picks, skips, adds and replaces stages.

use crate::pipeline::TOOL_REPAIR;
use crate::{Pipeline, PipelineError, builtin, catalog};
use callmend_stage::message::nearest;
use callmend_stage::registry::{self, ToolRepair};
use callmend_stage::{Cascade, Stage};
use std::fmt;

/// Builds a [`Pipeline`].
///
/// ```
/// use callmend::{Cascade, Pipeline};
///
/// let pipeline = Pipeline::builder().cascade(Cascade::Extended).build()?;
/// assert_eq!(pipeline.cascade(), Cascade::Extended);
/// # Ok::<(), callmend::PipelineError>(())
/// ```
#[derive(Clone, Default)]
#[must_use]
pub struct PipelineBuilder {
    cascade: Cascade,
    only: Option<Vec<String>>,
    skip: Vec<String>,
    registered: Vec<String>,
    added: Vec<&'static dyn Stage>,
    replacing: Vec<&'static dyn Stage>,
    tool_repairs: Vec<&'static dyn ToolRepair>,
}

impl PipelineBuilder {
    /// Picks the cascade; without it, the standard one.
    pub fn cascade(mut self, cascade: Cascade) -> Self {
        self.cascade = cascade;
        self
    }

    /// Takes only these of the canonical stages, of either cascade, in their own order; a stage
    /// that another crate registered may be named too.
    pub fn only<S: Into<String>>(mut self, ids: impl IntoIterator<Item = S>) -> Self {
        let ids = ids.into_iter().map(Into::into);
        self.only.get_or_insert_default().extend(ids);
        self
    }

    /// Leaves these stages out.
    pub fn skip<S: Into<String>>(mut self, ids: impl IntoIterator<Item = S>) -> Self {
        self.skip.extend(ids.into_iter().map(Into::into));
        self
    }

    /// Adds a stage of your own; its order says where it runs.
    pub fn stage(mut self, stage: &'static dyn Stage) -> Self {
        self.added.push(stage);
        self
    }

    /// Adds a stage that another crate registered.
    pub fn registered(mut self, id: impl Into<String>) -> Self {
        self.registered.push(id.into());
        self
    }

    /// Puts a stage in the place of the one with the same id.
    pub fn replace(mut self, stage: &'static dyn Stage) -> Self {
        self.replacing.push(stage);
        self
    }

    /// Adds a repair for one tool, beside those that crates registered; it is held to the fields
    /// that it lists.
    ///
    /// To choose every repair yourself, put `callmend_tool_repair::ChosenRepairs` in the place of
    /// the stage with [`replace`](Self::replace).
    pub fn tool_repair(mut self, repair: &'static dyn ToolRepair) -> Self {
        self.tool_repairs.push(repair);
        self
    }

    /// Builds the pipeline.
    ///
    /// # Errors
    ///
    /// An unknown id, two stages of one id, two repairs for one tool: see [`PipelineError`].
    pub fn build(self) -> Result<Pipeline, PipelineError> {
        self.check_ids()?;
        let mut stages = self.selected()?;
        for stage in &self.replacing {
            let id = stage.meta().id;
            let place = stages.iter_mut().find(|other| other.meta().id == id);
            *place.ok_or_else(|| self.unknown(id))? = *stage;
        }
        stages.sort_by_key(|stage| (stage.meta().order, stage.meta().id));
        let runs_repairs = stages.iter().any(|stage| stage.meta().id == TOOL_REPAIR);
        Ok(Pipeline {
            cascade: self.cascade,
            stages,
            tool_repairs: self.checked_repairs(runs_repairs)?,
        })
    }

    fn check_ids(&self) -> Result<(), PipelineError> {
        let only = self.only.iter().flatten();
        for id in only.chain(&self.skip) {
            let known = self.known();
            if known.iter().any(|other| other == id) {
                continue;
            }
            return Err(self.unknown(id));
        }
        for id in self.only.iter().flatten() {
            let builtin = builtin::all().into_iter().find(|builtin| builtin.id == id);
            if builtin.is_some_and(|builtin| builtin.stage.is_none()) {
                return Err(PipelineError::NotCompiledIn { id: id.clone() });
            }
        }
        Ok(())
    }

    /// Gathers the stages in no order, each once.
    fn selected(&self) -> Result<Vec<&'static dyn Stage>, PipelineError> {
        let mut stages: Vec<&'static dyn Stage> = Vec::new();
        for builtin in builtin::all() {
            let wanted = match &self.only {
                Some(ids) => ids.iter().any(|id| id == builtin.id),
                None => builtin.belongs_to(self.cascade),
            };
            if let Some(stage) = builtin.stage.filter(|_| wanted) {
                stages.push(stage);
            }
        }
        let foreign = catalog::registered();
        let asked = self.only.iter().flatten().chain(&self.registered);
        for id in asked {
            let mut found = foreign.iter().filter(|stage| stage.meta().id == id);
            match (found.next(), found.next()) {
                (Some(stage), None) => add(&mut stages, *stage)?,
                (Some(one), Some(other)) => return Err(duplicate(*one, *other)),
                (None, _) => {
                    let builtin = stages.iter().any(|stage| stage.meta().id == id);
                    if !builtin {
                        return Err(self.unknown(id));
                    }
                }
            }
        }
        for stage in &self.added {
            add(&mut stages, *stage)?;
        }
        stages.retain(|stage| !self.skip.iter().any(|id| id == stage.meta().id));
        Ok(stages)
    }

    /// Picks the repairs that the stage does not find in the registry, and refuses two for one
    /// tool.
    fn checked_repairs(
        self,
        runs_repairs: bool,
    ) -> Result<Vec<&'static dyn ToolRepair>, PipelineError> {
        if let Some(repair) = self.tool_repairs.first().filter(|_| !runs_repairs) {
            return Err(PipelineError::RepairWithoutStage {
                tool: repair.tool().to_owned(),
            });
        }
        // Who puts another stage in the place of tool-repair chooses its repairs there.
        let replaced = self.replacing.iter().any(|s| s.meta().id == TOOL_REPAIR);
        let builtin = builtin::tool_repairs()
            .into_iter()
            .filter(|_| runs_repairs && !replaced);
        let mut all = registry::tool_repairs();
        let mut own = Vec::new();
        for repair in builtin.chain(self.tool_repairs) {
            if !all.iter().any(|other| same_repair(*other, repair)) {
                all.push(repair);
                own.push(repair);
            }
        }
        all.sort_by_key(|repair| (repair.tool(), repair.package()));
        for pair in all.windows(2) {
            if let [one, other] = pair
                && one.tool() == other.tool()
            {
                return Err(PipelineError::DuplicateToolRepair {
                    tool: one.tool().to_owned(),
                    first: one.package().to_owned(),
                    second: other.package().to_owned(),
                });
            }
        }
        Ok(own)
    }

    fn unknown(&self, id: &str) -> PipelineError {
        let known = self.known();
        PipelineError::UnknownStage {
            id: id.to_owned(),
            nearest: nearest(id, known.iter().map(String::as_str)).map(str::to_owned),
            known,
        }
    }

    /// Lists every id that may be named.
    fn known(&self) -> Vec<String> {
        let builtin = builtin::all().into_iter().map(|builtin| builtin.id);
        let foreign = catalog::registered().into_iter();
        let own = foreign.chain(self.added.iter().copied());
        let mut known: Vec<String> = Vec::new();
        for id in builtin.chain(own.map(|stage| stage.meta().id)) {
            if !known.iter().any(|other| other == id) {
                known.push(id.to_owned());
            }
        }
        known
    }
}

fn add(
    stages: &mut Vec<&'static dyn Stage>,
    stage: &'static dyn Stage,
) -> Result<(), PipelineError> {
    let id = stage.meta().id;
    match stages.iter().find(|other| other.meta().id == id) {
        None => stages.push(stage),
        // One stage asked for twice is one stage.
        Some(other) if catalog::same(*other, stage) => {}
        Some(other) => return Err(duplicate(*other, stage)),
    }
    Ok(())
}

fn duplicate(one: &dyn Stage, other: &dyn Stage) -> PipelineError {
    PipelineError::DuplicateStage {
        id: one.meta().id.to_owned(),
        first: one.meta().package.to_owned(),
        second: other.meta().package.to_owned(),
    }
}

fn same_repair(one: &dyn ToolRepair, other: &dyn ToolRepair) -> bool {
    one.tool() == other.tool()
        && one.package() == other.package()
        && one.code().0 == other.code().0
        && one.fields() == other.fields()
}

impl fmt::Debug for PipelineBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PipelineBuilder")
            .field("cascade", &self.cascade)
            .field("only", &self.only)
            .field("skip", &self.skip)
            .field("registered", &self.registered)
            .finish_non_exhaustive()
    }
}
