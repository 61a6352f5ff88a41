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
const fn marks(word: u64, quote: u64) -> u64 {
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
        let marks = marks(u64::from_le_bytes(*chunk), wide);
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
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
