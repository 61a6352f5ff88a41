//! Finds the markup that models write calls in.

/// The names of the tags that calls are written with.
const NAMES: &[&str] = &[
    "parameter",
    "invoke",
    "function_call",
    "function_calls",
    "tool_call",
    "tool_calls",
];

/// How long a tag's name, prefix included, can be to be looked at.
const LONGEST: usize = 64;

/// Says whether a text holds call markup: an opening or closing `parameter`, `invoke`,
/// `function_calls` or `tool_call` tag, in any case, with or without a namespace or vendor prefix.
///
/// ```
/// use callmend_tool_repair::holds_call_markup;
/// assert!(holds_call_markup("text</parameter>"));
/// assert!(holds_call_markup("<ns:Invoke name=\"f\">"));
/// assert!(!holds_call_markup("<p>a parameter</p>"));
/// ```
pub fn holds_call_markup(text: &str) -> bool {
    text.match_indices('<').any(|(at, _)| {
        let tag = text.get(at + 1..).unwrap_or_default();
        let tag = tag.strip_prefix(['/', '?']).unwrap_or(tag);
        is_call_tag(tag)
    })
}

fn is_call_tag(tag: &str) -> bool {
    let name_char =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '.' | '|' | '｜');
    let length = tag.chars().take(LONGEST).take_while(|c| name_char(*c));
    let length = length.map(char::len_utf8).sum();
    let name = tag.get(..length).unwrap_or_default();
    NAMES.iter().any(|known| {
        let at = name.len().wrapping_sub(known.len());
        let Some((prefix, last)) = name.split_at_checked(at) else {
            return false;
        };
        last.eq_ignore_ascii_case(known)
            && (prefix.is_empty() || prefix.ends_with([':', '-', '|', '｜']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_and_casing_do_not_hide_a_tag() {
        for text in [
            "<parameter=k>",
            "</PARAMETER>",
            "a <｜｜DSML｜｜parameter name=\"k\">",
            "</ns-parameter>",
            "<?ns:parameter>",
            "<tool_call>",
            "</function_calls>",
            "<invoke",
        ] {
            assert!(holds_call_markup(text), "{text}");
        }
    }

    #[test]
    fn other_tags_and_words_are_none() {
        for text in [
            "<parameters>",
            "<myparameter>",
            "parameter>",
            "< parameter>",
            "<",
            "</",
            "1 < 2",
        ] {
            assert!(!holds_call_markup(text), "{text}");
        }
    }

    #[test]
    fn a_run_of_openings_costs_a_bounded_look_each() {
        assert!(!holds_call_markup(&"<a".repeat(1 << 19)));
        assert!(!holds_call_markup(&format!("<{}", "a".repeat(1 << 20))));
    }
}
