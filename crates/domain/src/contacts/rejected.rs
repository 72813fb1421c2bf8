//! What is wrong with rows of a table, and which columns tell it in the table of those that were rejected.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What a table of rejected rows tells before each row: its line, and of one thing that is wrong the column, a code, and what
/// would be right.
pub const REASONS: [&str; 4] = ["line", "column", "code", "message"];

/// At most so many errors of one row are kept and shown: a table repeats the row for each of them.
pub const MOST_WRONG: usize = 20;

/// What is wrong with a cell, or with a whole line where no column is named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrongCell {
    /// The column, as the table calls it; empty where it is the line.
    pub column: String,
    /// What kind of mistake it is, as in refusals of the API.
    pub code: String,
    /// What is wrong, and what would be right.
    pub reason: String,
}

impl WrongCell {
    /// Something is wrong with the line as a whole.
    pub fn in_line(code: &str, reason: impl Into<String>) -> Self {
        Self::new("", code, reason)
    }

    /// The reason, with the column.
    pub fn told(&self) -> String {
        match self.column.as_str() {
            "" => self.reason.clone(),
            column => format!("column `{column}`: {}", self.reason),
        }
    }

    pub(super) fn new(column: &str, code: &str, reason: impl Into<String>) -> Self {
        Self { column: column.to_owned(), code: code.to_owned(), reason: reason.into() }
    }
}

/// Which columns of a table tell why an earlier import rejected its rows: the first ones, where it begins with [`REASONS`].
///
/// They say nothing of a contact. One of them that the mapping names is a column like any other, unless a column of the row
/// itself has the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reasons([bool; REASONS.len()]);

impl Reasons {
    /// Those of a table whose columns are called so; `names` says what columns are whose names do not say it.
    pub fn of<N: AsRef<str>>(head: &[N], names: &BTreeMap<String, String>) -> Self {
        let (first, row) = head.split_at(head.len().min(REASONS.len()));
        let was_rejected = first.iter().map(|it| it.as_ref()).eq(REASONS);
        let is_passed = |name: &str| names.get(name).is_none_or(|it| it == "-");
        let is_told = |name: &str| is_passed(name) || row.iter().any(|it| it.as_ref() == name);
        Self(REASONS.map(|name| was_rejected && is_told(name)))
    }

    /// Whether the column at this place is one of them; the first one is at 0.
    pub fn has(self, place: usize) -> bool {
        self.0.get(place).copied().unwrap_or_default()
    }

    /// How many they are.
    pub fn count(self) -> usize {
        self.0.into_iter().filter(|it| *it).count()
    }

    /// What a line says besides them.
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
    fn reasons_stand_first_and_in_their_order() {
        assert_eq!(left(&["line", "column", "code", "message", "email"], &[]), ["email"]);
        assert_eq!(left(&["email", "line", "column", "code", "message"], &[]).len(), 5);
        assert_eq!(left(&["line", "code", "column", "message", "email"], &[]).len(), 5);
        assert_eq!(left(&["line", "column", "code"], &[]).len(), 3);
        assert_eq!(left(&[], &[]).len(), 0);
    }

    #[test]
    fn a_reason_that_the_mapping_names_is_a_column_unless_the_row_has_it_too() {
        let (head, note) = (["line", "column", "code", "message", "email"], ("message", "custom_fields.note"));
        assert_eq!(left(&head, &[note]), ["message", "email"]);
        assert_eq!(left(&head, &[("message", "-"), ("line", "-")]), ["email"]);
        let again = ["line", "column", "code", "message", "email", "message"];
        assert_eq!(left(&again, &[note]), ["email", "message"]);
    }
}
