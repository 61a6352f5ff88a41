//! The engine, run with stages made for it: passes, settling, refusals, and what an outcome keeps.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use callmend::{
    Cascade, Change, Code, Draft, Order, Pipeline, PipelineError, Prepared, PreparedTool,
    Rejection, Stage, StageMeta, Status, Tool, ToolError, UNDECODED, UNSETTLED, Verdict,
};
use serde_json::{Value, json};

/// A stage that is one function.
struct Toy {
    meta: StageMeta,
    plan: fn(&Draft<'_>) -> Verdict,
}

impl Toy {
    const fn new(
        id: &'static str,
        order: u16,
        rewrites: bool,
        plan: fn(&Draft<'_>) -> Verdict,
    ) -> Self {
        let meta = StageMeta {
            id,
            order: Order(order),
            rewrites,
            summary: "",
            codes: &[],
            package: "toys",
        };
        Self { meta, plan }
    }
}

impl Stage for Toy {
    fn meta(&self) -> &'static StageMeta {
        // Every toy is a static; only so can its own description be.
        toys()
            .into_iter()
            .find(|toy| toy.meta.id == self.meta.id)
            .map(|toy| &toy.meta)
            .unwrap()
    }

    fn prepare(&self, _: &Tool, _: Cascade) -> Result<Option<Box<dyn Prepared>>, ToolError> {
        Ok(Some(Box::new(Planned(self.plan))))
    }
}

struct Planned(fn(&Draft<'_>) -> Verdict);

impl Prepared for Planned {
    fn plan(&self, call: &Draft<'_>) -> Verdict {
        (self.0)(call)
    }
}

const STEP: Code = Code::new("step");

fn number(call: &Draft<'_>, key: &str) -> Option<i64> {
    call.object()?.get(key)?.as_i64()
}

fn set(key: &str, value: Value, hint: &str) -> Verdict {
    let change = Change::replace(format!("/{key}"), value, STEP).hint(hint);
    Verdict::Rewrite(vec![change])
}

/// Counts `n` down, one a pass.
static COUNTDOWN: Toy = Toy::new("countdown", 300, true, |call| match number(call, "n") {
    Some(n) if n > 0 => set("n", json!(n - 1), "count down"),
    _ => Verdict::Pass,
});

/// Never comes to an end.
static COUNTUP: Toy = Toy::new("countup", 300, true, |call| match number(call, "n") {
    Some(n) => set("n", json!(n + 1), "count up"),
    None => Verdict::Pass,
});

/// Opens a mistake for the stages before it: gives `n` back when `m` is there.
static REOPEN: Toy = Toy::new("reopen", 900, true, |call| match number(call, "m") {
    Some(m) if m > 0 => {
        let n = Change::replace("/n", json!(m), STEP);
        Verdict::Rewrite(vec![n, Change::replace("/m", json!(0), STEP)])
    }
    _ => Verdict::Pass,
});

/// Turns `last` from false to true, late and once.
static LATE: Toy = Toy::new("late", 900, true, |call| {
    match call.object().and_then(|object| object.get("last")) {
        Some(Value::Bool(false)) => set("last", json!(true), "send `last` as true"),
        _ => Verdict::Pass,
    }
});

/// Refuses whatever has `bad`.
static REFUSE: Toy = Toy::new("refuse", 700, false, |call| {
    match call.object().and_then(|object| object.get("bad")) {
        Some(_) => Rejection::new(
            "refuse",
            Code::new("bad"),
            "`bad` is bad (t takes no arguments)",
        )
        .hint("leave `bad` out")
        .into(),
        None => Verdict::Pass,
    }
});

/// Plans a change that does not fit.
static FAULTY: Toy = Toy::new("faulty", 300, true, |_| {
    Verdict::Rewrite(vec![Change::remove("/nothing/there", STEP)])
});

/// Says that it rewrites and plans nothing.
static IDLE: Toy = Toy::new("idle", 350, true, |_| Verdict::Rewrite(Vec::new()));

fn toys() -> [&'static Toy; 7] {
    [
        &COUNTDOWN, &COUNTUP, &REOPEN, &LATE, &REFUSE, &FAULTY, &IDLE,
    ]
}

fn prepared(cascade: Cascade, stages: &[&'static Toy]) -> PreparedTool {
    let none: [&str; 0] = [];
    let mut builder = Pipeline::builder().cascade(cascade).only(none);
    for stage in stages {
        builder = builder.stage(*stage);
    }
    let tool = Tool::new("t", json!({})).unwrap();
    builder.build().unwrap().prepare(&tool).unwrap()
}

fn ids(prepared: &PreparedTool) -> Vec<&'static str> {
    prepared.steps().map(|(meta, _)| meta.id).collect()
}

#[test]
fn the_standard_cascade_is_one_pass_in_order() {
    let prepared = prepared(Cascade::Standard, &[&LATE, &REFUSE, &IDLE]);
    assert_eq!(ids(&prepared), ["idle", "refuse", "late"]);
    let trace = prepared.trace(json!({"last": false}));
    let seen: Vec<_> = trace
        .steps
        .iter()
        .map(|step| (step.stage.id, step.pass))
        .collect();
    assert_eq!(seen, [("idle", 1), ("refuse", 1), ("late", 1)]);
    assert_eq!(trace.outcome.status, Status::Repaired);
    assert_eq!(trace.outcome.arguments, Some(json!({"last": true})));
}

#[test]
fn a_clean_call_takes_one_pass_of_the_extended_cascade() {
    let prepared = prepared(Cascade::Extended, &[&COUNTDOWN, &REFUSE, &IDLE, &LATE]);
    let trace = prepared.trace(json!({"n": 0}));
    let seen: Vec<_> = trace
        .steps
        .iter()
        .map(|step| (step.stage.id, step.pass))
        .collect();
    assert_eq!(
        seen,
        [("countdown", 1), ("idle", 1), ("refuse", 1), ("late", 1)]
    );
    assert_eq!(trace.outcome.status, Status::Clean);
    assert!(trace.outcome.edits.is_empty() && trace.outcome.hints.is_empty());
}

#[test]
fn the_extended_cascade_repeats_until_a_pass_changes_nothing() {
    let prepared = prepared(Cascade::Extended, &[&COUNTDOWN]);
    for n in 0..=3 {
        let trace = prepared.trace(json!({"n": n}));
        assert_eq!(trace.steps.last().unwrap().pass, n + 1);
        assert_eq!(trace.outcome.arguments, Some(json!({"n": 0})));
        assert_eq!(trace.outcome.edits.len(), n);
    }
}

#[test]
fn a_fourth_pass_that_still_changes_something_is_refused_as_unsettled() {
    for (stage, n) in [(&COUNTDOWN, 4), (&COUNTUP, 0)] {
        let outcome = prepared(Cascade::Extended, &[stage]).run(json!({"n": n}));
        let rejection = outcome.rejection.unwrap();
        assert_eq!((rejection.stage, rejection.code), ("pipeline", UNSETTLED));
        assert_eq!(outcome.arguments, None);
        assert_eq!(outcome.edits.len(), 4, "the audit keeps what was done");
    }
}

#[test]
fn a_late_rewrite_that_opens_an_earlier_mistake_is_refused() {
    for cascade in [Cascade::Standard, Cascade::Extended] {
        let prepared = prepared(cascade, &[&COUNTDOWN, &REOPEN]);
        let refused = prepared.run(json!({"n": 0, "m": 2}));
        assert_eq!(refused.rejection.unwrap().code, UNSETTLED);
        let fine = prepared.run(json!({"n": 1, "m": 0}));
        assert_eq!(fine.arguments, Some(json!({"n": 0, "m": 0})));
    }
}

#[test]
fn a_stage_of_one_pass_that_is_not_idempotent_is_refused() {
    let outcome = prepared(Cascade::Standard, &[&COUNTDOWN]).run(json!({"n": 2}));
    assert_eq!(outcome.rejection.unwrap().code, UNSETTLED);
}

#[test]
fn a_call_refused_late_keeps_its_edits_and_gets_the_rejections_hints() {
    let prepared = prepared(Cascade::Standard, &[&COUNTDOWN, &REFUSE]);
    let outcome = prepared.run(json!({"n": 1, "bad": true}));
    assert_eq!(outcome.status, Status::Unrepairable);
    assert_eq!(outcome.edits.len(), 1);
    assert_eq!(outcome.hints, ["leave `bad` out"]);
    assert_eq!((outcome.arguments, outcome.text), (None, None));
}

#[test]
fn a_hint_that_follows_itself_is_given_once() {
    let outcome =
        prepared(Cascade::Extended, &[&COUNTDOWN, &LATE]).run(json!({"n": 3, "last": false}));
    assert_eq!(outcome.edits.len(), 4);
    assert_eq!(outcome.hints, ["count down", "send `last` as true"]);
}

#[test]
fn a_faulty_stage_is_named_and_nothing_is_dispatched() {
    let outcome = prepared(Cascade::Standard, &[&FAULTY]).run(json!({"n": 1}));
    let rejection = outcome.rejection.unwrap();
    assert_eq!(
        (rejection.stage, rejection.code),
        ("faulty", Code::INTERNAL)
    );
    assert!(outcome.edits.is_empty());
}

#[test]
fn what_no_stage_reads_is_not_dispatched() {
    let prepared = prepared(Cascade::Standard, &[&LATE]);
    for sent in [
        Draft::new("{}"),
        Draft::new(json!([1])),
        Draft::new(callmend::Delivered::Nothing),
    ] {
        let outcome = prepared.run(sent);
        let rejection = outcome.rejection.unwrap();
        assert_eq!((rejection.stage, rejection.code), ("pipeline", UNDECODED));
        assert_eq!(
            rejection.message,
            "arguments must be an object (t takes no arguments)"
        );
    }
}

#[test]
fn two_stages_of_one_id_are_refused_and_replace_puts_one_in_the_others_place() {
    static OTHER: Toy = Toy::new("late", 100, true, |_| Verdict::Pass);
    struct Late;
    static LATE_TOO: StageMeta = StageMeta {
        id: "late",
        order: Order(200),
        rewrites: false,
        summary: "",
        codes: &[],
        package: "elsewhere",
    };
    impl Stage for Late {
        fn meta(&self) -> &'static StageMeta {
            &LATE_TOO
        }
        fn prepare(
            &self,
            tool: &Tool,
            cascade: Cascade,
        ) -> Result<Option<Box<dyn Prepared>>, ToolError> {
            OTHER.prepare(tool, cascade)
        }
    }
    let error = Pipeline::builder()
        .stage(&LATE)
        .stage(&Late)
        .build()
        .unwrap_err();
    assert_eq!(
        error,
        PipelineError::DuplicateStage {
            id: "late".into(),
            first: "toys".into(),
            second: "elsewhere".into()
        }
    );
    let pipeline = Pipeline::builder()
        .stage(&LATE)
        .replace(&Late)
        .build()
        .unwrap();
    let late: Vec<_> = pipeline.stages().filter(|meta| meta.id == "late").collect();
    assert_eq!(late.len(), 1);
    assert_eq!((late[0].package, late[0].order), ("elsewhere", Order(200)));
    let error = Pipeline::builder().replace(&Late).build().unwrap_err();
    assert!(matches!(error, PipelineError::UnknownStage { id, .. } if id == "late"));
}
