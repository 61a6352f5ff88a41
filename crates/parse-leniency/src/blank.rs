//! What stands between tokens: white space of every kind, and comments.

use crate::error::ErrorKind;
use crate::parser::{Parser, Stop};
use crate::relaxation::Relaxation;
use crate::scan::is_even;

/// What is due at a place, which decides whether a comment may stand there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Before the root.
    Root,
    /// A key, or the end of an object.
    Key,
    /// The colon after a key.
    Colon,
    /// The value after a colon.
    Value,
    /// An item, or the end of an array.
    Item,
    /// A comma, or the end of a container.
    After,
    /// After the root.
    End,
}

impl Parser<'_, '_> {
    /// Skips white space and comments, strict or not, and returns the byte after them, 0 at the
    /// end.
    #[cold]
    pub(crate) fn blank(&mut self, place: Place) -> Result<u8, Stop> {
        loop {
            let byte = self.token();
            match byte {
                b'/' if matches!(self.byte(self.pos + 1), b'/' | b'*') => self.comment(place)?,
                b'#' => self.comment(place)?,
                b'\\' if self.is_literal_space() => {
                    self.relax(Relaxation::LiteralSpace, self.pos)?;
                    self.pos += 2;
                }
                0x0B | 0x0C | 0x80.. if self.is_space_at(self.pos) => {
                    self.relax(Relaxation::UnicodeSpace, self.pos)?;
                    self.pos += self.rest().chars().next().map_or(1, char::len_utf8);
                }
                _ => return Ok(byte),
            }
        }
    }

    /// Whether a literal `\n`, `\r` or `\t` stands here. Before a letter it could as well be part
    /// of a word.
    fn is_literal_space(&self) -> bool {
        let next = self.byte(self.pos + 2);
        matches!(self.byte(self.pos + 1), b'n' | b'r' | b't')
            && !next.is_ascii_alphabetic()
            && !matches!(next, b'_' | b'$')
    }

    /// Whether white space that is no JSON white space begins at a place.
    pub(crate) fn is_space_at(&self, at: usize) -> bool {
        self.text
            .get(at..)
            .and_then(|rest| rest.chars().next())
            .is_some_and(char::is_whitespace)
    }

    /// Reads a comment.
    fn comment(&mut self, place: Place) -> Result<(), Stop> {
        let at = self.pos;
        let rest = self.rest();
        let block = rest.starts_with("/*");
        let marker = if rest.starts_with('#') { 1 } else { 2 };
        match place {
            Place::Root => return Err(self.fail(ErrorKind::TextBefore, at)),
            // `#fff`, `//host/x` and the like may be the value itself.
            Place::Value => return Err(self.fail(ErrorKind::Expected("a value"), at)),
            Place::Item if !block && !self.is_blank_at(at + marker) => {
                return Err(self.fail(ErrorKind::Expected("a value"), at));
            }
            _ => {}
        }
        if self.touches_word(at) || !block && marker == 2 && self.may_be_division(at) {
            return Err(self.fail(ErrorKind::Expected("`,` or a closing bracket"), at));
        }
        let end = if block {
            let body = rest.get(2..).filter(|_| at < self.no_block_end);
            match body.and_then(|body| body.find("*/")) {
                Some(length) => at + 2 + length + 2,
                None => {
                    self.no_block_end = self.no_block_end.min(at);
                    return Err(self.fail(ErrorKind::Truncated, self.bytes.len()));
                }
            }
        } else {
            rest.find(['\n', '\r'])
                .map_or(self.bytes.len(), |length| at + length)
        };
        // A string that lost its opening quote may look like a comment, too.
        if !is_even(self.slice(at, end).as_bytes(), b'"') {
            return Err(self.fail(ErrorKind::QuoteReadings, at));
        }
        self.relax(Relaxation::Comment, at)?;
        self.pos = end;
        Ok(())
    }

    fn is_blank_at(&self, at: usize) -> bool {
        matches!(self.byte(at), b' ' | b'\t' | b'\n' | b'\r') || at >= self.bytes.len()
    }

    /// Whether what looks like a comment is the middle of an unquoted token: `5//2`.
    fn touches_word(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map_or(0, |at| self.byte(at));
        before.is_ascii_alphanumeric() || before >= 0x80 || matches!(before, b'_' | b'.' | b'-')
    }

    /// Whether what looks like a comment divides one number by another: `7 // 2`.
    fn may_be_division(&self, at: usize) -> bool {
        let before = self.slice(0, at).trim_end();
        let after = self.slice(at + 2, self.bytes.len()).trim_start();
        before.ends_with(|c: char| c.is_ascii_digit() || c == '.')
            && after.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '(' | '-' | '.'))
    }
}
