//! A call on its way to being damaged, and what it should become.

use super::base::Base;
use super::tokens::{Style, Token};
use crate::call::Sent;
use serde_json::{Map, Value};

/// What a damaged call should become in one cascade.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// One reading: repaired into what was meant.
    One,
    /// What was meant, or a refusal.
    Soft,
    /// Refused.
    Refuse,
    /// As it was sent, clean.
    Untouched,
    /// The cascade does not know the mistake: as it reads, as it was meant, or a refusal.
    Passing,
}

/// The classes in both cascades.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Classes {
    pub(crate) standard: Class,
    pub(crate) extended: Class,
}

/// The same class in both cascades.
pub(crate) fn both(class: Class) -> Classes {
    Classes {
        standard: class,
        extended: class,
    }
}

/// A mistake that only the extended cascade knows.
pub(crate) fn extended(class: Class) -> Classes {
    Classes {
        standard: Class::Passing,
        extended: class,
    }
}

/// Markup: the standard cascade leaves as sent what the extended one knows better.
pub(crate) fn as_sent_in_standard(class: Class) -> Classes {
    Classes {
        standard: Class::Untouched,
        extended: class,
    }
}

/// A call on its way to being damaged.
#[derive(Clone)]
pub(crate) struct Mutant {
    /// The arguments that are sent.
    pub(crate) args: Map<String, Value>,
    /// The arguments as the standard cascade reads them.
    pub(crate) reads: Map<String, Value>,
    /// The arguments that are meant.
    pub(crate) meant: Map<String, Value>,
    /// The text's tokens, once it is spelled.
    pub(crate) tokens: Vec<Token>,
    /// The text.
    pub(crate) text: String,
    /// What is sent, if not the text.
    pub(crate) sent: Option<Sent>,
    pub(crate) complete: Option<bool>,
    pub(crate) style: Style,
    /// The arguments that an operator changed.
    pub(crate) touched: Vec<String>,
}

impl Mutant {
    pub(crate) fn of(base: &Base, style: Style) -> Self {
        Self {
            args: base.args.clone(),
            reads: base.args.clone(),
            meant: base.args.clone(),
            tokens: Vec::new(),
            text: String::new(),
            sent: None,
            complete: None,
            style,
            touched: Vec::new(),
        }
    }

    /// Notes that an operator changed an argument: no other may change it as well.
    pub(crate) fn touch(&mut self, key: &str) {
        self.touched.push(key.to_owned());
    }

    /// Sends another value than was meant.
    pub(crate) fn send(&mut self, at: &str, value: &Value) -> Option<()> {
        let key = callmend_stage::pointer::tokens(at).next()?.into_owned();
        self.touched.push(key);
        put(&mut self.args, at, value)?;
        put(&mut self.reads, at, value)
    }

    /// Sends another value than both cascades read.
    pub(crate) fn send_only(&mut self, at: &str, value: &Value) -> Option<()> {
        let reads = self.reads.clone();
        self.send(at, value)?;
        self.reads = reads;
        Some(())
    }

    /// Sends, and means, another value.
    pub(crate) fn mean(&mut self, at: &str, value: &Value) -> Option<()> {
        self.send(at, value)?;
        put(&mut self.meant, at, value)
    }

    /// Sends an argument under another name; both cascades read it under its own.
    pub(crate) fn rename(&mut self, from: &str, to: &str) -> Option<()> {
        self.touch(from);
        self.touch(to);
        self.args = renamed(&self.args, from, to)?;
        Some(())
    }

    /// Takes an argument out of what is sent and read.
    pub(crate) fn leave_out(&mut self, key: &str) -> Option<Value> {
        self.touch(key);
        self.args = without(&self.args, key);
        let value = self.reads.get(key).cloned();
        self.reads = without(&self.reads, key);
        value
    }

    /// Sends one more argument, which is part of what is meant.
    pub(crate) fn add(&mut self, key: &str, value: &Value) -> Option<()> {
        if self.args.contains_key(key) || self.meant.contains_key(key) {
            return None;
        }
        self.touch(key);
        for map in [&mut self.args, &mut self.reads, &mut self.meant] {
            map.insert(key.to_owned(), value.clone());
        }
        Some(())
    }
}

/// Puts a value in the place of another.
fn put(object: &mut Map<String, Value>, at: &str, value: &Value) -> Option<()> {
    let mut whole = Value::Object(std::mem::take(object));
    let found = whole.pointer_mut(at).map(|slot| *slot = value.clone());
    if let Value::Object(members) = whole {
        *object = members;
    }
    found
}

/// Renames a member in place.
pub(crate) fn renamed(
    object: &Map<String, Value>,
    from: &str,
    to: &str,
) -> Option<Map<String, Value>> {
    if !object.contains_key(from) || object.contains_key(to) {
        return None;
    }
    let member = |(key, value): (&String, &Value)| {
        let key = if key == from { to } else { key };
        (key.to_owned(), value.clone())
    };
    Some(object.iter().map(member).collect())
}

/// Leaves a member out.
pub(crate) fn without(object: &Map<String, Value>, key: &str) -> Map<String, Value> {
    let kept = object.iter().filter(|(other, _)| *other != key);
    kept.map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

impl Mutant {
    /// Sends one more argument, which both cascades read as it stands.
    pub(crate) fn add_sent(&mut self, key: &str, value: &Value) -> Option<()> {
        if self.args.contains_key(key) {
            return None;
        }
        self.args.insert(key.to_owned(), value.clone());
        self.reads.insert(key.to_owned(), value.clone());
        Some(())
    }
}
