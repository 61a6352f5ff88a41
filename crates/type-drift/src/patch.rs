//! One rewriting, before it becomes a change of the call.

use callmend_stage::{Change, Code, pointer};
use serde_json::{Map, Value};

/// What is done at a place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Action {
    /// Another value stands there.
    Put(Value),
    /// Nothing stands there.
    LeaveOut,
}

/// One rewriting: where, what, and what the model is told.
#[derive(Debug, Clone)]
pub(crate) struct Patch {
    /// A JSON Pointer (RFC 6901).
    pub(crate) at: String,
    pub(crate) action: Action,
    pub(crate) code: Code,
    pub(crate) hint: String,
    /// The relaxations of a lenient reading.
    pub(crate) relaxed: Vec<&'static str>,
}

/// Two rewritings are one when they do the same, whatever the model is told.
impl PartialEq for Patch {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at && self.action == other.action
    }
}

impl Patch {
    /// Makes the change of the call.
    pub(crate) fn into_change(self) -> Change {
        match self.action {
            Action::Put(value) => Change::replace(self.at, value, self.code),
            Action::LeaveOut => Change::remove(self.at, self.code),
        }
        .hint(self.hint)
        .relaxed(self.relaxed)
    }
}

/// Does the rewritings in a value of the stage's own. They stand at places apart, so their order
/// does not matter.
pub(crate) fn apply(patches: Vec<Patch>, value: &mut Value) {
    for patch in patches {
        match patch.action {
            Action::Put(new) => {
                if let Some(place) = value.pointer_mut(&patch.at) {
                    *place = new;
                }
            }
            Action::LeaveOut => {
                if let Some((parent, key)) = pointer::split_last(&patch.at)
                    && let Some(Value::Object(object)) = value.pointer_mut(parent)
                {
                    remove(object, &key);
                }
            }
        }
    }
}

/// Removes a member; the others keep their order, which serde_json's own removal does not
/// promise.
fn remove(object: &mut Map<String, Value>, key: &str) {
    let members = std::mem::take(object);
    object.extend(members.into_iter().filter(|(name, _)| name != key));
}
