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
    /// Whether what the validator accepts has no unknown names.
    decides_names: bool,
    masked: Masked,
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
        let closed = signature
            .is_closed()
            .then(|| closure::closed_root(schema, signature))
            .flatten();
        let decides_names = closed.is_some() || !signature.is_closed();
        let masked = match &closed {
            Some(_) => Masked::Dunder,
            None if closure::is_indifferent(schema) => Masked::Nothing,
            None => Masked::Harness,
        };
        let opened = signature.is_synthesized().then(|| closure::opened(schema));
        let rewritten = closed.or(opened);
        let compiled = rewritten.as_ref().unwrap_or(schema);
        let validator = jsonschema::options()
            .offline()
            .build(compiled)
            .map_err(|error| ToolError::new(tool, SchemaError::Invalid(describe(&error))))?;
        Ok(Self {
            validator,
            tool: tool.clone(),
            decides_names,
            masked,
            outside_branches: closure::declared_outside_branches(schema),
            refers: closure::has_references(compiled),
            rewritten,
        })
    }

    /// Says whether what is accepted has no unknown names, so that nobody else need look.
    pub(crate) fn decides_names(&self) -> bool {
        self.decides_names
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
        let object = arguments.as_object()?;
        let matters = |key: &String| match self.masked {
            Masked::Nothing => false,
            Masked::Dunder => key.starts_with("__") && signature.is_harness(key),
            Masked::Harness => signature.is_harness(key),
        };
        if !object.keys().any(matters) {
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

/// Which keys of the harness could change what the validator says, and are left out for it.
#[derive(Debug, Clone, Copy)]
enum Masked {
    /// None: the schema does not mind undeclared keys.
    Nothing,
    /// Those that begin with `__`; the others are let in by name.
    Dunder,
    /// All.
    Harness,
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
