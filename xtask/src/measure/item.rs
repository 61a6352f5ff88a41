//! One call of a set, its label in each cascade, and its run.

use super::judge::{Finding, Got, Label, judge};
use super::provenance::Source;
use crate::call::{Sent, replay};
use callmend::{Cascade, Draft, Pipeline, PreparedTool, Status, Tool};
use serde_json::Value;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// A tool, prepared for both cascades, and the raw schema's own validator.
pub(crate) struct Prepared {
    standard: PreparedTool,
    extended: PreparedTool,
    tool: Tool,
    validator: jsonschema::Validator,
}

impl Prepared {
    /// Says whether the raw schema accepts arguments; harness-owned keys are masked.
    pub(crate) fn accepts(&self, arguments: &Value) -> bool {
        let signature = self.tool.signature();
        let Some(object) = arguments.as_object() else {
            return false;
        };
        if object.keys().any(|key| signature.is_harness(key)) {
            let kept = object.iter().filter(|(key, _)| !signature.is_harness(key));
            let kept = kept.map(|(key, value)| (key.clone(), value.clone()));
            return self.validator.is_valid(&Value::Object(kept.collect()));
        }
        self.validator.is_valid(arguments)
    }

    /// Returns the tool's name.
    pub(crate) fn name(&self) -> &str {
        self.tool.name()
    }

    /// Returns the raw schema.
    pub(crate) fn schema(&self) -> &Value {
        self.tool.parameters()
    }

    pub(crate) fn in_cascade(&self, cascade: Cascade) -> &PreparedTool {
        match cascade {
            Cascade::Standard => &self.standard,
            _ => &self.extended,
        }
    }
}

/// Prepares tools, each once.
pub(crate) struct Tools {
    standard: Pipeline,
    extended: Pipeline,
    prepared: HashMap<String, Option<Rc<Prepared>>>,
    /// Tools that cannot be prepared, and why.
    pub(crate) failed: Vec<(String, String)>,
}

impl Tools {
    /// Builds the two pipelines.
    pub(crate) fn new() -> anyhow::Result<Self> {
        Ok(Self {
            standard: Pipeline::standard()?,
            extended: Pipeline::extended()?,
            prepared: HashMap::new(),
            failed: Vec::new(),
        })
    }

    /// Prepares a tool; `None`, noted once, when its schema cannot be.
    pub(crate) fn get(&mut self, name: &str, schema: &Value) -> Option<Rc<Prepared>> {
        let key = format!("{name} {schema}");
        if let Some(found) = self.prepared.get(&key) {
            return found.clone();
        }
        let made = match self.prepare(name, schema) {
            Ok(prepared) => Some(Rc::new(prepared)),
            Err(why) => {
                self.failed.push((name.to_owned(), why.to_string()));
                None
            }
        };
        self.prepared.insert(key, made.clone());
        made
    }

    fn prepare(&self, name: &str, schema: &Value) -> anyhow::Result<Prepared> {
        let tool = Tool::new(name, schema.clone())?;
        Ok(Prepared {
            standard: self.standard.prepare(&tool)?,
            extended: self.extended.prepare(&tool)?,
            validator: jsonschema::validator_for(schema)
                .map_err(|error| anyhow::anyhow!("the validator: {error}"))?,
            tool,
        })
    }
}

/// One call of a set.
#[derive(Clone)]
pub(crate) struct Item {
    /// Which call it is, to find it again.
    pub(crate) id: String,
    /// The kind of mistake.
    pub(crate) kind: String,
    /// The tool.
    pub(crate) tool: Rc<Prepared>,
    /// What is sent.
    pub(crate) sent: Sent,
    /// What the host knows of the finish reason.
    pub(crate) complete: Option<bool>,
    /// What it should become in the standard cascade.
    pub(crate) standard: Label,
    /// What it should become in the extended cascade.
    pub(crate) extended: Label,
}

/// What was seen of one call.
pub(crate) struct Seen {
    /// What is said of the outcome.
    pub(crate) finding: Finding,
    /// Whatever property does not hold.
    pub(crate) broken: Vec<String>,
    /// How long the call took, the better of two runs.
    pub(crate) took: Duration,
    /// What was said of a refusal, or what was dispatched.
    pub(crate) said: String,
}

impl Item {
    /// Returns the label in a cascade.
    pub(crate) fn label(&self, cascade: Cascade) -> &Label {
        match cascade {
            Cascade::Standard => &self.standard,
            _ => &self.extended,
        }
    }

    /// Runs the call through a cascade, judges what it became, and checks the properties.
    pub(crate) fn run(&self, cascade: Cascade) -> Seen {
        let prepared = self.tool.in_cascade(cascade);
        let seen = catch_unwind(AssertUnwindSafe(|| {
            let took = [0, 1].map(|_| {
                let draft = self.sent.draft(self.complete);
                let start = Instant::now();
                let outcome = prepared.run(draft);
                let took = start.elapsed();
                drop(outcome);
                took
            });
            let took = took.into_iter().min().unwrap_or_default();
            (prepared.run(self.sent.draft(self.complete)), took)
        }));
        let Ok((outcome, took)) = seen else {
            return Seen {
                finding: Finding::Wrong("a panic".to_owned()),
                broken: vec!["P4: a panic".to_owned()],
                took: Duration::ZERO,
                said: String::new(),
            };
        };
        let refusal = outcome.rejection.as_ref();
        let got = Got {
            dispatched: outcome.arguments.clone(),
            clean: outcome.status == Status::Clean,
            refusal: refusal.map(|r| (r.code.as_str().to_owned(), r.message.clone())),
            said: refusal
                .map(|r| format!("{} | {}", r.message, outcome.hints.join(" | ")))
                .unwrap_or_default(),
        };
        let label = self.label(cascade);
        let finding = judge(label, &got);
        let mut broken = self.broken(prepared, &outcome);
        if matches!(label, Label::Untouched(_))
            && let (Sent::Text(sent), Status::Clean) = (&self.sent, outcome.status)
            && outcome.text != Some(sent)
        {
            broken.push("P1: the text of an untouched call is not available".to_owned());
        }
        Seen {
            finding,
            broken,
            took,
            said: got.dispatched.map_or(got.said, |value| value.to_string()),
        }
    }

    fn broken(&self, prepared: &PreparedTool, outcome: &callmend::Outcome<'_>) -> Vec<String> {
        let mut broken = Vec::new();
        let line = outcome.to_json();
        let Some(arguments) = &outcome.arguments else {
            if outcome.rejection.is_none() {
                broken.push("no arguments and no rejection".to_owned());
            }
            if outcome
                .rejection
                .as_ref()
                .is_some_and(|r| r.code.as_str() == "internal-error")
            {
                broken.push("an internal error".to_owned());
            }
            return broken;
        };
        if self.complete == Some(false) {
            broken.push("P6: a call that was cut off is dispatched".to_owned());
        }
        if !self.tool.accepts(arguments) {
            broken.push("the schema does not accept what is dispatched".to_owned());
        }
        let declared = |key: &str| declares(self.tool.tool.parameters(), key);
        if let Some(what) = Source::new(&self.sent.source()).invented(arguments, &declared) {
            broken.push(format!("P2: {what} was not sent"));
        }
        let again = prepared.run(Draft::new(arguments.clone()));
        if again.status != Status::Clean || again.arguments.as_ref() != Some(arguments) {
            broken.push(format!("P3: run again it is {}", again.to_json()));
        }
        match replay(&self.sent, line.get("edits").unwrap_or(&Value::Null)) {
            Ok(replayed) if &replayed == arguments => {}
            Ok(replayed) => broken.push(format!("P5: the edits give {replayed}")),
            Err(error) => broken.push(format!("P5: {error}")),
        }
        broken
    }
}

/// Whether a schema declares a name, at any depth.
fn declares(schema: &Value, name: &str) -> bool {
    let mut work = vec![schema];
    while let Some(schema) = work.pop() {
        match schema {
            Value::Object(members) => {
                if let Some(properties) = members.get("properties").and_then(Value::as_object)
                    && properties.contains_key(name)
                {
                    return true;
                }
                work.extend(members.values());
            }
            Value::Array(items) => work.extend(items),
            _ => {}
        }
    }
    false
}
