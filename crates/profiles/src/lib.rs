//! A posture per model: what is repaired for it, and which tools it may call.
//!
//! Models differ. One sends arguments that never need repair and should be held to it; another
//! drifts, and gets the extended cascade; a third may read but not write. A TOML file says so, for
//! the library, the command and the proxy alike (contract, section 14):
//!
//! ```toml
//! ["*"]                                # every model
//! cascade = "standard"
//!
//! ["local/*"]                          # every model of one provider
//! cascade = "extended"
//! tools   = ["read", "find"]           # an allowlist
//!
//! ["anthropic/claude-opus-4-6"]        # one model
//! repair  = false                      # decode and validate, repair nothing
//! closure = "synthesized"              # unless a tool says itself who closed its schema
//! stages  = ["parse-leniency", "argument-validate"]
//! ```
//!
//! The most specific table wins, **field by field**: a field that `provider/model` leaves out comes
//! from `provider/*`, then from `*`, then from [`Profile::default`]. A model's name is matched
//! exactly and may hold slashes and dots; only a last `/*` and a lone `*` are wildcards, and of
//! several `…/*` the longest is the more specific.
//!
//! A key, stage, tool or word that there is not is an error that gives the line and the nearest one
//! that there is: a posture that is silently not applied is worse than none.
//!
//! ```
//! use callmend_profiles::{Known, Profiles};
//!
//! let file = "[\"openai/*\"]\ncascade = \"extended\"\n\n[\"openai/gpt-5\"]\nrepiar = false\n";
//! let error = Profiles::parse(file, &Known::of_this_program()).unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "line 5: unknown key `repiar`; did you mean `repair`? \
//!      (the keys are repair, cascade, stages, tools and closure)"
//! );
//! ```

mod error;
mod file;
mod known;
mod pattern;
mod profile;
mod strict;

pub use error::{Fault, ProfileError};
pub use file::Profiles;
pub use known::Known;
pub use profile::{PROFILE, Profile, TOOL_NOT_ALLOWED};
pub use strict::{NOT_STRICT, STRICT_DECODE_ID};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
