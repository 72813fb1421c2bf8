//! The first pass over a table: counts its rows, matches its headings, and detects the formats of its columns.

use tidings_tables::{
    Cells, ColumnGuess, ColumnKind, CustomField as TableField, Dialect, Format, Guess, HeadingError, Hints, MAX_ROW,
    Match, Named, Options, Place, ReadOptions, RowError, TableError, TableReader, Target, column_names,
    kind_by_heading, match_headings, shortened,
};

use super::TableOptions;
use crate::contacts::table_field;
use crate::error::Error;
use crate::fields::CustomField;

/// Number of sample cells per column.
const SAMPLES: usize = 3;
/// Maximum size of a row in the source, in bytes. UTF-16 needs two bytes per letter.
pub(super) const MOST_SOURCE: u64 = 2 * MAX_ROW as u64;

/// Reads a table piece by piece, in constant memory.
pub struct TableGuess<'o> {
    options: &'o TableOptions,
    fields: Vec<TableField>,
    reader: TableReader,
    begun: Option<AfterHeadings>,
    rows: u64,
    too_long: Option<u64>,
}

/// The state after the headings were read.
struct AfterHeadings {
    matches: Vec<Match>,
    problems: Vec<HeadingError>,
    columns: Vec<ColumnState>,
}

struct ColumnState {
    guess: Option<ColumnGuess>,
    /// A given format that the target does not accept.
    unsuitable: Option<Format>,
    filled: u64,
    samples: Vec<String>,
}

/// A column after the first pass.
#[derive(Debug)]
pub(super) struct GuessedColumn {
    pub(super) heading: String,
    pub(super) matched: Match,
    pub(super) guess: Option<Guess>,
    pub(super) unsuitable: Option<Format>,
    pub(super) filled: u64,
    pub(super) samples: Vec<String>,
}

/// A table after the first pass.
#[derive(Debug)]
pub struct GuessedTable {
    pub(super) dialect: Dialect,
    /// The headings, without trailing empty ones. A column without a heading has its position, such as `#3`.
    pub headings: Vec<String>,
    pub(super) columns: Vec<GuessedColumn>,
    pub(super) problems: Vec<HeadingError>,
    /// Number of rows below the headings.
    pub rows: u64,
    pub(super) blank_rows: u64,
    /// Line of the first row that is too long to be stored.
    pub(super) too_long: Option<u64>,
    /// Position after the headings.
    pub rows_from: Place,
}

impl<'o> TableGuess<'o> {
    /// Returns a reader that uses these parameters.
    pub fn new(options: &'o TableOptions, fields: &[CustomField]) -> Self {
        let reader = TableReader::new(ReadOptions { encoding: options.encoding, delimiter: options.delimiter });
        let fields = fields.iter().map(table_field).collect();
        Self { options, fields, reader, begun: None, rows: 0, too_long: None }
    }

    /// Adds a piece of the table.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the source is not a table of text.
    pub fn push(&mut self, piece: &[u8]) -> Result<(), Error> {
        self.reader.push(piece).map_err(refused)?;
        self.read()
    }

    /// Returns the table after its last piece.
    ///
    /// # Errors
    /// As [`Self::push`].
    pub fn finish(mut self) -> Result<GuessedTable, Error> {
        self.reader.finish().map_err(refused)?;
        self.read()?;
        let headings = column_names(self.reader.headings().unwrap_or_default());
        let AfterHeadings { matches, problems, columns } = self.begun.ok_or_else(|| refused(TableError::Empty))?;
        let rows_from = self.reader.rows_from().unwrap_or(Place::START);
        let column = |((heading, matched), state): ((&String, Match), ColumnState)| GuessedColumn {
            heading: heading.clone(),
            matched,
            guess: state.guess.map(ColumnGuess::finish),
            unsuitable: state.unsuitable,
            filled: state.filled,
            samples: state.samples,
        };
        let columns = headings.iter().zip(matches).zip(columns).map(column).collect();
        let (dialect, blank_rows, too_long) = (self.reader.dialect(), self.reader.blank_rows(), self.too_long);
        Ok(GuessedTable { dialect, headings, columns, problems, rows: self.rows, blank_rows, too_long, rows_from })
    }

    fn read(&mut self) -> Result<(), Error> {
        if self.begun.is_none() {
            let Some(headings) = self.reader.read_headings().map_err(refused)? else { return Ok(()) };
            self.begun = Some(AfterHeadings::of(headings, self.options, &self.fields));
        }
        let Some(begun) = &mut self.begun else { return Ok(()) };
        while let Some(row) = self.reader.next_row().map_err(refused)? {
            self.rows += 1;
            let length = row.end.byte.saturating_sub(row.begin.byte);
            if row.cells == Err(RowError::TooLong) || length > MOST_SOURCE {
                self.too_long.get_or_insert(row.line);
            }
            // Rows that cannot be read are rejected later, one by one.
            if let Ok(cells) = row.cells {
                begun.add(row.line, cells);
            }
        }
        Ok(())
    }
}

impl AfterHeadings {
    fn of(headings: &[String], options: &TableOptions, fields: &[TableField]) -> Self {
        let given: Vec<_> =
            options.columns.iter().filter_map(|(heading, is)| Some((heading.clone(), Target::parse(is)?))).collect();
        let own = match_headings(headings, fields, &[]).ok();
        let languages = own.iter().flat_map(|it| &it.languages);
        let hints = Hints { locales: languages.map(|it| it.tag().to_owned()).collect(), country: options.country };
        let own = own.map(|it| it.columns).unwrap_or_default();
        let (matches, problems) = match match_headings(headings, fields, &given) {
            Ok(found) => (found.columns, Vec::new()),
            Err(problems) => {
                // The valid parameters still count: their columns are not open decisions.
                let is_wrong = |heading: &str| problems.iter().any(|problem| problem.heading() == heading);
                let valid: Vec<_> = given.iter().filter(|(heading, _)| !is_wrong(heading)).cloned().collect();
                let found =
                    match_headings(headings, fields, &valid).map_or_else(|_| own.clone(), |found| found.columns);
                (found, problems)
            }
        };
        let names = column_names(headings);
        let formats = Named::new(&options.formats);
        let column = |((heading, matched), own): ((&String, &Match), &Match)| {
            let format = formats.get(heading).copied();
            // A heading such as "Unsubscribed" is the opposite of `subscribed`, also if a parameter maps it.
            let is_inverted = matches!(own, Match::Proposed { is_inverted: true, .. });
            let kind = target_of(matched).and_then(|it| it.kind(fields, is_inverted));
            let kind = kind.map(|(kind, options)| (kind_by_heading(kind, heading), options));
            ColumnState::new(kind, format, &hints)
        };
        let columns = names.iter().zip(&matches).zip(&own).map(column).collect();
        Self { matches, problems, columns }
    }

    fn add(&mut self, line: u64, cells: Cells<'_>) {
        for (column, cell) in self.columns.iter_mut().zip(cells.iter()) {
            column.add(line, cell);
        }
    }
}

/// Returns the decided or proposed target of a column.
pub(super) fn target_of(matched: &Match) -> Option<&Target> {
    match matched {
        Match::Given(target)
        | Match::Mapped(target)
        | Match::Proposed { target, .. }
        | Match::Conflict { target, .. } => Some(target),
        Match::Superseded { .. } | Match::ReadOnly | Match::RejectionReason | Match::Unknown | Match::Nameless => None,
    }
}

impl ColumnState {
    fn new(kind: Option<(ColumnKind, Options)>, format: Option<Format>, hints: &Hints) -> Self {
        let (guess, unsuitable) = match (kind, format) {
            (None, _) => (None, None),
            (Some((kind, options)), Some(format)) if kind.accepts(format) => {
                (Some(ColumnGuess::of_format(format, options)), None)
            }
            (Some((kind, options)), format) => (Some(ColumnGuess::new(kind, options, hints.clone())), format),
        };
        Self { guess, unsuitable, filled: 0, samples: Vec::new() }
    }

    fn add(&mut self, line: u64, cell: &str) {
        if let Some(guess) = &mut self.guess {
            guess.add(line, cell);
        }
        if cell.is_empty() {
            return;
        }
        self.filled += 1;
        if self.samples.len() < SAMPLES && !self.samples.iter().any(|it| it == cell) {
            self.samples.push(shortened(cell, 60));
        }
    }
}

/// Returns the error for a table that cannot be read.
fn refused(error: TableError) -> Error {
    Error::invalid("", error.code(), error.to_string())
}
