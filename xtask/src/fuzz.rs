//! `cargo xtask fuzz`: writes the seed corpus from the fixtures and runs each fuzz target for a
//! while.
//!
//! The targets stand in `crates/fuzz`, outside the workspace: they need a nightly toolchain and
//! `cargo-fuzz`. The corpus is derived and is not checked in.

use crate::call::Sent;
use crate::{fixture, workspace};
use anyhow::{Context as _, Result, bail};
use std::path::Path;
use std::process::Command;

/// Every target, as `crates/fuzz/Cargo.toml` names it.
const TARGETS: [&str; 4] = ["strict", "text", "pair", "stepwise"];

/// How long an input may be: faults that need more are for the benches' growth table.
const MAX_LENGTH: usize = 4096;

/// What to run.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only these targets; all without
    #[arg(value_name = "TARGET")]
    only: Vec<String>,
    /// How long each target runs
    #[arg(long, default_value_t = 60)]
    seconds: u64,
}

/// Runs the targets; stops at the first that finds something.
pub(crate) fn run(options: &Options) -> Result<()> {
    if let Some(unknown) = options
        .only
        .iter()
        .find(|only| !TARGETS.contains(&only.as_str()))
    {
        bail!(
            "no fuzz target `{unknown}`; the targets are {}",
            TARGETS.join(", ")
        );
    }
    let folder = workspace::root().join("crates/fuzz");
    write_corpus(&folder.join("corpus"))?;
    for target in TARGETS {
        if options.only.is_empty() || options.only.iter().any(|only| only == target) {
            fuzz(&folder, target, options.seconds)?;
        }
    }
    Ok(())
}

/// Writes each fixture's text, and its schema and text, as seeds.
fn write_corpus(corpus: &Path) -> Result<()> {
    let mut seeds = Vec::new();
    for fixture in fixture::load()? {
        let schema = fixture.tool.get("parameters").cloned().unwrap_or_default();
        for case in &fixture.cases {
            let text = match case.sent() {
                Sent::Nothing => continue,
                Sent::Text(text) => text,
                Sent::Value(value) => value.to_string(),
            };
            if text.len() <= MAX_LENGTH {
                seeds.push((
                    format!("{}-{}", fixture.stage, case.id),
                    schema.to_string(),
                    text,
                ));
            }
        }
    }
    for target in TARGETS {
        let folder = corpus.join(target);
        std::fs::create_dir_all(&folder).with_context(|| workspace::shown(&folder))?;
        for (name, schema, text) in &seeds {
            let seed = match target {
                "pair" => format!("{schema}\n{text}"),
                _ => text.clone(),
            };
            let path = folder.join(name);
            std::fs::write(&path, seed).with_context(|| workspace::shown(&path))?;
        }
    }
    println!("{} seeds for each target", seeds.len());
    Ok(())
}

fn fuzz(folder: &Path, target: &str, seconds: u64) -> Result<()> {
    println!("==> {target}, {seconds} s");
    // The code is safe Rust: a memory sanitizer would find nothing and halve the speed.
    let status = Command::new("cargo")
        .args([
            "+nightly",
            "fuzz",
            "run",
            "--fuzz-dir",
            ".",
            "--sanitizer",
            "none",
            target,
            "--",
        ])
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-max_len={MAX_LENGTH}"))
        .args(["-timeout=10", "-dict=callmend.dict", "-print_final_stats=1"])
        .current_dir(folder)
        .status()
        .context("running `cargo +nightly fuzz`; `cargo install cargo-fuzz` brings it")?;
    if !status.success() {
        bail!("the fuzz target `{target}` found something: crates/fuzz/artifacts/{target}");
    }
    Ok(())
}
