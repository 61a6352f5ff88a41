//! Every code and every sentence of the pipeline itself.

use callmend_stage::message::{clip, nearest, tick, with_tail};
use callmend_stage::{Code, CodeInfo, Rejection, Signature};

/// The stage that the pipeline's own rejections name.
pub const PIPELINE: &str = "pipeline";

/// The rewriting stages still found something to change after the last pass (contract, section
/// 12), or what they returned would itself be changed (property P3).
pub const UNSETTLED: Code = Code::new("unsettled");

/// No stage turned what was sent into an object.
pub const UNDECODED: Code = Code::new("undecoded");

/// The call names a tool that is not there.
pub const UNKNOWN_TOOL: Code = Code::new("unknown-tool");

/// The codes of the pipeline itself.
pub const CODES: &[CodeInfo] = &[
    CodeInfo::rejection(
        UNSETTLED,
        "repairs opened further mistakes and did not come to an end",
    ),
    CodeInfo::rejection(
        UNDECODED,
        "no stage of this pipeline reads what was sent as an object",
    ),
    CodeInfo::rejection(UNKNOWN_TOOL, "the call names a tool that is not there"),
    CodeInfo::rejection(
        Code::INTERNAL,
        "a stage planned a change that does not fit: a fault of that stage",
    ),
];

/// How many names a rejection lists at most.
const NAMES: usize = 20;

pub(crate) fn unsettled(signature: &Signature) -> Box<Rejection> {
    let body = "arguments hold mistakes within mistakes; send each argument once, as plain JSON";
    Box::new(Rejection::new(
        PIPELINE,
        UNSETTLED,
        with_tail(body, signature.tail()),
    ))
}

pub(crate) fn undecoded(signature: &Signature) -> Box<Rejection> {
    let body = "arguments must be an object";
    Box::new(Rejection::new(
        PIPELINE,
        UNDECODED,
        with_tail(body, signature.tail()),
    ))
}

/// Says that no tool has this name; `known` is in bytewise order.
pub(crate) fn unknown_tool(name: &str, known: &[String]) -> Box<Rejection> {
    let mut body = format!("unknown tool {}", tick(name));
    if let Some(near) = nearest(name, known.iter().map(String::as_str)) {
        body.push_str(&format!("; did you mean {}?", tick(near)));
    }
    Box::new(Rejection::new(
        PIPELINE,
        UNKNOWN_TOOL,
        with_tail(&body, &tools(known)),
    ))
}

fn tools(known: &[String]) -> String {
    if known.is_empty() {
        return "there are no tools".to_owned();
    }
    let listed: Vec<String> = known.iter().take(NAMES).map(|name| clip(name)).collect();
    let mut out = format!("the tools are {}", listed.join(", "));
    let rest = known.len().saturating_sub(NAMES);
    if rest > 0 {
        out.push_str(&format!(" and {rest} more"));
    }
    out
}
