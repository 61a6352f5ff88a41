//! `cargo xtask measure`: what is recovered, what is refused, and that nothing is wrong.
//!
//! Every call of every set goes through both cascades. Each outcome is judged by the call's label
//! and checked, without trusting the pipeline, against the raw schema and the properties P1 to P6.

mod item;
mod judge;
mod mutate;
mod page;
mod peers;
mod provenance;
mod report;
mod rng;
mod sets;

use crate::table::Table;
use crate::workspace;
use anyhow::{Result, bail};
use item::{Item, Tools};
use report::Report;
use std::path::{Path, PathBuf};

/// What to measure.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder that holds `cases/field.jsonl` and `data/*.jsonl`
    #[arg(long, value_name = "DIR", default_value = "../shared")]
    data: PathBuf,
    /// Print the numbers as JSON
    #[arg(long)]
    json: bool,
    /// The seeds of the mutation sets, one set for each
    #[arg(long, value_delimiter = ',', default_value = "1")]
    seed: Vec<u64>,
    /// Only these sets: field, valid, model, mutations
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// How many faults of a kind to show in full
    #[arg(long, default_value_t = 3)]
    show: usize,
    /// How many calls each operator is tried on
    #[arg(long, default_value_t = 40)]
    per_operator: usize,
    /// Run the published repairers through the same sets; needs `--features peers`
    #[arg(long)]
    peers: bool,
    /// Write `docs/src/measured.md`
    #[arg(long)]
    page: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            data: PathBuf::from("../shared"),
            json: false,
            seed: vec![1],
            only: Vec::new(),
            show: 3,
            per_operator: 40,
            peers: false,
            page: false,
        }
    }
}

/// Answers as a peer does, in a process of its own.
pub(crate) fn serve_peer(name: &str) -> Result<()> {
    peers::serve(name)
}

/// Measures, prints, and fails when a hard requirement does not hold.
pub(crate) fn run(options: &Options) -> Result<()> {
    let mut tools = Tools::new()?;
    let data = workspace::root().join(&options.data);
    let wanted = |set: &str| options.only.is_empty() || options.only.iter().any(|only| only == set);
    let mut sets: Vec<(String, Vec<Item>)> = Vec::new();
    let field = data.join("cases/field.jsonl");
    if wanted("field") && there(&field) {
        sets.push(("field".to_owned(), sets::field(&field, &mut tools)?));
    }
    let valid = data.join("data/valid-calls.jsonl");
    if wanted("valid") && there(&valid) {
        let calls = sets::valid_calls(&valid)?;
        sets.push(("valid".to_owned(), sets::untouched(&calls, &mut tools)));
    }
    let model = data.join("data/model-outputs.jsonl");
    if wanted("model") && there(&model) {
        sets.push(("model".to_owned(), sets::model_outputs(&model, &mut tools)?));
    }
    if wanted("mutations") {
        for seed in &options.seed {
            let right = right_calls(&valid, &mut tools)?;
            let items = mutate::generate(right, &mut tools, *seed, options.per_operator);
            let (noise, items): (Vec<Item>, Vec<Item>) = items
                .into_iter()
                .partition(|item| item.kind.contains("noise:"));
            sets.push((format!("mutations, seed {seed}"), items));
            sets.push((format!("noise, seed {seed}"), noise));
        }
    }
    let mut compared = None;
    if options.peers {
        let mut table = peers::table();
        // One mutation set says it all, and peers take their time.
        let first = options
            .seed
            .first()
            .map(|seed| format!("mutations, seed {seed}"));
        let told = sets
            .iter()
            .filter(|(set, _)| !set.contains(", seed ") || Some(set) == first.as_ref());
        for (set, items) in told {
            peers::compare(set, items, &mut table)?;
        }
        println!("{}", table.markdown());
        if !options.page {
            return Ok(());
        }
        compared = Some(table);
    }
    let reports: Vec<Report> = sets
        .iter()
        .map(|(set, items)| Report::of(set, items))
        .collect();
    if options.json {
        let sets: Vec<_> = reports.iter().map(Report::json).collect();
        println!("{}", serde_json::to_string_pretty(&sets)?);
    } else {
        print(&reports, options, &tools);
    }
    let unmet = unmet(&reports);
    if options.page {
        page::write(&reports, compared.as_ref(), &unmet)?;
    }
    if !options.json {
        for line in &unmet {
            println!("UNMET {line}");
        }
    }
    if !unmet.is_empty() {
        bail!("{} requirements are not met", unmet.len());
    }
    Ok(())
}

/// Returns the calls that the mutation set starts from: the valid ones, or, where they are not at
/// hand, the fixtures' own clean ones.
fn right_calls(valid: &Path, tools: &mut Tools) -> Result<Vec<mutate::Right>> {
    if !valid.is_file() {
        return sets::clean_fixtures(tools);
    }
    let calls = sets::valid_calls(valid)?;
    let right = calls.into_iter().map(|call| mutate::Right {
        id: call.id,
        tool: call.tool,
        schema: call.schema,
        arguments: call.arguments,
    });
    Ok(right.collect())
}

fn there(path: &Path) -> bool {
    if !path.is_file() {
        eprintln!("{} is not there: passed over", path.display());
        return false;
    }
    true
}

fn print(reports: &[Report], options: &Options, tools: &Tools) {
    for report in reports {
        println!("## {}\n\n{}", report.set, report.table());
    }
    for report in reports {
        let faults = report.faults(options.show);
        if !faults.is_empty() {
            println!("## Faults of {}\n\n{faults}", report.set);
        }
    }
    for (name, why) in &tools.failed {
        println!("tool {name} cannot be prepared: {why}");
    }
    let mut summary: Table = Report::summary_table();
    for report in reports {
        report.summary(&mut summary);
    }
    println!("## All sets\n\n{}", summary.markdown());
    println!(
        "recovered: repaired into exactly what was meant · clean: untouched, as it should be · \
         refused: rightly, or as it may be · dispatched: what was meant is not known · missed: \
         refused with one reading · changed: an untouched call rewritten or refused · wrong: \
         dispatched and not what was meant · broken: a property does not hold\n"
    );
}

/// Lists the hard requirements that do not hold.
fn unmet(reports: &[Report]) -> Vec<String> {
    let mut unmet = Vec::new();
    for report in reports {
        let set = report.set.as_str();
        for cascade in ["standard", "extended"] {
            let total = report.total(cascade);
            let mut must_be_none = |what: &str, count: usize| {
                if count > 0 {
                    unmet.push(format!("{set}, {cascade}: {count} {what}"));
                }
            };
            if !set.starts_with("noise") {
                must_be_none("wrong", total.wrong);
            }
            must_be_none("untouched changed", total.changed);
            must_be_none("with a property that does not hold", total.broken);
            if set == "field" {
                must_be_none("missed", total.missed);
            }
            if set.starts_with("mutations") {
                let one_reading = total.recovered + total.missed;
                if total.missed * 100 > one_reading {
                    unmet.push(format!(
                        "{set}, {cascade}: only {} of {one_reading} one-reading calls recovered",
                        total.recovered
                    ));
                }
            }
        }
        if set == "field" {
            // A case of strength `may` binds nobody.
            let (recovered, calls) = report.share("extended", "repair_or_reject must");
            if recovered * 100 < calls * 60 {
                unmet.push(format!(
                    "field: {recovered} of {calls} `repair_or_reject` cases that bind repaired, at least 60 % must be"
                ));
            }
        }
    }
    unmet
}
