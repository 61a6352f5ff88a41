//! Reads tools and tool calls out of the messages that providers and MCP exchange, and writes
//! repaired arguments and rejections back.
//!
//! Nobody holds a bare pair of a tool and its arguments: they hold a provider's response, an MCP
//! message or a log of them. A [`Format`] takes such a JSON body as it is and gives
//!
//! | function | gives |
//! |---|---|
//! | [`Format::tools_from`] | the tools that the body declares |
//! | [`Format::calls_from`] | the calls in it, with what the finish reason says of completeness |
//! | [`Format::with_arguments`] | the body with one call's repaired arguments, nothing else changed |
//! | [`Format::rejection_for`] | what the model must get for a call that is not dispatched |
//! | [`Format::accumulator`] | the same calls from a stream of events |
//! | [`detect`] | the format of a body, where one is certain |
//!
//! ```
//! use callmend_wire::Format;
//! use serde_json::json;
//!
//! let response = json!({
//!     "choices": [{
//!         "index": 0,
//!         "finish_reason": "tool_calls",
//!         "message": {"role": "assistant", "content": null, "tool_calls": [{
//!             "id": "call_1", "type": "function",
//!             "function": {"name": "find", "arguments": "{\"query\": \"lime\",}"}
//!         }]}
//!     }]
//! });
//! let calls = Format::OpenAiChat.calls_from(&response);
//! assert_eq!(calls[0].name, "find");
//! assert_eq!(calls[0].complete, Some(true));
//! assert_eq!(calls[0].pointer, "/choices/0/message/tool_calls/0/function/arguments");
//!
//! // `calls[0].draft()` goes through the cascade; what comes back goes into its place.
//! let repaired = Format::OpenAiChat
//!     .with_arguments(&response, &calls[0], json!({"query": "lime"}))?;
//! assert_eq!(repaired.pointer(&calls[0].pointer), Some(&json!("{\"query\":\"lime\"}")));
//! # Ok::<(), callmend_wire::WireError>(())
//! ```
//!
//! The crate reads JSON that is already parsed; it opens no connection and holds no provider's
//! client. Every wire fact comes from the provider's public documentation, named at the head of
//! each format's module. Any JSON is safe: what is not of the format's form holds no calls.
//!
//! Cost: reading borrows from the body and copies no argument; one pass over the body's lists.

mod answers;
mod anthropic;
mod call;
mod detect;
mod error;
mod format;
mod gemini;
mod gemini_partial;
mod gemini_schema;
mod mcp;
mod message;
mod ollama;
mod openai_chat;
mod openai_chat_stream;
mod openai_responses;
mod openai_responses_stream;
mod stream;
mod tools;
mod wire;

pub use call::{Arguments, CallId, WireCall};
pub use detect::detect;
pub use error::WireError;
pub use format::Format;
pub use mcp::next_cursor;
pub use stream::{Accumulator, DEFAULT_LIMIT};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
