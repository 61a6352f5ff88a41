//! What lies deeper than the shallow check, by the `jsonschema` crate (contract, section 10.7).

mod branches;
mod closure;
mod effort;
mod wording;

use crate::finding::{self, Finding};
use crate::message;
use callmend_stage::{SchemaError, Signature, Tool, ToolError};
use jsonschema::{ValidationError, Validator};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::sync::Arc;
use wording::Wording;

/// A tool's schema, compiled for checking.
#[derive(Debug)]
pub(crate) struct Deep {
    validator: Validator,
    tool: Tool,
    /// The schema that was compiled, where it is not the tool's as given.
    rewritten: Option<Value>,
    /// Whether a key that the schema does not declare could change what the validator says.
    masks: bool,
    /// Whether any part of the schema is referred to.
    refers: bool,
    /// The names that the root declares whatever branch is taken.
    outside_branches: HashSet<String>,
}

impl Deep {
    /// Compiles a tool's schema.
    ///
    /// Nothing is fetched: a reference that would have to be is an error.
    pub(crate) fn compile(tool: &Tool) -> Result<Self, ToolError> {
        let schema = tool.parameters();
        let signature = tool.signature();
        let rewritten = if signature.is_synthesized() {
            Some(closure::opened(schema))
        } else {
            closure::open_root(schema)
        };
        let compiled = rewritten.as_ref().unwrap_or(schema);
        let validator = jsonschema::options()
            .offline()
            .build(compiled)
            .map_err(|error| ToolError::new(tool, SchemaError::Invalid(describe(&error))))?;
        Ok(Self {
            validator,
            tool: tool.clone(),
            masks: !closure::is_indifferent(compiled),
            outside_branches: closure::declared_outside_branches(schema),
            refers: closure::has_references(compiled),
            rewritten,
        })
    }

    /// Says whether the schema accepts the arguments.
    pub(crate) fn accepts(&self, arguments: &Value) -> bool {
        match self.masked(arguments) {
            Some(masked) => self.validator.is_valid(&masked),
            None => self.validator.is_valid(arguments),
        }
    }

    /// Lists what the schema does not accept, by path; nothing when it accepts the arguments.
    pub(crate) fn findings(&self, arguments: &Value) -> Vec<Finding> {
        let masked = self.masked(arguments);
        let arguments = masked.as_ref().unwrap_or(arguments);
        if self.validator.is_valid(arguments) {
            return Vec::new();
        }
        if self.refers && !effort::is_affordable(self.schema(), arguments) {
            return vec![Finding::new(
                "",
                message::NO_ALTERNATIVE,
                message::NO_COMBINATION.to_owned(),
            )];
        }
        let wording = Wording {
            deep: self,
            arguments,
        };
        let mut out = Vec::new();
        for error in self.validator.iter_errors(arguments) {
            wording.describe(&error, &mut out);
        }
        finding::sort(&mut out);
        out
    }

    fn schema(&self) -> &Value {
        self.rewritten
            .as_ref()
            .unwrap_or_else(|| self.tool.parameters())
    }

    fn signature(&self) -> &Arc<Signature> {
        self.tool.signature()
    }

    /// Leaves out what the harness owns, when the call has any of it and it matters.
    fn masked(&self, arguments: &Value) -> Option<Value> {
        let signature = self.signature();
        let object = arguments.as_object().filter(|_| self.masks)?;
        if !object.keys().any(|key| signature.is_harness(key)) {
            return None;
        }
        let kept: Map<String, Value> = object
            .iter()
            .filter(|(key, _)| !signature.is_harness(key))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        Some(Value::Object(kept))
    }
}

/// Says what is wrong with a schema, without echoing it whole.
fn describe(error: &ValidationError<'_>) -> String {
    let at = error.instance_path().as_str();
    let at = if at.is_empty() {
        String::new()
    } else {
        format!(" at `{at}`")
    };
    let what = callmend_stage::message::clip(&error.masked().to_string());
    format!("{what}{at}")
}
