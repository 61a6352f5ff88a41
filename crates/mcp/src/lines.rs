//! Reads a stream line by line in bounded memory.

use std::io::{self, BufRead, BufReader, Read};

/// What a stream gives next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line with its line end, or the half line at the stream's end.
    Whole(Vec<u8>),
    /// A piece of a line that is longer than the limit, and whether it is the line's last.
    Piece(Vec<u8>, bool),
}

impl Line {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Whole(bytes) | Self::Piece(bytes, _) => bytes.len(),
        }
    }
}

/// The lines of a stream, each at most `limit` bytes long; longer ones come in pieces.
pub(crate) struct Lines<R> {
    input: BufReader<R>,
    limit: u64,
    inside: bool,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(input: R, limit: usize) -> Self {
        Self {
            input: BufReader::with_capacity(64 * 1024, input),
            limit: limit as u64,
            inside: false,
        }
    }

    /// Returns the next line or piece, `None` at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        let mut limited = self.input.by_ref().take(self.limit);
        let read = limited.read_until(b'\n', &mut bytes)?;
        if read == 0 {
            return Ok(None);
        }
        let ended = bytes.ends_with(b"\n");
        let inside = self.inside;
        self.inside = !ended && (inside || read as u64 == self.limit);
        if inside || self.inside {
            return Ok(Some(Line::Piece(bytes, ended)));
        }
        Ok(Some(Line::Whole(bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, limit: usize) -> Vec<Line> {
        let mut lines = Lines::new(text.as_bytes(), limit);
        std::iter::from_fn(|| lines.next().unwrap()).collect()
    }

    #[test]
    fn lines_keep_their_ends_and_the_last_may_lack_one() {
        let whole = |text: &str| Line::Whole(text.into());
        assert_eq!(
            all("a\r\n\nb", 9),
            [whole("a\r\n"), whole("\n"), whole("b")]
        );
    }

    #[test]
    fn a_line_over_the_limit_comes_in_pieces_and_the_next_is_whole_again() {
        let piece = |text: &str, last| Line::Piece(text.into(), last);
        assert_eq!(
            all("abcdef\ngh\n", 3),
            [
                piece("abc", false),
                piece("def", false),
                piece("\n", true),
                Line::Whole("gh\n".into())
            ]
        );
        assert_eq!(all("ab\n", 3), [Line::Whole("ab\n".into())]);
        assert_eq!(all("abcd", 3), [piece("abc", false), piece("d", false)]);
    }
}
