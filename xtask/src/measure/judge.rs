//! What a call should become, and what is said of what it became.

use crate::call::clip;
use serde_json::Value;

/// What is known of a call: what it should become.
#[derive(Debug, Clone)]
pub(crate) enum Label {
    /// One reading: this value, dispatched.
    One(Value),
    /// This value or a refusal; any other value is wrong.
    Soft(Value),
    /// No reading, or more than one: nothing may be dispatched.
    Refuse,
    /// Nothing is wrong with it: it comes back clean, as it is.
    Untouched(Value),
    /// The cascade does not know this mistake: the call as it reads, what was meant, or a refusal.
    Passing { reads: Value, meant: Value },
    /// What was meant is known up to the type of a value: any of these, or a refusal.
    Typed(Vec<Value>),
    /// Nothing is known; only the properties are checked.
    Free,
    /// A case of the field, with everything that it says.
    Field(Field),
}

/// What a case of the field says.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    /// `accept`, `repair`, `repair_or_reject` or `reject`.
    pub(crate) outcome: String,
    /// `must`, `should` or `may`.
    pub(crate) strength: String,
    /// What was meant.
    pub(crate) args: Option<Value>,
    /// What must not be dispatched.
    pub(crate) never: Vec<Value>,
    /// What the refusal must mention.
    pub(crate) mentions: Vec<String>,
}

/// What became of a call.
#[derive(Debug, Clone)]
pub(crate) struct Got {
    /// The arguments that would be dispatched.
    pub(crate) dispatched: Option<Value>,
    /// Whether there was no edit.
    pub(crate) clean: bool,
    /// The code and message of the rejection.
    pub(crate) refusal: Option<(String, String)>,
    /// The message and every hint, for what a refusal must mention.
    pub(crate) said: String,
}

/// What is said of it. The order is that of the table's columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Finding {
    /// Repaired into exactly what was meant.
    Recovered,
    /// Came back as it was, as it should.
    Clean,
    /// Refused, as it should or may be.
    Refused,
    /// Dispatched, and nothing is known of what was meant.
    Dispatched,
    /// Refused, although it has one reading.
    Missed(String),
    /// Untouched by any mistake, and yet rewritten or refused.
    Changed(String),
    /// Dispatched, and not what was meant.
    Wrong(String),
}

/// Judges an outcome by its label.
pub(crate) fn judge(label: &Label, got: &Got) -> Finding {
    let refusal = || match &got.refusal {
        Some((code, message)) => format!("{code}: {message}"),
        None => "nothing was dispatched".to_owned(),
    };
    match (label, &got.dispatched) {
        (Label::One(meant) | Label::Soft(meant), Some(value)) if value == meant => {
            Finding::Recovered
        }
        (Label::One(_), None) => Finding::Missed(refusal()),
        (Label::Soft(_) | Label::Refuse | Label::Passing { .. }, None) => Finding::Refused,
        (Label::One(meant) | Label::Soft(meant), Some(value)) => differs(meant, value),
        (Label::Refuse, Some(value)) => {
            Finding::Wrong(format!("must be refused, and became {}", show(value)))
        }
        (Label::Untouched(meant), Some(value)) if value == meant && got.clean => Finding::Clean,
        (Label::Untouched(_), Some(value)) => Finding::Changed(format!("became {}", show(value))),
        (Label::Untouched(_), None) => Finding::Changed(refusal()),
        (Label::Passing { meant, .. }, Some(value)) if value == meant => Finding::Recovered,
        (Label::Passing { reads, .. }, Some(value)) if value == reads => Finding::Clean,
        (Label::Passing { reads, .. }, Some(value)) => differs(reads, value),
        (Label::Typed(meant), Some(value)) => {
            if meant.iter().any(|meant| same_after_typing(meant, value)) {
                Finding::Recovered
            } else {
                meant
                    .first()
                    .map_or(Finding::Dispatched, |meant| differs(meant, value))
            }
        }
        (Label::Typed(_) | Label::Free, None) => Finding::Refused,
        (Label::Free, Some(_)) => Finding::Dispatched,
        (Label::Field(field), _) => judge_field(field, got, &refusal()),
    }
}

fn judge_field(field: &Field, got: &Got, refusal: &str) -> Finding {
    if let Some(value) = &got.dispatched {
        if field.never.contains(value) {
            return Finding::Wrong(format!("must never be dispatched: {}", show(value)));
        }
        let meant = field.args.as_ref();
        let same = meant == Some(value);
        return match (field.outcome.as_str(), field.strength.as_str()) {
            ("accept", _) if same && got.clean => Finding::Clean,
            ("accept", _) => Finding::Changed(format!("became {}", show(value))),
            ("repair" | "repair_or_reject", _) if same => Finding::Recovered,
            (_, "may") => Finding::Dispatched,
            _ => match meant {
                Some(meant) => differs(meant, value),
                None => Finding::Wrong(format!("must be refused, and became {}", show(value))),
            },
        };
    }
    let unsaid: Vec<&str> = field
        .mentions
        .iter()
        .map(String::as_str)
        .filter(|mention| !got.said.contains(mention))
        .collect();
    match field.outcome.as_str() {
        "accept" => Finding::Changed(refusal.to_owned()),
        "repair" => Finding::Missed(refusal.to_owned()),
        "reject" if !unsaid.is_empty() => {
            Finding::Missed(format!("does not mention {unsaid:?}: {}", got.said))
        }
        _ => Finding::Refused,
    }
}

fn differs(meant: &Value, value: &Value) -> Finding {
    Finding::Wrong(format!("meant {}, and became {}", show(meant), show(value)))
}

fn show(value: &Value) -> String {
    clip(&value.to_string(), 300)
}

/// Whether two values are equal but for the type that a schema gives them: `"5"` and `5`, a
/// stringified container and the container, `null` and nothing, one string and a list of it.
fn same_after_typing(meant: &Value, value: &Value) -> bool {
    match (meant, value) {
        (Value::Object(a), Value::Object(b)) => {
            let covers = |one: &serde_json::Map<String, Value>,
                          other: &serde_json::Map<String, Value>| {
                one.iter().all(|(key, member)| match other.get(key) {
                    Some(twin) => same_after_typing(member, twin),
                    None => member.is_null(),
                })
            };
            covers(a, b)
                && b.iter()
                    .all(|(key, member)| a.contains_key(key) || member.is_null())
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_after_typing(a, b))
        }
        (Value::Number(a), Value::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Value::String(_), Value::String(_)) => meant == value,
        (Value::String(text), other) | (other, Value::String(text)) => {
            serde_json::from_str::<Value>(text).is_ok_and(|read| same_after_typing(&read, other))
                || (text == "True" && other == &Value::Bool(true))
                || (text == "False" && other == &Value::Bool(false))
                || other == &Value::Array(vec![Value::String(text.clone())])
        }
        _ => meant == value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn typing_is_looked_through_and_nothing_else() {
        assert!(same_after_typing(
            &json!({"a": "5", "b": null}),
            &json!({"a": 5})
        ));
        assert!(same_after_typing(
            &json!({"a": ["x"]}),
            &json!({"a": "[\"x\"]"})
        ));
        assert!(!same_after_typing(&json!({"a": "5"}), &json!({"a": "6"})));
        assert!(!same_after_typing(
            &json!({"a": 5}),
            &json!({"a": 5, "b": 1})
        ));
    }
}
