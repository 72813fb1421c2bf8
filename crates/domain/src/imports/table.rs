//! A table as it comes: what is wrong with it before any row is looked at.

use crate::contacts::{ContactTable, Lines, MAX_LINE, Place, WrongCell, is_open};
use crate::error::{Error, Violation};
use crate::fields::CustomField;

use super::NewImport;

/// A table that can be taken in.
pub(super) struct CheckedTable<'t> {
    /// The text, without a mark of its encoding.
    pub(super) text: &'t str,
    /// What its columns are called.
    pub(super) columns: Vec<String>,
    /// Where the line behind the names begins.
    pub(super) rows_from: Place,
    /// How many lines follow.
    pub(super) rows: i64,
}

impl<'t> CheckedTable<'t> {
    /// Looks at the whole of a table.
    ///
    /// # Errors
    /// [`Error::Invalid`]: it is no UTF-8, has no line of names or none that can be gone by, a line that is too long, or quotes
    /// that are never closed.
    pub(super) fn check(new: &NewImport<'t>, fields: &[CustomField]) -> Result<Self, Error> {
        let text = text(new.table)?;
        let mut lines = Lines::of(text.as_bytes());
        let next = |lines: &mut Lines<&[u8]>| lines.next().ok().flatten();
        let empty = || wrong("required", "the table is empty: the first line must contain the column names".to_owned());
        let head = next(&mut lines).ok_or_else(empty)?;
        let rows_from = head.to;
        ends(text, head.from, head.to)?;
        let columns =
            head.cells.map_err(|reason| wrong("invalid_line", format!("line {}: {reason}", head.from.line)))?;
        let names: Vec<&str> = columns.iter().map(String::as_str).collect();
        ContactTable::read(&names, &new.names, fields)
            .and_then(|table| table.by(new.key))
            .map_err(|it| Error::Invalid(it.iter().map(violation).collect()))?;
        let mut rows = 0;
        while let Some(line) = next(&mut lines) {
            ends(text, line.from, line.to)?;
            rows += 1;
        }
        Ok(Self { text, columns, rows_from, rows })
    }
}

/// What is wrong with the columns, as a refusal tells it.
fn violation(it: &WrongCell) -> Violation {
    const CODES: [&str; 4] = ["too_many", "duplicate", "unknown_column", "required"];
    let code = CODES.into_iter().find(|code| *code == it.code).unwrap_or("invalid");
    Violation::new("", code, told(it))
}

/// What is wrong with a column, in words.
pub(super) fn told(it: &WrongCell) -> String {
    match it.column.as_str() {
        "" => it.reason.clone(),
        column => format!("column `{column}`: {}", it.reason),
    }
}

fn wrong(code: &'static str, message: String) -> Error {
    Error::invalid("", code, message)
}

/// The text behind the mark of UTF-8, if it has one.
fn text(table: &[u8]) -> Result<&str, Error> {
    if table.starts_with(&[0xff, 0xfe]) || table.starts_with(&[0xfe, 0xff]) {
        return Err(wrong("invalid_encoding", "the table is UTF-16: save it as UTF-8".to_owned()));
    }
    let table = table.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(table);
    std::str::from_utf8(table).map_err(|error| {
        let before = table.get(..error.valid_up_to()).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let byte = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
        wrong(
            "invalid_encoding",
            format!("the table is not UTF-8: line {line} is invalid from byte {byte}; save the table as UTF-8"),
        )
    })
}

/// That a line comes to its end, and soon.
fn ends(text: &str, from: Place, to: Place) -> Result<(), Error> {
    let place = |place: Place| usize::try_from(place.byte).unwrap_or(usize::MAX);
    let line = text.as_bytes().get(place(from)..place(to)).unwrap_or_default();
    if place(to) == text.len() && is_open(line) {
        return Err(wrong(
            "unclosed_quotes",
            format!("line {}: a cell starts with `\"`, which is never closed", from.line),
        ));
    }
    if line.len() > MAX_LINE {
        let message =
            format!("line {} has {} bytes; at most {MAX_LINE} are allowed. Is a `\"` missing?", from.line, line.len());
        return Err(wrong("too_long", message));
    }
    Ok(())
}
