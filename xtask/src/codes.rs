//! Every code of the workspace: of the stages, the tool repairs, and the pipeline itself.

use callmend::stage::registry;
use callmend::{CODES, Code, CodeInfo, CodeKind, PIPELINE, StageMeta};
use std::collections::{BTreeMap, BTreeSet};

/// Codes that no fixture can yield: a fixture is one call of one tool to sound stages, as JSON of
/// a moderate size.
pub(crate) const WITHOUT_FIXTURE: [&str; 6] = [
    "internal-error",
    "undecoded",
    "unknown-tool",
    "unsettled",
    // Text that is no UTF-8 cannot stand in JSON.
    "not-utf8",
    // A megabyte of text has no place in a fixture.
    "too-large",
];

/// One code and who gives it.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) code: &'static str,
    pub(crate) kind: CodeKind,
    pub(crate) meaning: &'static str,
    /// The stages that give it, in the order of the cascade.
    pub(crate) stages: Vec<&'static str>,
}

/// Lists the stages of both cascades, in order.
pub(crate) fn stages() -> Vec<&'static StageMeta> {
    callmend::catalog::stages()
        .iter()
        .map(|listed| listed.meta)
        .collect()
}

/// Lists every code in bytewise order; and every code that is used for two different things.
pub(crate) fn all() -> (Vec<Entry>, Vec<String>) {
    let mut entries: BTreeMap<&str, Entry> = BTreeMap::new();
    let mut twice = Vec::new();
    let mut add = |stage: &'static str, info: &CodeInfo, twice: &mut Vec<String>| {
        let code = info.code.as_str();
        let entry = entries.entry(code).or_insert_with(|| Entry {
            code,
            kind: info.kind,
            meaning: info.meaning,
            stages: Vec::new(),
        });
        // A fault inside callmend has one code, wherever it is found.
        let fault = info.code == Code::INTERNAL;
        if !fault && (entry.kind != info.kind || entry.meaning != info.meaning) {
            twice.push(format!(
                "the code `{code}` is used twice: {} says \"{}\", {stage} says \"{}\"",
                entry.stages.join(", "),
                entry.meaning,
                info.meaning
            ));
        }
        entry.stages.push(stage);
    };
    for meta in stages() {
        let mut own = BTreeSet::new();
        for info in meta.codes {
            if own.insert(info.code.as_str()) {
                add(meta.id, info, &mut twice);
            } else {
                twice.push(format!("{} lists the code `{}` twice", meta.id, info.code));
            }
        }
    }
    let listed: BTreeSet<&str> = stages()
        .iter()
        .flat_map(|meta| meta.codes)
        .map(|info| info.code.as_str())
        .collect();
    for repair in registry::tool_repairs() {
        let (code, meaning) = repair.code();
        if !listed.contains(code.as_str()) {
            add("tool-repair", &CodeInfo::edit(code, meaning), &mut twice);
        }
    }
    for info in CODES {
        add(PIPELINE, info, &mut twice);
    }
    (entries.into_values().collect(), twice)
}
