//! Runs call lines through a pipeline.

use crate::call_line::{Arguments, CallLine, ToolRef};
use crate::failure::Failure;
use crate::tools_file::{Tools, plain};
use callmend::stage::{retired, unknown};
use callmend::{
    Delivered, Draft, Outcome, Pipeline, PreparedTool, Rejection, Tool, ToolSet, Verdict,
};
use serde_json::Value;
use std::collections::HashMap;
use std::rc::Rc;

/// The stage that reads text.
const READER: &str = "parse-leniency";

/// The stage that checks arguments.
const VALIDATOR: &str = "argument-validate";

/// How much of inline definitions is kept compiled: this many, of this many bytes together.
const INLINE_TOOLS: usize = 256;
const INLINE_BYTES: usize = 8 * 1024 * 1024;

/// What a call line becomes.
pub(crate) struct Answer<'a> {
    pub(crate) tool: String,
    pub(crate) outcome: Outcome<'a>,
}

/// Runs call lines through a pipeline.
pub(crate) struct Runner {
    bound: Bound,
    tools: ToolSet,
    /// Reads values that were delivered raw, when the pipeline itself reads nothing.
    readers: Option<ToolSet>,
    inline: HashMap<String, Rc<Inline>>,
    inline_bytes: usize,
}

/// What every tool is bound to.
struct Bound {
    pipeline: Pipeline,
    reader: Option<Pipeline>,
    /// Whether this is `callmend validate`: strict text is read though no stage of the pipeline
    /// reads text, and every unknown name is refused.
    validates: bool,
}

struct Inline {
    tool: PreparedTool,
    reader: Option<PreparedTool>,
}

impl Runner {
    /// Makes a runner of a pipeline for some tools.
    pub(crate) fn new(pipeline: Pipeline, tools: &Tools) -> Result<Self, Failure> {
        Self::bind(pipeline, tools, false)
    }

    /// Makes a runner that checks arguments and does nothing else: every name is checked, and none
    /// is the harness's own.
    pub(crate) fn validating(tools: &Tools) -> Result<Self, Failure> {
        let pipeline = Pipeline::builder().only([VALIDATOR]).build()?;
        Self::bind(pipeline, tools, true)
    }

    fn bind(pipeline: Pipeline, tools: &Tools, validates: bool) -> Result<Self, Failure> {
        let reads = pipeline.stages().any(|meta| meta.id == READER);
        let reader = match reads {
            true => None,
            false => Some(Pipeline::builder().only([READER]).build()?),
        };
        Ok(Self {
            tools: tools.prepare(&pipeline)?,
            readers: reader
                .as_ref()
                .map(|reader| tools.prepare(reader))
                .transpose()?,
            bound: Bound {
                pipeline,
                reader,
                validates,
            },
            inline: HashMap::new(),
            inline_bytes: 0,
        })
    }

    /// Runs one call.
    ///
    /// # Errors
    ///
    /// What is wrong with a definition that stands in the call's own line.
    pub(crate) fn run<'a>(&mut self, call: &'a CallLine<'_>) -> Result<Answer<'a>, String> {
        match &call.tool {
            ToolRef::Name(name) => {
                let tool = name.clone();
                let Some(prepared) = self.tools.get(name) else {
                    let outcome = self.tools.run(name, Delivered::Nothing);
                    return Ok(Answer { tool, outcome });
                };
                let reader = self.readers.as_ref().and_then(|readers| readers.get(name));
                let outcome = self.bound.run(prepared, reader, call);
                Ok(Answer { tool, outcome })
            }
            ToolRef::Inline(raw) => {
                let inline = self.inline(raw)?;
                let tool = inline.tool.tool().name().to_owned();
                let outcome = self.bound.run(&inline.tool, inline.reader.as_ref(), call);
                Ok(Answer { tool, outcome })
            }
        }
    }

    /// Compiles a definition that stands in a call's line, or finds it compiled.
    fn inline(&mut self, raw: &str) -> Result<Rc<Inline>, String> {
        if let Some(inline) = self.inline.get(raw) {
            return Ok(Rc::clone(inline));
        }
        let value: Value = serde_json::from_str(raw).map_err(|error| error.to_string())?;
        let tool = Tool::from_json(&value).map_err(|error| plain(&error))?;
        let prepare = |pipeline: &Pipeline| pipeline.prepare(&tool).map_err(|e| e.to_string());
        let inline = Rc::new(Inline {
            tool: prepare(&self.bound.pipeline)?,
            reader: self.bound.reader.as_ref().map(prepare).transpose()?,
        });
        let full = self.inline.len() >= INLINE_TOOLS
            || self.inline_bytes.saturating_add(raw.len()) > INLINE_BYTES;
        if full {
            // Who sends so many different tools is not served by remembering which was used last.
            self.inline.clear();
            self.inline_bytes = 0;
        }
        if raw.len() <= INLINE_BYTES {
            self.inline_bytes += raw.len();
            self.inline.insert(raw.to_owned(), Rc::clone(&inline));
        }
        Ok(inline)
    }
}

impl Bound {
    fn run<'a>(
        &self,
        tool: &PreparedTool,
        reader: Option<&PreparedTool>,
        call: &'a CallLine<'_>,
    ) -> Outcome<'a> {
        let delivered = match &call.arguments {
            Arguments::Nothing => Delivered::Nothing,
            Arguments::Text(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => Delivered::Text(text),
                Err(_) => Delivered::Bytes(bytes),
            },
            // An object is read by the cascade's own reader, which sees keys that are given twice.
            Arguments::Value(raw) if raw.starts_with('{') => Delivered::Text(raw),
            Arguments::Value(raw) => match serde_json::from_str::<Value>(raw) {
                Ok(value) => Delivered::Value(value),
                Err(_) => Delivered::Text(raw),
            },
        };
        let draft = Draft::new(delivered).with_complete(call.complete);
        let Some(reader) = reader else {
            return tool.run(draft);
        };
        let (is_value, is_text) = match &call.arguments {
            Arguments::Value(raw) => (raw.starts_with('{'), false),
            Arguments::Text(_) => (false, true),
            Arguments::Nothing => (false, false),
        };
        let is_read = is_value || (is_text && self.validates);
        if !is_read {
            return self.run_read(tool, draft);
        }
        match read(reader, draft.clone(), is_value) {
            Ok(read) => self.run_read(tool, read),
            Err(rejection) if is_value || call.complete == Some(false) => {
                Outcome::unrepairable(*rejection)
            }
            Err(_) => tool.run(draft),
        }
    }

    fn run_read<'a>(&self, tool: &PreparedTool, draft: Draft<'a>) -> Outcome<'a> {
        match unknown_names(tool.tool(), &draft).filter(|_| self.validates) {
            Some(rejection) => Outcome::unrepairable(rejection),
            None => tool.run(draft),
        }
    }
}

/// Refuses a name that the tool does not declare: the check of the free function
/// `validate_arguments`, which asks nobody who closed the schema, and knows no names that are the
/// harness's own.
fn unknown_names(tool: &Tool, call: &Draft<'_>) -> Option<Rejection> {
    let signature = tool.signature();
    let is_unknown = |name: &str| !signature.root().is_patterned() && !signature.is_declared(name);
    let retired = retired::in_force();
    unknown::rejection(VALIDATOR, signature, retired, call.object()?, is_unknown)
}

/// Reads what no stage of the pipeline will: strict text becomes its object. In a value a key that
/// is given twice is seen, and is one edit; nothing else is repaired.
fn read<'a>(
    reader: &PreparedTool,
    mut draft: Draft<'a>,
    is_value: bool,
) -> Result<Draft<'a>, Box<Rejection>> {
    for (meta, prepared) in reader.steps() {
        match prepared.plan(&draft) {
            Verdict::Rewrite(changes)
                if changes.iter().all(|c| is_value && !c.relaxed.is_empty()) =>
            {
                draft.apply(meta.id, Verdict::Rewrite(changes))?;
            }
            Verdict::Rewrite(_) => {
                let text = draft.text().filter(|_| is_value);
                let value = text.and_then(|text| serde_json::from_str::<Value>(text).ok());
                return Ok(match value {
                    Some(value) => Draft::new(value).with_complete(draft.complete()),
                    None => draft,
                });
            }
            verdict => {
                draft.apply(meta.id, verdict)?;
            }
        }
    }
    Ok(draft)
}
