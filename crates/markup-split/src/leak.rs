//! Finds the leak in one string value, and takes it apart (contract, section 12).
//!
//! A leak is an unbalanced closing tag that is followed, white space aside, by an opening tag, or
//! by nothing but closing tags to the end of the value. Everything here is linear in the value.

use crate::elements::is_element;
use crate::tag::{self, Form, Kind, Tag, tags};

/// What a string value holds.
#[derive(Debug, PartialEq)]
pub(crate) enum Finding<'v> {
    /// Nothing but the value itself.
    Clean,
    /// A leak that comes apart.
    Leak(Leak<'v>),
    /// A leak that does not.
    Stuck(Stuck<'v>),
    /// What would be a leak if the tag before its first argument were one that closes arguments.
    /// It is data unless every one of these could be an argument of the call.
    Suspect(Vec<Part<'v>>),
    /// Call markup that is no leak, in a slot that does not take a string.
    Misplaced,
}

/// A leak, taken apart.
#[derive(Debug, PartialEq)]
pub(crate) struct Leak<'v> {
    /// What belongs to the argument itself.
    pub(crate) kept: &'v str,
    /// What belongs to others, in order.
    pub(crate) parts: Vec<Part<'v>>,
}

/// The part of a leak that belongs to another argument.
#[derive(Debug, PartialEq)]
pub(crate) struct Part<'v> {
    pub(crate) name: &'v str,
    pub(crate) text: &'v str,
    /// Whether the tag says that the value is a string, where it says so.
    pub(crate) is_string: Option<bool>,
}

/// Why a leak does not come apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Stuck<'v> {
    /// Nothing would be left of the argument.
    Empty,
    /// Nothing follows the tag of this argument.
    EmptyPart(&'v str),
    /// The line end before a closing tag may be markup or text.
    LineEnd,
    /// More markup stands inside a part.
    MoreMarkup,
    /// More text follows the last closing tag.
    TextAfter,
    /// A tag is not whole, or names another argument than the one that it closes.
    Broken,
    /// A second call begins.
    AnotherCall,
}

/// Examines a value; `own` is the name of the argument that holds it, `takes_string` whether its
/// slot takes a string.
pub(crate) fn examine<'v>(value: &'v str, own: &'v str, takes_string: bool) -> Finding<'v> {
    let worth_a_look = |tag: Tag<'_>| match tag.form {
        Form::Close(_) | Form::BrokenClose => tag.kind != Kind::Call,
        Form::Named(..) | Form::Shorthand(_) => true,
        Form::Open | Form::Empty => !takes_string && tag.is_markup(),
    };
    if !tags(value, Some(own)).any(worth_a_look) {
        return Finding::Clean;
    }
    let text = Text::new(value, own);
    match text.first_leak() {
        Some(at) => match text.take_apart(at, takes_string) {
            Ok(leak) => Finding::Leak(leak),
            Err(stuck) => Finding::Stuck(stuck),
        },
        None if !takes_string && text.is_misplaced() => Finding::Misplaced,
        None => text.suspect().map_or(Finding::Clean, Finding::Suspect),
    }
}

struct Text<'v> {
    value: &'v str,
    own: &'v str,
    tags: Vec<Tag<'v>>,
    /// For each closing tag, the run of closing tags that begins with it.
    runs: Vec<Run>,
}

/// A run of closing tags with nothing but white space between.
#[derive(Debug, Clone, Copy)]
struct Run {
    length: usize,
    /// How many of the tags carry the argument's own name.
    own: usize,
    after: After,
}

/// What follows a run of closing tags, white space aside.
#[derive(Debug, Clone, Copy, PartialEq)]
enum After {
    End,
    /// The opening tag of an argument, or the beginning of one.
    Opening,
    /// The opening tag of an `invoke`.
    Invoke,
    /// The opening tag of something else that stands around a call.
    Call,
    Text,
}

impl<'v> Text<'v> {
    fn new(value: &'v str, own: &'v str) -> Self {
        let tags: Vec<Tag<'v>> = tags(value, Some(own)).collect();
        let mut text = Self {
            value,
            own,
            tags,
            runs: Vec::new(),
        };
        text.runs = text.runs();
        text
    }

    /// Measures the runs from the last tag to the first.
    fn runs(&self) -> Vec<Run> {
        let mut runs = Vec::with_capacity(self.tags.len());
        let mut next: Option<(&Tag<'v>, Run)> = None;
        for tag in self.tags.iter().rev() {
            let until = next.map_or(self.value.len(), |(tag, _)| tag.start);
            let gap = self.slice(tag.end, until).trim();
            let own = usize::from(tag.kind == Kind::Own);
            let alone = |after| Run {
                length: 1,
                own,
                after,
            };
            let run = match next {
                None if gap.is_empty() => alone(After::End),
                None if begins_an_opening(gap) => alone(After::Opening),
                _ if !gap.is_empty() => alone(After::Text),
                Some((after, run)) if after.closes() => Run {
                    length: run.length + 1,
                    own: run.own + own,
                    after: run.after,
                },
                Some((after, _)) => alone(match after.kind {
                    Kind::Parameter => After::Opening,
                    Kind::Invoke => After::Invoke,
                    Kind::Call => After::Call,
                    Kind::Own => After::Text,
                }),
                None => alone(After::Text),
            };
            runs.push(run);
            next = Some((tag, run));
        }
        runs.reverse();
        runs
    }

    /// Finds the first unbalanced closing tag that makes a leak.
    fn first_leak(&self) -> Option<usize> {
        let mut open = [0_usize; 3];
        for (at, (tag, run)) in self.tags.iter().zip(&self.runs).enumerate() {
            let open = match tag.kind {
                Kind::Parameter => &mut open[0],
                Kind::Invoke => &mut open[1],
                Kind::Own => &mut open[2],
                Kind::Call => continue,
            };
            if tag.opens() {
                *open += 1;
            } else if tag.closes() {
                if *open > 0 {
                    *open -= 1;
                } else if self.is_leak(tag, *run) {
                    return Some(at);
                }
            }
        }
        None
    }

    fn is_leak(&self, tag: &Tag<'v>, run: Run) -> bool {
        match run.after {
            After::Opening | After::Invoke => true,
            After::Call => tag.kind != Kind::Own,
            After::Text => false,
            // Of an element nothing but closing tags of its name is a page's own end.
            After::End if run.own == run.length && is_element(self.own) => false,
            After::End => run.length > 1 || stands_on_its_own_line(self.slice(0, tag.start)),
        }
    }

    fn take_apart(&self, at: usize, takes_string: bool) -> Result<Leak<'v>, Stuck<'v>> {
        let (before, rest) = self.tags.split_at_checked(at).unwrap_or_default();
        let first = rest.first().ok_or(Stuck::Broken)?;
        let run = self.run(at)?;
        if before.iter().any(Tag::is_markup) || self.follows_a_call_tag(before, first) {
            return Err(Stuck::MoreMarkup);
        }
        let parts = Chain {
            text: self,
            shorthand: self.is_shorthand(at + run.length)?,
            by_own_names: first.kind == Kind::Own,
        };
        let kept = parts.closed(self.slice(0, first.start), first)?;
        if !takes_string && before.iter().any(Tag::closes) {
            return Err(Stuck::MoreMarkup);
        }
        if kept.trim().is_empty() {
            return Err(Stuck::Empty);
        }
        let parts = parts.read(at, self.own)?;
        Ok(Leak { kept, parts })
    }

    /// Says whether the tag before is one that stands around a call, white space aside.
    fn follows_a_call_tag(&self, before: &[Tag<'v>], first: &Tag<'v>) -> bool {
        before.last().is_some_and(|tag| {
            tag.kind == Kind::Call && self.slice(tag.end, first.start).trim().is_empty()
        })
    }

    /// Says whether the leak's opening tags are `<parameter=k>`; a mixture is not read.
    fn is_shorthand(&self, from: usize) -> Result<bool, Stuck<'v>> {
        let openings = self.tags.iter().skip(from).filter(|tag| tag.is_markup());
        let (mut named, mut shorthand) = (false, false);
        for tag in openings {
            match tag.form {
                Form::Named(..) => named = true,
                Form::Shorthand(_) => shorthand = true,
                _ => {}
            }
        }
        if named && shorthand {
            return Err(Stuck::Broken);
        }
        Ok(shorthand)
    }

    /// Takes apart what follows the first opening tag that stands behind a tag which closes nothing:
    /// one of any other name, unbalanced, or one that opens an argument without a name.
    fn suspect(&self) -> Option<Vec<Part<'v>>> {
        let is_opening = |tag: &Tag<'_>| matches!(tag.form, Form::Named(..) | Form::Shorthand(_));
        let at = self.tags.iter().enumerate().position(|(at, tag)| {
            is_opening(tag)
                && (self.is_behind_an_open_tag(at, tag) || self.closing_before(tag).is_some())
        })?;
        let tag = self.tags.get(at)?;
        let unbalanced = self.closing_before(tag).is_none_or(|name| {
            let before = self.slice(0, tag.start);
            !matches!(OwnTail::of(before, name), Ok(None))
        });
        let chain = Chain {
            text: self,
            shorthand: self.is_shorthand(at).ok()?,
            by_own_names: false,
        };
        let parts = unbalanced.then(|| chain.parts(Some(at)).ok())??;
        Some(parts)
    }

    fn is_behind_an_open_tag(&self, at: usize, tag: &Tag<'_>) -> bool {
        let before = at.checked_sub(1).and_then(|at| self.tags.get(at));
        before.is_some_and(|before| {
            before.kind == Kind::Parameter
                && before.form == Form::Open
                && self.slice(before.start, before.end).ends_with('>')
                && self.slice(before.end, tag.start).trim().is_empty()
        })
    }

    /// Returns the name of the closing tag of some other kind that stands before a tag, white
    /// space aside.
    fn closing_before(&self, tag: &Tag<'_>) -> Option<&'v str> {
        let before = self.slice(0, tag.start).trim_end().strip_suffix('>')?;
        let (_, name) = before.rsplit_once(['<', '>'])?;
        let name = name.strip_prefix('/')?.trim_end();
        tag::is_other_name(name).then_some(name)
    }

    /// Says whether what is no leak is out of place all the same: any call markup, and a closing
    /// tag of the argument's own name outside JSON.
    fn is_misplaced(&self) -> bool {
        if self.tags.iter().any(Tag::is_markup) {
            return true;
        }
        let mut open = 0_usize;
        let unbalanced = self
            .tags
            .iter()
            .filter(|tag| tag.kind == Kind::Own)
            .any(|tag| {
                if tag.opens() {
                    open += 1;
                } else if tag.closes() {
                    match open.checked_sub(1) {
                        Some(fewer) => open = fewer,
                        None => return true,
                    }
                }
                false
            });
        unbalanced && serde_json::from_str::<serde_json::Value>(self.value).is_err()
    }

    fn run(&self, at: usize) -> Result<Run, Stuck<'v>> {
        self.runs.get(at).copied().ok_or(Stuck::Broken)
    }

    fn slice(&self, start: usize, end: usize) -> &'v str {
        self.value.get(start..end).unwrap_or_default()
    }
}

/// Reads the arguments that follow the first run of closing tags.
struct Chain<'t, 'v> {
    text: &'t Text<'v>,
    /// Whether the opening tags are `<parameter=k>`.
    shorthand: bool,
    /// Whether the first argument is closed by its own name.
    by_own_names: bool,
}

impl<'v> Chain<'_, 'v> {
    /// Reads from the run of closing tags at `at`, which closes the argument `current`.
    fn read(&self, at: usize, current: &'v str) -> Result<Vec<Part<'v>>, Stuck<'v>> {
        self.parts(self.after_run(at, current)?)
    }

    /// Reads from one opening tag to the end.
    fn parts(&self, mut opening: Option<usize>) -> Result<Vec<Part<'v>>, Stuck<'v>> {
        let mut parts = Vec::new();
        while let Some(at) = opening {
            let (part, next) = self.part(at)?;
            parts.push(part);
            opening = next;
        }
        Ok(parts)
    }

    /// Checks a run of closing tags; returns the opening tag that follows it, if one does.
    fn after_run(&self, at: usize, current: &str) -> Result<Option<usize>, Stuck<'v>> {
        let run = self.text.run(at)?;
        if run.own > 1 {
            return Err(Stuck::Broken);
        }
        let tags = self.text.tags.iter().skip(at).take(run.length);
        let mut leaves_the_call = false;
        for tag in tags {
            leaves_the_call |= matches!(tag.kind, Kind::Invoke | Kind::Call);
            match tag.form {
                Form::BrokenClose => return Err(Stuck::Broken),
                Form::Close(Some(name)) if !name.eq_ignore_ascii_case(current) => {
                    return Err(Stuck::Broken);
                }
                _ if tag.kind == Kind::Own && !self.text.own.eq_ignore_ascii_case(current) => {
                    return Err(Stuck::Broken);
                }
                _ => {}
            }
        }
        match run.after {
            After::End => Ok(None),
            After::Text => Err(Stuck::TextAfter),
            After::Invoke | After::Call => Err(Stuck::AnotherCall),
            After::Opening if leaves_the_call => Err(Stuck::AnotherCall),
            After::Opening if at + run.length < self.text.tags.len() => Ok(Some(at + run.length)),
            After::Opening => Err(Stuck::Broken),
        }
    }

    /// Reads the part that the opening tag at `at` begins; returns the opening tag of the next.
    fn part(&self, at: usize) -> Result<(Part<'v>, Option<usize>), Stuck<'v>> {
        let opening = self.text.tags.get(at).ok_or(Stuck::Broken)?;
        let (name, is_string) = match opening.form {
            Form::Named(name, is_string) => (name, is_string),
            Form::Shorthand(name) => (name, None),
            _ => return Err(Stuck::Broken),
        };
        let part = |text| Part {
            name,
            text,
            is_string,
        };
        let stops = |tag: &Tag<'_>| tag.is_markup() || tag.kind == Kind::Call && tag.closes();
        let rest = self.text.tags.iter().enumerate().skip(at + 1);
        let stop = rest.into_iter().find(|(_, tag)| stops(tag));
        let end = stop.map_or(self.text.value.len(), |(_, tag)| tag.start);
        let body = self.opened(self.text.slice(opening.end, end));
        let own = OwnTail::of(body, name)?;
        let (text, next) = match (stop, own) {
            (None, None) => (body, None),
            (None, Some(own)) => {
                let before = own.at_the_end(name, self.by_own_names)?;
                (self.closed_by_own_name(before)?, None)
            }
            (Some((next, tag)), own) if tag.opens() && tag.kind == Kind::Parameter => {
                let own = own.ok_or(Stuck::MoreMarkup)?;
                (self.closed_by_own_name(own.before)?, Some(next))
            }
            (Some((at, tag)), own) if tag.closes() => {
                let text = match own {
                    Some(own) => self.closed_by_own_name(own.before)?,
                    None if tag.kind == Kind::Call => return Err(Stuck::MoreMarkup),
                    None => self.closed(body, tag)?,
                };
                (text, self.after_run(at, name)?)
            }
            (Some((_, tag)), _) if tag.opens() => return Err(Stuck::AnotherCall),
            _ => return Err(Stuck::MoreMarkup),
        };
        let closed = stop.is_some() || text.len() < body.len();
        if text.trim().is_empty() && !closed {
            return Err(Stuck::EmptyPart(name));
        }
        Ok((part(text), next))
    }

    /// Takes off the line end that belongs to an opening tag.
    fn opened(&self, text: &'v str) -> &'v str {
        if !self.shorthand {
            return text;
        }
        let rest = text.strip_prefix('\r').unwrap_or(text);
        rest.strip_prefix('\n').unwrap_or(text)
    }

    /// Takes off the line end that belongs to a closing tag; refuses one that may belong to either.
    fn closed(&self, text: &'v str, tag: &Tag<'_>) -> Result<&'v str, Stuck<'v>> {
        if tag.kind == Kind::Own {
            return self.closed_by_own_name(text);
        }
        if self.shorthand {
            return self.without_line_end(text);
        }
        if stands_on_a_new_line(text) {
            return Err(Stuck::LineEnd);
        }
        Ok(text)
    }

    fn closed_by_own_name(&self, text: &'v str) -> Result<&'v str, Stuck<'v>> {
        if self.shorthand {
            return self.without_line_end(text);
        }
        // The line end is the value's; white space after it may be either's.
        if stands_on_a_new_line(text) && !text.ends_with(['\n', '\r']) {
            return Err(Stuck::LineEnd);
        }
        Ok(text)
    }

    fn without_line_end(&self, text: &'v str) -> Result<&'v str, Stuck<'v>> {
        let rest = text
            .strip_suffix('\n')
            .map(|text| text.strip_suffix('\r').unwrap_or(text));
        match rest {
            Some(rest) => Ok(rest),
            None if stands_on_a_new_line(text) => Err(Stuck::LineEnd),
            None => Ok(text),
        }
    }
}

/// A closing tag of an argument's own name that ends its text, white space aside.
struct OwnTail<'v> {
    before: &'v str,
    on_its_own_line: bool,
}

impl<'v> OwnTail<'v> {
    /// Looks for one; refuses more than one.
    fn of(text: &'v str, name: &str) -> Result<Option<Self>, Stuck<'v>> {
        if !tag::is_a_name(name) {
            return Ok(None);
        }
        let Some(before) = without_own_closing(text, name) else {
            return Ok(None);
        };
        let mut open = 0_usize;
        for tag in tags(before, Some(name)).filter(|tag| tag.kind == Kind::Own) {
            if tag.opens() {
                open += 1;
            } else if tag.closes() {
                open = open.saturating_sub(1);
            }
        }
        if open > 0 {
            return Ok(None);
        }
        if without_own_closing(before, name).is_some() {
            return Err(Stuck::Broken);
        }
        Ok(Some(Self {
            before,
            on_its_own_line: stands_on_its_own_line(before),
        }))
    }

    /// Decides what it closes at the end of the value: the argument, when it stands on its own line
    /// or when the leak closes the argument before by its name too.
    fn at_the_end(self, name: &str, by_own_names: bool) -> Result<&'v str, Stuck<'v>> {
        let counts = self.on_its_own_line || by_own_names;
        if counts && !is_element(name) {
            return Ok(self.before);
        }
        Err(Stuck::Broken)
    }
}

fn without_own_closing<'v>(text: &'v str, name: &str) -> Option<&'v str> {
    let text = text.trim_end().strip_suffix('>')?.trim_end();
    let at = text.len().checked_sub(name.len())?;
    let (before, last) = text.split_at_checked(at)?;
    let before = before.strip_suffix("</")?;
    last.eq_ignore_ascii_case(name).then_some(before)
}

/// Says whether what follows `text` begins a line, white space aside; the first line counts.
fn stands_on_its_own_line(text: &str) -> bool {
    let line = text.rsplit(['\n', '\r']).next();
    line.is_none_or(|line| line.trim().is_empty())
}

/// Says whether what follows `text` begins a line other than the first, white space aside.
fn stands_on_a_new_line(text: &str) -> bool {
    text.contains(['\n', '\r']) && stands_on_its_own_line(text)
}

/// Says whether a value ends in the middle of an opening tag's name.
fn begins_an_opening(gap: &str) -> bool {
    const SHORTEST: usize = "param".len();
    gap.strip_prefix('<').is_some_and(|name| {
        let whole = "parameter".get(..name.len());
        name.len() >= SHORTEST && whole.is_some_and(|whole| whole.eq_ignore_ascii_case(name))
    })
}
