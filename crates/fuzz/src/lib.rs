//! What the fuzz targets share: tools to call, and the properties that every outcome must keep.
//!
//! The checks trust nothing of the pipeline: the schema is asked through `jsonschema`, the edits
//! are replayed through `json-patch`, and provenance is looked up in what was sent.

use callmend::{Outcome, Pipeline, PreparedTool, Status, Tool};
use callmend_parse_leniency::{Guide, Options, parse};
use callmend_stage::{Cascade, Draft};
use serde_json::{Value, json};
use std::sync::LazyLock;

mod measure;

/// Clips a text for a report.
mod call {
    pub(crate) fn clip(text: &str, length: usize) -> String {
        text.chars().take(length).collect()
    }
}

/// A tool under both cascades, with an independent validator.
pub struct Subject {
    /// The tool.
    pub tool: Tool,
    /// The standard cascade.
    pub standard: PreparedTool,
    /// The extended cascade.
    pub extended: PreparedTool,
    validator: jsonschema::Validator,
}

impl Subject {
    /// Prepares a tool; nothing when its schema is refused.
    pub fn new(name: &str, schema: Value) -> Option<Self> {
        let validator = jsonschema::options().build(&schema).ok()?;
        let tool = Tool::new(name, schema).ok()?;
        Some(Self {
            standard: pipeline(Cascade::Standard).prepare(&tool).ok()?,
            extended: pipeline(Cascade::Extended).prepare(&tool).ok()?,
            tool,
            validator,
        })
    }
}

fn pipeline(cascade: Cascade) -> &'static Pipeline {
    static STANDARD: LazyLock<Pipeline> = LazyLock::new(|| Pipeline::standard().unwrap());
    static EXTENDED: LazyLock<Pipeline> = LazyLock::new(|| Pipeline::extended().unwrap());
    match cascade {
        Cascade::Extended => &EXTENDED,
        _ => &STANDARD,
    }
}

/// Tools that between them have every kind of slot.
pub static SUBJECTS: LazyLock<Vec<Subject>> = LazyLock::new(|| {
    let schemas = [
        json!({"type": "object", "properties": {}}),
        json!({
            "type": "object",
            "properties": {
                "path": {"type": "string"}, "content": {"type": "string"},
                "limit": {"type": "integer"}, "recursive": {"type": "boolean"},
                "tags": {"type": "array", "items": {"type": "string"}}
            },
            "required": ["path"],
            "additionalProperties": false
        }),
        json!({
            "type": "object",
            "properties": {
                "query": {"type": "string"}, "mode": {"enum": ["fast", "slow"]},
                "edits": {"type": "array", "items": {
                    "type": "object",
                    "properties": {"old_text": {"type": "string"}, "new_text": {"type": ["string", "null"]}},
                    "required": ["old_text"], "additionalProperties": false
                }},
                "at": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]},
                "meta": {"type": "object", "additionalProperties": {"type": "number"}}
            },
            "required": ["query"]
        }),
        json!({"properties": {"child": {"$ref": "#"}, "name": {"type": "string"}}}),
    ];
    let subjects = schemas.into_iter().zip(["now", "write", "search", "tree"]);
    subjects.filter_map(|(schema, name)| Subject::new(name, schema)).collect()
});

/// Runs a text through both cascades and asserts P1 to P5.
pub fn check_text(subject: &Subject, text: &str) {
    for prepared in [&subject.standard, &subject.extended] {
        let outcome = prepared.run(text);
        let strict = strict_object(text);
        if let Some(value) = &strict
            && outcome.status == Status::Clean
        {
            assert_eq!(outcome.arguments.as_ref(), Some(value), "P1: a clean text is what it says");
            assert_eq!(outcome.text, Some(text), "P1: the text itself is available");
        }
        let sent = strict.unwrap_or_else(|| Value::String(text.to_owned()));
        check(subject, prepared, &sent, text, &outcome);
    }
}

/// Runs a value through both cascades and asserts P1 to P5.
pub fn check_value(subject: &Subject, value: &Value) {
    let text = value.to_string();
    for prepared in [&subject.standard, &subject.extended] {
        let outcome = prepared.run(value.clone());
        if outcome.status == Status::Clean {
            assert_eq!(outcome.arguments.as_ref(), Some(value), "P1: a clean value is untouched");
        }
        check(subject, prepared, value, &text, &outcome);
    }
}

/// Runs the prepared stages one by one and asserts that the pipeline did the same.
pub fn check_stepwise(subject: &Subject, text: &str) {
    for prepared in [&subject.standard, &subject.extended] {
        let outcome = prepared.run(text);
        let mut draft = Draft::new(text);
        for traced in prepared.trace(text).steps {
            assert_eq!(traced.saw.delivered(), draft.delivered(), "the trace is the run");
            let again = prepared.steps().find(|(meta, _)| meta.id == traced.stage.id);
            let (meta, stage) = again.expect("a traced stage is a prepared one");
            let verdict = stage.plan(&draft);
            assert_eq!(verdict, traced.verdict, "planning is pure");
            if draft.apply(meta.id, verdict).is_err() {
                break;
            }
        }
        assert_eq!(draft.edits(), outcome.edits.as_slice());
        if let Some(arguments) = &outcome.arguments {
            assert_eq!(draft.value(), Some(arguments));
        }
    }
}

/// Reads a strict text without duplicate keys, which count as a relaxation.
fn strict_object(text: &str) -> Option<Value> {
    let parsed = parse(text, Guide::NONE, Options::arguments()).ok()?;
    let strict = parsed.relaxed.is_strict();
    let value: Value = serde_json::from_str(text).ok()?;
    (strict && value.is_object()).then_some(value)
}

fn check(subject: &Subject, prepared: &PreparedTool, sent: &Value, text: &str, outcome: &Outcome<'_>) {
    assert_eq!(outcome.arguments.is_some(), outcome.rejection.is_none());
    let Some(arguments) = &outcome.arguments else { return };
    // The schema has its say; keys that the harness owns are masked.
    let mut masked = arguments.clone();
    if let Some(object) = masked.as_object_mut() {
        object.retain(|key, _| !subject.tool.signature().is_harness(key));
    }
    if !is_closed_by_parts(subject.tool.parameters()) {
        assert!(subject.validator.is_valid(&masked), "dispatched, and the schema rejects it: {arguments}");
    }
    // P5
    let operations: Vec<Value> = outcome.edits.iter().map(|edit| edit.to_json()).collect();
    let patch: json_patch::Patch = serde_json::from_value(Value::Array(operations)).expect("RFC 6902");
    let mut replayed = sent.clone();
    json_patch::patch(&mut replayed, &patch).expect("the edits apply");
    assert_eq!(&replayed, arguments, "P5: the edits give the arguments");
    // P2
    let declared = |key: &str| declared_anywhere(subject.tool.parameters(), key);
    if let Some(what) = measure::provenance::Source::new(text).invented(arguments, &declared) {
        panic!("P2: invented {what}");
    }
    // P3
    let again = prepared.run(arguments.clone());
    assert_eq!(again.status, Status::Clean, "P3: {:?} {:?}", again.rejection, again.edits);
    assert_eq!(again.arguments.as_ref(), Some(arguments));
}

/// Whether the root's closure is spread over parts: it is merged then (contract, sections 2 and
/// 8), where JSON Schema lets each part see its own properties only.
fn is_closed_by_parts(schema: &Value) -> bool {
    let text = schema.to_string();
    ["allOf", "anyOf", "oneOf", "$ref"].iter().any(|part| schema.get(part).is_some())
        && (text.contains("additionalProperties") || text.contains("unevaluatedProperties"))
}

/// Whether a schema names a property anywhere: a rename may put any of them.
fn declared_anywhere(schema: &Value, key: &str) -> bool {
    match schema {
        Value::Object(object) => {
            let here = object.get("properties").and_then(Value::as_object);
            here.is_some_and(|properties| properties.contains_key(key))
                || object.values().any(|child| declared_anywhere(child, key))
        }
        Value::Array(items) => items.iter().any(|child| declared_anywhere(child, key)),
        _ => false,
    }
}
