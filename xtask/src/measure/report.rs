//! Counts what was seen, and prints it: one table per set, one row per kind and cascade.

use super::item::{Item, Seen};
use super::judge::Finding;
use crate::call::clip;
use crate::table::Table;
use callmend::Cascade;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// The counts of one kind in one cascade.
#[derive(Default, Clone)]
pub(crate) struct Counts {
    pub(crate) calls: usize,
    pub(crate) recovered: usize,
    pub(crate) clean: usize,
    pub(crate) refused: usize,
    pub(crate) dispatched: usize,
    pub(crate) missed: usize,
    pub(crate) changed: usize,
    pub(crate) wrong: usize,
    pub(crate) broken: usize,
    took: Vec<Duration>,
}

impl Counts {
    fn add(&mut self, seen: &Seen) {
        self.calls += 1;
        self.broken += usize::from(!seen.broken.is_empty());
        self.took.push(seen.took);
        let count = match seen.finding {
            Finding::Recovered => &mut self.recovered,
            Finding::Clean => &mut self.clean,
            Finding::Refused => &mut self.refused,
            Finding::Dispatched => &mut self.dispatched,
            Finding::Missed(_) => &mut self.missed,
            Finding::Changed(_) => &mut self.changed,
            Finding::Wrong(_) => &mut self.wrong,
        };
        *count += 1;
    }

    fn quantile(&self, permille: usize) -> f64 {
        let mut took = self.took.clone();
        took.sort();
        let at = (took.len().saturating_sub(1) * permille).div_ceil(1000);
        took.get(at).map_or(0.0, |took| took.as_secs_f64() * 1e6)
    }

    fn cells(&self) -> Vec<String> {
        let counts = [
            self.calls,
            self.recovered,
            self.clean,
            self.refused,
            self.dispatched,
            self.missed,
            self.changed,
            self.wrong,
            self.broken,
        ];
        let mut cells: Vec<String> = counts.iter().map(ToString::to_string).collect();
        cells.push(format!("{:.1}", self.quantile(500)));
        cells.push(format!("{:.1}", self.quantile(990)));
        cells
    }

    fn json(&self) -> Value {
        json!({
            "calls": self.calls, "recovered": self.recovered, "clean": self.clean,
            "refused": self.refused, "dispatched": self.dispatched, "missed": self.missed,
            "changed": self.changed, "wrong": self.wrong, "broken": self.broken,
            "median_us": self.quantile(500), "p99_us": self.quantile(990),
        })
    }
}

const HEAD: [&str; 11] = [
    "calls",
    "recovered",
    "clean",
    "refused",
    "dispatched",
    "missed",
    "changed",
    "wrong",
    "broken",
    "median µs",
    "p99 µs",
];

/// Everything seen of one set.
pub(crate) struct Report {
    /// The set's name.
    pub(crate) set: String,
    kinds: BTreeMap<(String, &'static str), Counts>,
    totals: BTreeMap<&'static str, Counts>,
    /// What is wrong, in full: cascade, item, why.
    faults: Vec<Fault>,
}

struct Fault {
    class: &'static str,
    cascade: &'static str,
    kind: String,
    text: String,
}

/// Names a cascade as the command line does.
pub(crate) fn cascade_name(cascade: Cascade) -> &'static str {
    match cascade {
        Cascade::Standard => "standard",
        _ => "extended",
    }
}

impl Report {
    /// Runs every call of a set through both cascades.
    pub(crate) fn of(set: &str, items: &[Item]) -> Self {
        let mut report = Self {
            set: set.to_owned(),
            kinds: BTreeMap::new(),
            totals: BTreeMap::new(),
            faults: Vec::new(),
        };
        for item in items {
            for cascade in [Cascade::Standard, Cascade::Extended] {
                report.add(item, cascade, &item.run(cascade));
            }
        }
        report
    }

    fn add(&mut self, item: &Item, cascade: Cascade, seen: &Seen) {
        let name = cascade_name(cascade);
        self.totals.entry(name).or_default().add(seen);
        self.kinds
            .entry((item.kind.clone(), name))
            .or_default()
            .add(seen);
        let (class, why) = match &seen.finding {
            Finding::Missed(why) => ("missed", why.clone()),
            Finding::Changed(why) => ("changed", why.clone()),
            Finding::Wrong(why) => ("wrong", why.clone()),
            Finding::Refused if name == "extended" && item.kind.starts_with("repair_or_reject") => {
                ("refused", seen.said.clone())
            }
            Finding::Dispatched if name == "extended" => ("dispatched", seen.said.clone()),
            _ if seen.broken.is_empty() => return,
            _ => ("broken", String::new()),
        };
        let class = if seen.broken.is_empty() {
            class
        } else {
            "broken"
        };
        let mut text = format!("{} [{}] {}\n", item.id, item.kind, name);
        let _ = writeln!(text, "    sent   {}", item.sent.shown(400));
        if let Some(complete) = item.complete {
            let _ = writeln!(text, "    complete: {complete}");
        }
        if !why.is_empty() {
            let _ = writeln!(text, "    {class}: {}", clip(&why, 700));
        }
        for broken in &seen.broken {
            let _ = writeln!(text, "    broken {}", clip(broken, 500));
        }
        self.faults.push(Fault {
            class,
            cascade: name,
            kind: item.kind.clone(),
            text,
        });
    }

    /// Returns the totals of a cascade.
    pub(crate) fn total(&self, cascade: &'static str) -> Counts {
        self.totals.get(cascade).cloned().unwrap_or_default()
    }

    /// Prints the table, by kind.
    pub(crate) fn table(&self) -> String {
        let mut table = Table::new(["kind", "cascade"].into_iter().chain(HEAD));
        for ((kind, cascade), counts) in &self.kinds {
            table.row(
                [kind.clone(), (*cascade).to_owned()]
                    .into_iter()
                    .chain(counts.cells()),
            );
        }
        for (cascade, counts) in &self.totals {
            table.row(
                ["all".to_owned(), (*cascade).to_owned()]
                    .into_iter()
                    .chain(counts.cells()),
            );
        }
        table.markdown()
    }

    /// Prints the table of one cascade, by kind.
    pub(crate) fn table_of(&self, cascade: &str) -> String {
        let mut table = Table::new(["kind"].into_iter().chain(HEAD));
        for ((kind, own), counts) in &self.kinds {
            if *own == cascade {
                table.row([kind.clone()].into_iter().chain(counts.cells()));
            }
        }
        table.markdown()
    }

    /// Adds the set's totals to a table of all sets.
    pub(crate) fn summary(&self, table: &mut Table) {
        for (cascade, counts) in &self.totals {
            table.row(
                [self.set.clone(), (*cascade).to_owned()]
                    .into_iter()
                    .chain(counts.cells()),
            );
        }
    }

    /// Starts the table of all sets.
    pub(crate) fn summary_table() -> Table {
        Table::new(["set", "cascade"].into_iter().chain(HEAD))
    }

    /// Lists what is wrong, worst first, a few of each kind.
    pub(crate) fn faults(&self, per_kind: usize) -> String {
        let mut out = String::new();
        for class in [
            "broken",
            "wrong",
            "changed",
            "missed",
            "refused",
            "dispatched",
        ] {
            for cascade in ["extended", "standard"] {
                let mut shown: BTreeMap<&str, usize> = BTreeMap::new();
                let of_class = self
                    .faults
                    .iter()
                    .filter(|fault| fault.class == class && fault.cascade == cascade);
                for fault in of_class {
                    let count = shown.entry(&fault.kind).or_default();
                    *count += 1;
                    if *count <= per_kind {
                        let _ = write!(out, "{} {} {}", class.to_uppercase(), self.set, fault.text);
                    }
                }
                for (kind, count) in shown.iter().filter(|(_, count)| **count > per_kind) {
                    let more = count - per_kind;
                    let _ = writeln!(out, "… and {more} more {class} of {kind} in {cascade}");
                }
            }
        }
        out
    }

    /// Builds the set's numbers for a machine.
    pub(crate) fn json(&self) -> Value {
        let kinds: Vec<Value> = self
            .kinds
            .iter()
            .map(|((kind, cascade), counts)| {
                json!({"kind": kind, "cascade": cascade, "counts": counts.json()})
            })
            .collect();
        let totals = self.totals.iter();
        let totals: serde_json::Map<String, Value> = totals
            .map(|(cascade, counts)| ((*cascade).to_owned(), counts.json()))
            .collect();
        json!({"set": self.set, "totals": totals, "kinds": kinds})
    }

    /// Counts the recovered and all the calls whose kind begins with one of the prefixes.
    pub(crate) fn share(&self, cascade: &'static str, prefix: &str) -> (usize, usize) {
        let of_kind = self
            .kinds
            .iter()
            .filter(|((kind, own), _)| own == &cascade && kind.starts_with(prefix));
        of_kind.fold((0, 0), |(recovered, calls), (_, counts)| {
            (recovered + counts.recovered, calls + counts.calls)
        })
    }
}
