//! What the stage repairs, and what it leaves alone.

use super::*;
use serde_json::{Map, Value, json};

fn run(tool: &Tool, arguments: Value) -> Result<Value, Box<Rejection>> {
    let prepared = STAGE.prepare(tool, Cascade::Standard).unwrap().unwrap();
    let mut draft = Draft::new(arguments);
    let verdict = prepared.plan(&draft);
    draft.apply(message::ID, verdict)?;
    Ok(draft.value().unwrap().clone())
}

fn task(arguments: Value) -> Value {
    let text = json!({"type": "string"});
    let schema = json!({"properties": {
        "task": text, "context": text, "label": text,
        "tasks": {"type": "array", "items": {"properties": {"task": text, "label": text}}}
    }});
    run(&Tool::new("task", schema).unwrap(), arguments).unwrap()
}

fn yields(result: Value, slot: Value) -> Value {
    let tool = Tool::new("yield", json!({"properties": {"result": slot}})).unwrap();
    let after = run(&tool, json!({ "result": result })).unwrap();
    after["result"].clone()
}

const TWICE: &str = r"one\n\ntwo";

#[test]
fn a_task_is_decoded_in_its_own_fields_alone() {
    assert_eq!(
        task(json!({
            "task": TWICE, "context": TWICE, "label": TWICE,
            "tasks": [{"task": TWICE, "label": TWICE}, {"task": "plain"}, {"label": "x"}, 5]
        })),
        json!({
            "task": "one\n\ntwo", "context": "one\n\ntwo", "label": TWICE,
            "tasks": [{"task": "one\n\ntwo", "label": TWICE}, {"task": "plain"}, {"label": "x"}, 5]
        })
    );
}

#[test]
fn a_field_of_another_type_stays() {
    let sent = json!({"task": [TWICE], "context": {"task": TWICE}, "tasks": TWICE});
    assert_eq!(task(sent.clone()), sent);
}

#[test]
fn another_tool_with_the_same_fields_has_no_entry() {
    for name in ["tasks", "Task", "read", "search"] {
        let tool = Tool::new(name, json!({})).unwrap();
        assert!(STAGE.prepare(&tool, Cascade::Standard).unwrap().is_none());
        assert!(STAGE.prepare(&tool, Cascade::Extended).unwrap().is_none());
    }
}

#[test]
fn a_stringified_wrapper_is_parsed() {
    let slot = json!({"type": "object"});
    for text in [
        r#"{"data": {"a": [1, "x"]}}"#,
        " {\"data\": null}\n",
        r#"{"error": "no"}"#,
    ] {
        let wanted: Value = serde_json::from_str(text).unwrap();
        assert_eq!(yields(json!(text), slot.clone()), wanted, "{text}");
    }
}

#[test]
fn any_other_result_stays() {
    for text in [
        "done",
        r#""{\"data\": 1}""#,
        r#"[{"data": 1}]"#,
        r#"{"answer": 1}"#,
        r#"{"data": 1"#,
        r#"{'data': 1}"#,
        r#"{"data": 1} and more"#,
        r#"{"data": 1, "data": 2}"#,
        r#"{"data": 99999999999999999999}"#,
        "{}",
        "",
    ] {
        assert_eq!(yields(json!(text), json!({})), json!(text), "{text}");
    }
    let object = json!({"data": "{\"data\": 1}"});
    assert_eq!(yields(object.clone(), json!({})), object);
}

#[test]
fn a_result_that_must_be_a_string_stays_one() {
    let text = json!(r#"{"data": 1}"#);
    assert_eq!(yields(text.clone(), json!({"type": "string"})), text);
}

#[test]
fn a_result_beyond_the_limit_stays() {
    let long = json!(format!(r#"{{"data": "{}"}}"#, "x".repeat(MAX_UNITS)));
    assert_eq!(yields(long.clone(), json!({})), long);
}

#[test]
fn what_is_no_argument_repair_passes_untouched() {
    for (name, arguments) in [
        (
            "search",
            json!({"type": "files", "limit": 5, "pattern": "a"}),
        ),
        ("read", json!({"path": "https:/host/a"})),
        ("read", json!({"path": ":a.rs"})),
        ("read", json!({"path": "@/a\u{202f}b.rs"})),
        ("read", json!({"path": "file:///a.rs"})),
    ] {
        let tool = Tool::new(name, json!({})).unwrap();
        let prepared = STAGE.prepare(&tool, Cascade::Extended).unwrap();
        assert!(prepared.is_none(), "{arguments}");
    }
}

/// An entry that plans whatever it is told to.
struct Rogue {
    fields: &'static [&'static str],
    plan: fn() -> Vec<Change>,
}

const CODE: Code = Code::new("test");

impl ToolRepair for Rogue {
    fn tool(&self) -> &'static str {
        "rogue"
    }

    fn fields(&self) -> &'static [&'static str] {
        self.fields
    }

    fn code(&self) -> (Code, &'static str) {
        (CODE, "a test")
    }

    fn package(&self) -> &'static str {
        "test"
    }

    fn plan(&self, _: &Map<String, Value>) -> Vec<Change> {
        (self.plan)()
    }
}

fn rogue(repair: &'static Rogue) -> Verdict {
    let tool = Tool::new("rogue", json!({"properties": {"a": {"type": "integer"}}})).unwrap();
    bind(repair, &tool).plan(&Draft::new(json!({"a": 1, "b": 2, "tasks": [{"task": 1}]})))
}

#[test]
fn a_change_outside_the_listed_fields_is_refused() {
    static REPLACES: Rogue = Rogue {
        fields: &["a"],
        plan: || {
            vec![
                Change::replace("/a", json!(3), CODE),
                Change::replace("/b", json!(3), CODE),
            ]
        },
    };
    static RENAMES: Rogue = Rogue {
        fields: &["a"],
        plan: || vec![Change::rename("", "b", "a", CODE)],
    };
    static EVERYTHING: Rogue = Rogue {
        fields: &["a", "b", "tasks[].task"],
        plan: || vec![Change::replace("", json!({}), CODE)],
    };
    for entry in [&REPLACES, &RENAMES, &EVERYTHING] {
        let Verdict::Reject(rejection) = rogue(entry) else {
            panic!("it is not listed");
        };
        assert_eq!(rejection.code, Code::INTERNAL);
    }
    let Verdict::Reject(rejection) = rogue(&REPLACES) else {
        panic!("it is not listed");
    };
    assert_eq!(
        rejection.message,
        "the call could not be repaired: the entry for `rogue` planned a change to `b`, which it does not list (rogue takes a?)"
    );
}

#[test]
fn a_plan_with_a_value_that_its_slot_does_not_take_is_dropped_whole() {
    static MISFIT: Rogue = Rogue {
        fields: &["a", "b"],
        plan: || {
            vec![
                Change::replace("/b", json!(1), CODE),
                Change::replace("/a", json!("x"), CODE),
            ]
        },
    };
    static FITS: Rogue = Rogue {
        fields: &["a", "b"],
        plan: || {
            vec![
                Change::replace("/b", json!("x"), CODE),
                Change::replace("/a", json!(1), CODE),
            ]
        },
    };
    assert_eq!(rogue(&MISFIT), Verdict::Pass);
    assert!(matches!(rogue(&FITS), Verdict::Rewrite(changes) if changes.len() == 2));
}

#[test]
fn a_table_holds_one_entry_for_a_tool() {
    static OTHER: Rogue = Rogue {
        fields: &[],
        plan: Vec::new,
    };
    static SAME: Rogue = Rogue {
        fields: &[],
        plan: Vec::new,
    };
    static THIRD: Rogue = Rogue {
        fields: &["a"],
        plan: Vec::new,
    };
    let error = Repairs::new([&OTHER as &dyn ToolRepair, &SAME]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "two repairs for the tool `rogue`: one from test, one from test"
    );
    let table = Repairs::builtin()
        .unwrap()
        .with([&OTHER as &dyn ToolRepair, &SAME, &TASK])
        .unwrap();
    let tools: Vec<_> = table.iter().map(|entry| entry.tool()).collect();
    assert_eq!(tools, ["rogue", "task", "yield"]);
    assert!(table.with([&THIRD as &dyn ToolRepair]).is_err());
}

#[test]
fn the_built_in_entries_are_registered() {
    let registered = Repairs::registered().unwrap();
    for entry in Repairs::builtin().unwrap().iter() {
        assert!(registered.get(entry.tool()).is_some());
    }
}

#[test]
fn a_table_of_choice_needs_no_registration() {
    let stage = ChosenRepairs(Repairs::builtin().unwrap());
    let tool = Tool::new("task", json!({})).unwrap();
    let prepared = stage.prepare(&tool, Cascade::Standard).unwrap().unwrap();
    let verdict = prepared.plan(&Draft::new(json!({ "task": TWICE })));
    assert!(matches!(verdict, Verdict::Rewrite(_)));
    assert_eq!(prepared.plan(&Draft::new("text")), Verdict::Pass);
}
