//! `callmend repair` and `callmend validate`: one call a line in, one outcome a line out.

use crate::Exit;
use crate::args::{Repair, Stream};
use crate::call_line::{CallLine, Invalid};
use crate::failure::Failure;
use crate::inputs::{self, Line, MAX_LINE};
use crate::runner::{Answer, Runner};
use crate::tools_file::Tools;
use serde_json::json;
use serde_json::value::RawValue;
use std::io::{self, BufWriter, Write};

/// Runs `callmend repair`.
pub(crate) fn repair(args: &Repair) -> Result<Exit, Failure> {
    let pipeline = args.selection.pipeline()?;
    let tools = Tools::load(&args.stream.tools)?;
    run(Runner::new(pipeline, &tools)?, &args.stream)
}

/// Runs `callmend validate`.
pub(crate) fn validate(args: &Stream) -> Result<Exit, Failure> {
    let tools = Tools::load(&args.tools)?;
    run(Runner::validating(&tools)?, args)
}

fn run(mut runner: Runner, args: &Stream) -> Result<Exit, Failure> {
    let mut inputs = inputs::open(&args.files)?;
    let several = inputs.len() > 1;
    let mut out = BufWriter::with_capacity(64 * 1024, io::stdout().lock());
    let mut exit = Exit::Dispatchable;
    for input in &mut inputs {
        let name = several.then(|| input.name().to_owned());
        while let Some((number, line)) = input.next(&mut out)? {
            let bytes = match line {
                Line::Bytes(bytes) => bytes,
                Line::TooLong => {
                    let error = format!("the line is longer than {MAX_LINE} bytes");
                    let invalid = Invalid { id: None, error };
                    write_invalid(&mut out, &invalid, number, name.as_deref())
                        .map_err(|error| Failure::writing(&error))?;
                    exit = exit.max(Exit::Trouble);
                    continue;
                }
            };
            let bytes = match number {
                1 => bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes),
                _ => bytes,
            };
            if bytes.trim_ascii().is_empty() {
                continue;
            }
            let became = one(&mut runner, bytes, &mut out, number, name.as_deref());
            exit = exit.max(became.map_err(|error| Failure::writing(&error))?);
        }
    }
    out.flush().map_err(|error| Failure::writing(&error))?;
    Ok(exit)
}

fn one(
    runner: &mut Runner,
    line: &[u8],
    out: &mut impl Write,
    number: u64,
    file: Option<&str>,
) -> io::Result<Exit> {
    let call = match CallLine::read(line) {
        Ok(call) => call,
        Err(invalid) => {
            write_invalid(out, &invalid, number, file)?;
            return Ok(Exit::Trouble);
        }
    };
    match runner.run(&call) {
        Ok(answer) => {
            write_answer(out, call.id, &answer)?;
            Ok(match answer.outcome.is_dispatchable() {
                true => Exit::Dispatchable,
                false => Exit::Refused,
            })
        }
        Err(error) => {
            let invalid = Invalid { id: call.id, error };
            write_invalid(out, &invalid, number, file)?;
            Ok(Exit::Trouble)
        }
    }
}

fn write_answer(
    out: &mut impl Write,
    id: Option<&RawValue>,
    answer: &Answer<'_>,
) -> io::Result<()> {
    out.write_all(b"{")?;
    write_id(out, id)?;
    out.write_all(b"\"tool\":")?;
    serde_json::to_writer(&mut *out, &answer.tool)?;
    write_rest(out, &answer.outcome.to_json())
}

fn write_invalid(
    out: &mut impl Write,
    invalid: &Invalid<'_>,
    number: u64,
    file: Option<&str>,
) -> io::Result<()> {
    out.write_all(b"{")?;
    write_id(out, invalid.id)?;
    out.write_all(b"\"status\":\"invalid\"")?;
    let mut rest = json!({});
    if let Some(rest) = rest.as_object_mut() {
        if let Some(file) = file {
            rest.insert("file".to_owned(), json!(file));
        }
        rest.insert("line".to_owned(), json!(number));
        rest.insert("error".to_owned(), json!(invalid.error));
    }
    write_rest(out, &rest)
}

/// Writes the id as it was sent, digit by digit.
fn write_id(out: &mut impl Write, id: Option<&RawValue>) -> io::Result<()> {
    if let Some(id) = id {
        write!(out, "\"id\":{},", id.get())?;
    }
    Ok(())
}

/// Writes an object's members after those that stand there already, and ends the line.
fn write_rest(out: &mut impl Write, object: &serde_json::Value) -> io::Result<()> {
    let text = serde_json::to_vec(object)?;
    out.write_all(b",")?;
    out.write_all(text.strip_prefix(b"{").unwrap_or(&text))?;
    out.write_all(b"\n")
}
