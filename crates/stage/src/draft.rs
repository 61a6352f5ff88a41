//! The call on its way through the cascade: it applies what stages plan, and records it.

use crate::change::{Before, Change, Edit, Op};
use crate::{Code, Rejection, Verdict, pointer};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// Arguments as they were delivered.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Delivered<'a> {
    /// The call carries no arguments at all.
    Nothing,
    /// Text, as OpenAI's `function.arguments` delivers it.
    Text(&'a str),
    /// Text that nobody has checked to be UTF-8.
    Bytes(&'a [u8]),
    /// A JSON value, as Anthropic's `input` and MCP's `arguments` deliver it.
    Value(Value),
}

impl<'a> From<&'a str> for Delivered<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a [u8]> for Delivered<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Bytes(bytes)
    }
}

impl From<Value> for Delivered<'_> {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

impl<'a, D: Into<Delivered<'a>>> From<D> for Draft<'a> {
    fn from(delivered: D) -> Self {
        Self::new(delivered)
    }
}

/// A call on its way through the cascade.
///
/// Stages read it; [`Draft::apply`] alone changes it, and records every change as an [`Edit`].
///
/// ```
/// use callmend_stage::{Change, Code, Draft, Verdict};
/// use serde_json::json;
///
/// let mut draft = Draft::new(json!({"filepath": "a.rs"}));
/// let rename = Change::rename("", "filepath", "path", Code::new("alias"));
/// draft.apply("alias-rename", Verdict::Rewrite(vec![rename])).unwrap();
/// assert_eq!(draft.value(), Some(&json!({"path": "a.rs"})));
/// assert_eq!(draft.edits()[0].op.from(), Some("/filepath"));
/// ```
#[derive(Debug, Clone)]
pub struct Draft<'a> {
    current: Delivered<'a>,
    /// The text that was sent, for as long as nothing but a strict reading was made of it.
    text: Option<&'a str>,
    complete: Option<bool>,
    edits: Vec<Edit<'a>>,
}

impl<'a> Draft<'a> {
    /// Starts with the arguments as they were delivered.
    pub fn new(delivered: impl Into<Delivered<'a>>) -> Self {
        let current = delivered.into();
        let text = match &current {
            Delivered::Text(text) => Some(*text),
            Delivered::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
            _ => None,
        };
        Self {
            current,
            text,
            complete: None,
            edits: Vec::new(),
        }
    }

    /// Adds what the host knows of the provider's finish reason: `true` when it finished, `false`
    /// when it stopped early (`length`, `max_tokens`), nothing when the host does not know.
    #[must_use]
    pub fn with_complete(mut self, complete: Option<bool>) -> Self {
        self.complete = complete;
        self
    }

    /// Returns the arguments as they stand now.
    pub fn delivered(&self) -> &Delivered<'a> {
        &self.current
    }

    /// Returns the arguments as a value, once they are one.
    pub fn value(&self) -> Option<&Value> {
        match &self.current {
            Delivered::Value(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the arguments as an object, once they are one.
    pub fn object(&self) -> Option<&Map<String, Value>> {
        self.value()?.as_object()
    }

    /// Returns the text that was sent, while no edit has been made.
    pub fn text(&self) -> Option<&'a str> {
        self.text
    }

    /// Says whether the provider finished, where the host knows.
    pub fn complete(&self) -> Option<bool> {
        self.complete
    }

    /// Returns the edits made so far, in order.
    pub fn edits(&self) -> &[Edit<'a>] {
        &self.edits
    }

    /// Takes the draft apart: the arguments as they stand, the untouched text, and the edits.
    pub fn into_parts(self) -> (Delivered<'a>, Option<&'a str>, Vec<Edit<'a>>) {
        (self.current, self.text, self.edits)
    }

    /// Does what a stage's verdict asks for; says whether anything was rewritten.
    ///
    /// # Errors
    ///
    /// The stage's own rejection; or one with [`Code::INTERNAL`] when a change does not fit the
    /// arguments, and then none of the verdict's changes is kept.
    pub fn apply(&mut self, stage: &'static str, verdict: Verdict) -> Result<bool, Box<Rejection>> {
        match verdict {
            Verdict::Pass => Ok(false),
            Verdict::Decoded(value) => match self.current {
                Delivered::Text(_) | Delivered::Bytes(_) => {
                    self.current = Delivered::Value(value);
                    Ok(false)
                }
                _ => Err(internal(stage, "a value was decoded a second time")),
            },
            Verdict::Rewrite(changes) => {
                let kept = self.edits.len();
                let mut changes = changes.into_iter().peekable();
                while let Some(change) = changes.next() {
                    // Renames within one object come in runs; one pass over its keys does them all.
                    let mut run = Vec::new();
                    while let Some(next) = changes.next_if(|next| joins(&change, next)) {
                        run.push(next);
                    }
                    run.insert(0, change);
                    if let Err(why) = self.apply_run(stage, run) {
                        self.undo(kept);
                        return Err(internal(stage, why));
                    }
                }
                if self.edits.len() > kept {
                    self.text = None;
                }
                Ok(self.edits.len() > kept)
            }
            Verdict::Reject(rejection) => Err(rejection),
        }
    }

    fn apply_run(&mut self, stage: &'static str, run: Vec<Change>) -> Result<(), &'static str> {
        if run.len() > 1 {
            let renames: Vec<(String, String)> = run.iter().filter_map(rename_of).collect();
            let parent = run
                .first()
                .and_then(|c| c.op.from())
                .and_then(pointer::split_last)
                .map(|(parent, _)| parent)
                .ok_or("a rename without a key")?;
            // Renames that build on one another (`b` to `c`, then `a` to `b`) go one by one below.
            if rename_all(self.object_at(parent)?, &renames).is_ok() {
                for change in run {
                    self.record(stage, change, None);
                }
                return Ok(());
            }
        }
        for mut change in run {
            let before = self.perform(&mut change.op)?;
            self.record(stage, change, before);
        }
        Ok(())
    }

    fn record(&mut self, stage: &'static str, change: Change, before: Option<Before<'a>>) {
        self.edits.push(Edit {
            stage,
            code: change.code,
            op: change.op,
            before,
            hint: change.hint,
            relaxed: change.relaxed,
        });
    }

    /// Performs one operation on the arguments; returns what stood there.
    fn perform(&mut self, op: &mut Op) -> Result<Option<Before<'a>>, &'static str> {
        if op.path().is_empty() {
            return match op {
                Op::Replace { value, .. } => {
                    let before =
                        std::mem::replace(&mut self.current, Delivered::Value(value.clone()));
                    Ok(Some(before_of(before)))
                }
                _ => Err("only a replacement can change the root"),
            };
        }
        match op {
            Op::Replace { path, value } => {
                let slot = self.value_at(path)?;
                let before = std::mem::replace(slot, value.clone());
                Ok(Some(Before::Value(before)))
            }
            Op::Add { path, value } => {
                self.insert(path, value.clone())?;
                Ok(None)
            }
            Op::Remove { path } => Ok(Some(Before::Value(self.take(path)?))),
            Op::Move { from, path } => {
                self.relocate(from, path)?;
                Ok(None)
            }
        }
    }

    fn relocate(&mut self, from: &str, path: &str) -> Result<(), &'static str> {
        let (from_parent, from_key) = pointer::split_last(from).ok_or("a move of the root")?;
        let (to_parent, to_key) = pointer::split_last(path).ok_or("a move to the root")?;
        if from_parent == to_parent
            && let Ok(object) = self.object_at(from_parent)
        {
            return rename_all(object, &[(from_key.into_owned(), to_key.into_owned())]);
        }
        let value = self.take(from)?;
        self.insert(path, value)
    }

    fn insert(&mut self, path: &str, value: Value) -> Result<(), &'static str> {
        let (parent, key) = pointer::split_last(path).ok_or("an addition at the root")?;
        match self.value_at(parent)? {
            Value::Object(object) if !object.contains_key(key.as_ref()) => {
                object.insert(key.into_owned(), value);
                Ok(())
            }
            Value::Object(_) => Err("an addition over a value"),
            Value::Array(items) => {
                let at = if key == "-" {
                    items.len()
                } else {
                    pointer::index(&key).ok_or("an array index that is none")?
                };
                if at > items.len() {
                    return Err("an addition past an array's end");
                }
                items.insert(at, value);
                Ok(())
            }
            _ => Err("an addition inside a scalar"),
        }
    }

    fn take(&mut self, path: &str) -> Result<Value, &'static str> {
        let (parent, key) = pointer::split_last(path).ok_or("a removal of the root")?;
        match self.value_at(parent)? {
            // With serde_json's preserve_order a plain removal would swap the last key in.
            Value::Object(object) => remove_in_order(object, &key).ok_or("a removal of nothing"),
            Value::Array(items) => match pointer::index(&key) {
                Some(at) if at < items.len() => Ok(items.remove(at)),
                _ => Err("a removal past an array's end"),
            },
            _ => Err("a removal inside a scalar"),
        }
    }

    fn value_at(&mut self, path: &str) -> Result<&mut Value, &'static str> {
        match &mut self.current {
            Delivered::Value(value) => value.pointer_mut(path).ok_or("a path to nothing"),
            _ => Err("a path into arguments that are no value yet"),
        }
    }

    fn object_at(&mut self, path: &str) -> Result<&mut Map<String, Value>, &'static str> {
        self.value_at(path)?
            .as_object_mut()
            .ok_or("a key of something that is no object")
    }

    /// Takes back every edit after the first `kept`, newest first.
    fn undo(&mut self, kept: usize) {
        while self.edits.len() > kept {
            let Some(edit) = self.edits.pop() else { return };
            // Each inverse fits, since it undoes the newest edit that did.
            let _ = self.undo_one(edit);
        }
    }

    fn undo_one(&mut self, edit: Edit<'a>) -> Result<(), &'static str> {
        match (edit.op, edit.before) {
            (Op::Replace { path, .. }, Some(before)) if path.is_empty() => {
                self.current = match before {
                    Before::Text(Cow::Borrowed(text)) => Delivered::Text(text),
                    Before::Text(Cow::Owned(text)) => Delivered::Value(Value::String(text)),
                    Before::Value(Value::Null) if self.text.is_none() => Delivered::Nothing,
                    Before::Value(value) => Delivered::Value(value),
                };
            }
            (Op::Replace { path, .. }, Some(Before::Value(value))) => {
                *self.value_at(&path)? = value;
            }
            (Op::Add { path, .. }, _) => {
                self.take(&path)?;
            }
            (Op::Remove { path }, Some(Before::Value(value))) => self.insert(&path, value)?,
            (Op::Move { from, path }, _) => self.relocate(&path, &from)?,
            _ => return Err("an edit without what stood before"),
        }
        Ok(())
    }
}

fn before_of(delivered: Delivered<'_>) -> Before<'_> {
    match delivered {
        Delivered::Nothing => Before::Value(Value::Null),
        Delivered::Text(text) => Before::Text(Cow::Borrowed(text)),
        Delivered::Bytes(bytes) => Before::Text(String::from_utf8_lossy(bytes)),
        Delivered::Value(value) => Before::Value(value),
    }
}

/// Whether two changes are renames within one object, so that one pass can do both.
fn joins(one: &Change, other: &Change) -> bool {
    fn parent(change: &Change) -> Option<&str> {
        let (from, _) = pointer::split_last(change.op.from()?)?;
        let (to, _) = pointer::split_last(change.op.path())?;
        (from == to).then_some(from)
    }
    parent(one).is_some() && parent(one) == parent(other)
}

fn rename_of(change: &Change) -> Option<(String, String)> {
    let (_, from) = pointer::split_last(change.op.from()?)?;
    let (_, to) = pointer::split_last(change.op.path())?;
    Some((from.into_owned(), to.into_owned()))
}

/// Renames members in place. The whole map is rebuilt, since serde_json's maps cannot change a
/// key, and only so does the position survive under `preserve_order`.
fn rename_all(
    object: &mut Map<String, Value>,
    renames: &[(String, String)],
) -> Result<(), &'static str> {
    let mut names: std::collections::HashMap<&str, &str> = Default::default();
    let mut targets: std::collections::HashSet<&str> = Default::default();
    for (from, to) in renames {
        if !object.contains_key(from) {
            return Err("a rename of nothing");
        }
        if object.contains_key(to) || !targets.insert(to) {
            return Err("a rename over a value");
        }
        if names.insert(from, to).is_some() {
            return Err("two renames of one key");
        }
    }
    for (key, value) in std::mem::take(object) {
        let key = match names.get(key.as_str()) {
            Some(to) => (*to).to_owned(),
            None => key,
        };
        object.insert(key, value);
    }
    Ok(())
}

fn remove_in_order(object: &mut Map<String, Value>, key: &str) -> Option<Value> {
    if !object.contains_key(key) {
        return None;
    }
    let mut taken = None;
    for (k, value) in std::mem::take(object) {
        if k == key {
            taken = Some(value);
        } else {
            object.insert(k, value);
        }
    }
    taken
}

fn internal(stage: &'static str, why: &str) -> Box<Rejection> {
    Box::new(Rejection::new(
        stage,
        Code::INTERNAL,
        format!("the call could not be repaired: `{stage}` planned {why}"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const CODE: Code = Code::new("test");

    fn applied(value: Value, changes: Vec<Change>) -> Result<(Value, usize), Code> {
        let mut draft = Draft::new(value);
        match draft.apply("test", Verdict::Rewrite(changes)) {
            Ok(_) => Ok((draft.value().unwrap().clone(), draft.edits().len())),
            Err(rejection) => Err(rejection.code),
        }
    }

    #[test]
    fn renames_in_one_object_keep_every_position() {
        let changes = vec![
            Change::rename("", "b", "B", CODE),
            Change::rename("", "a", "A", CODE),
        ];
        let (value, edits) = applied(json!({"b": 1, "x": 2, "a": 3}), changes).unwrap();
        assert_eq!(value, json!({"B": 1, "x": 2, "A": 3}));
        assert_eq!(edits, 2);
    }

    #[test]
    fn a_change_that_does_not_fit_takes_back_those_before_it() {
        let mut draft = Draft::new(json!({"a": [1, 2], "b": {"c": 3}}));
        let changes = vec![
            Change::remove("/a/0", CODE),
            Change::replace("/b/c", json!(4), CODE),
            Change::add("/d", json!(5), CODE),
            Change::new(
                Op::Move {
                    from: "/b/c".into(),
                    path: "/e".into(),
                },
                CODE,
            ),
            Change::rename("", "nothing", "here", CODE),
        ];
        let rejection = draft.apply("test", Verdict::Rewrite(changes)).unwrap_err();
        assert_eq!(rejection.code, Code::INTERNAL);
        assert_eq!(draft.value(), Some(&json!({"a": [1, 2], "b": {"c": 3}})));
        assert!(draft.edits().is_empty());
    }

    #[test]
    fn renames_may_build_on_one_another() {
        let changes = vec![
            Change::rename("", "b", "c", CODE),
            Change::rename("", "a", "b", CODE),
        ];
        let (value, _) = applied(json!({"a": 1, "b": 2}), changes).unwrap();
        assert_eq!(value, json!({"b": 1, "c": 2}));
    }

    #[test]
    fn a_rename_never_overwrites() {
        let changes = vec![Change::rename("", "a", "b", CODE)];
        assert_eq!(
            applied(json!({"a": 1, "b": 2}), changes),
            Err(Code::INTERNAL)
        );
    }

    #[test]
    fn only_a_replacement_changes_the_root() {
        assert_eq!(
            applied(json!({}), vec![Change::remove("", CODE)]),
            Err(Code::INTERNAL)
        );
    }

    #[test]
    fn a_strict_reading_keeps_the_text_and_an_edit_gives_it_up() {
        let mut draft = Draft::new(r#"{"a":1}"#);
        draft
            .apply("parse-leniency", Verdict::Decoded(json!({"a": 1})))
            .unwrap();
        assert_eq!(draft.text(), Some(r#"{"a":1}"#));
        let change = Change::replace("/a", json!(2), CODE);
        draft.apply("test", Verdict::Rewrite(vec![change])).unwrap();
        assert_eq!(draft.text(), None);
    }

    #[test]
    fn a_relaxed_reading_shares_the_text_it_replaces() {
        let text = String::from("{a:1}");
        let mut draft = Draft::new(text.as_str());
        let change = Change::replace("", json!({"a": 1}), CODE);
        draft.apply("test", Verdict::Rewrite(vec![change])).unwrap();
        assert!(
            matches!(&draft.edits()[0].before, Some(Before::Text(Cow::Borrowed(t))) if t.as_ptr() == text.as_ptr())
        );
    }
}
