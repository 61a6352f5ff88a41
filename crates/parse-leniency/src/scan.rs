//! Finding the end of a run inside a string, sixteen bytes at a time.
//!
//! Plain integer arithmetic on eight bytes at once, inlined into the string reader: code as an
//! argument holds an escape every few dozen bytes, and a library call for each would cost more
//! than the bytes between them.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// Marks the bytes of a word that end a run: the quote, a backslash or a control character below
/// U+0020. Only the lowest mark is exact, and only the lowest is used.
#[inline(always)]
const fn word_marks(word: u64, quote: u64) -> u64 {
    let quote = word ^ quote;
    let slash = word ^ (ONES * b'\\' as u64);
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let quote = quote.wrapping_sub(ONES) & !quote;
    let slash = slash.wrapping_sub(ONES) & !slash;
    (control | quote | slash) & HIGHS
}

/// Finds the first `quote`, backslash or control character at or after `from`; the length of
/// `bytes` when there is none.
#[inline(always)]
pub(crate) fn run_end(bytes: &[u8], from: usize, quote: u8) -> usize {
    let wide = ONES * quote as u64;
    let mut at = from;
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let marks = word_marks(u64::from_le_bytes(*chunk), wide);
        if marks != 0 {
            return at + (marks.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(&byte) = bytes.get(at) {
        if byte == quote || byte == b'\\' || byte < 0x20 {
            break;
        }
        at += 1;
    }
    at
}

/// How many bytes are looked at together in a string that holds escapes.
pub(crate) const BLOCK: usize = 64;

/// How many decoded bytes are gathered before they go into a string.
pub(crate) const BUFFER: usize = 8 * BLOCK;

/// Returns a block and the one after it, so that whatever begins in the block can be copied
/// whole; nothing when fewer bytes are left.
#[inline(always)]
pub(crate) fn window(bytes: &[u8], from: usize) -> Option<&[u8; 2 * BLOCK]> {
    bytes.get(from..)?.first_chunk()
}

/// Marks, one bit each, the bytes of the first block that end a run: double quotes, backslashes
/// and control characters.
///
/// No branch depends on the text, so that runs of every length cost the same; the comparison
/// becomes vector code, and a multiplication gathers eight marks into eight bits.
#[inline(always)]
pub(crate) fn marks(window: &[u8; 2 * BLOCK]) -> u64 {
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let Some(block) = window.first_chunk::<BLOCK>() else {
        return 0;
    };
    let hits = block.map(|byte| u8::from((byte == b'"') | (byte == b'\\') | (byte < 0x20)));
    let words = hits.as_chunks::<8>().0;
    words.iter().rev().fold(0, |marks, word| {
        marks << 8 | u64::from_le_bytes(*word).wrapping_mul(GATHER) >> 56
    })
}

/// Returns the byte at a mark, and the one after it.
#[inline(always)]
pub(crate) fn pair(window: &[u8; 2 * BLOCK], mark: usize) -> (u8, u8) {
    match window.get(mark..mark + 2) {
        Some(&[byte, next]) => (byte, next),
        _ => (0, 0),
    }
}

/// Copies a block, of which the caller keeps as much as it needs: a copy of fixed length needs no
/// call.
#[inline(always)]
pub(crate) fn copy_block(
    window: &[u8; 2 * BLOCK],
    from: usize,
    buffer: &mut [u8; BUFFER],
    to: usize,
) {
    if let (Some(from), Some(to)) = (
        window.get(from..from + BLOCK),
        buffer.get_mut(to..to + BLOCK),
    ) {
        to.copy_from_slice(from);
    }
}

/// Writes one byte.
#[inline(always)]
pub(crate) fn put(buffer: &mut [u8], at: usize, byte: u8) {
    if let Some(place) = buffer.get_mut(at) {
        *place = byte;
    }
}

/// Moves what a buffer holds to a string. It is UTF-8, since it was copied from text in whole
/// characters.
#[inline(always)]
pub(crate) fn flush(out: &mut String, buffer: &[u8], length: usize) {
    let decoded = buffer.get(..length).unwrap_or_default();
    out.push_str(std::str::from_utf8(decoded).unwrap_or_default());
}

/// Counts how many more brackets and braces open than close.
pub(crate) fn nesting(bytes: &[u8]) -> isize {
    // A sum of bytes for each short chunk becomes vector code.
    bytes
        .chunks(BLOCK)
        .map(|chunk| {
            let sum = chunk.iter().fold(0_i8, |sum, byte| {
                let byte = byte & !0x20;
                sum + i8::from(byte == b'[') - i8::from(byte == b']')
            });
            isize::from(sum)
        })
        .sum()
}

/// Whether a byte occurs an even number of times.
pub(crate) fn is_even(bytes: &[u8], byte: u8) -> bool {
    let odd = bytes.chunks(BLOCK).fold(0, |odd, chunk| {
        odd ^ chunk.iter().fold(0_u8, |n, b| n ^ u8::from(*b == byte))
    });
    odd == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_marks_of_a_block_are_those_of_its_bytes(
            text in "[a-z\"\\\\\n\u{1f} é水]{0,240}",
            from in 0_usize..80,
        ) {
            let bytes = text.as_bytes();
            let plain = bytes.get(from..from + 2 * BLOCK).map(|block| {
                let block = &block[..BLOCK];
                block.iter().rev().fold(0_u64, |marks, &b| {
                    marks << 1 | u64::from(b == b'"' || b == b'\\' || b < 0x20)
                })
            });
            prop_assert_eq!(window(bytes, from).map(marks), plain);
        }

        #[test]
        fn counts_are_those_of_every_byte(text in "[\\[\\]{}\"a]{0,300}") {
            let count = |chars: &[char]| text.chars().filter(|c| chars.contains(c)).count() as isize;
            prop_assert_eq!(nesting(text.as_bytes()), count(&['[', '{']) - count(&[']', '}']));
            prop_assert_eq!(is_even(text.as_bytes(), b'"'), count(&['"']) % 2 == 0);
        }

        #[test]
        fn equal_to_a_look_at_every_byte(
            bytes in proptest::collection::vec(any::<u8>(), 0..80),
            from in 0_usize..80,
            quote in prop_oneof![Just(b'"'), Just(b'\''), Just(b'`'), Just(0xE2)],
        ) {
            let from = from.min(bytes.len());
            let plain = bytes[from..]
                .iter()
                .position(|&b| b == quote || b == b'\\' || b < 0x20)
                .map_or(bytes.len(), |at| from + at);
            prop_assert_eq!(run_end(&bytes, from, quote), plain);
        }
    }
}
