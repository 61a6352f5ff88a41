//! Every code and every sentence of ambiguity.

use callmend_stage::{Code, CodeInfo, Rejection, Signature, message, pointer};

/// The id of the stage.
pub const ID: &str = "ambiguity";

/// Several donors for one missing argument, or one donor for several.
pub const SEVERAL_DONORS: Code = Code::new("ambiguous-donor");

/// Every code of the stage.
pub const CODES: &[CodeInfo] = &[CodeInfo::rejection(
    SEVERAL_DONORS,
    "a required argument is missing, and more than one reading says what was meant for it",
)];

/// How many missing arguments and how many donors a message names.
const NAMED: usize = 10;

/// Rejects a call whose missing arguments and donors pair up in more than one way. Both lists
/// are in bytewise order.
pub fn rejection(signature: &Signature, missing: &[&str], donors: &[&str]) -> Rejection {
    let body = match (missing, donors) {
        ([one], _) => format!(
            "`{one}` is required, and {} could be meant; pass `{one}` by name",
            named(donors, "or")
        ),
        (_, [donor]) => format!(
            "{} are required, and {} could be meant for any of them; pass each by name",
            named(missing, "and"),
            message::tick(donor)
        ),
        _ => format!(
            "{} are required, and {} could be meant; pass each by name",
            named(missing, "and"),
            named(donors, "or")
        ),
    };
    let rejection = Rejection::new(
        ID,
        SEVERAL_DONORS,
        message::with_tail(&body, signature.tail()),
    );
    match missing.first() {
        Some(first) => rejection.at(pointer::to(first)),
        None => rejection,
    }
}

fn named(names: &[&str], word: &str) -> String {
    match names.get(..NAMED) {
        Some(first) if names.len() > NAMED => {
            let listed: Vec<String> = first.iter().map(|name| message::tick(name)).collect();
            format!("{} {word} {} more", listed.join(", "), names.len() - NAMED)
        }
        _ => message::list(names.iter().map(|name| message::tick(name)), word),
    }
}
