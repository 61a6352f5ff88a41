//! The search for readings where a comma, a colon or a backslash before a quote is missing.
//!
//! It starts once a text, when the pass comes to the first such place, and looks only at what
//! lies ahead. It builds nothing: it walks the rest of the text, token by token, with a stack of
//! the open containers, and wherever strict JSON fails it tries each of the three mistakes. A
//! reading counts when it ends as the text ends and every object that a mistake lies in has
//! declared keys only, each once. The parser goes on with the only reading, or refuses.
//!
//! Cost: at most [`WORK_PER_BYTE`] looks at each byte, then the search gives up. What it accepts
//! is a little more than what the parser accepts, never less, so that it cannot miss a second
//! reading.

mod ends;
mod level;

use self::ends::{End, Text};
use self::level::{Level, break_levels, push_levels};
use crate::blank::Place;
use crate::error::ErrorKind;
use crate::guide::{Frame, Guide};
use crate::parser::{MAX_DEPTH, Parser, Stop};
use crate::relaxed::{may_be_unquoted, unquoted_key_in};
use crate::scan::run_end;
use crate::string::{Quote, opening};
use callmend_stage::{Slot, Type};
use std::borrow::Cow;

/// How often the search looks at each byte, on average, before it gives up.
const WORK_PER_BYTE: usize = 6;
/// What the search may do however short the text is.
const WORK_AT_LEAST: usize = 1 << 14;
/// How many mistakes one reading may hold.
const MAX_FIXES: usize = 1024;

/// One place where a reading departs from the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fix {
    /// A comma is missing before this place.
    Comma(usize),
    /// A colon is missing before this place.
    Colon(usize),
    /// The string that seems to close at `quote` closes at `end`.
    Text { quote: usize, end: usize },
}

/// The one reading: its mistakes, in the order of the text.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    fixes: Vec<Fix>,
    next: usize,
}

impl Plan {
    /// Takes the next mistake.
    pub(crate) fn next(&mut self) -> Option<Fix> {
        let fix = self.fixes.get(self.next).copied();
        self.next += 1;
        fix
    }
}

/// What the pass had just read when it came to the gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gap {
    /// A key, which begins at `at`.
    Key { at: usize },
    /// A value.
    Value,
}

/// Finds the one reading of the rest of a text; an empty plan when there is none.
///
/// # Errors
///
/// [`ErrorKind::TwoReadings`] and [`ErrorKind::SearchBound`].
pub(crate) fn readings(
    parser: &Parser<'_, '_>,
    frame: &Frame<'_>,
    gap: Gap,
) -> Result<Plan, ErrorKind> {
    let mut levels = Vec::new();
    if parser.doubled || !push_levels(&mut levels, frame, parser.guide) {
        return Ok(Plan::default());
    }
    let pos = parser.pos;
    let (pos, expect) = match gap {
        Gap::Key { at } => (pos, Expect::Colon { key_at: at }),
        Gap::Value => {
            // Only if the last string ended here may its quote be an inner one.
            let close = parser.last.close;
            let string = parser.byte(close) == b'"' && close < pos && ends_at(parser, close, pos);
            match string {
                true => (
                    close + 1,
                    Expect::Next {
                        string: Some(Text {
                            open: parser.last.open,
                            close,
                        }),
                    },
                ),
                false => (pos, Expect::Next { string: None }),
            }
        }
    };
    let mut search = Search {
        text: parser.text,
        bytes: parser.bytes,
        guide: parser.guide,
        complete: parser.complete,
        probe: Parser::new(parser.text, parser.guide, parser.complete),
        fence: parser.fence,
        work: parser.bytes.len().saturating_sub(pos) * WORK_PER_BYTE + WORK_AT_LEAST,
        fixes: Vec::new(),
        found: None,
        forks: Vec::new(),
    };
    search.run(State {
        pos,
        levels,
        expect,
    })?;
    Ok(Plan {
        fixes: search.found.unwrap_or_default(),
        next: 0,
    })
}

/// Whether nothing but blanks lies between the closing quote of the last string and the gap.
fn ends_at(parser: &Parser<'_, '_>, close: usize, gap: usize) -> bool {
    let mut probe = Parser::new(parser.text, Guide::NONE, false);
    probe.pos = close + 1;
    probe.blank(Place::After).is_ok() && probe.pos == gap
}

/// What a reading expects next.
#[derive(Clone, Copy)]
enum Expect {
    /// A comma or a closer; `string` is the value, if it is a plain string.
    Next { string: Option<Text> },
    /// A key, or the end of the object.
    Key { may_end: bool },
    /// A colon.
    Colon { key_at: usize },
    /// The value of the last key, or an item.
    Value { bare: bool },
    /// An item, or the end of the array.
    Item { may_end: bool },
    /// The end of a string whose quote at `quote` is an inner one.
    Text { quote: usize, end: End },
}

#[derive(Clone)]
struct State<'s, 't, 'f> {
    pos: usize,
    levels: Vec<Level<'s, 't, 'f>>,
    expect: Expect,
}

/// How one step of a reading ended.
enum Step {
    On,
    /// This reading does not explain the text.
    Dead,
    /// This reading ends with the text.
    Done,
}

struct Search<'s, 't, 'f> {
    text: &'s str,
    bytes: &'s [u8],
    guide: Guide<'t>,
    complete: bool,
    /// Reads the tokens that are rare here, without a trace.
    probe: Parser<'s, 't>,
    fence: Option<(u8, usize)>,
    work: usize,
    fixes: Vec<Fix>,
    found: Option<Vec<Fix>>,
    /// Readings to go back to, each with the number of mistakes it had.
    forks: Vec<(State<'s, 't, 'f>, usize)>,
}

impl<'s, 't, 'f> Search<'s, 't, 'f> {
    fn run(&mut self, first: State<'s, 't, 'f>) -> Result<(), ErrorKind> {
        let mut state = first;
        loop {
            self.spend(8)?;
            match self.step(&mut state)? {
                Step::On => continue,
                Step::Dead => {}
                Step::Done if self.found.is_none() && self.forks.is_empty() => {
                    self.found = Some(std::mem::take(&mut self.fixes));
                    return Ok(());
                }
                Step::Done => match &self.found {
                    None => self.found = Some(self.fixes.clone()),
                    Some(found) if *found == self.fixes => {}
                    Some(_) => return Err(ErrorKind::TwoReadings),
                },
            }
            let Some((fork, fixes)) = self.forks.pop() else {
                return Ok(());
            };
            state = fork;
            self.fixes.truncate(fixes);
        }
    }

    fn step(&mut self, state: &mut State<'s, 't, 'f>) -> Result<Step, ErrorKind> {
        match state.expect {
            Expect::Next { string } => self.next(state, string),
            Expect::Key { may_end } => self.key(state, may_end),
            Expect::Colon { key_at } => self.colon(state, key_at),
            Expect::Value { bare } => self.value(state, bare),
            Expect::Item { may_end } => self.item(state, may_end),
            Expect::Text { quote, end } => self.text(state, quote, end),
        }
    }

    fn next(
        &mut self,
        state: &mut State<'s, 't, 'f>,
        string: Option<Text>,
    ) -> Result<Step, ErrorKind> {
        let from = state.pos;
        let after = self.blank(from, Place::After)?;
        let Some(level) = state.levels.last() else {
            return Ok(Step::Dead);
        };
        let object = level.object;
        let Some((byte, at)) = after else {
            // What begins like a comment and is none may still be a string's own.
            if let Some(string) = string
                && let Some(end) = self.first_end(string, object)?
            {
                state.expect = Expect::Text {
                    quote: string.close,
                    end,
                };
                return Ok(alive(break_levels(&mut state.levels)));
            }
            return Ok(Step::Dead);
        };
        let commented = self
            .bytes
            .get(from..at)
            .is_some_and(|gap| gap.iter().any(|b| matches!(b, b'#' | b'/')));
        if let (Some(string), true) = (string, commented)
            && let Some(end) = self.first_end(string, object)?
        {
            self.fork_inner(state, string.close, end)?;
        }
        match byte {
            0 if at >= self.bytes.len() => {
                return Ok(if self.complete {
                    Step::Done
                } else {
                    Step::Dead
                });
            }
            b',' => {
                state.pos = at + 1;
                state.expect = match object {
                    true => Expect::Key { may_end: true },
                    false => Expect::Item { may_end: true },
                };
                return Ok(Step::On);
            }
            b'}' | b']' => {
                return if (byte == b'}') == object {
                    self.close(state, at)
                } else {
                    Ok(Step::Dead)
                };
            }
            _ => {}
        }
        let comma = self.may_follow_comma(byte, from, at, level)?;
        let longer = match string {
            Some(_) if commented || byte == b':' => None,
            Some(_) if byte == b'"' && at > from && self.opens_token(at, object)? => None,
            Some(string) => self
                .first_end(string, object)?
                .map(|end| (string.close, end)),
            None => None,
        };
        match (comma, longer) {
            (false, None) => return Ok(Step::Dead),
            (false, Some((quote, end))) => {
                state.expect = Expect::Text { quote, end };
                return Ok(alive(break_levels(&mut state.levels)));
            }
            (true, Some((quote, end))) => self.fork_inner(state, quote, end)?,
            (true, None) => {}
        }
        if !break_levels(&mut state.levels) {
            return Ok(Step::Dead);
        }
        self.fix(Fix::Comma(at))?;
        state.pos = at;
        state.expect = match object {
            true => Expect::Key { may_end: false },
            false => Expect::Value { bare: false },
        };
        Ok(Step::On)
    }

    fn fork_inner(
        &mut self,
        state: &State<'s, 't, 'f>,
        quote: usize,
        end: End,
    ) -> Result<(), ErrorKind> {
        let mut fork = state.clone();
        fork.expect = Expect::Text { quote, end };
        match break_levels(&mut fork.levels) {
            true => self.fork(fork),
            false => Ok(()),
        }
    }

    fn fork(&mut self, fork: State<'s, 't, 'f>) -> Result<(), ErrorKind> {
        let keys: usize = fork.levels.iter().map(|level| 4 + level.keys.len()).sum();
        self.spend(16 + keys * 4)?;
        self.forks.push((fork, self.fixes.len()));
        Ok(())
    }

    /// Whether what begins at `at` can be the next entry of a container after a missing comma.
    fn may_follow_comma(
        &mut self,
        byte: u8,
        from: usize,
        at: usize,
        level: &Level<'s, 't, 'f>,
    ) -> Result<bool, ErrorKind> {
        if !self.may_be_entry(byte, from, at, level.object)? {
            return Ok(false);
        }
        // Most inner quotes are followed by a word, and few words are keys.
        if level.object && byte.is_ascii_alphabetic() {
            let rest = self.text.get(at..).unwrap_or_default();
            let word = unquoted_key_in(rest);
            self.spend(word.len())?;
            return Ok(level.knows(word, self.guide));
        }
        Ok(true)
    }

    /// Whether what begins at `at` looks like an entry of a container.
    fn may_be_entry(
        &mut self,
        byte: u8,
        from: usize,
        at: usize,
        object: bool,
    ) -> Result<bool, ErrorKind> {
        if byte == b'"' || opening(self.bytes, at).is_some() {
            return Ok(true);
        }
        if object {
            return Ok(byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$' | 0x80..));
        }
        let apart = at > from;
        let before = from.checked_sub(1).map_or(0, |at| self.byte(at));
        let lines = self.spent(from, at)?.contains(&b'\n');
        Ok(match byte {
            b'{' | b'[' => true,
            // `[1 234]` may be one number, `[1 -2]` a sum.
            b'0'..=b'9' | b'-' => lines || apart && matches!(before, b'"' | b'}' | b']'),
            b't' | b'f' | b'n' | b'T' | b'F' | b'N' => apart,
            _ => false,
        })
    }

    /// Whether the quote at `at` opens a string that fits as the next entry.
    fn opens_token(&mut self, at: usize, object: bool) -> Result<bool, ErrorKind> {
        let Some(close) = self.string_end(at + 1)? else {
            return Ok(false);
        };
        let Some((byte, _)) = self.blank(close + 1, Place::After)? else {
            return Ok(false);
        };
        Ok(match object {
            true => byte == b':',
            false => matches!(byte, b',' | b']'),
        })
    }

    fn close(&mut self, state: &mut State<'s, 't, 'f>, at: usize) -> Result<Step, ErrorKind> {
        state.levels.pop();
        state.pos = at + 1;
        state.expect = Expect::Next { string: None };
        if !state.levels.is_empty() {
            return Ok(Step::On);
        }
        self.probe.pos = at + 1;
        self.probe.fence = self.fence;
        let ended = self.probe.end_of_document();
        let reached = self.probe.pos;
        self.clean(ended.is_err(), at, reached)?;
        Ok(match ended {
            Ok(_) => Step::Done,
            Err(Stop) => Step::Dead,
        })
    }

    fn key(&mut self, state: &mut State<'s, 't, 'f>, may_end: bool) -> Result<Step, ErrorKind> {
        let Some((byte, at)) = self.blank(state.pos, Place::Key)? else {
            return Ok(Step::Dead);
        };
        match byte {
            b',' if may_end => {
                state.pos = at + 1;
                return Ok(Step::On);
            }
            b'}' if may_end => return self.close(state, at),
            _ => {}
        }
        let key = match opening(self.bytes, at) {
            None if byte == b'"' => {
                let Some(close) = self.string_end(at + 1)? else {
                    return Ok(Step::Dead);
                };
                state.pos = close + 1;
                self.decoded(at + 1, close)
            }
            Some((quote, length)) => self.quoted(at, quote, length)?.map(|(key, end)| {
                state.pos = end;
                Cow::Owned(key)
            }),
            None => {
                self.probe.pos = at;
                let key = self.probe.unquoted_key();
                state.pos = self.probe.pos;
                self.clean(false, at, state.pos)?;
                key.ok().map(Cow::Owned)
            }
        };
        let Some(key) = key else {
            return Ok(Step::Dead);
        };
        let guide = self.guide;
        let Some(level) = state.levels.last_mut() else {
            return Ok(Step::Dead);
        };
        let seen = level.keys.contains(&key)
            || level
                .read
                .is_some_and(|(map, last)| last == key || map.contains_key(key.as_ref()));
        let known = level.knows(&key, guide);
        level.strange |= seen || !known;
        if level.strange && level.broken {
            return Ok(Step::Dead);
        }
        let keys = level.keys.len();
        // The last key is also the way to the slot of its value.
        if level.strange {
            level.keys.clear();
        }
        level.keys.push(key);
        self.spend(keys)?;
        state.expect = Expect::Colon { key_at: at };
        Ok(Step::On)
    }

    fn colon(&mut self, state: &mut State<'s, 't, 'f>, key_at: usize) -> Result<Step, ErrorKind> {
        let Some((byte, at)) = self.blank(state.pos, Place::Colon)? else {
            return Ok(Step::Dead);
        };
        if byte == b':' {
            state.pos = at + 1;
            state.expect = Expect::Value { bare: true };
            return Ok(Step::On);
        }
        let begins = matches!(byte, b'"' | b'{' | b'[' | b'-' | b'0'..=b'9')
            || matches!(byte, b't' | b'f' | b'n' | b'T' | b'F' | b'N')
            || opening(self.bytes, at).is_some();
        // `5 px` and `a1` are no key and value.
        let apart =
            at > state.pos || matches!(byte, b'"' | b'{' | b'[') || self.byte(key_at) == b'"';
        if !begins || !apart || !break_levels(&mut state.levels) {
            return Ok(Step::Dead);
        }
        self.fix(Fix::Colon(at))?;
        state.pos = at;
        state.expect = Expect::Value { bare: false };
        Ok(Step::On)
    }

    fn item(&mut self, state: &mut State<'s, 't, 'f>, may_end: bool) -> Result<Step, ErrorKind> {
        let Some((byte, at)) = self.blank(state.pos, Place::Item)? else {
            return Ok(Step::Dead);
        };
        match byte {
            b',' => state.pos = at + 1,
            b']' if may_end => return self.close(state, at),
            _ => {
                state.pos = at;
                state.expect = Expect::Value { bare: true };
            }
        }
        Ok(Step::On)
    }

    fn value(&mut self, state: &mut State<'s, 't, 'f>, bare: bool) -> Result<Step, ErrorKind> {
        let Some(level) = state.levels.last_mut() else {
            return Ok(Step::Dead);
        };
        let (place, slot) = if level.object {
            let key = level.keys.last().map(AsRef::as_ref);
            let key = key.or(level.read.map(|(_, key)| key)).unwrap_or_default();
            (Place::Value, level.slot.and_then(|slot| slot.property(key)))
        } else {
            level.index += 1;
            let index = level.index - 1;
            (Place::Item, level.slot.and_then(|slot| slot.item(index)))
        };
        let Some((byte, at)) = self.blank(state.pos, place)? else {
            return Ok(Step::Dead);
        };
        if matches!(byte, b'{' | b'[') {
            if state.levels.len() >= MAX_DEPTH as usize {
                return Ok(Step::Dead);
            }
            let object = byte == b'{';
            state.levels.push(Level {
                object,
                slot,
                root: false,
                broken: false,
                strange: false,
                keys: Vec::new(),
                read: None,
                index: 0,
            });
            state.pos = at + 1;
            state.expect = match object {
                true => Expect::Key { may_end: true },
                false => Expect::Item { may_end: true },
            };
            return Ok(Step::On);
        }
        let delimiter = opening(self.bytes, at);
        if byte == b'"' && delimiter.is_none() {
            let Some(close) = self.string_end(at + 1)? else {
                return Ok(Step::Dead);
            };
            state.pos = close + 1;
            state.expect = Expect::Next {
                string: Some(Text {
                    open: at + 1,
                    close,
                }),
            };
            return Ok(Step::On);
        }
        state.expect = Expect::Next { string: None };
        if let Some((quote, length)) = delimiter {
            let Some((_, end)) = self.quoted(at, quote, length)? else {
                return Ok(Step::Dead);
            };
            state.pos = end;
            return Ok(Step::On);
        }
        self.probe.pos = at;
        let read = match byte {
            b'-' | b'+' | b'0'..=b'9' => self.probe.number_in_full().map(|_| true),
            b'.' if self.byte(at + 1).is_ascii_digit() => self.probe.number_in_full().map(|_| true),
            _ => self.probe.literal().map(|value| value.is_some()),
        };
        state.pos = self.probe.pos;
        self.clean(read.is_err(), at, state.pos)?;
        match read {
            Ok(true) => Ok(Step::On),
            Ok(false) if bare => self.bare(state, at, slot),
            _ => Ok(Step::Dead),
        }
    }

    /// A string without quotes.
    fn bare(
        &mut self,
        state: &mut State<'s, 't, 'f>,
        at: usize,
        slot: Option<Slot<'t>>,
    ) -> Result<Step, ErrorKind> {
        let rest = self.text.get(at..).unwrap_or_default();
        let length = rest.find([',', '}', ']', '\n', '\r']).unwrap_or(rest.len());
        self.spend(length)?;
        let token = rest.get(..length).unwrap_or_default().trim_end();
        let takes = slot.is_some_and(|slot| slot.takes(Type::String));
        if !takes || !may_be_unquoted(token) || !break_levels(&mut state.levels) {
            return Ok(Step::Dead);
        }
        state.pos = at + token.len();
        Ok(Step::On)
    }

    /// Closes a string with inner quotes at `end`; before that, sets the reading aside in which
    /// it closes later.
    fn text(
        &mut self,
        state: &mut State<'s, 't, 'f>,
        quote: usize,
        end: End,
    ) -> Result<Step, ErrorKind> {
        let object = state.levels.last().is_some_and(|level| level.object);
        if end.goes_on
            && let Some(later) = self.next_end(object, end.at + 1, end.nesting, end.keyed)?
        {
            let mut fork = state.clone();
            fork.expect = Expect::Text { quote, end: later };
            self.fork(fork)?;
        }
        let end = end.at;
        self.fix(Fix::Text { quote, end })?;
        state.pos = end + 1;
        state.expect = Expect::Next { string: None };
        Ok(Step::On)
    }

    /// Reads a string with any delimiter but a plain double quote, and returns where it ends.
    fn quoted(
        &mut self,
        at: usize,
        quote: Quote,
        length: usize,
    ) -> Result<Option<(String, usize)>, ErrorKind> {
        self.probe.pos = at;
        let read = self.probe.quoted(quote, length).ok();
        self.probe.fault = None;
        let end = match read {
            Some(_) => self.probe.pos,
            None => self.bytes.len(),
        };
        // Each byte of it may have been a quote to look at.
        self.spend((end - at) * 4)?;
        Ok(read.map(|text| (text, end)))
    }

    fn fix(&mut self, fix: Fix) -> Result<(), ErrorKind> {
        if self.fixes.len() >= MAX_FIXES {
            return Err(ErrorKind::SearchBound);
        }
        self.fixes.push(fix);
        Ok(())
    }

    /// Finds the quote that closes a plain string whose content begins at `from`.
    fn string_end(&mut self, from: usize) -> Result<Option<usize>, ErrorKind> {
        let mut at = from;
        let end = loop {
            at = run_end(self.bytes, at, b'"');
            match self.bytes.get(at) {
                Some(b'"') => break Some(at),
                Some(b'\\') => at += 2,
                Some(_) => at += 1,
                None => break None,
            }
        };
        self.spend(at.saturating_sub(from))?;
        Ok(end)
    }

    fn decoded(&mut self, from: usize, to: usize) -> Option<Cow<'s, str>> {
        let raw = self.text.get(from..to)?;
        if !raw.contains('\\') {
            return Some(Cow::Borrowed(raw));
        }
        self.probe.pos = from;
        let key = self.probe.string().ok();
        self.probe.fault = None;
        key.map(Cow::Owned)
    }

    /// Skips what may stand between tokens; nothing when something may not.
    fn blank(&mut self, from: usize, place: Place) -> Result<Option<(u8, usize)>, ErrorKind> {
        self.probe.pos = from;
        let known = self.probe.no_block_end;
        let byte = self.probe.blank(place);
        let at = self.probe.pos;
        // Only a block comment without an end makes the probe look at all of the rest, once.
        self.clean(self.probe.no_block_end != known, from, at)?;
        Ok(byte.ok().map(|byte| (byte, at)))
    }

    /// Pays for what the probe has read and makes it forget a failure. A failed probe may have
    /// looked at all of the rest.
    fn clean(&mut self, failed: bool, from: usize, to: usize) -> Result<(), ErrorKind> {
        self.probe.fault = None;
        self.spend(if failed {
            self.bytes.len().saturating_sub(from) / 8
        } else {
            to.saturating_sub(from)
        })
    }

    fn spent(&mut self, from: usize, to: usize) -> Result<&'s [u8], ErrorKind> {
        self.spend(to.saturating_sub(from))?;
        Ok(self.bytes.get(from..to).unwrap_or_default())
    }

    fn spend(&mut self, work: usize) -> Result<(), ErrorKind> {
        match self.work.checked_sub(work) {
            Some(left) => {
                self.work = left;
                Ok(())
            }
            None => Err(ErrorKind::SearchBound),
        }
    }

    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }
}

const fn alive(alive: bool) -> Step {
    if alive { Step::On } else { Step::Dead }
}
