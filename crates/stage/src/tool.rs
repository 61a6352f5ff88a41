//! A tool: its name, its input schema, and what its host knows about it.

use crate::Signature;
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// A tool, compiled: everything that its schema says of a call is worked out once.
///
/// ```
/// use callmend_stage::Tool;
/// use serde_json::json;
///
/// let tool = Tool::new(
///     "find",
///     json!({
///         "type": "object",
///         "properties": { "query": {"type": "string"}, "limit": {"type": "integer"} },
///         "required": ["query"],
///         "additionalProperties": false
///     }),
/// )?;
/// assert_eq!(tool.signature().tail(), "find takes limit?, query");
/// assert!(tool.signature().is_closed());
/// # Ok::<(), callmend_stage::ToolError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Tool {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    name: String,
    description: Option<String>,
    parameters: Value,
    closure: Closure,
    aliases: Vec<(String, String)>,
    locator: Option<Locator>,
    signature: Arc<Signature>,
}

impl Tool {
    /// Compiles a tool from its name and the JSON Schema of its arguments.
    ///
    /// # Errors
    ///
    /// See [`ToolError`].
    pub fn new(name: impl Into<String>, parameters: Value) -> Result<Self, ToolError> {
        Self::builder(name, parameters).build()
    }

    /// Starts a tool about which the host knows more than its schema says.
    pub fn builder(name: impl Into<String>, parameters: Value) -> ToolBuilder {
        ToolBuilder {
            name: name.into(),
            description: None,
            parameters,
            closure: None,
            aliases: Vec::new(),
            locator: None,
            harness: vec!["i".to_owned()],
        }
    }

    /// Returns the name that calls use.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// Returns the description.
    pub fn description(&self) -> Option<&str> {
        self.inner.description.as_deref()
    }

    /// Returns the JSON Schema of the arguments, as given.
    pub fn parameters(&self) -> &Value {
        &self.inner.parameters
    }

    /// Returns who closed the schema.
    pub fn closure(&self) -> Closure {
        self.inner.closure
    }

    /// Returns the tool's own aliases, as pairs of what models send and what is declared; those
    /// of `x-aliases` stand in the schema.
    pub fn aliases(&self) -> &[(String, String)] {
        &self.inner.aliases
    }

    /// Returns the locator rule.
    pub fn locator(&self) -> Option<&Locator> {
        self.inner.locator.as_ref()
    }

    /// Returns what the schema declares.
    pub fn signature(&self) -> &Arc<Signature> {
        &self.inner.signature
    }
}

/// Builds a [`Tool`].
#[derive(Debug, Clone)]
#[must_use]
pub struct ToolBuilder {
    pub(crate) name: String,
    description: Option<String>,
    parameters: Value,
    closure: Option<Closure>,
    aliases: Vec<(String, String)>,
    locator: Option<Locator>,
    harness: Vec<String>,
}

impl ToolBuilder {
    /// Adds the description.
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Says who closed the schema; without it, its author did.
    pub fn closure(mut self, closure: Closure) -> Self {
        self.closure = Some(closure);
        self
    }

    /// Says who closed the schema, unless the tool has said so itself.
    pub fn default_closure(mut self, closure: Closure) -> Self {
        self.closure = self.closure.or(Some(closure));
        self
    }

    /// Adds an alias: `from` reads as the declared `to`.
    pub fn alias(mut self, from: impl Into<String>, to: impl Into<String>) -> Self {
        self.aliases.push((from.into(), to.into()));
        self
    }

    /// Adds the locator rule.
    pub fn locator(mut self, locator: Locator) -> Self {
        self.locator = Some(locator);
        self
    }

    /// Replaces the harness-owned names (`i`); keys that begin with `__` always are.
    pub fn harness_names<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.harness = names.into_iter().map(Into::into).collect();
        self
    }

    /// Compiles the tool.
    ///
    /// # Errors
    ///
    /// See [`ToolError`].
    pub fn build(self) -> Result<Tool, ToolError> {
        let closure = self.closure.unwrap_or_default();
        let signature = Signature::compile(&self.name, &self.parameters, closure, self.harness)
            .map_err(|reason| ToolError {
                tool: self.name.clone(),
                reason,
            })?;
        Ok(Tool {
            inner: Arc::new(Inner {
                name: self.name,
                description: self.description,
                parameters: self.parameters,
                closure,
                aliases: self.aliases,
                locator: self.locator,
                signature: Arc::new(signature),
            }),
        })
    }
}

/// Who closed a tool's schema with `additionalProperties: false` (contract, section 8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Closure {
    /// Its author, who meant it: the keyword decides.
    #[default]
    Authored,
    /// A converter, which always writes it: unknown keys go through.
    Synthesized,
    /// The host checks every name, whatever the keyword says.
    Closed,
}

impl Closure {
    /// Reads the word that tools files and profiles use.
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "authored" => Some(Self::Authored),
            "synthesized" => Some(Self::Synthesized),
            "closed" => Some(Self::Closed),
            _ => None,
        }
    }
}

/// A tool that finds one thing by either of two arguments (contract, section 10.6).
#[derive(Clone)]
#[non_exhaustive]
pub struct Locator {
    /// The first argument, such as `id`.
    pub first: String,
    /// The second, such as `path`.
    pub second: String,
    /// What they find, in the plural: `documents`.
    pub noun: String,
    /// Says whether two given values name different things.
    pub differ: Option<Resolver>,
}

/// The host's answer to whether two values of a [`Locator`] name different things.
pub type Resolver = Arc<dyn Fn(&Value, &Value) -> bool + Send + Sync>;

impl Locator {
    /// Makes the rule that one of two arguments must be given.
    pub fn new(
        first: impl Into<String>,
        second: impl Into<String>,
        noun: impl Into<String>,
    ) -> Self {
        Self {
            first: first.into(),
            second: second.into(),
            noun: noun.into(),
            differ: None,
        }
    }

    /// Adds the host's resolver, which says whether two given values name different things.
    #[must_use]
    pub fn resolver(
        mut self,
        differ: impl Fn(&Value, &Value) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.differ = Some(Arc::new(differ));
        self
    }
}

impl fmt::Debug for Locator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Locator")
            .field("first", &self.first)
            .field("second", &self.second)
            .field("noun", &self.noun)
            .field("resolver", &self.differ.is_some())
            .finish()
    }
}

/// Why a tool cannot be compiled. Found when it is built, never when a call arrives.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("tool `{tool}`: {reason}")]
#[non_exhaustive]
pub struct ToolError {
    /// The tool's name.
    pub tool: String,
    /// What is wrong with it.
    pub reason: SchemaError,
}

impl ToolError {
    /// Makes an error that a stage found while it was prepared.
    pub fn new(tool: &Tool, reason: SchemaError) -> Self {
        Self {
            tool: tool.name().to_owned(),
            reason,
        }
    }
}

/// What is wrong with a tool's definition.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// The definition is not of the form that a tools file takes.
    #[error("{0}")]
    Definition(String),
    /// A schema is neither an object nor a boolean.
    #[error("the schema at `{at}` is neither an object nor a boolean")]
    NotASchema {
        /// Where, as a JSON Pointer.
        at: String,
    },
    /// A reference leads nowhere, or would have to be fetched.
    #[error(
        "`$ref` `{reference}` cannot be resolved: only references within the schema are followed"
    )]
    Unresolvable {
        /// The reference.
        reference: String,
    },
    /// A reference leads back to itself without passing a property.
    #[error("`$ref` `{reference}` leads back to itself")]
    Circular {
        /// The reference.
        reference: String,
    },
    /// The schema is nested too deeply.
    #[error("the schema is nested deeper than {limit} levels")]
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// The schema has too many parts, or its unions multiply out to too many.
    #[error("the schema is too complex: its parts and alternatives come to more than {limit}")]
    TooComplex {
        /// The limit.
        limit: usize,
    },
    /// A validator cannot compile the schema.
    #[error("the schema cannot be compiled: {0}")]
    Invalid(String),
}
