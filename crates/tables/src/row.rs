//! A row of a table, and its place in the source.

use crate::errors::RowError;

/// A place between two rows. A table can be read again from there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The number of bytes of the source before it.
    pub byte: u64,
    /// The line of the file; the first one is 1.
    pub line: u64,
    /// The row of the spreadsheet; the headings are row 1 unless empty rows are above them.
    pub row: u64,
}

impl Place {
    /// The start of a file.
    pub const START: Self = Self { byte: 0, line: 1, row: 1 };
}

/// A row of a table.
#[derive(Debug, PartialEq, Eq)]
pub struct Row<'r> {
    /// The row of the spreadsheet, as a user sees it. Blank rows count.
    pub number: u64,
    /// The first line of the row in the file.
    pub line: u64,
    /// The place of its first byte.
    pub begin: Place,
    /// The place behind the row.
    pub end: Place,
    /// The cells, as many as the table has columns; missing cells are empty. Or the reason why they cannot be read.
    pub cells: Result<Cells<'r>, RowError>,
}

/// The cells of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cells<'r> {
    pub(crate) text: &'r str,
    pub(crate) ends: &'r [usize],
    pub(crate) columns: usize,
}

impl<'r> Cells<'r> {
    /// The number of columns of the table.
    pub fn len(&self) -> usize {
        self.columns
    }

    /// Whether the table has no columns.
    pub fn is_empty(&self) -> bool {
        self.columns == 0
    }

    /// The cell of a column, as it is written. The first column is 0.
    pub fn get(&self, column: usize) -> Option<&'r str> {
        (column < self.columns).then(|| self.written(column).unwrap_or_default())
    }

    /// The cells of all columns.
    pub fn iter(&self) -> impl Iterator<Item = &'r str> + use<'r> {
        let cells = *self;
        (0..cells.columns).map(move |column| cells.written(column).unwrap_or_default())
    }

    pub(crate) fn written(&self, place: usize) -> Option<&'r str> {
        let begin = place.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied())?;
        self.text.get(begin..*self.ends.get(place)?)
    }
}
