//! What a tool's schema declares, compiled once (contract, section 2).

use crate::compile;
use crate::phrase::phrase;
use crate::schema::{Nodes, Slot};
use crate::tool::{Closure, SchemaError};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// What a tool takes: its declared arguments, the required ones, and whether others are refused.
#[derive(Debug)]
pub struct Signature {
    nodes: Nodes,
    closed: bool,
    synthesized: bool,
    harness: Vec<String>,
    tail: String,
    /// The phrase of each declared argument.
    phrases: HashMap<String, String>,
}

impl Signature {
    pub(crate) fn compile(
        tool: &str,
        schema: &Value,
        closure: Closure,
        harness: Vec<String>,
    ) -> Result<Self, SchemaError> {
        let nodes = compile::compile(schema)?;
        let mut signature = Self {
            nodes,
            closed: false,
            synthesized: closure == Closure::Synthesized,
            harness,
            tail: String::new(),
            phrases: HashMap::new(),
        };
        let root = signature.root();
        let closed = match closure {
            Closure::Authored => root.is_closed(),
            Closure::Synthesized => false,
            Closure::Closed => true,
        };
        let tail = crate::message::tail(
            tool,
            root.properties()
                .map(|(name, _)| (name, root.requires(name))),
        );
        let phrases = declared_schemas(schema)
            .into_iter()
            .map(|(name, slot)| (name.to_owned(), phrase(slot, schema)))
            .collect();
        signature.closed = closed;
        signature.tail = tail;
        signature.phrases = phrases;
        Ok(signature)
    }

    /// Returns the slot of the arguments themselves.
    pub fn root(&self) -> Slot<'_> {
        self.nodes.root()
    }

    /// Says whether an argument is declared.
    pub fn is_declared(&self, name: &str) -> bool {
        self.root().declares(name)
    }

    /// Returns the slot of a declared argument.
    pub fn declared(&self, name: &str) -> Option<Slot<'_>> {
        let root = self.root();
        if root.declares(name) {
            root.property(name)
        } else {
            None
        }
    }

    /// Lists the declared names in bytewise order.
    pub fn declared_names(&self) -> impl Iterator<Item = &str> {
        self.root().properties().map(|(name, _)| name)
    }

    /// Lists the required names in bytewise order.
    pub fn required_names(&self) -> impl Iterator<Item = &str> {
        self.root().required()
    }

    /// Says whether the host owns a name: it is never unknown, never renamed, never a donor,
    /// never validated. A name that the tool declares is the tool's.
    pub fn is_harness(&self, name: &str) -> bool {
        (name.starts_with("__") || self.is_configured_harness(name)) && !self.is_declared(name)
    }

    /// Says whether the host owns a name that a markup split may target: `i`, say, but none that
    /// begins with `__`.
    pub fn is_harness_target(&self, name: &str) -> bool {
        self.is_configured_harness(name) && !name.starts_with("__") && !self.is_declared(name)
    }

    /// Lists the names that the host owns by configuration (`i`, say), those that the tool declares
    /// left out; every name that begins with `__` is the host's besides.
    pub fn harness_names(&self) -> impl Iterator<Item = &str> {
        let names = self.harness.iter().map(String::as_str);
        names.filter(|name| !self.is_declared(name))
    }

    fn is_configured_harness(&self, name: &str) -> bool {
        self.harness.iter().any(|own| own == name)
    }

    /// Says whether a name is neither declared nor harness-owned.
    pub fn is_unknown(&self, name: &str) -> bool {
        !self.is_declared(name) && !self.is_harness(name)
    }

    /// Says whether unknown names are refused (contract, section 8). Under `patternProperties`
    /// no list of names decides, and the schema does.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Says whether a converter closed the schema, so that no `additionalProperties: false` of
    /// it counts, at any depth.
    pub fn is_synthesized(&self) -> bool {
        self.synthesized
    }

    /// Says whether every key is declared and there is at least one; harness-owned keys do not
    /// count either way.
    pub fn keys_all_declared(&self, object: &Map<String, Value>) -> bool {
        let root = self.root();
        let mut declared = 0_usize;
        for key in object.keys() {
            if root.declares(key) {
                declared += 1;
            } else if !self.is_harness(key) {
                return false;
            }
        }
        declared > 0
    }

    /// Returns the tail of every message: `find takes limit?, query` (contract, section 10.1).
    pub fn tail(&self) -> &str {
        &self.tail
    }

    /// Returns what a declared argument must be, as a phrase: `an integer`.
    pub fn phrase(&self, name: &str) -> &str {
        self.phrases.get(name).map_or("valid", String::as_str)
    }
}

/// Finds the schema of each declared argument, at the root and under its `$ref`, `allOf`,
/// `anyOf` and `oneOf`; the first declaration of a name counts.
fn declared_schemas(root: &Value) -> HashMap<&str, &Value> {
    let mut found = HashMap::new();
    let mut work = std::collections::VecDeque::from([root]);
    let mut seen = std::collections::HashSet::new();
    while let Some(schema) = work.pop_front() {
        if !seen.insert(std::ptr::from_ref(schema)) {
            continue;
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, slot) in properties.into_iter().flatten() {
            found.entry(name.as_str()).or_insert(slot);
        }
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            work.extend(compile::resolve(root, reference));
        }
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let parts = schema.get(keyword).and_then(Value::as_array);
            work.extend(parts.into_iter().flatten());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::{Closure, SchemaError, Tool, Type};
    use serde_json::{Value, json};

    fn tool(schema: Value) -> Tool {
        Tool::new("t", schema).unwrap()
    }

    fn error(schema: Value) -> SchemaError {
        Tool::new("t", schema).unwrap_err().reason
    }

    #[test]
    fn a_reference_at_the_root_is_followed() {
        let tool = tool(json!({
            "$ref": "#/$defs/args",
            "$defs": {"args": {"properties": {"b": {}, "a": {}}, "required": ["b"], "additionalProperties": false}}
        }));
        assert_eq!(tool.signature().tail(), "t takes a?, b");
        assert!(tool.signature().is_closed());
    }

    #[test]
    fn all_of_is_merged() {
        let tool = tool(json!({
            "properties": {"a": {"type": ["string", "integer"]}},
            "allOf": [
                {"properties": {"a": {"type": ["integer", "null"]}, "b": {}}, "required": ["b"]},
                {"required": ["a"], "additionalProperties": false}
            ]
        }));
        assert_eq!(tool.signature().tail(), "t takes a, b");
        let a = tool.signature().declared("a").unwrap();
        assert!(a.takes(Type::Integer) && !a.takes(Type::String) && !a.takes(Type::Null));
        assert!(tool.signature().is_closed());
    }

    #[test]
    fn a_union_at_the_root_declares_what_any_branch_does_and_requires_what_all_do() {
        let branch = |key: &str, closed: bool| {
            json!({"type": "object", "properties": {key: {"type": "string"}, "x": {"type": "integer"}},
                   "required": [key, "x"], "additionalProperties": !closed})
        };
        let both = tool(json!({"oneOf": [branch("a", true), branch("b", true)]}));
        assert_eq!(both.signature().tail(), "t takes a?, b?, x");
        assert!(both.signature().is_closed());
        let one = tool(json!({"anyOf": [branch("a", true), branch("b", false)]}));
        assert!(!one.signature().is_closed());
    }

    #[test]
    fn branches_that_only_require_declare_nothing_new() {
        let tool = tool(json!({
            "type": "object",
            "properties": {"a": {}, "b": {}},
            "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
            "additionalProperties": false
        }));
        assert_eq!(tool.signature().tail(), "t takes a?, b?");
        assert!(tool.signature().is_closed());
    }

    #[test]
    fn a_recursive_schema_is_fine() {
        let tool = tool(json!({
            "properties": {"child": {"$ref": "#"}, "name": {"type": "string"}}
        }));
        let root = tool.signature().root();
        let deep = root.property("child").unwrap().property("child").unwrap();
        assert!(deep.property("name").unwrap().takes(Type::String));
    }

    #[test]
    fn a_slots_children_are_everything_directly_below_it() {
        let tool = tool(json!({
            "properties": {"self": {"$ref": "#"}, "list": {"prefixItems": [{}, {}], "items": {}}},
            "additionalProperties": {"type": "string"}
        }));
        let root = tool.signature().root();
        assert_eq!(root.children().count(), 3);
        let below = root.property("self").unwrap();
        assert!(below.children().any(|slot| slot.id() == below.id()));
        assert_eq!(root.property("list").unwrap().children().count(), 3);
    }

    #[test]
    fn a_reference_that_leads_back_without_passing_a_property_is_an_error() {
        assert!(matches!(
            error(
                json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}})
            ),
            SchemaError::Circular { .. }
        ));
        assert!(matches!(
            error(json!({"properties": {"a": {"anyOf": [{"$ref": "#/properties/a"}, {}]}}})),
            SchemaError::Circular { .. }
        ));
    }

    #[test]
    fn a_reference_that_would_have_to_be_fetched_is_an_error() {
        for reference in [
            "https://example.org/s.json",
            "#/nowhere",
            "other.json#/a",
            "#anchor",
        ] {
            assert!(matches!(
                error(json!({"properties": {"a": {"$ref": reference}}})),
                SchemaError::Unresolvable { .. }
            ));
        }
    }

    #[test]
    fn a_reference_after_the_schemas_own_id_is_local() {
        let tool = tool(json!({
            "$id": "https://example.org/s",
            "properties": {"a": {"$ref": "https://example.org/s#/$defs/n"}},
            "$defs": {"n": {"type": "integer"}}
        }));
        assert!(!tool.signature().declared("a").unwrap().takes(Type::String));
    }

    #[test]
    fn draft_7_ignores_what_stands_beside_a_reference() {
        let schema = |draft: &str| {
            json!({
                "$schema": draft,
                "properties": {"a": {"$ref": "#/definitions/n", "type": "string"}},
                "definitions": {"n": {"type": ["integer", "string"]}}
            })
        };
        let old = tool(schema("http://json-schema.org/draft-07/schema#"));
        assert!(old.signature().declared("a").unwrap().takes(Type::Integer));
        let new = tool(schema("https://json-schema.org/draft/2020-12/schema"));
        assert!(!new.signature().declared("a").unwrap().takes(Type::Integer));
    }

    #[test]
    fn hostile_schemas_end_with_a_named_limit() {
        let mut deep = json!({});
        for _ in 0..1000 {
            deep = json!({"items": deep});
        }
        assert_eq!(error(deep), SchemaError::TooDeep { limit: 128 });
        let mut defs = serde_json::Map::new();
        for n in 0..40 {
            let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
            let other = json!({"allOf": [next.clone()], "minLength": 1});
            defs.insert(format!("d{n}"), json!({"anyOf": [next, other]}));
        }
        defs.insert("d40".into(), json!({"type": "string"}));
        assert!(matches!(
            error(json!({"properties": {"a": {"$ref": "#/$defs/d0"}}, "$defs": defs})),
            SchemaError::TooComplex { .. }
        ));
    }

    #[test]
    fn the_host_decides_who_closed_the_schema() {
        let open = json!({"properties": {"a": {}}});
        let shut = json!({"properties": {"a": {}}, "additionalProperties": false});
        let closed = |schema: &Value, closure| {
            let tool = Tool::builder("t", schema.clone()).closure(closure).build();
            tool.unwrap().signature().is_closed()
        };
        assert!(!closed(&open, Closure::Authored) && closed(&shut, Closure::Authored));
        assert!(!closed(&shut, Closure::Synthesized));
        assert!(closed(&open, Closure::Closed));
    }

    #[test]
    fn pattern_properties_keep_a_schema_open_to_names_no_list_knows() {
        let tool = tool(json!({
            "properties": {"a": {}}, "patternProperties": {"^x-": {}}, "additionalProperties": false
        }));
        assert!(!tool.signature().is_closed());
    }

    #[test]
    fn the_harness_owns_what_the_tool_does_not_declare() {
        let plain = tool(json!({"properties": {"a": {}}}));
        let signature = plain.signature();
        assert!(signature.is_harness("i") && signature.is_harness("__x"));
        assert!(signature.is_harness_target("i") && !signature.is_harness_target("__x"));
        let owner = tool(json!({"properties": {"i": {}, "__x": {}}}));
        assert!(!owner.signature().is_harness("i") && !owner.signature().is_harness("__x"));
        let other = Tool::builder("t", json!({}))
            .harness_names(["trace"])
            .build()
            .unwrap();
        assert!(other.signature().is_harness("trace") && !other.signature().is_harness("i"));
    }

    #[test]
    fn keys_all_declared_needs_at_least_one_and_is_neutral_to_the_harness() {
        let tool = tool(json!({"properties": {"a": {}}}));
        let all = |value: Value| {
            tool.signature()
                .keys_all_declared(value.as_object().unwrap())
        };
        assert!(all(json!({"a": 1})) && all(json!({"a": 1, "i": 2})));
        assert!(!all(json!({})) && !all(json!({"i": 2})) && !all(json!({"a": 1, "b": 2})));
    }

    #[test]
    fn phrases_follow_the_order_of_the_contract() {
        let tool = tool(json!({"properties": {
            "e": {"enum": ["a", "b", "c"], "type": "string"},
            "n": {"type": ["null", "number"]},
            "s": {"oneOf": [{"const": "start"}, {"const": "end"},
                  {"type": "object", "required": ["before"]}, {"type": "object", "required": ["after"]}]},
            "l": {"type": "array", "items": {"$ref": "#/$defs/i"}},
            "o": {"type": "array"},
            "w": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
            "u": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "x": {}
        }, "$defs": {"i": {"type": "integer"}}}));
        let phrase = |name| tool.signature().phrase(name).to_owned();
        assert_eq!(phrase("e"), "one of a, b, c");
        assert_eq!(phrase("n"), "a number");
        assert_eq!(phrase("s"), r#""start", "end", {before} or {after}"#);
        assert_eq!(phrase("l"), "an array of integers");
        assert_eq!(phrase("o"), "an array of objects");
        assert_eq!(phrase("w"), "an array of strings");
        assert_eq!(phrase("u"), "a string");
        assert_eq!(phrase("x"), "valid");
    }
}
