//! A JSON text as a list of tokens, so that an operator can damage one of them.

use serde_json::Value;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Open,
    Close,
    Key,
    Colon,
    /// A comma; `true` inside an object.
    Comma(bool),
    Str,
    Num,
    Lit,
    Space,
    /// Whatever an operator put in.
    Put,
}

/// One token.
#[derive(Debug, Clone)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) text: String,
    /// The JSON Pointer of the value (of a key: of its member).
    pub(crate) at: String,
    /// The decoded key or string.
    pub(crate) raw: String,
    /// How many containers are open around it.
    pub(crate) depth: usize,
}

impl Token {
    /// Makes a token that an operator puts in.
    pub(crate) fn put(text: impl Into<String>) -> Self {
        Self {
            kind: Kind::Put,
            text: text.into(),
            at: String::new(),
            raw: String::new(),
            depth: 0,
        }
    }

    /// Whether the token is a whole scalar value.
    pub(crate) fn is_scalar(&self) -> bool {
        matches!(self.kind, Kind::Str | Kind::Num | Kind::Lit)
    }
}

/// How a text is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Compact,
    Spaced,
    Pretty,
}

/// Spells a value as tokens.
pub(crate) fn tokens(value: &Value, style: Style) -> Vec<Token> {
    let mut writer = Writer {
        style,
        out: Vec::new(),
    };
    writer.value(value, "", 0);
    writer.out
}

/// Joins tokens into a text.
pub(crate) fn join(tokens: &[Token]) -> String {
    tokens.iter().map(|token| token.text.as_str()).collect()
}

/// Spells a string as JSON does.
pub(crate) fn quoted(text: &str) -> String {
    Value::String(text.to_owned()).to_string()
}

struct Writer {
    style: Style,
    out: Vec<Token>,
}

impl Writer {
    fn push(&mut self, kind: Kind, text: impl Into<String>, at: &str, raw: &str, depth: usize) {
        self.out.push(Token {
            kind,
            text: text.into(),
            at: at.to_owned(),
            raw: raw.to_owned(),
            depth,
        });
    }

    fn space(&mut self, depth: usize, after_comma: bool) {
        match self.style {
            Style::Pretty => {
                let text = format!("\n{}", "  ".repeat(depth));
                self.push(Kind::Space, text, "", "", depth);
            }
            Style::Spaced if after_comma => self.push(Kind::Space, " ", "", "", depth),
            _ => {}
        }
    }

    fn value(&mut self, value: &Value, at: &str, depth: usize) {
        match value {
            Value::String(text) => self.push(Kind::Str, quoted(text), at, text, depth),
            Value::Number(number) => self.push(Kind::Num, number.to_string(), at, "", depth),
            Value::Array(items) => {
                self.push(Kind::Open, "[", at, "", depth);
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        self.push(Kind::Comma(false), ",", at, "", depth + 1);
                    }
                    self.space(depth + 1, index > 0);
                    self.value(item, &format!("{at}/{index}"), depth + 1);
                }
                if !items.is_empty() {
                    self.space(depth, false);
                }
                self.push(Kind::Close, "]", at, "", depth);
            }
            Value::Object(members) => {
                self.push(Kind::Open, "{", at, "", depth);
                for (index, (key, member)) in members.iter().enumerate() {
                    if index > 0 {
                        self.push(Kind::Comma(true), ",", at, "", depth + 1);
                    }
                    self.space(depth + 1, index > 0);
                    let own = format!("{at}{}", callmend_stage::pointer::to(key));
                    self.push(Kind::Key, quoted(key), &own, key, depth + 1);
                    self.push(Kind::Colon, ":", &own, "", depth + 1);
                    if self.style != Style::Compact {
                        self.push(Kind::Space, " ", "", "", depth + 1);
                    }
                    self.value(member, &own, depth + 1);
                }
                if !members.is_empty() {
                    self.space(depth, false);
                }
                self.push(Kind::Close, "}", at, "", depth);
            }
            _ => self.push(Kind::Lit, value.to_string(), at, "", depth),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_style_spells_the_value() {
        let value = json!({"a": [1, {"b/c": "x\ny"}, []], "d": {}, "e": null});
        for style in [Style::Compact, Style::Spaced, Style::Pretty] {
            let text = join(&tokens(&value, style));
            assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        }
    }
}
