//! Every code and every sentence of the stage.

use callmend_stage::message::{tick, with_tail};
use callmend_stage::{Code, CodeInfo, Rejection};

/// An envelope was taken off.
pub const ENVELOPE: Code = Code::new("envelope");
/// A name that the host owns stands inside the envelope and beside it, with two values.
pub const CONFLICT: Code = Code::new("envelope-conflict");
/// The envelope names another tool.
pub const OTHER_TOOL: Code = Code::new("envelope-other-tool");
/// The envelope's name also reads as a declared argument.
pub const AMBIGUOUS: Code = Code::new("envelope-ambiguous");

/// Every code, as `callmend stages` lists them.
pub(crate) const CODES: &[CodeInfo] = &[
    CodeInfo::edit(
        ENVELOPE,
        "the arguments stood inside an envelope and were taken out of it",
    ),
    CodeInfo::rejection(
        CONFLICT,
        "a name of the host stands both inside the envelope and beside it, with two values",
    ),
    CodeInfo::rejection(OTHER_TOOL, "the envelope names another tool"),
    CodeInfo::rejection(
        AMBIGUOUS,
        "the envelope's name also reads as a declared argument that could hold its content",
    ),
];

/// Tells the model what to do next time.
pub(crate) fn hint(envelope: &str) -> String {
    format!(
        "pass the arguments themselves, not inside {}",
        tick(envelope)
    )
}

pub(crate) fn conflict(stage: &'static str, key: &str, envelope: &str, tail: &str) -> Rejection {
    let key = tick(key);
    let body = format!(
        "{key} stands inside {} and beside it, with two values; pass {key} once",
        tick(envelope)
    );
    Rejection::new(stage, CONFLICT, with_tail(&body, tail))
}

pub(crate) fn other_tool(stage: &'static str, named: &str, tool: &str, tail: &str) -> Rejection {
    let body = format!(
        "`name` says {}, but the tool called is {}; call the tool that you mean",
        tick(named),
        tick(tool)
    );
    Rejection::new(stage, OTHER_TOOL, with_tail(&body, tail))
}

pub(crate) fn ambiguous(
    stage: &'static str,
    envelope: &str,
    argument: &str,
    tail: &str,
) -> Rejection {
    let body = format!(
        "{} could be {} or an envelope around the arguments; pass the arguments by name",
        tick(envelope),
        tick(argument)
    );
    Rejection::new(stage, AMBIGUOUS, with_tail(&body, tail))
}
