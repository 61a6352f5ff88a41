//! What the parser does where strict JSON ends: keys, colons, values, commas and closers.

use crate::blank::Place;
use crate::error::ErrorKind;
use crate::guide::{Frame, Holder};
use crate::parser::{Next, Parser, Stop};
use crate::relaxation::Relaxation;
use crate::search::{self, Fix, Gap};
use crate::string::opening;
use callmend_stage::Type;
use serde_json::{Map, Value};

/// Words that stand for a value in some language. None of them, and no beginning of one, is read
/// as a string without quotes.
const LITERAL_WORDS: &[&str] = &[
    "true",
    "false",
    "null",
    "none",
    "nil",
    "nan",
    "undefined",
    "infinity",
    "inf",
];

impl Parser<'_, '_> {
    /// Reads a key that is not in double quotes, or the end of the object (nothing).
    #[cold]
    pub(crate) fn relaxed_key(
        &mut self,
        up: Option<&Frame<'_>>,
        map: &Map<String, Value>,
        fresh: bool,
    ) -> Result<Option<String>, Stop> {
        loop {
            let byte = self.blank(Place::Key)?;
            let at = self.pos;
            match byte {
                b',' => {
                    self.relax(extra_comma(fresh), at)?;
                    self.pos += 1;
                }
                b'}' => {
                    if !fresh {
                        self.relax(Relaxation::TrailingComma, at)?;
                    }
                    self.pos += 1;
                    if self.doubled {
                        self.second_brace(b'}')?;
                    }
                    return Ok(None);
                }
                b'{' if fresh && up.is_none() && map.is_empty() && self.opens_doubled() => {
                    self.relax(Relaxation::DoubledBraces, at)?;
                    self.doubled = true;
                    self.pos += 1;
                }
                b'"' => {
                    self.pos += 1;
                    return self.string().map(Some);
                }
                b']' => return Err(self.fail(ErrorKind::WrongCloser { expected: '}' }, at)),
                _ => {
                    if let Some((quote, length)) = opening(self.bytes, at) {
                        return self.quoted(quote, length).map(Some);
                    }
                    return self.unquoted_key().map(Some);
                }
            }
        }
    }

    /// Whether the brace here follows the root's own at once.
    fn opens_doubled(&self) -> bool {
        !self.doubled
            && self.depth == 1
            && self.pos.checked_sub(1).map(|at| self.byte(at)) == Some(b'{')
    }

    pub(crate) fn unquoted_key(&mut self) -> Result<String, Stop> {
        let at = self.pos;
        let rest = self.rest();
        if self.at_end() {
            return Err(self.fail(ErrorKind::Truncated, at));
        }
        if is_ellipsis(rest) {
            return Err(self.fail(ErrorKind::Ellipsis, at));
        }
        let key = words_of_a_key(rest);
        let begins = key.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$'));
        let reserved = LITERAL_WORDS.iter().any(|w| w.eq_ignore_ascii_case(key));
        if !begins || reserved {
            return Err(self.fail(ErrorKind::Expected("a key in double quotes"), at));
        }
        self.relax(Relaxation::UnquotedKey, at)?;
        self.pos = at + key.len();
        Ok(key.to_owned())
    }

    /// Reads the colon after a key where it does not stand at once.
    #[cold]
    pub(crate) fn relaxed_colon(
        &mut self,
        up: Option<&Frame<'_>>,
        map: &Map<String, Value>,
        key: &str,
        key_at: usize,
    ) -> Result<(), Stop> {
        let byte = self.blank(Place::Colon)?;
        let at = self.pos;
        match byte {
            b':' => {
                self.pos += 1;
                return Ok(());
            }
            b',' | b'}' => return Err(self.fail(ErrorKind::MissingValue, at)),
            b']' => return Err(self.fail(ErrorKind::WrongCloser { expected: '}' }, at)),
            0 if self.at_end() => return Err(self.fail(ErrorKind::Truncated, at)),
            _ => {}
        }
        let frame = Frame {
            up,
            holder: Holder::Object { map, key },
        };
        match self.next_fix(&frame, Gap::Key { at: key_at })? {
            // A key without quotes before a quote has more likely lost its own.
            Some(Fix::Colon(place)) if place == at && self.is_quoted_at(key_at) => {
                // `"path"": "x"` has a quote too many, not a colon too few.
                let touches = at.checked_sub(1).map(|before| self.byte(before)) == Some(b'"');
                if touches
                    && self
                        .slice(at + 1, self.bytes.len())
                        .trim_start()
                        .starts_with(':')
                {
                    return Err(self.fail(ErrorKind::QuoteReadings, at));
                }
                self.without_colon = at;
                self.bind(&frame, at, "`:`");
                self.relax(Relaxation::MissingColon, at)
            }
            _ => Err(self.fail(ErrorKind::Expected("`:`"), at)),
        }
    }

    /// Finds the next item of an array, or its end (`false`).
    #[cold]
    pub(crate) fn relaxed_item(&mut self, first: &mut u8, fresh: bool) -> Result<bool, Stop> {
        loop {
            *first = self.blank(Place::Item)?;
            let at = self.pos;
            match *first {
                b',' => {
                    self.relax(extra_comma(fresh), at)?;
                    self.pos += 1;
                }
                b']' => {
                    if !fresh {
                        self.relax(Relaxation::TrailingComma, at)?;
                    }
                    self.pos += 1;
                    return Ok(false);
                }
                b'}' => return Err(self.fail(ErrorKind::WrongCloser { expected: ']' }, at)),
                0 if self.at_end() => return Err(self.fail(ErrorKind::Truncated, at)),
                _ => return Ok(true),
            }
        }
    }

    /// Finds what follows a value where neither a comma nor the closer stands at once.
    #[cold]
    pub(crate) fn relaxed_next(
        &mut self,
        frame: &Frame<'_>,
        closer: u8,
        value: &mut Value,
    ) -> Result<Next, Stop> {
        loop {
            let byte = self.blank(Place::After)?;
            let at = self.pos;
            match byte {
                b',' => {
                    self.pos += 1;
                    return Ok(Next::Comma);
                }
                b'}' | b']' if byte == closer => {
                    self.pos += 1;
                    if self.doubled && byte == b'}' {
                        self.second_brace(b'}')?;
                    }
                    return Ok(Next::Close);
                }
                b'}' | b']' => {
                    let expected = char::from(closer);
                    return Err(self.fail(ErrorKind::WrongCloser { expected }, at));
                }
                0 if self.at_end() => {
                    if !self.complete || self.doubled {
                        return Err(self.fail(ErrorKind::Truncated, at));
                    }
                    self.relax(Relaxation::MissingCloser, at)?;
                    return Ok(Next::Close);
                }
                _ => {}
            }
            match self.next_fix(frame, Gap::Value)? {
                Some(Fix::Comma(place)) if place == at && !self.lost_a_quote(at, closer) => {
                    // `"a," "b": 1` has its comma, before the quote instead of behind it.
                    if ends_in_comma(value) {
                        return Err(self.fail(ErrorKind::QuoteReadings, self.last.close));
                    }
                    self.bind(frame, at, expected_after(closer));
                    self.relax(Relaxation::MissingComma, at)?;
                    return Ok(Next::Comma);
                }
                Some(Fix::Text { quote, end }) if quote == self.last.close => {
                    if self.without_colon.checked_add(1) == Some(self.last.open) {
                        return Err(self.fail(ErrorKind::QuoteReadings, self.without_colon));
                    }
                    let Value::String(text) = value else {
                        return Err(self.after_value(closer, at));
                    };
                    self.bind(frame, quote, expected_after(closer));
                    self.longer_string(frame, text, end)?;
                }
                _ => return Err(self.after_value(closer, at)),
            }
        }
    }

    fn is_quoted_at(&self, at: usize) -> bool {
        self.byte(at) == b'"' || opening(self.bytes, at).is_some()
    }

    /// Whether what touches the entry at `at` has more likely lost a quote than a comma:
    /// `"a, "b: 1` in an object, `[a", "b"]` in an array.
    fn lost_a_quote(&self, at: usize, closer: u8) -> bool {
        let before = at.checked_sub(1).map_or(0, |before| self.byte(before));
        match closer {
            b'}' => before == b'"' && !self.is_quoted_at(at),
            _ => before.is_ascii_alphanumeric(),
        }
    }

    fn after_value(&mut self, closer: u8, at: usize) -> Stop {
        self.fail(ErrorKind::Expected(expected_after(closer)), at)
    }

    /// Takes the next place where the one reading departs from the text; the search for it begins
    /// when the first is asked for. Nothing when there is no reading.
    fn next_fix(&mut self, frame: &Frame<'_>, from: Gap) -> Result<Option<Fix>, Stop> {
        if self.plan.is_none() {
            if self.bytes.len() > crate::MAX_RELAXED_BYTES {
                return Err(self.fail(ErrorKind::TooLarge, self.pos));
            }
            match search::readings(self, frame, from) {
                Ok(plan) => self.plan = Some(plan),
                Err(kind) => return Err(self.fail(kind, self.pos)),
            }
        }
        Ok(self.plan.as_mut().and_then(search::Plan::next))
    }

    /// Reads a value that does not begin as a strict one does.
    #[cold]
    pub(crate) fn relaxed_value(&mut self, frame: &Frame<'_>) -> Result<Value, Stop> {
        let place = match frame.holder {
            Holder::Object { .. } => Place::Value,
            Holder::Array { .. } => Place::Item,
        };
        let byte = self.blank(place)?;
        let at = self.pos;
        match byte {
            b'"' | b'{' | b'[' | b'-' | b'0'..=b'9' => return self.value(byte, frame),
            b'+' => return self.number_in_full(),
            b'.' if self.byte(at + 1).is_ascii_digit() => return self.number_in_full(),
            b',' | b'}' | b']' => return Err(self.fail(ErrorKind::MissingValue, at)),
            0 if self.at_end() => return Err(self.fail(ErrorKind::Truncated, at)),
            _ => {}
        }
        if let Some((quote, length)) = opening(self.bytes, at) {
            return self.quoted(quote, length).map(Value::String);
        }
        if let Some(value) = self.literal()? {
            return Ok(value);
        }
        self.unquoted_value(frame).map(Value::String)
    }

    /// Reads a literal of JSON or Python.
    pub(crate) fn literal(&mut self) -> Result<Option<Value>, Stop> {
        let at = self.pos;
        for (word, value) in [
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
            ("null", Value::Null),
        ] {
            if self.word(word) {
                return Ok(Some(value));
            }
        }
        for (word, value) in [
            ("True", Value::Bool(true)),
            ("False", Value::Bool(false)),
            ("None", Value::Null),
        ] {
            if self.word(word) {
                self.relax(Relaxation::PythonLiteral, at)?;
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// Reads a string without quotes, in a slot that takes one.
    fn unquoted_value(&mut self, frame: &Frame<'_>) -> Result<String, Stop> {
        let at = self.pos;
        let rest = self.rest();
        if is_ellipsis(rest) {
            return Err(self.fail(ErrorKind::Ellipsis, at));
        }
        let end = rest.find([',', '}', ']', '\n', '\r']).unwrap_or(rest.len());
        let token = rest.get(..end).unwrap_or_default().trim_end();
        let cut = end == rest.len();
        if let Some(dots) = token.find("...").or_else(|| token.find('…')) {
            return Err(self.fail(ErrorKind::Ellipsis, at + dots));
        }
        let lower = token.to_ascii_lowercase();
        if let Some(word) = LITERAL_WORDS.iter().find(|word| word.starts_with(&lower)) {
            let kind = if cut {
                ErrorKind::Truncated
            } else if *word == lower && !matches!(*word, "true" | "false" | "null") {
                ErrorKind::NoJsonValue
            } else {
                ErrorKind::Expected("a value")
            };
            return Err(self.fail(kind, if cut { self.bytes.len() } else { at }));
        }
        let eligible = may_be_unquoted(token)
            && frame
                .slot(self.guide)
                .is_some_and(|slot| slot.takes(Type::String));
        if eligible && cut {
            return Err(self.fail(ErrorKind::Truncated, self.bytes.len()));
        }
        if !eligible || !self.bind(frame, at, "a value") {
            return Err(self.fail(ErrorKind::Expected("a value"), at));
        }
        self.relax(Relaxation::UnquotedValue, at)?;
        self.pos = at + token.len();
        Ok(token.to_owned())
    }
}

/// What may stand after a value in a container that closes with `closer`.
const fn expected_after(closer: u8) -> &'static str {
    match closer {
        b'}' => "`,` or `}`",
        _ => "`,` or `]`",
    }
}

/// How many words a key without quotes may have.
const KEY_WORDS: usize = 8;

/// Returns a key without quotes: one word, or several with a space between each two where a colon
/// follows them.
fn words_of_a_key(rest: &str) -> &str {
    let one = unquoted_key_in(rest);
    let mut end = one.len();
    for _ in 1..KEY_WORDS {
        let after = rest.get(end..).unwrap_or_default();
        let word = after.strip_prefix(' ').map_or("", unquoted_key_in);
        if word.is_empty() {
            break;
        }
        end += 1 + word.len();
    }
    let after = rest.get(end..).unwrap_or_default();
    let ends = after.trim_start_matches([' ', '\t']).starts_with(':');
    if ends {
        rest.get(..end).unwrap_or(one)
    } else {
        one
    }
}

/// Returns what may be a key without quotes at the beginning of a text.
pub(crate) fn unquoted_key_in(rest: &str) -> &str {
    let end = rest
        .find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$' | '-' | '.'))
        .unwrap_or(rest.len());
    rest.get(..end).unwrap_or_default()
}

/// Whether a token without quotes can be nothing but text.
pub(crate) fn may_be_unquoted(token: &str) -> bool {
    let mut letter = false;
    let mut chars = token.chars().peekable();
    let number_like = token.starts_with(|c: char| c.is_numeric() || matches!(c, '+' | '-'));
    while let Some(c) = chars.next() {
        match c {
            '"' | '\'' | '`' | '\\' | '#' => return false,
            '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' => return false,
            '\u{2018}'..='\u{201F}' | '\u{AB}' | '\u{BB}' => return false,
            // A colon before `/` is part of a path, any other may end a key.
            ':' if chars.peek() != Some(&'/') => return false,
            '/' if chars.peek() == Some(&'/') => return false,
            '\t' | ' ' => {}
            c if c.is_control() || c.is_whitespace() || is_invisible(c) => return false,
            c => letter |= c.is_alphabetic(),
        }
    }
    letter && !number_like
}

/// Whether a character shows as nothing, so that what stands behind it may be a literal.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
}

fn ends_in_comma(value: &Value) -> bool {
    value
        .as_str()
        .is_some_and(|text| text.trim_end().ends_with(','))
}

fn is_ellipsis(rest: &str) -> bool {
    rest.starts_with("...") || rest.starts_with('…')
}

const fn extra_comma(fresh: bool) -> Relaxation {
    if fresh {
        Relaxation::LeadingComma
    } else {
        Relaxation::DoubledComma
    }
}
