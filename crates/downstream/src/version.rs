//! A repair for this crate's own tool, `deploy`: a version that is sent as its tag.

use callmend::stage::inventory;
use callmend::{Change, Code, ToolRepair, ToolRepairEntry};
use serde_json::{Map, Value};

/// The code of the repair's edits.
pub const VERSION: Code = Code::new("deploy-version-tag");

/// Takes the `v` of a tag (`v1.2.3`) off the version that `deploy` takes (`1.2.3`).
#[derive(Debug)]
pub struct DeployVersion;

impl ToolRepair for DeployVersion {
    fn tool(&self) -> &'static str {
        "deploy"
    }

    fn fields(&self) -> &'static [&'static str] {
        &["version"]
    }

    fn code(&self) -> (Code, &'static str) {
        (VERSION, "a version was sent as its tag")
    }

    fn package(&self) -> &'static str {
        env!("CARGO_PKG_NAME")
    }

    fn plan(&self, arguments: &Map<String, Value>) -> Vec<Change> {
        let version = arguments.get("version").and_then(Value::as_str);
        let number = version.and_then(|version| version.strip_prefix('v'));
        number
            .filter(|number| number.starts_with(|c: char| c.is_ascii_digit()))
            .map(|number| {
                Change::replace("/version", number.into(), VERSION)
                    .hint("send `version` without its `v`")
            })
            .into_iter()
            .collect()
    }
}

inventory::submit! { ToolRepairEntry { repair: &DeployVersion } }
