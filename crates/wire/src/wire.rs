//! What every format does: one file each implements this.

use crate::WireCall;
use crate::WireError;
use crate::stream::Gather;
use callmend_stage::{Rejection, ToolBuilder};
use serde_json::Value;

pub(crate) trait Wire: Sync {
    /// Reads the tools of a request, a response that echoes them, or a listing.
    fn tools(&self, body: &Value) -> Result<Vec<ToolBuilder>, WireError>;

    /// Reads the calls of a response or a request, in the order in which they stand.
    fn calls<'b>(&self, body: &'b Value) -> Vec<WireCall<'b>>;

    /// Says whether arguments are JSON text inside a string.
    fn writes_text(&self) -> bool {
        false
    }

    /// Builds the result that carries `text` as an error.
    fn result(&self, call: &WireCall<'_>, text: String, rejection: &Rejection) -> Value;

    /// Builds the messages that carry results, one after the other or together.
    fn messages(&self, results: Vec<Value>) -> Vec<Value> {
        results
    }

    /// Says what a finish reason tells of completeness.
    fn finished(&self, reason: &str) -> Option<bool>;

    /// Starts to gather the calls of one stream.
    fn gather(&self) -> Box<dyn Gather>;
}
