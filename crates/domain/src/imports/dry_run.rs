//! The second pass of a check: reads every row like an import, and stores nothing.

use tidings_tables::{Place, RowError, TableReader, shortened};

use super::Reading;
use super::failures::{CellFailure, ColumnCounts, EXAMPLES, RowErrors, RowFailure};
use crate::contacts::{ContactTable, OnError, WrongCell};
use crate::error::Error;

/// Maximum number of characters of a cell that are shown.
const SHOWN: usize = 60;

/// Counts the errors of a table row by row, in constant memory.
pub struct DryRun {
    table: ContactTable,
    reader: TableReader,
    headings: Vec<String>,
    columns: Vec<ColumnCounts>,
    rows: RowErrors,
}

impl DryRun {
    /// Returns a run over the rows below the headings. The first piece must start at `rows_from.byte`.
    pub fn new(table: ContactTable, reading: &Reading, headings: &[String], rows_from: Place) -> Self {
        let reader = TableReader::resume(reading.dialect(), headings.to_vec(), rows_from);
        let columns = vec![ColumnCounts::default(); headings.len()];
        Self { table, reader, headings: headings.to_vec(), columns, rows: RowErrors::default() }
    }

    /// Reads a piece of the table.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the source changed since the first pass and is no longer a table.
    pub fn push(&mut self, piece: &[u8]) -> Result<(), Error> {
        let pushed = self.reader.push(piece);
        pushed.map_err(|it| Error::invalid("", it.code(), it.to_string()))?;
        self.read()
    }

    /// Reads the remaining rows after the last piece.
    ///
    /// # Errors
    /// As [`Self::push`].
    pub fn finish(&mut self) -> Result<(), Error> {
        let finished = self.reader.finish();
        finished.map_err(|it| Error::invalid("", it.code(), it.to_string()))?;
        self.read()
    }

    /// Returns the counts of each column, and the errors of whole rows.
    pub(super) fn into_parts(self) -> (Vec<ColumnCounts>, RowErrors) {
        (self.columns, self.rows)
    }

    fn read(&mut self) -> Result<(), Error> {
        let Self { table, reader, headings, columns, rows } = self;
        while let Some(row) = reader.next_row().map_err(|it| Error::invalid("", it.code(), it.to_string()))? {
            let line = row.line;
            match row.cells {
                Err(error) => fail(rows, line, &unreadable(&error)),
                Ok(cells) => {
                    for place in table.clock_changes(cells.iter()) {
                        if let Some(column) = columns.get_mut(place) {
                            column.clock_changes += 1;
                        }
                    }
                    let Err(wrong) = table.row(cells.iter(), OnError::RejectRow) else { continue };
                    for it in &wrong {
                        let place = headings.iter().position(|heading| *heading == it.column);
                        match place.and_then(|place| Some((columns.get_mut(place)?, cells.get(place)?))) {
                            Some((column, cell)) => {
                                column.failing += 1;
                                if column.failures.len() < EXAMPLES {
                                    column.failures.push(failure(line, cell, it));
                                }
                            }
                            None => fail(rows, line, it),
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// Returns the error for a row that cannot be read.
pub fn unreadable(error: &RowError) -> WrongCell {
    WrongCell::in_line(error.code(), error.to_string())
}

fn failure(line: u64, cell: &str, it: &WrongCell) -> CellFailure {
    CellFailure { line, value: shortened(cell, SHOWN), code: it.code.clone(), message: it.reason.clone() }
}

fn fail(rows: &mut RowErrors, line: u64, it: &WrongCell) {
    rows.count += 1;
    if rows.examples.len() < EXAMPLES {
        rows.examples.push(RowFailure { line, code: it.code.clone(), message: it.reason.clone() });
    }
}
