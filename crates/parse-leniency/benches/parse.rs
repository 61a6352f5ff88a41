//! Text to `Value`, as the ratio to `serde_json::from_slice::<Value>` on the valid equivalent of
//! the same call, building and dropping included. Both sides take turns in one run.
//!
//! `cargo bench -p callmend-parse-leniency [-- FILTER]`

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a bench whose corpus is broken should stop"
)]

use callmend_parse_leniency::{Guide, Options, parse};
use callmend_stage::Tool;
use serde_json::{Value, json};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// One valid call and its breakages.
struct Call {
    tool: Tool,
    valid: String,
    broken: Vec<(&'static str, String, bool)>,
}

fn main() {
    let filter = std::env::args()
        .skip(1)
        .find(|arg| !arg.starts_with("--"))
        .unwrap_or_default();
    println!("{:<28} {:>8} {:>8}", "text to Value", "ratio", "ns/byte");
    for (size, calls) in [("small", small()), ("large", large())] {
        let mut names = vec!["valid"];
        names.extend(calls[0].broken.iter().map(|(name, ..)| *name));
        let mut product = 1.0;
        let mut factors = 0;
        for name in names {
            let label = format!("{size} {name}");
            if !label.contains(&filter) {
                continue;
            }
            let (ratio, per_byte) = ratio(&calls, name);
            println!("{label:<28} {ratio:>8.2} {per_byte:>8.2}");
            if name != "valid" && !name.starts_with("late") {
                product *= ratio;
                factors += 1;
            }
        }
        if factors > 0 {
            let mean = f64::powf(product, 1.0 / f64::from(factors));
            println!("{:<28} {mean:>8.2}", format!("{size} broken, mean"));
        }
    }
}

fn ratio(calls: &[Call], name: &str) -> (f64, f64) {
    let mut ours = Duration::ZERO;
    let mut theirs = Duration::ZERO;
    let mut bytes = 0;
    for call in calls {
        let (text, complete) = match call.broken.iter().find(|(n, ..)| *n == name) {
            Some((_, text, complete)) => (text.as_str(), *complete),
            None => (call.valid.as_str(), false),
        };
        let options = Options::arguments().complete(complete);
        let guide = Guide::tool(&call.tool);
        let valid: Value = serde_json::from_str(&call.valid).expect("the call is valid");
        let read = parse(text, guide, options).map(|parsed| parsed.value);
        assert_eq!(read.as_ref(), Ok(&valid), "{name}: {text:.300}");
        let rounds = 400_000 / call.valid.len() + 1;
        let mut best = [Duration::MAX; 2];
        for _ in 0..40 {
            let start = Instant::now();
            for _ in 0..rounds {
                let _ = black_box(parse(black_box(text), guide, options));
            }
            best[0] = best[0].min(start.elapsed());
            let start = Instant::now();
            for _ in 0..rounds {
                let bytes = black_box(call.valid.as_bytes());
                let _ = black_box(serde_json::from_slice::<Value>(bytes));
            }
            best[1] = best[1].min(start.elapsed());
        }
        // Each call counts alike, whatever its length.
        ours += best[0] / rounds as u32;
        theirs += best[1] / rounds as u32;
        bytes += text.len();
    }
    (
        ours.as_secs_f64() / theirs.as_secs_f64(),
        ours.as_secs_f64() * 1e9 / bytes as f64,
    )
}

fn small() -> Vec<Call> {
    [
        json!({"path": "src/main.rs", "limit": 200, "recursive": true, "note": "the entry point",
               "mode": "a \"read\" call"}),
        json!({"query": "fn parse(", "path": "crates/parse/src", "limit": 50, "recursive": true,
               "note": "find every caller of it\nand list them", "mode": "a \"grep\" call"}),
        json!({"path": "docs/guide.md", "edits": [
                  {"old": "a \"quoted\" word", "new": "a plain word"},
                  {"old": "colour", "new": "color"}],
               "limit": 2, "recursive": false, "note": "spelling only", "mode": "a \"edit\" call"}),
        json!({"path": "/srv/app/config.toml", "limit": 12, "ratio": 0.75, "recursive": true,
               "tags": ["config", "server", "production"], "note": "as agreed", "mode": "a \"write\" call"}),
    ]
    .into_iter()
    .map(call)
    .collect()
}

fn large() -> Vec<Call> {
    [50_000, 100_000, 200_000]
        .into_iter()
        .map(|length| {
            call(json!({
                "path": "src/generated/handlers.rs",
                "content": code(length),
                "limit": 1,
                "recursive": true,
                "note": "one handler for each route",
                "mode": "a \"write\" call",
            }))
        })
        .collect()
}

/// Makes code with the escapes that code has: line ends, quotes, tabs, a backslash now and then.
fn code(length: usize) -> String {
    let mut out = String::new();
    let mut n = 0_u32;
    while out.len() < length {
        n += 1;
        out.push_str(&format!(
            "/// Handles route {n}.\npub fn handle_{n}(request: &Request) -> Response {{\n    let name = \
             request.param(\"name_{n}\").unwrap_or(\"nobody\");\n\tlog::info!(\"{{}} at {n}\", name);\n    \
             Response::text(format!(\"hello, {{name}}: {n}\"))\n}}\n\n"
        ));
    }
    out
}

fn call(arguments: Value) -> Call {
    let object = arguments.as_object().expect("an object");
    let tool = Tool::new(
        "work",
        json!({"type": "object", "properties": {
            "path": {"type": "string"}, "query": {"type": "string"}, "content": {"type": "string"},
            "limit": {"type": "integer"}, "ratio": {"type": "number"}, "recursive": {"type": "boolean"},
            "note": {"type": "string"}, "mode": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "edits": {"type": "array", "items": {"type": "object", "properties": {
                "old": {"type": "string"}, "new": {"type": "string"}}}}
        }}),
    )
    .expect("the tool compiles");
    // The last argument is where late breakages go.
    let (last, value) = (r#""mode":"#, object["mode"].to_string());
    let before: Value = object
        .iter()
        .filter(|(key, _)| *key != "mode")
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let before = before.to_string();
    let before = before.trim_end_matches('}').to_owned()
        + if before.ends_with("]}") || !before.ends_with("}}") {
            ""
        } else {
            "}"
        };
    let valid = format!("{before},{last}{value}}}");
    let with = |tail: String| format!("{before},{tail}");
    let inner = value.trim_matches('"').replace("\\\"", "\"");
    let broken = vec![
        ("trailing comma", with(format!("{last}{value},}}")), false),
        ("comment", with(format!("{last}{value} // done\n}}")), false),
        ("single quotes", with(format!("'mode':'{inner}'}}")), false),
        ("unquoted key", with(format!("mode:{value}}}")), false),
        (
            "python literal",
            valid
                .replace(r#""recursive":true"#, r#""recursive":True"#)
                .replace(r#""recursive":false"#, r#""recursive":False"#),
            false,
        ),
        ("raw newlines", raw_newlines(&valid), false),
        (
            "unicode space",
            with(format!("{last}\u{a0}{value}}}")),
            false,
        ),
        ("code fence", format!("```json\n{valid}\n```"), false),
        (
            "stringified",
            Value::String(valid.clone()).to_string(),
            false,
        ),
        (
            "missing brace",
            valid.trim_end_matches('}').to_owned(),
            true,
        ),
        (
            "late missing comma",
            format!("{before} {last}{value}}}"),
            false,
        ),
        ("late inner quote", inner_quote(&valid), false),
    ];
    Call {
        tool,
        valid,
        broken,
    }
}

/// Takes the backslashes from the last two escaped quotes, where there are any.
fn inner_quote(valid: &str) -> String {
    let mut text = valid.to_owned();
    for _ in 0..2 {
        if let Some(at) = text.rfind("\\\"") {
            text.remove(at);
        }
    }
    text
}

fn raw_newlines(valid: &str) -> String {
    valid.replace("\\n", "\n")
}
