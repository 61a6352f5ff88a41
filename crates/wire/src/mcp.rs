//! The Model Context Protocol over JSON-RPC 2.0.
//!
//! Facts: the specification and its schema, revisions 2024-11-05 to 2026-07-28 (`tools/list` with
//! `nextCursor`, `tools/call`, `isError`, `_meta`, ids that are strings or numbers, batches in
//! 2025-03-26, `resultType` since 2026-07-28).
//!
//! A `tools/call` without an id is a notification, which must not be answered, and is left alone.
//! The protocol has no finish reason.

use crate::call::Kind;
use crate::stream::{Budget, Gather, Gathered, call};
use crate::wire::Wire;
use crate::{Arguments, CallId, Format, WireCall, WireError, tools};
use callmend_stage::{Rejection, ToolBuilder};
use serde_json::{Value, json};

pub(crate) struct Mcp;

/// The request's `_meta` key of revision 2026-07-28, from which on a result must name its type.
const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";

impl Wire for Mcp {
    fn tools(&self, body: &Value) -> Result<Vec<ToolBuilder>, WireError> {
        let mut found = Vec::new();
        for (at, message) in messages(body) {
            let (at, list) = match message.get("result") {
                Some(result) => (at + "/result", result),
                None => (at, message),
            };
            for (at, tool) in tools::items(list, &at, "tools")? {
                found.push(tools::read(&at, &Value::Object(tool.clone()))?);
            }
        }
        Ok(found)
    }

    fn calls<'b>(&self, body: &'b Value) -> Vec<WireCall<'b>> {
        let calls = messages(body).filter_map(|(at, message)| {
            if message.get("method")?.as_str() != Some("tools/call") {
                return None;
            }
            let id = match message.get("id")? {
                Value::String(id) => CallId::Text(id.clone()),
                Value::Number(id) => CallId::Number(id.clone()),
                _ => return None,
            };
            let params = message.get("params").and_then(Value::as_object);
            let name = params.and_then(|params| params.get("name"));
            let meta = params.and_then(|params| params.get("_meta"));
            let arguments = Arguments::of(params, "arguments");
            let mut call = WireCall::new(Format::Mcp, name, arguments);
            call.id = Some(id);
            call.pointer = at + "/params/arguments";
            if meta.is_some_and(|meta| meta.get(PROTOCOL_VERSION).is_some()) {
                call.kind = Kind::TypedResult;
            }
            Some(call)
        });
        calls.collect()
    }

    fn result(&self, call: &WireCall<'_>, text: String, rejection: &Rejection) -> Value {
        let mut result = json!({
            "content": [{ "type": "text", "text": text }],
            "isError": true,
            "_meta": { "callmend/rejection": rejection.to_json(), "callmend/hints": rejection.hints },
        });
        if let Some(result) = result
            .as_object_mut()
            .filter(|_| call.kind == Kind::TypedResult)
        {
            result.insert("resultType".to_owned(), json!("complete"));
        }
        let id = call.id.as_ref().map_or(Value::Null, CallId::to_json);
        json!({ "jsonrpc": "2.0", "id": id, "result": result })
    }

    fn finished(&self, _: &str) -> Option<bool> {
        None
    }

    fn gather(&self) -> Box<dyn Gather> {
        Box::new(McpStream::default())
    }
}

/// Returns the cursor of the next page of an MCP `tools/list` result, when there is one.
///
/// ```
/// use callmend_wire::next_cursor;
/// use serde_json::json;
///
/// let page = json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": [], "nextCursor": "p2"}});
/// assert_eq!(next_cursor(&page), Some("p2"));
/// assert_eq!(next_cursor(&json!({"jsonrpc": "2.0", "id": 1, "result": {"tools": []}})), None);
/// ```
pub fn next_cursor(body: &Value) -> Option<&str> {
    let result = body.get("result").unwrap_or(body);
    result.get("nextCursor")?.as_str()
}

/// Lists the messages of a body: itself, or those of a batch.
fn messages(body: &Value) -> impl Iterator<Item = (String, &Value)> {
    let batch = body.as_array().map(Vec::as_slice);
    let place = move |index| match batch {
        Some(_) => format!("/{index}"),
        None => String::new(),
    };
    let list = batch.unwrap_or(std::slice::from_ref(body));
    list.iter()
        .enumerate()
        .map(move |(index, message)| (place(index), message))
}

/// Messages are whole, so each holds its own call; the pointer is into that message.
#[derive(Default)]
struct McpStream {
    calls: Vec<WireCall<'static>>,
}

impl Gather for McpStream {
    fn push(&mut self, event: &Value, budget: &mut Budget) -> Result<(), WireError> {
        for found in Mcp.calls(event) {
            budget.call()?;
            let mut arguments = Gathered::Nothing;
            match &found.arguments {
                Arguments::Nothing => {}
                Arguments::Text(text) => arguments = Gathered::Text(budget.text(text)?),
                Arguments::Value(value) => arguments = Gathered::Value(budget.value(value)?),
            }
            let mut own = call(Format::Mcp, budget.text(&found.name)?, arguments);
            if let Some(CallId::Text(id)) = &found.id {
                budget.take(id.len())?;
            }
            own.id = found.id;
            own.pointer = found.pointer;
            own.kind = found.kind;
            self.calls.push(own);
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Vec<WireCall<'static>> {
        self.calls
    }
}
