//! The same sets through published crates, each followed by validation against the schema.
//!
//! A peer runs in a process of its own: a stack overflow or a hang there is counted, and the next
//! call goes to a fresh process.

use super::item::Item;
use super::judge::{Finding, Got, Label, judge};
use crate::call::Sent;
use crate::table::Table;
use anyhow::{Context as _, Result};
use callmend::Cascade;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// How long one call may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// The peers, with the versions that were measured.
#[cfg(feature = "peers")]
pub(crate) const PEERS: [&str; 7] = [
    "serde_json",
    "argmend",
    "jsonrepair-rs",
    "jsonrepair-rs with schema",
    "llm_json",
    "jsonfix",
    "anyrepair",
];
#[cfg(not(feature = "peers"))]
pub(crate) const PEERS: [&str; 1] = ["serde_json"];

/// What came of one peer on one set.
#[derive(Default)]
struct Counts {
    calls: usize,
    recovered: usize,
    clean: usize,
    refused: usize,
    dispatched: usize,
    missed: usize,
    changed: usize,
    wrong: usize,
    crashed: usize,
}

impl Counts {
    fn add(&mut self, finding: &Finding) {
        self.calls += 1;
        let count = match finding {
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

    fn row(&self, set: &str, who: &str) -> Vec<String> {
        let counts = [
            self.calls,
            self.recovered,
            self.clean,
            self.refused,
            self.dispatched,
            self.missed,
            self.changed,
            self.wrong,
            self.crashed,
        ];
        let mut row = vec![set.to_owned(), who.to_owned()];
        row.extend(counts.iter().map(ToString::to_string));
        row
    }
}

/// Starts the table of peers.
pub(crate) fn table() -> Table {
    Table::new([
        "set",
        "who",
        "calls",
        "recovered",
        "clean",
        "refused",
        "dispatched",
        "missed",
        "changed",
        "wrong",
        "crashed",
    ])
}

/// Runs the calls of a set that can be told to a peer (those sent as text, whose finish reason
/// nobody knows) through callmend and every peer.
pub(crate) fn compare(set: &str, items: &[Item], table: &mut Table) -> Result<()> {
    let items: Vec<&Item> = items
        .iter()
        .filter(|item| matches!(item.sent, Sent::Text(_)) && item.complete.is_none())
        .collect();
    for cascade in [Cascade::Extended, Cascade::Standard] {
        let mut counts = Counts::default();
        for item in &items {
            counts.add(&item.run(cascade).finding);
        }
        let who = format!("callmend {}", super::report::cascade_name(cascade));
        table.row(counts.row(set, &who));
    }
    for peer in PEERS {
        let mut worker: Option<Worker> = None;
        let mut counts = Counts::default();
        for item in &items {
            let Sent::Text(text) = &item.sent else {
                continue;
            };
            let mut running = match worker.take() {
                Some(worker) => worker,
                None => Worker::start(peer)?,
            };
            let question =
                json!({"text": text, "tool": item.tool.name(), "schema": item.tool.schema()});
            match running.ask(&question) {
                Some(answer) => {
                    counts.add(&finding(item, text, &answer));
                    worker = Some(running);
                }
                None => {
                    counts.calls += 1;
                    counts.crashed += 1;
                    running.stop();
                }
            }
        }
        if let Some(worker) = worker {
            worker.stop();
        }
        table.row(counts.row(set, peer));
    }
    Ok(())
}

fn finding(item: &Item, text: &str, answer: &Value) -> Finding {
    let value = answer.get("value").filter(|value| item.tool.accepts(value));
    let strict = serde_json::from_str::<Value>(text).ok();
    let got = Got {
        dispatched: value.cloned(),
        clean: value.is_some() && value == strict.as_ref(),
        refusal: None,
        said: String::new(),
    };
    match &item.extended {
        // A peer is not asked to say anything in particular.
        Label::Field(field) => {
            let mut field = field.clone();
            field.mentions.clear();
            judge(&Label::Field(field), &got)
        }
        label => judge(label, &got),
    }
}

struct Worker {
    child: Child,
    stdin: ChildStdin,
    answers: Receiver<String>,
}

impl Worker {
    fn start(peer: &str) -> Result<Self> {
        let mut child = Command::new(std::env::current_exe()?)
            .args(["peer", peer])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("starting a peer")?;
        let stdin = child.stdin.take().context("no standard input")?;
        let stdout = child.stdout.take().context("no standard output")?;
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Self {
            child,
            stdin,
            answers,
        })
    }

    /// Asks for one repair; nothing when the peer crashed or took too long.
    fn ask(&mut self, question: &Value) -> Option<Value> {
        writeln!(self.stdin, "{question}").ok()?;
        let line = self.answers.recv_timeout(PATIENCE).ok()?;
        serde_json::from_str(&line).ok()
    }

    fn stop(mut self) {
        // A process that has ended cannot be ended again.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Answers repairs on standard input, as the peer of this name would.
pub(crate) fn serve(peer: &str) -> Result<()> {
    let mut stdout = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let question: Value = serde_json::from_str(&line?)?;
        let text = question
            .get("text")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let answer = match std::panic::catch_unwind(|| repaired(peer, text, &question)) {
            Ok(Some(value)) => json!({"value": value}),
            Ok(None) => json!({}),
            Err(_) => continue,
        };
        writeln!(stdout, "{answer}")?;
        stdout.flush()?;
    }
    Ok(())
}

#[cfg(not(feature = "peers"))]
fn repaired(_: &str, text: &str, _: &Value) -> Option<Value> {
    serde_json::from_str(text).ok()
}

#[cfg(feature = "peers")]
fn repaired(peer: &str, text: &str, question: &Value) -> Option<Value> {
    let schema = question.get("schema")?;
    let read = |text: String| serde_json::from_str(&text).ok();
    match peer {
        "argmend" => {
            let request = argmend::RepairRequest {
                tool_name: question
                    .get("tool")
                    .and_then(Value::as_str)
                    .unwrap_or_default(),
                raw: text,
                schema: Some(schema),
            };
            argmend::repair_args(&request)
                .ok()
                .map(|repaired| repaired.value)
        }
        "jsonrepair-rs" => jsonrepair_rs::jsonrepair_value(text).ok(),
        "jsonrepair-rs with schema" => {
            jsonrepair_rs::jsonrepair_value_with_schema(text, schema).ok()
        }
        "llm_json" => llm_json::repair_json(text, &llm_json::RepairOptions::default())
            .ok()
            .and_then(read),
        "jsonfix" => jsonfix::loads(text).ok(),
        "anyrepair" => anyrepair::repair_with_format(text, "json")
            .ok()
            .and_then(read),
        _ => serde_json::from_str(text).ok(),
    }
}
