//! Operators on the types of values: stringified, listed, nulled, and what no type excuses.

use super::Op;
use super::base::{Base, Type};
use super::mutant::{Class, Classes, Mutant, both, extended, without};
use super::uses::VALUES;
use crate::measure::rng::Rng;
use serde_json::{Value, json};

/// Lists the operators.
pub(crate) fn ops() -> Vec<Op> {
    vec![
        Op::value("list: one string", VALUES, list_one_string),
        Op::value("list: stringified strings", VALUES, list_stringified),
        Op::value("list: Python strings", VALUES, list_python),
        Op::value("list: joined by commas", VALUES, list_joined),
        Op::value("type: stringified array", VALUES, array_stringified),
        Op::value("type: stringified object", VALUES, object_stringified),
        Op::value("type: stringified Python", VALUES, python_stringified),
        Op::value("type: stringified twice", VALUES, stringified_twice),
        Op::value("type: number as string", VALUES, number_as_string),
        Op::value("type: boolean as string", VALUES, boolean_as_string),
        Op::value(
            "type: list of stringified objects",
            VALUES,
            objects_stringified,
        ),
        Op::value(
            "type: nothing for an optional one",
            VALUES,
            nothing_for_optional,
        ),
        Op::value("type: null for a required one", VALUES, null_for_required),
        Op::value("type: yes or 1 for a boolean", VALUES, yes_for_boolean),
        Op::value("type: number for a string", VALUES, number_for_string),
        Op::value(
            "type: fraction for an integer",
            VALUES,
            fraction_for_integer,
        ),
        Op::value("type: word for a number", VALUES, word_for_number),
        Op::value("type: container for a string", VALUES, container_for_string),
        Op::value("type: string for an object", VALUES, string_for_object),
        Op::value("type: blob cut off", VALUES, blob_cut_off),
        Op::value(
            "type: blob with unequal duplicates",
            VALUES,
            blob_with_duplicates,
        ),
        Op::value("schema: not one of the enum", VALUES, not_in_enum),
        Op::value("schema: out of bounds", VALUES, out_of_bounds),
        Op::value("schema: nested unknown key", VALUES, nested_unknown),
        Op::value(
            "schema: nested required key missing",
            VALUES,
            nested_missing,
        ),
    ]
}

/// Picks a place at any depth that passes a test.
fn place(
    base: &Base,
    mutant: &Mutant,
    rng: &mut Rng,
    test: impl Fn(&str, &Value) -> bool,
) -> Option<String> {
    let places = base.places(|at, value| test(at, value));
    let at = rng.pick(&places)?;
    // An operator before this one may have moved it.
    (value_at(mutant, at)? == &value_of(base, at)?).then(|| at.clone())
}

fn value_at<'m>(mutant: &'m Mutant, at: &str) -> Option<&'m Value> {
    let mut tokens = callmend_stage::pointer::tokens(at);
    let mut value = mutant.args.get(tokens.next()?.as_ref())?;
    for token in tokens {
        value = match value {
            Value::Object(members) => members.get(token.as_ref())?,
            Value::Array(items) => items.get(token.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(value)
}

fn value_of(base: &Base, at: &str) -> Option<Value> {
    Value::Object(base.args.clone()).pointer(at).cloned()
}

/// Says whether the schema takes the call with this value, and nothing else, changed.
fn fits(base: &Base, at: &str, value: &Value) -> Option<bool> {
    let mut args = Value::Object(base.args.clone());
    *args.pointer_mut(at)? = value.clone();
    Some(base.prepared.accepts(&args))
}

/// Sends a value that no reading explains; `None` if the schema takes it after all.
fn refused(base: &Base, mutant: &mut Mutant, at: &str, value: &Value) -> Option<Classes> {
    mutant.send(at, value)?;
    (!fits(base, at, value)?).then_some(both(Class::Refuse))
}

/// Sends a value that one reading explains, in the extended cascade; `None` if the schema takes
/// it as it is.
fn drifted(
    base: &Base,
    mutant: &mut Mutant,
    at: &str,
    value: &Value,
    class: Class,
) -> Option<Classes> {
    mutant.send(at, value)?;
    (!fits(base, at, value)?).then_some(extended(class))
}

fn list_one_string(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let keys = base.keys(&base.args, |at, value| {
        base.is_string_list(at) && one_of(value).is_some()
    });
    let key = rng.pick(&keys)?.clone();
    let text = one_of(base.args.get(&key)?)?.to_owned();
    if text.trim().is_empty()
        || text.contains(',')
        || text.trim_start().starts_with(['[', '{', '"', '\'', '('])
    {
        return None;
    }
    mutant.send_only(&callmend_stage::pointer::to(&key), &json!(text))?;
    Some(both(Class::One))
}

fn one_of(value: &Value) -> Option<&str> {
    match value.as_array()?.as_slice() {
        [Value::String(text)] => Some(text),
        _ => None,
    }
}

fn list_stringified(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let keys = base.keys(&base.args, |at, value| {
        base.is_string_list(at) && value.as_array().is_some_and(|l| !l.is_empty())
    });
    let key = rng.pick(&keys)?.clone();
    let text = base.args.get(&key)?.to_string();
    mutant.send_only(&callmend_stage::pointer::to(&key), &json!(text))?;
    Some(both(Class::One))
}

fn list_python(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let keys = base.keys(&base.args, |at, value| {
        base.is_string_list(at) && value.as_array().is_some_and(|l| !l.is_empty())
    });
    let key = rng.pick(&keys)?.clone();
    let items: Vec<&str> = base
        .args
        .get(&key)?
        .as_array()?
        .iter()
        .filter_map(Value::as_str)
        .collect();
    if items
        .iter()
        .any(|item| item.contains(['\'', '"', '\\', '\n', '\t', '\r']))
    {
        return None;
    }
    let text = format!("['{}']", items.join("', '"));
    mutant.send(&callmend_stage::pointer::to(&key), &json!(text))?;
    Some(Classes {
        standard: Class::Refuse,
        extended: Class::One,
    })
}

fn list_joined(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let keys = base.keys(&base.args, |at, _| base.is_string_list(at));
    let key = rng.pick(&keys)?.clone();
    mutant.send(
        &callmend_stage::pointer::to(&key),
        &json!("alpha, beta,gamma"),
    )?;
    Some(both(Class::Refuse))
}

/// Whether a place is an array whose items are no strings, or an object.
fn is_container(base: &Base, at: &str, kind: Type) -> bool {
    base.takes_only(at, kind) && !(kind == Type::Array && base.is_string_list(at))
}

fn array_stringified(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = place(base, mutant, rng, |at, value| {
        value.as_array().is_some_and(|l| !l.is_empty())
            && is_container(base, at, Type::Array)
            && base
                .kind(&format!("{at}/0"))
                .is_some_and(|(kind, _)| kind != Type::String)
    })?;
    let text = value_of(base, &at)?.to_string();
    drifted(base, mutant, &at, &json!(text), Class::One)
}

fn object_stringified(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = place(base, mutant, rng, |at, value| {
        value.as_object().is_some_and(|o| !o.is_empty()) && is_container(base, at, Type::Object)
    })?;
    let value = value_of(base, &at)?;
    let text = if rng.below(2) == 0 {
        value.to_string()
    } else {
        serde_json::to_string_pretty(&value).ok()?
    };
    drifted(base, mutant, &at, &json!(text), Class::One)
}

fn python_stringified(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = place(base, mutant, rng, |at, value| {
        (value.as_array().is_some_and(|l| !l.is_empty())
            && is_container(base, at, Type::Array)
            && base
                .kind(&format!("{at}/0"))
                .is_some_and(|(kind, _)| kind != Type::String))
            || (value.as_object().is_some_and(|o| !o.is_empty())
                && is_container(base, at, Type::Object))
    })?;
    let value = value_of(base, &at)?;
    let strings = super::base::strings(&value);
    if strings
        .iter()
        .any(|text| text.contains(['\'', '"', '\\']) || text.chars().any(char::is_control))
    {
        return None;
    }
    drifted(base, mutant, &at, &json!(python(&value)), Class::One)
}

/// Spells a value as Python does, if no string of it needs an escape.
pub(crate) fn python(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::String(text) => format!("'{text}'"),
        Value::Array(items) => format!(
            "[{}]",
            items.iter().map(python).collect::<Vec<_>>().join(", ")
        ),
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(key, value)| format!("'{key}': {}", python(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

fn stringified_twice(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = place(base, mutant, rng, |at, value| {
        value.as_object().is_some_and(|o| !o.is_empty()) && is_container(base, at, Type::Object)
    })?;
    let text = json!(value_of(base, &at)?.to_string()).to_string();
    drifted(base, mutant, &at, &json!(text), Class::Soft)
}

fn number_as_string(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = place(base, mutant, rng, |at, value| {
        let integer = value.is_i64() || value.is_u64();
        (integer && (base.takes_only(at, Type::Integer) || base.takes_only(at, Type::Number)))
            || (value.is_f64() && base.takes_only(at, Type::Number))
    })?;
    let value = value_of(base, &at)?;
    let text = value.to_string();
    // An exponent or a fraction of zero is not how a person would spell it.
    let class = if text.contains(['e', 'E']) || text.ends_with(".0") {
        Class::Soft
    } else {
        Class::One
    };
    drifted(base, mutant, &at, &json!(text), class)
}

fn boolean_as_string(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = place(base, mutant, rng, |at, value| {
        value.is_boolean() && base.takes_only(at, Type::Boolean)
    })?;
    let text = match (value_of(base, &at)? == json!(true), rng.below(2)) {
        (true, 0) => "true",
        (true, _) => "True",
        (false, 0) => "false",
        (false, _) => "False",
    };
    drifted(base, mutant, &at, &json!(text), Class::One)
}

fn objects_stringified(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = place(base, mutant, rng, |at, value| {
        base.takes_only(at, Type::Array)
            && base.takes_only(&format!("{at}/0"), Type::Object)
            && value.as_array().is_some_and(|l| {
                !l.is_empty()
                    && l.iter()
                        .all(|o| o.as_object().is_some_and(|o| !o.is_empty()))
            })
    })?;
    let items = value_of(base, &at)?;
    let items: Vec<Value> = items
        .as_array()?
        .iter()
        .map(|item| json!(item.to_string()))
        .collect();
    drifted(base, mutant, &at, &Value::Array(items), Class::One)
}

fn nothing_for_optional(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let keys = base.keys(&base.args, |at, _| {
        base.is_plain()
            && base
                .kind(at)
                .is_some_and(|(kind, nullable)| !nullable && kind != Type::Array)
    });
    let keys: Vec<String> = keys.into_iter().filter(|key| !base.requires(key)).collect();
    let key = rng.pick(&keys)?.clone();
    let at = callmend_stage::pointer::to(&key);
    let (kind, _) = base.kind(&at)?;
    let sent = match (kind, rng.below(3)) {
        (Type::String, _) | (_, 0) => Value::Null,
        (_, 1) => json!(""),
        _ => json!("null"),
    };
    mutant.touch(&key);
    mutant.meant = without(&mutant.meant, &key);
    if !base.prepared.accepts(&Value::Object(mutant.meant.clone())) {
        return None;
    }
    drifted(base, mutant, &at, &sent, Class::One)
}

fn null_for_required(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let keys = base.keys(&base.args, |at, _| {
        base.is_plain() && base.kind(at).is_some_and(|(_, nullable)| !nullable)
    });
    let keys: Vec<String> = keys.into_iter().filter(|key| base.requires(key)).collect();
    let key = rng.pick(&keys)?;
    refused(
        base,
        mutant,
        &callmend_stage::pointer::to(key),
        &Value::Null,
    )
}

fn yes_for_boolean(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = place(base, mutant, rng, |at, value| {
        value.is_boolean() && base.takes_only(at, Type::Boolean)
    })?;
    let sent = rng
        .pick(&[
            json!("yes"),
            json!("no"),
            json!(1),
            json!(0),
            json!("on"),
            json!("1"),
            json!("TRUE!"),
        ])?
        .clone();
    refused(base, mutant, &at, &sent)
}

fn number_for_string(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = place(base, mutant, rng, |at, value| {
        value.is_string() && base.takes_only(at, Type::String)
    })?;
    let sent = rng
        .pick(&[json!(5), json!(2.5), json!(true), json!(-1)])?
        .clone();
    refused(base, mutant, &at, &sent)
}

fn fraction_for_integer(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = place(base, mutant, rng, |at, value| {
        value.is_number() && base.takes_only(at, Type::Integer)
    })?;
    let sent = rng
        .pick(&[
            json!(5.5),
            json!("5.0"),
            json!("5.5"),
            json!("1e3"),
            json!("0x10"),
            json!("1_000"),
            json!("1,000"),
            json!("123456789012345678901234567890"),
            json!("--5"),
        ])?
        .clone();
    refused(base, mutant, &at, &sent)
}

fn word_for_number(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = place(base, mutant, rng, |at, value| {
        value.is_number()
            && (base.takes_only(at, Type::Integer) || base.takes_only(at, Type::Number))
    })?;
    let sent = rng
        .pick(&[
            json!("five"),
            json!("5 items"),
            json!("about 5"),
            json!("5%"),
            json!("$5"),
            json!("NaN"),
            json!("Infinity"),
            json!("05"),
            json!("1e400"),
            json!("5 6"),
        ])?
        .clone();
    refused(base, mutant, &at, &sent)
}

fn container_for_string(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = place(base, mutant, rng, |at, value| {
        value.is_string() && base.takes_only(at, Type::String)
    })?;
    let sent = rng
        .pick(&[
            json!(["a", "b"]),
            json!({"a": 1}),
            json!(["one"]),
            json!([]),
        ])?
        .clone();
    refused(base, mutant, &at, &sent)
}

fn string_for_object(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = place(base, mutant, rng, |at, value| {
        value.is_object() && base.takes_only(at, Type::Object)
    })?;
    let sent = rng
        .pick(&[
            json!("the usual one"),
            json!("[1, 2]"),
            json!("a: 1"),
            json!("{not json"),
        ])?
        .clone();
    refused(base, mutant, &at, &sent)
}

fn blob_cut_off(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = place(base, mutant, rng, |at, value| {
        value.as_object().is_some_and(|o| !o.is_empty()) && is_container(base, at, Type::Object)
    })?;
    let text = value_of(base, &at)?.to_string();
    let cut = 1 + rng.below(text.len() - 1);
    let cut = (1..=cut).rev().find(|cut| text.is_char_boundary(*cut))?;
    let sent = json!(text.get(..cut)?);
    refused(base, mutant, &at, &sent)
}

fn blob_with_duplicates(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = place(base, mutant, rng, |at, value| {
        value.as_object().is_some_and(|o| !o.is_empty()) && is_container(base, at, Type::Object)
    })?;
    let value = value_of(base, &at)?;
    let (key, member) = value.as_object()?.iter().next()?;
    let other = match member {
        Value::String(text) => json!(format!("{text}2")),
        Value::Number(_) => json!(987_654),
        Value::Bool(b) => json!(!b),
        _ => return None,
    };
    let text = value.to_string();
    let body = text.strip_suffix('}')?;
    let sent = json!(format!("{body},{}:{other}}}", json!(key)));
    refused(base, mutant, &at, &sent)
}

fn not_in_enum(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = place(base, mutant, rng, |at, value| {
        value.is_string()
            && base.slot(at).is_some_and(|slot| slot.get("enum").is_some())
            && base.takes_only(at, Type::String)
    })?;
    let own = value_of(base, &at)?;
    let own = own.as_str()?;
    let sent = rng
        .pick(&[
            json!("something else"),
            json!(format!("{own}s")),
            json!(own.to_uppercase()),
            json!(format!(" {own}")),
        ])?
        .clone();
    refused(base, mutant, &at, &sent)
}

fn out_of_bounds(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = place(base, mutant, rng, |at, value| {
        base.slot(at).is_some_and(|slot| {
            (value.is_number() && (slot.get("minimum").is_some() || slot.get("maximum").is_some()))
                || (value.is_string()
                    && (slot.get("minLength").is_some() || slot.get("pattern").is_some()))
        })
    })?;
    let slot = base.slot(&at)?;
    let sent = if value_of(base, &at)?.is_string() {
        json!("")
    } else if let Some(minimum) = slot.get("minimum").and_then(Value::as_i64) {
        json!(minimum - 1)
    } else {
        json!(slot.get("maximum").and_then(Value::as_i64)? + 1)
    };
    refused(base, mutant, &at, &sent)
}

/// Picks an object below the root whose schema is plain and closed or not.
fn nested_object(
    base: &Base,
    mutant: &Mutant,
    rng: &mut Rng,
    test: impl Fn(&str, &Value) -> bool,
) -> Option<String> {
    place(base, mutant, rng, |at, value| {
        value.is_object()
            && base
                .slot(at)
                .is_some_and(|slot| slot.get("properties").is_some_and(Value::is_object))
            && test(at, value)
    })
}

fn nested_unknown(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = nested_object(base, mutant, rng, |at, _| {
        base.slot(at)
            .is_some_and(|slot| slot.get("additionalProperties") == Some(&json!(false)))
    })?;
    let mut object = value_of(base, &at)?;
    object
        .as_object_mut()?
        .insert("zz_note".to_owned(), json!("because"));
    refused(base, mutant, &at, &object)
}

fn nested_missing(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let at = nested_object(base, mutant, rng, |at, _| {
        base.slot(at)
            .and_then(|slot| slot.get("required"))
            .and_then(Value::as_array)
            .is_some_and(|r| !r.is_empty())
    })?;
    let required = base.slot(&at)?.get("required")?.as_array()?.clone();
    let key = rng.pick(&required)?.as_str()?.to_owned();
    let object = value_of(base, &at)?;
    // A sibling that is not declared may read like the missing one.
    let declared = base.slot(&at)?.get("properties")?.clone();
    if object
        .as_object()?
        .keys()
        .any(|key| declared.get(key).is_none())
    {
        return None;
    }
    let sent = Value::Object(without(object.as_object()?, &key));
    refused(base, mutant, &at, &sent)
}
