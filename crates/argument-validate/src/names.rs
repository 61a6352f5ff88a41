//! The functions of contract section 10.9, each usable alone.

use crate::finding;
use crate::{canonical, locator, message, shallow};
use callmend_stage::{Code, Rejection, Tool, retired, unknown};
use serde_json::Value;

/// Spells the tail of every argument error: the tool's arguments in bytewise order, `?` after
/// each that is not required (contract, section 10.1).
///
/// ```
/// use callmend_argument_validate::arguments_hint;
/// use callmend_stage::Tool;
/// use serde_json::json;
///
/// let find = Tool::new("find", json!({
///     "properties": { "query": {}, "limit": {} }, "required": ["query"]
/// }))?;
/// assert_eq!(arguments_hint(&find), "find takes limit?, query");
/// assert_eq!(arguments_hint(&Tool::new("now", json!({}))?), "now takes no arguments");
/// # Ok::<(), callmend_stage::ToolError>(())
/// ```
pub fn arguments_hint(tool: &Tool) -> &str {
    tool.signature().tail()
}

/// Makes an argument error: `body`, then the tool's tail; its
/// [`envelope`](Rejection::envelope) is the `filter_invalid` of contract section 10.8.
///
/// ```
/// use callmend_argument_validate::{argument_error, message};
/// use callmend_stage::Tool;
/// use serde_json::json;
///
/// let find = Tool::new("find", json!({"properties": {"query": {}}}))?;
/// let error = argument_error(&find, message::REQUIRED, "`query` is required");
/// assert_eq!(error.message, "`query` is required (find takes query?)");
/// assert_eq!(error.envelope()["error"], "filter_invalid");
/// # Ok::<(), callmend_stage::ToolError>(())
/// ```
pub fn argument_error(tool: &Tool, code: Code, body: &str) -> Rejection {
    message::rejection(tool.signature(), code, body)
}

/// Makes an argument error, as [`argument_error`] does, that carries the corrected arguments:
/// canonical JSON, keys in bytewise order, no white space, numbers as ECMAScript prints them
/// (contract, section 10.5). Integers keep every digit.
///
/// Arguments nested deeper than 128 are left out.
///
/// ```
/// use callmend_argument_validate::{argument_error_fix, message};
/// use callmend_stage::Tool;
/// use serde_json::json;
///
/// let read = Tool::new("read", json!({"properties": {"docs": {}}}))?;
/// let error = argument_error_fix(
///     &read,
///     message::WRONG_TYPE,
///     "`docs` must be an array of strings",
///     &json!({"limit": 5.0, "docs": ["a", "b"]}),
/// );
/// assert_eq!(error.fix.as_deref(), Some(r#"{"docs":["a","b"],"limit":5}"#));
/// # Ok::<(), callmend_stage::ToolError>(())
/// ```
pub fn argument_error_fix(tool: &Tool, code: Code, body: &str, arguments: &Value) -> Rejection {
    let mut error = argument_error(tool, code, body);
    error.fix = canonical::text(arguments);
    error
}

/// Words what a schema takes, for `must be …` (contract, section 10.4). References are followed
/// within `root`, the whole schema of the tool.
///
/// ```
/// use callmend_argument_validate::phrase_for;
/// use serde_json::json;
///
/// let mode = json!({"type": "string", "enum": ["r", "w"]});
/// assert_eq!(phrase_for(&mode, &mode), "one of r, w");
/// ```
pub fn phrase_for(schema: &Value, root: &Value) -> String {
    callmend_stage::message::phrase(schema, root)
}

/// Says what is wrong with an argument name that the tool does not take, without the tail: it is
/// retired, near a declared name, or unknown (contract, section 10.3).
///
/// ```
/// use callmend_argument_validate::unknown_argument_message;
/// use callmend_stage::Tool;
/// use serde_json::json;
///
/// let read = Tool::new("docs_read", json!({"properties": {"id": {}, "path": {}}}))?;
/// assert_eq!(
///     unknown_argument_message(&read, "doc"),
///     "`doc` is no longer an argument — pass `id` or `path`"
/// );
/// assert_eq!(
///     unknown_argument_message(&read, "paht"),
///     "unknown argument `paht`; did you mean `path`?"
/// );
/// # Ok::<(), callmend_stage::ToolError>(())
/// ```
pub fn unknown_argument_message(tool: &Tool, name: &str) -> String {
    unknown::message(name, tool.signature(), retired::in_force())
}

/// Checks arguments against a tool: unknown names first, in bytewise order and whether or not the
/// schema is closed, then each declared argument, in bytewise order, for presence and type, then
/// the tool's locator. Returns the arguments as the tool should see them when a string stood for
/// a list of strings, and `None` when they are fine as they are.
///
/// The check is shallow, needs no preparation, and knows no harness-owned names; the stage does
/// more (contract, sections 10.2 to 10.7). Under `patternProperties` no list of names decides
/// which are unknown, and none is refused here.
///
/// # Errors
///
/// The first thing that is wrong; up to ten more stand in its hints.
///
/// ```
/// use callmend_argument_validate::validate_arguments;
/// use callmend_stage::Tool;
/// use serde_json::json;
///
/// let find = Tool::new("query", json!({
///     "properties": {
///         "limit": {"type": "integer"},
///         "tags": {"type": "array", "items": {"type": "string"}}
///     }
/// }))?;
/// assert_eq!(validate_arguments(&find, &json!({"limit": 5})), Ok(None));
/// assert_eq!(
///     validate_arguments(&find, &json!({"tags": "a"})),
///     Ok(Some(json!({"tags": ["a"]})))
/// );
/// assert_eq!(
///     validate_arguments(&find, &json!({"limit": "5"})).unwrap_err().message,
///     "`limit` must be an integer (query takes limit?, tags?)"
/// );
/// # Ok::<(), callmend_stage::ToolError>(())
/// ```
#[expect(
    clippy::result_large_err,
    reason = "an error is the end of a call, and its caller wants it whole"
)]
pub fn validate_arguments(tool: &Tool, args: &Value) -> Result<Option<Value>, Rejection> {
    let signature = tool.signature();
    let Value::Object(arguments) = args else {
        return Err(message::rejection(
            signature,
            message::NOT_AN_OBJECT,
            message::ARGUMENTS_MUST_BE_AN_OBJECT,
        ));
    };
    let root = signature.root();
    let is_unknown = |name: &str| !root.is_patterned() && !root.declares(name);
    let unknown = unknown::rejection(
        message::ID,
        signature,
        retired::in_force(),
        arguments,
        is_unknown,
    );
    if let Some(rejection) = unknown {
        return Err(rejection);
    }
    let shallow = shallow::check(signature, arguments);
    if let Some(rejection) = finding::rejection(signature, shallow.findings) {
        return Err(rejection);
    }
    let locator = tool
        .locator()
        .and_then(|rule| locator::check(rule, arguments));
    if let Some(rejection) = finding::rejection(signature, locator) {
        return Err(rejection);
    }
    if shallow.changes.is_empty() {
        return Ok(None);
    }
    let mut normalized = args.clone();
    shallow::perform(&mut normalized, &shallow.changes);
    Ok(Some(normalized))
}
