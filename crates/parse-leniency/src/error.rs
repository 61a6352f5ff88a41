//! Why a text has no reading, and where: kind and byte offset, never a sentence.

use std::fmt;

/// One step from the root to the place of an error.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Step {
    /// Into a member.
    Key(String),
    /// Into an item.
    Index(usize),
}

/// What is wrong with a text.
///
/// `Display` words it for a person; [`message`](crate::message) words it for a model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Something else was expected here: `` `,` or `}` ``.
    Expected(&'static str),
    /// The text ends inside a string, container, literal, escape or comment, or before a value.
    Truncated,
    /// A key or an element without its value.
    MissingValue,
    /// A container is closed by the other kind's bracket.
    WrongCloser {
        /// The bracket that would close it.
        expected: char,
    },
    /// A word that JSON has no value for: `NaN`, `Infinity`, `undefined`.
    NoJsonValue,
    /// An ellipsis stands where content belongs.
    Ellipsis,
    /// A number begins with a zero that is not its only digit.
    LeadingZero,
    /// A number overflows, or an integer lies outside −2^63 … 2^64−1.
    NumberOutOfRange,
    /// An escape that another language reads as a character: `\x41`, `\0`.
    ForeignEscape,
    /// Half of a surrogate pair.
    LoneSurrogate,
    /// Backslashes of a string read in two ways: is `\n` in `C:\new\Docs` a line end?
    MixedEscapes,
    /// An apostrophe with a backslash beside one without, or a quote that may close the string
    /// or belong to it.
    QuoteReadings,
    /// More than one place for a missing comma, a missing colon or an inner quote gives an object
    /// with declared keys.
    TwoReadings,
    /// The search for the one reading came to its bound.
    SearchBound,
    /// One key, two values.
    DuplicateKey(String),
    /// Doubled braces around strings that hold doubled braces themselves.
    BracesInString,
    /// More than one object, and they differ.
    SeveralObjects,
    /// Text before the object.
    TextBefore,
    /// Text after the object.
    TextAfter,
    /// Markup around the object names another tool.
    OtherTool,
    /// The root is JSON, but no object.
    NotAnObject,
    /// There is nothing to read.
    Empty,
    /// More than 127 containers, one in another.
    TooDeep,
    /// A text that is not strict JSON has more than [`MAX_RELAXED_BYTES`](crate::MAX_RELAXED_BYTES).
    TooLarge,
    /// An object inside more than [`MAX_LAYERS`](crate::MAX_LAYERS) strings.
    TooManyLayers,
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match self {
            Self::Expected(what) => return write!(f, "expected {what}"),
            Self::WrongCloser { expected } => return write!(f, "expected `{expected}`"),
            Self::DuplicateKey(_) => "a key with two values",
            Self::Truncated => "the text is cut off",
            Self::MissingValue => "expected a value",
            Self::NoJsonValue => "a word that is no JSON value",
            Self::Ellipsis => "an ellipsis in place of content",
            Self::LeadingZero => "a number with a leading zero",
            Self::NumberOutOfRange => "a number out of range",
            Self::ForeignEscape => "an escape that JSON does not have",
            Self::LoneSurrogate => "half of a surrogate pair",
            Self::MixedEscapes => "a string whose backslashes read in two ways",
            Self::QuoteReadings => "a string whose quotes read in two ways",
            Self::TwoReadings => "a text with two readings",
            Self::SearchBound => "a text with too many possible readings",
            Self::BracesInString => "doubled braces inside a string",
            Self::SeveralObjects => "more than one object",
            Self::TextBefore => "text before the object",
            Self::TextAfter => "text after the object",
            Self::OtherTool => "markup that names another tool",
            Self::NotAnObject => "expected an object",
            Self::Empty => "no text",
            Self::TooDeep => "nested too deeply",
            Self::TooLarge => "too large",
            Self::TooManyLayers => "too many layers of strings",
        };
        f.write_str(words)
    }
}

/// Why a text has no reading: the kind, the place, and the way there.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseError {
    /// What is wrong.
    pub kind: ErrorKind,
    /// Where, in bytes from the start of the text, or, with `layer` over 0, of the text inside
    /// that many strings.
    pub offset: usize,
    /// How many strings were unwrapped before.
    pub layer: u8,
    /// The way from the root to the innermost value that was being read.
    pub path: Vec<Step>,
    line: usize,
    column: usize,
}

impl ParseError {
    pub(crate) fn new(kind: ErrorKind, offset: usize, text: &str, layer: u8) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Self {
            kind,
            offset,
            layer,
            path: Vec::new(),
            line: before.bytes().filter(|&b| b == b'\n').count() + 1,
            column: before.get(line_start..).unwrap_or("").chars().count() + 1,
        }
    }

    pub(crate) fn with_path(mut self, path: Vec<Step>) -> Self {
        self.path = path;
        self
    }

    /// Returns the line of the place, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Returns the column of the place, from 1, in Unicode scalar values.
    pub fn column(&self) -> usize {
        self.column
    }

    /// Spells the path as messages do: `edits[0].old_text`; nothing at the root.
    pub fn argument(&self) -> Option<String> {
        let mut out = String::new();
        for step in &self.path {
            match step {
                Step::Key(key) => {
                    if !out.is_empty() {
                        out.push('.');
                    }
                    out.push_str(key);
                }
                Step::Index(index) => {
                    out.push('[');
                    out.push_str(&index.to_string());
                    out.push(']');
                }
            }
        }
        (!out.is_empty()).then_some(out)
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} at line {} column {}",
            self.kind, self.line, self.column
        )
    }
}

impl std::error::Error for ParseError {}
