//! What can be wrong with a file of profiles, each with its line.

use callmend::stage::message::{clip, list, nearest};

/// Why a file of profiles cannot be read: the first fault in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
#[non_exhaustive]
pub struct ProfileError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub fault: Fault,
}

/// What is wrong with one place in a file of profiles.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The file is not TOML.
    #[error("not TOML: {0}")]
    Syntax(String),
    /// A table's name is none of the three forms.
    #[error("`{}` names no model{} (a profile is named `provider/model`, `provider/*` or `*`, in quotes)", clip(.name), meant(.nearest.as_deref()))]
    Model {
        /// The name.
        name: String,
        /// The name that was probably meant.
        nearest: Option<String>,
    },
    /// A model has a value where its table belongs.
    #[error("`{0}` must be a table: write `[\"{0}\"]` and its keys below", clip(.name))]
    Table {
        /// The model's name.
        name: String,
    },
    /// A setting stands outside every profile.
    #[error("`{}` stands outside every profile; put it under `[\"*\"]` to set it for every model", clip(.key))]
    Outside {
        /// The setting.
        key: String,
    },
    /// A profile has a key that there is not.
    #[error("unknown key `{}`{} (the keys are {})", clip(.key), meant(.nearest.as_deref()), list(KEYS, "and"))]
    Key {
        /// The key.
        key: String,
        /// The nearest key that there is.
        nearest: Option<String>,
    },
    /// A key has a value of another type.
    #[error("`{key}` must be {expected}")]
    Type {
        /// The key.
        key: &'static str,
        /// What it must be.
        expected: &'static str,
    },
    /// A word that is none of those that a key takes.
    #[error("unknown {key} `{}`{} (it is {})", clip(.word), meant(.nearest.as_deref()), list(.known.iter(), "or"))]
    Word {
        /// The key.
        key: &'static str,
        /// The word.
        word: String,
        /// The nearest word that there is.
        nearest: Option<String>,
        /// Every word that there is.
        known: &'static [&'static str],
    },
    /// A stage that this program has not.
    #[error("unknown stage `{}`{} (the stages are {})", clip(.id), meant(.nearest.as_deref()), names(.known))]
    Stage {
        /// The id.
        id: String,
        /// The nearest id that there is.
        nearest: Option<String>,
        /// Every id that there is.
        known: Vec<String>,
    },
    /// A tool that there is not.
    #[error("unknown tool `{}`{} (the tools are {})", clip(.name), meant(.nearest.as_deref()), names(.known))]
    Tool {
        /// The name.
        name: String,
        /// The nearest name that there is.
        nearest: Option<String>,
        /// Every name that there is.
        known: Vec<String>,
    },
}

/// The keys of a profile, in the order of the documentation.
pub(crate) const KEYS: [&str; 5] = ["repair", "cascade", "stages", "tools", "closure"];

/// How many names an error lists at most.
const NAMES: usize = 20;

/// Finds the nearest of some names, as an owned one.
pub(crate) fn near<S: AsRef<str>>(name: &str, known: &[S]) -> Option<String> {
    nearest(name, known.iter().map(AsRef::as_ref)).map(str::to_owned)
}

fn meant(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| {
        format!("; did you mean `{}`?", clip(name))
    })
}

/// Lists names, clipped and no more than [`NAMES`] of them.
pub(crate) fn names(known: &[String]) -> String {
    if known.is_empty() {
        return "none".to_owned();
    }
    let rest = known.len().saturating_sub(NAMES);
    let mut shown: Vec<String> = known.iter().take(NAMES).map(|name| clip(name)).collect();
    if rest > 0 {
        shown.push(format!("{rest} more"));
    }
    list(shown, "and")
}
