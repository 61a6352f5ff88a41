//! A Model Context Protocol proxy over stdio that repairs tool calls on their way to any server.
//!
//! Point a client at the proxy instead of the server. Every `tools/call` runs through the cascade
//! of [`callmend`]: a clean call goes on byte for byte, a repaired one with its arguments replaced,
//! and a call with no reading, or with two, is answered by the proxy with what to send instead.
//! Everything else passes byte for byte, both ways, in order, whatever the protocol's revision.
//!
//! ```no_run
//! use callmend::Pipeline;
//! use callmend_mcp::{ProxyOptions, run};
//!
//! let options = ProxyOptions::new(Pipeline::standard()?, "my-server", ["--stdio"]);
//! let code = run(options)?;
//! std::process::exit(code);
//! # #[allow(unreachable_code)]
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is touched
//!
//! | message | becomes |
//! |---|---|
//! | a clean `tools/call` | forwarded as sent, to the byte |
//! | a `tools/call` without `arguments` | clean if the tool requires none: the protocol makes them optional |
//! | a repaired `tools/call` | forwarded with its `arguments` replaced in the raw line; every other byte stays |
//! | its result | gets `callmend/edits` and `callmend/hints` under `_meta`, and with [`ProxyOptions::coach`] its hints as one more text content; a JSON-RPC error has no place for them and stays as it is |
//! | an unrepairable `tools/call` | answered with `isError: true`, the message and its hints as one text content, and `callmend/rejection` and `callmend/hints` under `_meta`; the server does not see it. A call that asks for a task (revision 2025-11-25) is answered with the JSON-RPC error -32602 |
//! | a JSON-RPC batch (revision 2025-03-26) | each element by these rules; refused calls are taken out and answered at once, in a batch of their own |
//! | anything else | forwarded as sent, to the byte: other requests, notifications, responses, text that is not JSON, blank lines, a half line at the end |
//!
//! # Which calls pass without being looked at
//!
//! The log says `passed` for these, with the reason. The server has the last word on all of them.
//!
//! | reason | when |
//! |---|---|
//! | `not-listed` | the server's list was read to its end and lacks the tool: it may be hidden, and if it is not there, the server says so |
//! | `no-list` | the list cannot be had: the server refused the request for it, or did not answer within [`ProxyOptions::list_wait`] |
//! | `schema` | the tool's own schema cannot be compiled; this is told once on standard error |
//! | `doubled-member` | `method`, `id`, `params`, `name` or `arguments` stands there twice, so that two readers may differ |
//!
//! A line longer than [`ProxyOptions::max_line`] is passed on in pieces, and neither looked at nor
//! logged. A `tools/call` without an id is a notification, which cannot be answered: it passes.
//!
//! # How it learns the tools
//!
//! From the answers to the client's own `tools/list` requests, page by page. It asks by itself only
//! when a call names a tool that it does not know while the list is not known to its end: no list
//! was asked for, pages were left unread, or `notifications/tools/list_changed` came since. It then
//! goes on at the first page not read, and stops where the tool is found. Its requests have ids that
//! begin with `callmend:tools/list:`; their answers are kept from the client. While it waits, the
//! call and what follows it from the client are held back, in order; only the client's responses to
//! the server's own requests go on, since the server may be waiting for one. A tool is prepared at
//! its first call, once, and again only if its definition changes. The freshness hint `ttlMs` of
//! revision 2026-07-28 is not used: the proxy works with the list that the client was given.
//!
//! # How it ends
//!
//! | when | then |
//! |---|---|
//! | the server ends | what it wrote is passed on to the end; [`run`] returns its exit code, 128 + the signal if one killed it |
//! | the client closes its end, or is killed | the server's input is closed; if nothing moves for [`ProxyOptions::grace`], the server gets SIGTERM, and 1.5 seconds later SIGKILL |
//! | the proxy gets SIGTERM, SIGINT or SIGHUP | the server gets the same signal, and 1.5 seconds later, or at a second signal, SIGKILL |
//! | the proxy gets SIGKILL | the server's input and output close with it, which ends every server that follows the protocol |
//!
//! The server runs in a process group of its own, so that a wrapper such as `npx` is killed with
//! what it started.
//!
//! # The log
//!
//! One JSON object per call and line, each appended with a single write: the outcome line of
//! `callmend repair` with the JSON-RPC `id` and the `tool` before it. It is written before the call
//! is forwarded, so nothing repaired is forwarded that is not logged. By default values are masked:
//! codes, stages, paths and key names are logged; arguments, edits' values, messages and hints are
//! not. [`ProxyOptions::log_values`] logs them all.
//!
//! # Cost
//!
//! Linear in the message; one pass to find its members, and the cascade for a call. Memory is
//! bounded by a few lines of at most [`ProxyOptions::max_line`] bytes each, however little the
//! server or the client reads.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod annotate;
mod calls;
mod catalog;
mod json;
mod lines;
mod log;
mod message;
mod options;
mod process;
mod proxy;
mod queue;
mod supervise;

pub use options::{Prepare, ProxyOptions, Refuse, listed_tool};
pub use proxy::run;
