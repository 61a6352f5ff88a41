//! A fixture through its stage alone: what the stage plans is applied, and nothing else.

use super::{Report, compare};
use crate::call::replay;
use crate::fixture::{Case, Fixture};
use anyhow::{Result, anyhow};
use callmend::{Delivered, Draft, Edit, Prepared, Rejection, Stage, StageMeta, Tool, Verdict};
use serde_json::{Map, Value, json};

/// Runs a file's cases through its stage.
pub(super) fn check(
    fixture: &Fixture,
    tool: &Tool,
    instead: Option<&'static dyn Stage>,
    report: &mut Report,
) -> Result<()> {
    let stages = callmend::stage::registry::stages();
    let stage = stages
        .into_iter()
        .find(|stage| stage.meta().id == fixture.stage)
        .ok_or_else(|| {
            anyhow!(
                "{}: no stage `{}` is registered",
                fixture.file,
                fixture.stage
            )
        })?;
    let stage = instead
        .filter(|other| other.meta().id == fixture.stage)
        .unwrap_or(stage);
    let prepared = stage.prepare(tool, fixture.cascade.into())?;
    let prepared = prepared.as_deref();
    for case in &fixture.cases {
        let line = outcome(stage.meta().id, prepared, case);
        let mut faults = if refused_elsewhere(stage.meta(), case) {
            passed(&line)
        } else {
            compare::differences(case, &line)
        };
        if let Some(arguments) = line.get("arguments") {
            let edits = line.get("edits").unwrap_or(&Value::Null);
            faults.extend(compare::replayed(replay(&case.sent(), edits), arguments));
            let again = prepared.map(|stage| stage.plan(&Draft::new(arguments.clone())));
            if !matches!(again, None | Some(Verdict::Pass)) {
                faults.push(format!("run again, the stage says {again:?}"));
            }
        }
        report.note(fixture, case, "alone", &line, &faults);
    }
    Ok(())
}

/// Whether the case is refused by another stage of the pipeline, so that this one lets it pass.
fn refused_elsewhere(meta: &StageMeta, case: &Case) -> bool {
    let code = case.expect.get("code").and_then(Value::as_str);
    code.is_some_and(|code| !meta.codes.iter().any(|info| info.code.as_str() == code))
}

fn passed(line: &Value) -> Vec<String> {
    match line.get("rejection") {
        Some(rejection) => vec![format!(
            "this stage refuses what another is to refuse: {rejection}"
        )],
        None => Vec::new(),
    }
}

fn outcome(id: &'static str, stage: Option<&dyn Prepared>, case: &Case) -> Value {
    let sent = case.sent();
    let mut draft = sent.draft(case.complete);
    // A stage that reads values is given a strict text's object, as it is in the cascade.
    if id != "parse-leniency"
        && let Delivered::Text(text) = draft.delivered()
        && let Ok(object @ Value::Object(_)) = serde_json::from_str(text)
    {
        // A draft that holds text takes a decoded value.
        let _ = draft.apply("text", Verdict::Decoded(object));
    }
    let rejection = stage.and_then(|stage| {
        let verdict = stage.plan(&draft);
        draft.apply(id, verdict).err()
    });
    line(&draft, rejection.as_deref())
}

/// Spells an outcome line as the pipeline does.
fn line(draft: &Draft<'_>, rejection: Option<&Rejection>) -> Value {
    let mut out = Map::new();
    let status = match (rejection, draft.edits()) {
        (Some(_), _) => "unrepairable",
        (None, []) => "clean",
        (None, _) => "repaired",
    };
    out.insert("status".to_owned(), json!(status));
    if let (None, Some(value)) = (rejection, draft.value()) {
        out.insert("arguments".to_owned(), value.clone());
    }
    let edits: Vec<Value> = draft.edits().iter().map(Edit::to_json).collect();
    out.insert("edits".to_owned(), Value::Array(edits));
    let hints: Vec<&String> = match rejection {
        Some(rejection) => rejection.hints.iter().collect(),
        None => draft
            .edits()
            .iter()
            .filter_map(|edit| edit.hint.as_ref())
            .collect(),
    };
    out.insert("hints".to_owned(), json!(hints));
    if let Some(rejection) = rejection {
        out.insert("rejection".to_owned(), rejection.to_json());
    }
    Value::Object(out)
}
