//! The sets that are read from files: the field, the valid calls, the models' outputs.

use super::item::{Item, Tools};
use super::judge::{Field, Label};
use super::mutate::Right;
use crate::call::Sent;
use crate::{fixture, workspace};
use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::path::Path;

#[derive(Deserialize)]
struct FieldCase {
    id: String,
    kind: String,
    tool: String,
    schema: Value,
    arguments: Value,
    #[serde(default)]
    complete: Option<bool>,
    expect: FieldExpect,
}

#[derive(Deserialize)]
struct FieldExpect {
    outcome: String,
    strength: String,
    #[serde(default)]
    args: Option<Value>,
    #[serde(default)]
    never_dispatch: Vec<Value>,
    #[serde(default)]
    error_mentions: Vec<String>,
}

/// Reads the cases of the field. In the standard cascade nothing wrong may be dispatched, and the
/// calls that need no repair stay as they are.
pub(crate) fn field(path: &Path, tools: &mut Tools) -> Result<Vec<Item>> {
    let mut items = Vec::new();
    for case in lines::<FieldCase>(path)? {
        let case = case?;
        let Some(tool) = tools.get(&case.tool, &case.schema) else {
            continue;
        };
        let kind = format!(
            "{} {} {}",
            case.expect.outcome, case.expect.strength, case.kind
        );
        let sent = Sent::from_json(Some(&case.arguments));
        let field = Field {
            outcome: case.expect.outcome,
            strength: case.expect.strength,
            args: case.expect.args,
            never: case.expect.never_dispatch,
            mentions: case.expect.error_mentions,
        };
        items.push(Item {
            id: case.id,
            kind,
            tool,
            sent,
            complete: case.complete,
            standard: in_standard(&field),
            extended: Label::Field(field),
        });
    }
    Ok(items)
}

/// The standard cascade does what the reference texts say, so a case binds it only where nothing
/// is wrong with the call, and in what must never be dispatched.
fn in_standard(field: &Field) -> Label {
    if field.outcome == "accept" {
        return Label::Field(field.clone());
    }
    Label::Field(Field {
        outcome: "repair_or_reject".to_owned(),
        strength: "may".to_owned(),
        ..field.clone()
    })
}

/// One of the calls that are right as they are.
pub(crate) struct Valid {
    /// Its line.
    pub(crate) id: String,
    /// The tool's name.
    pub(crate) tool: String,
    /// The tool's schema.
    pub(crate) schema: Value,
    /// The arguments.
    pub(crate) arguments: Value,
    /// The arguments as they stand in the file.
    pub(crate) text: String,
}

#[derive(Deserialize)]
struct ValidLine {
    tool: String,
    schema: Value,
    arguments: Box<RawValue>,
}

/// Reads the calls that are right as they are.
pub(crate) fn valid_calls(path: &Path) -> Result<Vec<Valid>> {
    let mut found = Vec::new();
    for (number, line) in lines::<ValidLine>(path)?.enumerate() {
        let line = line?;
        found.push(Valid {
            id: format!("valid-{}", number + 1),
            tool: line.tool,
            schema: line.schema,
            arguments: serde_json::from_str(line.arguments.get())?,
            text: line.arguments.get().to_owned(),
        });
    }
    Ok(found)
}

/// Makes items of the calls that are right, sent as a value and sent as text.
pub(crate) fn untouched(calls: &[Valid], tools: &mut Tools) -> Vec<Item> {
    let mut items = Vec::new();
    for call in calls {
        let Some(tool) = tools.get(&call.tool, &call.schema) else {
            continue;
        };
        let label = Label::Untouched(call.arguments.clone());
        for (kind, sent) in [
            ("as value", Sent::Value(call.arguments.clone())),
            ("as text", Sent::Text(call.text.clone())),
            ("as compact text", Sent::Text(call.arguments.to_string())),
        ] {
            items.push(Item {
                id: call.id.clone(),
                kind: kind.to_owned(),
                tool: tool.clone(),
                sent,
                complete: None,
                standard: label.clone(),
                extended: label.clone(),
            });
        }
    }
    items
}

/// Takes the clean calls of the fixtures whose tools say nothing beside their schema: those that
/// carry no mistake that the extended cascade knows either.
pub(crate) fn clean_fixtures(tools: &mut Tools) -> Result<Vec<Right>> {
    let mut found = Vec::new();
    for fixture in fixture::load()? {
        let (Some(name), Some(schema)) = (
            fixture.tool.get("name").and_then(Value::as_str),
            fixture.tool.get("parameters"),
        ) else {
            continue;
        };
        let host = ["closure", "aliases", "harness", "locator"];
        let plain = host.iter().all(|key| fixture.tool.get(key).is_none());
        for case in fixture.cases.iter().filter(|_| plain) {
            let clean = case.expect.get("status").and_then(Value::as_str) == Some("clean");
            let (true, Some(Value::Object(args))) = (clean, &case.arguments) else {
                continue;
            };
            let declared = |key: &str| {
                schema
                    .get("properties")
                    .is_some_and(|p| p.get(key).is_some())
            };
            let arguments = Value::Object(args.clone());
            let clean = tools.get(name, schema).is_some_and(|tool| {
                let outcome = tool
                    .in_cascade(callmend::Cascade::Extended)
                    .run(arguments.clone());
                outcome.status == callmend::Status::Clean
            });
            // What looks like markup would be another mistake beside the operator's.
            if clean && args.keys().all(|key| declared(key)) && !arguments.to_string().contains('<')
            {
                found.push(Right {
                    id: format!("{}#{}", fixture.file, case.id),
                    tool: name.to_owned(),
                    schema: schema.clone(),
                    arguments,
                });
            }
        }
    }
    Ok(found)
}

#[derive(Deserialize)]
struct ModelLine {
    tool: String,
    schema: Value,
    arguments: Value,
    kinds: Vec<String>,
    #[serde(default)]
    gold: Option<Value>,
    #[serde(default)]
    intended: Option<Value>,
}

/// Reads what models sent.
pub(crate) fn model_outputs(path: &Path, tools: &mut Tools) -> Result<Vec<Item>> {
    let mut items = Vec::new();
    for (number, line) in lines::<ModelLine>(path)?.enumerate() {
        let line = line?;
        let Some(tool) = tools.get(&line.tool, &line.schema) else {
            continue;
        };
        let sent = Sent::from_json(Some(&line.arguments));
        let meant: Vec<Value> = line.intended.into_iter().chain(line.gold).collect();
        let known = if meant.is_empty() { "" } else { "known " };
        let label = if meant.is_empty() {
            Label::Free
        } else {
            Label::Typed(meant)
        };
        items.push(Item {
            id: format!("model-{}", number + 1),
            kind: format!("{known}{}", line.kinds.join("+")),
            tool,
            sent,
            complete: None,
            standard: label.clone(),
            extended: label,
        });
    }
    Ok(items)
}

fn lines<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<impl Iterator<Item = Result<T>>> {
    let text = workspace::read(path)?;
    let shown = workspace::shown(path);
    let lines: Vec<String> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(str::to_owned)
        .collect();
    Ok(lines.into_iter().enumerate().map(move |(number, line)| {
        serde_json::from_str(&line).with_context(|| format!("{shown}, line {}", number + 1))
    }))
}
