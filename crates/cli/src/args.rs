//! What the command takes.

use crate::failure::Failure;
use callmend::{Cascade, Pipeline};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Repairs a language model's tool call when it has exactly one reading, and says what to send
/// instead when it has none, or two.
#[derive(Debug, Parser)]
#[command(name = "callmend", version, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Repair calls: one call a line in, one outcome a line out.
    #[command(after_help = REPAIR)]
    Repair(Repair),
    /// Check calls against their tools and change nothing but what the check itself normalizes.
    #[command(after_help = VALIDATE)]
    Validate(Stream),
    /// Show what each stage sees in one call, and what it does.
    #[command(after_help = EXPLAIN)]
    Explain(Explain),
    /// List the stages and the tool repairs: their order, their codes, and where they come from.
    Stages,
    /// Stand between an MCP client and a server over stdio, and repair the calls on their way.
    Mcp(crate::mcp::Mcp),
}

#[derive(Debug, Args)]
pub(crate) struct Repair {
    #[command(flatten)]
    pub(crate) selection: Selection,
    #[command(flatten)]
    pub(crate) stream: Stream,
}

#[derive(Debug, Args)]
pub(crate) struct Stream {
    /// The tools that the calls name: an array of tools, {"tools": [...]}, or one tool a line;
    /// may be given several times.
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: Vec<PathBuf>,
    /// The calls, one a line; standard input without any, or for `-`.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The tools: an array of tools, {"tools": [...]}, or one tool a line; may be given several
    /// times.
    #[arg(long, value_name = "FILE", required = true)]
    pub(crate) tools: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) selection: Selection,
    /// Whether the provider said that it finished; leave it out when it did not say.
    #[arg(long, value_name = "BOOL")]
    pub(crate) complete: Option<bool>,
    /// The name of the tool that is called.
    #[arg(value_name = "TOOL")]
    pub(crate) tool: String,
    /// The arguments, as the provider delivered them; `-` reads them from standard input.
    #[arg(value_name = "ARGUMENTS", allow_hyphen_values = true)]
    pub(crate) arguments: String,
}

/// Which stages run.
#[derive(Debug, Args)]
pub(crate) struct Selection {
    /// The cascade.
    #[arg(long, value_enum, default_value = "standard")]
    cascade: CascadeName,
    /// Only these stages, separated by commas; `callmend stages` lists them.
    #[arg(
        long,
        value_name = "STAGES",
        value_delimiter = ',',
        conflicts_with = "skip"
    )]
    stages: Option<Vec<String>>,
    /// All stages but these, separated by commas.
    #[arg(long, value_name = "STAGES", value_delimiter = ',')]
    skip: Vec<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum CascadeName {
    /// What the reference texts say, exactly.
    Standard,
    /// The standard cascade plus what the field needs.
    Extended,
}

impl Selection {
    /// Builds the pipeline.
    pub(crate) fn pipeline(&self) -> Result<Pipeline, Failure> {
        let cascade = match self.cascade {
            CascadeName::Standard => Cascade::Standard,
            CascadeName::Extended => Cascade::Extended,
        };
        let mut builder = Pipeline::builder().cascade(cascade);
        if let Some(ids) = &self.stages {
            builder = builder.only(ids.iter().map(|id| id.trim()));
        }
        builder = builder.skip(self.skip.iter().map(|id| id.trim()));
        Ok(builder.build()?)
    }
}

const EXAMPLES: &str = "\
Examples:
  callmend repair --tools tools.json calls.jsonl > outcomes.jsonl
  callmend explain --tools tools.json read '{filepath: \"src/lib.rs\",}'
  callmend stages

Exit status: 0 when every call can be dispatched, 1 when some cannot, 2 for wrong usage, failed
reads and writes, and lines that are no calls.";

const REPAIR: &str = "\
A call line:
  {\"id\"?: any, \"tool\": NAME or {\"name\", \"parameters\", ...}, \"arguments\"?: any, \"complete\"?: bool}
A string in `arguments` is text as the provider delivered it, any other value one that the host has
parsed. `complete` says whether the provider finished; leave it out when the host does not know.
Blank lines are passed over.

Examples:
  callmend repair --tools tools.json calls.jsonl
  producer | callmend repair --tools tools.json --cascade extended | consumer
  callmend repair --tools tools.json --skip alias-rename,tool-repair calls.jsonl";

const VALIDATE: &str = "\
Runs argument-validate alone, and always checks for unknown names. Arguments that are text must be
strict JSON; no name is the harness's own.

Example:
  callmend validate --tools tools.json calls.jsonl";

const EXPLAIN: &str = "\
Examples:
  callmend explain --tools tools.json read '{filepath: \"src/lib.rs\",}'
  callmend explain --tools tools.json --cascade extended read - < arguments.txt";
