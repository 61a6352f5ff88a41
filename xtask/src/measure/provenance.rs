//! Property P2, checked without trusting the pipeline: every scalar that is returned stood in
//! what was sent.
//!
//! What was sent is looked at as text, as it is and after one to six rounds of undoing
//! backslash escapes. A string must be a contiguous part of one of these views; a number must be
//! a numeric token of one; `true`, `false` and `null` must be spelled in one, in any case.

use serde_json::Value;

/// How many layers of encoding are looked through: three of stringifying the call, two of stringifying a value, and one of escaping.
const LAYERS: usize = 7;

/// The views of what was sent.
pub(crate) struct Source {
    views: Vec<String>,
}

impl Source {
    /// Prepares the views.
    pub(crate) fn new(sent: &str) -> Self {
        let mut views = vec![sent.to_owned()];
        while views.len() < LAYERS {
            let Some(next) = views.last().map(|view| unescaped(view)) else {
                break;
            };
            if views.last() == Some(&next) {
                break;
            }
            views.push(next);
        }
        Self { views }
    }

    /// Finds a scalar or a key that did not stand in what was sent, and says where.
    pub(crate) fn invented(
        &self,
        arguments: &Value,
        declared: &dyn Fn(&str) -> bool,
    ) -> Option<String> {
        let mut work = vec![(String::new(), arguments)];
        while let Some((at, value)) = work.pop() {
            match value {
                Value::Object(members) => {
                    for (key, member) in members {
                        if !declared(key) && !self.holds(key) {
                            return Some(format!("the key `{key}` at `{at}`"));
                        }
                        work.push((format!("{at}/{key}"), member));
                    }
                }
                Value::Array(items) => {
                    for (index, item) in items.iter().enumerate() {
                        work.push((format!("{at}/{index}"), item));
                    }
                }
                Value::String(text) if self.holds(text) => {}
                Value::Number(number) if self.holds_number(number) => {}
                Value::Bool(true) if self.holds_word(&["true"]) => {}
                Value::Bool(false) if self.holds_word(&["false"]) => {}
                Value::Null if self.holds_word(&["null", "none"]) => {}
                _ => {
                    return Some(format!(
                        "{} at `{at}`",
                        super::super::call::clip(&value.to_string(), 80)
                    ));
                }
            }
        }
        None
    }

    fn holds(&self, text: &str) -> bool {
        self.views.iter().any(|view| view.contains(text))
    }

    fn holds_word(&self, words: &[&str]) -> bool {
        self.views.iter().any(|view| {
            let lower = view.to_ascii_lowercase();
            words.iter().any(|word| lower.contains(word))
        })
    }

    fn holds_number(&self, wanted: &serde_json::Number) -> bool {
        let text = wanted.to_string();
        if self.holds(&text) {
            return true;
        }
        self.views
            .iter()
            .flat_map(|view| numeric_tokens(view))
            .any(|token| same_number(token, wanted))
    }
}

fn same_number(token: &str, wanted: &serde_json::Number) -> bool {
    let (negative, digits) = match token.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, token.strip_prefix('+').unwrap_or(token)),
    };
    let hex = digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"));
    if let Some(value) = hex.and_then(|hex| i128::from_str_radix(hex, 16).ok()) {
        let value = if negative { -value } else { value };
        return integer(wanted) == Some(value);
    }
    if let (Ok(value), Some(wanted)) = (digits.parse::<i128>(), integer(wanted)) {
        return wanted == if negative { -value } else { value };
    }
    let value = digits
        .parse::<f64>()
        .map(|value| if negative { -value } else { value });
    value.is_ok_and(|value| wanted.as_f64() == Some(value))
}

fn integer(number: &serde_json::Number) -> Option<i128> {
    let signed = number.as_i64().map(i128::from);
    signed.or_else(|| number.as_u64().map(i128::from))
}

/// Lists the maximal runs of the characters that numbers are written with.
fn numeric_tokens(view: &str) -> impl Iterator<Item = &str> {
    view.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')))
        .filter(|token| token.bytes().any(|b| b.is_ascii_digit()))
}

/// Undoes one round of backslash escapes; what is no escape stays as it is.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let (spelled, length) = one_escape(escape);
        match spelled {
            Some(c) => out.push(c),
            None => out.push_str(escape.get(..length).unwrap_or(escape)),
        }
        rest = escape.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// Reads the escape that a text begins with: what it spells, and how long it is.
fn one_escape(text: &str) -> (Option<char>, usize) {
    match text.as_bytes().get(1) {
        Some(b'n') => (Some('\n'), 2),
        Some(b't') => (Some('\t'), 2),
        Some(b'r') => (Some('\r'), 2),
        Some(b'b') => (Some('\u{8}'), 2),
        Some(b'f') => (Some('\u{c}'), 2),
        Some(b @ (b'"' | b'\\' | b'/' | b'\'')) => (Some(char::from(*b)), 2),
        Some(b'u') => unicode_escape(text),
        _ => (None, 1),
    }
}

fn unicode_escape(text: &str) -> (Option<char>, usize) {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u32::from_str_radix(digits, 16).ok()
    };
    match (unit(0), unit(6)) {
        (Some(high @ 0xD800..=0xDBFF), Some(low @ 0xDC00..=0xDFFF)) => {
            let code = 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00);
            (char::from_u32(code), 12)
        }
        (Some(code), _) => (char::from_u32(code), 6),
        (None, _) => (None, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn invented(sent: &str, arguments: Value) -> Option<String> {
        Source::new(sent).invented(&arguments, &|_| false)
    }

    #[test]
    fn what_was_sent_in_any_spelling_is_found() {
        let sent = r#""{\"a\": 'x\\ny', \"b\": 0x1F, c: +.5, d: True, \"e\": \"\\ud83d\\ude00\"}""#;
        let arguments = json!({"a": "x\ny", "b": 31, "c": 0.5, "d": true, "e": "😀"});
        assert_eq!(invented(sent, arguments), None);
    }

    #[test]
    fn what_was_not_sent_is_named() {
        assert!(invented(r#"{"a": "lim"}"#, json!({"a": "lima"})).is_some());
        assert!(invented(r#"{"a": 5}"#, json!({"a": 6})).is_some());
        assert!(invented(r#"{"a": 1}"#, json!({"a": false})).is_some());
        assert!(invented(r#"{"a": 1}"#, json!({"a": null})).is_some());
        assert!(invented(r#"{"a": 1}"#, json!({"b": 1})).is_some());
    }
}
