//! Operators that know no mistake by name: a character or a token lost, doubled or swapped, another
//! notation, another value.
//!
//! Damage at random may leave another call behind that reads as well as the first (a comma that
//! lands inside a string), so what comes of it is a set of its own: every call that is dispatched
//! and not what was meant is shown, to be looked at, and only a property that does not hold fails.

use super::Op;
use super::base::Base;
use super::mutant::{Class, Classes, Mutant, both};
use super::tokens::{Kind, Token};
use super::uses::{AROUND, VALUES, WHOLE};
use crate::measure::rng::Rng;
use serde_json::{Value, json};

/// Lists the operators.
pub(crate) fn ops() -> Vec<Op> {
    vec![
        Op::value("data: another value that fits", VALUES, another_value),
        Op::token("noise: token lost", WHOLE, token_lost),
        Op::token("noise: token doubled", WHOLE, token_doubled),
        Op::token("noise: tokens swapped", WHOLE, tokens_swapped),
        Op::text("noise: character lost", WHOLE, character_lost),
        Op::text("noise: character put in", WHOLE, character_put_in),
        Op::text("noise: character changed", WHOLE, character_changed),
        Op::text("noise: characters swapped", WHOLE, characters_swapped),
        Op::text("around: another notation", AROUND | WHOLE, another_notation),
    ]
}

/// Puts another value into a place that takes it: no mistake at all.
fn another_value(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let places = base.places(|_, _| true);
    let at = rng.pick(&places)?.clone();
    let value = rng
        .pick(&[
            json!("5"),
            json!("true"),
            json!("null"),
            json!(""),
            json!("[1, 2]"),
            json!("[\"a\", \"b\"]"),
            json!("{\"a\": 1}"),
            json!("a, b"),
            json!(null),
            json!(5),
            json!(-0.0),
            json!(1e-300),
            json!(18_446_744_073_709_551_615_u64),
            json!(true),
            json!([]),
            json!([[]]),
            json!({}),
            json!(["x"]),
            json!({"a": {"b": [null]}}),
        ])?
        .clone();
    mutant.mean(&at, &value)?;
    // Below the top level an undeclared name may still read like a declared one.
    base.prepared
        .accepts(&Value::Object(mutant.args.clone()))
        .then_some(both(Class::Untouched))
}

fn structural(token: &Token) -> bool {
    !matches!(token.kind, Kind::Space)
}

fn pick(mutant: &Mutant, rng: &mut Rng) -> Option<usize> {
    let places: Vec<usize> = (0..mutant.tokens.len())
        .filter(|at| mutant.tokens.get(*at).is_some_and(structural))
        .collect();
    rng.pick(&places).copied()
}

/// What is still strict JSON is another call, and no mistake.
fn if_damaged(text: &str) -> Option<Classes> {
    let strict = serde_json::from_str::<Value>(text).is_ok();
    (!strict).then_some(both(Class::Soft))
}

fn token_lost(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = pick(mutant, rng)?;
    mutant.tokens.remove(at);
    if_damaged(&super::tokens::join(&mutant.tokens))
}

fn token_doubled(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = pick(mutant, rng)?;
    let token = mutant.tokens.get(at)?.clone();
    mutant.tokens.insert(at, token);
    if_damaged(&super::tokens::join(&mutant.tokens))
}

fn tokens_swapped(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = pick(mutant, rng)?;
    if at + 1 >= mutant.tokens.len() {
        return None;
    }
    mutant.tokens.swap(at, at + 1);
    if_damaged(&super::tokens::join(&mutant.tokens))
}

/// Splits the text before a random character.
fn split(mutant: &Mutant, rng: &mut Rng) -> Option<(Vec<char>, usize)> {
    let characters: Vec<char> = mutant.text.chars().collect();
    // Most of a long text is the inside of strings; damage outside is worth more.
    let outside: Vec<usize> = (0..characters.len())
        .filter(|at| {
            characters
                .get(*at)
                .is_some_and(|c| "{}[]:,\"'\\0123456789-+.eE \n".contains(*c))
        })
        .collect();
    let at = if rng.below(3) > 0 {
        *rng.pick(&outside)?
    } else {
        rng.below(characters.len())
    };
    Some((characters, at))
}

fn put(mutant: &mut Mutant, characters: Vec<char>) -> Option<Classes> {
    mutant.text = characters.into_iter().collect();
    if_damaged(&mutant.text)
}

fn character_lost(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let (mut characters, at) = split(mutant, rng)?;
    characters.remove(at);
    put(mutant, characters)
}

const NOISE: [char; 16] = [
    '"', '\'', ',', ':', '{', '}', '[', ']', '#', '/', '`', '0', 'e', '.', '-', ' ',
];

fn character_put_in(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let (mut characters, at) = split(mutant, rng)?;
    characters.insert(at, *rng.pick(&NOISE)?);
    put(mutant, characters)
}

fn character_changed(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let (mut characters, at) = split(mutant, rng)?;
    *characters.get_mut(at)? = *rng.pick(&NOISE)?;
    put(mutant, characters)
}

fn characters_swapped(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let (mut characters, at) = split(mutant, rng)?;
    if at + 1 >= characters.len() {
        return None;
    }
    characters.swap(at, at + 1);
    put(mutant, characters)
}

fn another_notation(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let args = mutant.args.clone();
    let lines = |between: &str| {
        let lines = args
            .iter()
            .map(|(key, value)| format!("{key}{between}{value}"));
        lines.collect::<Vec<_>>()
    };
    if args.is_empty() {
        return None;
    }
    mutant.text = match rng.below(9) {
        0 => lines("=").join(", "),
        1 => lines(": ").join("\n"),
        2 => format!("{{{}}}", lines(" = ").join("; ")),
        3 => format!("{{{}}}", lines(" => ").join(", ")),
        4 => format!("({})", lines("=").join(", ")),
        5 => mutant.text.replace('"', "&quot;"),
        6 => format!("dict({})", lines("=").join(", ")),
        7 => format!("<arguments>{}</arguments>", lines("").concat()),
        _ => format!("call({})", mutant.text),
    };
    Some(both(Class::Refuse))
}
