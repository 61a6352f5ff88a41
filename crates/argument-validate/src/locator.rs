//! Tools that find one thing by either of two arguments (contract, section 10.6).

use crate::finding::Finding;
use crate::message;
use callmend_stage::{Locator, pointer};
use serde_json::{Map, Value};

/// Checks that one of the two is given, and that both, when given, name the same thing. A `null`
/// is not given.
pub(crate) fn check(rule: &Locator, arguments: &Map<String, Value>) -> Option<Finding> {
    let given = |name: &str| arguments.get(name).filter(|value| !value.is_null());
    match (given(&rule.first), given(&rule.second)) {
        (None, None) => Some(Finding::new(
            pointer::to(&rule.first),
            message::NO_LOCATOR,
            message::pass_either(&rule.first, &rule.second),
        )),
        (Some(one), Some(other)) => {
            let differ = rule.differ.as_ref()?;
            differ(one, other).then(|| {
                let body =
                    message::name_different((&rule.first, one), (&rule.second, other), &rule.noun);
                Finding::new(pointer::to(&rule.second), message::LOCATORS_DIFFER, body)
            })
        }
        _ => None,
    }
}
