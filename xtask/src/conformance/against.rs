//! The fixtures through another implementation: call lines in, outcome lines out.

use super::{Report, compare};
use crate::call::replay;
use crate::fixture::{CascadeName, Case, Fixture};
use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

/// Runs every case that a pipeline can run through a command.
pub(super) fn run(fixtures: &[Fixture], command: &str, standard_only: bool) -> Result<Report> {
    let mut report = Report::default();
    for cascade in [CascadeName::Standard, CascadeName::Extended] {
        if standard_only && cascade == CascadeName::Extended {
            continue;
        }
        let cases: Vec<(&Fixture, &Case)> = fixtures
            .iter()
            .filter(|fixture| fixture.pipeline && fixture.cascade == cascade)
            .flat_map(|fixture| fixture.cases.iter().map(move |case| (fixture, case)))
            .collect();
        if cases.is_empty() {
            continue;
        }
        let outcomes = outcomes(command, cascade, &cases)?;
        for ((fixture, case), outcome) in cases.into_iter().zip(&outcomes) {
            let mut faults = compare::differences(case, outcome);
            if let Some(arguments) = outcome.get("arguments") {
                let edits = outcome.get("edits").unwrap_or(&Value::Null);
                faults.extend(compare::replayed(replay(&case.sent(), edits), arguments));
            }
            if outcome.get("id") != Some(&Value::String(id(fixture, case))) {
                faults.push("the outcome's id is not the call's".to_owned());
            }
            report.note(fixture, case, "against", outcome, &faults);
        }
    }
    Ok(report)
}

fn id(fixture: &Fixture, case: &Case) -> String {
    format!("{}#{}", fixture.file, case.id)
}

/// Spells a case as a call line.
fn call_line(fixture: &Fixture, case: &Case) -> Value {
    let mut line = Map::new();
    line.insert("id".to_owned(), Value::String(id(fixture, case)));
    line.insert("tool".to_owned(), fixture.tool.clone());
    if let Some(arguments) = &case.arguments {
        line.insert("arguments".to_owned(), arguments.clone());
    }
    if let Some(complete) = case.complete {
        line.insert("complete".to_owned(), json!(complete));
    }
    Value::Object(line)
}

fn outcomes(
    command: &str,
    cascade: CascadeName,
    cases: &[(&Fixture, &Case)],
) -> Result<Vec<Value>> {
    let mut words = command.split_whitespace();
    let program = words.next().context("--against is empty")?;
    let mut child = Command::new(program);
    child.args(words);
    if cascade == CascadeName::Extended {
        child.args(["--cascade", "extended"]);
    }
    let mut child = child
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("starting `{command}`"))?;
    let mut stdin = child.stdin.take().context("no standard input")?;
    let lines: Vec<String> = cases
        .iter()
        .map(|(fixture, case)| call_line(fixture, case).to_string())
        .collect();
    let writer = std::thread::spawn(move || -> std::io::Result<()> {
        for line in lines {
            writeln!(stdin, "{line}")?;
        }
        Ok(())
    });
    let stdout = child.stdout.take().context("no standard output")?;
    let mut outcomes = Vec::with_capacity(cases.len());
    for line in BufReader::new(stdout).lines() {
        let line = line?;
        if !line.trim().is_empty() {
            outcomes.push(
                serde_json::from_str(&line).with_context(|| format!("not an outcome: {line}"))?,
            );
        }
    }
    // A command that stops reading is reported by the count below.
    let _ = writer.join();
    child.wait()?;
    if outcomes.len() != cases.len() {
        bail!(
            "`{command}` gave {} outcomes for {} calls",
            outcomes.len(),
            cases.len()
        );
    }
    Ok(outcomes)
}
