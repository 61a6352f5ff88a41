//! Canonical JSON text: keys in bytewise order, no white space, numbers as ECMAScript prints them
//! (contract, section 10.5).

use serde_json::{Number, Value};
use std::fmt::Write as _;

/// How deep a value may be nested; a call is never deeper (contract, section 4).
const MAX_DEPTH: usize = 128;

/// Spells a value as canonical JSON; `None` when it is nested deeper than 128.
///
/// Numbers are printed as ECMAScript does (ECMA-262, `Number::toString`), save that an integer
/// keeps every digit it was sent with: rounding it would make another argument of it.
pub(crate) fn text(value: &Value) -> Option<String> {
    let mut out = String::new();
    write(&mut out, value, MAX_DEPTH)?;
    Some(out)
}

fn write(out: &mut String, value: &Value, depth: usize) -> Option<()> {
    match value {
        Value::Number(number) => out.push_str(&self::number(number)),
        Value::Array(items) => {
            let depth = depth.checked_sub(1)?;
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write(out, item, depth)?;
            }
            out.push(']');
        }
        Value::Object(members) => {
            let depth = depth.checked_sub(1)?;
            // With serde_json's preserve_order a map keeps the order of the call.
            let mut members: Vec<_> = members.iter().collect();
            members.sort_unstable_by_key(|(key, _)| key.as_str());
            out.push('{');
            for (at, (key, member)) in members.into_iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                out.push_str(&string(key));
                out.push(':');
                write(out, member, depth)?;
            }
            out.push('}');
        }
        Value::String(text) => out.push_str(&string(text)),
        Value::Null | Value::Bool(_) => {
            let _ = write!(out, "{value}");
        }
    }
    Some(())
}

/// Spells a string as JSON.
pub(crate) fn string(text: &str) -> String {
    Value::from(text).to_string()
}

/// Spells a number as ECMAScript prints it.
pub(crate) fn number(number: &Number) -> String {
    let integer = number.is_i64() || number.is_u64();
    match number.as_f64() {
        Some(float) if !integer && float.is_finite() => ecmascript(float),
        _ => number.to_string(),
    }
}

/// Prints a finite number as `Number::toString` of ECMA-262 does, in radix 10.
pub(crate) fn ecmascript(float: f64) -> String {
    if float == 0.0 {
        return "0".to_owned();
    }
    let sign = if float < 0.0 { "-" } else { "" };
    // Rust prints the shortest digits that read back as the same number, as ECMAScript asks.
    let scientific = format!("{:e}", float.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits = mantissa.replace('.', "");
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let length = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    let point = exponent + 1;
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or_default());
    let body = if length <= point && point <= 21 {
        format!("{digits}{}", zeros(point - length))
    } else if 0 < point && point <= 21 {
        let (whole, fraction) = digits.split_at(usize::try_from(point).unwrap_or_default());
        format!("{whole}.{fraction}")
    } else if -6 < point && point <= 0 {
        format!("0.{}{digits}", zeros(-point))
    } else {
        format!("{mantissa}e{exponent:+}")
    };
    format!("{sign}{body}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn numbers_are_printed_as_ecmascript_prints_them() {
        let cases: &[(f64, &str)] = &[
            (5.0, "5"),
            (-0.0, "0"),
            (0.1, "0.1"),
            (-1.5, "-1.5"),
            (1e21, "1e+21"),
            (1e20, "100000000000000000000"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
            (1.5e-7, "1.5e-7"),
            (123e-20, "1.23e-18"),
            (1.7976931348623157e308, "1.7976931348623157e+308"),
            (5e-324, "5e-324"),
            (1234.5678, "1234.5678"),
            (9007199254740993.0, "9007199254740992"),
        ];
        for (float, text) in cases {
            assert_eq!(ecmascript(*float), *text);
        }
    }

    #[test]
    fn an_integer_keeps_every_digit() {
        assert_eq!(text(&json!(u64::MAX)).unwrap(), "18446744073709551615");
        assert_eq!(
            text(&json!(-9_007_199_254_740_993_i64)).unwrap(),
            "-9007199254740993"
        );
    }

    #[test]
    fn keys_are_in_bytewise_order_without_white_space() {
        let value: Value =
            serde_json::from_str(r#"{"b": [1.0, "x\n\u00e9"], "a": {"é": null, "z": true}}"#)
                .unwrap();
        assert_eq!(
            text(&value).unwrap(),
            "{\"a\":{\"z\":true,\"é\":null},\"b\":[1,\"x\\né\"]}"
        );
    }

    #[test]
    fn a_value_that_is_too_deep_has_no_text() {
        let mut value = json!(1);
        for _ in 0..128 {
            value = json!([value]);
        }
        assert!(text(&value).is_some());
        assert_eq!(text(&json!([value])), None);
    }

    proptest! {
        #[test]
        fn a_printed_number_reads_back_as_itself(float in proptest::num::f64::NORMAL) {
            let printed = ecmascript(float);
            prop_assert_eq!(printed.parse::<f64>().unwrap(), float);
        }
    }
}
