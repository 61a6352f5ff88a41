//! `cargo xtask tidy`: what no compiler checks.
//!
//! Every module says what it is for; a stage's crate, fixture folder and page carry one name;
//! every code has a fixture, a snapshot and a line in the book; nothing is ignored, unsafe or left
//! over.

use crate::fixture::OTHER_FOLDERS;
use crate::{codes, conformance, fixture, workspace};
use anyhow::{Result, bail};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// No source file is longer: a longer one mixes two things.
const MAX_LINES: usize = 900;

/// No file of tests is longer.
const MAX_TEST_LINES: usize = 1500;

/// No file of the repository is larger.
const MAX_BYTES: u64 = 1_000_000;

/// Checks the workspace, and lists everything that is wrong.
pub(crate) fn run() -> Result<()> {
    let mut faults = Vec::new();
    sources(&mut faults)?;
    manifests(&mut faults)?;
    stages(&mut faults)?;
    all_codes(&mut faults)?;
    snapshots(&mut faults)?;
    sizes(&mut faults)?;
    for fault in &faults {
        println!("{fault}");
    }
    match faults.len() {
        0 => {
            println!("tidy");
            Ok(())
        }
        n => bail!("{n} faults"),
    }
}

/// Lists every Rust file of the workspace.
fn rust_files() -> Result<Vec<PathBuf>> {
    let root = workspace::root();
    let mut files = workspace::files(&root.join("crates"), "rs")?;
    files.extend(workspace::files(&root.join("xtask/src"), "rs")?);
    Ok(files)
}

fn sources(faults: &mut Vec<String>) -> Result<()> {
    for path in rust_files()? {
        let text = workspace::read(&path)?;
        let shown = workspace::shown(&path);
        if !text.trim_start().starts_with("//!") && !text.starts_with("#!") {
            faults.push(format!("{shown}: does not open with `//!`"));
        }
        let lines = text.lines().count();
        let tests = shown.contains("/tests/") || shown.ends_with("tests.rs");
        let most = if tests { MAX_TEST_LINES } else { MAX_LINES };
        if lines > most {
            faults.push(format!("{shown}: {lines} lines, more than {most}"));
        }
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default().trim_start();
            let at = number + 1;
            if code.starts_with("#[ignore") {
                faults.push(format!("{shown}:{at}: an ignored test"));
            }
            let mut words = code.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            let forbids = code.contains("unsafe_code");
            if !forbids && !code.contains('"') && words.any(|word| word == "unsafe") {
                faults.push(format!("{shown}:{at}: `unsafe`"));
            }
        }
    }
    Ok(())
}

fn manifests(faults: &mut Vec<String>) -> Result<()> {
    let root = workspace::root();
    let workspace_manifest = workspace::read(&root.join("Cargo.toml"))?;
    if !workspace_manifest.contains("unsafe_code = \"forbid\"") {
        faults.push("Cargo.toml: the workspace does not forbid unsafe code".to_owned());
    }
    for path in workspace::files(&root, "toml")? {
        if path.file_name().is_none_or(|name| name != "Cargo.toml")
            || path == root.join("Cargo.toml")
        {
            continue;
        }
        let text = workspace::read(&path)?;
        let outside = text.contains("[workspace]");
        if !outside && !text.contains("[lints]\nworkspace = true") {
            faults.push(format!(
                "{}: does not take the workspace's lints",
                workspace::shown(&path)
            ));
        }
    }
    Ok(())
}

fn stages(faults: &mut Vec<String>) -> Result<()> {
    let root = workspace::root();
    let ids: BTreeSet<&str> = codes::stages().iter().map(|meta| meta.id).collect();
    for meta in codes::stages() {
        let id = meta.id;
        if meta.package != format!("callmend-{id}") {
            faults.push(format!(
                "stage {id} comes from the package {}",
                meta.package
            ));
        }
        let manifest = root.join("crates").join(id).join("Cargo.toml");
        let named = std::fs::read_to_string(&manifest).unwrap_or_default();
        if !named.contains(&format!("name = \"callmend-{id}\"")) {
            faults.push(format!(
                "stage {id} has no crate `callmend-{id}` in crates/{id}"
            ));
        }
        if workspace::files(&root.join("fixtures").join(id), "json")?.is_empty() {
            faults.push(format!("stage {id} has no fixtures/{id}"));
        }
        if !root
            .join("docs/src/stages")
            .join(format!("{id}.md"))
            .is_file()
        {
            faults.push(format!("stage {id} has no page docs/src/stages/{id}.md"));
        }
        let summary = std::fs::read_to_string(root.join("docs/src/SUMMARY.md")).unwrap_or_default();
        if !summary.contains(&format!("stages/{id}.md")) {
            faults.push(format!("stage {id} is not in docs/src/SUMMARY.md"));
        }
        headings(id, &root.join("crates").join(id).join("src/lib.rs"), faults);
    }
    for folder in workspace::folders(&root.join("fixtures"))? {
        if !ids.contains(folder.as_str()) && !OTHER_FOLDERS.contains(&folder.as_str()) {
            faults.push(format!("fixtures/{folder} is no stage's"));
        }
    }
    for page in workspace::files(&root.join("docs/src/stages"), "md")? {
        let name = page
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned());
        if !name.is_some_and(|name| ids.contains(name.as_str())) {
            faults.push(format!("{} is no stage's", workspace::shown(&page)));
        }
    }
    Ok(())
}

/// Checks that a stage's doc comment has the fixed headings.
fn headings(id: &str, source: &Path, faults: &mut Vec<String>) {
    let text = std::fs::read_to_string(source).unwrap_or_default();
    for heading in [
        "What it repairs",
        "Why models do this",
        "Before and after",
        "When it refuses",
        "Codes",
    ] {
        let alone = format!("//! # {heading}");
        let refuses = heading == "What it repairs" && text.contains("//! # What it ");
        if !refuses && !text.lines().any(|line| line.trim_end() == alone) {
            faults.push(format!("crates/{id}/src/lib.rs has no heading *{heading}*"));
        }
    }
}

fn all_codes(faults: &mut Vec<String>) -> Result<()> {
    let root = workspace::root();
    let (entries, twice) = codes::all();
    faults.extend(twice);
    let report = conformance::check(&fixture::load()?)?;
    let page = std::fs::read_to_string(root.join("docs/src/codes.md")).unwrap_or_default();
    for entry in &entries {
        let code = entry.code;
        if !is_kebab(code) {
            faults.push(format!("the code `{code}` is not in kebab case"));
        }
        if !report.codes.contains(code) && !codes::WITHOUT_FIXTURE.contains(&code) {
            faults.push(format!(
                "no fixture yields the code `{code}` of {}",
                entry.stages.join(", ")
            ));
        }
        for stage in &entry.stages {
            if !in_a_snapshot(&root, stage, code)? {
                faults.push(format!("no snapshot of {stage} has the code `{code}`"));
            }
        }
        if !page.contains(&format!("| `{code}` |")) {
            faults.push(format!("docs/src/codes.md has no line for `{code}`"));
        }
    }
    let known: BTreeSet<&str> = entries.iter().map(|entry| entry.code).collect();
    for code in report
        .codes
        .iter()
        .filter(|code| !known.contains(code.as_str()))
    {
        faults.push(format!(
            "an outcome carries the code `{code}`, which no stage lists"
        ));
    }
    Ok(())
}

fn is_kebab(code: &str) -> bool {
    !code.is_empty()
        && code
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

/// Whether a snapshot of the stage's crate, in a file or inline in a test, has the code.
fn in_a_snapshot(root: &Path, stage: &str, code: &str) -> Result<bool> {
    let krate = root.join("crates").join(stage);
    let mut files = workspace::files(&krate, "snap")?;
    files.extend(workspace::files(&krate.join("tests"), "rs")?);
    for path in files {
        if has_word(&workspace::read(&path)?, code) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a text has a code as a word of its own: `alias` is not in `alias-occupied`.
fn has_word(text: &str, code: &str) -> bool {
    let inner = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    text.match_indices(code).any(|(at, _)| {
        let before = text.get(..at).and_then(|head| head.chars().next_back());
        let after = text
            .get(at + code.len()..)
            .and_then(|tail| tail.chars().next());
        !before.is_some_and(inner) && !after.is_some_and(inner)
    })
}

/// Checks that every snapshot file is some test's. `cargo xtask ci` checks the same from what the
/// tests really asked for.
fn snapshots(faults: &mut Vec<String>) -> Result<()> {
    let root = workspace::root();
    for ext in ["snap.new", "pending-snap"] {
        for path in workspace::files(&root, ext)? {
            faults.push(format!(
                "{}: a snapshot that nobody has reviewed",
                workspace::shown(&path)
            ));
        }
    }
    for path in workspace::files(&root, "snap")? {
        let shown = workspace::shown(&path);
        let text = workspace::read(&path)?;
        let source = text.lines().find_map(|line| line.strip_prefix("source: "));
        let Some(source) = source.map(|source| root.join(source.trim_matches('"'))) else {
            faults.push(format!("{shown}: names no source"));
            continue;
        };
        let Ok(test) = std::fs::read_to_string(&source) else {
            faults.push(format!(
                "{shown}: its source {} is not there",
                workspace::shown(&source)
            ));
            continue;
        };
        let name = path
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
            .unwrap_or_default();
        let name = name.rsplit("__").next().unwrap_or_default();
        let plain = name
            .trim_end_matches(|c: char| c.is_ascii_digit())
            .trim_end_matches('-');
        if !has_word(&test, name) && !has_word(&test, plain) && !is_built_from(&test, name) {
            faults.push(format!(
                "{shown}: no test of {} is called `{name}`",
                workspace::shown(&source)
            ));
        }
    }
    Ok(())
}

/// Whether a test builds a snapshot's name from a text that the name begins with.
fn is_built_from(test: &str, name: &str) -> bool {
    let separators = name.match_indices(['_', '-']);
    let mut heads = separators.filter_map(|(at, _)| name.get(..=at));
    heads.any(|head| test.contains(&format!("\"{head}")))
}

fn sizes(faults: &mut Vec<String>) -> Result<()> {
    let root = workspace::root();
    for folder in ["crates", "xtask/src", "fixtures", "docs"] {
        for path in workspace::files(&root.join(folder), "")? {
            let bytes = std::fs::metadata(&path)?.len();
            if bytes > MAX_BYTES {
                faults.push(format!(
                    "{}: {bytes} bytes, more than {MAX_BYTES}",
                    workspace::shown(&path)
                ));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_a_word_of_its_own() {
        assert!(has_word("[alias] x", "alias"));
        assert!(!has_word("[alias-occupied] x", "alias"));
        assert!(!has_word("an_alias", "alias"));
    }
}
