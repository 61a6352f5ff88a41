//! The names that models give to an envelope (contract, section 12).

/// The names, each on its own.
pub(crate) const NAMES: [&str; 7] = [
    "arguments",
    "args",
    "input",
    "parameters",
    "params",
    "payload",
    "$PARAMETER_NAME",
];

/// The pair that a whole call is written in: the tool's name, and its arguments.
pub(crate) const CALL: (&str, &str) = ("name", "arguments");
