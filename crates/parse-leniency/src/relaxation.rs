//! Every relaxation that the parser can make, by name.

use std::fmt;

macro_rules! relaxations {
    ($($variant:ident $name:literal $advice:literal $doc:literal;)*) => {
        /// One way in which a text departed from strict JSON and was read all the same.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Relaxation {
            $(#[doc = $doc] $variant,)*
        }

        impl Relaxation {
            /// Every relaxation, in the order in which [`Relaxed::iter`] lists them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Returns the stable name, in kebab-case: `trailing-comma`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Returns what to do instead, for a hint: `no trailing comma`.
            pub(crate) const fn advice(self) -> &'static str {
                match self {
                    $(Self::$variant => $advice,)*
                }
            }
        }
    };
}

relaxations! {
    TrailingComma "trailing-comma" "no comma after the last entry"
        "A comma after the last member or item.";
    LeadingComma "leading-comma" "no comma before the first entry"
        "A comma before the first member or item.";
    DoubledComma "doubled-comma" "one comma between entries"
        "More than one comma between two members or items.";
    MissingComma "missing-comma" "a comma between entries"
        "No comma between two members or items.";
    MissingColon "missing-colon" "a colon after each key"
        "No colon between a key and its value.";
    Comment "comment" "no comments"
        "A comment: `// …`, `# …` or `/* … */`.";
    SingleQuotes "single-quotes" "strings in double quotes"
        "A string in single quotes.";
    CurlyQuotes "curly-quotes" "strings in straight double quotes"
        "A string in typographic quotes.";
    Backticks "backticks" "strings in double quotes, not backticks"
        "A string in backticks.";
    TripleQuotes "triple-quotes" "strings in one pair of double quotes"
        "A string in Python's triple quotes.";
    EscapedQuotes "escaped-quotes" "no backslash before the quotes that delimit a string"
        "A string delimited by escaped quotes.";
    InnerQuote "inner-quote" "`\\\"` for a quote inside a string"
        "A quote inside a string without its backslash.";
    UnquotedKey "unquoted-key" "keys in double quotes"
        "A key without quotes.";
    UnquotedValue "unquoted-value" "strings in double quotes"
        "A string without quotes.";
    PythonLiteral "python-literal" "`true`, `false` and `null` for Python's words"
        "`True`, `False` or `None`.";
    PlusSign "plus-sign" "no `+` before a number"
        "A plus sign before a number.";
    BarePoint "bare-point" "a digit on both sides of a decimal point"
        "A number that begins or ends with its decimal point.";
    Hexadecimal "hexadecimal" "numbers in decimal"
        "A hexadecimal integer.";
    RawControl "raw-control-character" "`\\n` and `\\t` for line ends and tabs inside a string"
        "A control character inside a string without its escape.";
    UnknownEscape "unknown-escape" "`\\\\` for a backslash inside a string"
        "An escape that JSON lacks, kept with its backslash.";
    EscapedApostrophe "escaped-apostrophe" "no backslash before an apostrophe"
        "An apostrophe written `\\'`.";
    ByteOrderMark "byte-order-mark" "no byte-order mark"
        "A byte-order mark before the text.";
    UnicodeSpace "unicode-space" "plain spaces between tokens"
        "White space between tokens that JSON does not know.";
    LiteralSpace "literal-escape" "real line ends between tokens, not `\\n`"
        "A literal `\\n`, `\\r` or `\\t` between tokens.";
    NulBytes "nul-bytes" "nothing after the object"
        "NUL bytes after the object.";
    CodeFence "code-fence" "no code fence"
        "A Markdown code fence around the text.";
    CallMarkup "call-markup" "the arguments alone, without markup"
        "Call markup or chat-template tokens around the object.";
    SurplusCloser "surplus-closer" "one closing bracket for each that opens"
        "Closing brackets after the object.";
    DoubledBraces "doubled-braces" "single braces"
        "Every structural brace doubled.";
    MissingCloser "missing-closer" "a closing bracket for each that opens"
        "Closing brackets missing at the end.";
    DuplicateKey "duplicate-key" "each key once"
        "A key more than once, with equal values.";
    RepeatedObject "repeated-object" "the object once"
        "The object more than once, or beside empty ones.";
    Stringified "stringified" "an object, not a string that holds one"
        "The object as the content of a JSON string.";
}

/// The set of relaxations that one reading made.
///
/// ```
/// use callmend_parse_leniency::{Guide, Options, Relaxation, parse};
/// let parsed = parse("{'a': 1,}", Guide::NONE, Options::arguments())?;
/// assert!(parsed.relaxed.has(Relaxation::SingleQuotes));
/// assert_eq!(parsed.relaxed.names(), ["single-quotes", "trailing-comma"]);
/// # Ok::<(), callmend_parse_leniency::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Relaxed(u64);

impl Relaxed {
    /// Says whether the text was strict JSON.
    pub const fn is_strict(self) -> bool {
        self.0 == 0
    }

    /// Says whether a relaxation was made.
    pub const fn has(self, one: Relaxation) -> bool {
        self.0 & (1 << one as u8) != 0
    }

    /// Lists the relaxations that were made, each once, in the order of [`Relaxation::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Relaxation> {
        Relaxation::ALL
            .iter()
            .copied()
            .filter(move |one| self.has(*one))
    }

    /// Lists the names of the relaxations that were made, in bytewise order.
    pub fn names(self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.iter().map(Relaxation::name).collect();
        names.sort_unstable();
        names
    }

    pub(crate) fn add(&mut self, one: Relaxation) {
        self.0 |= 1 << one as u8;
    }

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl fmt::Debug for Relaxed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
