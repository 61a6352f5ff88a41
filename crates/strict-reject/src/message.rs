//! The codes of strict-reject. Its sentences are those of [`callmend_stage::unknown`], which
//! argument-validate shares.

use callmend_stage::{Code, CodeInfo, unknown};

/// The id of the stage.
pub const ID: &str = "strict-reject";

/// The call has an argument that the tool does not take.
pub const UNKNOWN_ARGUMENT: Code = unknown::UNKNOWN_ARGUMENT;

/// Every code of the stage.
pub const CODES: &[CodeInfo] = &[unknown::UNKNOWN_ARGUMENT_INFO];
