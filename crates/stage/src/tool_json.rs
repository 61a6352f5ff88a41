//! Reads a tool from the forms that providers and tools files use.

use crate::tool::{Closure, Locator, SchemaError, Tool, ToolBuilder, ToolError};
use serde_json::{Map, Value, json};

impl Tool {
    /// Reads one tool from JSON: its schema stands under `parameters`, `input_schema`,
    /// `inputSchema` or `function.parameters`; without one, the tool takes no arguments.
    ///
    /// Beside it may stand what the host knows: `"closure"` (`authored`, `synthesized` or
    /// `closed`), `"aliases"` (an object of what models send to what is declared), `"harness"`
    /// (a list of names) and `"locator"` (`{"first", "second", "noun"}`).
    ///
    /// ```
    /// use callmend_stage::Tool;
    /// use serde_json::json;
    ///
    /// let tool = Tool::from_json(&json!({
    ///     "type": "function",
    ///     "function": { "name": "now", "parameters": { "type": "object", "properties": {} } }
    /// }))?;
    /// assert_eq!(tool.signature().tail(), "now takes no arguments");
    /// # Ok::<(), callmend_stage::ToolError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A definition that is not of this form, or a schema that cannot be compiled.
    pub fn from_json(definition: &Value) -> Result<Self, ToolError> {
        Self::builder_from_json(definition)?.build()
    }

    /// Reads one tool from JSON, as [`Tool::from_json`] does, without compiling it yet.
    ///
    /// # Errors
    ///
    /// A definition that is not of this form.
    pub fn builder_from_json(definition: &Value) -> Result<ToolBuilder, ToolError> {
        let Value::Object(outer) = definition else {
            return Err(bad("", "a tool must be an object with a `name`"));
        };
        let inner = outer.get("function").and_then(Value::as_object);
        let field = |key: &str| inner.and_then(|f| f.get(key)).or_else(|| outer.get(key));
        let name = match field("name") {
            Some(Value::String(name)) if !name.is_empty() => name.as_str(),
            Some(_) => {
                return Err(bad(
                    "",
                    "a tool's `name` must be a string that is not empty",
                ));
            }
            None => return Err(bad("", "a tool must have a `name`")),
        };
        let schema = ["parameters", "input_schema", "inputSchema"]
            .into_iter()
            .find_map(field)
            .filter(|schema| !schema.is_null());
        let none = || json!({ "type": "object", "properties": {} });
        let mut builder = Tool::builder(name, schema.cloned().unwrap_or_else(none));
        if let Some(description) = field("description").and_then(Value::as_str) {
            builder = builder.description(description);
        }
        host_knows(builder, outer)
    }
}

fn host_knows(
    mut builder: ToolBuilder,
    outer: &Map<String, Value>,
) -> Result<ToolBuilder, ToolError> {
    let name = builder.name.clone();
    if let Some(word) = outer.get("closure") {
        let closure = word.as_str().and_then(Closure::from_word).ok_or_else(|| {
            bad(
                &name,
                "`closure` must be `authored`, `synthesized` or `closed`",
            )
        })?;
        builder = builder.closure(closure);
    }
    if let Some(aliases) = outer.get("aliases") {
        let pairs = aliases.as_object().into_iter().flatten();
        let pairs = pairs.map(|(from, to)| Some((from.clone(), to.as_str()?.to_owned())));
        let pairs = pairs
            .collect::<Option<Vec<_>>>()
            .filter(|_| aliases.is_object())
            .ok_or_else(|| bad(&name, "`aliases` must be an object of strings"))?;
        for (from, to) in pairs {
            builder = builder.alias(from, to);
        }
    }
    if let Some(names) = outer.get("harness") {
        let list = names.as_array().into_iter().flatten();
        let list = list
            .map(Value::as_str)
            .collect::<Option<Vec<_>>>()
            .filter(|_| names.is_array())
            .ok_or_else(|| bad(&name, "`harness` must be a list of names"))?;
        builder = builder.harness_names(list);
    }
    if let Some(locator) = outer.get("locator") {
        let part = |key: &str| locator.get(key).and_then(Value::as_str);
        let (Some(first), Some(second)) = (part("first"), part("second")) else {
            return Err(bad(
                &name,
                "`locator` must have a `first` and a `second` name",
            ));
        };
        let noun = part("noun").unwrap_or("things");
        builder = builder.locator(Locator::new(first, second, noun));
    }
    Ok(builder)
}

fn bad(tool: &str, why: &str) -> ToolError {
    ToolError {
        tool: tool.to_owned(),
        reason: SchemaError::Definition(why.to_owned()),
    }
}
