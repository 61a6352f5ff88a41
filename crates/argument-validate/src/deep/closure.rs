//! Which `additionalProperties: false` counts, and where an extra key makes a difference
//! (contract, sections 8 and 10.7).
//!
//! What is said of unknown names of the root is said elsewhere; here the validator only has to let
//! a call pass that has none. For the usual schema it decides that too, with the names of the
//! harness let in, so that a call that is fine is looked at once and never copied. Branches of a
//! root union keep their closure: it decides between them.

use callmend_stage::Signature;
use serde_json::{Map, Value, json};
use std::collections::HashSet;

/// Keywords of a root that an undeclared key cannot affect.
const INDIFFERENT: &[&str] = &[
    "$comment",
    "$defs",
    "$id",
    "$schema",
    "additionalProperties",
    "default",
    "definitions",
    "deprecated",
    "description",
    "examples",
    "properties",
    "readOnly",
    "required",
    "strict",
    "title",
    "type",
    "writeOnly",
];

/// Keywords under which one schema stands.
const ONE: &[&str] = &[
    "additionalItems",
    "additionalProperties",
    "else",
    "items",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];
/// Keywords under which a list of schemas stands.
const LIST: &[&str] = &["allOf", "anyOf", "oneOf", "items", "prefixItems"];
/// Keywords under which schemas stand by name.
const NAMED: &[&str] = &[
    "$defs",
    "definitions",
    "dependentSchemas",
    "dependencies",
    "patternProperties",
    "properties",
];

/// Copies the schema of a closed tool so that the validator decides on names as well: the root is
/// closed, save for the names of the harness. `None` where an undeclared key would matter to more
/// than the closure, or where a reference to the root stands for a nested object.
pub(super) fn closed_root(schema: &Value, signature: &Signature) -> Option<Value> {
    let object = schema.as_object()?;
    let plain = matches!(
        object.get("additionalProperties"),
        None | Some(Value::Bool(_))
    );
    if !plain
        || !has_only_indifferent_keywords(object)
        || !requires_only_declared(object)
        || refers_to_root(schema)
    {
        return None;
    }
    let mut closed = object.clone();
    closed.insert("additionalProperties".to_owned(), Value::Bool(false));
    let properties = closed
        .entry("properties")
        .or_insert_with(|| json!({}))
        .as_object_mut()?;
    for name in signature.harness_names() {
        properties.insert(name.to_owned(), Value::Bool(true));
    }
    Some(Value::Object(closed))
}

/// Says whether a key that no `properties` declares changes nothing for the validator.
pub(super) fn is_indifferent(schema: &Value) -> bool {
    schema.as_object().is_some_and(|object| {
        has_only_indifferent_keywords(object)
            && matches!(
                object.get("additionalProperties"),
                None | Some(Value::Bool(true))
            )
            && requires_only_declared(object)
    })
}

fn has_only_indifferent_keywords(object: &Map<String, Value>) -> bool {
    object
        .keys()
        .all(|key| INDIFFERENT.contains(&key.as_str()) || key.starts_with("x-"))
}

fn requires_only_declared(object: &Map<String, Value>) -> bool {
    let properties = object.get("properties");
    let required = object.get("required").and_then(Value::as_array);
    required.into_iter().flatten().all(|name| {
        name.as_str()
            .is_some_and(|name| properties.is_some_and(|all| all.get(name).is_some()))
    })
}

/// Whether any reference could lead to the root.
fn refers_to_root(schema: &Value) -> bool {
    references(schema).any(|target| {
        !target
            .as_str()
            .and_then(|reference| reference.split_once('#'))
            .is_some_and(|(_, fragment)| fragment.starts_with('/'))
    })
}

/// Whether any part of a schema is referred to.
pub(super) fn has_references(schema: &Value) -> bool {
    references(schema).next().is_some()
}

/// Lists what stands under each `$ref`, and under a member of that name.
fn references(schema: &Value) -> impl Iterator<Item = &Value> {
    let mut work = vec![schema];
    std::iter::from_fn(move || {
        let value = work.pop()?;
        match value {
            Value::Object(object) => work.extend(object.values()),
            Value::Array(items) => work.extend(items),
            _ => {}
        }
        Some(value)
    })
    .filter_map(Value::as_object)
    .flat_map(|object| {
        let keywords = ["$ref", "$dynamicRef", "$recursiveRef"];
        keywords
            .into_iter()
            .filter_map(|keyword| object.get(keyword))
    })
}

/// Copies a schema with every `additionalProperties: false` taken out.
///
/// What the original accepts, the copy accepts: a `oneOf` whose alternatives were told apart by
/// closure becomes an `anyOf`, and `not`, `if` and `contains`, where opening a schema would shut
/// the whole, keep theirs.
pub(super) fn opened(schema: &Value) -> Value {
    open(schema).0
}

/// Opens one schema; says whether anything was taken out. Tools bound how deep a schema goes.
fn open(schema: &Value) -> (Value, bool) {
    let Value::Object(object) = schema else {
        return (schema.clone(), false);
    };
    let mut changed = false;
    let mut either = None;
    let mut out = Map::new();
    for (key, value) in object {
        let name = key.as_str();
        if matches!(name, "additionalProperties" | "unevaluatedProperties")
            && value == &Value::Bool(false)
        {
            changed = true;
            continue;
        }
        let (value, opened) = match value {
            Value::Object(members) if NAMED.contains(&name) => open_named(members),
            Value::Array(items) if LIST.contains(&name) => open_list(items),
            Value::Object(_) if ONE.contains(&name) => open(value),
            _ => (value.clone(), false),
        };
        changed |= opened;
        if name == "oneOf" && opened {
            either = Some(value);
        } else {
            out.insert(key.clone(), value);
        }
    }
    if let Some(either) = either {
        // An `anyOf` may stand there already; both must hold.
        let all = out.entry("allOf").or_insert_with(|| json!([]));
        if let Value::Array(all) = all {
            all.push(json!({ "anyOf": either }));
        }
    }
    (Value::Object(out), changed)
}

fn open_named(members: &Map<String, Value>) -> (Value, bool) {
    let mut changed = false;
    let members = members.iter().map(|(name, schema)| {
        let (schema, opened) = open(schema);
        changed |= opened;
        (name.clone(), schema)
    });
    (Value::Object(members.collect()), changed)
}

fn open_list(items: &[Value]) -> (Value, bool) {
    let mut changed = false;
    let items = items.iter().map(|schema| {
        let (schema, opened) = open(schema);
        changed |= opened;
        schema
    });
    (Value::Array(items.collect()), changed)
}

/// Lists the names that the root declares whatever branch of a union is taken: its own, and
/// those of its `allOf` and `$ref`.
pub(super) fn declared_outside_branches(root: &Value) -> HashSet<String> {
    let mut names = HashSet::new();
    if root.as_object().is_some_and(has_only_indifferent_keywords) {
        // Its closure is not the validator's to judge, and no branch has one.
        return names;
    }
    let mut seen = HashSet::new();
    let mut work = vec![root];
    while let Some(schema) = work.pop() {
        if !seen.insert(std::ptr::from_ref(schema)) {
            continue;
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        names.extend(properties.into_iter().flat_map(Map::keys).cloned());
        let parts = schema.get("allOf").and_then(Value::as_array);
        work.extend(parts.into_iter().flatten());
        let reference = schema.get("$ref").and_then(Value::as_str);
        work.extend(reference.and_then(|reference| root.pointer(reference.strip_prefix('#')?)));
    }
    names
}
