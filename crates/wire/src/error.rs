//! What can go wrong between a body and its calls.

use crate::Format;
use callmend_stage::ToolError;
use callmend_stage::message::{clip, list, nearest};

/// Why a body cannot be read, or not be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WireError {
    /// No format has this name.
    #[error("unknown format `{}`{} (the formats are {})", clip(.name), did_you_mean(.name), names())]
    UnknownFormat {
        /// The name that was asked for.
        name: String,
    },
    /// A list of tools is no list, or a tool in it is no object.
    #[error("`{at}` must be {expected}")]
    Shape {
        /// Where, as a JSON Pointer into the body.
        at: String,
        /// What must stand there.
        expected: &'static str,
    },
    /// A tool's definition cannot be read.
    #[error("the tool at `{at}`: {}", .source.reason)]
    Tool {
        /// Where, as a JSON Pointer into the body.
        at: String,
        /// What is wrong with it.
        source: ToolError,
    },
    /// A tool's schema is nested too deeply to be converted.
    #[error("the schema at `{at}` is nested deeper than {limit} levels")]
    TooDeep {
        /// Where, as a JSON Pointer into the body.
        at: String,
        /// The limit.
        limit: usize,
    },
    /// The body has no place for a call's arguments: it is not the body that the call was read
    /// from.
    #[error("there is no place for arguments at `{}` in this body", clip(.at))]
    NoPlace {
        /// The place, as a JSON Pointer.
        at: String,
    },
    /// A stream's calls came to more than its accumulator may hold.
    #[error("the calls of this stream come to more than {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
}

fn did_you_mean(name: &str) -> String {
    let names = Format::ALL.iter().map(|format| format.as_str());
    nearest(name, names).map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

fn names() -> String {
    list(Format::ALL.iter().map(|format| format.as_str()), "and")
}
