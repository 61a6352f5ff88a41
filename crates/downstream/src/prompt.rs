//! A stage of this crate's own: it takes a shell's prompt off a command.

use callmend::stage::inventory;
use callmend::{
    Cascade, Change, Code, CodeInfo, Draft, Order, Prepared, Stage, StageEntry, StageMeta, Tool,
    ToolError, Verdict,
};
use serde_json::Value;

/// The code of the stage's edits.
pub const PROMPT: Code = Code::new("shell-prompt");

static META: StageMeta = StageMeta {
    id: "shell-prompt",
    // After keys have their names, before a tool's own entry runs.
    order: Order(Order::ALIAS_RENAME.0 + 50),
    rewrites: true,
    summary: "takes a shell's prompt off `command`",
    codes: &[CodeInfo::edit(PROMPT, "a command was sent with its prompt")],
    package: env!("CARGO_PKG_NAME"),
};

/// Takes `$ ` off the front of `command`.
#[derive(Debug)]
pub struct ShellPrompt;

impl Stage for ShellPrompt {
    fn meta(&self) -> &'static StageMeta {
        &META
    }

    fn prepare(
        &self,
        tool: &Tool,
        _cascade: Cascade,
    ) -> Result<Option<Box<dyn Prepared>>, ToolError> {
        let applies = tool.signature().is_declared("command");
        Ok(applies.then(|| Box::new(Command) as Box<dyn Prepared>))
    }
}

struct Command;

impl Prepared for Command {
    fn plan(&self, call: &Draft<'_>) -> Verdict {
        let command = call.object().and_then(|object| object.get("command"));
        let bare = command
            .and_then(Value::as_str)
            .map(|text| text.trim_start_matches("$ "));
        match (command, bare) {
            (Some(Value::String(sent)), Some(bare)) if sent != bare => {
                let change = Change::replace("/command", bare.into(), PROMPT);
                Verdict::Rewrite(vec![change.hint("send `command` without its prompt")])
            }
            _ => Verdict::Pass,
        }
    }
}

inventory::submit! { StageEntry { stage: &ShellPrompt } }
