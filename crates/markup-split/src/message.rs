//! Every code and every sentence of markup-split.

use crate::leak::Stuck;
use callmend_stage::message::{tick, with_tail};
use callmend_stage::{Code, CodeInfo};

/// The id of the stage.
pub const ID: &str = "markup-split";

/// Arguments that stood as call markup inside another argument's value were given their places.
pub const SPLIT: Code = Code::new("markup-split");

/// Closing tags at the end of a value were taken off.
pub const TRIMMED: Code = Code::new("markup-trimmed");

/// A value holds leaked call markup that does not come apart in one way (extended cascade).
pub const LEAKED: Code = Code::new("leaked-markup");

/// A value whose slot does not take a string holds call markup (extended cascade).
pub const MISPLACED: Code = Code::new("misplaced-markup");

/// Every code of the stage.
pub const CODES: &[CodeInfo] = &[
    CodeInfo::edit(
        SPLIT,
        "arguments that stood as call markup inside another one's value got their places",
    ),
    CodeInfo::edit(
        TRIMMED,
        "closing tags of call markup at the end of a value were taken off",
    ),
    CodeInfo::rejection(
        LEAKED,
        "a value holds leaked call markup that does not come apart in one way",
    ),
    CodeInfo::rejection(
        MISPLACED,
        "a value holds call markup where no string belongs",
    ),
];

/// Says how to pass a leaked argument next time.
pub fn pass_apart(name: &str, source: &str) -> String {
    format!(
        "pass {} as an argument of its own, not inside {}",
        tick(name),
        tick(source)
    )
}

/// Says how to end an argument next time.
pub fn end_plainly(source: &str) -> String {
    format!("end {} without a closing tag", tick(source))
}

/// Why leaked markup does not come apart.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Why<'w> {
    /// It begins an argument that the tool does not take.
    Unknown(&'w str),
    /// It begins an argument that already has a value.
    Taken(&'w str),
    /// It begins one argument twice, or two values begin the same.
    Twice(&'w str),
    /// It begins an argument that is declared in two places, of which this is the inner one.
    Either(&'w str, &'w str),
    /// The text of an argument is not of its type; with the phrase for that type.
    NotOfType(&'w str, &'w str),
    /// Nothing would be left of the argument itself.
    Empty,
    /// Nothing follows the tag of an argument.
    EmptyPart(&'w str),
    /// The line end before a closing tag may be markup or text.
    LineEnd,
    /// More markup stands inside a part.
    MoreMarkup,
    /// More text follows it.
    TextAfter,
    /// A tag is not whole.
    Broken,
    /// A second call begins in it.
    AnotherCall,
}

impl<'w> From<Stuck<'w>> for Why<'w> {
    fn from(stuck: Stuck<'w>) -> Self {
        match stuck {
            Stuck::Empty => Self::Empty,
            Stuck::EmptyPart(name) => Self::EmptyPart(name),
            Stuck::LineEnd => Self::LineEnd,
            Stuck::MoreMarkup => Self::MoreMarkup,
            Stuck::TextAfter => Self::TextAfter,
            Stuck::Broken => Self::Broken,
            Stuck::AnotherCall => Self::AnotherCall,
        }
    }
}

/// Says that leaked markup does not come apart, and why.
pub fn leaked(source: &str, why: Why<'_>, tail: &str) -> String {
    with_tail(&leaked_body(source, why), tail)
}

/// Says that markup stands where no string belongs; `phrase` words what does.
pub fn misplaced(source: &str, phrase: &str, tail: &str) -> String {
    with_tail(&misplaced_body(source, phrase), tail)
}

pub(crate) fn leaked_body(source: &str, why: Why<'_>) -> String {
    let why = match why {
        Why::Unknown(name) => format!("{} is no argument", tick(name)),
        Why::Taken(name) => format!("{} already has a value", tick(name)),
        Why::Twice(name) => format!("{} is there twice", tick(name)),
        Why::Either(inner, outer) => {
            format!("{} or {} could be meant", tick(inner), tick(outer))
        }
        Why::NotOfType(name, phrase) => format!("{} must be {phrase}", tick(name)),
        Why::Empty => format!("nothing else is in {}", tick(source)),
        Why::EmptyPart(name) => format!("nothing follows the tag of {}", tick(name)),
        Why::LineEnd => "the line end before a closing tag could be text".to_owned(),
        Why::MoreMarkup => "more markup stands inside it".to_owned(),
        Why::TextAfter => "more text follows it".to_owned(),
        Why::Broken => "its tags do not fit together".to_owned(),
        Why::AnotherCall => "a second call begins in it".to_owned(),
    };
    format!(
        "{} holds leaked call markup, and {why}; pass each argument by itself, without markup",
        tick(source)
    )
}

pub(crate) fn misplaced_body(source: &str, phrase: &str) -> String {
    format!("{} must be {phrase}, without call markup", tick(source))
}
