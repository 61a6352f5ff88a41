//! What holds for every text: strict JSON reads as serde_json reads it, nothing panics, nothing
//! cut off is dispatched, and what a relaxation hides comes back exactly.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a helper that finds nothing should fail its test"
)]

use callmend_parse_leniency::{ErrorKind, Guide, Options, ParseError, Parsed, parse, plan};
use callmend_stage::{Draft, Tool, Verdict};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn read(text: &str) -> Result<Parsed, ParseError> {
    parse(text, Guide::NONE, Options::embedded())
}

fn tool() -> Tool {
    Tool::new(
        "work",
        json!({"properties": {
            "path": {"type": "string"}, "text": {"type": "string"}, "limit": {"type": "integer"},
            "all": {"type": "boolean"}, "tags": {"type": "array", "items": {"type": "string"}},
            "free": {}
        }}),
    )
    .unwrap()
}

/// Any JSON value, of a few levels.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1_000_i64..1_000).prop_map(Value::from),
        any::<f64>()
            .prop_filter("JSON has finite numbers only", |f| f.is_finite())
            .prop_map(Value::from),
        string().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((string(), inner), 0..6)
                .prop_map(Value::from_iter::<Vec<(String, Value)>>),
        ]
    })
}

/// Any string, with much of what matters to a parser in it.
fn string() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z_]{0,12}",
        "[ -~]{0,90}",
        "(\\PC|[\"\\\\\n\t\r'`{}\\[\\]:,/#]){0,40}",
        "([a-z ]{0,20}[\"\\\\\n]){0,30}",
        any::<String>(),
    ]
}

/// A call of the tool whose strings hold no quote of any kind.
fn call() -> impl Strategy<Value = Map<String, Value>> {
    const PLAIN: &str = "[a-zA-Z0-9 .,;:/_é水-]{0,30}";
    (
        PLAIN,
        PLAIN,
        any::<i32>(),
        any::<bool>(),
        prop::collection::vec(PLAIN, 0..4),
    )
        .prop_map(|(path, text, limit, all, tags)| {
            let call =
                json!({"path": path, "text": text, "limit": limit, "all": all, "tags": tags});
            call.as_object().unwrap().clone()
        })
}

/// The one way of writing a value that a mistake changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mistake {
    TrailingComma,
    LeadingComma,
    DoubledComma,
    Comment,
    SingleQuotes,
    Backticks,
    CurlyQuotes,
    UnquotedKeys,
    PythonLiterals,
    PlusSign,
    UnicodeSpace,
    LiteralNewlines,
    Fence,
    Markup,
    SurplusCloser,
    Repeated,
    Stringified,
    Nul,
    Bom,
    MissingComma,
    MissingColon,
    DoubledBraces,
}

const MISTAKES: &[Mistake] = &[
    Mistake::TrailingComma,
    Mistake::LeadingComma,
    Mistake::DoubledComma,
    Mistake::Comment,
    Mistake::SingleQuotes,
    Mistake::Backticks,
    Mistake::CurlyQuotes,
    Mistake::UnquotedKeys,
    Mistake::PythonLiterals,
    Mistake::PlusSign,
    Mistake::UnicodeSpace,
    Mistake::LiteralNewlines,
    Mistake::Fence,
    Mistake::Markup,
    Mistake::SurplusCloser,
    Mistake::Repeated,
    Mistake::Stringified,
    Mistake::Nul,
    Mistake::Bom,
    Mistake::MissingComma,
    Mistake::MissingColon,
    Mistake::DoubledBraces,
];

fn quoted(text: &str, mistake: Mistake) -> String {
    match mistake {
        Mistake::SingleQuotes => format!("'{text}'"),
        Mistake::Backticks => format!("`{text}`"),
        Mistake::CurlyQuotes => format!("“{text}”"),
        _ => format!("\"{text}\""),
    }
}

fn written(value: &Value, mistake: Mistake) -> String {
    match value {
        Value::String(text) => quoted(text, mistake),
        Value::Bool(true) if mistake == Mistake::PythonLiterals => "True".into(),
        Value::Bool(false) if mistake == Mistake::PythonLiterals => "False".into(),
        Value::Number(n) if mistake == Mistake::PlusSign && n.as_i64() >= Some(0) => {
            format!("+{n}")
        }
        Value::Array(items) => {
            let items: Vec<_> = items.iter().map(|item| written(item, mistake)).collect();
            format!("[{}]", items.join(", "))
        }
        other => other.to_string(),
    }
}

/// Writes a call with one mistake, wherever it can stand.
fn broken(call: &Map<String, Value>, mistake: Mistake) -> String {
    let colon = if mistake == Mistake::MissingColon {
        " "
    } else {
        ": "
    };
    let members: Vec<_> = call
        .iter()
        .map(|(key, value)| {
            let key = match mistake {
                Mistake::UnquotedKeys => key.clone(),
                _ => quoted(key, mistake),
            };
            format!("{key}{colon}{}", written(value, mistake))
        })
        .collect();
    let comma = match mistake {
        Mistake::DoubledComma => ", , ",
        Mistake::Comment => ", // more\n",
        Mistake::UnicodeSpace => ",\u{a0}",
        Mistake::LiteralNewlines => ",\\n  ",
        Mistake::MissingComma => "\n",
        _ => ", ",
    };
    let body = members.join(comma);
    match mistake {
        Mistake::TrailingComma => format!("{{{body},}}"),
        Mistake::LeadingComma => format!("{{,{body}}}"),
        Mistake::Fence => format!("```json\n{{{body}}}\n```"),
        Mistake::Markup => format!("<tool_call>\n{{{body}}}\n</tool_call><|im_end|>"),
        Mistake::SurplusCloser => format!("{{{body}}}}}"),
        Mistake::Repeated => format!("{{{body}}}\n{{{body}}}"),
        Mistake::Stringified => Value::String(format!("{{{body}}}")).to_string(),
        Mistake::Nul => format!("{{{body}}}\0\0"),
        Mistake::Bom => format!("\u{feff}{{{body}}}"),
        Mistake::DoubledBraces => format!("{{{{{body}}}}}"),
        _ => format!("{{{body}}}"),
    }
}

/// What a verdict dispatches.
fn dispatched(verdict: Verdict) -> Option<Value> {
    match verdict {
        Verdict::Decoded(value) => Some(value),
        Verdict::Rewrite(changes) => changes.first().and_then(|c| c.op.value()).cloned(),
        _ => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn strict_json_reads_as_serde_json_reads_it(value in value(), pretty in any::<bool>()) {
        let text = if pretty {
            serde_json::to_string_pretty(&value).unwrap()
        } else {
            value.to_string()
        };
        let plain: Value = serde_json::from_str(&text).unwrap();
        let parsed = read(&text).unwrap();
        prop_assert_eq!(parsed.value, plain);
        prop_assert_eq!(parsed.relaxed.names(), Vec::<&str>::new());
    }

    #[test]
    fn numbers_are_those_of_serde_json(
        text in "-?(0|[1-9][0-9]{0,24})(\\.[0-9]{1,24})?([eE][+-]?[0-9]{1,3})?"
    ) {
        let plain = serde_json::from_str::<Value>(&text);
        match read(&text) {
            Ok(parsed) => prop_assert_eq!(parsed.value, plain.unwrap()),
            // Out of range there, or an integer that would have been rounded.
            Err(error) => {
                prop_assert_eq!(error.kind, ErrorKind::NumberOutOfRange);
                let rounded = !text.contains(['.', 'e', 'E']) && text.parse::<i64>().is_err() && text.parse::<u64>().is_err();
                prop_assert!(plain.is_err() || rounded);
            }
        }
    }

    #[test]
    fn escapes_are_those_of_serde_json(
        text in "\"([a-z ]{0,12}(\\\\[\"\\\\/bfnrt]|\\\\u[0-9a-fA-F]{4}|\\\\ud83d\\\\ude0[0-9]|é|水)){0,24}\""
    ) {
        match serde_json::from_str::<Value>(&text) {
            Ok(plain) => {
                let parsed = read(&text).unwrap();
                prop_assert_eq!(parsed.value, plain);
                prop_assert!(parsed.relaxed.is_strict());
            }
            Err(_) => prop_assert_eq!(read(&text).unwrap_err().kind, ErrorKind::LoneSurrogate),
        }
    }

    #[test]
    fn what_reads_without_a_relaxation_is_strict_json(
        text in "[\\[\\]{}:,\"a1 \\\\ntrue.e+-]{0,24}"
    ) {
        let plain = serde_json::from_str::<Value>(&text);
        match (read(&text), plain) {
            (Ok(parsed), plain) if parsed.relaxed.is_strict() => {
                prop_assert_eq!(parsed.value, plain.unwrap());
            }
            (Ok(parsed), Ok(plain)) => {
                // Equal duplicates are the one relaxation that strict JSON knows.
                prop_assert_eq!(parsed.relaxed.names(), ["duplicate-key"]);
                prop_assert_eq!(parsed.value, plain);
            }
            (Err(error), Ok(_)) => {
                let refused = matches!(error.kind, ErrorKind::DuplicateKey(_) | ErrorKind::NumberOutOfRange);
                prop_assert!(refused, "{:?}", error);
            }
            _ => {}
        }
    }

    #[test]
    fn the_nesting_limit_is_that_of_serde_json(depth in 120_usize..136, objects in any::<bool>()) {
        let (open, close) = if objects { ("{\"a\":", "}") } else { ("[", "]") };
        let text = format!("{}1{}", open.repeat(depth), close.repeat(depth));
        let plain = serde_json::from_str::<Value>(&text);
        match read(&text) {
            Ok(parsed) => prop_assert_eq!(Some(parsed.value), plain.ok()),
            Err(error) => {
                prop_assert_eq!(error.kind, ErrorKind::TooDeep);
                prop_assert!(plain.is_err());
            }
        }
    }

    #[test]
    fn any_text_gets_an_outcome(
        text in prop_oneof![
            any::<String>(),
            "[\\[\\]{}:,\"'`“”‘’a1 \\\\ntruNoe/*#\n<>|+.-]{0,60}",
            "\\{(\"(path|text|zzz)\"|path|[\"':, {}\\[\\]\n\\\\a1]){0,30}",
        ],
        complete in any::<Option<bool>>(),
    ) {
        let verdict = plan(&tool(), &Draft::new(text.as_str()).with_complete(complete));
        if let Some(value) = dispatched(verdict) {
            prop_assert!(value.is_object());
            // What is dispatched is settled: read again, it is clean.
            let again = value.to_string();
            prop_assert_eq!(plan(&tool(), &Draft::new(again.as_str())), Verdict::Decoded(value));
        }
        let _ = parse(&text, Guide::tool(&tool()), Options::embedded());
    }

    #[test]
    fn any_bytes_get_an_outcome(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        let _ = plan(&tool(), &Draft::new(bytes.as_slice()));
    }

    #[test]
    fn one_mistake_comes_back_exactly(call in call(), mistake in prop::sample::select(MISTAKES)) {
        // A comma on the wrong side of the quote is no missing comma, and is refused.
        let strays = call.values().any(|v| v.as_str().is_some_and(|t| t.trim_end().ends_with(',')));
        prop_assume!(mistake != Mistake::MissingComma || !strays);
        let text = broken(&call, mistake);
        let verdict = plan(&tool(), &Draft::new(text.as_str()));
        prop_assert_eq!(dispatched(verdict), Some(Value::Object(call)), "{}", text);
    }

    #[test]
    fn nothing_cut_off_is_dispatched(call in call(), mistake in prop::sample::select(MISTAKES)) {
        let text = broken(&call, mistake);
        let whole = Value::Object(call);
        for end in 0..text.len() {
            let Some(cut) = text.get(..end) else { continue };
            if let Some(value) = dispatched(plan(&tool(), &Draft::new(cut))) {
                // Only what stands around the object may be missing.
                let nothing = cut.trim_matches(['\u{feff}', ' ', '\n']).is_empty();
                prop_assert!(value == whole || nothing, "{}", cut);
            }
        }
    }

    #[test]
    fn strict_calls_that_are_cut_off_are_refused(value in value()) {
        let text = json!({"free": value}).to_string();
        for end in 1..text.len() {
            if let Some(cut) = text.get(..end) {
                let verdict = plan(&tool(), &Draft::new(cut));
                prop_assert_eq!(dispatched(verdict), None, "{}", cut);
            }
        }
    }

    #[test]
    fn missing_closers_are_supplied_to_a_call_that_finished(value in value()) {
        let text = json!({"free": value}).to_string();
        let call: Value = serde_json::from_str(&text).unwrap();
        let cut = text.trim_end_matches(['}', ']']);
        // `{}` and `[]` at the end leave nothing whole behind them.
        prop_assume!(!cut.ends_with(['{', '[']) && !value_ends_in_brackets(&call));
        let draft = Draft::new(cut).with_complete(Some(true));
        prop_assert_eq!(dispatched(plan(&tool(), &draft)), Some(call));
    }

    #[test]
    fn raw_line_ends_come_back(text in "[a-z\n\t ]{1,80}") {
        let call = json!({"text": text});
        let raw = call.to_string().replace("\\n", "\n").replace("\\t", "\t");
        prop_assert_eq!(dispatched(plan(&tool(), &Draft::new(raw.as_str()))), Some(call));
    }

    #[test]
    fn pairs_of_inner_quotes_come_back(
        words in prop::collection::vec("[b-h]{2,6}", 1..8),
        quoted in any::<u8>(),
        limit in any::<i16>(),
    ) {
        let text: Vec<_> = words
            .iter()
            .enumerate()
            .map(|(n, word)| if quoted & (1 << n) != 0 { format!("\"{word}\"") } else { word.clone() })
            .collect();
        let text = format!("so {} it is", text.join(" "));
        let sent = format!("{{\"text\": \"{text}\", \"limit\": {limit}}}");
        let found = dispatched(plan(&tool(), &Draft::new(sent.as_str())));
        prop_assert_eq!(found, Some(json!({"text": text, "limit": limit})), "{}", sent);
    }

    #[test]
    fn inner_quotes_are_never_read_as_something_else(
        text in "[a-z\",:{}\\[\\] ]{0,24}",
        path in "[a-z ]{0,6}",
    ) {
        let sent = format!("{{\"text\": \"{text}\", \"path\": \"{path}\"}}");
        if let Some(found) = dispatched(plan(&tool(), &Draft::new(sent.as_str()))) {
            // The text may hold what makes it strict JSON of its own, a plain end of the string,
            // or a triple quote.
            let tight = text.replace(' ', "");
            if serde_json::from_str::<Value>(&sent).is_err() && !tight.contains("\",") && !tight.contains("\"}") && !text.starts_with("\"\"") {
                prop_assert_eq!(found, json!({"text": text, "path": path}), "{}", sent);
            }
        }
    }
}

/// Whether the text of a value ends in an empty container, or in a string that ends in a bracket.
fn value_ends_in_brackets(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.last().is_none_or(value_ends_in_brackets),
        Value::Object(map) => map.values().next_back().is_none_or(value_ends_in_brackets),
        _ => false,
    }
}
