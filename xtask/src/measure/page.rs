//! The page that the numbers stand on: `docs/src/measured.md`.

use super::report::Report;
use crate::table::Table;
use crate::workspace;
use anyhow::{Context as _, Result};
use std::fmt::Write as _;
use std::process::Command;

/// Writes the page.
pub(crate) fn write(reports: &[Report], peers: Option<&Table>, unmet: &[String]) -> Result<()> {
    let mut summary = Report::summary_table();
    for report in reports {
        report.summary(&mut summary);
    }
    let mut page = format!(
        "# Measured\n\n<!-- Written by `cargo xtask measure --page`. -->\n\nMeasured on {}, callmend {}. \
         Times are of one core of the machine that measured, in a build with little optimization; \
         they compare with one another, not with another machine's.\n\n{LEGEND}\n\n{}\n",
        today()?,
        env!("CARGO_PKG_VERSION"),
        summary.markdown()
    );
    if unmet.is_empty() {
        page.push_str("Every hard requirement holds.\n");
    } else {
        page.push_str("Hard requirements that do not hold:\n\n");
        for line in unmet {
            let _ = writeln!(page, "- {line}");
        }
    }
    if let Some(peers) = peers {
        let _ = write!(
            page,
            "\n## Compared with published crates\n\nThe calls of each set that were sent as text and \
             whose finish reason nobody knows, through {}; what each returned was then checked \
             against the schema, and counts as refused where the schema does not accept it. A crate \
             that knows nothing of tools cannot know an alias or an envelope; that it then refuses \
             costs it a miss, not a mistake. The labels of the mutations \
             are this project's contract: where another crate decides otherwise on purpose, that counts \
             against it here.\n\n{}",
            versions()?,
            peers.markdown()
        );
    }
    // One mutation set shows the kinds; what is damaged at random has none.
    let first = reports
        .iter()
        .position(|report| report.set.starts_with("mutations"));
    for (at, report) in reports.iter().enumerate() {
        if report.set.contains(", seed ") && Some(at) != first {
            continue;
        }
        let _ = write!(
            page,
            "\n## {} by kind\n\n{}",
            report.set,
            report.table_of("extended")
        );
    }
    let path = workspace::root().join("docs/src/measured.md");
    std::fs::write(&path, page).with_context(|| workspace::shown(&path))?;
    println!("wrote {}", workspace::shown(&path));
    Ok(())
}

const LEGEND: &str = "\
- *field*: calls reported from the field, with what they should become
- *valid*: calls that are right, sent as a value, as text, and as compact text: none may change
- *model*: what models really sent; where it is known what was meant, another value is wrong
- *mutations*: right calls damaged by seeded operators, alone and two together, each labelled
- *noise*: right calls damaged at random. Such damage can leave another call that reads as well
  (a digit lost, a line commented out), so here *wrong* means only *not the call it was made of*

*recovered*: repaired into exactly what was meant · *clean*: untouched, as it should be · \
*refused*: rightly, or as it may be · *dispatched*: nobody knows what was meant · *missed*: refused \
although it has one reading · *changed*: right as it was, and yet rewritten or refused · *wrong*: \
dispatched and not what was meant · *broken*: P1 to P6 or the schema does not hold";

/// Spells the peers with the versions that the lock file pins.
fn versions() -> Result<String> {
    let lock = workspace::read(&workspace::root().join("Cargo.lock"))?;
    let mut found = Vec::new();
    for name in [
        "serde_json",
        "argmend",
        "jsonrepair-rs",
        "llm_json",
        "jsonfix",
        "anyrepair",
    ] {
        let version = lock
            .split("[[package]]")
            .find(|package| package.contains(&format!("name = \"{name}\"\n")))
            .and_then(|package| package.split("version = \"").nth(1))
            .and_then(|rest| rest.split('"').next())
            .unwrap_or("?");
        found.push(format!("{name} {version}"));
    }
    Ok(found.join(", "))
}

fn today() -> Result<String> {
    let output = Command::new("date")
        .args(["-u", "+%Y-%m-%d"])
        .output()
        .context("date")?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}
