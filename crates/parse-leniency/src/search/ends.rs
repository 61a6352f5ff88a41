//! Where a string with inner quotes may end.

use super::Search;
use crate::blank::Place;
use crate::error::ErrorKind;
use crate::relaxed::unquoted_key_in;
use crate::scan::nesting;
use crate::string::{begins_a_line, opening};

/// A plain string: the places of its content and of its closing quote.
#[derive(Clone, Copy)]
pub(super) struct Text {
    pub(super) open: usize,
    pub(super) close: usize,
}

/// A quote that may close a string with inner quotes.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub(super) at: usize,
    /// How many more brackets open than close in the string before it.
    pub(super) nesting: isize,
    /// Whether the string holds what looks like a key, in brackets of its own.
    pub(super) keyed: bool,
    /// Whether it may as well be one more inner quote.
    pub(super) goes_on: bool,
}

impl Search<'_, '_, '_> {
    /// Finds the first place where a string may close whose closing quote is an inner one.
    pub(super) fn first_end(
        &mut self,
        string: Text,
        object: bool,
    ) -> Result<Option<End>, ErrorKind> {
        // Too many backslashes: was the quote to be escaped, or the backslash?
        if self.byte(string.close.saturating_sub(1)) == b'\\' {
            return Ok(None);
        }
        // The parser has paid for its own string, and the search for any other.
        let before = self.bytes.get(string.open..string.close);
        let before = nesting(before.unwrap_or_default());
        if before <= 0 && self.begins_a_line(string.close) {
            return Ok(None);
        }
        self.next_end(object, string.close + 1, before, false)
    }

    fn begins_a_line(&self, quote: usize) -> bool {
        begins_a_line(self.bytes.get(..quote).unwrap_or_default())
    }

    /// Finds the next place where a string with inner quotes may close.
    pub(super) fn next_end(
        &mut self,
        object: bool,
        from: usize,
        before: isize,
        mut keyed: bool,
    ) -> Result<Option<End>, ErrorKind> {
        let closer = if object { b'}' } else { b']' };
        let (mut from, mut balance) = (from, before);
        loop {
            self.spend(8)?;
            let Some(at) = self.string_end(from)? else {
                return Ok(None);
            };
            balance += nesting(self.bytes.get(from..at).unwrap_or_default());
            let goes_on = self.byte(at.saturating_sub(1)) != b'\\'
                && (balance > 0 || !self.begins_a_line(at));
            let mut end = End {
                at,
                nesting: balance,
                keyed,
                goes_on,
            };
            // Brackets around a key must close before the string does.
            let whole = !keyed || balance == 0;
            let next = self.blank(at + 1, Place::After)?;
            if let Some((byte, next)) = next {
                if byte == b':' && balance <= 0 {
                    // A key and its colon, in no bracket of the string's own: another argument's
                    // text is never moved into this one.
                    return Ok(None);
                }
                keyed |= byte == b':';
                let ends = next >= self.bytes.len() && self.complete;
                if whole && (byte == b',' || byte == closer || ends) {
                    return Ok(Some(end));
                }
                if whole && byte == b'"' && next > at + 1 && self.opens_token(next, object)? {
                    end.goes_on = false;
                    return Ok(Some(end));
                }
                if whole
                    && self.may_be_entry(byte, at + 1, next, object)?
                    && (!object || self.names_a_key(next)?)
                {
                    return Ok(Some(end));
                }
            }
            if !end.goes_on {
                return Ok(None);
            }
            from = at + 1;
        }
    }

    /// Whether a key and its colon stand at `at`.
    fn names_a_key(&mut self, at: usize) -> Result<bool, ErrorKind> {
        let end = match opening(self.bytes, at) {
            Some((quote, length)) => match self.quoted(at, quote, length)? {
                Some((_, end)) => end,
                None => return Ok(false),
            },
            None if self.byte(at) == b'"' => match self.string_end(at + 1)? {
                Some(close) => close + 1,
                None => return Ok(false),
            },
            None => {
                let word = unquoted_key_in(self.text.get(at..).unwrap_or_default());
                self.spend(word.len())?;
                let end = at + word.len();
                // A word in running text is seldom followed by anything but a letter.
                if matches!(self.text.as_bytes().get(end + 1), Some(b'a'..=b'z')) {
                    return Ok(false);
                }
                end
            }
        };
        Ok(self
            .blank(end, Place::Colon)?
            .is_some_and(|(byte, _)| byte == b':'))
    }
}
