//! Arguments that Vertex AI streams piece by piece, each at a JSON Path.
//!
//! Facts: the reference of `FunctionCall.partialArgs` and `PartialArg` (`jsonPath` of RFC 9535, one
//! of `stringValue`, `numberValue`, `boolValue` and `nullValue`, and `willContinue` when more of the
//! same value follows). Only the normalized forms of a path that can name one place are read:
//! `.name`, `['name']`, `["name"]` and `[0]`.

use crate::WireError;
use crate::stream::Budget;
use serde_json::{Map, Value};

/// How deep a path may lead; serde_json reads nothing deeper.
const MAX_DEPTH: usize = 127;

/// The arguments so far.
pub(crate) struct Partial {
    root: Value,
    /// The path of the string that goes on.
    open: Option<String>,
    broken: bool,
}

impl Default for Partial {
    fn default() -> Self {
        Self {
            root: Value::Object(Map::new()),
            open: None,
            broken: false,
        }
    }
}

enum Step {
    Key(String),
    Index(usize),
}

impl Partial {
    /// Adds one piece. One that does not fit makes the call count as cut off.
    pub(crate) fn add(&mut self, piece: &Value, budget: &mut Budget) -> Result<(), WireError> {
        let member = |camel: &str, snake: &str| piece.get(camel).or_else(|| piece.get(snake));
        let path = member("jsonPath", "json_path").and_then(Value::as_str);
        let Some((path, steps)) = path.and_then(|path| Some((path, steps(path)?))) else {
            self.broken = true;
            return Ok(());
        };
        budget.call()?;
        budget.take(path.len())?;
        let goes_on = member("willContinue", "will_continue") == Some(&Value::Bool(true));
        let continued = self.open.as_deref() == Some(path);
        self.broken |= self.open.is_some() && !continued;
        let value = value_of(&member);
        let Some(place) = place(&mut self.root, steps) else {
            self.broken = true;
            return Ok(());
        };
        match (value, &mut *place) {
            (Some(Value::String(more)), Value::String(text)) if continued => {
                budget.take(more.len())?;
                text.push_str(&more);
            }
            // The last piece of a string may carry no more of it.
            (None, Value::String(_)) if continued => {}
            (None, Value::Null) if goes_on => *place = Value::String(String::new()),
            (Some(value), Value::Null) if !continued => *place = budget.value(&value)?,
            _ => self.broken = true,
        }
        self.broken |= goes_on && !place.is_string();
        self.open = goes_on.then(|| path.to_owned());
        Ok(())
    }

    /// Gives the arguments, and whether every piece fitted and none is missing.
    pub(crate) fn finish(self) -> (Value, bool) {
        (self.root, !self.broken && self.open.is_none())
    }
}

fn value_of<'v>(member: &impl Fn(&str, &str) -> Option<&'v Value>) -> Option<Value> {
    if let Some(text @ Value::String(_)) = member("stringValue", "string_value") {
        return Some(text.clone());
    }
    if let Some(number @ Value::Number(_)) = member("numberValue", "number_value") {
        return Some(number.clone());
    }
    if let Some(flag @ Value::Bool(_)) = member("boolValue", "bool_value") {
        return Some(flag.clone());
    }
    member("nullValue", "null_value").map(|_| Value::Null)
}

/// Finds or makes the place that the steps lead to; a new place holds `null`. An array grows by one
/// item at a time, so no index costs more than what was sent.
fn place(root: &mut Value, steps: Vec<Step>) -> Option<&mut Value> {
    let mut at = root;
    for step in steps {
        at = match step {
            Step::Key(key) => {
                if at.is_null() {
                    *at = Value::Object(Map::new());
                }
                at.as_object_mut()?.entry(key).or_insert(Value::Null)
            }
            Step::Index(index) => {
                if at.is_null() {
                    *at = Value::Array(Vec::new());
                }
                let items = at.as_array_mut()?;
                if index == items.len() {
                    items.push(Value::Null);
                }
                items.get_mut(index)?
            }
        };
    }
    Some(at)
}

/// Reads a path; `None` when it is not one that names one place.
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if steps.len() == MAX_DEPTH {
            return None;
        }
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            let (name, after) = after.split_at(end);
            if name.is_empty() || name.contains(['*', ' ', ']']) {
                return None;
            }
            steps.push(Step::Key(name.to_owned()));
            rest = after;
        } else {
            let after = rest.strip_prefix('[')?;
            let (step, after) = match after.strip_prefix(['\'', '"']) {
                Some(quoted) => {
                    let quote = if after.starts_with('"') { '"' } else { '\'' };
                    let (name, after) = quoted_name(quoted, quote)?;
                    (Step::Key(name), after)
                }
                None => {
                    let end = after.find(']')?;
                    let (digits, after) = after.split_at(end);
                    let index = callmend_stage::pointer::index(digits)?;
                    (Step::Index(index), after)
                }
            };
            steps.push(step);
            rest = after.strip_prefix(']')?;
        }
    }
    Some(steps).filter(|steps| !steps.is_empty())
}

/// Reads a quoted name up to its quote (RFC 9535, section 2.3.1); other escapes than of quotes and
/// backslashes are not read.
fn quoted_name(text: &str, quote: char) -> Option<(String, &str)> {
    let mut name = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            _ if c == quote => return Some((name, text.get(at + c.len_utf8()..)?)),
            '\\' => match chars.next()?.1 {
                escaped @ ('\\' | '\'' | '"' | '/') => name.push(escaped),
                _ => return None,
            },
            _ => name.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::Format;
    use crate::stream::Accumulator;
    use serde_json::{Value, json};

    fn gather(pieces: Value) -> (Value, Option<bool>) {
        let mut stream: Accumulator = Format::Gemini.accumulator();
        let pieces = pieces.as_array().unwrap().clone();
        let last = pieces.len() - 1;
        for (at, piece) in pieces.into_iter().enumerate() {
            let mut function = json!({"partialArgs": [piece], "willContinue": at < last});
            if at == 0 {
                function["name"] = json!("f");
            }
            stream
                .push(
                    &json!({"candidates": [{"content": {"parts": [{"functionCall": function}]}}]}),
                )
                .unwrap();
        }
        stream
            .push(&json!({"candidates": [{"finishReason": "STOP"}]}))
            .unwrap();
        let call = stream.finish().remove(0);
        let crate::Arguments::Value(value) = call.arguments else {
            panic!("no value")
        };
        (value.into_owned(), call.complete)
    }

    #[test]
    fn pieces_add_up_at_any_path() {
        let (value, complete) = gather(json!([
            {"jsonPath": "$.city", "stringValue": "New ", "willContinue": true},
            {"jsonPath": "$.city", "stringValue": "Delhi"},
            {"jsonPath": "$.days[0].n", "numberValue": 1},
            {"jsonPath": "$.days[1]['x.y']", "boolValue": true},
            {"jsonPath": "$.none", "nullValue": "NULL_VALUE"}
        ]));
        let expected =
            json!({"city": "New Delhi", "days": [{"n": 1}, {"x.y": true}], "none": null});
        assert_eq!((value, complete), (expected, Some(true)));
    }

    #[test]
    fn the_last_piece_of_a_string_may_be_empty() {
        let (value, complete) = gather(json!([
            {"jsonPath": "$.a", "willContinue": true},
            {"jsonPath": "$.a", "stringValue": "x", "willContinue": true},
            {"jsonPath": "$.a"}
        ]));
        assert_eq!((value, complete), (json!({"a": "x"}), Some(true)));
    }

    #[test]
    fn pieces_that_do_not_fit_are_no_whole_call() {
        for pieces in [
            json!([{"jsonPath": "$.a", "stringValue": "x"}, {"jsonPath": "$.a", "stringValue": "y"}]),
            json!([{"jsonPath": "$.a", "stringValue": "x", "willContinue": true}, {"jsonPath": "$.b", "numberValue": 1}]),
            json!([{"jsonPath": "$.a", "stringValue": "x", "willContinue": true}]),
            json!([{"jsonPath": "$.a[5]", "numberValue": 1}]),
            json!([{"jsonPath": "$.*", "numberValue": 1}]),
            json!([{"jsonPath": "$..a", "numberValue": 1}]),
            json!([{"jsonPath": "a", "numberValue": 1}]),
            json!([{"jsonPath": "$", "numberValue": 1}]),
            json!([{"jsonPath": "$.a", "numberValue": 1}, {"jsonPath": "$.a.b", "numberValue": 1}]),
            json!([{"jsonPath": format!("${}", "[0]".repeat(500)), "numberValue": 1}]),
        ] {
            assert_eq!(gather(pieces.clone()).1, Some(false), "{pieces}");
        }
    }
}
