//! Numbers: serde_json's own, and the few ways in which models write them otherwise.

use crate::error::ErrorKind;
use crate::parser::{Parser, Stop};
use crate::relaxation::Relaxation;
use serde_json::{Number, Value};

/// Digits that any `u64` and `i64` holds.
const SAFE_DIGITS: usize = 18;

impl Parser<'_, '_> {
    /// Reads a number that begins with `-` or a digit.
    ///
    /// An integer of up to 18 digits is built here: under every feature of serde_json that is the
    /// same `Number` as its own parser gives. Anything else goes through that parser, so that a
    /// program's `float_roundtrip` or `arbitrary_precision` holds here too.
    #[inline]
    pub(crate) fn number(&mut self) -> Result<Value, Stop> {
        let negative = self.peek() == b'-';
        let first = self.pos + usize::from(negative);
        let mut at = first;
        let mut value = 0_u64;
        while let Some(&digit @ b'0'..=b'9') = self.bytes.get(at) {
            if at - first == SAFE_DIGITS {
                return self.number_in_full();
            }
            value = value * 10 + u64::from(digit - b'0');
            at += 1;
        }
        let plain = at > first
            && (at - first == 1 || self.bytes.get(first) != Some(&b'0'))
            && !(negative && value == 0)
            && matches!(
                self.bytes.get(at),
                Some(b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t')
            );
        if !plain {
            return self.number_in_full();
        }
        self.pos = at;
        Ok(Value::Number(if negative {
            // 18 digits fit.
            Number::from(0_i64.wrapping_sub_unsigned(value))
        } else {
            Number::from(value)
        }))
    }

    /// Reads a number in any of its forms: `-1.5e3`, `+1`, `.5`, `5.`, `0x1F`.
    #[cold]
    pub(crate) fn number_in_full(&mut self) -> Result<Value, Stop> {
        let start = self.pos;
        let mut at = start;
        let negative = self.byte(at) == b'-';
        if negative {
            at += 1;
        } else if self.byte(at) == b'+' {
            self.relax(Relaxation::PlusSign, start)?;
            at += 1;
        }
        if self.byte(at) == b'0' && matches!(self.byte(at + 1), b'x' | b'X') {
            return self.hexadecimal(start, at + 2, negative);
        }
        let whole = at;
        at = self.digits(at);
        let whole_end = at;
        let leading_zero = whole_end - whole > 1 && self.byte(whole) == b'0';
        let mut fraction = None;
        if self.byte(at) == b'.' {
            let from = at + 1;
            at = self.digits(from);
            fraction = Some((from, at));
        }
        let bare = whole == whole_end || fraction.is_some_and(|(from, to)| from == to);
        let digits = whole_end - whole + fraction.map_or(0, |(from, to)| to - from);
        if digits == 0 {
            return Err(self.no_number(at, start));
        }
        let exponent = at;
        if matches!(self.byte(at), b'e' | b'E') {
            at += 1;
            if matches!(self.byte(at), b'+' | b'-') {
                at += 1;
            }
            let from = at;
            at = self.digits(at);
            if at == from {
                return Err(self.no_number(at, start));
            }
        }
        if leading_zero {
            return Err(self.fail(ErrorKind::LeadingZero, start));
        }
        self.ends_number(at, start)?;
        // A number that ends the text with its point may have lost the digits after it.
        if bare && at >= self.bytes.len() {
            return Err(self.fail(ErrorKind::Truncated, at));
        }
        let number = if bare {
            self.relax(Relaxation::BarePoint, start)?;
            let or_zero = |digits: &str| if digits.is_empty() { "0" } else { digits }.to_owned();
            let (from, to) = fraction.unwrap_or((at, at));
            format!(
                "{}{}.{}{}",
                if negative { "-" } else { "" },
                or_zero(self.slice(whole, whole_end)),
                or_zero(self.slice(from, to)),
                self.slice(exponent, at),
            )
            .parse::<Number>()
        } else {
            let from = whole - usize::from(negative);
            self.slice(from, at).parse::<Number>()
        };
        let Ok(number) = number else {
            return Err(self.fail(ErrorKind::NumberOutOfRange, start));
        };
        // An integer literal that became a float was rounded, save `-0`. With arbitrary_precision
        // it stays what it was.
        let integer = fraction.is_none() && exponent == at;
        if integer && number.is_f64() && number.as_f64() != Some(0.0) {
            return Err(self.fail(ErrorKind::NumberOutOfRange, start));
        }
        self.pos = at;
        Ok(Value::Number(number))
    }

    fn hexadecimal(&mut self, start: usize, from: usize, negative: bool) -> Result<Value, Stop> {
        let mut at = from;
        let mut value = Some(0_u64);
        while let Some(digit) = char::from(self.byte(at)).to_digit(16) {
            value = value
                .and_then(|v| v.checked_mul(16))
                .map(|v| v | u64::from(digit));
            at += 1;
        }
        if at == from {
            return Err(self.no_number(at, start));
        }
        self.ends_number(at, start)?;
        self.relax(Relaxation::Hexadecimal, start)?;
        let number = match value {
            Some(value) if negative => 0_i64
                .checked_sub_unsigned(value)
                .filter(|v| *v != 0)
                .map(Number::from),
            other => other.map(Number::from),
        };
        let Some(number) = number else {
            return Err(self.fail(ErrorKind::NumberOutOfRange, start));
        };
        self.pos = at;
        Ok(Value::Number(number))
    }

    fn digits(&self, from: usize) -> usize {
        let mut at = from;
        while self.byte(at).is_ascii_digit() {
            at += 1;
        }
        at
    }

    /// A number is over where a token can end: `5px`, `1_000` and `1/6` are no numbers.
    fn ends_number(&mut self, at: usize, start: usize) -> Result<(), Stop> {
        let next = self.byte(at);
        let touches = next.is_ascii_alphanumeric()
            || next >= 0x80 && !self.is_space_at(at)
            || matches!(next, b'_' | b'$' | b'.' | b'+' | b'-' | b'%' | b'/' | b'#');
        if touches {
            return Err(self.no_number(at, start));
        }
        Ok(())
    }

    fn no_number(&mut self, at: usize, start: usize) -> Stop {
        if at >= self.bytes.len() {
            return self.fail(ErrorKind::Truncated, at);
        }
        let rest = self.slice(start, self.bytes.len());
        let unsigned = rest.trim_start_matches(['-', '+']);
        if unsigned.starts_with("Infinity") || unsigned.starts_with("NaN") {
            return self.fail(ErrorKind::NoJsonValue, start);
        }
        if rest.starts_with("...") {
            return self.fail(ErrorKind::Ellipsis, start);
        }
        self.fail(ErrorKind::Expected("a number"), start)
    }
}
