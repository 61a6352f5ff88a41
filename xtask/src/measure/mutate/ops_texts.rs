//! Operators on the whole text: what stands around it, how often it was encoded, where it ends.

use super::Op;
use super::base::Base;
use super::mutant::{Class, Classes, Mutant, both};
use super::uses::{AROUND, COMMAS, LITERALS, NUMBERS, SPACE, STRINGS, VALUES, WHOLE};
use crate::call::Sent;
use crate::measure::rng::Rng;
use serde_json::{Map, Value, json};

/// Lists the operators.
pub(crate) fn ops() -> Vec<Op> {
    vec![
        Op::text("around: code fence", AROUND, fence),
        Op::text("around: code fence left open", AROUND, open_fence),
        Op::text("around: call markup", AROUND, markup),
        Op::text("around: prose before", AROUND, prose_before),
        Op::text("around: prose after", AROUND, prose_after),
        Op::text("around: byte-order mark", AROUND, mark),
        Op::text("around: NUL bytes", AROUND, nul),
        Op::text("around: comment after", AROUND, comment_after),
        Op::text("around: surplus closers", AROUND, surplus),
        Op::text(
            "around: doubled braces",
            AROUND | COMMAS | VALUES,
            doubled_braces,
        ),
        Op::text("around: a list", AROUND, list),
        Op::text("twice: equal objects", AROUND, twice),
        Op::text("twice: an empty object", AROUND, empty_beside),
        Op::text("twice: different objects", AROUND | WHOLE, different),
        Op::text("encoded: once", AROUND, encoded_once),
        Op::text("encoded: twice", AROUND, encoded_twice),
        Op::text("encoded: three times", AROUND, encoded_thrice),
        Op::text("encoded: four times", AROUND, encoded_four_times),
        Op::text("encoded: as a value", AROUND, encoded_value),
        Op::text(
            "encoded: escaped quotes throughout",
            AROUND | STRINGS | SPACE,
            escaped_throughout,
        ),
        Op::text(
            "encoded: left behind by a host",
            AROUND | COMMAS | STRINGS | WHOLE,
            left_behind,
        ),
        Op::text("end: cut off", AROUND, cut_off),
        Op::text(
            "end: closers missing, finished",
            AROUND | COMMAS,
            closers_missing,
        ),
        Op::text(
            "end: closers missing, unknown",
            AROUND | COMMAS | WHOLE,
            closers_missing_unknown,
        ),
        Op::text("end: stopped early", AROUND, stopped_early),
        Op::text(
            "nothing sent",
            WHOLE | AROUND | VALUES | STRINGS | NUMBERS | LITERALS,
            nothing,
        ),
    ]
}

fn fence(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    if mutant.text.contains("```") {
        return None;
    }
    let word = *rng.pick(&["json", "", "JSON", "python"])?;
    let end = *rng.pick(&["\n```", "\n```\n", "```"])?;
    mutant.text = format!("```{word}\n{}{end}", mutant.text);
    Some(both(if end == "```" || word == "python" {
        Class::Soft
    } else {
        Class::One
    }))
}

fn open_fence(_: &Base, mutant: &mut Mutant, _: &mut Rng) -> Option<Classes> {
    if mutant.text.contains("```") {
        return None;
    }
    mutant.text = format!("```json\n{}\n", mutant.text);
    Some(both(Class::One))
}

fn markup(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let (open, close) = *rng.pick(&[
        ("<tool_call>", "</tool_call>"),
        ("<tool_call>\n", "\n</tool_call>"),
        ("", "</tool_call>"),
        ("", "\n</function>"),
        ("", "<|im_end|>"),
        ("", "</function>\n</tool_call><|im_end|>"),
    ])?;
    mutant.text = format!("{open}{}{close}", mutant.text);
    Some(both(Class::One))
}

fn prose_before(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let prose = *rng.pick(&[
        "Here is the call: ",
        "Sure!\n",
        "arguments = ",
        "I'll use {path}: ",
    ])?;
    mutant.text = format!("{prose}{}", mutant.text);
    Some(both(Class::Refuse))
}

fn prose_after(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let prose = *rng.pick(&[
        " Hope that helps!",
        "\n\nLet me know.",
        "\nObservation: ok",
        " and {more}",
    ])?;
    mutant.text = format!("{}{prose}", mutant.text);
    Some(both(Class::Refuse))
}

fn mark(_: &Base, mutant: &mut Mutant, _: &mut Rng) -> Option<Classes> {
    mutant.text = format!("\u{feff}{}", mutant.text);
    Some(both(Class::One))
}

fn nul(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    mutant.text = format!("{}{}", mutant.text, "\0".repeat(1 + rng.below(3)));
    Some(both(Class::One))
}

fn comment_after(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let comment = *rng.pick(&[
        " // done",
        "\n# done\n",
        " /* it's \"done\" */",
        "\n// a {b}",
    ])?;
    mutant.text = format!("{}{comment}", mutant.text);
    Some(both(Class::One))
}

fn surplus(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let more = *rng.pick(&["}", "]", "}}", " ]}", "\n}\n", "}]}"])?;
    mutant.text = format!("{}{more}", mutant.text);
    Some(both(Class::One))
}

fn doubled_braces(base: &Base, mutant: &mut Mutant, _: &mut Rng) -> Option<Classes> {
    if !base.no_string_holds(&["{", "}"])
        || super::base::strings(&Value::Object(mutant.args.clone()))
            .iter()
            .any(|s| s.contains(['{', '}']))
    {
        return None;
    }
    mutant.text = mutant.text.replace('{', "{{").replace('}', "}}");
    Some(both(Class::One))
}

fn list(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    mutant.text = match rng.below(2) {
        0 => format!("[{}]", mutant.text),
        _ => format!("[{0}, {0}]", mutant.text),
    };
    Some(both(Class::Refuse))
}

fn twice(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let gap = *rng.pick(&["", "\n", " "])?;
    mutant.text = format!("{0}{gap}{0}", mutant.text);
    Some(both(Class::One))
}

fn empty_beside(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    mutant.text = match rng.below(2) {
        0 => format!("{{}}{}", mutant.text),
        _ => format!("{}\n{{}}", mutant.text),
    };
    Some(both(Class::One))
}

fn different(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let keys: Vec<String> = mutant.args.keys().cloned().collect();
    let key = rng.pick(&keys)?;
    let mut other = mutant.args.clone();
    let value = match other.get(key)? {
        Value::String(text) => json!(format!("{text} 2")),
        Value::Number(_) => json!(987_654),
        Value::Bool(b) => json!(!b),
        _ => json!("something else"),
    };
    other.insert(key.clone(), value);
    mutant.text = format!("{}\n{}", mutant.text, Value::Object(other));
    Some(both(Class::Refuse))
}

fn encode(mutant: &mut Mutant, layers: usize) {
    for _ in 0..layers {
        mutant.text = Value::String(std::mem::take(&mut mutant.text)).to_string();
    }
}

fn encoded_once(_: &Base, mutant: &mut Mutant, _: &mut Rng) -> Option<Classes> {
    encode(mutant, 1);
    Some(both(Class::One))
}

fn encoded_twice(_: &Base, mutant: &mut Mutant, _: &mut Rng) -> Option<Classes> {
    encode(mutant, 2);
    Some(both(Class::One))
}

fn encoded_thrice(_: &Base, mutant: &mut Mutant, _: &mut Rng) -> Option<Classes> {
    encode(mutant, 3);
    Some(both(Class::One))
}

fn encoded_four_times(_: &Base, mutant: &mut Mutant, _: &mut Rng) -> Option<Classes> {
    encode(mutant, 4);
    Some(both(Class::Refuse))
}

fn encoded_value(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    encode(mutant, rng.below(2));
    mutant.sent = Some(Sent::Value(Value::String(mutant.text.clone())));
    Some(both(Class::One))
}

fn escaped_throughout(_: &Base, mutant: &mut Mutant, _: &mut Rng) -> Option<Classes> {
    let spelled = Value::String(mutant.text.clone()).to_string();
    mutant.text = spelled.strip_prefix('"')?.strip_suffix('"')?.to_owned();
    mutant.text.contains("\\\"").then_some(both(Class::One))
}

fn left_behind(_: &Base, mutant: &mut Mutant, _: &mut Rng) -> Option<Classes> {
    let body = mutant.text.strip_suffix('}')?;
    if mutant.args.is_empty() {
        return None;
    }
    let mut left = Map::new();
    left.insert(
        "__parseError".to_owned(),
        json!("Expected double-quoted property name in JSON"),
    );
    left.insert("__rawJson".to_owned(), json!(format!("{body},}}")));
    mutant.sent = Some(Sent::Value(Value::Object(left)));
    Some(both(Class::One))
}

fn cut_off(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = 1 + rng.below(mutant.text.len().checked_sub(2)?);
    let at = (1..=at)
        .rev()
        .find(|at| mutant.text.is_char_boundary(*at))?;
    mutant.text.truncate(at);
    Some(both(Class::Refuse))
}

/// Takes closers off the end; says whether what is left ends in a string, which is whole.
fn without_closers(mutant: &mut Mutant, rng: &mut Rng) -> Option<bool> {
    let closer = |c: char| matches!(c, '}' | ']') || c.is_whitespace();
    let kept = mutant.text.trim_end_matches(closer).len();
    let tail = mutant.text.get(kept..)?;
    let closers: Vec<usize> = tail.match_indices(['}', ']']).map(|(at, _)| at).collect();
    let at = kept + *rng.pick(&closers)?;
    mutant.text.truncate(at);
    let rest = mutant.text.trim_end();
    // An empty container at the end leaves its opener behind.
    (!rest.ends_with(['{', '['])).then_some(rest.ends_with(['"', '}', ']']))
}

fn closers_missing(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let whole = without_closers(mutant, rng)?;
    mutant.complete = Some(true);
    Some(both(if whole { Class::One } else { Class::Soft }))
}

fn closers_missing_unknown(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    without_closers(mutant, rng)?;
    Some(both(Class::Refuse))
}

fn stopped_early(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    mutant.complete = Some(false);
    if rng.below(3) == 0 {
        mutant.sent = Some(Sent::Value(Value::Object(mutant.args.clone())));
    }
    Some(both(Class::Refuse))
}

fn nothing(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let (sent, text) = match rng.below(6) {
        0 => (Some(Sent::Nothing), ""),
        1 => (Some(Sent::Value(Value::Null)), ""),
        2 => (None, ""),
        3 => (None, " \n"),
        4 => (None, "null"),
        _ => (None, "None"),
    };
    mutant.sent = sent;
    mutant.text = text.to_owned();
    if !base.is_plain() {
        return None;
    }
    if base.requires_nothing() {
        mutant.meant = Map::new();
        mutant.reads = Map::new();
        return Some(both(Class::One));
    }
    Some(both(Class::Refuse))
}
