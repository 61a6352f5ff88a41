//! What a schema says of one place in the arguments.
//!
//! A tool's schema is compiled once into nodes; a [`Slot`] is a cheap, copyable view of one node.
//! References are followed, `allOf` is merged, and the alternatives of `anyOf` and `oneOf` are
//! joined: a slot declares what any alternative declares and requires what all require (contract,
//! section 2). A view is deliberately no validator: `pattern`, `minimum`, `not`, `if` and the
//! like belong to argument-validate.

use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A JSON type as JSON Schema counts them, with numbers split in two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A number without a fraction; `5.0` is one.
    Integer,
    /// A number with a fraction.
    Fraction,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Type {
    /// Returns the type of a value.
    pub fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(number) => {
                let whole = number.is_i64()
                    || number.is_u64()
                    || number.as_f64().is_some_and(|f| f.fract() == 0.0);
                if whole { Self::Integer } else { Self::Fraction }
            }
            Value::String(_) => Self::String,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }
}

/// A set of types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TypeSet(u8);

impl TypeSet {
    /// No type: nothing fits.
    pub const NONE: Self = Self(0);
    /// Every type: anything fits.
    pub const ALL: Self = Self(0b0111_1111);

    /// Returns the set of one type.
    pub const fn only(one: Type) -> Self {
        Self(1 << one as u8)
    }

    /// Says whether a type is in the set.
    pub const fn has(self, one: Type) -> bool {
        self.0 & (1 << one as u8) != 0
    }

    /// Returns the types in either set.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the types in both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the set without one type.
    #[must_use]
    pub const fn without(self, one: Type) -> Self {
        Self(self.0 & !(1 << one as u8))
    }

    /// Says whether nothing fits.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The index of a node.
pub(crate) type NodeId = usize;

/// What one place of a schema says, with references followed and `allOf` merged.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) types: TypeSet,
    /// The values of each `enum` and `const` that must hold; a value must be in all of them.
    pub(crate) enums: Vec<Vec<Value>>,
    /// Declared members; under a union, those of every alternative.
    pub(crate) properties: BTreeMap<String, NodeId>,
    /// Required members in bytewise order; under a union, those that every alternative requires.
    pub(crate) required: Vec<String>,
    /// Whether `additionalProperties: false` shuts the object.
    pub(crate) closed: bool,
    /// The schema of undeclared members.
    pub(crate) additional: Option<NodeId>,
    /// Whether `patternProperties` declares members that no list can name.
    pub(crate) patterned: bool,
    pub(crate) prefix_items: Vec<NodeId>,
    pub(crate) items: Option<NodeId>,
    /// Each `anyOf` and `oneOf`, as its alternatives.
    pub(crate) unions: Vec<Vec<NodeId>>,
    /// The strings of `x-aliases`.
    pub(crate) aliases: Vec<String>,
    /// Whether `default` is `null`.
    pub(crate) null_default: bool,
    /// The node without what its alternatives add, where that differs; it has no such half
    /// itself.
    pub(crate) exact: Option<Box<Node>>,
}

/// What a schema without a word says.
static ANYTHING: Node = Node::anything();

impl Node {
    pub(crate) const fn anything() -> Self {
        Self {
            types: TypeSet::ALL,
            enums: Vec::new(),
            properties: BTreeMap::new(),
            required: Vec::new(),
            closed: false,
            additional: None,
            patterned: false,
            prefix_items: Vec::new(),
            items: None,
            unions: Vec::new(),
            aliases: Vec::new(),
            null_default: false,
            exact: None,
        }
    }
}

/// The compiled nodes of one schema.
#[derive(Debug, Clone)]
pub(crate) struct Nodes(pub(crate) Vec<Node>);

impl Nodes {
    pub(crate) fn root(&self) -> Slot<'_> {
        Slot {
            nodes: self,
            node: self.0.first().unwrap_or(&ANYTHING),
        }
    }

    pub(crate) fn slot(&self, id: NodeId) -> Option<Slot<'_>> {
        Some(Slot {
            nodes: self,
            node: self.0.get(id)?,
        })
    }
}

/// What a schema says of one place in the arguments; as cheap to copy as two references.
///
/// ```
/// use callmend_stage::{Tool, Type};
/// use serde_json::json;
///
/// let tool = Tool::new("edit", json!({
///     "properties": { "edits": { "type": "array", "items": { "$ref": "#/$defs/edit" } } },
///     "$defs": { "edit": { "type": "object", "properties": { "old": { "type": "string" } } } }
/// }))?;
/// let edits = tool.signature().root().property("edits").unwrap();
/// assert!(edits.takes(Type::Array) && !edits.takes(Type::String));
/// assert!(edits.item(0).unwrap().property("old").unwrap().takes(Type::String));
/// # Ok::<(), callmend_stage::ToolError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Slot<'t> {
    nodes: &'t Nodes,
    node: &'t Node,
}

impl<'t> Slot<'t> {
    /// Says whether a value of this type can fit.
    pub fn takes(self, one: Type) -> bool {
        self.node.types.has(one)
    }

    /// Returns every type that can fit.
    pub fn types(self) -> TypeSet {
        self.node.types
    }

    /// Says whether the value fits by its type and by `enum` and `const`, its members and items
    /// not looked at.
    pub fn admits(self, value: &Value) -> bool {
        self.node.types.has(Type::of(value))
            && self
                .node
                .enums
                .iter()
                .all(|values| values.iter().any(|v| equal(v, value)))
            && self.node.unions.iter().all(|union| {
                union
                    .iter()
                    .filter_map(|id| self.nodes.slot(*id))
                    .any(|alternative| alternative.admits(value))
            })
    }

    /// Returns the values that `enum` and `const` leave, when the slot itself (not only an
    /// alternative) lists them.
    pub fn values(self) -> Option<impl Iterator<Item = &'t Value>> {
        let (first, rest) = self.node.enums.split_first()?;
        Some(
            first
                .iter()
                .filter(move |v| rest.iter().all(|values| values.iter().any(|w| equal(v, w)))),
        )
    }

    /// Says whether a member of this name is declared.
    pub fn declares(self, key: &str) -> bool {
        self.node.properties.contains_key(key)
    }

    /// Returns the slot of a member: the declared one, or that of `additionalProperties` when it
    /// is a schema.
    pub fn property(self, key: &str) -> Option<Slot<'t>> {
        let declared = self.node.properties.get(key).copied();
        declared
            .or(self.node.additional)
            .and_then(|id| self.nodes.slot(id))
    }

    /// Lists the declared members in bytewise order.
    pub fn properties(self) -> impl Iterator<Item = (&'t str, Slot<'t>)> {
        let nodes = self.nodes;
        self.node
            .properties
            .iter()
            .filter_map(move |(key, id)| Some((key.as_str(), nodes.slot(*id)?)))
    }

    /// Lists the required members in bytewise order.
    pub fn required(self) -> impl Iterator<Item = &'t str> {
        self.node.required.iter().map(String::as_str)
    }

    /// Says whether a member is required.
    pub fn requires(self, key: &str) -> bool {
        self.node
            .required
            .binary_search_by(|name| name.as_str().cmp(key))
            .is_ok()
    }

    /// Says whether `additionalProperties: false` shuts the object (and no `patternProperties`
    /// opens it again).
    pub fn is_closed(self) -> bool {
        self.node.closed && !self.node.patterned
    }

    /// Says whether `patternProperties` declares members that no list can name.
    pub fn is_patterned(self) -> bool {
        self.node.patterned
    }

    /// Returns the slot of an item: its own (`prefixItems`), or that of `items`.
    pub fn item(self, index: usize) -> Option<Slot<'t>> {
        let id = self.node.prefix_items.get(index).copied();
        id.or(self.node.items).and_then(|id| self.nodes.slot(id))
    }

    /// Lists each `anyOf` and `oneOf` of the slot, as its alternatives.
    pub fn unions(self) -> impl Iterator<Item = Vec<Slot<'t>>> {
        let nodes = self.nodes;
        self.node
            .unions
            .iter()
            .map(move |union| union.iter().filter_map(|id| nodes.slot(*id)).collect())
    }

    /// Returns the view of what holds whichever alternative is meant.
    ///
    /// The plain view joins the alternatives: it declares what any of them does. This one leaves
    /// their members and items to [`Slot::alternatives`], and leaves `unevaluatedProperties` to a
    /// validator. So it never says less than the schema does: a value that it does not admit, the
    /// schema does not admit either.
    ///
    /// ```
    /// use callmend_stage::Tool;
    /// use serde_json::json;
    ///
    /// let tool = Tool::new("t", json!({
    ///     "properties": { "a": {} },
    ///     "anyOf": [{ "properties": { "b": {} } }, { "properties": { "c": {} } }]
    /// }))?;
    /// let root = tool.signature().root();
    /// assert!(root.declares("b") && !root.exact().declares("b") && root.exact().declares("a"));
    /// let mut unions = root.alternatives();
    /// assert!(unions.next().unwrap().next().unwrap().declares("b"));
    /// # Ok::<(), callmend_stage::ToolError>(())
    /// ```
    #[must_use]
    pub fn exact(self) -> Self {
        Self {
            nodes: self.nodes,
            node: self.node.exact.as_deref().unwrap_or(self.node),
        }
    }

    /// Lists each `anyOf` and `oneOf` of the slot as its alternatives, without allocating.
    pub fn alternatives(self) -> impl Iterator<Item = impl Iterator<Item = Slot<'t>>> {
        let nodes = self.nodes;
        self.node
            .unions
            .iter()
            .map(move |union| union.iter().filter_map(move |id| nodes.slot(*id)))
    }

    /// Says whether the slot's `default` is `null`: leaving it out says the same as `null`.
    pub fn defaults_to_null(self) -> bool {
        self.node.null_default
    }

    /// Lists the strings of `x-aliases`.
    pub fn aliases(self) -> impl Iterator<Item = &'t str> {
        self.node.aliases.iter().map(String::as_str)
    }

    /// Says whether the keys of an object are all declared, and there is at least one. Names
    /// that the harness owns do not count at the root: see
    /// [`Signature::keys_all_declared`](crate::Signature::keys_all_declared).
    pub fn keys_all_declared(self, object: &Map<String, Value>) -> bool {
        !object.is_empty() && object.keys().all(|key| self.declares(key))
    }

    /// Returns a number that is the same for every view of one place, and differs between places
    /// of one tool, for look-up tables that a stage builds once per tool.
    ///
    /// It means nothing beyond the life of the tool's [`Signature`](crate::Signature).
    pub fn id(self) -> usize {
        std::ptr::from_ref(self.node).addr()
    }

    /// Lists the slots directly below: of the declared members, of undeclared ones
    /// (`additionalProperties` as a schema), and of items (`prefixItems`, then `items`).
    ///
    /// A recursive schema leads back to a slot already seen; compare by [`Slot::id`].
    pub fn children(self) -> impl Iterator<Item = Slot<'t>> {
        let nodes = self.nodes;
        let members = self.node.properties.values().chain(&self.node.additional);
        let items = self.node.prefix_items.iter().chain(&self.node.items);
        members.chain(items).filter_map(move |id| nodes.slot(*id))
    }

    /// Tells two slots apart: equal for two views of one place.
    pub fn is(self, other: Slot<'_>) -> bool {
        std::ptr::eq(self.node, other.node)
    }
}

/// Compares two values as JSON Schema does: `1` and `1.0` are one number.
pub(crate) fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => {
            x == y || (x.as_f64() == y.as_f64() && x.is_f64() != y.is_f64())
        }
        (Value::Array(x), Value::Array(y)) => {
            x.len() == y.len() && x.iter().zip(y).all(|(x, y)| equal(x, y))
        }
        (Value::Object(x), Value::Object(y)) => {
            x.len() == y.len() && x.iter().all(|(k, v)| y.get(k).is_some_and(|w| equal(v, w)))
        }
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Slot, Tool, Type};
    use serde_json::json;

    #[test]
    fn the_exact_view_leaves_to_alternatives_what_only_some_of_them_say() {
        let tool = Tool::new(
            "t",
            json!({
                "properties": { "list": { "anyOf": [
                    { "type": "array", "items": { "type": "integer" } },
                    { "type": "array" }
                ] } },
                "allOf": [{ "anyOf": [
                    { "properties": { "a": {} }, "required": ["a"] },
                    { "required": ["a", "b"] }
                ] }]
            }),
        )
        .unwrap();
        let root = tool.signature().root();
        assert!(root.declares("a") && root.requires("a"));
        let exact = root.exact();
        assert!(!exact.declares("a") && !exact.requires("a") && exact.declares("list"));
        let alternatives: Vec<Vec<Slot<'_>>> =
            exact.alternatives().map(Iterator::collect).collect();
        assert_eq!(alternatives.iter().map(Vec::len).collect::<Vec<_>>(), [2]);
        assert!(alternatives[0][1].requires("b"));
        let list = root.property("list").unwrap();
        assert!(list.item(0).is_some() && list.exact().item(0).is_none());
        assert!(!list.exact().takes(Type::String));
        assert!(exact.exact().is(exact));
    }

    #[test]
    fn the_exact_view_leaves_unevaluated_members_to_a_validator() {
        let tool = Tool::new(
            "t",
            json!({ "unevaluatedProperties": false, "properties": { "a": {} } }),
        )
        .unwrap();
        let root = tool.signature().root();
        assert!(root.is_closed() && !root.exact().is_closed());
    }
}
