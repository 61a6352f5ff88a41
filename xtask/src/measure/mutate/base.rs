//! A call that is right as it is, and what its raw schema says for certain.
//!
//! An operator's label must be right by the contract, so it is worked out from the call and the
//! schema here, without asking the pipeline; where the schema is not plain enough to be certain,
//! there is no label and the operator passes the call over.

use super::super::item::Prepared;
use serde_json::{Map, Value};
use std::rc::Rc;

/// A call to mutate.
pub(crate) struct Base {
    pub(crate) id: String,
    pub(crate) tool: String,
    pub(crate) schema: Value,
    pub(crate) args: Map<String, Value>,
    pub(crate) prepared: Rc<Prepared>,
}

/// The one type that a plain slot takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    String,
    Integer,
    Number,
    Boolean,
    Object,
    Array,
}

/// The words that make a schema more than plain.
const UNIONS: [&str; 10] = [
    "$ref",
    "anyOf",
    "oneOf",
    "allOf",
    "not",
    "if",
    "const",
    "$dynamicRef",
    "dependentRequired",
    "dependentSchemas",
];

impl Base {
    /// Whether the root of the schema is plain: an object with `properties`, no union.
    pub(crate) fn is_plain(&self) -> bool {
        UNIONS.iter().all(|word| self.schema.get(word).is_none())
            && [
                "patternProperties",
                "propertyNames",
                "unevaluatedProperties",
                "minProperties",
                "maxProperties",
            ]
            .iter()
            .all(|word| self.schema.get(word).is_none())
            && self.schema.get("properties").is_some_and(Value::is_object)
            && !self
                .schema
                .get("additionalProperties")
                .is_some_and(Value::is_object)
    }

    /// Whether a plain root refuses undeclared names.
    pub(crate) fn is_closed(&self) -> bool {
        self.schema.get("additionalProperties") == Some(&Value::Bool(false))
    }

    /// Lists the declared names of a plain root.
    pub(crate) fn declared(&self) -> Vec<&str> {
        let properties = self.schema.get("properties").and_then(Value::as_object);
        properties
            .into_iter()
            .flatten()
            .map(|(name, _)| name.as_str())
            .collect()
    }

    pub(crate) fn declares(&self, name: &str) -> bool {
        self.schema
            .get("properties")
            .is_some_and(|p| p.get(name).is_some())
    }

    pub(crate) fn requires(&self, name: &str) -> bool {
        let required = self.schema.get("required").and_then(Value::as_array);
        required.into_iter().flatten().any(|other| other == name)
    }

    pub(crate) fn requires_nothing(&self) -> bool {
        let required = self.schema.get("required").and_then(Value::as_array);
        required.is_none_or(Vec::is_empty)
    }

    /// Whether the root is plain and every key that is sent is declared.
    pub(crate) fn all_declared(&self) -> bool {
        self.is_plain() && !self.args.is_empty() && self.args.keys().all(|key| self.declares(key))
    }

    /// Whether an undeclared or misspelled name can only be taken as sent: no declared name reads
    /// like it, and no alias of any cascade is spelled like it.
    pub(crate) fn is_free_name(&self, name: &str) -> bool {
        let form = normal(name);
        !form.is_empty()
            && !name.starts_with("__")
            && name != "i"
            && !self
                .declared()
                .iter()
                .any(|declared| normal(declared) == form)
            && !GROUPS.iter().any(|group| group.contains(&form.as_str()))
    }

    /// Returns the schema of the place, if only plain schemas stand on the way.
    pub(crate) fn slot(&self, pointer: &str) -> Option<&Value> {
        let mut schema = self.plain(&self.schema)?;
        for token in callmend_stage::pointer::tokens(pointer) {
            let next = if schema.get("type").and_then(Value::as_str) == Some("array") {
                if schema.get("prefixItems").is_some() {
                    return None;
                }
                schema.get("items")?
            } else {
                if schema.get("patternProperties").is_some() {
                    return None;
                }
                match schema.get("properties").and_then(|p| p.get(token.as_ref())) {
                    Some(property) => property,
                    None => schema
                        .get("additionalProperties")
                        .filter(|s| s.is_object())?,
                }
            };
            schema = self.plain(next)?;
        }
        Some(schema)
    }

    fn plain<'s>(&'s self, schema: &'s Value) -> Option<&'s Value> {
        let schema = match schema.get("$ref").and_then(Value::as_str) {
            Some(reference) if schema.as_object().is_some_and(|s| s.len() == 1) => {
                self.schema.pointer(reference.strip_prefix('#')?)?
            }
            _ => schema,
        };
        UNIONS
            .iter()
            .all(|word| schema.get(word).is_none())
            .then_some(schema)
    }

    /// Returns the one type that the place takes, and whether it takes `null` beside.
    pub(crate) fn kind(&self, pointer: &str) -> Option<(Type, bool)> {
        let slot = self.slot(pointer)?;
        let names: Vec<&str> = match slot.get("type")? {
            Value::String(name) => vec![name],
            Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
            _ => return None,
        };
        let nullable = names.contains(&"null") || slot.get("nullable") == Some(&Value::Bool(true));
        let mut names = names.into_iter().filter(|name| *name != "null");
        let kind = match names.next()? {
            "string" => Type::String,
            "integer" => Type::Integer,
            "number" => Type::Number,
            "boolean" => Type::Boolean,
            "object" => Type::Object,
            "array" => Type::Array,
            _ => return None,
        };
        names.next().is_none().then_some((kind, nullable))
    }

    /// Whether the place takes just this type, and not `null`.
    pub(crate) fn takes_only(&self, pointer: &str, kind: Type) -> bool {
        self.kind(pointer) == Some((kind, false))
    }

    /// Whether the place takes any string at all.
    pub(crate) fn takes_any_string(&self, pointer: &str) -> bool {
        const LIMITS: [&str; 7] = [
            "enum",
            "pattern",
            "format",
            "minLength",
            "maxLength",
            "contentEncoding",
            "contentMediaType",
        ];
        self.kind(pointer)
            .is_some_and(|(kind, _)| kind == Type::String)
            && self
                .slot(pointer)
                .is_some_and(|slot| LIMITS.iter().all(|word| slot.get(word).is_none()))
    }

    /// Whether the place is a list of any strings.
    pub(crate) fn is_string_list(&self, pointer: &str) -> bool {
        self.takes_only(pointer, Type::Array)
            && self.kind(&format!("{pointer}/0")) == Some((Type::String, false))
    }

    /// Lists the top-level arguments that were sent, are declared, and pass a test.
    pub(crate) fn keys(
        &self,
        args: &Map<String, Value>,
        test: impl Fn(&str, &Value) -> bool,
    ) -> Vec<String> {
        let found = args.iter().filter(|(key, value)| {
            self.declares(key) && test(&callmend_stage::pointer::to(key), value)
        });
        found.map(|(key, _)| key.clone()).collect()
    }

    /// Lists the places below the top level that pass a test.
    pub(crate) fn places(&self, test: impl Fn(&str, &Value) -> bool) -> Vec<String> {
        let mut found = Vec::new();
        let mut work: Vec<(String, &Value)> = self
            .args
            .iter()
            .map(|(key, value)| (callmend_stage::pointer::to(key), value))
            .collect();
        while let Some((at, value)) = work.pop() {
            if test(&at, value) {
                found.push(at.clone());
            }
            match value {
                Value::Object(members) => {
                    for (key, member) in members {
                        work.push((format!("{at}{}", callmend_stage::pointer::to(key)), member));
                    }
                }
                Value::Array(items) => {
                    for (index, item) in items.iter().enumerate() {
                        work.push((format!("{at}/{index}"), item));
                    }
                }
                _ => {}
            }
        }
        found.sort();
        found
    }

    /// Whether no string of the call holds any of these.
    pub(crate) fn no_string_holds(&self, any: &[&str]) -> bool {
        let text = strings(&Value::Object(self.args.clone()));
        !text
            .iter()
            .any(|text| any.iter().any(|bad| text.contains(bad)))
    }
}

/// Lists every string and key of a value.
pub(crate) fn strings(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut work = vec![value];
    while let Some(value) = work.pop() {
        match value {
            Value::String(text) => found.push(text.clone()),
            Value::Object(members) => {
                found.extend(members.keys().cloned());
                work.extend(members.values());
            }
            Value::Array(items) => work.extend(items),
            _ => {}
        }
    }
    found
}

/// A name without case and separators (contract, section 6).
pub(crate) fn normal(name: &str) -> String {
    let kept = name
        .chars()
        .filter(|c| !matches!(c, '_' | '-' | '.' | '/' | ' '));
    kept.collect::<String>().to_lowercase()
}

/// The aliases that both cascades know: what is sent, and what it stands for.
pub(crate) const ALIASES: [(&str, &str); 14] = [
    ("filepath", "path"),
    ("file", "path"),
    ("filename", "path"),
    ("targetfile", "path"),
    ("contents", "content"),
    ("text", "content"),
    ("body", "content"),
    ("isrecursive", "recursive"),
    ("recurse", "recursive"),
    ("dir", "directory"),
    ("folder", "directory"),
    ("q", "query"),
    ("searchquery", "query"),
    ("operation", "op"),
];

/// The groups of the extended cascade, `action` included.
pub(crate) const GROUPS: [&[&str]; 6] = [
    &["path", "filepath", "targetfile", "file", "filename"],
    &["content", "contents", "text", "body"],
    &["recursive", "isrecursive", "recurse"],
    &["directory", "dir", "folder"],
    &["query", "q", "searchquery"],
    &["op", "operation", "action"],
];

/// The members of a group that are never targets.
pub(crate) const NEVER_TARGETS: [&str; 5] = ["file", "filename", "text", "body", "action"];
