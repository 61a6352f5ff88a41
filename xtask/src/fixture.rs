//! The fixtures: language-neutral cases of what any implementation must do.

use crate::call::Sent;
use crate::{codes, workspace};
use anyhow::{Context as _, Result, bail};
use callmend::{Locator, Tool, ToolError};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// Folders under `fixtures/` that hold something else than a stage's cases.
pub(crate) const OTHER_FOLDERS: [&str; 3] = ["demo", "profiles", "wire"];

/// One fixture file.
#[derive(Deserialize)]
pub(crate) struct Fixture {
    /// The stage: the folder that the file stands in.
    #[serde(skip)]
    pub(crate) stage: String,
    /// The file, as it stands under the root.
    #[serde(skip)]
    pub(crate) file: String,
    #[serde(default)]
    pub(crate) cascade: CascadeName,
    #[serde(default = "yes")]
    pub(crate) alone: bool,
    #[serde(default = "yes")]
    pub(crate) pipeline: bool,
    pub(crate) tool: Value,
    pub(crate) cases: Vec<Case>,
}

impl Fixture {
    /// Builds the tool, with the resolver that the file describes, if it does.
    pub(crate) fn tool(&self) -> Result<Tool, ToolError> {
        let builder = Tool::builder_from_json(&self.tool)?;
        let rule = self.tool.get("locator");
        let part = |key: &str| rule.and_then(|rule| rule.get(key));
        let word = |key: &str| part(key).and_then(Value::as_str).unwrap_or_default();
        let Some(differ) = part("differ").and_then(Value::as_bool) else {
            return builder.build();
        };
        let locator = Locator::new(word("first"), word("second"), word("noun"));
        builder
            .locator(locator.resolver(move |_, _| differ))
            .build()
    }
}

/// The cascade that a file is about.
#[derive(Deserialize, Debug, Default, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CascadeName {
    #[default]
    Standard,
    Extended,
}

impl From<CascadeName> for callmend::Cascade {
    fn from(name: CascadeName) -> Self {
        match name {
            CascadeName::Standard => Self::Standard,
            CascadeName::Extended => Self::Extended,
        }
    }
}

/// One case.
#[derive(Deserialize)]
pub(crate) struct Case {
    pub(crate) id: String,
    #[serde(default, deserialize_with = "present")]
    pub(crate) arguments: Option<Value>,
    #[serde(default)]
    pub(crate) complete: Option<bool>,
    pub(crate) expect: Value,
}

impl Case {
    /// Returns the arguments as delivered.
    pub(crate) fn sent(&self) -> Sent {
        Sent::from_json(self.arguments.as_ref())
    }
}

fn yes() -> bool {
    true
}

/// Keeps `null` apart from a key that is not there.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// Reads every stage's fixtures, and checks them against the format.
///
/// A file that is not of the format, or an id that is used twice, is an error that names it.
pub(crate) fn load() -> Result<Vec<Fixture>> {
    let folder = workspace::root().join("fixtures");
    let format: Value =
        serde_json::from_str(&workspace::read(&folder.join("format.schema.json"))?)?;
    let format = jsonschema::validator_for(&format).context("the format's own schema")?;
    let mut found = Vec::new();
    let mut faults = Vec::new();
    for stage in codes::stages() {
        for path in workspace::files(&folder.join(stage.id), "json")? {
            match read(&path, stage.id, &format) {
                Ok(fixture) => found.push(fixture),
                Err(error) => faults.push(format!("{error:#}")),
            }
        }
    }
    if !faults.is_empty() {
        bail!(
            "fixtures that are not of the format:\n{}",
            faults.join("\n")
        );
    }
    Ok(found)
}

fn read(path: &Path, stage: &str, format: &jsonschema::Validator) -> Result<Fixture> {
    let file = workspace::shown(path);
    let value: Value =
        serde_json::from_str(&workspace::read(path)?).with_context(|| file.clone())?;
    let faults: Vec<String> = format
        .iter_errors(&value)
        .take(5)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    if !faults.is_empty() {
        bail!("{file}: {}", faults.join("\n    "));
    }
    let mut fixture: Fixture = serde_json::from_value(value).with_context(|| file.clone())?;
    let mut ids = BTreeSet::new();
    if let Some(twice) = fixture.cases.iter().find(|case| !ids.insert(&case.id)) {
        bail!("{file}: the id `{}` is used twice", twice.id);
    }
    fixture.stage = stage.to_owned();
    fixture.file = file;
    Ok(fixture)
}
