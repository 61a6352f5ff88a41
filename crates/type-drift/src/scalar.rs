//! What a string says, read as another scalar.

use serde_json::{Number, Value};

/// Drops the white space that JSON allows around a value.
pub(crate) fn trimmed(text: &str) -> &str {
    text.trim_matches([' ', '\n', '\r', '\t'])
}

/// Says whether a string says nothing: empty, or white space alone.
pub(crate) fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// Reads a boolean in the spelling of JSON or Python.
pub(crate) fn boolean(text: &str) -> Option<bool> {
    match text {
        "true" | "True" => Some(true),
        "false" | "False" => Some(false),
        _ => None,
    }
}

/// Reads a JSON number (RFC 8259, section 6) that loses nothing when it is held as a `Number`.
///
/// An integer literal is held exactly or not read; any other literal must print as the number
/// that it spells.
pub(crate) fn number(text: &str) -> Option<Number> {
    if !text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
        return None;
    }
    let Ok(Value::Number(number)) = serde_json::from_str(text) else {
        return None;
    };
    if is_integer(&number) {
        return Some(number);
    }
    let float = number.as_f64()?;
    let literal = text.contains(['.', 'e', 'E']);
    (literal && decimal(text) == decimal(&format!("{float:e}"))).then_some(number)
}

/// Says whether a number was spelled as an integer; `5.0` and `1e3` are none.
pub(crate) fn is_integer(number: &Number) -> bool {
    number.is_i64() || number.is_u64()
}

/// The significant digits of a literal, and the power of ten of the first; none for zero.
fn decimal(literal: &str) -> Option<(bool, Vec<u8>, i64)> {
    let (negative, literal) = match literal.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, literal),
    };
    let (mantissa, exponent) = literal.split_once(['e', 'E']).unwrap_or((literal, "0"));
    let exponent: i64 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = whole.bytes().chain(fraction.bytes());
    let zeros = digits.clone().take_while(|digit| *digit == b'0').count();
    let mut digits: Vec<u8> = digits.skip(zeros).collect();
    while digits.last() == Some(&b'0') {
        digits.pop();
    }
    if digits.is_empty() {
        return Some((false, digits, 0));
    }
    let shift = i64::try_from(whole.len()).ok()? - i64::try_from(zeros).ok()? - 1;
    Some((negative, digits, exponent.checked_add(shift)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<String> {
        number(text).map(|number| number.to_string())
    }

    #[test]
    fn an_integer_literal_is_read_exactly_or_not_at_all() {
        for text in [
            "0",
            "-1",
            "9007199254740993",
            "18446744073709551615",
            "-9223372036854775808",
        ] {
            assert_eq!(read(text).as_deref(), Some(text));
        }
        for text in [
            "18446744073709551616",
            "-9223372036854775809",
            "100000000000000000000",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_fraction_or_exponent_is_read_when_it_loses_nothing() {
        for text in [
            "0.1",
            "5.0",
            "0.10",
            "1e3",
            "1E+3",
            "8.854e-12",
            "-2.50",
            "1e22",
            "0.0",
            "0e5",
            "123456789.123456",
        ] {
            let value: f64 = text.parse().unwrap();
            assert_eq!(number(text).and_then(|n| n.as_f64()), Some(value), "{text}");
        }
        for text in [
            "0.12345678901234567890123",
            "12345678901234567890.5",
            "1e-999",
            "1e999",
            "9007199254740993.0",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn what_json_does_not_call_a_number_is_none() {
        for text in [
            "", "+5", "05", "007", ".5", "5.", "0x10", "1_000", "1,000", "5%", "5 6", "NaN",
            "Infinity", "-", "--5", "1e", "٣", "five", "1/6",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_boolean_has_two_spellings() {
        assert_eq!(boolean("true"), Some(true));
        assert_eq!(boolean("False"), Some(false));
        for text in ["TRUE", "yes", "1", "on", "t", " true", ""] {
            assert_eq!(boolean(text), None, "{text}");
        }
    }
}
