//! What is said of names that a tool does not take, by every stage that refuses them (contract,
//! sections 8 and 10.3).

use crate::registry::RetiredEntry;
use crate::{Code, CodeInfo, Rejection, Signature, message, pointer, retired};
use serde_json::{Map, Value};

/// The code of every rejection of a name that the tool does not take.
pub const UNKNOWN_ARGUMENT: Code = Code::new("unknown-argument");

/// [`UNKNOWN_ARGUMENT`] as stages list it.
pub const UNKNOWN_ARGUMENT_INFO: CodeInfo = CodeInfo::rejection(
    UNKNOWN_ARGUMENT,
    "the call has an argument that the tool does not take",
);

/// How many more unknown names, and how many missing ones, the hints list.
pub const LISTED: usize = 10;

/// Says what is wrong with one name, without the tail: retired, near a declared name, or unknown.
///
/// ```
/// use callmend_stage::{Tool, retired, unknown};
/// use serde_json::json;
///
/// let find = Tool::new("find", json!({"properties": {"query": {}, "limit": {}}}))?;
/// let say = |name| unknown::message(name, find.signature(), retired::DEFAULT);
/// assert_eq!(say("q"), "unknown argument `q`; did you mean `query`?");
/// assert_eq!(say("zzz"), "unknown argument `zzz`");
/// # Ok::<(), callmend_stage::ToolError>(())
/// ```
pub fn message(name: &str, signature: &Signature, retired: &[RetiredEntry]) -> String {
    retired::message(name, signature, retired).unwrap_or_else(|| {
        suggest(name, name, signature.declared_names(), |near| {
            near.to_owned()
        })
    })
}

/// Says that a name is unknown, with the nearest of the declared ones.
///
/// `shown` is how the message spells the name, and `spell` how it spells the nearest one, so that
/// both can be paths.
pub fn suggest<'n>(
    name: &str,
    shown: &str,
    declared: impl IntoIterator<Item = &'n str>,
    spell: impl FnOnce(&str) -> String,
) -> String {
    let unknown = format!("unknown argument {}", message::tick(shown));
    match message::nearest(name, declared) {
        Some(near) => format!("{unknown}; did you mean `{}`?", spell(near)),
        None => unknown,
    }
}

/// Rejects a call for the names that `is_unknown` picks: the message is for the first of them in
/// bytewise order; a hint lists the next ten, another the required arguments that are missing.
///
/// `None` when there is no such name, and then nothing was allocated. Cost: the number of keys,
/// and the number of declared names for the one that the message is about.
pub fn rejection(
    stage: &'static str,
    signature: &Signature,
    retired: &[RetiredEntry],
    arguments: &Map<String, Value>,
    is_unknown: impl Fn(&str) -> bool,
) -> Option<Rejection> {
    let mut names: Vec<&str> = arguments
        .keys()
        .map(String::as_str)
        .filter(|name| is_unknown(name))
        .collect();
    names.sort_unstable();
    let (first, others) = names.split_first()?;
    let body = message(first, signature, retired);
    let mut rejection = Rejection::new(
        stage,
        UNKNOWN_ARGUMENT,
        message::with_tail(&body, signature.tail()),
    )
    .at(pointer::to(first));
    rejection.hints.extend(also_unknown(others));
    rejection.hints.extend(missing(signature, arguments));
    Some(rejection)
}

fn also_unknown(names: &[&str]) -> Option<String> {
    let listed = names.get(..LISTED).unwrap_or(names);
    let mut hint = format!(
        "also unknown: {}",
        listed
            .iter()
            .map(|name| message::tick(name))
            .collect::<Vec<_>>()
            .join(", ")
    );
    match names.len() - listed.len() {
        0 => {}
        more => hint.push_str(&format!(" and {more} more")),
    }
    (!names.is_empty()).then_some(hint)
}

/// Lists what is required and missing, as a hint: `` `cmd` is required ``.
pub fn missing(signature: &Signature, arguments: &Map<String, Value>) -> Option<String> {
    let mut names = signature
        .required_names()
        .filter(|name| !arguments.contains_key(*name))
        .map(|name| format!("`{name}`"));
    let listed: Vec<String> = names.by_ref().take(LISTED).collect();
    match listed.as_slice() {
        [] => None,
        [one] => Some(format!("{one} is required")),
        _ if names.next().is_some() => Some(format!("{} and more are required", listed.join(", "))),
        _ => Some(format!("{} are required", message::list(&listed, "and"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tool;
    use serde_json::json;

    fn rejected(arguments: Value) -> Option<Rejection> {
        let tool = Tool::new(
            "find",
            json!({"properties": {"query": {}, "limit": {}, "a": {}}, "required": ["query", "a"]}),
        )
        .unwrap();
        let signature = tool.signature();
        let arguments = arguments.as_object().unwrap().clone();
        rejection("test", signature, retired::DEFAULT, &arguments, |name| {
            signature.is_unknown(name)
        })
    }

    #[test]
    fn no_unknown_name_is_no_rejection() {
        assert_eq!(rejected(json!({"query": 1, "i": 2})), None);
    }

    #[test]
    fn the_first_in_bytewise_order_is_named_and_the_next_ten_are_listed() {
        let mut arguments = Map::new();
        for n in 0..14 {
            arguments.insert(format!("x{n:02}"), Value::Null);
        }
        arguments.insert("ZZZZ".to_owned(), Value::Null);
        let rejection = rejected(Value::Object(arguments)).unwrap();
        assert_eq!(
            rejection.message,
            "unknown argument `ZZZZ` (find takes a, limit?, query)"
        );
        assert_eq!(
            rejection.hints,
            [
                "also unknown: `x00`, `x01`, `x02`, `x03`, `x04`, `x05`, `x06`, `x07`, `x08`, `x09` and 4 more",
                "`a` and `query` are required",
            ]
        );
        assert_eq!(rejection.path.as_deref(), Some("/ZZZZ"));
    }

    #[test]
    fn a_long_name_is_clipped() {
        let mut arguments = Map::new();
        arguments.insert("k".repeat(1_000_000), Value::Null);
        let rejection = rejected(Value::Object(arguments)).unwrap();
        assert!(rejection.message.len() < 200);
    }
}
