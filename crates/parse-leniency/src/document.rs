//! The whole text: what may stand around the root, layers of strings, and what follows the root.

use crate::blank::Place;
use crate::error::{ErrorKind, ParseError};
use crate::guide::Guide;
use crate::markup::{self, Side, Token};
use crate::parser::{Fault, Parser, Stop};
use crate::relaxation::{Relaxation, Relaxed};
use crate::string::{Quote, opening};
use crate::{MAX_LAYERS, MAX_RELAXED_BYTES, Options, Parsed, Root};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// What one text held.
enum Read {
    Value(Value),
    /// The content of a string.
    Inner(String),
    /// The text without its layer of escapes.
    Unescaped(String),
    /// Blank, `null` or `None`.
    Nothing,
}

/// Reads a text, through the strings that it may be wrapped in.
pub(crate) fn read(
    text: &str,
    guide: Guide<'_>,
    options: Options,
    first_layer: u8,
) -> Result<Parsed, ParseError> {
    let mut text = Cow::Borrowed(text);
    let mut relaxed = Relaxed::default();
    let mut layer = first_layer;
    if layer > 0 {
        relaxed.add(Relaxation::Stringified);
    }
    let mut fence = None;
    loop {
        let mut parser = Parser::new(&text, guide, options.complete);
        parser.fence = fence.take();
        let read = parser.document(options.root);
        relaxed = relaxed.or(parser.relaxed);
        let failed = |kind, at| ParseError::new(kind, at, &text, layer);
        let inner = match read {
            Ok(Read::Value(value)) => {
                return Ok(Parsed {
                    value,
                    relaxed,
                    layers: layer,
                });
            }
            Ok(Read::Nothing) => return Err(failed(ErrorKind::Empty, 0)),
            Ok(Read::Inner(inner)) => inner,
            Ok(Read::Unescaped(inner)) => {
                fence = parser.fence;
                inner
            }
            Err(Stop) => {
                let Some(fault) = parser.fault.take() else {
                    return Err(failed(ErrorKind::Expected("an object"), 0));
                };
                let Fault { kind, at, mut path } = *fault;
                path.reverse();
                // What a string holds is not prose around an object, but no object.
                let kind = match kind {
                    ErrorKind::TextBefore if layer > 0 => ErrorKind::NotAnObject,
                    kind => kind,
                };
                return Err(failed(kind, at).with_path(path));
            }
        };
        if layer >= MAX_LAYERS {
            return Err(failed(ErrorKind::TooManyLayers, 0));
        }
        if text.len() > MAX_RELAXED_BYTES {
            return Err(failed(ErrorKind::TooLarge, 0));
        }
        relaxed.add(Relaxation::Stringified);
        layer += 1;
        text = Cow::Owned(inner);
    }
}

impl Parser<'_, '_> {
    /// Reads one text from beginning to end.
    fn document(&mut self, root: Root) -> Result<Read, Stop> {
        let first = self.token();
        if first != b'{'
            && let Some(read) = self.before(root)?
        {
            return Ok(read);
        }
        if self.is_escaped_throughout()
            && let Some(inner) = self.unescaped()
        {
            return Ok(Read::Unescaped(inner));
        }
        let value = match self.peek() {
            b'{' => self.object(None)?,
            _ => self.array(None)?,
        };
        self.token();
        if self.at_end() {
            return self.finished(value);
        }
        if !self.end_of_document()? {
            return self.finished(value);
        }
        self.more_objects(value)
    }

    fn finished(&mut self, value: Value) -> Result<Read, Stop> {
        if self.doubled && holds_brace_pair(&value) {
            return Err(self.fail(ErrorKind::BracesInString, 0));
        }
        Ok(Read::Value(value))
    }

    /// Reads what stands before the root; the whole of a text that is no object or array.
    #[cold]
    fn before(&mut self, root: Root) -> Result<Option<Read>, Stop> {
        if self.pos == 0 && self.text.starts_with('\u{FEFF}') {
            self.relax(Relaxation::ByteOrderMark, 0)?;
            self.pos = '\u{FEFF}'.len_utf8();
        }
        let mut wrapped = false;
        loop {
            let byte = self.blank(Place::Root)?;
            let at = self.pos;
            match byte {
                b'{' => return Ok(None),
                b'`' | b'~' if self.fence.is_none() && self.opens_fence(byte)? => wrapped = true,
                b'j' | b'J' if !wrapped && self.skips_language_line()? => wrapped = true,
                _ => {
                    let tool = self.guide.name();
                    match markup::token(self.rest(), Side::Before, tool) {
                        Some(Token::Token(length)) => {
                            self.relax(Relaxation::CallMarkup, at)?;
                            self.pos += length;
                            wrapped = true;
                        }
                        Some(Token::OtherTool) => {
                            return Err(self.fail(ErrorKind::OtherTool, at));
                        }
                        None => break,
                    }
                }
            }
        }
        if self.at_end() && !wrapped {
            return Ok(Some(Read::Nothing));
        }
        match root {
            Root::Any if self.peek() == b'[' => Ok(None),
            Root::Any => self.scalar_root().map(Some),
            Root::Object => self.no_object(wrapped).map(Some),
        }
    }

    /// Reads a root that does not begin as an object: a string that holds one, or nothing at all.
    fn no_object(&mut self, wrapped: bool) -> Result<Read, Stop> {
        let at = self.pos;
        if self.at_end() {
            return Err(self.fail(ErrorKind::Expected("`{`"), at));
        }
        let string = match opening(self.bytes, at) {
            None => self.peek() == b'"',
            Some((quote, _)) => matches!(quote, Quote::Single | Quote::Escaped),
        };
        if string {
            let inner = self.any_string()?;
            let inner_first = first_of_note(&inner);
            let may_hold = match inner_first {
                None => true,
                Some(c) => matches!(c, '{' | '"' | '\\' | '\'' | '`' | '<' | '~'),
            };
            if self.end_of_document()? || !may_hold && !is_nothing(&inner) {
                return Err(self.fail(ErrorKind::NotAnObject, at));
            }
            return Ok(Read::Inner(inner));
        }
        let relaxed = self.relaxed;
        let literal = self.literal()?;
        if let Some(literal) = literal {
            self.relaxed = relaxed;
            if !self.rest().trim().is_empty() {
                return Err(self.fail(ErrorKind::TextBefore, at));
            }
            return match literal {
                Value::Null if !wrapped => Ok(Read::Nothing),
                _ => Err(self.fail(ErrorKind::NotAnObject, at)),
            };
        }
        let kind = match self.peek() {
            b'[' | b'0'..=b'9' => ErrorKind::NotAnObject,
            b'-' if self.byte(at + 1).is_ascii_digit() => ErrorKind::NotAnObject,
            _ => ErrorKind::TextBefore,
        };
        Err(self.fail(kind, at))
    }

    /// Reads a root of any kind but an object or array.
    fn scalar_root(&mut self) -> Result<Read, Stop> {
        let at = self.pos;
        if self.at_end() {
            return Err(self.fail(ErrorKind::Expected("a value"), at));
        }
        let value = if self.peek() == b'"' || opening(self.bytes, at).is_some() {
            Value::String(self.any_string()?)
        } else if let Some(literal) = self.literal()? {
            literal
        } else {
            match self.peek() {
                b'-' | b'+' | b'.' | b'0'..=b'9' => self.number_in_full()?,
                _ => return Err(self.fail(ErrorKind::TextBefore, at)),
            }
        };
        self.token();
        if !self.at_end() && self.end_of_document()? {
            return Err(self.fail(ErrorKind::TextAfter, self.pos));
        }
        Ok(Read::Value(value))
    }

    fn any_string(&mut self) -> Result<String, Stop> {
        match opening(self.bytes, self.pos) {
            Some((quote, length)) => self.quoted(quote, length),
            None => {
                self.pos += 1;
                self.string()
            }
        }
    }

    /// Reads what stands after the root. Says whether another object begins.
    #[cold]
    pub(crate) fn end_of_document(&mut self) -> Result<bool, Stop> {
        let mut alone = true;
        loop {
            let byte = self.blank(Place::End)?;
            let at = self.pos;
            match byte {
                0 if self.at_end() => return Ok(false),
                0 => {
                    self.relax(Relaxation::NulBytes, at)?;
                    self.pos += 1;
                }
                b'{' if alone => return Ok(true),
                b'}' | b']' if !self.doubled => {
                    self.relax(Relaxation::SurplusCloser, at)?;
                    self.pos += 1;
                }
                b'`' | b'~' if self.closes_fence(byte) => {}
                _ => match markup::token(self.rest(), Side::After, None) {
                    Some(Token::Token(length)) => {
                        self.relax(Relaxation::CallMarkup, at)?;
                        self.pos += length;
                    }
                    _ => return Err(self.fail(ErrorKind::TextAfter, at)),
                },
            }
            alone = false;
        }
    }

    /// Reads more objects after the first: all are equal, or all but one are empty.
    #[cold]
    fn more_objects(&mut self, first: Value) -> Result<Read, Stop> {
        let at = self.pos;
        if self.doubled || !first.is_object() {
            return Err(self.fail(ErrorKind::SeveralObjects, at));
        }
        self.relax(Relaxation::RepeatedObject, at)?;
        let mut kept = first;
        let mut empty = usize::from(is_empty(&kept));
        let mut full = 1 - empty;
        loop {
            let at = self.pos;
            self.plan = None;
            let next = self.object(None)?;
            if is_empty(&next) {
                empty += 1;
            } else {
                if full > 0 && next != kept {
                    return Err(self.fail(ErrorKind::SeveralObjects, at));
                }
                full += 1;
                kept = next;
            }
            if full > 1 && empty > 0 {
                return Err(self.fail(ErrorKind::SeveralObjects, at));
            }
            if self.doubled {
                return Err(self.fail(ErrorKind::SeveralObjects, at));
            }
            if !self.end_of_document()? {
                return Ok(Read::Value(kept));
            }
        }
    }

    /// Reads the opening line of a code fence, if one stands here.
    fn opens_fence(&mut self, byte: u8) -> Result<bool, Stop> {
        let at = self.pos;
        let rest = self.rest();
        let length = rest.bytes().take_while(|b| *b == byte).count();
        if length < 3 {
            return Ok(false);
        }
        let info = rest.get(length..).unwrap_or_default();
        let word = info
            .find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-' | '+' | '.'))
            .unwrap_or(info.len());
        let after = info.get(word..).unwrap_or_default();
        let line = after.trim_start_matches([' ', '\t']);
        // ```` ```json {"a": 1} ``` ```` stands on one line.
        let opens = line.starts_with(['\n', '\r', '{'])
            || word == 0 && line.starts_with(['"', '<'])
            || line.starts_with("\\n");
        if !opens {
            return Ok(false);
        }
        self.relax(Relaxation::CodeFence, at)?;
        self.fence = Some((byte, length));
        self.pos = self.bytes.len() - line.len();
        Ok(true)
    }

    /// Reads the line `json`, all that is left of a fence whose backticks were lost, if an object
    /// follows it.
    fn skips_language_line(&mut self) -> Result<bool, Stop> {
        let at = self.pos;
        let rest = self.rest();
        let (word, after) = rest.split_at_checked(4).unwrap_or((rest, ""));
        let line_end = after.trim_start_matches([' ', '\t', '\r']);
        let object = line_end.strip_prefix('\n').map(str::trim_start);
        if !word.eq_ignore_ascii_case("json") || !object.is_some_and(|o| o.starts_with('{')) {
            return Ok(false);
        }
        self.relax(Relaxation::CodeFence, at)?;
        self.pos = at + word.len();
        Ok(true)
    }

    /// Reads the closing line of the code fence that is open, if it stands here.
    fn closes_fence(&mut self, byte: u8) -> bool {
        let rest = self.rest();
        let length = rest.bytes().take_while(|b| *b == byte).count();
        let closes = self
            .fence
            .is_some_and(|(open, least)| open == byte && length >= least);
        if closes {
            self.fence = None;
            self.pos += length;
        }
        closes
    }

    /// Whether the first thing in the root is an escaped quote: `{\"a\": 1}`.
    fn is_escaped_throughout(&self) -> bool {
        let mut at = self.pos + 1;
        loop {
            match (self.byte(at), self.byte(at + 1)) {
                (b' ' | b'\n' | b'\r' | b'\t', _) => at += 1,
                (b'\\', b'n' | b'r' | b't') => at += 2,
                (b'\\', next) => return matches!(next, b'"' | b'\\'),
                _ => return false,
            }
        }
    }

    /// Takes one layer of escapes off the rest of the text; nothing when it has a quote without
    /// a backslash, or anything else that the content of a JSON string cannot hold.
    fn unescaped(&self) -> Option<String> {
        let body = format!("\"{}\"", self.rest());
        let mut parser = Parser::new(&body, Guide::NONE, false);
        parser.pos = 1;
        let inner = parser.string().ok()?;
        let whole = parser.at_end();
        let strict = parser
            .relaxed
            .iter()
            .all(|one| one == Relaxation::RawControl);
        (whole && strict).then_some(inner)
    }
}

fn is_empty(value: &Value) -> bool {
    value.as_object().is_some_and(Map::is_empty)
}

/// Whether a text says that nothing was sent.
pub(crate) fn is_nothing(text: &str) -> bool {
    matches!(text.trim(), "" | "null" | "None")
}

fn first_of_note(text: &str) -> Option<char> {
    text.trim_start_matches('\u{FEFF}')
        .trim_start()
        .chars()
        .next()
}

/// Whether any string or key holds a pair of braces.
fn holds_brace_pair(value: &Value) -> bool {
    let pair = |text: &str| text.contains("{{") || text.contains("}}");
    match value {
        Value::String(text) => pair(text),
        Value::Array(items) => items.iter().any(holds_brace_pair),
        Value::Object(map) => map.iter().any(|(k, v)| pair(k) || holds_brace_pair(v)),
        _ => false,
    }
}
