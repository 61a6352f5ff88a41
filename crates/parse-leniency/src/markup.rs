//! Call-markup and chat-template tokens that may stand around an object.

/// Tags that carry a call or its arguments. A namespace before a colon is allowed.
const TAGS: &[&str] = &[
    "args",
    "arguments",
    "call",
    "function",
    "function_call",
    "function_calls",
    "functions",
    "input",
    "invoke",
    "parameters",
    "tool",
    "tool_call",
    "tool_calls",
    "tool_code",
    "tool_input",
    "tool_use",
    "toolcall",
    "tools",
];

/// Tags that may close after an object, but do not open before one.
const CLOSING_TAGS: &[&str] = &["parameter", "s"];

/// Whole tokens that open a call or a turn.
const OPENING: &[&str] = &[
    "[TOOL_CALLS]",
    "[TOOL_CALL]",
    "[TOOL_REQUEST]",
    "<s>",
    "<bos>",
    "<start_of_turn>",
    "<tool_call_begin>",
];

/// Whole tokens that close a call or a turn.
const CLOSING: &[&str] = &[
    "[/TOOL_CALLS]",
    "[/TOOL_CALL]",
    "[END_TOOL_REQUEST]",
    "<eos>",
    "<end_of_turn>",
    "<tool_call_end>",
    "<end_of_text>",
];

/// How long the name in a token is at most.
const MAX_NAME: usize = 48;

/// What stands at the beginning of a text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Token {
    /// A token of this many bytes.
    Token(usize),
    /// A token that names a tool other than the one called.
    OtherTool,
}

/// Which side of the object a token stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Before,
    After,
}

/// Recognizes one token at the beginning of `text`. Looks at no more than the longest token has.
pub(crate) fn token(text: &str, side: Side, tool: Option<&str>) -> Option<Token> {
    let whole = match side {
        Side::Before => OPENING,
        Side::After => CLOSING,
    };
    if let Some(found) = whole.iter().find(|token| text.starts_with(**token)) {
        return Some(Token::Token(found.len()));
    }
    template(text).map(Token::Token).or_else(|| match side {
        Side::Before => opening_tag(text, tool),
        Side::After => closing_tag(text).map(Token::Token),
    })
}

/// `<|im_end|>`, and DeepSeek's form with full-width bars.
fn template(text: &str) -> Option<usize> {
    let (bar, rest) = ["|", "\u{FF5C}"]
        .iter()
        .find_map(|bar| Some((*bar, text.strip_prefix('<')?.strip_prefix(*bar)?)))?;
    let name = name(rest)?;
    let end = rest
        .get(name.len()..)?
        .strip_prefix(bar)?
        .strip_prefix('>')?;
    (!name.is_empty()).then_some(text.len() - end.len())
}

/// `<tool_call>`, `<function=NAME>`, `<invoke name="NAME">`.
fn opening_tag(text: &str, tool: Option<&str>) -> Option<Token> {
    let rest = vendor(text.strip_prefix('<')?);
    let tag = name(rest)?;
    if !known(tag, TAGS) {
        return None;
    }
    let rest = rest.get(tag.len()..)?;
    if let Some(end) = rest.strip_prefix('>') {
        return Some(Token::Token(text.len() - end.len()));
    }
    let (named, end) = if let Some(rest) = rest.strip_prefix('=') {
        rest.split_at_checked(rest.bytes().take(256).position(|b| b == b'>')?)?
    } else {
        let rest = rest.trim_start_matches(' ').strip_prefix("name=\"")?;
        let (named, end) =
            rest.split_at_checked(rest.bytes().take(256).position(|b| b == b'"')?)?;
        (named, end.strip_prefix('"')?)
    };
    let end = end.strip_prefix('>')?;
    if tool.is_some_and(|tool| tool == named) {
        Some(Token::Token(text.len() - end.len()))
    } else {
        Some(Token::OtherTool)
    }
}

/// `</tool_call>`.
fn closing_tag(text: &str) -> Option<usize> {
    let rest = vendor(text.strip_prefix("</")?);
    let tag = name(rest)?;
    let end = rest.get(tag.len()..)?.strip_prefix('>')?;
    (known(tag, TAGS) || known(tag, CLOSING_TAGS)).then_some(text.len() - end.len())
}

/// Drops a vendor's prefix in full-width bars: `｜DSML｜`.
fn vendor(text: &str) -> &str {
    let inner = text.strip_prefix('\u{FF5C}').and_then(|rest| {
        let rest = rest.trim_start_matches('\u{FF5C}');
        let vendor = name(rest)?;
        rest.get(vendor.len()..)?.strip_prefix('\u{FF5C}')
    });
    inner.map_or(text, |rest| rest.trim_start_matches('\u{FF5C}'))
}

fn known(tag: &str, tags: &[&str]) -> bool {
    let bare = tag.rsplit(':').next().unwrap_or(tag);
    tags.iter().any(|known| known.eq_ignore_ascii_case(bare))
}

/// The name that a token begins with.
fn name(text: &str) -> Option<&str> {
    let end = text
        .char_indices()
        .take(MAX_NAME + 1)
        .find(|(_, c)| {
            !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-' | '.' | ':' | '/' | '\u{2581}')
        })?
        .0;
    text.get(..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn before(text: &str) -> Option<Token> {
        token(text, Side::Before, Some("find"))
    }

    fn after(text: &str) -> Option<Token> {
        token(text, Side::After, Some("find"))
    }

    #[test]
    fn openers_stand_before_and_closers_after() {
        assert_eq!(before("<tool_call>{"), Some(Token::Token(11)));
        assert_eq!(after("</tool_call>\n"), Some(Token::Token(12)));
        assert_eq!(before("</tool_call>{"), None);
        assert_eq!(after("<tool_call>"), None);
        assert_eq!(after("</ns:invoke>"), Some(Token::Token(12)));
    }

    #[test]
    fn template_tokens_stand_on_either_side() {
        assert_eq!(after("<|im_end|>"), Some(Token::Token(10)));
        assert_eq!(before("<|python_tag|>{"), Some(Token::Token(14)));
        let wide = "<\u{FF5C}tool\u{2581}call\u{2581}end\u{FF5C}>";
        assert_eq!(after(wide), Some(Token::Token(wide.len())));
        assert_eq!(after("<||>"), None);
        assert_eq!(after("<|not over"), None);
    }

    #[test]
    fn a_named_tool_must_be_the_one_called() {
        assert_eq!(before("<function=find>{"), Some(Token::Token(15)));
        assert_eq!(before("<function=grep>{"), Some(Token::OtherTool));
        assert_eq!(before("<invoke name=\"find\">{"), Some(Token::Token(20)));
        assert_eq!(before("<invoke name=\"grep\">{"), Some(Token::OtherTool));
    }

    #[test]
    fn other_markup_is_text() {
        assert_eq!(before("<div>{"), None);
        assert_eq!(after("</div>"), None);
        assert_eq!(before("<think>"), None);
        assert_eq!(before(&format!("<|{}|>", "x".repeat(100))), None);
    }
}
