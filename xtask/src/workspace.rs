//! Where things stand in the workspace.

use anyhow::{Context as _, Result};
use std::path::{Path, PathBuf};

/// Returns the workspace's root folder.
pub(crate) fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_path_buf()
}

/// Shows a path as it stands under the root.
pub(crate) fn shown(path: &Path) -> String {
    let root = root();
    path.strip_prefix(&root)
        .unwrap_or(path)
        .display()
        .to_string()
}

/// Lists the files under a folder whose name ends in `.ext`, sorted; a folder that is not there
/// has none. Build output and hidden folders are passed over.
pub(crate) fn files(folder: &Path, ext: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut work = vec![folder.to_path_buf()];
    while let Some(folder) = work.pop() {
        for entry in entries(&folder)? {
            let name = entry.file_name().map(|n| n.to_string_lossy().into_owned());
            let name = name.unwrap_or_default();
            if entry.is_dir() {
                if name != "target" && !name.starts_with('.') {
                    work.push(entry);
                }
            } else if ext.is_empty() || name.ends_with(&format!(".{ext}")) {
                found.push(entry);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Lists the folders directly under a folder, by name.
pub(crate) fn folders(folder: &Path) -> Result<Vec<String>> {
    let found = entries(folder)?.into_iter().filter(|path| path.is_dir());
    Ok(found
        .filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
        .collect())
}

/// Reads a file, naming it when that fails.
pub(crate) fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("reading {}", shown(path)))
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("reading {}", shown(folder)))? {
        found.push(entry?.path());
    }
    found.sort();
    Ok(found)
}
