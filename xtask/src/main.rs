//! Tasks of the workspace, run as `cargo xtask TASK`.

mod call;
mod ci;
mod codegen;
mod codes;
mod conformance;
mod fixture;
mod fuzz;
mod measure;
mod mutants;
mod table;
mod tidy;
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
    /// Write the pages of the book that come from the code
    Codegen(codegen::Options),
    /// Run everything that a change must pass
    Ci(ci::Options),
    /// Run the fixtures through each stage alone and through the pipeline
    Conformance(conformance::Options),
    /// Check what no compiler checks
    Tidy,
    /// Fuzz the parser and both cascades for a while each; needs nightly and cargo-fuzz
    Fuzz(fuzz::Options),
    /// Switch off one rule after another and ask whether the fixtures notice
    Mutants,
    /// Answer repairs on standard input as a published crate does
    #[command(hide = true)]
    Peer { name: String },
    /// Measure recovery and soundness over the field, the valid calls, models' outputs and mutations
    Measure(measure::Options),
}

fn main() -> ExitCode {
    let done = match Command::parse().task {
        Task::Ci(options) => ci::run(&options),
        Task::Conformance(options) => conformance::run(&options),
        Task::Codegen(options) => codegen::run(&options),
        Task::Fuzz(options) => fuzz::run(&options),
        Task::Mutants => mutants::run(),
        Task::Peer { name } => measure::serve_peer(&name),
        Task::Tidy => tidy::run(),
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
