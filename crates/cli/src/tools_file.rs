//! Reads tools files: an array of tools, `{"tools": […]}`, or one tool a line.

use crate::failure::Failure;
use crate::inputs;
use callmend::{Pipeline, Tool, ToolSet, ToolSetError};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// Reads and compiles every tool of some files.
pub(crate) struct Tools {
    tools: Vec<Tool>,
    /// Where each name was first defined.
    places: HashMap<String, Place>,
}

/// Where a tool stands.
#[derive(Debug, Clone)]
struct Place {
    file: String,
    line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

impl Tools {
    /// Reads the files.
    pub(crate) fn load(files: &[PathBuf]) -> Result<Self, Failure> {
        let mut tools = Self {
            tools: Vec::new(),
            places: HashMap::new(),
        };
        for file in files {
            tools.load_one(file)?;
        }
        Ok(tools)
    }

    /// Prepares every tool for a pipeline.
    pub(crate) fn prepare(&self, pipeline: &Pipeline) -> Result<ToolSet, Failure> {
        ToolSet::new(pipeline, self.tools.iter().cloned()).map_err(|error| {
            let place = match &error {
                ToolSetError::Tool(error) => self.places.get(&error.tool),
                _ => None,
            };
            match place {
                Some(place) => Failure::new(format!("{place}: {error}")),
                None => Failure::new(error.to_string()),
            }
        })
    }

    fn load_one(&mut self, path: &Path) -> Result<(), Failure> {
        let text = inputs::read_text(path, "the tools")?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let file = path.display().to_string();
        for (line, raw) in definitions(text, &file)? {
            let place = Place {
                file: file.clone(),
                line,
            };
            let at = |error: &dyn fmt::Display| Failure::new(format!("{place}: {error}"));
            let value: Value = serde_json::from_str(raw).map_err(|error| at(&error))?;
            let tool = Tool::from_json(&value).map_err(|error| at(&plain(&error)))?;
            if let Some(first) = self.places.get(tool.name()) {
                return Err(at(&format!(
                    "two tools are called `{}`, the first at {first}; rename one or take it away",
                    tool.name()
                )));
            }
            self.places.insert(tool.name().to_owned(), place);
            self.tools.push(tool);
        }
        Ok(())
    }
}

/// Words a tool's error without the name that a nameless definition lacks.
pub(crate) fn plain(error: &callmend::ToolError) -> String {
    if error.tool.is_empty() {
        error.reason.to_string()
    } else {
        error.to_string()
    }
}

#[derive(Deserialize)]
struct Wrapped<'t> {
    #[serde(borrow)]
    tools: Vec<&'t RawValue>,
}

/// Finds the definitions in a file's text, each with its line.
fn definitions<'t>(text: &'t str, file: &str) -> Result<Vec<(usize, &'t str)>, Failure> {
    let trimmed = text.trim_start();
    if trimmed.is_empty() {
        return Err(Failure::new(format!(
            "{file}: holds no tools; give an array of tools, {{\"tools\": [...]}}, or one tool a line"
        )));
    }
    if trimmed.starts_with('[') {
        let tools: Vec<&RawValue> =
            serde_json::from_str(text).map_err(|error| not_json(file, 1, &error))?;
        return Ok(placed(text, &tools));
    }
    if let Ok(Wrapped { tools }) = serde_json::from_str(text) {
        return Ok(placed(text, &tools));
    }
    let whole: Result<&RawValue, _> = serde_json::from_str(text);
    match whole {
        Ok(one) => Ok(placed(text, &[one])),
        Err(error) => by_line(text, file, &error),
    }
}

/// Reads one definition a line. A first line that is no JSON by itself belongs to a definition of
/// several lines, and then `whole` says what is wrong with it.
fn by_line<'t>(
    text: &'t str,
    file: &str,
    whole: &serde_json::Error,
) -> Result<Vec<(usize, &'t str)>, Failure> {
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        match serde_json::from_str::<&RawValue>(line) {
            Ok(raw) => found.push((at + 1, raw.get())),
            Err(_) if found.is_empty() => return Err(not_json(file, 1, whole)),
            Err(error) => return Err(not_json(file, at + 1, &error)),
        }
    }
    Ok(found)
}

fn placed<'t>(text: &'t str, tools: &[&'t RawValue]) -> Vec<(usize, &'t str)> {
    // The raw values are slices of the text, in order, so one walk finds every line.
    let mut line = 1;
    let mut from = 0;
    let mut out = Vec::with_capacity(tools.len());
    for raw in tools {
        let raw = raw.get();
        let at = (raw.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let skipped = text.as_bytes().get(from..at).unwrap_or_default();
        line += skipped.iter().filter(|b| **b == b'\n').count();
        from = at;
        out.push((line, raw));
    }
    out
}

fn not_json(file: &str, first: usize, error: &serde_json::Error) -> Failure {
    let whole = error.to_string();
    let what = whole.rsplit_once(" at line ").map_or(&*whole, |(w, _)| w);
    let line = first + error.line().saturating_sub(1);
    Failure::new(format!(
        "{file}:{line}: not JSON: {what} at column {}; give an array of tools, {{\"tools\": [...]}}, or one tool a line",
        error.column()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<(usize, &str)> {
        definitions(text, "tools.json").unwrap()
    }

    fn error(text: &str) -> String {
        definitions(text, "tools.json").unwrap_err().to_string()
    }

    #[test]
    fn every_form_gives_its_definitions_with_their_lines() {
        assert_eq!(lines("[{},\n {\"a\": 1}]"), [(1, "{}"), (2, "{\"a\": 1}")]);
        assert_eq!(lines("{\"tools\": [\n\n{}]}"), [(3, "{}")]);
        assert_eq!(
            lines("{}\n\n{\"b\": 2}\r\n"),
            [(1, "{}"), (3, "{\"b\": 2}")]
        );
        assert_eq!(lines("\n{\n\"a\": 1}"), [(2, "{\n\"a\": 1}")]);
        assert_eq!(lines("[]"), []);
    }

    #[test]
    fn an_error_names_the_line() {
        assert!(
            error("[{},\n x]").starts_with("tools.json:2: not JSON: expected value at column 2;")
        );
        assert!(error("{}\n{").starts_with("tools.json:2: not JSON: EOF while parsing an object"));
        assert!(error("{\n\"a\" 1}").starts_with("tools.json:2: not JSON: expected `:`"));
        assert!(error(" \n").starts_with("tools.json: holds no tools"));
    }
}
