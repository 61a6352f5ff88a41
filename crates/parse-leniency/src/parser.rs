//! The one parser: values, objects and arrays, strict on the straight road and lenient beside it.
//!
//! Each function reads strict JSON inline and calls a `#[cold]` neighbour at the first byte that
//! strict JSON does not allow there. The neighbour repairs and records, or refuses, and the same
//! pass goes on: a text is never read twice because its mistake came late. Recursion is bounded by
//! [`MAX_DEPTH`], serde_json's own limit.

use crate::error::{ErrorKind, Step};
use crate::guide::{Frame, Guide, Holder};
use crate::relaxation::{Relaxation, Relaxed};
use crate::search::Plan;
use serde_json::{Map, Value};

/// Containers, one in another, that serde_json reads: its limit of 128 is never reached.
pub(crate) const MAX_DEPTH: u32 = 127;

/// The parser has failed; [`Parser::fault`] says how.
pub(crate) struct Stop;

/// A failure as the parser notes it.
pub(crate) struct Fault {
    pub(crate) kind: ErrorKind,
    pub(crate) at: usize,
    /// From the innermost container outwards.
    pub(crate) path: Vec<Step>,
}

/// What follows a value in its container.
#[derive(PartialEq, Eq)]
pub(crate) enum Next {
    /// Another entry, or the end after a trailing comma.
    Comma,
    /// The container's end, read or supplied.
    Close,
}

/// The string that was read last, in case its closing quote turns out to be an inner one.
#[derive(Clone, Copy, Default)]
pub(crate) struct LastString {
    /// The offset of its closing quote.
    pub(crate) close: usize,
    /// The offset of its content.
    pub(crate) open: usize,
    /// The kinds of escapes in it.
    pub(crate) seen: u8,
}

/// One pass over one text.
pub(crate) struct Parser<'s, 't> {
    pub(crate) text: &'s str,
    pub(crate) bytes: &'s [u8],
    pub(crate) pos: usize,
    pub(crate) guide: Guide<'t>,
    /// The host says that the provider finished.
    pub(crate) complete: bool,
    pub(crate) depth: u32,
    pub(crate) relaxed: Relaxed,
    /// Every structural brace is doubled.
    pub(crate) doubled: bool,
    pub(crate) last: LastString,
    /// What the search for readings found, from where strict JSON first lacked a comma, a colon
    /// or a backslash.
    pub(crate) plan: Option<Plan>,
    /// Where a value begins whose colon is missing.
    pub(crate) without_colon: usize,
    /// The depths of objects whose keys must all be declared, because something inside was read
    /// by its declaration, and where that was.
    bound: u128,
    bound_at: usize,
    /// What was expected there instead.
    bound_for: &'static str,
    /// From here on no block comment ends; known once one did not.
    pub(crate) no_block_end: usize,
    /// The code fence that is open around the text: its byte and length.
    pub(crate) fence: Option<(u8, usize)>,
    pub(crate) fault: Option<Box<Fault>>,
}

impl<'s, 't> Parser<'s, 't> {
    pub(crate) fn new(text: &'s str, guide: Guide<'t>, complete: bool) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            pos: 0,
            guide,
            complete,
            depth: 0,
            relaxed: Relaxed::default(),
            doubled: false,
            last: LastString::default(),
            plan: None,
            without_colon: usize::MAX,
            bound: 0,
            bound_at: 0,
            bound_for: "",
            no_block_end: usize::MAX,
            fence: None,
            fault: None,
        }
    }

    /// Reads an object whose `{` is at the current place.
    pub(crate) fn object(&mut self, up: Option<&Frame<'_>>) -> Result<Value, Stop> {
        self.enter()?;
        let mut map = Map::new();
        let mut next = self.token();
        let mut fresh = true;
        if next == b'}' && !self.doubled {
            self.pos += 1;
            self.depth -= 1;
            return Ok(Value::Object(map));
        }
        loop {
            let key_at = self.pos;
            let key = if next == b'"' {
                self.pos += 1;
                self.string()?
            } else {
                match self.relaxed_key(up, &map, fresh)? {
                    Some(key) => key,
                    None => break,
                }
            };
            if self.token() == b':' {
                self.pos += 1;
            } else {
                self.relaxed_colon(up, &map, &key, key_at)?;
            }
            let first = self.token();
            let value = if first == b'"' {
                self.pos += 1;
                self.string().map(Value::String)
            } else {
                let frame = Frame {
                    up,
                    holder: Holder::Object {
                        map: &map,
                        key: &key,
                    },
                };
                self.value(first, &frame)
            };
            let Ok(mut value) = value else {
                return Err(self.inside(Step::Key(key)));
            };
            next = self.token();
            let after = match next {
                b',' => {
                    self.pos += 1;
                    next = self.token();
                    Next::Comma
                }
                b'}' if !self.doubled => {
                    self.pos += 1;
                    Next::Close
                }
                _ => {
                    let frame = Frame {
                        up,
                        holder: Holder::Object {
                            map: &map,
                            key: &key,
                        },
                    };
                    let after = self.relaxed_next(&frame, b'}', &mut value);
                    match after {
                        Ok(after) => {
                            next = self.token();
                            after
                        }
                        Err(Stop) => return Err(self.inside(Step::Key(key))),
                    }
                }
            };
            if let Some(former) = map.insert(key, value) {
                self.repeated_key(&map, key_at, &former)?;
            }
            if after == Next::Close {
                break;
            }
            fresh = false;
        }
        if self.bound != 0 {
            self.check_declared(up, &map)?;
        }
        self.depth -= 1;
        Ok(Value::Object(map))
    }

    /// Reads an array whose `[` is at the current place.
    pub(crate) fn array(&mut self, up: Option<&Frame<'_>>) -> Result<Value, Stop> {
        self.enter()?;
        let mut items = Vec::new();
        let mut first = self.token();
        loop {
            // Nothing but a value can begin with these.
            if !matches!(first, b'"' | b'{' | b'[' | b'0'..=b'9')
                && !self.relaxed_item(&mut first, items.is_empty())?
            {
                break;
            }
            let frame = Frame {
                up,
                holder: Holder::Array { index: items.len() },
            };
            let value = self.value(first, &frame);
            let Ok(mut value) = value else {
                return Err(self.inside(Step::Index(items.len())));
            };
            let after = match self.token() {
                b',' => {
                    self.pos += 1;
                    Next::Comma
                }
                b']' => {
                    self.pos += 1;
                    Next::Close
                }
                _ => match self.relaxed_next(&frame, b']', &mut value) {
                    Ok(after) => after,
                    Err(Stop) => return Err(self.inside(Step::Index(items.len()))),
                },
            };
            items.push(value);
            if after == Next::Close {
                break;
            }
            first = self.token();
        }
        self.depth -= 1;
        Ok(Value::Array(items))
    }

    /// Reads a value whose first byte is at the current place.
    #[inline]
    pub(crate) fn value(&mut self, first: u8, frame: &Frame<'_>) -> Result<Value, Stop> {
        match first {
            b'"' => {
                self.pos += 1;
                self.string().map(Value::String)
            }
            b'{' => self.object(Some(frame)),
            b'[' => self.array(Some(frame)),
            b'-' | b'0'..=b'9' => self.number(),
            b't' if self.word("true") => Ok(Value::Bool(true)),
            b'f' if self.word("false") => Ok(Value::Bool(false)),
            b'n' if self.word("null") => Ok(Value::Null),
            _ => self.relaxed_value(frame),
        }
    }

    /// Reads a word, if it stands here and ends here.
    #[inline]
    pub(crate) fn word(&mut self, word: &str) -> bool {
        let end = self.pos + word.len();
        let stands = self.bytes.get(self.pos..end) == Some(word.as_bytes());
        let ends = !self.goes_on(end);
        if stands && ends {
            self.pos = end;
        }
        stands && ends
    }

    /// Whether a word would go on at `at`.
    pub(crate) fn goes_on(&self, at: usize) -> bool {
        let next = self.byte(at);
        next.is_ascii_alphanumeric()
            || matches!(next, b'_' | b'$' | b'-' | b'.' | b'/' | b'#')
            || next >= 0x80 && !self.is_space_at(at)
    }

    fn enter(&mut self) -> Result<(), Stop> {
        let at = self.pos;
        self.pos += 1;
        if self.doubled && self.byte(at) == b'{' {
            self.second_brace(b'{')?;
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.fail(ErrorKind::TooDeep, at));
        }
        Ok(())
    }

    /// Reads the second of a pair of braces.
    #[cold]
    pub(crate) fn second_brace(&mut self, brace: u8) -> Result<(), Stop> {
        if self.peek() != brace {
            let kind = if self.at_end() {
                ErrorKind::Truncated
            } else if brace == b'{' {
                ErrorKind::Expected("`{{`")
            } else {
                ErrorKind::Expected("`}}`")
            };
            return Err(self.fail(kind, self.pos));
        }
        self.pos += 1;
        Ok(())
    }

    /// A key came twice: with equal values they are one, with different ones neither is meant.
    #[cold]
    fn repeated_key(
        &mut self,
        map: &Map<String, Value>,
        key_at: usize,
        former: &Value,
    ) -> Result<(), Stop> {
        let after = self.pos;
        self.pos = key_at;
        let relaxed = self.relaxed;
        // The key was read here before, so it is read here again.
        let key = match self.token() {
            b'"' => {
                self.pos += 1;
                self.string()?
            }
            _ => self.relaxed_key(None, map, false)?.unwrap_or_default(),
        };
        self.relaxed = relaxed;
        self.pos = after;
        if map.get(&key) != Some(former) {
            return Err(self.fail(ErrorKind::DuplicateKey(key), key_at));
        }
        if self.plan.is_some() {
            return Err(self.fail(ErrorKind::TwoReadings, key_at));
        }
        self.relax(Relaxation::DuplicateKey, key_at)
    }

    /// Notes that what was just read holds only if the keys of every open object are declared.
    #[cold]
    pub(crate) fn bind(&mut self, frame: &Frame<'_>, at: usize, expected: &'static str) -> bool {
        if self.bound == 0 {
            self.bound_at = at;
            self.bound_for = expected;
        }
        let mut depth = self.depth;
        let mut next = Some(frame);
        let mut objects = false;
        while let Some(frame) = next {
            if matches!(frame.holder, Holder::Object { .. }) {
                self.bound |= 1 << (depth % 128);
                objects = true;
            }
            depth = depth.saturating_sub(1);
            next = frame.up;
        }
        objects
    }

    #[cold]
    fn check_declared(
        &mut self,
        up: Option<&Frame<'_>>,
        map: &Map<String, Value>,
    ) -> Result<(), Stop> {
        let bit = 1 << (self.depth % 128);
        if self.bound & bit == 0 {
            return Ok(());
        }
        self.bound &= !bit;
        let declared = match up {
            None => self.guide.declares_all(map),
            Some(up) => up
                .slot(self.guide)
                .is_some_and(|slot| slot.keys_all_declared(map)),
        };
        if declared {
            return Ok(());
        }
        Err(self.fail(ErrorKind::Expected(self.bound_for), self.bound_at))
    }

    /// Skips strict white space and returns the byte after it, 0 at the end.
    #[inline(always)]
    pub(crate) fn token(&mut self) -> u8 {
        loop {
            match self.bytes.get(self.pos) {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.pos += 1,
                Some(&byte) => return byte,
                None => return 0,
            }
        }
    }

    /// Returns the byte at the current place, 0 at the end.
    #[inline(always)]
    pub(crate) fn peek(&self) -> u8 {
        self.byte(self.pos)
    }

    /// Returns the byte at a place, 0 past the end.
    #[inline(always)]
    pub(crate) fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    pub(crate) fn at_end(&self) -> bool {
        self.pos >= self.bytes.len()
    }

    /// Returns a part of the text; both ends are always beside ASCII, or at the ends.
    #[inline(always)]
    pub(crate) fn slice(&self, from: usize, to: usize) -> &'s str {
        self.text.get(from..to).unwrap_or_default()
    }

    pub(crate) fn rest(&self) -> &'s str {
        self.slice(self.pos, self.bytes.len())
    }

    /// Records a relaxation, if the text is not too large for one.
    #[cold]
    pub(crate) fn relax(&mut self, one: Relaxation, at: usize) -> Result<(), Stop> {
        if self.bytes.len() > crate::MAX_RELAXED_BYTES {
            return Err(self.fail(ErrorKind::TooLarge, at));
        }
        self.relaxed.add(one);
        Ok(())
    }

    /// Notes a failure; the first one counts.
    #[cold]
    pub(crate) fn fail(&mut self, kind: ErrorKind, at: usize) -> Stop {
        self.fault.get_or_insert_with(|| {
            Box::new(Fault {
                kind,
                at,
                path: Vec::new(),
            })
        });
        Stop
    }

    /// Adds the way to a failure.
    #[cold]
    fn inside(&mut self, step: Step) -> Stop {
        if let Some(fault) = &mut self.fault {
            fault.path.push(step);
        }
        Stop
    }
}
