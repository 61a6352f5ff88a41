//! Operators on the tokens of a text: commas, comments, quotes, numbers, literals, escapes.

use super::Op;
use super::base::{Base, Type};
use super::mutant::{Class, Classes, Mutant, both};
use super::ops_values::python;
use super::tokens::{Kind, Token, quoted};
use super::uses::{COMMAS, DECLARED, LITERALS, NUMBERS, SPACE, STRINGS, VALUES, WHOLE};
use crate::measure::rng::Rng;
use serde_json::Value;

/// Lists the operators.
pub(crate) fn ops() -> Vec<Op> {
    vec![
        Op::token("comma: trailing", COMMAS, trailing_comma),
        Op::token("comma: leading", COMMAS, leading_comma),
        Op::token("comma: doubled", COMMAS, doubled_comma),
        Op::token("comma: missing", COMMAS | STRINGS | DECLARED, missing_comma),
        Op::token(
            "comma: missing in a list",
            COMMAS | STRINGS | DECLARED,
            missing_comma_in_list,
        ),
        Op::token("colon: missing", COMMAS | STRINGS | DECLARED, missing_colon),
        Op::token("comment: to the line's end", COMMAS | SPACE, line_comment),
        Op::token("comment: block", COMMAS | SPACE, block_comment),
        Op::token(
            "comment: where a value must stand",
            COMMAS | SPACE | WHOLE,
            comment_for_value,
        ),
        Op::token("quotes: single", STRINGS, single_quotes),
        Op::token("quotes: Python's repr", STRINGS | LITERALS, python_repr),
        Op::token(
            "quotes: single with an escaped apostrophe",
            STRINGS,
            escaped_apostrophe,
        ),
        Op::token(
            "quotes: single with an apostrophe",
            STRINGS,
            bare_apostrophe,
        ),
        Op::token(
            "quotes: single, closed early or late",
            STRINGS,
            two_closings,
        ),
        Op::token("quotes: curly", STRINGS, curly_quotes),
        Op::token("quotes: backticks", STRINGS, backticks),
        Op::token("quotes: triple", STRINGS, triple_quotes),
        Op::token(
            "quotes: escaped around a value",
            STRINGS | SPACE,
            escaped_delimiters,
        ),
        Op::token(
            "quotes: unescaped inside",
            STRINGS | COMMAS | DECLARED,
            inner_quotes,
        ),
        Op::token(
            "quotes: unescaped before a comma",
            STRINGS | COMMAS | DECLARED,
            inner_quote_comma,
        ),
        Op::token(
            "quotes: the next argument swallowed",
            STRINGS | COMMAS | DECLARED | SPACE,
            swallowed,
        ),
        Op::token(
            "quotes: a string doubled",
            STRINGS | COMMAS | SPACE,
            doubled_string,
        ),
        Op::token("key: unquoted", STRINGS, unquoted_keys),
        Op::token("literal: Python's", LITERALS, python_literals),
        Op::token("number: plus sign", NUMBERS, plus_sign),
        Op::token("number: bare point", NUMBERS, bare_point),
        Op::token("number: hex", NUMBERS, hex),
        Op::token("number: leading zero", NUMBERS, leading_zero),
        Op::token("number: overflow", NUMBERS, overflow),
        Op::token("number: NaN and the like", NUMBERS, not_a_number),
        Op::token("raw control characters", STRINGS, raw_control),
        Op::token("white space of Unicode", SPACE, unicode_space),
        Op::token(
            "literal \\n between tokens",
            SPACE | STRINGS,
            literal_newline,
        ),
        Op::token("escape: not JSON's", STRINGS, foreign_escape),
        Op::token("escape: two readings", STRINGS, doubtful_escape),
        Op::token("escape: another language's", STRINGS, language_escape),
        Op::token("escape: lone surrogate", STRINGS, lone_surrogate),
        Op::token(
            "value: unquoted",
            STRINGS | SPACE | DECLARED,
            unquoted_value,
        ),
        Op::token(
            "value: unquoted beginning of a literal",
            STRINGS | SPACE,
            unquoted_prefix,
        ),
        Op::token(
            "value: unquoted where no string is due",
            NUMBERS | SPACE,
            unquoted_for_number,
        ),
        Op::token(
            "value: missing",
            VALUES | STRINGS | NUMBERS | LITERALS,
            missing_value,
        ),
        Op::token("value: ellipsis", COMMAS | VALUES, ellipsis),
        Op::token("closer: of the wrong kind", COMMAS, wrong_closer),
        Op::token(
            "key: twice with equal values",
            COMMAS | SPACE | STRINGS,
            equal_duplicate,
        ),
        Op::token(
            "key: twice with different values",
            COMMAS | SPACE | STRINGS,
            unequal_duplicate,
        ),
        Op::token("nesting: too deep", VALUES | STRINGS, too_deep),
    ]
}

/// Finds the places of tokens that pass a test.
fn find(mutant: &Mutant, test: impl Fn(&Token) -> bool) -> Vec<usize> {
    let tokens = mutant.tokens.iter().enumerate();
    tokens
        .filter(|(_, token)| test(token))
        .map(|(at, _)| at)
        .collect()
}

fn pick(mutant: &Mutant, rng: &mut Rng, test: impl Fn(&Token) -> bool) -> Option<usize> {
    rng.pick(&find(mutant, test)).copied()
}

/// Finds the next token that is no white space.
fn next(mutant: &Mutant, at: usize) -> Option<usize> {
    (at + 1..mutant.tokens.len()).find(|at| {
        mutant
            .tokens
            .get(*at)
            .is_some_and(|t| t.kind != Kind::Space)
    })
}

fn before(mutant: &Mutant, at: usize) -> Option<usize> {
    (0..at).rev().find(|at| {
        mutant
            .tokens
            .get(*at)
            .is_some_and(|t| t.kind != Kind::Space)
    })
}

fn insert(mutant: &mut Mutant, at: usize, text: impl Into<String>) {
    mutant.tokens.insert(at, Token::put(text));
}

fn set(mutant: &mut Mutant, at: usize, text: impl Into<String>) -> Option<()> {
    mutant.tokens.get_mut(at)?.text = text.into();
    Some(())
}

fn is_empty_container(mutant: &Mutant, open: usize) -> bool {
    next(mutant, open)
        .and_then(|at| mutant.tokens.get(at))
        .is_none_or(|t| t.kind == Kind::Close)
}

fn trailing_comma(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = pick(mutant, rng, |t| t.kind == Kind::Close)?;
    let last = before(mutant, at)?;
    if mutant.tokens.get(last)?.kind == Kind::Open {
        return None;
    }
    insert(mutant, if rng.below(2) == 0 { last + 1 } else { at }, ",");
    Some(both(Class::One))
}

fn leading_comma(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = pick(mutant, rng, |t| t.kind == Kind::Open)?;
    if is_empty_container(mutant, at) {
        return None;
    }
    insert(mutant, at + 1, ",");
    Some(both(Class::One))
}

fn doubled_comma(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = pick(mutant, rng, |t| matches!(t.kind, Kind::Comma(_)))?;
    set(mutant, at, *rng.pick(&[",,", ", ,", ",,,"])?)?;
    Some(both(Class::One))
}

/// The commas between the arguments themselves.
fn top_commas(mutant: &Mutant) -> Vec<usize> {
    find(mutant, |t| t.kind == Kind::Comma(true) && t.depth == 1)
}

fn missing_comma(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    if !base.all_declared() {
        return None;
    }
    let at = *rng.pick(&top_commas(mutant))?;
    let spaced = mutant.tokens.get(at + 1)?.kind == Kind::Space;
    set(mutant, at, "")?;
    Some(both(if spaced { Class::One } else { Class::Soft }))
}

fn missing_comma_in_list(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    if !base.all_declared() {
        return None;
    }
    let at = pick(mutant, rng, |t| {
        matches!(t.kind, Kind::Comma(_)) && t.depth > 1
    })?;
    set(mutant, at, " ")?;
    Some(both(Class::Soft))
}

fn missing_colon(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    if !base.all_declared() {
        return None;
    }
    let at = pick(mutant, rng, |t| t.kind == Kind::Colon && t.depth == 1)?;
    let value = mutant.tokens.get(next(mutant, at)?)?;
    if value.kind == Kind::Str && base.declares(&value.raw) {
        return None;
    }
    set(mutant, at, " ")?;
    Some(both(Class::One))
}

const REMARKS: [&str; 6] = [
    "the path",
    "see above",
    "it's needed",
    "say \"why\"",
    "a, b: {c}",
    "TODO [later]",
];

/// Picks where a comment may stand: before a key.
fn comment_place(mutant: &Mutant, rng: &mut Rng) -> Option<usize> {
    pick(mutant, rng, |t| t.kind == Kind::Key)
}

fn line_comment(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = comment_place(mutant, rng)?;
    let mark = *rng.pick(&["//", "#", "// ", "# "])?;
    let remark = *rng.pick(&REMARKS)?;
    insert(mutant, at, format!("{mark}{remark}\n"));
    Some(both(Class::One))
}

fn block_comment(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = comment_place(mutant, rng)?;
    let remark = *rng.pick(&REMARKS)?;
    insert(mutant, at, format!("/* {remark} */ "));
    Some(both(Class::One))
}

fn comment_for_value(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = pick(mutant, rng, |t| t.kind == Kind::Colon)?;
    insert(mutant, at + 1, " // the value\n");
    Some(both(Class::Soft))
}

/// Spells a string in other quotes; what JSON escapes stays escaped, the quote itself excepted.
fn requoted(raw: &str, open: &str, close: &str) -> Option<String> {
    let spelled = quoted(raw).replace("\\\"", "\"");
    let body = spelled.strip_prefix('"')?.strip_suffix('"')?;
    Some(format!("{open}{body}{close}"))
}

fn requote_all(mutant: &mut Mutant, open: &str, close: &str, avoid: &[char]) -> Option<()> {
    let places = find(mutant, |t| matches!(t.kind, Kind::Str | Kind::Key));
    if places.is_empty() {
        return None;
    }
    for at in places {
        let raw = mutant.tokens.get(at)?.raw.clone();
        if raw.contains(avoid) {
            return None;
        }
        set(mutant, at, requoted(&raw, open, close)?)?;
    }
    Some(())
}

fn single_quotes(_: &Base, mutant: &mut Mutant, _: &mut Rng) -> Option<Classes> {
    requote_all(mutant, "'", "'", &['\''])?;
    Some(both(Class::One))
}

fn curly_quotes(_: &Base, mutant: &mut Mutant, _: &mut Rng) -> Option<Classes> {
    requote_all(mutant, "“", "”", &['"', '“', '”', '„', '‟'])?;
    Some(both(Class::One))
}

fn backticks(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = pick(mutant, rng, |t| t.kind == Kind::Str)?;
    let raw = mutant.tokens.get(at)?.raw.clone();
    if raw.contains(['`', '"', '$']) {
        return None;
    }
    set(mutant, at, requoted(&raw, "`", "`")?)?;
    Some(both(Class::One))
}

fn triple_quotes(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = pick(mutant, rng, |t| t.kind == Kind::Str)?;
    let raw = mutant.tokens.get(at)?.raw.clone();
    if raw.is_empty()
        || raw.contains(['"', '\'', '\\'])
        || raw.chars().any(|c| c.is_control() && c != '\n')
    {
        return None;
    }
    let quote = *rng.pick(&["\"\"\"", "'''"])?;
    set(mutant, at, format!("{quote}{raw}{quote}"))?;
    Some(both(Class::One))
}

fn python_repr(_: &Base, mutant: &mut Mutant, _: &mut Rng) -> Option<Classes> {
    for at in find(mutant, |t| {
        matches!(t.kind, Kind::Str | Kind::Key | Kind::Lit)
    }) {
        let token = mutant.tokens.get(at)?;
        let raw = token.raw.clone();
        let text = if token.kind == Kind::Lit {
            python(&serde_json::from_str(&token.text).ok()?)
        } else if raw.contains('\'') {
            if raw.contains('"') {
                return None;
            }
            quoted(&raw)
        } else {
            requoted(&raw, "'", "'")?
        };
        set(mutant, at, text)?;
    }
    Some(both(Class::One))
}

fn escaped_apostrophe(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = string_token(base, mutant, rng)?;
    let raw = "it's the day's end".to_owned();
    let place = mutant.tokens.get(at)?.at.clone();
    mutant.mean(&place, &Value::String(raw.clone()))?;
    set(mutant, at, format!("'{}'", raw.replace('\'', "\\'")))?;
    Some(both(Class::One))
}

fn bare_apostrophe(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = string_token(base, mutant, rng)?;
    let raw = *rng.pick(&["it's here", "don't stop", "the dogs' bowl", "rock 'n' roll"])?;
    let place = mutant.tokens.get(at)?.at.clone();
    mutant.mean(&place, &Value::String(raw.to_owned()))?;
    set(mutant, at, format!("'{raw}'"))?;
    Some(both(Class::One))
}

fn two_closings(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = string_token(base, mutant, rng)?;
    let raw = *rng.pick(&[
        "the dogs', cats' and birds' bowls",
        "x', 'y",
        "say 'hi', then go",
    ])?;
    let place = mutant.tokens.get(at)?.at.clone();
    mutant.mean(&place, &Value::String(raw.to_owned()))?;
    set(mutant, at, format!("'{raw}'"))?;
    Some(both(Class::Soft))
}

/// Picks the token of an argument that takes any string.
fn string_token(base: &Base, mutant: &Mutant, rng: &mut Rng) -> Option<usize> {
    if !base.is_plain() {
        return None;
    }
    pick(mutant, rng, |t| {
        t.kind == Kind::Str && t.depth == 1 && base.takes_any_string(&t.at)
    })
}

fn escaped_delimiters(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = pick(mutant, rng, |t| t.kind == Kind::Str)?;
    let raw = mutant.tokens.get(at)?.raw.clone();
    if raw.contains(['"', '\\']) || raw.chars().any(char::is_control) {
        return None;
    }
    set(mutant, at, format!("\\\"{raw}\\\""))?;
    Some(both(Class::One))
}

fn inner_quotes(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    if !base.all_declared() {
        return None;
    }
    let at = string_token(base, mutant, rng)?;
    let token = mutant.tokens.get(at)?.clone();
    let (raw, inner) = match rng.below(3) {
        0 => (
            "he said \"hello\" to me".to_owned(),
            "he said \"hello\" to me".to_owned(),
        ),
        1 => (
            "print(\"done\") at the end".to_owned(),
            "print(\"done\") at the end".to_owned(),
        ),
        _ => {
            let spelled = token.text.strip_prefix('"')?.strip_suffix('"')?;
            (
                format!("the \"old\" way {}", token.raw),
                format!("the \"old\" way {spelled}"),
            )
        }
    };
    mutant.mean(&token.at, &Value::String(raw))?;
    set(mutant, at, format!("\"{inner}\""))?;
    Some(both(Class::One))
}

/// Damages what stands between two arguments so that the second could pass for the first's text.
fn swallowed(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    if !base.all_declared() {
        return None;
    }
    let commas: Vec<usize> = top_commas(mutant)
        .into_iter()
        .filter(|at| {
            let value = before(mutant, *at).and_then(|at| mutant.tokens.get(at));
            value.is_some_and(|value| value.kind == Kind::Str && base.takes_any_string(&value.at))
        })
        .collect();
    let at = *rng.pick(&commas)?;
    let put = *rng.pick(&[
        "{,", ";", " and ", ".", "|", ")", "(", "\\,", "\"\"", "=", ":", "&",
    ])?;
    set(mutant, at, put)?;
    Some(both(Class::Refuse))
}

/// Sends a string twice, one right after the other.
fn doubled_string(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = string_token(base, mutant, rng)?;
    let token = mutant.tokens.get(at)?.clone();
    if token.raw.is_empty() {
        return None;
    }
    mutant.tokens.insert(at, token);
    Some(both(Class::Refuse))
}

fn inner_quote_comma(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    if !base.all_declared() {
        return None;
    }
    let at = string_token(base, mutant, rng)?;
    let place = mutant.tokens.get(at)?.at.clone();
    let inner = *rng.pick(&[
        "say \"hi\", then go",
        "\"It works\" she said",
        "the word \"end\"",
        "f(\"a\", \"b\")",
        "{\"a\": \"b\"}",
        "a \": \" b",
    ])?;
    mutant.mean(&place, &Value::String(inner.to_owned()))?;
    set(mutant, at, format!("\"{inner}\""))?;
    Some(both(Class::Soft))
}

fn unquoted_keys(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let word = |raw: &str| {
        raw.chars()
            .next()
            .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
            && raw.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let places = find(mutant, |t| t.kind == Kind::Key && word(&t.raw));
    let chosen = match rng.below(2) {
        0 => places,
        _ => vec![*rng.pick(&places)?],
    };
    if chosen.is_empty() {
        return None;
    }
    for at in chosen {
        let raw = mutant.tokens.get(at)?.raw.clone();
        set(mutant, at, raw)?;
    }
    Some(both(Class::One))
}

fn python_literals(_: &Base, mutant: &mut Mutant, _: &mut Rng) -> Option<Classes> {
    let places = find(mutant, |t| t.kind == Kind::Lit);
    if places.is_empty() {
        return None;
    }
    for at in places {
        let value = serde_json::from_str(&mutant.tokens.get(at)?.text).ok()?;
        set(mutant, at, python(&value))?;
    }
    Some(both(Class::One))
}

fn plus_sign(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = pick(mutant, rng, |t| {
        t.kind == Kind::Num && !t.text.starts_with('-')
    })?;
    let text = format!("+{}", mutant.tokens.get(at)?.text);
    set(mutant, at, text)?;
    Some(both(Class::One))
}

fn bare_point(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let plain = |text: &str| !text.contains(['e', 'E']);
    let at = pick(mutant, rng, |t| {
        t.kind == Kind::Num
            && plain(&t.text)
            && (t.text.starts_with("0.") || t.text.ends_with(".0"))
    })?;
    let text = mutant.tokens.get(at)?.text.clone();
    let text = if text.starts_with("0.") && text != "0.0" {
        text.get(1..)?.to_owned()
    } else {
        text.strip_suffix('0')?.to_owned()
    };
    set(mutant, at, text)?;
    Some(both(Class::One))
}

fn hex(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = pick(mutant, rng, |t| {
        t.kind == Kind::Num && t.text.bytes().all(|b| b.is_ascii_digit())
    })?;
    let number: u64 = mutant.tokens.get(at)?.text.parse().ok()?;
    let text = if rng.below(2) == 0 {
        format!("0x{number:x}")
    } else {
        format!("0x{number:X}")
    };
    set(mutant, at, text)?;
    Some(both(Class::One))
}

fn leading_zero(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = pick(mutant, rng, |t| {
        t.kind == Kind::Num && t.text.bytes().next().is_some_and(|b| b.is_ascii_digit())
    })?;
    let text = format!("0{}", mutant.tokens.get(at)?.text);
    set(mutant, at, text)?;
    Some(both(Class::Refuse))
}

fn overflow(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = pick(mutant, rng, |t| t.kind == Kind::Num)?;
    set(
        mutant,
        at,
        *rng.pick(&[
            "1e999",
            "-1e999",
            "123456789012345678901234567890",
            "-9223372036854775809",
        ])?,
    )?;
    Some(both(Class::Refuse))
}

fn not_a_number(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = pick(mutant, rng, |t| t.kind == Kind::Num)?;
    set(
        mutant,
        at,
        *rng.pick(&[
            "NaN",
            "Infinity",
            "-Infinity",
            "undefined",
            "nan",
            "inf",
            "1_000",
            "5*3",
            "10%",
            "1.2.3",
        ])?,
    )?;
    Some(both(Class::Refuse))
}

fn raw_control(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = pick(mutant, rng, |t| {
        t.kind == Kind::Str && t.raw.contains(['\n', '\t', '\r'])
    })?;
    let token = mutant.tokens.get(at)?;
    let text = token.text.replace("\\\\", "\u{0}");
    let text = text
        .replace("\\n", "\n")
        .replace("\\t", "\t")
        .replace("\\r", "\r");
    let text = text.replace('\u{0}', "\\\\");
    set(mutant, at, text)?;
    Some(both(Class::One))
}

fn unicode_space(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = pick(mutant, rng, |t| {
        matches!(t.kind, Kind::Open | Kind::Comma(_) | Kind::Colon)
    })?;
    insert(
        mutant,
        at + 1,
        *rng.pick(&[
            "\u{a0}",
            "\u{2003}",
            "\u{3000}",
            "\u{2028}",
            "\u{200b}\u{a0}",
        ])?,
    );
    let exotic = mutant.tokens.get(at + 1)?.text.contains('\u{200b}');
    Some(both(if exotic { Class::Soft } else { Class::One }))
}

fn literal_newline(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = pick(mutant, rng, |t| t.kind == Kind::Key)?;
    insert(mutant, at, *rng.pick(&["\\n", "\\n  ", "\\r\\n", "\\t"])?);
    Some(both(Class::One))
}

/// Puts an escape sequence, as it is spelled in the text, into a string; it is meant literally.
fn with_escape(base: &Base, mutant: &mut Mutant, rng: &mut Rng, body: &str) -> Option<()> {
    let at = string_token(base, mutant, rng)?;
    let place = mutant.tokens.get(at)?.at.clone();
    mutant.mean(&place, &Value::String(body.to_owned()))?;
    set(mutant, at, format!("\"{body}\""))
}

fn foreign_escape(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let body = *rng.pick(&[
        "\\d+",
        "fn \\w+\\(\\d+\\)",
        "a\\.b",
        "\\s*$",
        "C:\\Windows",
        "d:\\code\\app\\utils\\Node",
        "\\p{L}\\u12",
        "50\\%",
        "\\[x\\]",
        "\\$HOME",
    ])?;
    with_escape(base, mutant, rng, body)?;
    Some(both(Class::One))
}

fn doubtful_escape(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let body = *rng.pick(&[
        "C:\\new\\Docs",
        "\\d+\\n",
        "a\\\\b\\d",
        "\\tab\\Stop",
        "\\bword\\w",
        "\\u0041\\d",
    ])?;
    with_escape(base, mutant, rng, body)?;
    Some(both(Class::Refuse))
}

fn language_escape(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let body = *rng.pick(&["a\\x41b", "end\\0", "\\x00"])?;
    with_escape(base, mutant, rng, body)?;
    Some(both(Class::Refuse))
}

fn lone_surrogate(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let body = *rng.pick(&["a\\ud83d", "\\udc00b", "\\ud800\\ud800", "\\uD83Dx\\uDE00"])?;
    with_escape(base, mutant, rng, body)?;
    Some(both(Class::Refuse))
}

/// The words that a bare value must not be, nor begin.
const WORDS: [&str; 14] = [
    "true",
    "false",
    "null",
    "none",
    "nan",
    "undefined",
    "infinity",
    "inf",
    "nil",
    "void",
    "yes",
    "no",
    "on",
    "off",
];

fn unquoted_value(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    if !base.all_declared() {
        return None;
    }
    let bare = |raw: &str| {
        let lower = raw.to_ascii_lowercase();
        raw.len() > 1
            && raw.chars().next().is_some_and(|c| c.is_ascii_alphabetic())
            && raw
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '_' | '-' | '.' | '/'))
            && raw.trim() == raw
            && !raw.contains("//")
            && !raw.contains("..")
            && !WORDS
                .iter()
                .any(|word| word.starts_with(&lower) || lower.starts_with(word))
    };
    let at = pick(mutant, rng, |t| {
        t.kind == Kind::Str && t.depth == 1 && base.takes_only(&t.at, Type::String) && bare(&t.raw)
    })?;
    let raw = mutant.tokens.get(at)?.raw.clone();
    set(mutant, at, raw)?;
    Some(both(Class::One))
}

fn unquoted_prefix(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = string_token(base, mutant, rng)?;
    set(
        mutant,
        at,
        *rng.pick(&[
            "tru", "Fals", "nul", "Non", "undefine", "NULL", "TRUE", "NONE", "Na",
        ])?,
    )?;
    Some(both(Class::Refuse))
}

fn unquoted_for_number(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = pick(mutant, rng, |t| {
        t.kind == Kind::Num
            && (base.takes_only(&t.at, Type::Integer) || base.takes_only(&t.at, Type::Number))
    })?;
    set(
        mutant,
        at,
        *rng.pick(&["five", "about five", "limit", "x5"])?,
    )?;
    Some(both(Class::Refuse))
}

fn missing_value(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = pick(mutant, rng, Token::is_scalar)?;
    let colon = before(mutant, at)?;
    if mutant.tokens.get(colon)?.kind != Kind::Colon {
        return None;
    }
    set(mutant, at, "")?;
    Some(both(Class::Refuse))
}

fn ellipsis(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = pick(mutant, rng, |t| t.kind == Kind::Close)?;
    let last = before(mutant, at)?;
    if mutant.tokens.get(last)?.kind == Kind::Open {
        return None;
    }
    insert(mutant, last + 1, *rng.pick(&[", ...", ", …", " ..."])?);
    Some(both(Class::Refuse))
}

fn wrong_closer(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = pick(mutant, rng, |t| t.kind == Kind::Close && t.depth > 0)?;
    let text = if mutant.tokens.get(at)?.text == "]" {
        "}"
    } else {
        "]"
    };
    set(mutant, at, text)?;
    Some(both(Class::Refuse))
}

/// Spells one more member at the end of the object.
fn again(mutant: &mut Mutant, key: &str, value: &Value) -> Option<()> {
    let at = find(mutant, |t| t.kind == Kind::Close && t.depth == 0).pop()?;
    insert(mutant, at, format!(",{}:{value}", quoted(key)));
    Some(())
}

fn equal_duplicate(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let keys: Vec<String> = mutant.args.keys().cloned().collect();
    let key = rng.pick(&keys)?.clone();
    let value = mutant.args.get(&key)?.clone();
    // A value whose numbers would be spelled another way is no longer equal for certain.
    again(mutant, &key, &value)?;
    Some(both(Class::One))
}

fn unequal_duplicate(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let keys: Vec<String> = mutant.args.keys().cloned().collect();
    let key = rng.pick(&keys)?.clone();
    let other = match mutant.args.get(&key)? {
        Value::String(text) => Value::String(format!("{text} 2")),
        Value::Bool(b) => Value::Bool(!b),
        Value::Number(_) => Value::from(987_654),
        _ => Value::from("something else"),
    };
    again(mutant, &key, &other)?;
    Some(both(Class::Refuse))
}

fn too_deep(_: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = pick(mutant, rng, |t| t.is_scalar() && t.depth == 1)?;
    let (open, close) = *rng.pick(&[("[", "]"), ("{\"a\":", "}")])?;
    let deep = format!("{}1{}", open.repeat(200), close.repeat(200));
    set(mutant, at, deep)?;
    Some(both(Class::Refuse))
}
