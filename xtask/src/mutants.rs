//! `cargo xtask mutants`: switches off one rule after another, and asks whether the fixtures notice.
//!
//! A rule is what one code, one relaxation of the lenient parser, one common alias or one retired
//! name stands for. Its stage is put into the pipeline, and run alone, with every verdict of that
//! rule taken out; conformance must then differ. A rule that nobody misses has no fixture.

use crate::{codes, conformance, fixture};
use anyhow::{Result, bail};
use callmend::stage::registry;
use callmend::{Cascade, Change, Draft, Op, Prepared, Stage, StageMeta, Tool, ToolError, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// One rule, switched off.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Rule {
    /// Whatever carries this code.
    Code(String),
    /// A relaxation of the lenient parser.
    Relaxation(String),
    /// A common alias, by the name that is sent.
    Alias(String),
    /// A retired name.
    Retired(String),
}

impl Rule {
    fn describes(&self, change: &Change) -> bool {
        match self {
            Self::Code(code) => change.code.as_str() == code,
            Self::Relaxation(name) => change.relaxed.iter().any(|relaxed| relaxed == name),
            Self::Alias(form) => match &change.op {
                Op::Move { from, .. } => from
                    .rsplit('/')
                    .next()
                    .is_some_and(|key| normal(key) == *form),
                _ => false,
            },
            Self::Retired(_) => false,
        }
    }
}

fn normal(name: &str) -> String {
    let kept = name
        .chars()
        .filter(|c| !matches!(c, '_' | '-' | '.' | '/' | ' '));
    kept.collect::<String>().to_lowercase()
}

/// A stage with one rule switched off.
struct Without {
    stage: &'static dyn Stage,
    rule: Rule,
}

impl Stage for Without {
    fn meta(&self) -> &'static StageMeta {
        self.stage.meta()
    }

    fn prepare(
        &self,
        tool: &Tool,
        cascade: Cascade,
    ) -> Result<Option<Box<dyn Prepared>>, ToolError> {
        let prepared = self.stage.prepare(tool, cascade)?;
        Ok(prepared.map(|prepared| -> Box<dyn Prepared> {
            Box::new(PreparedWithout {
                prepared,
                rule: self.rule.clone(),
            })
        }))
    }
}

struct PreparedWithout {
    prepared: Box<dyn Prepared>,
    rule: Rule,
}

impl Prepared for PreparedWithout {
    fn plan(&self, call: &Draft<'_>) -> Verdict {
        match self.prepared.plan(call) {
            Verdict::Rewrite(changes) => {
                let kept: Vec<Change> = changes
                    .into_iter()
                    .filter(|change| !self.rule.describes(change))
                    .collect();
                if kept.is_empty() {
                    Verdict::Pass
                } else {
                    Verdict::Rewrite(kept)
                }
            }
            Verdict::Reject(rejection) => {
                let off = match &self.rule {
                    Rule::Code(code) => rejection.code.as_str() == code,
                    Rule::Retired(name) => rejection
                        .message
                        .starts_with(&format!("`{name}` is no longer")),
                    _ => false,
                };
                if off {
                    Verdict::Pass
                } else {
                    Verdict::Reject(rejection)
                }
            }
            verdict => verdict,
        }
    }
}

/// Switches off every rule in turn; fails when the fixtures do not notice one.
pub(crate) fn run() -> Result<()> {
    let fixtures = fixture::load()?;
    let whole = conformance::check(&fixtures)?;
    if !whole.differences.is_empty() {
        bail!("conformance differs with every rule on; run `cargo xtask conformance` first");
    }
    let mut rules: BTreeMap<Rule, Vec<&'static dyn Stage>> = BTreeMap::new();
    for stage in registry::stages() {
        for rule in rules_of(stage, &whole.relaxed) {
            rules.entry(rule).or_default().push(stage);
        }
    }
    let mut missed = Vec::new();
    for (rule, stages) in &rules {
        let mut differences = 0;
        let mut names = Vec::new();
        for stage in stages {
            let without: &'static Without = Box::leak(Box::new(Without {
                stage: *stage,
                rule: rule.clone(),
            }));
            differences += conformance::check_with(&fixtures, Some(without))?
                .differences
                .len();
            names.push(stage.meta().id);
        }
        let names = names.join(", ");
        println!("{rule:?} of {names} off: {differences} differences");
        if differences == 0 {
            missed.push(format!("{rule:?} of {names}"));
        }
    }
    println!(
        "{} rules switched off, {} missed by the fixtures",
        rules.len(),
        missed.len()
    );
    if !missed.is_empty() {
        bail!(
            "no fixture notices these rules going: {}",
            missed.join(", ")
        );
    }
    Ok(())
}

fn rules_of(stage: &'static dyn Stage, relaxed: &BTreeSet<String>) -> BTreeSet<Rule> {
    let meta = stage.meta();
    let codes = meta.codes.iter().map(|info| info.code.as_str());
    let codes = codes.filter(|code| !codes::WITHOUT_FIXTURE.contains(code));
    let mut rules: BTreeSet<Rule> = codes.map(|code| Rule::Code(code.to_owned())).collect();
    match meta.id {
        "parse-leniency" => {
            rules.extend(relaxed.iter().cloned().map(Rule::Relaxation));
        }
        "alias-rename" => rules.extend(ALIASES.map(str::to_owned).map(Rule::Alias)),
        // Where the schema is closed the first of the two finds a retired name.
        "strict-reject" | "argument-validate" => {
            rules.extend(RETIRED.map(str::to_owned).map(Rule::Retired));
        }
        "tool-repair" => {
            let repairs = registry::tool_repairs()
                .into_iter()
                .map(|repair| repair.code().0);
            rules.extend(repairs.map(|code| Rule::Code(code.as_str().to_owned())));
        }
        _ => {}
    }
    rules
}

/// The common aliases of the contract (section 6), normalized.
const ALIASES: [&str; 15] = [
    "filepath",
    "file",
    "filename",
    "targetfile",
    "contents",
    "text",
    "body",
    "isrecursive",
    "recurse",
    "dir",
    "folder",
    "q",
    "searchquery",
    "operation",
    "action",
];

/// The retired names of the contract (section 10.3).
const RETIRED: [&str; 8] = [
    "doc", "block", "node", "heading", "markdown", "ops", "dry_run", "attrs",
];
