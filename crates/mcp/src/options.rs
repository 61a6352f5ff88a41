//! What a proxy is told.

use callmend::{Closure, Pipeline, PreparedTool, Rejection, Tool, ToolBuilder, ToolError};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// Says which server a proxy runs, and how.
///
/// ```
/// use callmend::Pipeline;
/// use callmend_mcp::ProxyOptions;
///
/// let mut options = ProxyOptions::new(Pipeline::extended()?, "npx", ["-y", "some-server"]);
/// options.coach = true;
/// options.log = Some("calls.jsonl".into());
/// # Ok::<(), callmend::PipelineError>(())
/// ```
#[non_exhaustive]
pub struct ProxyOptions {
    /// The server's program.
    pub program: OsString,
    /// The program's arguments.
    pub args: Vec<OsString>,
    /// Binds a tool to the cascade, from its name and its entry in the server's `tools/list`. A
    /// tool for which it fails is passed through untouched.
    pub prepare: Prepare,
    /// Refuses a tool by its name, before anything of its call is read. Refuses none by default.
    pub refuse: Refuse,
    /// Adds a repaired call's hints to its result as one more text content. Off by default.
    pub coach: bool,
    /// The file that one outcome line per call is appended to. None by default.
    pub log: Option<PathBuf>,
    /// Logs arguments, values, messages and hints too. Off by default: they are masked.
    pub log_values: bool,
    /// How long a server may go on without a byte moving once its client is gone. 5 seconds by
    /// default.
    pub grace: Duration,
    /// How long a call waits for the server's list of tools when the proxy does not know it. 10
    /// seconds by default; after that the call passes untouched.
    pub list_wait: Duration,
    /// The longest line that is looked at, in bytes. 64 MiB by default.
    pub max_line: usize,
}

/// Binds a tool to the cascade, from its name and its entry in the server's list.
pub type Prepare = Box<dyn Fn(&str, &Value) -> Result<PreparedTool, ToolError> + Send + Sync>;

/// Says why a tool must not be called at all, by its name.
pub type Refuse = Box<dyn Fn(&str) -> Option<Rejection> + Send + Sync>;

impl ProxyOptions {
    /// Makes the options for a server: its program and arguments, and the pipeline that every
    /// tool is prepared with.
    pub fn new<A: Into<OsString>>(
        pipeline: Pipeline,
        program: impl Into<OsString>,
        args: impl IntoIterator<Item = A>,
    ) -> Self {
        Self {
            program: program.into(),
            args: args.into_iter().map(Into::into).collect(),
            prepare: prepare_with(pipeline, None),
            refuse: Box::new(|_| None),
            coach: false,
            log: None,
            log_values: false,
            grace: Duration::from_secs(5),
            list_wait: Duration::from_secs(10),
            max_line: 64 * 1024 * 1024,
        }
    }

    /// Says who closed the schemas of the server's tools, which a server has no word for
    /// (contract, section 8).
    ///
    /// Many servers' schemas are written by a converter that always writes
    /// `additionalProperties: false`; for those, [`Closure::Synthesized`] lets unknown arguments
    /// go through. Replaces [`ProxyOptions::prepare`].
    #[must_use]
    pub fn with_closure(mut self, pipeline: Pipeline, closure: Closure) -> Self {
        self.prepare = prepare_with(pipeline, Some(closure));
        self
    }
}

fn prepare_with(pipeline: Pipeline, closure: Option<Closure>) -> Prepare {
    Box::new(move |name, definition| {
        let mut tool = listed_tool(name, definition);
        if let Some(closure) = closure {
            tool = tool.closure(closure);
        }
        pipeline.prepare(&tool.build()?)
    })
}

/// Starts a tool from its entry in a server's `tools/list`, for a [`ProxyOptions::prepare`] of your
/// own.
///
/// Reads only what the protocol gives a tool; whatever else a server writes beside it is not the
/// host's word. Without an `inputSchema`, the tool takes any object.
///
/// ```
/// use callmend_mcp::listed_tool;
/// use serde_json::json;
///
/// let entry = json!({"name": "read", "inputSchema": {"type": "object", "required": ["path"]}});
/// let tool = listed_tool("read", &entry).build()?;
/// assert_eq!(tool.signature().required_names().collect::<Vec<_>>(), ["path"]);
/// # Ok::<(), callmend::ToolError>(())
/// ```
pub fn listed_tool(name: &str, definition: &Value) -> ToolBuilder {
    let schema = definition.get("inputSchema").cloned();
    let tool = Tool::builder(name, schema.unwrap_or_else(|| json!({"type": "object"})));
    match definition.get("description").and_then(Value::as_str) {
        Some(description) => tool.description(description),
        None => tool,
    }
}

impl fmt::Debug for ProxyOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProxyOptions")
            .field("program", &self.program)
            .field("args", &self.args)
            .field("coach", &self.coach)
            .field("log", &self.log)
            .field("log_values", &self.log_values)
            .field("grace", &self.grace)
            .field("list_wait", &self.list_wait)
            .field("max_line", &self.max_line)
            .finish_non_exhaustive()
    }
}
