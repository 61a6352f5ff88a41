//! Opens what is to be read, and reads it line by line.

use crate::failure::Failure;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// The longest line that is read, in bytes; it bounds the memory that a stream takes.
pub(crate) const MAX_LINE: usize = 64 * 1024 * 1024;

/// One file of calls, or standard input.
pub(crate) struct Input {
    name: String,
    reader: BufReader<Box<dyn Read>>,
    line: Vec<u8>,
    number: u64,
}

/// One line of an [`Input`].
pub(crate) enum Line<'l> {
    /// Its bytes, without the line end.
    Bytes(&'l [u8]),
    /// It is longer than [`MAX_LINE`] and was passed over.
    TooLong,
}

/// Opens every file before the first is read, so that a missing one is told before any work is
/// done.
pub(crate) fn open(files: &[PathBuf]) -> Result<Vec<Input>, Failure> {
    if files.is_empty() {
        return Ok(vec![Input::standard()]);
    }
    files.iter().map(|path| Input::open(path)).collect()
}

/// Reads a whole file of UTF-8 text; `what` says what it should hold.
pub(crate) fn read_text(path: &Path, what: &str) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let mut file = open_file(path, what)?;
    file.read_to_end(&mut bytes)
        .map_err(|error| reading(&path.display().to_string(), &error))?;
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = 1 + error
            .as_bytes()
            .iter()
            .take(valid)
            .filter(|b| **b == b'\n')
            .count();
        Failure::new(format!(
            "{}:{line}: not UTF-8; save the file as UTF-8",
            path.display()
        ))
    })
}

impl Input {
    fn standard() -> Self {
        Self::new("standard input".to_owned(), Box::new(io::stdin()))
    }

    fn open(path: &Path) -> Result<Self, Failure> {
        if path == Path::new("-") {
            return Ok(Self::standard());
        }
        let file = open_file(path, "the calls")?;
        Ok(Self::new(path.display().to_string(), Box::new(file)))
    }

    fn new(name: String, reader: Box<dyn Read>) -> Self {
        Self {
            name,
            reader: BufReader::with_capacity(64 * 1024, reader),
            line: Vec::new(),
            number: 0,
        }
    }

    /// Returns the name to show.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Reads the next line with its number, from 1; nothing at the end.
    ///
    /// Whenever reading may block, `out` is flushed first: whoever waits for an outcome before
    /// sending the next call gets it.
    pub(crate) fn next(
        &mut self,
        out: &mut impl Write,
    ) -> Result<Option<(u64, Line<'_>)>, Failure> {
        self.line.clear();
        // One long line must not cost its memory for the rest of the stream.
        self.line.shrink_to(1024 * 1024);
        let mut too_long = false;
        let mut any = false;
        loop {
            if self.reader.buffer().is_empty() {
                out.flush().map_err(|error| Failure::writing(&error))?;
            }
            let buffer = match self.reader.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(reading(&self.name, &error)),
            };
            if buffer.is_empty() {
                break;
            }
            any = true;
            let end = buffer.iter().position(|b| *b == b'\n');
            let (part, used) = match end {
                Some(end) => (buffer.get(..end).unwrap_or_default(), end + 1),
                None => (buffer, buffer.len()),
            };
            if self.line.len() + part.len() > MAX_LINE {
                too_long = true;
            }
            if !too_long {
                self.line.extend_from_slice(part);
            }
            self.reader.consume(used);
            if end.is_some() {
                break;
            }
        }
        if !any {
            return Ok(None);
        }
        self.number += 1;
        let line = if too_long {
            Line::TooLong
        } else {
            Line::Bytes(self.line.strip_suffix(b"\r").unwrap_or(&self.line))
        };
        Ok(Some((self.number, line)))
    }
}

fn open_file(path: &Path, what: &str) -> Result<File, Failure> {
    let shown = path.display();
    let file = File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failure::new(format!(
            "{shown}: there is no such file; give the path of {what}"
        )),
        _ => Failure::new(format!("{shown}: cannot be opened: {error}")),
    })?;
    if file.metadata().is_ok_and(|meta| meta.is_dir()) {
        return Err(Failure::new(format!(
            "{shown}: is a folder; give the file that holds {what}"
        )));
    }
    Ok(file)
}

fn reading(name: &str, error: &io::Error) -> Failure {
    Failure::new(format!("{name}: cannot be read: {error}"))
}
