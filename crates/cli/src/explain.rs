//! `callmend explain`: what each stage saw in one call, and did, for a person to read.

use crate::Exit;
use crate::args::Explain;
use crate::diff::{self, Mark};
use crate::failure::Failure;
use crate::tools_file::Tools;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use callmend::stage::message::nearest;
use callmend::{
    Change, Delivered, Draft, Op, Outcome, PreparedTool, Rejection, Status, Trace, Traced, Verdict,
};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, IsTerminal as _, Read as _, Write};

/// How many characters of one line are shown, and how many lines of one change.
const WIDTH: usize = 160;
const LINES: usize = 80;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GONE: Style = AnsiColor::Red.on_default();
const NEW: Style = AnsiColor::Green.on_default();
const REFUSED: Style = AnsiColor::Red.on_default().bold();
const REPAIRED: Style = AnsiColor::Yellow.on_default().bold();
const CLEAN: Style = AnsiColor::Green.on_default().bold();

/// Runs `callmend explain`.
pub(crate) fn explain(args: &Explain) -> Result<Exit, Failure> {
    let pipeline = args.selection.pipeline()?;
    let tools = Tools::load(&args.tools)?.prepare(&pipeline)?;
    let Some(tool) = tools.get(&args.tool) else {
        let near = nearest(&args.tool, tools.names());
        let near = near.map_or_else(String::new, |name| format!("; did you mean `{name}`?"));
        return Err(Failure::new(format!(
            "no tools file has a tool `{}`{near}",
            args.tool
        )));
    };
    let bytes = arguments(args)?;
    let delivered = match std::str::from_utf8(&bytes) {
        Ok(text) => Delivered::Text(text),
        Err(_) => Delivered::Bytes(&bytes),
    };
    let trace = tool.trace(Draft::new(delivered).with_complete(args.complete));
    let mut page = Page {
        out: AutoStream::new(io::stdout().lock(), colour()),
    };
    page.whole(tool, &bytes, &trace)
        .map_err(|error| Failure::writing(&error))?;
    Ok(match trace.outcome.is_dispatchable() {
        true => Exit::Dispatchable,
        false => Exit::Refused,
    })
}

fn arguments(args: &Explain) -> Result<Vec<u8>, Failure> {
    if args.arguments != "-" {
        return Ok(args.arguments.clone().into_bytes());
    }
    let mut bytes = Vec::new();
    io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::new(format!("standard input: cannot be read: {error}")))?;
    Ok(bytes)
}

/// Colour only on a terminal, and never with `NO_COLOR` (<https://no-color.org>).
fn colour() -> ColorChoice {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if io::stdout().is_terminal() && !refused {
        ColorChoice::Auto
    } else {
        ColorChoice::Never
    }
}

struct Page<W: Write> {
    out: W,
}

impl<W: Write> Page<W> {
    fn whole(&mut self, tool: &PreparedTool, sent: &[u8], trace: &Trace<'_>) -> io::Result<()> {
        let name = shown(tool.tool().name());
        writeln!(self.out, "{BOLD}{name}{BOLD:#} was called with")?;
        self.block("  ", Style::new(), &String::from_utf8_lossy(sent))?;
        writeln!(self.out)?;
        let width = trace.steps.iter().map(|step| step.stage.id.len()).max();
        let width = width.unwrap_or_default();
        let mut pass = 1;
        let mut seen = BTreeSet::new();
        for step in &trace.steps {
            let again = !seen.insert(step.stage.id);
            // A later pass is a look at what the earlier ones did: only what it finds is told.
            if again && matches!(&step.verdict, Verdict::Pass) {
                continue;
            }
            if again && step.pass > pass {
                pass = step.pass;
                writeln!(self.out, "{DIM}pass {pass}{DIM:#}")?;
            }
            self.step(step, width)?;
        }
        writeln!(self.out)?;
        self.outcome(&trace.outcome)?;
        self.out.flush()
    }

    fn step(&mut self, step: &Traced<'_>, width: usize) -> io::Result<()> {
        let id = step.stage.id;
        write!(self.out, "{BOLD}{id:width$}{BOLD:#}  ")?;
        match &step.verdict {
            Verdict::Pass => writeln!(self.out, "{DIM}nothing to do{DIM:#}"),
            Verdict::Decoded(_) => writeln!(self.out, "strict JSON, read as it is"),
            Verdict::Rewrite(changes) => {
                writeln!(self.out, "{REPAIRED}repairs{REPAIRED:#}")?;
                self.changes(&step.saw, changes)
            }
            Verdict::Reject(rejection) => {
                writeln!(self.out, "{REFUSED}refuses{REFUSED:#}")?;
                self.refusal(rejection)
            }
        }
    }

    fn changes(&mut self, saw: &Draft<'_>, changes: &[Change]) -> io::Result<()> {
        for change in changes {
            let relaxed = match change.relaxed.as_slice() {
                [] => String::new(),
                names => format!(" ({})", names.join(", ")),
            };
            let code = change.code;
            let done = done(&change.op);
            writeln!(self.out, "  {BOLD}{code}{BOLD:#}: {done}{relaxed}")?;
            if let Some(hint) = &change.hint {
                writeln!(self.out, "  {DIM}hint: {}{DIM:#}", shown(hint))?;
            }
        }
        let mut after = saw.clone();
        let kept = after.apply("explain", Verdict::Rewrite(changes.to_vec()));
        if kept.is_err() {
            return Ok(());
        }
        let (before, after) = (written(saw), written(&after));
        let marks = diff::lines(&before, &after);
        for mark in marks.iter().take(LINES) {
            match mark {
                Mark::Same(line) => self.block("    ", DIM, line)?,
                Mark::Gone(line) => self.block("  - ", GONE, line)?,
                Mark::New(line) => self.block("  + ", NEW, line)?,
            }
        }
        self.more(marks.len())
    }

    fn refusal(&mut self, rejection: &Rejection) -> io::Result<()> {
        let code = rejection.code;
        let place = rejection.path.as_deref().map(pointer);
        let place = place.map_or_else(String::new, |place| format!(" at {place}"));
        writeln!(self.out, "  {BOLD}{code}{BOLD:#}{place}")
    }

    fn outcome(&mut self, outcome: &Outcome<'_>) -> io::Result<()> {
        let style = match outcome.status {
            Status::Clean => CLEAN,
            Status::Repaired => REPAIRED,
            Status::Unrepairable => REFUSED,
        };
        let status = outcome.status;
        write!(self.out, "{style}{status}{style:#}")?;
        match (&outcome.arguments, &outcome.rejection) {
            (Some(arguments), _) => {
                writeln!(self.out, ": this is dispatched")?;
                self.block("  ", Style::new(), &pretty(arguments))?;
            }
            (None, Some(rejection)) => {
                writeln!(self.out, ": nothing is dispatched, and the model gets")?;
                writeln!(self.out, "  {}", shown(&rejection.message))?;
                if let Some(fix) = &rejection.fix {
                    writeln!(self.out, "{BOLD}fix{BOLD:#}")?;
                    self.block("  ", Style::new(), fix)?;
                }
            }
            (None, None) => writeln!(self.out)?,
        }
        if !outcome.hints.is_empty() {
            writeln!(self.out, "{BOLD}hints for the model{BOLD:#}")?;
            for hint in &outcome.hints {
                writeln!(self.out, "  {}", shown(hint))?;
            }
        }
        Ok(())
    }

    /// Writes a text line by line, each clipped.
    fn block(&mut self, margin: &str, style: Style, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return writeln!(self.out, "{margin}{DIM}(empty){DIM:#}");
        }
        for line in text.lines().take(LINES) {
            let line = clipped(line);
            writeln!(self.out, "{style}{margin}{line}{style:#}")?;
        }
        self.more(text.lines().count())
    }

    fn more(&mut self, lines: usize) -> io::Result<()> {
        match lines.saturating_sub(LINES) {
            0 => Ok(()),
            more => writeln!(self.out, "  {DIM}… {more} more lines{DIM:#}"),
        }
    }
}

/// Writes a call's arguments as they stand, for a person.
fn written(draft: &Draft<'_>) -> String {
    match draft.delivered() {
        Delivered::Text(text) => (*text).to_owned(),
        Delivered::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Delivered::Value(value) => pretty(value),
        _ => String::new(),
    }
}

fn pretty(value: &serde_json::Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// Says what an operation does.
fn done(op: &Op) -> String {
    let to = pointer(op.path());
    match (op, op.from()) {
        (_, Some(from)) => format!("moves {} to {to}", pointer(from)),
        (Op::Add { .. }, _) => format!("adds {to}"),
        (Op::Remove { .. }, _) => format!("takes {to} away"),
        _ => format!("replaces {to}"),
    }
}

fn pointer(path: &str) -> Cow<'_, str> {
    match path {
        "" => Cow::Borrowed("the arguments"),
        path => Cow::Owned(clipped(path)),
    }
}

fn clipped(line: &str) -> String {
    match line.char_indices().nth(WIDTH) {
        None => shown(line),
        Some((at, _)) => {
            let hidden = line.get(at..).map_or(0, |rest| rest.chars().count());
            format!("{} … {hidden} more", shown(line.get(..at).unwrap_or(line)))
        }
    }
}

/// Makes text safe for a terminal: what a model sent must not move the cursor or hide a line.
fn shown(text: &str) -> String {
    let hides = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push_str("    "),
            c if hides(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_model_sent_cannot_steer_the_terminal() {
        assert_eq!(shown("a\u{1b}[2Jb\u{202e}c"), "a\\u{1b}[2Jb\\u{202e}c");
    }

    #[test]
    fn a_long_line_is_clipped_and_says_so() {
        assert_eq!(clipped(&"x".repeat(WIDTH)), "x".repeat(WIDTH));
        assert!(clipped(&"é".repeat(WIDTH + 5)).ends_with(" … 5 more"));
    }
}
