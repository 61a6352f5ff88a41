//! The command `callmend`.

mod args;
mod call_line;
mod diff;
mod explain;
mod failure;
mod inputs;
mod mcp;
mod runner;
mod stages;
mod stream;
mod tools_file;

use args::{Cli, Command};
use clap::Parser as _;
use failure::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Repair(args) => stream::repair(&args),
        Command::Validate(args) => stream::validate(&args),
        Command::Explain(args) => explain::explain(&args),
        Command::Stages => stages::list(),
        Command::Mcp(args) => mcp::proxy(args),
    };
    match done {
        Ok(exit) => exit.into(),
        // Whoever read the output has seen enough.
        Err(Failure::BrokenPipe) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            Exit::Trouble.into()
        }
    }
}

/// The exit status, the same for every subcommand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Every call can be dispatched.
    Dispatchable,
    /// Some call cannot be dispatched.
    Refused,
    /// Wrong usage, a failed read or write, or a line that is no call.
    Trouble,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Dispatchable => 0,
            Exit::Refused => 1,
            Exit::Trouble => 2,
        })
    }
}
