//! `callmend mcp`: the proxy between a Model Context Protocol client and a server.

use crate::Exit;
use crate::args::Selection;
use crate::failure::Failure;
use callmend::{Closure, Pipeline, Rejection, ToolBuilder};
use callmend_mcp::{ProxyOptions, listed_tool, run};
use callmend_profiles::{Known, Profile, Profiles};
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Mcp {
    #[command(flatten)]
    selection: Selection,
    /// The postures of models, a TOML file: says which cascade and stages run, which tools may be
    /// called, and who closed their schemas.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cascade", "stages", "skip"])]
    profiles: Option<PathBuf>,
    /// The model whose posture is taken, as PROVIDER/MODEL; without it, that of every model.
    #[arg(long, value_name = "MODEL", default_value = "*", requires = "profiles")]
    model: String,
    /// Who closed the schemas of the server's tools: `authored`, `synthesized` (a converter, which
    /// always does it: unknown arguments go through) or `closed`.
    #[arg(long, value_name = "WORD", value_parser = closure)]
    closure: Option<Closure>,
    /// Add a repaired call's hints to its result, for the model to read.
    #[arg(long)]
    coach: bool,
    /// Append one outcome line per call to this file, without any value of a call.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Log the values too: arguments, edits, messages and hints.
    #[arg(long, requires = "log")]
    log_values: bool,
    /// How many seconds the server may go on without a byte moving once its client is gone.
    #[arg(long, value_name = "SECONDS", default_value_t = 5)]
    grace: u64,
    /// The server's command.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

const HELP: &str = "\
A client is pointed at the proxy instead of the server:
  { \"command\": \"callmend\", \"args\": [\"mcp\", \"--log\", \"calls.jsonl\", \"--\", \"npx\", \"-y\", \"some-server\"] }

Clean calls pass byte for byte, and so does everything that is no call. A repaired call's result says
what was done under `_meta`; an unrepairable call is answered with what to send instead.

Exit status: the server's; 128 + the signal if one killed it; 2 when it cannot be started.";

/// Runs the proxy; comes back only if it could not start.
pub(crate) fn proxy(args: Mcp) -> Result<Exit, Failure> {
    let (pipeline, profile) = args.posture()?;
    let mut command = args.command.into_iter();
    let program = command.next().unwrap_or_default();
    let mut options = ProxyOptions::new(pipeline.clone(), program, command);
    let own = args.closure;
    let allowed = profile.clone();
    options.refuse = Box::new(move |tool| -> Option<Rejection> { allowed.refusal(tool) });
    options.prepare = Box::new(move |name, definition| {
        let close = |tool: ToolBuilder| match own {
            Some(closure) => tool.closure(closure),
            None => profile.close(tool),
        };
        pipeline.prepare(&close(listed_tool(name, definition)).build()?)
    });
    options.coach = args.coach;
    options.log = args.log;
    options.log_values = args.log_values;
    options.grace = Duration::from_secs(args.grace);
    match run(options) {
        // The server's own exit status, whatever it means.
        Ok(code) => std::process::exit(code),
        Err(why) => Err(Failure::new(why.to_string())),
    }
}

impl Mcp {
    fn posture(&self) -> Result<(Pipeline, Profile), Failure> {
        let Some(path) = &self.profiles else {
            return Ok((self.selection.pipeline()?, Profile::default()));
        };
        let at = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|why| Failure::new(format!("{at} cannot be read: {why}")))?;
        let profiles = Profiles::parse(&text, &Known::of_this_program())
            .map_err(|why| Failure::new(format!("{at}: {why}")))?;
        let profile = profiles.for_model(&self.model);
        Ok((profile.pipeline()?, profile))
    }
}

fn closure(word: &str) -> Result<Closure, String> {
    let wrong = "the words are authored, synthesized and closed";
    Closure::from_word(word).ok_or_else(|| wrong.to_owned())
}
