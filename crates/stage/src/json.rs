//! Reads JSON text without losing anything of it in silence.

use serde_json::Value;
use std::collections::HashSet;

/// Reads text that is strict JSON (RFC 8259) and says nothing twice: `None` when it is not JSON,
/// when an object in it has a key twice (compared after decoding), or when an integer in it does
/// not fit −2⁶³ … 2⁶⁴−1 and would be rounded.
///
/// Nesting is limited as serde_json limits it, to 127 levels. The cost is linear in the text.
///
/// ```
/// use callmend_stage::json::read_exactly;
/// use serde_json::json;
///
/// assert_eq!(read_exactly(r#"{"a": [1, 2.5]}"#), Some(json!({"a": [1, 2.5]})));
/// assert_eq!(read_exactly(r#"{"a": 1, "\u0061": 2}"#), None);
/// assert_eq!(read_exactly("18446744073709551616"), None);
/// assert_eq!(read_exactly("{a: 1}"), None);
/// ```
pub fn read_exactly(text: &str) -> Option<Value> {
    let value = serde_json::from_str(text).ok()?;
    says_nothing_twice(text).then_some(value)
}

/// Scans text that is known to be strict JSON.
fn says_nothing_twice(text: &str) -> bool {
    // The keys of each open object; nothing for an open array.
    let mut open: Vec<Option<HashSet<String>>> = Vec::new();
    let mut is_key = false;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let token = match c {
            '"' => string(rest),
            '-' | '0'..='9' => number(rest),
            _ => c.len_utf8(),
        };
        let Some((token, after)) = rest.split_at_checked(token) else {
            return false;
        };
        rest = after;
        match c {
            '{' => {
                open.push(Some(HashSet::new()));
                is_key = true;
            }
            '[' => {
                open.push(None);
                is_key = false;
            }
            '}' | ']' => {
                open.pop();
                is_key = false;
            }
            ',' => is_key = matches!(open.last(), Some(Some(_))),
            '"' if is_key => {
                is_key = false;
                let Some(Some(keys)) = open.last_mut() else {
                    return false;
                };
                if !serde_json::from_str(token).is_ok_and(|key| keys.insert(key)) {
                    return false;
                }
            }
            '-' | '0'..='9' if !is_kept(token) => return false,
            _ => {}
        }
    }
    true
}

/// Measures a string, quotes included.
fn string(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    });
    end.map_or(text.len(), |at| at + 2)
}

fn number(text: &str) -> usize {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

/// Says whether a number keeps its value; one with a fraction or an exponent is a float anyway.
fn is_kept(number: &str) -> bool {
    number.contains(['.', 'e', 'E'])
        || number.parse::<u64>().is_ok()
        || number.parse::<i64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn strict_json_is_read_as_serde_json_reads_it() {
        for text in [
            r#"{"a": {"b": 1, "c": [{"b": 2}, {"b": 3}]}, "b": "a,{\"a\":1}"}"#,
            r#" [1, -2, 3.5e10, "x\\", true, null, {}] "#,
            r#"{"a": "b", "c": ["a", "a"]}"#,
            "-9223372036854775808",
            "18446744073709551615",
            "\"\\\"\"",
        ] {
            let wanted: Value = serde_json::from_str(text).unwrap();
            assert_eq!(read_exactly(text), Some(wanted), "{text}");
        }
    }

    #[test]
    fn what_would_be_lost_is_not_read() {
        for text in [
            r#"{"a": 1, "a": 1}"#,
            r#"[{"x": {"a": 1, "b": [], "a": 2}}]"#,
            r#"{"a": {}, "\u0061": 1}"#,
            "9999999999999999999999",
            "[-9223372036854775809]",
        ] {
            assert_eq!(read_exactly(text), None, "{text}");
        }
    }

    #[test]
    fn a_large_text_is_read_in_one_pass() {
        let items: Vec<Value> = (0..50_000).map(|n| json!({"k": n, "v": "é\\"})).collect();
        let text = Value::Array(items).to_string();
        assert!(read_exactly(&text).is_some());
    }
}
