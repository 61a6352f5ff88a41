//! Strings: strict ones in one run, and every other way of quoting that models use.

use crate::error::ErrorKind;
use crate::guide::Frame;
use crate::parser::{LastString, Parser, Stop};
use crate::relaxation::Relaxation;
use crate::scan::{BLOCK, BUFFER, copy_block, flush, is_even, marks, pair, put, run_end, window};

/// What was seen in a string, one bit each.
mod seen {
    /// An escape that a string which means its backslashes would not hold: `\\`, `\n`, `\u0041`.
    pub(super) const DECODED: u8 = 1;
    /// An escape that JSON lacks.
    pub(super) const KEPT: u8 = 2;
    /// `\'`.
    pub(super) const APOSTROPHE: u8 = 4;
    /// A raw control character.
    pub(super) const CONTROL: u8 = 8;
}

/// The character of each one-letter escape; in the high byte, whether it rules out kept
/// backslashes.
#[expect(clippy::indexing_slicing, reason = "evaluated when it is compiled")]
const ESCAPES: [u16; 256] = {
    const DECODED: u16 = (seen::DECODED as u16) << 8;
    let mut table = [0; 256];
    table[b'"' as usize] = b'"' as u16;
    table[b'/' as usize] = b'/' as u16;
    table[b'\\' as usize] = b'\\' as u16 | DECODED;
    table[b'b' as usize] = 0x08 | DECODED;
    table[b'f' as usize] = 0x0C | DECODED;
    table[b'n' as usize] = b'\n' as u16 | DECODED;
    table[b'r' as usize] = b'\r' as u16 | DECODED;
    table[b't' as usize] = b'\t' as u16 | DECODED;
    table
};

/// How much text must be left for the block-wise reader to be worth its buffer.
const WORTH_BLOCKS: usize = 4 * BLOCK;

/// How a string is delimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quote {
    Double,
    Single,
    Backtick,
    /// `“ ” „ ‟`.
    Curly,
    /// `‘ ’ ‚ ‛`.
    CurlySingle,
    /// Three of one byte.
    Triple(u8),
    /// `\"`.
    Escaped,
}

impl Quote {
    /// Returns the byte that a closing delimiter begins with.
    const fn byte(self) -> u8 {
        match self {
            Self::Double | Self::Escaped => b'"',
            Self::Single => b'\'',
            Self::Backtick => b'`',
            Self::Curly | Self::CurlySingle => 0xE2,
            Self::Triple(byte) => byte,
        }
    }

    const fn relaxation(self) -> Option<Relaxation> {
        match self {
            Self::Double => None,
            Self::Single => Some(Relaxation::SingleQuotes),
            Self::Backtick => Some(Relaxation::Backticks),
            Self::Curly | Self::CurlySingle => Some(Relaxation::CurlyQuotes),
            Self::Triple(_) => Some(Relaxation::TripleQuotes),
            Self::Escaped => Some(Relaxation::EscapedQuotes),
        }
    }
}

/// Tells which delimiter opens at a place, and its length; nothing for a plain double quote.
pub(crate) fn opening(bytes: &[u8], at: usize) -> Option<(Quote, usize)> {
    let rest = bytes.get(at..)?;
    Some(match rest {
        [b'\'', b'\'', b'\'', ..] => (Quote::Triple(b'\''), 3),
        [b'"', b'"', b'"', ..] => (Quote::Triple(b'"'), 3),
        [b'\'', ..] => (Quote::Single, 1),
        [b'`', ..] => (Quote::Backtick, 1),
        [b'\\', b'"', ..] => (Quote::Escaped, 2),
        [0xE2, 0x80, 0x9C..=0x9F, ..] => (Quote::Curly, 3),
        [0xE2, 0x80, 0x98..=0x9B, ..] => (Quote::CurlySingle, 3),
        _ => return None,
    })
}

/// The quotes inside a string that is not closed by a plain double quote, to tell whether its
/// closing one may be another's partner.
#[derive(Default)]
struct Inner {
    /// Inner quotes that open something and are not closed yet.
    open: usize,
    /// A quote with white space on both sides.
    loose: bool,
}

impl<'s> Parser<'s, '_> {
    /// Reads a string in double quotes, from after its opening quote.
    #[inline]
    pub(crate) fn string(&mut self) -> Result<String, Stop> {
        let open = self.pos;
        let end = run_end(self.bytes, open, b'"');
        if self.byte(end) == b'"' {
            self.last = LastString {
                close: end,
                open,
                seen: 0,
            };
            if end == open && self.byte(end + 1) == b'"' {
                return self.two_quotes();
            }
            self.pos = end + 1;
            return Ok(self.slice(open, end).to_owned());
        }
        self.escaped_string(open, end)
    }

    /// Reads the rest of a string in double quotes that holds an escape at `end`.
    fn escaped_string(&mut self, open: usize, end: usize) -> Result<String, Stop> {
        let run = end - open;
        let mut out = String::with_capacity(run + run / 2 + 24);
        out.push_str(self.slice(open, end));
        let mut at = end;
        let mut seen = 0;
        if self.bytes.len() - end > WORTH_BLOCKS {
            at = self.blocks(&mut out, end, open, &mut seen)?;
        }
        let stop = run_end(self.bytes, at, b'"');
        self.body(&mut out, at, stop, open, Quote::Double, seen)?;
        Ok(out)
    }

    /// Decodes a string in double quotes from `at`, block by block, and returns where it stopped:
    /// at the closing quote, or where no whole block is left.
    ///
    /// What is decoded gathers in a buffer, whose length stays in a register; that is what makes
    /// it faster than [`Self::body`], which appends run by run.
    fn blocks(
        &mut self,
        out: &mut String,
        mut at: usize,
        open: usize,
        seen: &mut u8,
    ) -> Result<usize, Stop> {
        let mut buffer = [0_u8; BUFFER];
        let mut length = 0;
        let mut kinds = u16::from(*seen) << 8;
        'blocks: while let Some(window) = window(self.bytes, at) {
            // A block decodes to no more than a block, and a copy writes one more.
            if length + 2 * BLOCK > BUFFER {
                flush(out, &buffer, length);
                length = 0;
            }
            let start = at;
            let mut marks = marks(window);
            // What is decoded of the block so far.
            let mut done = 0;
            while marks != 0 {
                let mark = marks.trailing_zeros() as usize;
                copy_block(window, done, &mut buffer, length);
                length += mark - done;
                let (byte, letter) = pair(window, mark);
                if byte == b'\\' {
                    let escape = ESCAPES.get(letter as usize).copied().unwrap_or(0);
                    if escape != 0 {
                        put(&mut buffer, length, escape as u8);
                        length += 1;
                        kinds |= escape;
                        done = mark + 2;
                        // What is escaped is no mark of its own.
                        marks &= u64::MAX << mark << 2;
                    } else {
                        flush(out, &buffer, length);
                        length = 0;
                        let mut seen = (kinds >> 8) as u8;
                        let mark = start + mark;
                        let next = self.rare_escape(out, mark, open, Quote::Double, &mut seen)?;
                        kinds |= u16::from(seen) << 8;
                        done = next.unwrap_or(mark + 2) - start;
                        marks &= u64::MAX.checked_shl(done as u32).unwrap_or(0);
                    }
                } else if byte == b'"' {
                    done = mark;
                    at = start + done;
                    break 'blocks;
                } else {
                    put(&mut buffer, length, byte);
                    length += 1;
                    kinds |= u16::from(seen::CONTROL) << 8;
                    done = mark + 1;
                    marks &= u64::MAX << mark << 1;
                }
            }
            at = start + done;
            if done < BLOCK {
                // The rest of the block, without a character that goes on after it.
                let mut end = start + BLOCK;
                while !self.text.is_char_boundary(end) {
                    end -= 1;
                }
                copy_block(window, done, &mut buffer, length);
                length += end - at;
                at = end;
            }
        }
        flush(out, &buffer, length);
        *seen = (kinds >> 8) as u8;
        Ok(at)
    }

    /// Three quotes open a triple-quoted string; two and anything else are an empty string.
    #[cold]
    fn two_quotes(&mut self) -> Result<String, Stop> {
        let open = self.pos - 1;
        self.pos = open;
        self.quoted(Quote::Triple(b'"'), 3)
    }

    /// Goes on with a string whose closing quote, at `self.last.close`, was an inner one, up to
    /// the quote at `end`.
    #[cold]
    pub(crate) fn longer_string(
        &mut self,
        frame: &Frame<'_>,
        out: &mut String,
        end: usize,
    ) -> Result<(), Stop> {
        let LastString {
            mut close,
            open,
            mut seen,
        } = self.last;
        self.relax(Relaxation::InnerQuote, close)?;
        let after_comma = self.slice(open, close).trim_end().ends_with(',');
        let mut quotes = 0_usize;
        while close < end {
            quotes += 1;
            out.push('"');
            let from = close + 1;
            let next = run_end(self.bytes, from, b'"');
            self.body(out, from, next, open, Quote::Double, seen)?;
            seen = self.last.seen;
            close = self.last.close;
        }
        if close != end {
            return Err(self.fail(ErrorKind::TwoReadings, end));
        }
        // A lost quote and a cut text leave one quote without its partner; with an escaped quote
        // about, a lost one is betrayed by the comma before the next string.
        if !is_even(out.as_bytes(), b'"') || after_comma && !quotes.is_multiple_of(2) {
            return Err(self.fail(ErrorKind::QuoteReadings, open.saturating_sub(1)));
        }
        let holder = frame.holder_slot(self.guide);
        let knows =
            |key: &str| self.guide.knows(key) || holder.is_some_and(|holder| holder.declares(key));
        if holds_doubtful_quotes(self.slice(open, end), knows) {
            return Err(self.fail(ErrorKind::QuoteReadings, open.saturating_sub(1)));
        }
        Ok(())
    }

    /// Reads a string with any delimiter but a plain double quote, from its opening one.
    #[cold]
    pub(crate) fn quoted(&mut self, quote: Quote, length: usize) -> Result<String, Stop> {
        let at = self.pos;
        let open = at + length;
        if let Some(relaxation) = quote.relaxation() {
            self.relax(relaxation, at)?;
        }
        let end = run_end(self.bytes, open, quote.byte());
        let mut out = String::with_capacity(end - open + 24);
        self.body(&mut out, open, end, open, quote, 0)?;
        // A template's expression has a value that nobody here can know.
        if quote == Quote::Backtick && self.slice(open, self.last.close).contains("${") {
            return Err(self.fail(ErrorKind::QuoteReadings, at));
        }
        Ok(out)
    }

    /// Decodes a string's content into `out`, from `run`, whose first byte of note is at `at`, to
    /// its closing delimiter; `open` is where the whole string's content begins.
    fn body(
        &mut self,
        out: &mut String,
        mut run: usize,
        mut at: usize,
        open: usize,
        quote: Quote,
        mut seen: u8,
    ) -> Result<(), Stop> {
        let mut inner = Inner::default();
        loop {
            let Some(&byte) = self.bytes.get(at) else {
                return Err(self.fail(ErrorKind::Truncated, self.bytes.len()));
            };
            if byte == b'\\' {
                out.push_str(self.slice(run, at));
                let Some(&letter) = self.bytes.get(at + 1) else {
                    return Err(self.fail(ErrorKind::Truncated, self.bytes.len()));
                };
                let escape = ESCAPES.get(letter as usize).copied().unwrap_or(0);
                if quote == Quote::Escaped || escape == 0 {
                    match self.rare_escape(out, at, open, quote, &mut seen)? {
                        Some(next) => at = next,
                        None => {
                            run = at;
                            break;
                        }
                    }
                    run = at;
                } else {
                    seen |= (escape >> 8) as u8;
                    // All of them are ASCII, and so known to be.
                    out.push(char::from(escape as u8 & 0x7F));
                    at += 2;
                    run = at;
                }
            } else if byte == quote.byte() {
                if quote == Quote::Double {
                    break;
                }
                match self.closing(at, open, quote, &mut inner)? {
                    None => break,
                    Some(next) => at = next,
                }
            } else {
                seen |= seen::CONTROL;
                at += 1;
            }
            at = run_end(self.bytes, at, quote.byte());
        }
        out.push_str(self.slice(run, at));
        self.last = LastString {
            close: at,
            open,
            seen,
        };
        self.pos = match quote {
            Quote::Double => at + 1,
            _ => self.pos,
        };
        if seen & !seen::DECODED != 0 {
            self.judge(open, at, quote, seen)?;
        }
        Ok(())
    }

    /// Reads an escape that is none of JSON's one-letter ones; nothing when it closes the string.
    #[cold]
    #[inline(never)]
    fn rare_escape(
        &mut self,
        out: &mut String,
        at: usize,
        open: usize,
        quote: Quote,
        seen: &mut u8,
    ) -> Result<Option<usize>, Stop> {
        let letter = self.byte(at + 1);
        if quote == Quote::Escaped {
            // Whatever else has a backslash here may be meant once or twice.
            if letter != b'"' || !self.ends_token(at + 2) {
                return Err(self.fail(ErrorKind::QuoteReadings, open.saturating_sub(2)));
            }
            self.pos = at + 2;
            return Ok(None);
        }
        match letter {
            b'u' => return self.unicode_escape(out, at, seen).map(Some),
            b'\'' => {
                *seen |= seen::APOSTROPHE;
                out.push('\'');
                return Ok(Some(at + 2));
            }
            b'`' if quote == Quote::Backtick => {
                out.push('`');
                return Ok(Some(at + 2));
            }
            _ => {}
        }
        if self.is_foreign(at, quote) {
            return Err(self.fail(ErrorKind::ForeignEscape, at));
        }
        *seen |= seen::KEPT;
        out.push('\\');
        // The letter opens the next run; it cannot end it.
        Ok(Some(at + 1))
    }

    /// Whether another language reads the escape at `at` as a character, or as nothing.
    fn is_foreign(&self, at: usize, quote: Quote) -> bool {
        let octal = |at: usize| matches!(self.byte(at), b'0'..=b'7');
        let hex =
            |from: usize, n: usize| (from..from + n).all(|at| self.byte(at).is_ascii_hexdigit());
        match self.byte(at + 1) {
            b'x' | b'0' => true,
            b'1'..=b'7' => octal(at + 2),
            b'U' => hex(at + 2, 8),
            b'N' => self.byte(at + 2) == b'{',
            b'\n' | b'\r' => true,
            b'$' => quote == Quote::Backtick,
            0xE2 => matches!(quote, Quote::Curly | Quote::CurlySingle),
            _ => false,
        }
    }

    fn unicode_escape(
        &mut self,
        out: &mut String,
        at: usize,
        seen: &mut u8,
    ) -> Result<usize, Stop> {
        let Some(unit) = self.hex4(at + 2) else {
            if at + 6 > self.bytes.len()
                && self
                    .slice(at + 2, self.bytes.len())
                    .bytes()
                    .all(|b| b.is_ascii_hexdigit())
            {
                return Err(self.fail(ErrorKind::Truncated, self.bytes.len()));
            }
            if self.byte(at + 2) == b'{' {
                return Err(self.fail(ErrorKind::ForeignEscape, at));
            }
            *seen |= seen::KEPT;
            out.push_str("\\u");
            return Ok(at + 2);
        };
        *seen |= seen::DECODED;
        if let Some(char) = char::from_u32(unit) {
            out.push(char);
            return Ok(at + 6);
        }
        let low = (self.byte(at + 6) == b'\\' && self.byte(at + 7) == b'u')
            .then(|| self.hex4(at + 8))
            .flatten();
        match (unit, low) {
            (0xD800..=0xDBFF, Some(low @ 0xDC00..=0xDFFF)) => {
                let char = 0x1_0000 + ((unit - 0xD800) << 10 | (low - 0xDC00));
                out.push(char::from_u32(char).unwrap_or(char::REPLACEMENT_CHARACTER));
                Ok(at + 12)
            }
            _ if at + 12 > self.bytes.len() && self.ends_in_escape(at + 6) => {
                Err(self.fail(ErrorKind::Truncated, self.bytes.len()))
            }
            _ => Err(self.fail(ErrorKind::LoneSurrogate, at)),
        }
    }

    /// Whether all that is left from `at` may be the beginning of one `\uXXXX`.
    fn ends_in_escape(&self, at: usize) -> bool {
        self.bytes
            .get(at..)
            .unwrap_or_default()
            .iter()
            .enumerate()
            .all(|(n, b)| match n {
                0 => *b == b'\\',
                1 => *b == b'u',
                _ => b.is_ascii_hexdigit(),
            })
    }

    fn hex4(&self, at: usize) -> Option<u32> {
        let digits = self.bytes.get(at..at + 4)?;
        digits.iter().try_fold(0, |value, digit| {
            Some(value << 4 | char::from(*digit).to_digit(16)?)
        })
    }

    /// Looks at what may be the closing delimiter of a string, at `at`. Sets the place after it
    /// and returns nothing when it is; else returns where the content goes on.
    #[cold]
    #[inline(never)]
    fn closing(
        &mut self,
        at: usize,
        open: usize,
        quote: Quote,
        inner: &mut Inner,
    ) -> Result<Option<usize>, Stop> {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let length = match (quote, rest) {
            (Quote::Single | Quote::Backtick, _) => 1,
            (Quote::Triple(q), [a, b, c, ..]) if [*a, *b, *c] == [q; 3] => 3,
            (Quote::Curly, [0xE2, 0x80, 0x9C..=0x9F, ..]) => 3,
            (Quote::CurlySingle, [0xE2, 0x80, 0x98..=0x9B, ..]) => 3,
            (Quote::Escaped, _) => {
                return Err(self.fail(ErrorKind::QuoteReadings, open.saturating_sub(2)));
            }
            _ => return Ok(Some(at + 1)),
        };
        if self.ends_token(at + length) {
            if inner.open > 0 || inner.loose {
                return Err(self.fail(ErrorKind::QuoteReadings, open.saturating_sub(1)));
            }
            self.pos = at + length;
            return Ok(None);
        }
        if matches!(quote, Quote::Triple(_)) {
            return Err(self.fail(ErrorKind::QuoteReadings, open.saturating_sub(3)));
        }
        self.note_inner(at, length, open, inner);
        Ok(Some(at + length))
    }

    /// Sorts a quote inside a string: an apostrophe in a word, one that opens, one that closes.
    fn note_inner(&self, at: usize, length: usize, open: usize, inner: &mut Inner) {
        let before = self.slice(open, at).chars().next_back();
        let after = self.slice(at + length, self.bytes.len());
        let next = after.chars().next();
        let in_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
        // The apostrophe of `the '90s`.
        let decade = matches!(after.as_bytes(), [b'0'..=b'9', b'0'..=b'9', b's', ..]);
        match (in_word(before), in_word(next)) {
            (true, true) => {}
            (false, true) if decade => {}
            _ if blank(before) && blank(next) => inner.loose = true,
            (false, _) if !blank(next) => inner.open += 1,
            _ => inner.open = inner.open.saturating_sub(1),
        }
    }

    /// Whether a string may end before `at`: the next byte that is not blank is one of `,` `}`
    /// `]` `:`, or there is none.
    fn ends_token(&self, at: usize) -> bool {
        let mut at = at;
        loop {
            match self.byte(at) {
                b' ' | b'\n' | b'\t' | b'\r' | 0x0B | 0x0C => at += 1,
                b',' | b'}' | b']' | b':' => return true,
                0 => return at >= self.bytes.len(),
                0x80.. if self.is_space_at(at) => {
                    at += self
                        .slice(at, self.bytes.len())
                        .chars()
                        .next()
                        .map_or(1, char::len_utf8);
                }
                _ => return false,
            }
        }
    }

    /// Decides about a string that departed from strict JSON inside.
    #[cold]
    #[inline(never)]
    fn judge(&mut self, open: usize, end: usize, quote: Quote, seen: u8) -> Result<(), Stop> {
        let at = open.saturating_sub(1);
        let raw = self.bytes.get(open..end).unwrap_or_default();
        if seen & seen::KEPT != 0 {
            if seen & seen::DECODED != 0 {
                return Err(self.fail(ErrorKind::MixedEscapes, at));
            }
            self.relax(Relaxation::UnknownEscape, at)?;
        }
        if seen & seen::APOSTROPHE != 0 {
            if has_bare(raw, b'\'') {
                return Err(self.fail(ErrorKind::QuoteReadings, at));
            }
            self.relax(Relaxation::EscapedApostrophe, at)?;
        }
        if seen & seen::CONTROL != 0 && !matches!(quote, Quote::Triple(_)) {
            // A string that reaches over a line end to a colon, or to where the next entry
            // begins, has more likely lost its closing quote.
            if self.token() == b':' || begins_a_line(raw) {
                return Err(self.fail(ErrorKind::QuoteReadings, at));
            }
            self.relax(Relaxation::RawControl, at)?;
        }
        Ok(())
    }
}

/// Whether a quote after these bytes begins a line after a comma, as an entry of the call would.
pub(crate) fn begins_a_line(before: &[u8]) -> bool {
    let text = before.trim_ascii_end();
    let gap = before.get(text.len()..).unwrap_or_default();
    text.ends_with(b",") && gap.contains(&b'\n')
}

/// Whether the bare quotes in a string's source may be more than inner quotes: two side by side
/// may join two strings or spell one quote, and a known key with its colon is another argument.
fn holds_doubtful_quotes(raw: &str, knows: impl Fn(&str) -> bool) -> bool {
    let mut escaped = false;
    let mut last: Option<usize> = None;
    for (at, byte) in raw.bytes().enumerate() {
        let bare = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        if !bare {
            continue;
        }
        if let Some(last) = last.replace(at) {
            let key = raw.get(last + 1..at).unwrap_or_default();
            let after = raw.get(at + 1..).unwrap_or_default();
            let after = after.trim_start_matches([' ', '\t', '\n', '\r', ',']);
            if key.is_empty() || after.starts_with(':') && knows(key) {
                return true;
            }
        }
    }
    false
}

/// Whether a string's source holds a quote without a backslash.
fn has_bare(raw: &[u8], quote: u8) -> bool {
    let mut escaped = false;
    raw.iter().any(|&byte| {
        let bare = byte == quote && !escaped;
        escaped = byte == b'\\' && !escaped;
        bare
    })
}
