//! `cargo xtask conformance`: every fixture through its stage alone and through the whole
//! pipeline, or through any other implementation.

mod against;
mod alone;
mod compare;

use crate::call::replay;
use crate::fixture::{self, Case, Fixture};
use crate::table::Table;
use anyhow::{Result, bail};
use callmend::{Draft, Pipeline, Stage, Status, Tool};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// How to run the fixtures.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Run the cases through another implementation: a command that reads call lines on standard
    /// input and writes outcome lines, as `callmend repair` does. For the extended cascade
    /// `--cascade extended` is appended
    #[arg(long, value_name = "CMD ARGS")]
    against: Option<String>,
    /// With --against: leave out the cases of the extended cascade
    #[arg(long, requires = "against")]
    standard_only: bool,
    /// How many differences to show in full
    #[arg(long, default_value_t = 40)]
    show: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            against: None,
            standard_only: false,
            show: 40,
        }
    }
}

impl Options {
    /// Runs the cases through another implementation.
    pub(crate) fn against(command: &str) -> Self {
        Self {
            against: Some(command.to_owned()),
            ..Self::default()
        }
    }
}

/// Runs the fixtures, prints the table, and fails on any difference.
pub(crate) fn run(options: &Options) -> Result<()> {
    let fixtures = fixture::load()?;
    let report = match &options.against {
        Some(command) => against::run(&fixtures, command, options.standard_only)?,
        None => check(&fixtures)?,
    };
    println!("{}", report.table());
    for difference in report.differences.iter().take(options.show) {
        println!("{difference}");
    }
    match report.differences.len() {
        0 => Ok(()),
        n => bail!("{n} differences"),
    }
}

/// What came of a run.
#[derive(Default)]
pub(crate) struct Report {
    counts: BTreeMap<(String, &'static str), Counts>,
    /// Each difference, readable, with its file and case.
    pub(crate) differences: Vec<String>,
    /// Every code that an outcome carried.
    pub(crate) codes: BTreeSet<String>,
    /// Every relaxation that an edit lists.
    pub(crate) relaxed: BTreeSet<String>,
    /// An example message of each code of a rejection.
    pub(crate) examples: BTreeMap<String, String>,
}

#[derive(Default, Clone, Copy)]
struct Counts {
    cases: usize,
    clean: usize,
    repaired: usize,
    refused: usize,
    different: usize,
}

impl Report {
    fn table(&self) -> String {
        let mut table = Table::new([
            "stage",
            "through",
            "cases",
            "clean",
            "repaired",
            "refused",
            "different",
        ]);
        let mut totals: BTreeMap<&str, Counts> = BTreeMap::new();
        for ((stage, through), counts) in &self.counts {
            table.row(row(stage, through, counts));
            let total = totals.entry(*through).or_default();
            total.cases += counts.cases;
            total.clean += counts.clean;
            total.repaired += counts.repaired;
            total.refused += counts.refused;
            total.different += counts.different;
        }
        for (through, counts) in totals {
            table.row(row("all", through, &counts));
        }
        table.markdown()
    }

    /// Counts a case and notes how its outcome differs.
    fn note(
        &mut self,
        fixture: &Fixture,
        case: &Case,
        through: &'static str,
        outcome: &Value,
        faults: &[String],
    ) {
        let counts = self
            .counts
            .entry((fixture.stage.clone(), through))
            .or_default();
        counts.cases += 1;
        match outcome.get("status").and_then(Value::as_str) {
            Some("clean") => counts.clean += 1,
            Some("repaired") => counts.repaired += 1,
            _ => counts.refused += 1,
        }
        self.collect(outcome);
        if faults.is_empty() {
            return;
        }
        counts_different(&mut self.counts, fixture, through);
        self.differences.push(format!(
            "{} case `{}`, {through}:\n  sent {}\n{}",
            fixture.file,
            case.id,
            case.sent().shown(200),
            faults
                .iter()
                .map(|fault| format!("  {fault}\n"))
                .collect::<String>()
        ));
    }

    fn collect(&mut self, outcome: &Value) {
        let code_of = |value: &Value| value.get("code").and_then(Value::as_str).map(str::to_owned);
        let edits = outcome.get("edits").and_then(Value::as_array);
        let relaxed = edits
            .into_iter()
            .flatten()
            .filter_map(|edit| edit.get("relaxed")?.as_array());
        let relaxed = relaxed.flatten().filter_map(Value::as_str);
        self.relaxed.extend(relaxed.map(str::to_owned));
        self.codes
            .extend(edits.into_iter().flatten().filter_map(code_of));
        let Some(rejection) = outcome.get("rejection") else {
            return;
        };
        if let (Some(code), Some(message)) = (
            code_of(rejection),
            rejection.get("message").and_then(Value::as_str),
        ) {
            self.examples
                .entry(code.clone())
                .or_insert_with(|| message.to_owned());
            self.codes.insert(code);
        }
    }
}

fn counts_different(
    counts: &mut BTreeMap<(String, &'static str), Counts>,
    fixture: &Fixture,
    through: &'static str,
) {
    if let Some(counts) = counts.get_mut(&(fixture.stage.clone(), through)) {
        counts.different += 1;
    }
}

fn row(stage: &str, through: &str, counts: &Counts) -> Vec<String> {
    let numbers = [
        counts.cases,
        counts.clean,
        counts.repaired,
        counts.refused,
        counts.different,
    ];
    let mut row = vec![stage.to_owned(), through.to_owned()];
    row.extend(numbers.iter().map(ToString::to_string));
    row
}

/// Runs every case through this implementation.
pub(crate) fn check(fixtures: &[Fixture]) -> Result<Report> {
    check_with(fixtures, None)
}

/// Runs every case through this implementation with another stage in one stage's place.
pub(crate) fn check_with(
    fixtures: &[Fixture],
    instead: Option<&'static dyn Stage>,
) -> Result<Report> {
    let mut report = Report::default();
    for fixture in fixtures {
        let tool = match fixture.tool() {
            Ok(tool) => tool,
            Err(error) => {
                report
                    .differences
                    .push(format!("{}: {error}", fixture.file));
                continue;
            }
        };
        if fixture.alone {
            alone::check(fixture, &tool, instead, &mut report)?;
        }
        if fixture.pipeline {
            through_pipeline(fixture, &tool, instead, &mut report)?;
        }
    }
    Ok(report)
}

fn through_pipeline(
    fixture: &Fixture,
    tool: &Tool,
    instead: Option<&'static dyn Stage>,
    report: &mut Report,
) -> Result<()> {
    let cascade = fixture.cascade.into();
    let mut builder = Pipeline::builder().cascade(cascade);
    if let Some(stage) = instead
        && Pipeline::builder()
            .cascade(cascade)
            .build()?
            .stages()
            .any(|own| own.id == stage.meta().id)
    {
        builder = builder.replace(stage);
    }
    let pipeline = builder.build()?;
    let prepared = pipeline.prepare(tool)?;
    for case in &fixture.cases {
        let sent = case.sent();
        let outcome = prepared.run(sent.draft(case.complete));
        let line = outcome.to_json();
        let mut faults = compare::differences(case, &line);
        if let Some(arguments) = &outcome.arguments {
            faults.extend(compare::replayed(
                replay(&sent, line.get("edits").unwrap_or(&Value::Null)),
                arguments,
            ));
            let again = prepared.run(Draft::new(arguments.clone()));
            if again.status != Status::Clean || again.arguments.as_ref() != Some(arguments) {
                faults.push(format!("run again, it is not clean: {}", again.to_json()));
            }
        }
        report.note(fixture, case, "pipeline", &line, &faults);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_fixture_is_what_this_implementation_does() {
        let fixtures = crate::fixture::load().unwrap();
        let report = super::check(&fixtures).unwrap();
        assert!(
            report.differences.is_empty(),
            "{}",
            report.differences.join("\n")
        );
    }
}
