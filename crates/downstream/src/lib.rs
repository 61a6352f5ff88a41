//! What a crate downstream of callmend does, as small as it gets.
//!
//! A program that depends on this crate has its tool repair, its alias and its retired name in
//! every pipeline it builds; its stage runs only where a builder asks for it, since a stage
//! changes every call.

mod prompt;
mod version;

pub use prompt::{PROMPT, ShellPrompt};
pub use version::{DeployVersion, VERSION};

use callmend::stage::inventory;
use callmend::{AliasEntry, RetiredEntry};

/// A line that makes a program link this crate: a linker drops a crate that nothing names, and
/// its registrations with it.
pub fn link() {}

inventory::submit! {
    AliasEntry { from: "svc", to: "service", package: env!("CARGO_PKG_NAME") }
}

inventory::submit! {
    RetiredEntry {
        name: "force",
        needs: &["confirm"],
        instead: "pass `confirm`",
        package: env!("CARGO_PKG_NAME"),
    }
}
