//! Reads the tags that calls are written with, and no others.

/// How long the name of a tag can be, in characters, its prefix included.
const LONGEST_NAME: usize = 64;

/// How long what stands between the quotes of an attribute can be, in bytes. Longer ones belong to
/// no argument that any provider takes.
const LONGEST_ATTRIBUTE: usize = 512;

/// How many attributes a tag can have.
const MOST_ATTRIBUTES: usize = 8;

/// How long the name of an argument can be to be looked for in closing tags.
const LONGEST_OWN: usize = 128;

/// One tag of call markup.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tag<'v> {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: Kind,
    pub(crate) form: Form<'v>,
}

/// What a tag is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `parameter`, prefixed or not.
    Parameter,
    /// `invoke`, prefixed or not.
    Invoke,
    /// What stands around a call, such as `function_calls`, and the special tokens of chat
    /// templates. Only a neighbour's presence tells it from data.
    Call,
    /// The argument's own name.
    Own,
}

/// How a tag is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Form<'v> {
    /// A closing tag that is whole; with the argument that it names, if it names one.
    Close(Option<&'v str>),
    /// A closing tag that is not whole.
    BrokenClose,
    /// An opening tag that names its argument in an attribute, and perhaps says whether its value
    /// is a string.
    Named(&'v str, Option<bool>),
    /// `<parameter=k>`.
    Shorthand(&'v str),
    /// An opening tag of any other form, whole or not.
    Open,
    /// A tag that closes itself.
    Empty,
}

impl Tag<'_> {
    pub(crate) fn closes(&self) -> bool {
        matches!(self.form, Form::Close(_) | Form::BrokenClose)
    }

    pub(crate) fn opens(&self) -> bool {
        matches!(self.form, Form::Named(..) | Form::Shorthand(_) | Form::Open)
    }

    /// Says whether this is what the guards call markup: any `parameter` or `invoke` tag.
    pub(crate) fn is_markup(&self) -> bool {
        matches!(self.kind, Kind::Parameter | Kind::Invoke)
    }
}

/// Lists the tags of a text in order; `own` is the name of the argument that holds it.
///
/// A text without `<` costs one search for it, any other a bounded look at each.
pub(crate) fn tags<'v>(text: &'v str, own: Option<&'v str>) -> impl Iterator<Item = Tag<'v>> {
    let own = own.filter(|own| is_a_name(own));
    let mut past = 0;
    text.match_indices('<').filter_map(move |(at, _)| {
        if at < past {
            return None;
        }
        let tag = Reader::new(text, at)?.tag(own)?;
        past = tag.end;
        Some(tag)
    })
}

/// Says whether a text holds any `parameter` or `invoke` tag.
pub(crate) fn holds_markup(text: &str) -> bool {
    tags(text, None).any(|tag| tag.is_markup())
}

/// Says whether closing tags may carry this name.
pub(crate) fn is_a_name(own: &str) -> bool {
    !own.is_empty()
        && own.len() <= LONGEST_OWN
        && own
            .chars()
            .all(|c| !c.is_whitespace() && !matches!(c, '<' | '>' | '/' | '"' | '\''))
}

/// Says whether a name is one that tags may have, and none of call markup.
pub(crate) fn is_other_name(name: &str) -> bool {
    is_a_name(name) && kind_of(name).is_none()
}

struct Reader<'v> {
    text: &'v str,
    start: usize,
    at: usize,
}

impl<'v> Reader<'v> {
    fn new(text: &'v str, start: usize) -> Option<Self> {
        text.get(start..)?.strip_prefix('<')?;
        Some(Self {
            text,
            start,
            at: start + 1,
        })
    }

    fn tag(mut self, own: Option<&str>) -> Option<Tag<'v>> {
        if !self.can_be_a_tag(own) {
            return None;
        }
        let closing = self.eat("/");
        let garbled = !closing && self.eat("?");
        let before = self.at;
        let name = self.name();
        let kind = match kind_of(name) {
            Some(kind) => kind,
            None if garbled => return None,
            None => {
                self.at = before;
                return self.other(name, own, closing);
            }
        };
        if garbled {
            return self.garbled(name, kind);
        }
        let form = if closing {
            self.close()
        } else if is_special(name) {
            // A special token has no closing form; what it ends, it closes.
            self.eat(">").then_some(Form::Close(None))?
        } else {
            self.open(kind)
        };
        self.done(kind, form)
    }

    /// Looks at the one byte after `<`, which settles it for most of what is no tag.
    fn can_be_a_tag(&self, own: Option<&str>) -> bool {
        let next = self.rest().bytes().next();
        next.is_some_and(|next| {
            next.is_ascii_alphabetic()
                || matches!(next, b'/' | b'?' | b'|')
                || !next.is_ascii()
                || own.is_some_and(|own| own.as_bytes().first() == Some(&next))
        })
    }

    fn done(self, kind: Kind, form: Form<'v>) -> Option<Tag<'v>> {
        Some(Tag {
            start: self.start,
            end: self.at,
            kind,
            form,
        })
    }

    /// Reads `<?ns:parameter>`, which stands for a closing tag; a processing instruction would
    /// end in `?>`.
    fn garbled(mut self, name: &str, kind: Kind) -> Option<Tag<'v>> {
        let prefixed = !name.eq_ignore_ascii_case("parameter");
        (kind == Kind::Parameter && prefixed && self.eat(">")).then_some(())?;
        self.done(kind, Form::Close(None))
    }

    /// Reads a tag that only the argument's own name, or an attribute that no closing tag has,
    /// tells from data.
    fn other(mut self, name: &str, own: Option<&str>, closing: bool) -> Option<Tag<'v>> {
        if let Some(own) = own
            && self.eat_ignoring_case(own)
            && self.at_boundary()
        {
            let form = if closing {
                self.close()
            } else {
                self.own_open()
            };
            return self.done(Kind::Own, form);
        }
        if !closing || name.is_empty() {
            return None;
        }
        self.at = self.start + 2 + name.len();
        match self.close() {
            form @ Form::Close(Some(_)) => self.done(Kind::Parameter, form),
            _ => None,
        }
    }

    /// Reads the rest of a closing tag.
    fn close(&mut self) -> Form<'v> {
        let after_name = self.at;
        let spaced = self.spaces();
        if self.eat(">") {
            return Form::Close(None);
        }
        if spaced
            && let Some((key, value)) = self.attribute()
            && key.eq_ignore_ascii_case("name")
        {
            self.spaces();
            if self.eat(">") {
                return Form::Close(Some(value));
            }
        }
        self.at = after_name;
        Form::BrokenClose
    }

    /// Reads the rest of an opening tag.
    fn open(&mut self, kind: Kind) -> Form<'v> {
        let after_name = self.at;
        if self.eat("=") {
            if let Some(name) = self.shorthand() {
                return Form::Shorthand(name);
            }
            self.at = after_name;
            return Form::Open;
        }
        let mut name = None;
        let mut is_string = None;
        let mut plain = true;
        for _ in 0..MOST_ATTRIBUTES {
            let spaced = self.spaces();
            if self.eat(">") {
                return match name {
                    Some(name) if plain && kind == Kind::Parameter => Form::Named(name, is_string),
                    _ => Form::Open,
                };
            }
            if self.eat("/>") {
                return Form::Empty;
            }
            let attribute = if spaced { self.attribute() } else { None };
            match attribute {
                Some((key, value)) if key.eq_ignore_ascii_case("name") && name.is_none() => {
                    name = Some(value);
                }
                Some((key, value)) if key.eq_ignore_ascii_case("string") && is_string.is_none() => {
                    is_string = match value {
                        "true" => Some(true),
                        "false" => Some(false),
                        _ => {
                            plain = false;
                            None
                        }
                    };
                }
                Some(_) => plain = false,
                None => break,
            }
        }
        self.at = after_name;
        Form::Open
    }

    /// Reads the rest of an opening tag of the argument's own name; it matters only whether the
    /// tag closes itself.
    fn own_open(&mut self) -> Form<'v> {
        let after_name = self.at;
        let rest = self.rest();
        let end = rest.find(['<', '>']);
        match end.and_then(|end| rest.split_at_checked(end)) {
            Some((inside, after)) if after.starts_with('>') => {
                self.at += inside.len() + 1;
                if inside.ends_with('/') {
                    Form::Empty
                } else {
                    Form::Open
                }
            }
            _ => {
                self.at = after_name;
                Form::Open
            }
        }
    }

    fn shorthand(&mut self) -> Option<&'v str> {
        let rest = self.rest();
        let mut bytes = rest.bytes().take(LONGEST_ATTRIBUTE);
        let end = bytes.position(|b| matches!(b, b'<' | b'>' | b'"' | b'\'' | b'\n' | b'\r'))?;
        let (name, after) = rest.split_at_checked(end)?;
        after.starts_with('>').then_some(())?;
        self.at += end + 1;
        let name = name.trim();
        (!name.is_empty()).then_some(name)
    }

    /// Reads `key="value"` or `key='value'`, nothing unescaped.
    fn attribute(&mut self) -> Option<(&'v str, &'v str)> {
        let rest = self.rest();
        let is_key = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ':');
        let length = rest.chars().take(LONGEST_NAME).take_while(is_key).count();
        let (key, _) = rest.split_at_checked(length)?;
        if key.is_empty() {
            return None;
        }
        self.at += length;
        self.spaces();
        self.eat("=").then_some(())?;
        self.spaces();
        let quote = self.rest().bytes().next();
        let quote = quote.filter(|b| matches!(b, b'"' | b'\''))?;
        self.at += 1;
        let rest = self.rest();
        let mut bytes = rest.bytes().take(LONGEST_ATTRIBUTE);
        let end = bytes.position(|b| b == quote)?;
        let value = rest.get(..end)?;
        self.at += end + 1;
        Some((key, value))
    }

    fn name(&mut self) -> &'v str {
        let rest = self.rest();
        let is_name =
            |c: &char| c.is_alphanumeric() || matches!(c, '_' | '-' | ':' | '.' | '|' | '｜' | '▁');
        let chars = rest.chars().take(LONGEST_NAME + 1).take_while(is_name);
        let (count, length) = chars.fold((0, 0), |(n, len), c| (n + 1, len + c.len_utf8()));
        if count > LONGEST_NAME {
            return "";
        }
        let name = rest.get(..length).unwrap_or_default();
        self.at += length;
        name
    }

    /// Skips white space, a bounded stretch of it; says whether there was any.
    fn spaces(&mut self) -> bool {
        let rest = self.rest();
        let spaces = rest.bytes().take(LONGEST_ATTRIBUTE);
        let spaces = spaces.take_while(u8::is_ascii_whitespace).count();
        self.at += spaces;
        spaces > 0
    }

    fn eat(&mut self, what: &str) -> bool {
        let there = self.rest().starts_with(what);
        if there {
            self.at += what.len();
        }
        there
    }

    fn eat_ignoring_case(&mut self, what: &str) -> bool {
        let start = self.rest().get(..what.len());
        let there = start.is_some_and(|start| start.eq_ignore_ascii_case(what));
        if there {
            self.at += what.len();
        }
        there
    }

    fn at_boundary(&self) -> bool {
        let next = self.rest().chars().next();
        next.is_none_or(|c| c.is_whitespace() || matches!(c, '>' | '/' | '<'))
    }

    fn rest(&self) -> &'v str {
        self.text.get(self.at..).unwrap_or_default()
    }
}

/// Tells what a tag is of by its name: the last word, after a prefix that ends in `:`, `-` or a
/// bar.
fn kind_of(name: &str) -> Option<Kind> {
    const KINDS: [(&str, Kind); 8] = [
        ("parameter", Kind::Parameter),
        ("invoke", Kind::Invoke),
        ("function", Kind::Call),
        ("function_call", Kind::Call),
        ("function_calls", Kind::Call),
        ("tool_call", Kind::Call),
        ("tool_calls", Kind::Call),
        ("tool_use", Kind::Call),
    ];
    if is_special(name) {
        return Some(Kind::Call);
    }
    if name.len() < "invoke".len() {
        return None;
    }
    let found = KINDS.iter().find(|(word, _)| {
        let split = name.len().checked_sub(word.len());
        split
            .and_then(|at| name.split_at_checked(at))
            .is_some_and(|(prefix, last)| {
                last.eq_ignore_ascii_case(word)
                    && (prefix.is_empty() || prefix.ends_with([':', '-', '|', '｜']))
            })
    });
    found.map(|(_, kind)| *kind)
}

/// Says whether a name is that of a chat template's token: `|im_end|`, `｜tool▁call▁end｜`.
fn is_special(name: &str) -> bool {
    let bar = ['|', '｜'];
    name.starts_with(bar) && name.ends_with(bar) && name.chars().count() > 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one<'v>(text: &'v str, own: Option<&'v str>) -> Option<(Kind, Form<'v>, &'v str)> {
        let tag = tags(text, own).next()?;
        Some((tag.kind, tag.form, &text[tag.start..tag.end]))
    }

    #[test]
    fn closing_tags_are_read_in_every_form() {
        for text in [
            "</parameter>",
            "</PARAMETER>",
            "</parameter >",
            "</ns:parameter>",
            "</ns-parameter>",
            "</｜｜DSML｜｜parameter>",
            "</|DSML|parameter>",
            "<?ns:parameter>",
        ] {
            assert_eq!(
                one(text, None),
                Some((Kind::Parameter, Form::Close(None), text))
            );
        }
        for text in [
            "</ns name=\"k\">",
            "</NS name = 'k' >",
            "</parameter name=\"k\">",
        ] {
            assert_eq!(
                one(text, None),
                Some((Kind::Parameter, Form::Close(Some("k")), text))
            );
        }
        assert_eq!(one("</ns:invoke>", None).map(|t| t.0), Some(Kind::Invoke));
        assert_eq!(one("</function>", None).map(|t| t.0), Some(Kind::Call));
        assert_eq!(one("<|im_end|>", None).map(|t| t.0), Some(Kind::Call));
        assert_eq!(
            one("</Content>", Some("content")),
            Some((Kind::Own, Form::Close(None), "</Content>"))
        );
    }

    #[test]
    fn opening_tags_are_read_in_every_form() {
        for (text, form) in [
            ("<parameter name=\"k\">", Form::Named("k", None)),
            ("<ns:Parameter name='k' >", Form::Named("k", None)),
            (
                "<｜DSML｜parameter name=\"k\" string=\"true\">",
                Form::Named("k", Some(true)),
            ),
            (
                "<parameter string=\"false\" name=\"k\">",
                Form::Named("k", Some(false)),
            ),
            ("<parameter=k>", Form::Shorthand("k")),
            ("<parameter= k >", Form::Shorthand("k")),
            ("<parameter name=\"k\" type=\"x\">", Form::Open),
            ("<parameter>", Form::Open),
            ("<parameter name=\"k\"/>", Form::Empty),
            ("<parameter/>", Form::Empty),
        ] {
            assert_eq!(one(text, None), Some((Kind::Parameter, form, text)));
        }
        assert_eq!(
            one("<invoke name=\"f\">", None).map(|t| t.1),
            Some(Form::Open)
        );
        assert_eq!(
            one("<content a=b/>", Some("content")).map(|t| t.1),
            Some(Form::Empty)
        );
    }

    #[test]
    fn what_is_not_whole_is_told_apart() {
        for text in [
            "</parameter",
            "</parameter\n<",
            "</parameter foo>",
            "</ns:parameter name=>",
        ] {
            assert_eq!(
                one(text, None).map(|t| t.1),
                Some(Form::BrokenClose),
                "{text}"
            );
        }
        for text in [
            "<parameter",
            "<parameter name=\"k",
            "<parameter=",
            "<parameter=\"k\">",
        ] {
            assert_eq!(one(text, None).map(|t| t.1), Some(Form::Open), "{text}");
        }
    }

    #[test]
    fn other_tags_are_not_read() {
        for text in [
            "<parameters>",
            "</parameters>",
            "<myparameter>",
            "</ns_parameter>",
            "<div name=\"k\">",
            "</div>",
            "<!-- parameter -->",
            "<?parameter>",
            "<?xml version=\"1.0\"?>",
            "< parameter>",
            "1 < parameter",
            "</contents>",
            "<",
            "</",
        ] {
            assert_eq!(one(text, Some("content")), None, "{text}");
        }
    }

    #[test]
    fn a_name_that_cannot_stand_in_a_tag_is_not_looked_for() {
        for own in ["", "a b", "a>", "</", "\"", &"x".repeat(500)] {
            assert!(!is_a_name(own));
        }
    }
}
