//! `callmend stages`: what this program can run.

use crate::Exit;
use crate::failure::Failure;
use callmend::catalog;
use callmend::{CODES, Cascade, CodeInfo, CodeKind, PIPELINE};
use std::fmt::Write as _;
use std::io::{self, Write as _};

/// Runs `callmend stages`.
pub(crate) fn list() -> Result<Exit, Failure> {
    let mut out = io::stdout().lock();
    out.write_all(page().as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Failure::writing(&error))?;
    Ok(Exit::Dispatchable)
}

fn page() -> String {
    let mut page = String::from("Stages, in the order in which they run\n");
    for listed in catalog::stages() {
        let meta = listed.meta;
        let when = match listed.cascade {
            Some(Cascade::Standard) => "both cascades",
            Some(_) => "extended cascade",
            None => "when asked for",
        };
        let (order, id, package) = (meta.order.0, meta.id, meta.package);
        // Writing to a String cannot fail.
        let _ = writeln!(page, "\n{order:>4}  {id}  ({when}, from {package})");
        let _ = writeln!(page, "      {}", meta.summary);
        codes(&mut page, meta.codes);
    }
    let _ = writeln!(
        page,
        "\n      {PIPELINE}  (the rejections of the pipeline itself, from callmend)"
    );
    codes(&mut page, CODES);
    page.push_str("\nTool repairs, run by tool-repair for the tool that they name\n");
    let repairs = catalog::tool_repairs();
    if repairs.is_empty() {
        page.push_str("\n      none\n");
    }
    for repair in repairs {
        let (tool, fields, package) = (repair.tool(), repair.fields().join(", "), repair.package());
        let _ = writeln!(page, "\n      {tool}  (rewrites {fields}, from {package})");
        let (code, meaning) = repair.code();
        codes(&mut page, &[CodeInfo::edit(code, meaning)]);
    }
    page
}

fn codes(page: &mut String, codes: &[CodeInfo]) {
    let width = codes.iter().map(|info| info.code.as_str().len()).max();
    let width = width.unwrap_or_default();
    for info in codes {
        let kind = match info.kind {
            CodeKind::Edit => "edit",
            CodeKind::Rejection => "rejection",
        };
        let code = info.code.as_str();
        let _ = writeln!(page, "        {kind:9}  {code:width$}  {}", info.meaning);
    }
}
