//! Compiles a JSON Schema into the nodes that [`Slot`](crate::Slot) views.
//!
//! Every schema and every combination of schemas becomes one node, so recursive schemas end.
//! Members and items are compiled from a work list; only what holds at one and the same place
//! (`$ref`, `allOf`, `anyOf`, `oneOf`) is compiled by recursion, and that is bounded. Cost: the
//! size of the schema, up to the limits.

use crate::pointer;
use crate::schema::{Node, NodeId, Nodes, Type, TypeSet};
use crate::tool::SchemaError;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap};

/// How deeply a schema may be nested, and how long a chain of references may be.
pub(crate) const MAX_DEPTH: usize = 128;

/// How many nodes a schema may have, and how many alternatives its unions may multiply out to.
pub(crate) const MAX_PARTS: usize = 100_000;

/// Compiles a schema; the first node is its root.
pub(crate) fn compile(schema: &Value) -> Result<Nodes, SchemaError> {
    check_depth(schema)?;
    let mut compiler = Compiler {
        root: schema,
        legacy_refs: has_legacy_refs(schema),
        ids: HashMap::new(),
        work: Vec::new(),
        nodes: Vec::new(),
    };
    compiler.intern(Key::Schema(schema))?;
    while let Some(id) = compiler.work.pop() {
        compiler.build(id, 0, "#")?;
    }
    let nodes = compiler
        .nodes
        .into_iter()
        .map(|entry| match entry.state {
            State::Built(node) => *node,
            State::Pending | State::Open => Node::anything(),
        })
        .collect();
    Ok(Nodes(nodes))
}

/// Follows a reference within a schema: `#`, `#/…`, or the same after the schema's own `$id`.
pub(crate) fn resolve<'v>(root: &'v Value, reference: &str) -> Option<&'v Value> {
    let own = root.get("$id").and_then(Value::as_str).unwrap_or_default();
    let fragment = reference
        .strip_prefix('#')
        .or_else(|| reference.strip_prefix(own)?.strip_prefix('#'))?;
    root.pointer(&percent_decoded(fragment)?)
}

struct Compiler<'v> {
    root: &'v Value,
    /// Before draft 2019-09 whatever stands beside `$ref` is ignored.
    legacy_refs: bool,
    ids: HashMap<KeyId, NodeId>,
    work: Vec<NodeId>,
    nodes: Vec<Entry<'v>>,
}

struct Entry<'v> {
    key: Key<'v>,
    state: State,
    /// How many alternatives this node multiplies out to.
    weight: usize,
}

enum State {
    Pending,
    Open,
    Built(Box<Node>),
}

#[derive(Clone)]
enum Key<'v> {
    Schema(&'v Value),
    /// Everything that these say, together.
    All(Vec<NodeId>),
    /// What one of these says.
    Any(Vec<NodeId>),
}

#[derive(PartialEq, Eq, Hash)]
enum KeyId {
    Schema(usize),
    All(Vec<NodeId>),
    Any(Vec<NodeId>),
}

impl<'v> Compiler<'v> {
    fn intern(&mut self, key: Key<'v>) -> Result<NodeId, SchemaError> {
        let key = match key {
            Key::All(ids) => match distinct(ids) {
                Ok(one) => return Ok(one),
                Err(ids) => Key::All(ids),
            },
            Key::Any(ids) => match distinct(ids) {
                Ok(one) => return Ok(one),
                Err(ids) => Key::Any(ids),
            },
            schema @ Key::Schema(_) => schema,
        };
        let key_id = match &key {
            // Schemas are told apart by where they stand, not by what they say.
            Key::Schema(schema) => KeyId::Schema(std::ptr::from_ref::<Value>(schema) as usize),
            Key::All(ids) => KeyId::All(ids.clone()),
            Key::Any(ids) => KeyId::Any(ids.clone()),
        };
        let next = self.nodes.len();
        let id = *self.ids.entry(key_id).or_insert(next);
        if id == next {
            if next >= MAX_PARTS {
                return Err(SchemaError::TooComplex { limit: MAX_PARTS });
            }
            self.nodes.push(Entry {
                key,
                state: State::Pending,
                weight: 1,
            });
            self.work.push(id);
        }
        Ok(id)
    }

    fn build(&mut self, id: NodeId, depth: usize, via: &str) -> Result<(), SchemaError> {
        let Some(entry) = self.nodes.get_mut(id) else {
            return Ok(());
        };
        match entry.state {
            State::Built(_) => return Ok(()),
            State::Open => {
                return Err(SchemaError::Circular {
                    reference: via.to_owned(),
                });
            }
            State::Pending => entry.state = State::Open,
        }
        if depth > MAX_DEPTH {
            return Err(SchemaError::TooDeep { limit: MAX_DEPTH });
        }
        let key = entry.key.clone();
        let (node, weight) = match key {
            Key::Schema(schema) => self.schema(schema, depth)?,
            Key::All(ids) => self.all(Node::anything(), 1, &ids, depth, via)?,
            Key::Any(ids) => self.all_any(&ids, depth, via)?,
        };
        if weight > MAX_PARTS {
            return Err(SchemaError::TooComplex { limit: MAX_PARTS });
        }
        if let Some(entry) = self.nodes.get_mut(id) {
            entry.state = State::Built(Box::new(node));
            entry.weight = weight;
        }
        Ok(())
    }

    fn built(&self, id: NodeId) -> Node {
        match self.nodes.get(id).map(|entry| &entry.state) {
            Some(State::Built(node)) => node.as_ref().clone(),
            _ => Node::anything(),
        }
    }

    fn weight(&self, id: NodeId) -> usize {
        self.nodes.get(id).map_or(1, |entry| entry.weight)
    }

    fn schema(&mut self, schema: &'v Value, depth: usize) -> Result<(Node, usize), SchemaError> {
        let object = match schema {
            Value::Object(object) => object,
            Value::Bool(true) => return Ok((Node::anything(), 1)),
            Value::Bool(false) => {
                let mut nothing = Node::anything();
                nothing.types = TypeSet::NONE;
                return Ok((nothing, 1));
            }
            _ => {
                return Err(SchemaError::NotASchema {
                    at: self.locate(schema),
                });
            }
        };
        let reference = object.get("$ref").and_then(Value::as_str);
        let mut node = Node::anything();
        node.aliases = strings(object.get("x-aliases"));
        let mut weight = 1;
        if reference.is_none() || !self.legacy_refs {
            self.own(object, &mut node)?;
            let parts = schemas(object, "allOf");
            let parts = parts
                .map(|part| self.intern(Key::Schema(part)))
                .collect::<Result<Vec<_>, _>>()?;
            (node, weight) = self.all(node, weight, &parts, depth, "allOf")?;
            for union in ["anyOf", "oneOf"] {
                let alternatives = schemas(object, union);
                let alternatives = alternatives
                    .map(|part| self.intern(Key::Schema(part)))
                    .collect::<Result<Vec<_>, _>>()?;
                if !alternatives.is_empty() {
                    let any = self.intern(Key::Any(alternatives))?;
                    (node, weight) = self.all(node, weight, &[any], depth, union)?;
                }
            }
        }
        if let Some(reference) = reference {
            let target =
                resolve(self.root, reference).ok_or_else(|| SchemaError::Unresolvable {
                    reference: reference.to_owned(),
                })?;
            let target = self.intern(Key::Schema(target))?;
            (node, weight) = self.all(node, weight, &[target], depth, reference)?;
        }
        Ok((node, weight))
    }

    /// Reads the keywords that stand in the schema itself.
    fn own(&mut self, object: &'v Map<String, Value>, node: &mut Node) -> Result<(), SchemaError> {
        if let Some(types) = object.get("type") {
            node.types = named_types(types);
        }
        if let Some(values) = object.get("enum").and_then(Value::as_array) {
            node.enums.push(values.clone());
        }
        if let Some(value) = object.get("const") {
            node.enums.push(vec![value.clone()]);
        }
        for values in &node.enums {
            let types = values
                .iter()
                .fold(TypeSet::NONE, |set, v| set.or(TypeSet::only(Type::of(v))));
            node.types = node.types.and(types);
        }
        if let Some(properties) = object.get("properties").and_then(Value::as_object) {
            for (key, schema) in properties {
                let id = self.intern(Key::Schema(schema))?;
                node.properties.insert(key.clone(), id);
            }
        }
        node.required = strings(object.get("required"));
        node.required.sort();
        node.required.dedup();
        let additional = object
            .get("additionalProperties")
            .or_else(|| object.get("unevaluatedProperties"));
        match additional {
            Some(Value::Bool(false)) => node.closed = true,
            Some(schema @ Value::Object(_)) => {
                node.additional = Some(self.intern(Key::Schema(schema))?);
            }
            _ => {}
        }
        node.patterned = object
            .get("patternProperties")
            .and_then(Value::as_object)
            .is_some_and(|patterns| !patterns.is_empty());
        // Before 2020-12 `items` as an array was what `prefixItems` is now.
        let (prefix, rest) = match object.get("items") {
            Some(Value::Array(prefix)) => (Some(prefix), object.get("additionalItems")),
            rest => (object.get("prefixItems").and_then(Value::as_array), rest),
        };
        for schema in prefix.into_iter().flatten() {
            let id = self.intern(Key::Schema(schema))?;
            node.prefix_items.push(id);
        }
        if let Some(schema) = rest {
            node.items = Some(self.intern(Key::Schema(schema))?);
        }
        node.null_default = object.get("default") == Some(&Value::Null);
        if !object.contains_key("additionalProperties")
            && (node.closed || node.additional.is_some())
        {
            // What is unevaluated hangs on keywords that no node holds, such as `if`.
            node.exact = Some(Box::new(Node {
                closed: false,
                additional: None,
                ..node.clone()
            }));
        }
        Ok(())
    }

    /// Merges into `node` what each of `ids` says of the same place.
    fn all(
        &mut self,
        mut node: Node,
        mut weight: usize,
        ids: &[NodeId],
        depth: usize,
        via: &str,
    ) -> Result<(Node, usize), SchemaError> {
        for id in ids {
            self.build(*id, depth + 1, via)?;
            weight = weight.saturating_add(self.weight(*id));
            let part = self.built(*id);
            if node.exact.is_some() || part.exact.is_some() {
                let mut exact = node.exact.take().unwrap_or_else(|| Box::new(node.clone()));
                let theirs = part
                    .exact
                    .clone()
                    .map_or_else(|| part.clone(), |exact| *exact);
                self.merge(&mut exact, theirs)?;
                node.exact = Some(exact);
            }
            self.merge(&mut node, part)?;
        }
        Ok((node, weight))
    }

    /// Merges into `node` what `part` says of the same place, the exact halves aside.
    fn merge(&mut self, node: &mut Node, part: Node) -> Result<(), SchemaError> {
        node.types = node.types.and(part.types);
        node.enums.extend(part.enums);
        for (key, theirs) in part.properties {
            let merged = match node.properties.get(&key) {
                Some(ours) => self.intern(Key::All(vec![*ours, theirs]))?,
                None => theirs,
            };
            node.properties.insert(key, merged);
        }
        node.required.extend(part.required);
        node.required.sort();
        node.required.dedup();
        node.closed |= part.closed;
        node.patterned |= part.patterned;
        node.additional = self.both(node.additional, part.additional)?;
        let longest = node.prefix_items.len().max(part.prefix_items.len());
        let mut prefix = Vec::with_capacity(longest);
        for at in 0..longest {
            let ours = node.prefix_items.get(at).copied().or(node.items);
            let theirs = part.prefix_items.get(at).copied().or(part.items);
            prefix.extend(self.both(ours, theirs)?);
        }
        node.prefix_items = prefix;
        node.items = self.both(node.items, part.items)?;
        node.unions.extend(part.unions);
        node.aliases.extend(part.aliases);
        node.null_default |= part.null_default;
        Ok(())
    }

    fn both(
        &mut self,
        ours: Option<NodeId>,
        theirs: Option<NodeId>,
    ) -> Result<Option<NodeId>, SchemaError> {
        match (ours, theirs) {
            (Some(ours), Some(theirs)) => self.intern(Key::All(vec![ours, theirs])).map(Some),
            (ours, theirs) => Ok(ours.or(theirs)),
        }
    }

    /// Joins alternatives: declared by any, required by all, shut when all objects are.
    fn all_any(
        &mut self,
        ids: &[NodeId],
        depth: usize,
        via: &str,
    ) -> Result<(Node, usize), SchemaError> {
        let mut joined = Node::anything();
        joined.types = TypeSet::NONE;
        joined.unions.push(ids.to_vec());
        let mut weight = 0_usize;
        let mut properties: BTreeMap<String, Vec<NodeId>> = BTreeMap::new();
        let mut additional = Vec::new();
        let mut items = Vec::new();
        let mut prefixes: Vec<Vec<NodeId>> = Vec::new();
        let mut required: Option<Vec<String>> = None;
        let mut closed = true;
        let mut objects = 0;
        for id in ids {
            self.build(*id, depth + 1, via)?;
            weight = weight.saturating_add(self.weight(*id));
            let part = self.built(*id);
            joined.types = joined.types.or(part.types);
            joined.patterned |= part.patterned;
            joined.aliases.extend(part.aliases);
            if part.types.has(Type::Object) {
                objects += 1;
                closed &= part.closed;
                for (key, slot) in part.properties {
                    properties.entry(key).or_default().push(slot);
                }
                additional.extend(part.additional);
                required = Some(match required {
                    None => part.required,
                    Some(sofar) => sofar
                        .into_iter()
                        .filter(|name| part.required.contains(name))
                        .collect(),
                });
            }
            if part.types.has(Type::Array) {
                items.extend(part.items);
                for (at, slot) in part.prefix_items.into_iter().enumerate() {
                    match prefixes.get_mut(at) {
                        Some(slots) => slots.push(slot),
                        None => prefixes.push(vec![slot]),
                    }
                }
            }
        }
        for (key, slots) in properties {
            let slot = self.intern(Key::Any(slots))?;
            joined.properties.insert(key, slot);
        }
        for slots in prefixes {
            let slot = self.intern(Key::Any(slots))?;
            joined.prefix_items.push(slot);
        }
        joined.additional = self.any_of(additional)?;
        joined.items = self.any_of(items)?;
        joined.required = required.unwrap_or_default();
        joined.closed = closed && objects > 0;
        joined.exact = Some(Box::new(Node {
            types: joined.types,
            unions: joined.unions.clone(),
            ..Node::anything()
        }));
        Ok((joined, weight))
    }

    fn any_of(&mut self, ids: Vec<NodeId>) -> Result<Option<NodeId>, SchemaError> {
        if ids.is_empty() {
            return Ok(None);
        }
        self.intern(Key::Any(ids)).map(Some)
    }

    /// Finds where a schema stands, for an error; a search, since errors are rare.
    fn locate(&self, wanted: &Value) -> String {
        let mut work = vec![(self.root, String::new())];
        while let Some((value, at)) = work.pop() {
            if std::ptr::eq(value, wanted) {
                return at;
            }
            match value {
                Value::Object(object) => work.extend(object.iter().map(|(key, child)| {
                    let mut at = at.clone();
                    pointer::push(&mut at, key);
                    (child, at)
                })),
                Value::Array(items) => {
                    work.extend(items.iter().enumerate().map(|(index, child)| {
                        let mut at = at.clone();
                        pointer::push_index(&mut at, index);
                        (child, at)
                    }));
                }
                _ => {}
            }
        }
        String::new()
    }
}

/// Sorts ids and drops repeats; one id that is left stands for itself.
fn distinct(mut ids: Vec<NodeId>) -> Result<NodeId, Vec<NodeId>> {
    ids.sort_unstable();
    ids.dedup();
    match ids.as_slice() {
        [one] => Ok(*one),
        _ => Err(ids),
    }
}

fn check_depth(schema: &Value) -> Result<(), SchemaError> {
    let mut work = vec![(schema, 0)];
    while let Some((value, depth)) = work.pop() {
        if depth > MAX_DEPTH {
            return Err(SchemaError::TooDeep { limit: MAX_DEPTH });
        }
        match value {
            Value::Object(object) => work.extend(object.values().map(|v| (v, depth + 1))),
            Value::Array(items) => work.extend(items.iter().map(|v| (v, depth + 1))),
            _ => {}
        }
    }
    Ok(())
}

fn has_legacy_refs(schema: &Value) -> bool {
    let draft = schema.get("$schema").and_then(Value::as_str);
    draft.is_some_and(|draft| {
        ["draft-04", "draft-06", "draft-07"]
            .iter()
            .any(|d| draft.contains(d))
    })
}

fn named_types(types: &Value) -> TypeSet {
    let one = |name: &str| match name {
        "null" => TypeSet::only(Type::Null),
        "boolean" => TypeSet::only(Type::Boolean),
        "integer" => TypeSet::only(Type::Integer),
        "number" => TypeSet::only(Type::Integer).or(TypeSet::only(Type::Fraction)),
        "string" => TypeSet::only(Type::String),
        "array" => TypeSet::only(Type::Array),
        "object" => TypeSet::only(Type::Object),
        // A validator says what is wrong with it.
        _ => TypeSet::ALL,
    };
    match types {
        Value::String(name) => one(name),
        Value::Array(names) => names
            .iter()
            .filter_map(Value::as_str)
            .fold(TypeSet::NONE, |set, name| set.or(one(name))),
        _ => TypeSet::ALL,
    }
}

fn schemas<'v>(object: &'v Map<String, Value>, keyword: &str) -> impl Iterator<Item = &'v Value> {
    object
        .get(keyword)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
}

fn strings(value: Option<&Value>) -> Vec<String> {
    let list = value.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Decodes the percent-encoding of a URI fragment (RFC 3986, section 2.1; RFC 6901, section 6).
fn percent_decoded(fragment: &str) -> Option<String> {
    if !fragment.contains('%') {
        return Some(fragment.to_owned());
    }
    let mut out = Vec::with_capacity(fragment.len());
    let mut bytes = fragment.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let high = char::from(bytes.next()?).to_digit(16)?;
            let low = char::from(bytes.next()?).to_digit(16)?;
            out.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            out.push(byte);
        }
    }
    String::from_utf8(out).ok()
}
