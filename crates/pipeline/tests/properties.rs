//! The properties P1 to P6 of the contract, over generated schemas and generated calls.

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that cannot go on fails"
)]

use callmend::{Delivered, Draft, Outcome, Pipeline, PreparedTool, Status, Tool};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

static PIPELINES: LazyLock<[Pipeline; 2]> =
    LazyLock::new(|| [Pipeline::standard().unwrap(), Pipeline::extended().unwrap()]);

/// Both cascades, prepared for one tool.
fn prepared(schema: &Value) -> [PreparedTool; 2] {
    let tool = Tool::new("tool", schema.clone()).unwrap();
    PIPELINES
        .each_ref()
        .map(|pipeline| pipeline.prepare(&tool).unwrap())
}

// ---- schemas, and calls that they accept ----

/// Names that models mix up, and some that they do not.
const NAMES: [&str; 12] = [
    "path",
    "content",
    "query",
    "limit",
    "tags",
    "recursive",
    "options",
    "file_path",
    "userId",
    "mode",
    "count",
    "é",
];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    String,
    Integer,
    Number,
    Boolean,
    Strings,
    Integers,
    Object,
    Objects,
}

const KINDS: [Kind; 8] = [
    Kind::String,
    Kind::Integer,
    Kind::Number,
    Kind::Boolean,
    Kind::Strings,
    Kind::Integers,
    Kind::Object,
    Kind::Objects,
];

impl Kind {
    fn schema(self) -> Value {
        let inner = json!({
            "type": "object",
            "properties": {"name": {"type": "string"}, "at": {"type": "integer"}},
            "required": ["name"],
            "additionalProperties": false
        });
        match self {
            Self::String => json!({"type": "string"}),
            Self::Integer => json!({"type": "integer"}),
            Self::Number => json!({"type": "number"}),
            Self::Boolean => json!({"type": "boolean"}),
            Self::Strings => json!({"type": "array", "items": {"type": "string"}}),
            Self::Integers => json!({"type": "array", "items": {"type": "integer"}}),
            Self::Object => inner,
            Self::Objects => json!({"type": "array", "items": inner}),
        }
    }

    fn value(self, text: BoxedStrategy<String>) -> BoxedStrategy<Value> {
        let string = text.clone().prop_map(Value::from);
        let integer = any::<i64>().prop_map(Value::from);
        let inner = (text, proptest::option::of(any::<i32>())).prop_map(|(name, at)| match at {
            Some(at) => json!({"name": name, "at": at}),
            None => json!({"name": name}),
        });
        match self {
            Self::String => string.boxed(),
            Self::Integer => integer.boxed(),
            // Halves print the same with every feature of serde_json.
            Self::Number => any::<i32>().prop_map(|n| json!(f64::from(n) / 2.0)).boxed(),
            Self::Boolean => any::<bool>().prop_map(Value::from).boxed(),
            Self::Strings => list(string),
            Self::Integers => list(integer),
            Self::Object => inner.boxed(),
            Self::Objects => list(inner),
        }
    }
}

fn list(item: impl Strategy<Value = Value> + 'static) -> BoxedStrategy<Value> {
    proptest::collection::vec(item, 0..4)
        .prop_map(Value::from)
        .boxed()
}

/// Text without anything that a stage could take for a mistake of its own.
fn plain() -> BoxedStrategy<String> {
    "[a-z]{1,8}( [a-z]{1,8}){0,3}".boxed()
}

/// Text as it comes.
fn wild() -> BoxedStrategy<String> {
    let seen = r#"[\\\x00-\x7fé—…“”’\u{feff}{}\[\]<>/"'`,:#]{0,24}"#;
    let listed = prop::sample::select(vec![
        "C:\\new\\Docs",
        "{\"a\": 1}",
        "[1, 2]",
        "a, b",
        "// not a comment",
        "```json",
        "true",
        "null",
        "it's",
        "say \"hi\"",
        "line\nline",
        "\\n",
        "{{x}}",
        "</b>",
        "<parameter>",
    ]);
    prop_oneof![3 => seen, 1 => listed.prop_map(str::to_owned)].boxed()
}

#[derive(Debug, Clone)]
struct Case {
    schema: Value,
    call: Value,
}

/// A schema, and a call that it accepts.
fn case(text: fn() -> BoxedStrategy<String>) -> impl Strategy<Value = Case> {
    let names = prop::sample::subsequence(NAMES.to_vec(), 1..6);
    let declared = names.prop_flat_map(|names| {
        let count = names.len();
        let kinds = proptest::collection::vec(prop::sample::select(KINDS.to_vec()), count);
        let flags = proptest::collection::vec(any::<(bool, bool)>(), count);
        (Just(names), kinds, flags, any::<bool>())
    });
    declared.prop_flat_map(move |(names, kinds, flags, closed)| {
        let values: Vec<_> = kinds.iter().map(|kind| kind.value(text())).collect();
        values.prop_map(move |values| {
            let properties: Map<String, Value> = names
                .iter()
                .zip(&kinds)
                .map(|(name, kind)| ((*name).to_owned(), kind.schema()))
                .collect();
            let required: Vec<&str> = names
                .iter()
                .zip(&flags)
                .filter_map(|(name, (required, _))| required.then_some(*name))
                .collect();
            let call: Map<String, Value> = names
                .iter()
                .zip(values)
                .zip(&flags)
                .filter(|(_, (required, given))| *required || *given)
                .map(|((name, value), _)| ((*name).to_owned(), value))
                .collect();
            let mut schema = json!({
                "type": "object", "properties": properties, "required": required
            });
            if closed {
                schema["additionalProperties"] = json!(false);
            }
            Case {
                schema,
                call: Value::Object(call),
            }
        })
    })
}

// ---- what holds of every outcome ----

/// Applies the edits to what was sent, with an independent implementation of RFC 6902.
fn replayed(sent: Value, outcome: &Outcome<'_>) -> Value {
    let operations: Vec<Value> = outcome.edits.iter().map(|edit| edit.to_json()).collect();
    let patch: json_patch::Patch = serde_json::from_value(json!(operations)).unwrap();
    let mut document = sent;
    json_patch::patch(&mut document, &patch).unwrap();
    document
}

/// Checks what holds of every outcome, whatever was sent: its shape, P3 and P5.
fn check(prepared: &PreparedTool, sent: Value, outcome: &Outcome<'_>) -> Result<(), TestCaseError> {
    let dispatchable = outcome.status != Status::Unrepairable;
    prop_assert_eq!(outcome.arguments.is_some(), dispatchable);
    prop_assert_eq!(outcome.rejection.is_some(), !dispatchable);
    if outcome.status == Status::Clean {
        prop_assert!(outcome.edits.is_empty() && outcome.hints.is_empty());
    }
    let Some(arguments) = &outcome.arguments else {
        prop_assert!(outcome.text.is_none());
        return Ok(());
    };
    prop_assert!(arguments.is_object());
    prop_assert_eq!(
        outcome.status == Status::Repaired,
        !outcome.edits.is_empty()
    );
    prop_assert_eq!(&replayed(sent, outcome), arguments, "P5");
    let again = prepared.run(arguments.clone());
    prop_assert_eq!(again.status, Status::Clean, "P3: {:?}", again);
    prop_assert_eq!(again.arguments.as_ref(), Some(arguments), "P3");
    Ok(())
}

/// What the edits of a text apply to: its object when it is strict, else the text.
fn document(text: &str, outcome: &Outcome<'_>) -> Value {
    let untouched = outcome
        .edits
        .first()
        .is_none_or(|edit| !edit.op.path().is_empty());
    match serde_json::from_str(text) {
        Ok(value @ Value::Object(_)) if untouched => value,
        _ => Value::String(text.to_owned()),
    }
}

fn check_text(prepared: &PreparedTool, text: &str) -> Result<(), TestCaseError> {
    let outcome = prepared.run(text);
    check(prepared, document(text, &outcome), &outcome)
}

/// Checks that a call is either read as `truth` or refused, in both cascades; says whether it was
/// read.
fn read_or_refused(case: &Case, text: &str) -> Result<[bool; 2], TestCaseError> {
    let mut read = [false; 2];
    for (read, prepared) in read.iter_mut().zip(prepared(&case.schema)) {
        let outcome = prepared.run(text);
        check(&prepared, document(text, &outcome), &outcome)?;
        if let Some(arguments) = outcome.arguments {
            prop_assert_eq!(&arguments, &case.call, "{} was misread", text);
            *read = true;
        }
    }
    Ok(read)
}

// ---- the mutations of section 4 ----

/// Damages a call's compact JSON text without changing its one reading.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Damage {
    TrailingComma,
    LeadingComma,
    LineComment,
    HashComment,
    BlockComment,
    SingleQuotes,
    CurlyQuotes,
    Backticks,
    UnquotedKeys,
    PythonLiterals,
    ByteOrderMark,
    UnicodeSpace,
    TrailingNul,
    LiteralNewline,
    Fence,
    OpenFence,
    ToolCallTags,
    SurplusBrace,
    DoubledBraces,
    Twice,
    Stringified,
    StringifiedTwice,
    EscapedQuotes,
    RawJson,
    DuplicateKey,
    LeadingPlus,
}

const DAMAGES: [Damage; 26] = [
    Damage::TrailingComma,
    Damage::LeadingComma,
    Damage::LineComment,
    Damage::HashComment,
    Damage::BlockComment,
    Damage::SingleQuotes,
    Damage::CurlyQuotes,
    Damage::Backticks,
    Damage::UnquotedKeys,
    Damage::PythonLiterals,
    Damage::ByteOrderMark,
    Damage::UnicodeSpace,
    Damage::TrailingNul,
    Damage::LiteralNewline,
    Damage::Fence,
    Damage::OpenFence,
    Damage::ToolCallTags,
    Damage::SurplusBrace,
    Damage::DoubledBraces,
    Damage::Twice,
    Damage::Stringified,
    Damage::StringifiedTwice,
    Damage::EscapedQuotes,
    Damage::RawJson,
    Damage::DuplicateKey,
    Damage::LeadingPlus,
];

impl Damage {
    /// Damages `text`, whose strings are [`plain`], so that every quote and brace is structure.
    fn to(self, text: &str) -> String {
        let body = text.strip_prefix('{').unwrap().strip_suffix('}').unwrap();
        let quoted = |open: &str, close: &str| {
            let mut inside = false;
            let part = |c: char| match c {
                '"' => {
                    inside = !inside;
                    if inside {
                        open.to_owned()
                    } else {
                        close.to_owned()
                    }
                }
                c => c.to_string(),
            };
            text.chars().map(part).collect::<String>()
        };
        match self {
            Self::TrailingComma => format!("{{{body},}}"),
            Self::LeadingComma => format!("{{,{body}}}"),
            Self::LineComment => format!("{{ // note\n{body}}}"),
            Self::HashComment => format!("{{{body} # note\n}}"),
            Self::BlockComment => format!("{{/* note */{body}}}/* end */"),
            Self::SingleQuotes => quoted("'", "'"),
            Self::CurlyQuotes => quoted("“", "”"),
            Self::Backticks => quoted("`", "`"),
            Self::UnquotedKeys => unquoted(text),
            Self::PythonLiterals => text.replace("true", "True").replace("false", "False"),
            Self::ByteOrderMark => format!("\u{feff}{text}"),
            Self::UnicodeSpace => text.replace(':', ":\u{a0}"),
            Self::TrailingNul => format!("{text}\0\0"),
            Self::LiteralNewline => format!("{{\\n  {body}\\n}}"),
            Self::Fence => format!("```json\n{text}\n```"),
            Self::OpenFence => format!("```\n{text}"),
            Self::ToolCallTags => format!("<tool_call>{text}</tool_call>"),
            Self::SurplusBrace => format!("{text}}}"),
            Self::DoubledBraces => text.replace('{', "{{").replace('}', "}}"),
            Self::Twice => format!("{text}\n{text}"),
            Self::Stringified => json!(text).to_string(),
            Self::StringifiedTwice => json!(json!(text).to_string()).to_string(),
            Self::EscapedQuotes => text.replace('"', "\\\""),
            Self::RawJson => json!({"__parseError": "bad", "__rawJson": text}).to_string(),
            Self::DuplicateKey => format!("{{{body},{body}}}"),
            Self::LeadingPlus => text.replace(":5", ":+5"),
        }
    }
}

/// Takes the quotes off keys that are plain words.
fn unquoted(text: &str) -> String {
    NAMES
        .iter()
        .chain(&["name", "at"])
        .filter(|name| name.is_ascii())
        .fold(text.to_owned(), |text, name| {
            text.replace(&format!("\"{name}\":"), &format!("{name}:"))
        })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn p1_a_call_without_a_mistake_comes_back_as_sent(case in case(wild), pretty in any::<bool>()) {
        let text = if pretty {
            serde_json::to_string_pretty(&case.call).unwrap()
        } else {
            case.call.to_string()
        };
        for prepared in prepared(&case.schema) {
            for complete in [None, Some(true)] {
                let by_text = prepared.run(Draft::new(text.as_str()).with_complete(complete));
                prop_assert_eq!(by_text.status, Status::Clean, "{:?}", by_text);
                prop_assert_eq!(by_text.arguments.as_ref(), Some(&case.call));
                prop_assert_eq!(by_text.text, Some(text.as_str()));
                let by_value = prepared.run(Draft::new(case.call.clone()).with_complete(complete));
                prop_assert_eq!(by_value.status, Status::Clean, "{:?}", by_value);
                prop_assert_eq!(by_value.arguments.as_ref(), Some(&case.call));
            }
        }
    }

    #[test]
    fn p2_damage_is_undone_to_the_letter(
        case in case(plain),
        damage in prop::sample::select(DAMAGES.to_vec()),
    ) {
        prop_assume!(case.call.as_object().is_some_and(|call| !call.is_empty()));
        let text = damage.to(&case.call.to_string());
        let read = read_or_refused(&case, &text)?;
        prop_assert_eq!(read, [true, true], "{:?} was not repaired: {}", damage, text);
    }

    #[test]
    fn p2_damage_upon_damage_is_undone_or_refused(
        case in case(plain),
        damages in prop::sample::subsequence(DAMAGES.to_vec(), 2..4).prop_shuffle(),
    ) {
        prop_assume!(case.call.as_object().is_some_and(|call| !call.is_empty()));
        let mut text = case.call.to_string();
        for damage in damages {
            if text.starts_with('{') && text.ends_with('}') {
                text = damage.to(&text);
            }
        }
        read_or_refused(&case, &text)?;
    }

    #[test]
    fn p2_damage_around_wild_text_is_undone_or_refused(
        case in case(wild),
        damage in prop::sample::select(vec![
            Damage::TrailingComma, Damage::LeadingComma, Damage::LineComment, Damage::BlockComment,
            Damage::ByteOrderMark, Damage::TrailingNul, Damage::Fence, Damage::OpenFence,
            Damage::ToolCallTags, Damage::SurplusBrace, Damage::Twice, Damage::Stringified,
            Damage::StringifiedTwice, Damage::RawJson, Damage::DuplicateKey,
        ]),
    ) {
        read_or_refused(&case, &damage.to(&case.call.to_string()))?;
    }

    #[test]
    fn p2_a_byte_more_or_less_never_moves_a_value(
        case in case(plain),
        at in any::<prop::sample::Index>(),
        insert in proptest::option::of(prop::sample::select(vec!['"', '\'', ',', ':', '}', '{', ']', '[', '\\', ' '])),
    ) {
        let mut text = case.call.to_string();
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let at = *at.get(&places);
        match insert {
            Some(c) => text.insert(at, c),
            None => {
                text.remove(at);
            }
        }
        // A letter of a string may be gone, and then that is what was sent; but nothing is
        // refilled, moved or made up, and what is returned settles and replays.
        for prepared in prepared(&case.schema) {
            check_text(&prepared, &text)?;
        }
    }

    #[test]
    fn p3_and_p5_hold_of_any_value(case in case(wild), value in any_json()) {
        let mut mixed = case.call.clone();
        if let (Some(mixed), Some(more)) = (mixed.as_object_mut(), value.as_object()) {
            mixed.extend(more.iter().map(|(k, v)| (k.clone(), v.clone())));
        }
        for prepared in prepared(&case.schema) {
            for sent in [&value, &mixed] {
                let outcome = prepared.run(sent.clone());
                check(&prepared, sent.clone(), &outcome)?;
                check_text(&prepared, &sent.to_string())?;
            }
        }
    }

    #[test]
    fn p4_any_bytes_have_an_outcome(
        case in case(plain),
        bytes in proptest::collection::vec(any::<u8>(), 0..64),
        text in r#"[{}\[\]"'`,:\\/#*a-z0-9<>=|_ \n\x00.+-]{0,64}"#,
    ) {
        for prepared in prepared(&case.schema) {
            let sent = String::from_utf8_lossy(&bytes).into_owned();
            let outcome = prepared.run(bytes.as_slice());
            check(&prepared, document(&sent, &outcome), &outcome)?;
            check_text(&prepared, &text)?;
            check_text(&prepared, &format!("{{{text}}}"))?;
        }
    }

    #[test]
    fn p4_any_schema_is_an_error_or_has_outcomes(schema in any_json(), call in any_json()) {
        if let Ok(tool) = Tool::new("tool", schema) {
            for pipeline in PIPELINES.iter() {
                if let Ok(prepared) = pipeline.prepare(&tool) {
                    let outcome = prepared.run(call.clone());
                    check(&prepared, call.clone(), &outcome)?;
                }
            }
        }
    }

    #[test]
    fn p6_a_text_that_was_cut_off_is_never_dispatched(
        case in case(wild),
        at in any::<prop::sample::Index>(),
        pretty in any::<bool>(),
    ) {
        let text = if pretty {
            serde_json::to_string_pretty(&case.call).unwrap()
        } else {
            case.call.to_string()
        };
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).skip(1).collect();
        let cut = text.get(..*at.get(&places)).unwrap();
        for prepared in prepared(&case.schema) {
            for complete in [None, Some(false)] {
                let outcome = prepared.run(Draft::new(cut).with_complete(complete));
                prop_assert_eq!(outcome.status, Status::Unrepairable, "{} was dispatched", cut);
                prop_assert!(outcome.edits.is_empty());
            }
            // Even when the provider says that it finished, nothing is made up inside a token.
            let outcome = prepared.run(Draft::new(cut).with_complete(Some(true)));
            check(&prepared, document(cut, &outcome), &outcome)?;
        }
    }

    #[test]
    fn p6_what_the_provider_cut_short_is_never_dispatched(case in case(wild)) {
        let text = case.call.to_string();
        for prepared in prepared(&case.schema) {
            for sent in [
                Delivered::Text(&text),
                Delivered::Value(case.call.clone()),
                Delivered::Nothing,
            ] {
                let outcome = prepared.run(Draft::new(sent).with_complete(Some(false)));
                prop_assert_eq!(outcome.status, Status::Unrepairable);
            }
        }
    }

    #[test]
    fn a_repaired_key_keeps_its_value(case in case(plain), at in any::<prop::sample::Index>(), style in 0..4) {
        let call = case.call.as_object().unwrap();
        prop_assume!(!call.is_empty());
        let keys: Vec<&String> = call.keys().collect();
        let key = (*at.get(&keys)).clone();
        let other = match style {
            0 => key.to_uppercase(),
            1 => format!("_{key}"),
            2 => key.replace('_', "-"),
            _ => format!("{key}s"),
        };
        let sent: Map<String, Value> = call
            .iter()
            .map(|(k, v)| (if *k == key { other.clone() } else { k.clone() }, v.clone()))
            .collect();
        for prepared in prepared(&case.schema) {
            let outcome = prepared.run(Value::Object(sent.clone()));
            check(&prepared, Value::Object(sent.clone()), &outcome)?;
            if outcome.status == Status::Repaired {
                prop_assert_eq!(outcome.arguments.as_ref(), Some(&case.call));
            }
        }
    }

    #[test]
    fn stage_by_stage_equals_the_pipeline(case in case(wild), value in any_json()) {
        let [standard, _] = prepared(&case.schema);
        for sent in [value, case.call.clone()] {
            let mut draft = Draft::new(sent.clone());
            let mut refused = None;
            for (meta, stage) in standard.steps() {
                let verdict = stage.plan(&draft);
                if let Err(rejection) = draft.apply(meta.id, verdict) {
                    refused = Some(*rejection);
                    break;
                }
            }
            let trace = standard.trace(sent.clone());
            let outcome = standard.run(sent);
            prop_assert_eq!(&trace.outcome, &outcome);
            prop_assert_eq!(&outcome.rejection, &refused);
            prop_assert_eq!(outcome.edits.as_slice(), draft.edits());
            if outcome.arguments.is_some() {
                prop_assert_eq!(outcome.arguments.as_ref(), draft.value());
            }
        }
    }
}

/// Any JSON, with the words that schemas, envelopes and aliases are made of.
fn any_json() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "type",
        "properties",
        "required",
        "items",
        "additionalProperties",
        "enum",
        "anyOf",
        "$ref",
        "#",
        "#/properties/path",
        "object",
        "string",
        "array",
        "integer",
        "path",
        "filepath",
        "Content",
        "text",
        "q",
        "i",
        "__x",
        "arguments",
        "parameters",
        "__parseError",
        "__rawJson",
        "{\"path\": \"a\"}",
        "[\"a\", \"b\"]",
        "a, b",
        "null",
        "",
        "5",
        "true",
        "a</parameter>\n<parameter name=\"content\">b",
        "a\\nb\\n",
        "</content>\n</invoke>",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        word.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 5, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::vec((word.clone(), inner), 0..5).prop_map(|members| {
                let members = members.into_iter().map(|(k, v)| (k.to_owned(), v));
                Value::Object(members.collect())
            }),
        ]
    })
}
