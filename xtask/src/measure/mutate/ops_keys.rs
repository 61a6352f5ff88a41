//! Operators on the names of arguments: aliases, near misses, unknown names, envelopes.

use super::Op;
use super::base::{ALIASES, Base, GROUPS, NEVER_TARGETS, normal};
use super::mutant::{Class, Classes, Mutant, both, extended, renamed};
use super::uses::{KEYS, VALUES};
use crate::measure::rng::Rng;
use serde_json::{Map, Value, json};

/// Lists the operators.
pub(crate) fn ops() -> Vec<Op> {
    vec![
        Op::value("alias: another case or separator", KEYS, normalized),
        Op::value("alias: a common one", KEYS, common),
        Op::value("alias: the other way round", KEYS, other_way_round),
        Op::value("alias: nested", KEYS, nested),
        Op::value("alias: beside its target", KEYS, beside_its_target),
        Op::value("alias: two for one argument", KEYS, two_for_one),
        Op::value("key: one letter off", KEYS, one_letter_off),
        Op::value("key: unknown", KEYS, unknown),
        Op::value("key: harness-owned", KEYS, harness_owned),
        Op::value("key: required one missing", KEYS, required_missing),
        Op::value("envelope", KEYS, envelope),
        Op::value("envelope: stringified", KEYS, envelope_stringified),
        Op::value("envelope: with the tool's name", KEYS, envelope_named),
        Op::value("envelope: another tool's name", KEYS, envelope_of_another),
        Op::value(
            "envelope: beside an argument",
            KEYS | VALUES,
            envelope_beside,
        ),
        Op::value("envelope: undeclared inside", KEYS, envelope_undeclared),
    ]
}

/// Whether exactly one declared name reads like `name`, and no alias leads elsewhere.
fn reads_as(base: &Base, name: &str, target: &str) -> Option<Classes> {
    let form = normal(name);
    if form.is_empty() || base.declares(name) || name.starts_with("__") || name == "i" {
        return None;
    }
    let like: Vec<&str> = base
        .declared()
        .into_iter()
        .filter(|own| normal(own) == form)
        .collect();
    if like != [target] {
        return None;
    }
    // In the standard cascade a common alias is a candidate of its own beside it.
    let rivals = ALIASES
        .iter()
        .any(|(from, to)| *from == form && *to != target && base.declares(to));
    Some(if rivals {
        extended(Class::Soft)
    } else {
        both(Class::One)
    })
}

fn spellings(name: &str, rng: &mut Rng) -> String {
    let words: Vec<String> = words(name);
    let capital = |word: &String| {
        let mut letters = word.chars();
        letters
            .next()
            .map(|c| c.to_uppercase().collect::<String>())
            .unwrap_or_default()
            + letters.as_str()
    };
    match rng.below(6) {
        0 => words.join("_"),
        1 => words.join("-"),
        2 => words.iter().map(capital).collect(),
        3 => {
            let mut camel = String::new();
            for (at, word) in words.iter().enumerate() {
                camel.push_str(&if at == 0 { word.clone() } else { capital(word) });
            }
            camel
        }
        4 => name.to_uppercase(),
        _ => words.concat(),
    }
}

fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for c in name.chars() {
        let separator = matches!(c, '_' | '-' | '.' | '/' | ' ');
        if (separator || c.is_uppercase()) && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if !separator && let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words
}

fn normalized(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let keys = base.keys(&mutant.args, |_, _| base.is_plain());
    let key = rng.pick(&keys)?;
    let sent = spellings(key, rng);
    // A name with letters outside ASCII may change its length in another case.
    if !key.is_ascii()
        || mutant
            .args
            .keys()
            .any(|other| other != key && normal(other) == normal(key))
    {
        return None;
    }
    let classes = reads_as(base, &sent, key)?;
    mutant.rename(key, &sent)?;
    Some(classes)
}

fn common(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let keys = base.keys(&mutant.args, |_, _| base.is_plain());
    let fits: Vec<(&str, &str)> = ALIASES
        .into_iter()
        .filter(|(_, to)| keys.iter().any(|key| key == to))
        .collect();
    let (form, target) = *rng.pick(&fits)?;
    let sent = match (form, rng.below(2)) {
        ("filepath", 0) => "file_path",
        ("filename", 0) => "fileName",
        ("targetfile", 0) => "target_file",
        ("isrecursive", 0) => "isRecursive",
        ("searchquery", 0) => "search_query",
        (form, _) => form,
    };
    let clash = |name: &str| name != target && normal(name) == form;
    if base.declared().iter().any(|name| clash(name)) || mutant.args.keys().any(|name| clash(name))
    {
        return None;
    }
    mutant.rename(target, sent)?;
    let group = GROUPS.iter().find(|group| group.contains(&form))?;
    let declared = base
        .declared()
        .into_iter()
        .filter(|name| group.contains(&normal(name).as_str()));
    // With a second declared member of the group the extended cascade has two readings.
    let alone = declared.count() == 1;
    Some(Classes {
        standard: Class::One,
        extended: if alone { Class::One } else { Class::Soft },
    })
}

fn other_way_round(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let keys = base.keys(&mutant.args, |_, _| base.is_plain());
    let key = rng.pick(&keys)?;
    let form = normal(key);
    let group = GROUPS.iter().find(|group| group.contains(&form.as_str()))?;
    let others: Vec<&str> = group
        .iter()
        .copied()
        .filter(|other| *other != form)
        .collect();
    let sent = *rng.pick(&others)?;
    let members = base
        .declared()
        .into_iter()
        .filter(|name| group.contains(&normal(name).as_str()));
    if members.count() != 1
        || mutant
            .args
            .keys()
            .any(|other| other != key && group.contains(&normal(other).as_str()))
    {
        return None;
    }
    if ALIASES.contains(&(sent, key.as_str())) {
        return None;
    }
    mutant.rename(key, sent)?;
    mutant.reads = renamed(&mutant.reads, key, sent)?;
    if NEVER_TARGETS.contains(&form.as_str()) {
        // Then nothing reads like it.
        let refused = base.is_closed() || base.requires(key);
        if refused {
            return Some(both(Class::Refuse));
        }
        mutant.meant = renamed(&mutant.meant, key, sent)?;
        return Some(both(Class::Untouched));
    }
    Some(extended(Class::One))
}

fn nested(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let places = base.places(|at, value| {
        at.matches('/').count() > 1
            && at
                .rsplit('/')
                .next()
                .is_some_and(|last| last.parse::<usize>().is_err())
            && !value.is_null()
    });
    let at = rng.pick(&places)?;
    let (holder, key) = callmend_stage::pointer::split_last(at)?;
    let slot = base.slot(holder)?;
    let declared = slot.get("properties")?.as_object()?;
    if slot.get("patternProperties").is_some()
        || slot
            .get("additionalProperties")
            .is_some_and(Value::is_object)
    {
        return None;
    }
    let sent = spellings(&key, rng);
    let like: Vec<&String> = declared
        .keys()
        .filter(|own| normal(own) == normal(&sent))
        .collect();
    if !key.is_ascii()
        || like != [key.as_ref()]
        || declared.contains_key(&sent)
        || normal(&sent).is_empty()
        || sent.starts_with("__")
        || sent == "i"
    {
        return None;
    }
    let top = callmend_stage::pointer::tokens(at).next()?.into_owned();
    mutant.touch(&top);
    for map in [&mut mutant.args, &mut mutant.reads] {
        let mut whole = Value::Object(std::mem::take(map));
        let changed = whole.pointer_mut(holder).and_then(|holder| {
            let object = holder.as_object()?;
            *holder = Value::Object(renamed(object, &key, &sent)?);
            Some(())
        });
        if let Value::Object(members) = whole {
            *map = members;
        }
        changed?;
    }
    Some(extended(Class::One))
}

fn beside_its_target(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let keys = base.keys(&mutant.args, |_, _| base.is_plain());
    let key = rng.pick(&keys)?.clone();
    let sent = spellings(&key, rng);
    if !key.is_ascii() {
        return None;
    }
    reads_as(base, &sent, &key)?;
    mutant.touch(&key);
    let value = match mutant.args.get(&key)? {
        Value::String(text) => json!(format!("{text}2")),
        other => other.clone(),
    };
    mutant.add(&sent, &value)?;
    Some(both(Class::Refuse))
}

fn two_for_one(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let keys = base.keys(&mutant.args, |_, _| base.is_plain());
    let key = rng.pick(&keys)?.clone();
    let (one, other) = (spellings(&key, rng), spellings(&key, rng));
    if one == other || !key.is_ascii() {
        return None;
    }
    reads_as(base, &one, &key)?;
    reads_as(base, &other, &key)?;
    let value = mutant.leave_out(&key)?;
    mutant.add_sent(&one, &value)?;
    mutant.add_sent(&other, &value)?;
    Some(both(Class::Refuse))
}

fn one_letter_off(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let keys = base.keys(&mutant.args, |_, _| base.is_plain());
    let key = rng.pick(&keys)?.clone();
    if key.len() < 4 || !key.is_ascii() {
        return None;
    }
    let sent = match rng.below(3) {
        0 => format!("{key}s"),
        1 => key.get(..key.len() - 1)?.to_owned(),
        _ => format!("{}x{}", key.get(..2)?, key.get(2..)?),
    };
    if base.declares(&sent) || !base.is_free_name(&sent) {
        return None;
    }
    mutant.rename(&key, &sent)?;
    mutant.reads = renamed(&mutant.reads, &key, &sent)?;
    if base.is_closed() || base.requires(&key) {
        return Some(both(Class::Refuse));
    }
    mutant.meant = renamed(&mutant.meant, &key, &sent)?;
    Some(both(Class::Untouched))
}

fn unknown(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let names = [
        "zz_note",
        "explanation",
        "Reasoning",
        "confidence",
        "extra1",
    ];
    let name = *rng.pick(&names)?;
    if !base.is_plain() || !base.is_free_name(name) || base.declares(name) {
        return None;
    }
    let value = if rng.below(2) == 0 {
        json!("because it helps")
    } else {
        json!(7)
    };
    mutant.add(name, &value)?;
    Some(both(if base.is_closed() {
        Class::Refuse
    } else {
        Class::Untouched
    }))
}

fn harness_owned(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let name = *rng.pick(&["i", "__trace", "__parent_id"])?;
    if !base.is_plain()
        || base.declares(name)
        || base
            .declared()
            .iter()
            .any(|own| normal(own) == normal(name))
    {
        return None;
    }
    mutant.add(name, &json!("look the file up"))?;
    Some(both(Class::Untouched))
}

fn required_missing(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let keys = base.keys(&mutant.args, |_, _| base.is_plain());
    let keys: Vec<String> = keys.into_iter().filter(|key| base.requires(key)).collect();
    let key = rng.pick(&keys)?;
    // An undeclared argument that reads like it would be taken for it.
    if mutant.args.keys().any(|other| !base.declares(other)) {
        return None;
    }
    mutant.leave_out(key)?;
    Some(both(Class::Refuse))
}

const ENVELOPES: [&str; 7] = [
    "arguments",
    "args",
    "input",
    "parameters",
    "params",
    "payload",
    "$PARAMETER_NAME",
];

/// Picks an envelope's name that the tool gives no other meaning.
fn envelope_name(base: &Base, rng: &mut Rng) -> Option<&'static str> {
    let name = *rng.pick(&ENVELOPES)?;
    (base.all_declared() && base.is_free_name(name) && base.is_free_name("name")).then_some(name)
}

fn wrap(mutant: &mut Mutant, wrapped: Map<String, Value>) {
    mutant.args = wrapped.clone();
    mutant.reads = wrapped;
}

fn object(members: impl IntoIterator<Item = (&'static str, Value)>) -> Map<String, Value> {
    members
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}

fn envelope(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let name = envelope_name(base, rng)?;
    let inner = Value::Object(mutant.args.clone());
    wrap(mutant, object([(name, inner)]));
    Some(extended(Class::One))
}

fn envelope_stringified(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let name = envelope_name(base, rng)?;
    let inner = Value::Object(mutant.args.clone()).to_string();
    wrap(mutant, object([(name, Value::String(inner))]));
    Some(extended(Class::One))
}

fn envelope_named(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    envelope_name(base, rng)?;
    if !base.is_free_name("arguments") {
        return None;
    }
    let inner = Value::Object(mutant.args.clone());
    wrap(
        mutant,
        object([("name", json!(base.tool)), ("arguments", inner)]),
    );
    Some(extended(Class::One))
}

fn envelope_of_another(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    envelope_name(base, rng)?;
    if !base.is_free_name("arguments") {
        return None;
    }
    let inner = Value::Object(mutant.args.clone());
    wrap(
        mutant,
        object([("name", json!("quite_another_tool")), ("arguments", inner)]),
    );
    Some(extended(Class::Refuse))
}

fn envelope_beside(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let name = envelope_name(base, rng)?;
    let keys: Vec<String> = mutant.args.keys().cloned().collect();
    let key = rng.pick(&keys)?;
    if !base.is_closed() || keys.len() < 2 {
        return None;
    }
    let mut inner = mutant.args.clone();
    let value = inner.remove(key)?;
    let mut outer = object([(name, Value::Object(inner))]);
    outer.insert(key.clone(), value);
    wrap(mutant, outer);
    Some(both(Class::Refuse))
}

fn envelope_undeclared(base: &Base, mutant: &mut Mutant, rng: &mut Rng) -> Option<Classes> {
    let name = envelope_name(base, rng)?;
    if !base.is_closed() || !base.is_free_name("zz_note") {
        return None;
    }
    let mut inner = mutant.args.clone();
    inner.insert("zz_note".to_owned(), json!("because"));
    wrap(mutant, object([(name, Value::Object(inner))]));
    Some(both(Class::Refuse))
}
