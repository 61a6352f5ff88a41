//! Decodes once what was JSON-escaped twice (contract, section 7).

use crate::markup::holds_call_markup;

/// How long a field may be, in UTF-16 code units, to be looked at at all.
pub const MAX_UNITS: usize = 1_048_576;

/// Decodes prose that arrived JSON-escaped once too often; `None` when it is to stay as sent.
///
/// It is decoded only when all of this holds:
///
/// - the whole of it is a well-formed JSON string body (RFC 8259, section 7): every backslash
///   starts a valid escape, no bare quote, no raw control character, no lone surrogate;
/// - it shows that it was encoded rather than that it mentions an escape: at least one of `\"`
///   `\\` `\/` `\uXXXX`, or two escapes of any kind;
/// - its escapes are no regular expression's `\b` or `\f`, which no prose holds, nor a Windows path's
///   (`C:\temp\new`): those have two readings;
/// - what comes out would not decode again: then it was encoded three times, or quotes escapes of
///   its own, and has two readings;
/// - what comes out holds no call markup;
/// - it is at most [`MAX_UNITS`] UTF-16 code units long.
///
/// So decoding what came out changes nothing. Costs one pass over `text`; text without a backslash
/// is only searched for one.
///
/// ```
/// use callmend_tool_repair::decode_once;
///
/// assert_eq!(decode_once(r"Fix it.\n\nThen test.").as_deref(), Some("Fix it.\n\nThen test."));
/// assert_eq!(decode_once(r#"Say \"hi\""#).as_deref(), Some(r#"Say "hi""#));
/// // A lone `\n` is a mention.
/// assert_eq!(decode_once(r"Split at \n only"), None);
/// // Encoded three times, or quoting escapes of its own.
/// assert_eq!(decode_once(r"one\\ntwo\\nthree"), None);
/// ```
pub fn decode_once(text: &str) -> Option<String> {
    if !text.contains('\\') || is_too_long(text) {
        return None;
    }
    let body = Body::read(text)?;
    let shown = body.telling > 0 || body.escapes >= 2;
    if !shown || body.doubtful || body.decoded == text {
        return None;
    }
    let again = Body::read(&body.decoded);
    if again.is_some_and(|again| again.escapes > 0) || holds_call_markup(&body.decoded) {
        return None;
    }
    Some(body.decoded)
}

pub(crate) fn is_too_long(text: &str) -> bool {
    // A text has at most as many code units as bytes.
    text.len() > MAX_UNITS && text.encode_utf16().count() > MAX_UNITS
}

/// A well-formed JSON string body, decoded.
struct Body {
    decoded: String,
    /// How many escapes there were.
    escapes: usize,
    /// How many of them no prose writes by itself: `\"` `\\` `\/` `\uXXXX`.
    telling: usize,
    /// Whether one of the escapes may well be meant as it stands.
    doubtful: bool,
}

/// Says whether an escape may be a regular expression's, or a Windows path's: what stands before
/// it, and what follows the backslash.
fn is_doubtful(before: &str, escape: &str) -> bool {
    let mut before = before.chars().rev();
    let drive = before.next() == Some(':')
        && before.next().is_some_and(|c| c.is_ascii_alphabetic())
        && before.next().is_none_or(|c| !c.is_alphanumeric());
    escape.starts_with(['b', 'f']) || (drive && escape.starts_with(['n', 't', 'r']))
}

impl Body {
    fn read(text: &str) -> Option<Self> {
        let mut body = Self {
            decoded: String::with_capacity(text.len()),
            escapes: 0,
            telling: 0,
            doubtful: false,
        };
        let mut rest = text;
        while let Some(at) = rest.find(['\\', '"']) {
            let (plain, tail) = rest.split_at_checked(at)?;
            body.plain(plain)?;
            let escape = tail.strip_prefix('\\')?;
            body.doubtful |= is_doubtful(plain, escape);
            rest = body.escape(escape)?;
        }
        body.plain(rest)?;
        Some(body)
    }

    fn plain(&mut self, text: &str) -> Option<()> {
        if text.bytes().any(|byte| byte < 0x20) {
            return None;
        }
        self.decoded.push_str(text);
        Some(())
    }

    /// Reads what follows a backslash; returns what follows the escape.
    fn escape<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        let mut chars = text.chars();
        let (c, telling) = match chars.next()? {
            c @ ('"' | '\\' | '/') => (c, true),
            'n' => ('\n', false),
            't' => ('\t', false),
            'r' => ('\r', false),
            'b' => ('\u{8}', false),
            'f' => ('\u{c}', false),
            'u' => {
                let (c, rest) = unicode(chars.as_str())?;
                chars = rest.chars();
                (c, true)
            }
            _ => return None,
        };
        self.decoded.push(c);
        self.escapes += 1;
        self.telling += usize::from(telling);
        Some(chars.as_str())
    }
}

/// Reads the digits of a `\u` escape, a surrogate pair's second half with them.
fn unicode(text: &str) -> Option<(char, &str)> {
    let (high, rest) = unit(text)?;
    if let Some(c) = char::from_u32(high) {
        return Some((c, rest));
    }
    let (low, rest) = unit(rest.strip_prefix("\\u")?)?;
    let pair = [u16::try_from(high).ok()?, u16::try_from(low).ok()?];
    match char::decode_utf16(pair).next() {
        Some(Ok(c)) => Some((c, rest)),
        _ => None,
    }
}

fn unit(text: &str) -> Option<(u32, &str)> {
    let (digits, rest) = text.split_at_checked(4)?;
    let hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let unit = hex.then(|| u32::from_str_radix(digits, 16).ok())??;
    Some((unit, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_that_was_escaped_twice_is_decoded() {
        for (sent, meant) in [
            (r"a\nb\nc", "a\nb\nc"),
            (r"a\n\tb", "a\n\tb"),
            (r#"a \"b\" c"#, r#"a "b" c"#),
            (r"50\u00a0% \u2014 done", "50\u{a0}% — done"),
            (r"see \/etc", "see /etc"),
            (r"\ud83d\ude00", "😀"),
            // One backslash that stands for itself was escaped.
            (r"in C:\\Users", r"in C:\Users"),
            // What comes out holds a bare quote, so it is no string body.
            (r#"write \"\\n\" here"#, r#"write "\n" here"#),
            (r"é\n—\n", "é\n—\n"),
        ] {
            assert_eq!(decode_once(sent).as_deref(), Some(meant), "{sent}");
        }
    }

    #[test]
    fn what_mentions_an_escape_stays() {
        for sent in [
            r"split at \n",
            r"a tab is \t here",
            r"the regex \d+ and \n",
            r"look at C:\temp\new",
            r"match \bword\b",
            r#"a "quoted" word\n\n"#,
            "a raw\nline end and \\n\\n",
            r"a trailing backslash \",
            r"\u12 is no escape \n",
            r"\u{1F600} \n\n",
            "plain",
            "",
        ] {
            assert_eq!(decode_once(sent), None, "{sent}");
        }
    }

    #[test]
    fn a_lone_surrogate_is_no_escape() {
        for sent in [r"\ud83d alone", r"\ude00", r"\ud83d\n", r"\ud83dA"] {
            assert_eq!(decode_once(sent), None, "{sent}");
        }
    }

    #[test]
    fn what_would_decode_twice_stays() {
        for sent in [
            // Encoded three times.
            r#"say \\\"hi\\\""#,
            r"a\\nb\\nc",
            // It quotes one escape of its own: without the threshold that is enough.
            r"a\\nb",
            r"in C:\\temp",
            r"\\u2014",
        ] {
            assert_eq!(decode_once(sent), None, "{sent}");
        }
    }

    #[test]
    fn a_decoded_backslash_beside_a_line_end_is_no_escape() {
        // What comes out holds a raw line end, so it is no string body and would not decode again.
        assert_eq!(decode_once(r"a\\d\nb").as_deref(), Some("a\\d\nb"));
        assert_eq!(decode_once(r"a\\n\nb").as_deref(), Some("a\\n\nb"));
    }

    #[test]
    fn call_markup_keeps_a_text_as_sent() {
        for sent in [
            r"a\n</parameter>\n<parameter name=\u0022k\u0022>b",
            r"\u003cinvoke name=x>",
            r"a\n</ns:invoke>\n",
        ] {
            assert_eq!(decode_once(sent), None, "{sent}");
        }
        assert!(decode_once(r"a\n<b>bold</b>\n").is_some());
    }

    #[test]
    fn a_field_of_more_than_the_limit_in_code_units_stays() {
        let fits = format!(r"\n\n{}", "é".repeat(MAX_UNITS - 4));
        assert!(decode_once(&fits).is_some());
        let long = format!(r"\n\n{}", "é".repeat(MAX_UNITS - 3));
        assert_eq!(decode_once(&long), None);
        // A character outside the BMP is two code units.
        let wide = format!(r"\n\n{}", "😀".repeat(MAX_UNITS / 2 - 1));
        assert_eq!(decode_once(&wide), None);
    }
}
