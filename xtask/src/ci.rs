//! `cargo xtask ci`: everything that a change must pass, step by step, as `.ci/run` runs it.

use crate::{codegen, conformance, measure, mutants, tidy, workspace};
use anyhow::{Context as _, Result, bail};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Which steps to run.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only these steps, in their own order; all without
    #[arg(value_name = "STEP")]
    only: Vec<String>,
    /// Leave these steps out
    #[arg(long, value_delimiter = ',', value_name = "STEP")]
    skip: Vec<String>,
    /// Go on after a step that failed, and say at the end which did
    #[arg(long)]
    keep_going: bool,
}

type Step = (&'static str, fn() -> Result<()>);

/// The steps, cheap ones first.
const STEPS: [Step; 12] = [
    ("fmt", fmt),
    ("clippy", clippy),
    ("test", test),
    ("test-libraries", test_libraries),
    ("doc", doc),
    ("deny", deny),
    ("conformance", conform),
    ("mutants", mutants::run),
    ("tidy", tidy::run),
    ("codegen", generated),
    ("command", command),
    ("measure", measured),
];

/// Runs the steps; stops at the first that fails unless told otherwise.
pub(crate) fn run(options: &Options) -> Result<()> {
    for name in options.only.iter().chain(&options.skip) {
        if !STEPS.iter().any(|(step, _)| step == name) {
            let names: Vec<&str> = STEPS.iter().map(|(step, _)| *step).collect();
            bail!("no step `{name}`; the steps are {}", names.join(", "));
        }
    }
    let mut failed = Vec::new();
    for (name, step) in STEPS {
        let wanted = options.only.is_empty() || options.only.iter().any(|only| only == name);
        if !wanted || options.skip.iter().any(|skip| skip == name) {
            continue;
        }
        println!("\n==> {name}");
        let start = Instant::now();
        let done = step();
        let seconds = start.elapsed().as_secs_f64();
        match done {
            Ok(()) => println!("<== {name}: passed in {seconds:.1} s"),
            Err(error) => {
                println!("<== {name}: FAILED after {seconds:.1} s: {error:#}");
                failed.push(name);
                if !options.keep_going {
                    break;
                }
            }
        }
    }
    match failed.as_slice() {
        [] => Ok(()),
        _ => bail!("failed: {}", failed.join(", ")),
    }
}

fn fmt() -> Result<()> {
    cargo(&["fmt", "--all", "--check"])
}

fn clippy() -> Result<()> {
    cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ])
}

/// Runs the README's test command, and then holds every snapshot file against what the tests
/// asked for.
fn test() -> Result<()> {
    let asked = target().join("snapshots-asked-for");
    // A list of an earlier run would hide a snapshot that nothing asks for any more.
    let _ = std::fs::remove_file(&asked);
    let mut command = Command::new(env!("CARGO"));
    command
        .args(["test", "--workspace"])
        .env("INSTA_UPDATE", "no")
        .env("INSTA_SNAPSHOT_REFERENCES_FILE", &asked);
    go(command)?;
    no_orphans(&asked)
}

fn no_orphans(asked: &Path) -> Result<()> {
    let list = std::fs::read_to_string(asked).unwrap_or_default();
    let canonical =
        |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let asked: BTreeSet<PathBuf> = list
        .lines()
        .map(|line| canonical(Path::new(line)))
        .collect();
    let orphans: Vec<String> = workspace::files(&workspace::root(), "snap")?
        .iter()
        .filter(|path| !asked.contains(&canonical(path)))
        .map(|path| workspace::shown(path))
        .collect();
    if !orphans.is_empty() {
        bail!("snapshots that no test asks for: {}", orphans.join(", "));
    }
    Ok(())
}

/// Tests the libraries by themselves: no feature of `serde_json` that the command turns on
/// (`preserve_order`) is on here.
fn test_libraries() -> Result<()> {
    let metadata = output(&["metadata", "--format-version", "1", "--no-deps"])?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata)?;
    let packages = metadata
        .get("packages")
        .and_then(serde_json::Value::as_array);
    let mut arguments = vec!["test".to_owned()];
    for package in packages.into_iter().flatten() {
        let published = package
            .get("publish")
            .is_none_or(serde_json::Value::is_null);
        if let (true, Some(name)) = (published && is_library(package), text(package, "name")) {
            arguments.extend(["-p".to_owned(), name.to_owned()]);
            features_of_serde_json(package, name)?;
        }
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    cargo(&arguments)
}

fn is_library(package: &serde_json::Value) -> bool {
    let targets = package.get("targets").and_then(serde_json::Value::as_array);
    let kinds = targets
        .into_iter()
        .flatten()
        .filter_map(|target| target.get("kind"));
    let kinds: Vec<&str> = kinds.filter_map(|kind| kind.get(0)?.as_str()).collect();
    kinds.contains(&"lib") && !kinds.contains(&"bin")
}

fn features_of_serde_json(package: &serde_json::Value, name: &str) -> Result<()> {
    let dependencies = package
        .get("dependencies")
        .and_then(serde_json::Value::as_array);
    for dependency in dependencies.into_iter().flatten() {
        let normal = dependency
            .get("kind")
            .is_none_or(serde_json::Value::is_null);
        let features = dependency
            .get("features")
            .and_then(serde_json::Value::as_array);
        if normal
            && text(dependency, "name") == Some("serde_json")
            && features.is_some_and(|f| !f.is_empty())
        {
            bail!("{name} turns on features of serde_json, for every crate of its user's program");
        }
    }
    Ok(())
}

fn text<'v>(value: &'v serde_json::Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(serde_json::Value::as_str)
}

fn doc() -> Result<()> {
    let mut command = Command::new(env!("CARGO"));
    command
        .args(["doc", "--workspace", "--no-deps"])
        .env("RUSTDOCFLAGS", "-D warnings");
    go(command)
}

fn deny() -> Result<()> {
    cargo(&["deny", "check", "bans", "licenses", "sources"])
}

fn conform() -> Result<()> {
    conformance::run(&conformance::Options::default())
}

fn generated() -> Result<()> {
    codegen::run(&codegen::Options { check: true })
}

/// Runs the fixtures through the built command, as another implementation would be.
fn command() -> Result<()> {
    cargo(&["build", "--quiet", "-p", "callmend-cli"])?;
    let binary = target().join("debug/callmend");
    conformance::run(&conformance::Options::against(&format!(
        "{} repair",
        binary.display()
    )))
}

/// Measures where the data is there; elsewhere only the mutation set on the project's own tools.
fn measured() -> Result<()> {
    measure::run(&measure::Options::default())
}

fn target() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target.unwrap_or_else(|| workspace::root().join("target"))
}

fn cargo(arguments: &[&str]) -> Result<()> {
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments);
    go(command)
}

fn go(mut command: Command) -> Result<()> {
    command.current_dir(workspace::root());
    let status = command
        .status()
        .with_context(|| format!("starting {command:?}"))?;
    if !status.success() {
        bail!("{command:?} failed");
    }
    Ok(())
}

fn output(arguments: &[&str]) -> Result<String> {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(workspace::root())
        .output()?;
    if !output.status.success() {
        bail!("cargo {} failed", arguments.join(" "));
    }
    Ok(String::from_utf8(output.stdout)?)
}
