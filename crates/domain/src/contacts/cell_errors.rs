//! Errors in rows of a table, and the columns that describe them in the table of rejected rows.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The columns before each rejected row: its line number, and of one error the column, the code and the message.
pub const REASONS: [&str; 4] = ["line", "column", "code", "message"];

/// Maximum number of stored errors per row. The table of rejected rows repeats the row for each of them.
pub const MOST_WRONG: usize = 20;

/// An error in a cell, or in the whole line if `column` is empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrongCell {
    /// The heading of the column; empty for the whole line.
    pub column: String,
    /// The error code, as in API errors.
    pub code: String,
    /// The message: the error, and the accepted form.
    pub reason: String,
}

impl WrongCell {
    /// Creates an error about a whole line.
    pub fn in_line(code: &str, reason: impl Into<String>) -> Self {
        Self::new("", code, reason)
    }

    /// The reason, with the column.
    pub fn describe(&self) -> String {
        match self.column.as_str() {
            "" => self.reason.clone(),
            column => format!("column `{column}`: {}", self.reason),
        }
    }

    pub(super) fn new(column: &str, code: &str, reason: impl Into<String>) -> Self {
        Self { column: column.to_owned(), code: code.to_owned(), reason: reason.into() }
    }
}

/// The leading columns of a table that describe why an earlier import rejected its rows, if the table begins with
/// [`REASONS`].
///
/// They are not data of contacts. If the mapping assigns one of them, it is an ordinary column, unless a later column
/// has the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reasons([bool; REASONS.len()]);

impl Reasons {
    /// Finds them in the headings of a table. `names` assigns columns by heading; `-` skips one.
    pub fn of<N: AsRef<str>>(head: &[N], names: &BTreeMap<String, String>) -> Self {
        let (first, row) = head.split_at(head.len().min(REASONS.len()));
        let was_rejected = first.iter().map(|it| it.as_ref()).eq(REASONS);
        let is_passed = |name: &str| names.get(name).is_none_or(|it| it == "-");
        let is_told = |name: &str| is_passed(name) || row.iter().any(|it| it.as_ref() == name);
        Self(REASONS.map(|name| was_rejected && is_told(name)))
    }

    /// Whether the column at this index, from 0, is one of them.
    pub fn has(self, place: usize) -> bool {
        self.0.get(place).copied().unwrap_or_default()
    }

    /// The number of these columns.
    pub fn count(self) -> usize {
        self.0.into_iter().filter(|it| *it).count()
    }

    /// The other cells of a line.
    pub fn without(self, cells: &[String]) -> impl Iterator<Item = &str> {
        cells.iter().enumerate().filter(move |(place, _)| !self.has(*place)).map(|(_, cell)| cell.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(head: &[&str], names: &[(&str, &str)]) -> Vec<String> {
        let names: BTreeMap<_, _> = names.iter().map(|(name, is)| ((*name).to_owned(), (*is).to_owned())).collect();
        let head: Vec<String> = head.iter().map(|it| (*it).to_owned()).collect();
        let reasons = Reasons::of(&head, &names);
        let left: Vec<String> = reasons.without(&head).map(ToOwned::to_owned).collect();
        assert_eq!(left.len() + reasons.count(), head.len());
        left
    }

    #[test]
    fn recognises_reason_columns_only_first_and_in_order() {
        assert_eq!(left(&["line", "column", "code", "message", "email"], &[]), ["email"]);
        assert_eq!(left(&["email", "line", "column", "code", "message"], &[]).len(), 5);
        assert_eq!(left(&["line", "code", "column", "message", "email"], &[]).len(), 5);
        assert_eq!(left(&["line", "column", "code"], &[]).len(), 3);
        assert_eq!(left(&[], &[]).len(), 0);
    }

    #[test]
    fn treats_a_mapped_reason_as_a_column_unless_repeated() {
        let (head, note) = (["line", "column", "code", "message", "email"], ("message", "custom_fields.note"));
        assert_eq!(left(&head, &[note]), ["message", "email"]);
        assert_eq!(left(&head, &[("message", "-"), ("line", "-")]), ["email"]);
        let again = ["line", "column", "code", "message", "email", "message"];
        assert_eq!(left(&again, &[note]), ["email", "message"]);
    }
}
