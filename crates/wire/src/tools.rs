//! Reads lists of tool definitions.

use crate::WireError;
use callmend_stage::{Closure, Tool, ToolBuilder, pointer};
use serde_json::{Map, Value};

/// A definition and where it stands, as a JSON Pointer.
pub(crate) type Placed<'b> = (String, &'b Map<String, Value>);

/// Lists the items of the member `key`, each with its place; nothing when there is no such member.
///
/// # Errors
///
/// A member that is no list (`null` counts as none), or an item that is no object.
pub(crate) fn items<'b>(
    parent: &'b Value,
    at: &str,
    key: &str,
) -> Result<Vec<Placed<'b>>, WireError> {
    let mut at = at.to_owned();
    pointer::push(&mut at, key);
    let list = match parent.get(key) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(_) => {
            let expected = "a list of tools";
            return Err(WireError::Shape { at, expected });
        }
    };
    let objects = list.iter().enumerate().map(|(index, item)| {
        let mut at = at.clone();
        pointer::push_index(&mut at, index);
        match item.as_object() {
            Some(object) => Ok((at, object)),
            None => Err(WireError::Shape {
                at,
                expected: "a tool, which is an object",
            }),
        }
    });
    objects.collect()
}

/// Reads one definition of the form that [`Tool::builder_from_json`] takes. `strict: true` marks
/// the schema as closed by the provider's strict mode (contract, section 8), unless the definition
/// says itself who closed it.
pub(crate) fn read(at: &str, definition: &Value) -> Result<ToolBuilder, WireError> {
    let builder = Tool::builder_from_json(definition).map_err(|source| WireError::Tool {
        at: at.to_owned(),
        source,
    })?;
    let function = definition.get("function");
    let strict = [Some(definition), function]
        .into_iter()
        .flatten()
        .any(|part| part.get("strict") == Some(&Value::Bool(true)));
    Ok(if strict {
        builder.default_closure(Closure::Synthesized)
    } else {
        builder
    })
}

/// Returns the word under `type`.
pub(crate) fn type_of(object: &Map<String, Value>) -> Option<&str> {
    object.get("type").and_then(Value::as_str)
}
