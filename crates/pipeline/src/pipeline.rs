//! The stages that a host picked, in order.

use crate::PipelineError;
use crate::builder::PipelineBuilder;
use crate::prepared::{PreparedTool, Step};
use callmend_stage::registry::ToolRepair;
use callmend_stage::{Cascade, Stage, StageMeta, Tool, ToolError};
use std::fmt;

/// The stage that runs tool repairs.
pub(crate) const TOOL_REPAIR: &str = "tool-repair";

/// The stages that a host picked, in order.
///
/// ```
/// use callmend::{Pipeline, Status, Tool};
/// use serde_json::json;
///
/// let tool = Tool::new("read", json!({
///     "type": "object",
///     "properties": { "path": {"type": "string"} },
///     "required": ["path"],
///     "additionalProperties": false
/// }))?;
/// let read = Pipeline::standard()?.prepare(&tool)?;
///
/// let outcome = read.run(json!({"path": "src/lib.rs"}));
/// assert_eq!(outcome.status, Status::Clean);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Pipeline {
    pub(crate) cascade: Cascade,
    /// By place and id.
    pub(crate) stages: Vec<&'static dyn Stage>,
    /// Those that the stage does not find in the registry.
    #[cfg_attr(
        not(feature = "tool-repair"),
        expect(dead_code, reason = "only tool-repair runs them")
    )]
    pub(crate) tool_repairs: Vec<&'static dyn ToolRepair>,
}

impl Pipeline {
    /// Makes the standard cascade: what the reference texts say, exactly.
    ///
    /// # Errors
    ///
    /// What some crate of the program registered and the pipeline refuses: see [`PipelineError`].
    pub fn standard() -> Result<Self, PipelineError> {
        Self::builder().build()
    }

    /// Makes the extended cascade: the standard one plus what the field reports most.
    ///
    /// # Errors
    ///
    /// As for [`Pipeline::standard`].
    pub fn extended() -> Result<Self, PipelineError> {
        Self::builder().cascade(Cascade::Extended).build()
    }

    /// Starts a pipeline of your own choice.
    pub fn builder() -> PipelineBuilder {
        PipelineBuilder::default()
    }

    /// Returns the cascade that the stages are prepared for.
    pub fn cascade(&self) -> Cascade {
        self.cascade
    }

    /// Lists the stages, by place and id.
    pub fn stages(&self) -> impl Iterator<Item = &'static StageMeta> {
        self.stages.iter().map(|stage| stage.meta())
    }

    /// Binds every stage to one tool.
    ///
    /// # Errors
    ///
    /// What a stage cannot work with in the tool's definition, such as a schema that cannot be
    /// compiled.
    pub fn prepare(&self, tool: &Tool) -> Result<PreparedTool, ToolError> {
        let mut steps = Vec::with_capacity(self.stages.len());
        for stage in &self.stages {
            let meta = stage.meta();
            if let Some(prepared) = stage.prepare(tool, self.cascade)? {
                steps.push(Step { meta, prepared });
            }
            #[cfg(feature = "tool-repair")]
            if meta.id == TOOL_REPAIR {
                let own = self.tool_repairs.iter().copied();
                steps.extend(
                    own.filter(|repair| repair.tool() == tool.name())
                        .map(|repair| {
                            let prepared = callmend_tool_repair::bind(repair, tool);
                            Step { meta, prepared }
                        }),
                );
            }
        }
        Ok(PreparedTool::new(tool.clone(), self.cascade, steps))
    }
}

impl fmt::Debug for Pipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids: Vec<_> = self.stages().map(|meta| meta.id).collect();
        f.debug_struct("Pipeline")
            .field("cascade", &self.cascade)
            .field("stages", &ids)
            .finish()
    }
}
