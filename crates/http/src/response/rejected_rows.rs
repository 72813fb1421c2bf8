//! Rows that an import rejected, as a table that can be corrected and imported again.

use std::collections::BTreeMap;
use std::fmt::Display;

use tidings_domain::contacts::{MOST_WRONG, REASONS, Reasons, WrongCell};
use tidings_domain::tables::unguarded;

use crate::request::csv::write_line;

/// A table of rejected rows, with a line per error: first the columns [`REASONS`], then the row.
///
/// Cells are guarded against formulas as in an export, whether the imported table had guards or not. The columns
/// [`REASONS`] of an earlier import are omitted. The table contains them once.
#[derive(Debug)]
pub struct RejectedTable {
    earlier: Reasons,
    head: String,
}

impl RejectedTable {
    /// Creates a table for rows with these columns. `names` maps columns to targets that their names do not show.
    pub fn of(columns: &[String], names: &BTreeMap<String, String>) -> Self {
        let earlier = Reasons::of(columns, names);
        let mut head = String::new();
        write_line(&mut head, REASONS.into_iter().chain(earlier.without(columns).map(unguarded)));
        Self { earlier, head }
    }

    /// Returns the header row.
    pub fn head(&self) -> &str {
        &self.head
    }

    /// Returns the lines of a row: its line number, its cells and its errors.
    pub fn row(&self, line: impl Display, cells: &[String], wrong: &[WrongCell]) -> String {
        let (mut text, line) = (String::new(), line.to_string());
        for wrong in wrong.iter().take(MOST_WRONG) {
            self.append(&mut text, &line, cells, wrong);
        }
        text
    }

    /// Appends the line of one error of a row.
    pub(crate) fn append(&self, text: &mut String, line: &str, cells: &[String], wrong: &WrongCell) {
        let WrongCell { column, code, reason } = wrong;
        write_line(text, [line, column, code, reason].into_iter().chain(self.earlier.without(cells).map(unguarded)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(of: &[&str]) -> Vec<String> {
        of.iter().map(|it| (*it).to_owned()).collect()
    }

    #[test]
    fn repeats_a_row_for_each_of_its_errors() {
        let table = RejectedTable::of(&cells(&["E-Mail", "@name"]), &BTreeMap::new());
        assert_eq!(table.head(), "line,column,code,message,E-Mail,'@name\r\n");
        let wrong = [WrongCell::in_line("required", "no one, it seems"), WrongCell::in_line("full", "no more")];
        assert_eq!(
            table.row(7, &cells(&["", "=Ada"]), &wrong),
            "7,,required,\"no one, it seems\",,'=Ada\r\n7,,full,no more,,'=Ada\r\n"
        );
        assert_eq!(table.row(8, &[], &wrong[1..]), "8,,full,no more\r\n", "an unreadable row has no cells");
    }

    #[test]
    fn repeats_a_row_at_most_twenty_times() {
        let table = RejectedTable::of(&cells(&["email"]), &BTreeMap::new());
        let wrong: Vec<_> = (0..190).map(|_| WrongCell::in_line("full", "no more")).collect();
        assert_eq!(table.row(7, &cells(&["ada"]), &wrong).lines().count(), 20);
    }

    #[test]
    fn replaces_the_reasons_of_a_reimported_table() {
        let table = RejectedTable::of(&cells(&["line", "column", "code", "message", "email"]), &BTreeMap::new());
        assert_eq!(table.head(), "line,column,code,message,email\r\n");
        let row = cells(&["7", "email", "invalid_value", "was wrong", "ada"]);
        assert_eq!(table.row(2, &row, &[WrongCell::in_line("full", "no more")]), "2,,full,no more,ada\r\n");
    }
}
