//! Tasks of the workspace, run as `cargo xtask TASK`.

mod call;
mod conformance;
mod fixture;
mod measure;
mod table;
mod workspace;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Tasks of the callmend workspace")]
struct Command {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run the fixtures through each stage alone and through the pipeline
    Conformance(conformance::Options),
    /// Measure recovery and soundness over the field, the valid calls, models' outputs and mutations
    Measure(measure::Options),
}

fn main() -> ExitCode {
    let done = match Command::parse().task {
        Task::Conformance(options) => conformance::run(&options),
        Task::Measure(options) => measure::run(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
