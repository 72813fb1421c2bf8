//! Errors of tables and rows. Each names the wrong value, the accepted ones and the remedy.

use std::fmt;

use crate::container::Container;
use crate::limits::{MAX_COLUMNS, MAX_ROW};
use crate::text::shortened;

/// The reason why a source is no table that can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TableError {
    /// A workbook or another container was sent as CSV.
    Container(Container),
    /// The encoding could not be detected: the text is neither UTF-8, UTF-16 nor Windows-1252.
    UnclearEncoding {
        /// The line of the first byte that is not UTF-8.
        line: u64,
        /// That byte.
        byte: u8,
    },
    /// The table has no row with headings.
    Empty,
    /// The row with the headings cannot be read.
    Headings {
        /// The line of the headings.
        line: u64,
        /// The reason.
        error: RowError,
    },
    /// The table has more than [`MAX_COLUMNS`] columns.
    TooManyColumns {
        /// The line of the headings.
        line: u64,
        /// The number of columns.
        columns: usize,
    },
    /// A cell begins with a quote that is never closed.
    OpenQuote {
        /// The first line of its row.
        line: u64,
    },
}

impl TableError {
    /// A code in the style of the API's error codes.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Container(_) => "not_a_table",
            Self::UnclearEncoding { .. } => "invalid_encoding",
            Self::Empty => "required",
            Self::Headings { .. } => "invalid_line",
            Self::TooManyColumns { .. } => "too_many",
            Self::OpenQuote { .. } => "unclosed_quotes",
        }
    }

    pub(crate) fn unclear_encoding(bytes: &[u8], place: usize, first_line: u64) -> Self {
        let before = bytes.get(..place).unwrap_or_default();
        let lines = before.iter().filter(|byte| **byte == b'\n').count();
        let line = first_line + u64::try_from(lines).unwrap_or_default();
        Self::UnclearEncoding { line, byte: bytes.get(place).copied().unwrap_or_default() }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Container(container) => {
                write!(out, "the file is {}, not CSV. {}", container.name(), container.remedy())
            }
            Self::UnclearEncoding { line, byte } => write!(
                out,
                "line {line} has the byte 0x{byte:02X}, which is not UTF-8, and the text does not look like \
                 Windows-1252. Save the table as UTF-8, or set `encoding`"
            ),
            Self::Empty => out.write_str("the table is empty: the first row must contain the headings of the columns"),
            Self::Headings { line, error } => write!(out, "line {line}, with the headings: {error}"),
            Self::TooManyColumns { line, columns } => write!(
                out,
                "line {line} has {columns} headings; at most {MAX_COLUMNS} are allowed. Remove some \
                 columns"
            ),
            Self::OpenQuote { line } => write!(
                out,
                "the row in line {line} has a cell that starts with `\"`, which is never closed. Add the closing \
                 quote, and double each quote inside the cell"
            ),
        }
    }
}

impl std::error::Error for TableError {}

/// The reason why the cells of a row cannot be read. Rows below it can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowError {
    /// The row has more than [`MAX_ROW`] bytes.
    TooLong,
    /// A cell to the right of the last heading has text.
    SurplusCell {
        /// The number of that cell in its row; the first one is 1.
        place: usize,
        /// Its text, shortened.
        text: String,
        /// The number of columns of the table.
        columns: usize,
    },
    /// The row has bytes that are not text in the encoding of the table.
    NotText {
        /// The name of the encoding.
        encoding: String,
    },
}

impl RowError {
    /// A code in the style of the API's error codes.
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooLong => "too_long",
            Self::SurplusCell { .. } => "wrong_number_of_cells",
            Self::NotText { .. } => "invalid_encoding",
        }
    }

    pub(crate) fn surplus(place: usize, text: &str, columns: usize) -> Self {
        Self::SurplusCell { place: place + 1, text: shortened(text, 60), columns }
    }
}

impl fmt::Display for RowError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(
                out,
                "the row has more than {MAX_ROW} bytes or too many cells. Is a `\"` missing? Close the quotes, or \
                 shorten the row"
            ),
            Self::SurplusCell { place, text, columns } => write!(
                out,
                "cell {place} has the text `{text}`, but the table has {columns} headings. Add a heading, clear the \
                 cell, or put quotes around a cell that contains the delimiter"
            ),
            Self::NotText { encoding } => write!(
                out,
                "the row has bytes that are not text in `{encoding}`. Save the table as UTF-8, or set `encoding`"
            ),
        }
    }
}

impl std::error::Error for RowError {}
