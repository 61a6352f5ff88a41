//! What ends the command before its work is done.

use std::io;

/// What ends the command before its work is done; its text is for the person who ran it.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Nobody reads the output any more.
    BrokenPipe,
    /// Anything else, worded.
    Message(String),
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::Message(message.into())
    }

    /// Words what went wrong with writing.
    pub(crate) fn writing(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::BrokenPipe,
            _ => Self::new(format!("the output cannot be written: {error}")),
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::BrokenPipe => f.write_str("nobody reads the output any more"),
            Self::Message(message) => f.write_str(message),
        }
    }
}

impl From<callmend::PipelineError> for Failure {
    fn from(error: callmend::PipelineError) -> Self {
        Self::new(error.to_string())
    }
}
