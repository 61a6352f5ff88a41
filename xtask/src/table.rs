//! Tables for a person: columns as wide as their widest cell, numbers to the right.

use std::fmt::Write as _;

/// Rows of cells under a head.
pub(crate) struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Starts a table with its column names.
    pub(crate) fn new<S: Into<String>>(head: impl IntoIterator<Item = S>) -> Self {
        Self {
            head: head.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub(crate) fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// Prints the table as Markdown, which a terminal shows as well.
    pub(crate) fn markdown(&self) -> String {
        let mut widths: Vec<usize> = self.head.iter().map(|cell| cell.chars().count()).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        let numeric: Vec<bool> = (0..widths.len())
            .map(|column| {
                let mut cells = self
                    .rows
                    .iter()
                    .filter_map(|row| row.get(column))
                    .peekable();
                cells.peek().is_some() && cells.all(|cell| is_number(cell))
            })
            .collect();
        let mut out = String::new();
        line(&mut out, &self.head, &widths, &numeric);
        out.push('|');
        for (width, numeric) in widths.iter().zip(&numeric) {
            let dashes = "-".repeat(*width + 1);
            let _ = write!(out, "{dashes}{}|", if *numeric { ":" } else { "-" });
        }
        out.push('\n');
        for row in &self.rows {
            line(&mut out, row, &widths, &numeric);
        }
        out
    }
}

fn line(out: &mut String, cells: &[String], widths: &[usize], numeric: &[bool]) {
    out.push('|');
    for ((cell, width), numeric) in cells.iter().zip(widths).zip(numeric) {
        let pad = " ".repeat(width.saturating_sub(cell.chars().count()));
        if *numeric {
            let _ = write!(out, " {pad}{cell} |");
        } else {
            let _ = write!(out, " {cell}{pad} |");
        }
    }
    out.push('\n');
}

fn is_number(cell: &str) -> bool {
    cell.is_empty() || cell == "–" || cell.trim_end_matches('%').parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_to_the_right_and_words_to_the_left() {
        let mut table = Table::new(["kind", "n"]);
        table.row(["alias", "7"]);
        table.row(["a", "100"]);
        assert_eq!(
            table.markdown(),
            "| kind  |   n |\n|-------|----:|\n| alias |   7 |\n| a     | 100 |\n"
        );
    }
}
