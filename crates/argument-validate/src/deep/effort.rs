//! How much work it is to say what is wrong with a call.
//!
//! Whether a schema accepts a call is decided in time that grows with the call. To list what is
//! wrong, a validator looks into every branch of every union, and where a schema refers to itself
//! from several branches that doubles with each level. This counts the visits beforehand.

use serde_json::Value;
use std::collections::HashMap;

/// Visits that are always affordable.
const FREE: usize = 100_000;
/// Visits that each value of the call adds to that.
const PER_VALUE: usize = 100;
/// How deep a call is looked into; it is never deeper (contract, section 4).
const MAX_DEPTH: usize = 160;

/// Says whether what is wrong with the arguments can be listed with an effort that is in
/// proportion to their size.
pub(super) fn is_affordable(schema: &Value, arguments: &Value) -> bool {
    let mut counter = Counter {
        root: schema,
        left: FREE.saturating_add(size(arguments).saturating_mul(PER_VALUE)),
    };
    counter.visit(vec![(schema, 1)], arguments, 0).is_some()
}

fn size(value: &Value) -> usize {
    let mut work = vec![value];
    let mut count = 0;
    while let Some(value) = work.pop() {
        count += 1;
        match value {
            Value::Array(items) => work.extend(items),
            Value::Object(members) => work.extend(members.values()),
            _ => {}
        }
    }
    count
}

struct Counter<'s> {
    root: &'s Value,
    left: usize,
}

impl<'s> Counter<'s> {
    /// Counts the visits of one value, and of all that is in it; `None` when there are too many.
    fn visit(
        &mut self,
        schemas: Vec<(&'s Value, usize)>,
        value: &Value,
        depth: usize,
    ) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        let here = self.in_place(schemas)?;
        match value {
            Value::Object(members) => {
                for (key, member) in members {
                    let next = here.iter().flat_map(|(schema, times)| {
                        member_schemas(schema, key).map(|s| (s, *times))
                    });
                    self.visit(next.collect(), member, depth + 1)?;
                }
            }
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    let next = here
                        .iter()
                        .flat_map(|(schema, times)| item_schemas(schema, at).map(|s| (s, *times)));
                    self.visit(next.collect(), item, depth + 1)?;
                }
            }
            _ => {}
        }
        Some(())
    }

    /// Adds the schemas that hold at the same place, each with how often it is visited there.
    fn in_place(&mut self, mut work: Vec<(&'s Value, usize)>) -> Option<Vec<(&'s Value, usize)>> {
        let mut found: HashMap<*const Value, (&'s Value, usize)> = HashMap::new();
        while let Some((schema, times)) = work.pop() {
            self.left = self.left.checked_sub(times)?;
            let entry = found
                .entry(std::ptr::from_ref(schema))
                .or_insert((schema, 0));
            entry.1 = entry.1.saturating_add(times);
            work.extend(self.beside(schema).map(|schema| (schema, times)));
        }
        Some(found.into_values().collect())
    }

    fn beside(&self, schema: &'s Value) -> impl Iterator<Item = &'s Value> {
        let root = self.root;
        let lists = ["allOf", "anyOf", "oneOf"];
        let ones = ["if", "then", "else", "not"];
        let lists = lists
            .into_iter()
            .filter_map(|keyword| schema.get(keyword)?.as_array())
            .flatten();
        let ones = ones.into_iter().filter_map(|keyword| schema.get(keyword));
        let dependent = schema.get("dependentSchemas").and_then(Value::as_object);
        let reference = schema.get("$ref").and_then(Value::as_str);
        let target = reference.and_then(move |r| root.pointer(r.strip_prefix('#')?));
        lists
            .chain(ones)
            .chain(dependent.into_iter().flat_map(|all| all.values()))
            .chain(target)
    }
}

fn member_schemas<'s>(schema: &'s Value, key: &str) -> impl Iterator<Item = &'s Value> {
    let declared = schema.get("properties").and_then(|all| all.get(key));
    let patterns = schema.get("patternProperties").and_then(Value::as_object);
    let others = ["additionalProperties", "unevaluatedProperties"];
    let others = others
        .into_iter()
        .filter(move |_| declared.is_none())
        .filter_map(|keyword| schema.get(keyword));
    declared
        .into_iter()
        .chain(patterns.into_iter().flat_map(|all| all.values()))
        .chain(others)
}

fn item_schemas(schema: &Value, at: usize) -> impl Iterator<Item = &Value> {
    let lists = ["prefixItems", "items"];
    let placed = lists
        .into_iter()
        .filter_map(move |keyword| schema.get(keyword)?.as_array()?.get(at));
    let ones = ["items", "additionalItems", "unevaluatedItems", "contains"];
    let ones = ones.into_iter().filter_map(|keyword| schema.get(keyword));
    placed.chain(ones.filter(|schema| !schema.is_array()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// An expression of two kinds that share a member, which holds an expression.
    fn expression() -> Value {
        json!({
            "properties": {"x": {"$ref": "#/$defs/e"}},
            "$defs": {"e": {"anyOf": [
                {"properties": {"a": {"$ref": "#/$defs/e"}, "op": {"type": "string"}}, "required": ["op"]},
                {"properties": {"a": {"$ref": "#/$defs/e"}, "op": {"type": "integer"}}, "required": ["op"]}
            ]}}
        })
    }

    fn nested(depth: usize) -> Value {
        let leaf = json!({"op": true});
        let whole = (0..depth).fold(leaf, |inner, _| json!({"a": inner, "op": 1}));
        json!({ "x": whole })
    }

    #[test]
    fn branches_that_lead_to_one_schema_double_with_each_level() {
        assert!(is_affordable(&expression(), &nested(8)));
        assert!(!is_affordable(&expression(), &nested(40)));
    }

    #[test]
    fn a_long_call_is_no_deep_one() {
        let schema = json!({"properties": {"x": {"items": {"$ref": "#/$defs/i"}}},
                            "$defs": {"i": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}});
        assert!(is_affordable(
            &schema,
            &json!({"x": vec![json!("a"); 100_000]})
        ));
    }
}
