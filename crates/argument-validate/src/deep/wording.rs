//! Words each kind of error of `jsonschema` in the project's grammar.

use super::{Deep, branches};
use crate::finding::Finding;
use crate::{canonical, message as own};
use callmend_stage::{Code, Slot, message, pointer, unknown};
use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::{Map, Value};
use std::fmt::Display;

/// Words the errors of one call.
pub(super) struct Wording<'d> {
    pub(super) deep: &'d Deep,
    /// What the validator looked at.
    pub(super) arguments: &'d Value,
}

impl Wording<'_> {
    /// Says what an error means; nothing when it is about the closure of the root alone.
    pub(super) fn describe(&self, error: &ValidationError<'_>, out: &mut Vec<Finding>) {
        let path = error.instance_path().as_str();
        let (code, expected) = match error.kind() {
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
                return branches::describe(self, error, context, out);
            }
            Kind::AdditionalProperties { unexpected }
            | Kind::UnevaluatedProperties { unexpected } => {
                return self.unknown_names(path, unexpected, out);
            }
            // A closed object that declares nothing is reported as a `false` schema.
            Kind::FalseSchema if is_closure(error.schema_path().as_str()) => {
                let object = self.arguments.pointer(path).and_then(Value::as_object);
                return self.unknown_names(path, object.into_iter().flat_map(Map::keys), out);
            }
            Kind::OneOfMultipleValid { context } => {
                return out.push(branches::too_many(self, error, context));
            }
            Kind::Required { property } => {
                let name = property.as_str().unwrap_or_default();
                return out.push(self.missing(error, name));
            }
            Kind::PropertyNames { error: inner } => {
                let expected = self.expected(inner).1;
                let body = format!(
                    "key {} of {} {expected}",
                    quoted(inner.instance()),
                    subject(path)
                );
                return out.push(Finding::new(path, own::WRONG_VALUE, body));
            }
            _ => self.expected(error),
        };
        out.push(Finding::new(
            path,
            code,
            format!("{} {expected}", subject(path)),
        ));
    }

    /// Words what was expected, to follow the name of the place: `must be at most 100`.
    fn expected(&self, error: &ValidationError<'_>) -> (Code, String) {
        let range = |text: String| (own::OUT_OF_RANGE, text);
        let value = |text: String| (own::WRONG_VALUE, text);
        match error.kind() {
            Kind::Type { .. } => (own::WRONG_TYPE, self.must_be(error)),
            Kind::Enum { .. } => value(self.must_be(error)),
            Kind::Constant { expected_value } => {
                value(format!("must be exactly {}", quoted(expected_value)))
            }
            Kind::Maximum { limit } => range(format!("must be at most {}", number(limit))),
            Kind::Minimum { limit } => range(format!("must be at least {}", number(limit))),
            Kind::ExclusiveMaximum { limit } => {
                range(format!("must be less than {}", number(limit)))
            }
            Kind::ExclusiveMinimum { limit } => {
                range(format!("must be more than {}", number(limit)))
            }
            Kind::MaxLength { limit } => range(format!(
                "must be at most {} long",
                count(limit, "character")
            )),
            Kind::MinLength { limit } => range(format!(
                "must be at least {} long",
                count(limit, "character")
            )),
            Kind::MaxItems { limit } => {
                range(format!("must have at most {}", count(limit, "item")))
            }
            Kind::AdditionalItems { limit } => {
                range(format!("must have at most {}", count(limit, "item")))
            }
            Kind::MinItems { limit } => {
                range(format!("must have at least {}", count(limit, "item")))
            }
            Kind::MaxProperties { limit } => {
                range(format!("must have at most {}", count(limit, "key")))
            }
            Kind::MinProperties { limit } => {
                range(format!("must have at least {}", count(limit, "key")))
            }
            Kind::UnevaluatedItems { .. } => {
                range("must have no items beyond those that its schema lists".to_owned())
            }
            Kind::MultipleOf { multiple_of } => {
                value(format!("must be a multiple of {}", multiple_of.shown()))
            }
            Kind::Pattern { pattern } => value(format!("must match `{}`", message::clip(pattern))),
            Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
                value("is too hard to match with its pattern".to_owned())
            }
            Kind::Format { format } => value(format!("must be a valid {}", message::clip(format))),
            Kind::UniqueItems => value("must not have an item twice".to_owned()),
            Kind::Contains => self.contains(error),
            Kind::Not { schema } => value(self.must_not(schema)),
            Kind::FalseSchema if error.schema_path().as_str().ends_with("/propertyNames") => {
                range("must have no keys".to_owned())
            }
            Kind::FalseSchema => value("must be left out".to_owned()),
            Kind::ContentEncoding { content_encoding } => value(format!(
                "must be encoded as {}",
                message::clip(content_encoding)
            )),
            Kind::ContentMediaType { content_media_type } => {
                value(format!("must hold {}", message::clip(content_media_type)))
            }
            Kind::FromUtf8 { .. } => value("must be encoded text".to_owned()),
            // What is worded with its path, what no option of ours can raise, and what a later
            // version of the crate may add.
            _ => value("must be valid".to_owned()),
        }
    }

    /// `must be an integer`, by the schema that holds the keyword.
    fn must_be(&self, error: &ValidationError<'_>) -> String {
        format!("must be {}", self.phrase(error))
    }

    /// Words what the schema around an error's keyword takes; the keyword alone counts, where
    /// it says enough.
    pub(super) fn phrase(&self, error: &ValidationError<'_>) -> String {
        let at = error.schema_path().as_str();
        let Some((holder, keyword)) = pointer::split_last(at) else {
            return "valid".to_owned();
        };
        let Some(schema) = self.deep.schema().pointer(holder) else {
            return "valid".to_owned();
        };
        let alone = matches!(keyword.as_ref(), "anyOf" | "oneOf")
            .then(|| schema.get(keyword.as_ref()))
            .flatten()
            .map(|value| serde_json::json!({ keyword.as_ref(): value }));
        message::phrase(alone.as_ref().unwrap_or(schema), self.deep.schema())
    }

    /// Finds what stands under an error's keyword.
    pub(super) fn keyword(&self, error: &ValidationError<'_>) -> Option<&Value> {
        self.deep.schema().pointer(error.schema_path().as_str())
    }

    fn missing(&self, error: &ValidationError<'_>, name: &str) -> Finding {
        let mut path = error.instance_path().as_str().to_owned();
        pointer::push(&mut path, name);
        let shown = message::tick(&pointer::display(&path));
        let given = self.given_with(error, name);
        let body = match given {
            Some(given) => format!("{shown} is required with {}", message::tick(given)),
            None => format!("{shown} is required"),
        };
        let mut finding = Finding::new(path, own::REQUIRED, body);
        finding.hint = self.takes(error.instance_path().as_str());
        finding
    }

    /// Finds the member by which `dependentRequired` requires another.
    fn given_with(&self, error: &ValidationError<'_>, name: &str) -> Option<&str> {
        let dependencies = self.keyword(error)?.as_object()?;
        let instance = error.instance();
        let requires = |list: &Value| {
            list.as_array()
                .is_some_and(|list| list.iter().any(|other| other == name))
        };
        dependencies
            .iter()
            .find(|(given, list)| instance.get(given.as_str()).is_some() && requires(list))
            .map(|(given, _)| given.as_str())
    }

    /// `` `edits[0]` takes new_text, old_text ``, for a place that is not the root.
    fn takes(&self, path: &str) -> Option<String> {
        let slot = self.slot_at(path).filter(|_| !path.is_empty())?;
        let names: Vec<_> = slot
            .properties()
            .map(|(name, _)| (name, slot.requires(name)))
            .collect();
        (!names.is_empty()).then(|| message::tail(&subject(path), names))
    }

    fn unknown_names<'n>(
        &self,
        path: &str,
        unexpected: impl IntoIterator<Item = &'n String>,
        out: &mut Vec<Finding>,
    ) {
        let slot = self.slot_at(path);
        for name in unexpected {
            if path.is_empty() && self.deep.outside_branches.contains(name) {
                continue;
            }
            let mut at = path.to_owned();
            pointer::push(&mut at, name);
            let declared = slot
                .into_iter()
                .flat_map(|slot| slot.properties().map(|(name, _)| name));
            let body = unknown::suggest(name, &pointer::display(&at), declared, |near| {
                let mut at = path.to_owned();
                pointer::push(&mut at, near);
                pointer::display(&at)
            });
            let mut finding = Finding::new(at, own::UNKNOWN_ARGUMENT, body);
            finding.hint = self.takes(path);
            out.push(finding);
        }
    }

    /// Follows a path through the declared members and items.
    fn slot_at(&self, path: &str) -> Option<Slot<'_>> {
        let root = self.deep.signature().root();
        pointer::tokens(path).try_fold(root, |slot, token| {
            let item = pointer::index(&token).and_then(|index| slot.item(index));
            slot.property(&token).or(item)
        })
    }

    fn contains(&self, error: &ValidationError<'_>) -> (Code, String) {
        let at = error.schema_path().as_str();
        let holder = pointer::split_last(at)
            .and_then(|(holder, _)| self.deep.schema().pointer(holder))
            .unwrap_or(&Value::Null);
        let phrase = holder
            .get("contains")
            .map_or_else(|| "valid".to_owned(), |item| self.alone(item));
        let bound = |keyword: &str| holder.get(keyword).and_then(Value::as_u64);
        let items = |number: u64| {
            let that = if number == 1 {
                "that is"
            } else {
                "that are each"
            };
            format!("{} {that} {phrase}", count(&number, "item"))
        };
        let body = match (bound("minContains"), bound("maxContains")) {
            (_, Some(most)) if at.ends_with("/maxContains") => {
                format!("must have at most {}", items(most))
            }
            (least, None) => format!("must have at least {}", items(least.unwrap_or(1))),
            (least, Some(most)) => {
                format!("must have {} to {}", least.unwrap_or(1), items(most))
            }
        };
        (own::WRONG_VALUE, body)
    }

    fn must_not(&self, schema: &Value) -> String {
        if let Some(value) = schema.get("const") {
            return format!("must not be {}", quoted(value));
        }
        let required = schema.get("required").and_then(Value::as_array);
        let names: Vec<String> = required
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(message::tick)
            .collect();
        if !names.is_empty() && schema.as_object().is_some_and(|all| all.len() == 1) {
            return match names.as_slice() {
                [one] => format!("must not have {one}"),
                _ => format!("must not have {} together", message::list(names, "and")),
            };
        }
        match self.alone(schema).as_str() {
            "valid" => "must not be what its schema rules out".to_owned(),
            phrase => format!("must not be {phrase}"),
        }
    }

    fn alone(&self, schema: &Value) -> String {
        match (schema.get("const"), schema.get("pattern")) {
            (Some(value), _) => quoted(value),
            (None, Some(Value::String(pattern))) => {
                format!("a string that matches `{}`", message::clip(pattern))
            }
            _ => message::phrase(schema, self.deep.schema()),
        }
    }
}

/// Whether a path through a schema ends in the keyword that closes an object, and not in a member
/// of that name.
fn is_closure(schema_path: &str) -> bool {
    pointer::split_last(schema_path).is_some_and(|(parent, keyword)| {
        matches!(
            keyword.as_ref(),
            "additionalProperties" | "unevaluatedProperties"
        ) && !parent.ends_with("/properties")
    })
}

/// Names a place: `` `edits[0].old_text` ``, or `arguments` for the whole.
pub(super) fn subject(path: &str) -> String {
    if path.is_empty() {
        "arguments".to_owned()
    } else {
        message::tick(&pointer::display(path))
    }
}

/// Quotes a value as JSON, clipped.
pub(super) fn quoted(value: &Value) -> String {
    message::clip(&canonical::text(value).unwrap_or_default())
}

/// A divisor, which is a JSON value where a program turns on `jsonschema`'s arbitrary precision.
trait Divisor {
    fn shown(&self) -> String;
}

impl Divisor for f64 {
    fn shown(&self) -> String {
        canonical::ecmascript(*self)
    }
}

impl Divisor for Value {
    fn shown(&self) -> String {
        number(self)
    }
}

fn number(limit: &Value) -> String {
    match limit {
        Value::Number(number) => canonical::number(number),
        other => other.to_string(),
    }
}

fn count<N: Display + PartialEq + From<u8>>(limit: &N, what: &str) -> String {
    let plural = if *limit == N::from(1) { "" } else { "s" };
    format!("{limit} {what}{plural}")
}
