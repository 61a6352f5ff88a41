//! Decodes strictly: what stands in for parse-leniency where nothing may be repaired.

use callmend::stage::message::with_tail;
use callmend::{
    Cascade, Code, CodeInfo, Delivered, Draft, Order, Prepared, Rejection, Stage, StageMeta, Tool,
    ToolError, Verdict,
};
use callmend_parse_leniency::message::NOTHING_SENT;
use serde_json::Value;

/// The id of the stage that decodes strictly.
pub const STRICT_DECODE_ID: &str = "strict-decode";

/// The arguments are no strict JSON object, and nothing is repaired for this model.
pub const NOT_STRICT: Code = Code::new("not-strict");

/// Decodes strict JSON and refuses whatever else parse-leniency would have read.
pub(crate) struct StrictDecode;

pub(crate) static STRICT_DECODE: StrictDecode = StrictDecode;

static META: StageMeta = StageMeta {
    id: STRICT_DECODE_ID,
    order: Order::PARSE_LENIENCY,
    rewrites: false,
    summary: "reads strict JSON and nothing else, where a profile turns repair off",
    codes: &[CodeInfo::rejection(
        NOT_STRICT,
        "the arguments are no strict JSON object, and nothing is repaired for this model",
    )],
    package: env!("CARGO_PKG_NAME"),
};

impl Stage for StrictDecode {
    fn meta(&self) -> &'static StageMeta {
        &META
    }

    fn prepare(&self, tool: &Tool, _: Cascade) -> Result<Option<Box<dyn Prepared>>, ToolError> {
        Ok(Some(Box::new(Bound { tool: tool.clone() })))
    }
}

struct Bound {
    tool: Tool,
}

impl Prepared for Bound {
    fn plan(&self, call: &Draft<'_>) -> Verdict {
        match callmend_parse_leniency::plan(&self.tool, call) {
            // Nothing is no mistake; that it reads as an empty object is decoding.
            Verdict::Rewrite(changes)
                if is_nothing(call) && changes.iter().all(|c| c.code == NOTHING_SENT) =>
            {
                Verdict::Rewrite(changes)
            }
            Verdict::Rewrite(changes) => {
                let body = "arguments must be one strict JSON object";
                let message = with_tail(body, self.tool.signature().tail());
                let mut rejection = Rejection::new(STRICT_DECODE_ID, NOT_STRICT, message);
                rejection.hints = changes.into_iter().filter_map(|c| c.hint).collect();
                rejection.into()
            }
            verdict => verdict,
        }
    }
}

/// Whether the call carries nothing at all: no arguments, `null`, or blank text.
fn is_nothing(call: &Draft<'_>) -> bool {
    match call.delivered() {
        Delivered::Nothing | Delivered::Value(Value::Null) => true,
        Delivered::Text(text) => text.trim().is_empty(),
        Delivered::Bytes(bytes) => bytes.trim_ascii().is_empty(),
        _ => false,
    }
}
