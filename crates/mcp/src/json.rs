//! Finds the members of a JSON text (RFC 8259) and where they stand, without building values.
//!
//! A proxy must change one member of a line and nothing else, so it needs places, not values: the
//! raw text between them stays as it was sent. The scan checks the whole grammar, does not recurse,
//! and costs one pass over the text.

use std::borrow::Cow;
use std::ops::Range;

/// A place in a text, in bytes.
pub(crate) type Span = Range<usize>;

/// The members of one object: name, decoded, and place of the value.
pub(crate) type Members<'a> = Vec<(Cow<'a, str>, Span)>;

/// Lists the members of the object that `span` holds; `None` when it holds no object, or text
/// that is not JSON.
pub(crate) fn members(text: &str, span: Span) -> Option<Members<'_>> {
    let mut cursor = Cursor::new(text, &span)?;
    let mut found = Vec::new();
    cursor.space();
    cursor.eat(b'{')?;
    cursor.space();
    if cursor.eat(b'}').is_none() {
        loop {
            let key = cursor.key()?;
            let value = cursor.value()?;
            found.push((decoded(text, key), value));
            cursor.space();
            if cursor.eat(b'}').is_some() {
                break;
            }
            cursor.eat(b',')?;
            cursor.space();
        }
    }
    cursor.at_end(&span).then_some(found)
}

/// Lists the places of the elements of the array that `span` holds.
pub(crate) fn elements(text: &str, span: Span) -> Option<Vec<Span>> {
    let mut cursor = Cursor::new(text, &span)?;
    let mut found = Vec::new();
    cursor.space();
    cursor.eat(b'[')?;
    cursor.space();
    if cursor.eat(b']').is_none() {
        loop {
            found.push(cursor.value()?);
            cursor.space();
            if cursor.eat(b']').is_some() {
                break;
            }
            cursor.eat(b',')?;
            cursor.space();
        }
    }
    cursor.at_end(&span).then_some(found)
}

/// Reads the string that `span` holds; `None` when it holds no string, or one with a lone
/// surrogate.
pub(crate) fn string(text: &str, span: Span) -> Option<Cow<'_, str>> {
    let raw = text.get(span)?;
    let inner = raw.strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        serde_json::from_str(raw).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inner))
    }
}

/// Returns the first byte of the value that `span` holds.
pub(crate) fn kind(text: &str, span: &Span) -> Option<u8> {
    text.as_bytes().get(span.start).copied()
}

/// Puts `text` into quotes, as JSON.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A name that cannot be decoded stays raw: it equals none that anyone looks for.
fn decoded(text: &str, span: Span) -> Cow<'_, str> {
    string(text, span.clone()).unwrap_or_else(|| Cow::Borrowed(text.get(span).unwrap_or_default()))
}

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn new(text: &'a str, span: &Span) -> Option<Self> {
        let bytes = text.get(..span.end)?.as_bytes();
        Some(Self {
            bytes,
            at: span.start,
        })
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn at_end(&mut self, span: &Span) -> bool {
        self.space();
        self.at == span.end
    }

    fn key(&mut self) -> Option<Span> {
        let key = self.string()?;
        self.space();
        self.eat(b':')?;
        self.space();
        Some(key)
    }

    fn value(&mut self) -> Option<Span> {
        let start = self.at;
        let mut closers: Vec<u8> = Vec::new();
        loop {
            match self.peek()? {
                b'{' => {
                    self.at += 1;
                    self.space();
                    if self.eat(b'}').is_none() {
                        closers.push(b'}');
                        self.key()?;
                        continue;
                    }
                }
                b'[' => {
                    self.at += 1;
                    self.space();
                    if self.eat(b']').is_none() {
                        closers.push(b']');
                        continue;
                    }
                }
                b'"' => {
                    self.string()?;
                }
                b'-' | b'0'..=b'9' => self.number()?,
                b't' => self.word(b"true")?,
                b'f' => self.word(b"false")?,
                b'n' => self.word(b"null")?,
                _ => return None,
            }
            loop {
                let Some(&closer) = closers.last() else {
                    return Some(start..self.at);
                };
                self.space();
                if self.eat(closer).is_some() {
                    closers.pop();
                    continue;
                }
                self.eat(b',')?;
                self.space();
                if closer == b'}' {
                    self.key()?;
                }
                break;
            }
        }
    }

    fn string(&mut self) -> Option<Span> {
        let start = self.at;
        self.eat(b'"')?;
        loop {
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Some(start..self.at);
                }
                b'\\' => {
                    self.at += 1;
                    match self.peek()? {
                        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => self.at += 1,
                        b'u' => {
                            let digits = self.bytes.get(self.at + 1..self.at + 5)?;
                            if !digits.iter().all(u8::is_ascii_hexdigit) {
                                return None;
                            }
                            self.at += 5;
                        }
                        _ => return None,
                    }
                }
                0..=0x1f => return None,
                _ => self.at += 1,
            }
        }
    }

    fn number(&mut self) -> Option<()> {
        let _ = self.eat(b'-');
        if self.eat(b'0').is_none() {
            self.digits()?;
        }
        if self.eat(b'.').is_some() {
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Some(())
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    fn word(&mut self, word: &[u8]) -> Option<()> {
        self.bytes
            .get(self.at..)?
            .starts_with(word)
            .then(|| self.at += word.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_json(text: &str) -> bool {
        // An element is any value, so the whole grammar is asked through an array.
        let wrapped = format!("[{text}]");
        let end = wrapped.len();
        elements(&wrapped, 0..end).is_some_and(|found| found.len() == 1)
    }

    #[test]
    fn members_are_found_with_their_places() {
        let text = r#" {"id" : 7, "a\u0062": {"x": [1, "]}"]} } "#;
        let found = members(text, 0..text.len()).unwrap();
        let shown: Vec<_> = found
            .iter()
            .map(|(key, span)| (key.as_ref(), &text[span.clone()]))
            .collect();
        assert_eq!(shown, [("id", "7"), ("ab", r#"{"x": [1, "]}"]}"#)]);
    }

    #[test]
    fn elements_are_found_with_their_places() {
        let text = r#"[1, {"a": []}, "x"]"#;
        let found = elements(text, 0..text.len()).unwrap();
        let shown: Vec<_> = found.into_iter().map(|span| &text[span]).collect();
        assert_eq!(shown, ["1", r#"{"a": []}"#, r#""x""#]);
    }

    #[test]
    fn what_is_not_json_is_refused() {
        for text in [
            "",
            "{",
            "{}}",
            "{a:1}",
            "{\"a\":1,}",
            "{\"a\" 1}",
            "[1 2]",
            "[1,]",
            "01",
            "1.",
            "-",
            "1e",
            "+1",
            "nul",
            "\"a",
            "\"\\x\"",
            "\"\\u12\"",
            "\"\u{1}\"",
            "tru e",
            "{\"a\":}",
        ] {
            assert!(!is_json(text), "{text}");
        }
    }

    #[test]
    fn a_lone_surrogate_is_json_but_no_string() {
        let text = r#""\ud800""#;
        assert!(is_json(text));
        assert_eq!(string(text, 0..text.len()), None);
    }

    #[test]
    fn deep_nesting_does_not_overflow() {
        let text = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
        assert!(is_json(&text));
        assert!(!is_json(&text[1..]));
    }

    proptest! {
        #[test]
        fn serde_json_agrees(text in "[\\[\\]{}\",:0-9a-z\\\\eE+. -]{0,24}") {
            let parsed = serde_json::from_str::<serde_json::Value>(&text);
            // What is JSON but out of serde_json's range: huge numbers.
            let in_range = !matches!(&parsed, Err(e) if e.to_string().starts_with("number out"));
            if in_range {
                prop_assert_eq!(is_json(&text), parsed.is_ok());
            }
        }
    }
}
