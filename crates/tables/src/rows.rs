//! The rows of a table, read from pieces of bytes in constant memory.

use crate::container::Container;
use crate::delimiter::{self, Delimiter};
use crate::encoding::{self, Detection, TextEncoding};
use crate::errors::TableError;
use crate::headings::{REJECTION, is_rejected};
use crate::limits::MAX_COLUMNS;
use crate::records::{Record, Records};
use crate::row::{Place, Row};
use crate::text::trim;

/// Detection reads this many bytes of the source.
const SAMPLE: usize = 64 * 1024;

/// Parameters of a table. Missing parameters are detected.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The encoding. A byte order mark of the source wins.
    pub encoding: Option<TextEncoding>,
    /// The delimiter. A `sep=` line is skipped and does not win.
    pub delimiter: Option<Delimiter>,
}

/// The notation of a table: the result of detection, and the parameters that repeat it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// The encoding. `None` if all bytes read so far are ASCII.
    pub encoding: Option<TextEncoding>,
    /// The delimiter. For a table of one column it is one that does not occur.
    pub delimiter: Delimiter,
    /// Whether the table begins with a `sep=` line.
    pub has_sep_line: bool,
}

/// Reads a table from pieces of bytes: push a piece, read rows until there are none, and push the next piece.
///
/// It keeps one piece and one row in memory, whatever the size of the table. See the example of the crate.
#[derive(Debug)]
pub struct TableReader {
    options: ReadOptions,
    /// Bytes before detection; `None` afterwards.
    sample: Option<Vec<u8>>,
    dialect: Dialect,
    records: Records,
    headings: Option<Vec<String>>,
    rows_from: Option<Place>,
    blank_rows: u64,
}

impl TableReader {
    /// A reader for a whole table.
    pub fn new(options: ReadOptions) -> Self {
        let delimiter = options.delimiter.unwrap_or(Delimiter::Comma);
        let dialect = Dialect { encoding: options.encoding, delimiter, has_sep_line: false };
        let records = Records::new(options.encoding, delimiter, Place::START);
        Self { options, sample: Some(Vec::new()), dialect, records, headings: None, rows_from: None, blank_rows: 0 }
    }

    /// A reader for the rest of a table behind a place that an earlier reader returned. Its bytes begin at
    /// `place.byte`.
    pub fn resume(dialect: Dialect, headings: Vec<String>, place: Place) -> Self {
        let options = ReadOptions { encoding: dialect.encoding, delimiter: Some(dialect.delimiter) };
        let records = Records::new(dialect.encoding, dialect.delimiter, place);
        Self {
            options,
            sample: None,
            dialect,
            records,
            headings: Some(headings),
            rows_from: Some(place),
            blank_rows: 0,
        }
    }

    /// The notation of the table. It is known once [`Self::headings`] are.
    pub fn dialect(&self) -> Dialect {
        Dialect { encoding: self.records.encoding(), ..self.dialect }
    }

    /// The headings, without trailing empty ones, once they were read.
    pub fn headings(&self) -> Option<&[String]> {
        self.headings.as_deref()
    }

    /// The place behind the headings, once they were read.
    pub fn rows_from(&self) -> Option<Place> {
        self.rows_from
    }

    /// The number of rows so far that have no text in any cell. They are skipped.
    pub fn blank_rows(&self) -> u64 {
        self.blank_rows + self.records.blank_lines()
    }

    /// Adds a piece of the source.
    ///
    /// # Errors
    /// The source is no table of text.
    pub fn push(&mut self, piece: &[u8]) -> Result<(), TableError> {
        let Some(sample) = &mut self.sample else { return self.records.push(piece) };
        sample.extend_from_slice(piece);
        if sample.len() >= SAMPLE { self.detect(false) } else { Ok(()) }
    }

    /// States that no more pieces follow. The remaining rows can be read afterwards.
    ///
    /// # Errors
    /// The source is no table of text.
    pub fn finish(&mut self) -> Result<(), TableError> {
        if self.sample.is_some() {
            self.detect(true)?;
        }
        self.records.finish()
    }

    /// Reads the headings, or returns `None` if more pieces are needed.
    ///
    /// # Errors
    /// As [`Self::next_row`].
    pub fn read_headings(&mut self) -> Result<Option<&[String]>, TableError> {
        while self.headings.is_none() && self.sample.is_none() {
            match self.records.next()? {
                None if self.records.is_finished() => return Err(TableError::Empty),
                None => return Ok(None),
                Some(record) if record.is_blank => self.blank_rows += 1,
                Some(record) => {
                    self.headings = Some(self.headings_of(record)?);
                    self.rows_from = Some(self.records.row(record, usize::MAX).end);
                }
            }
        }
        Ok(self.headings.as_deref())
    }

    /// The next row below the headings, or `None` if more pieces are needed or the table has ended.
    ///
    /// # Errors
    /// The table has no headings, too many columns, or quotes that are never closed.
    pub fn next_row(&mut self) -> Result<Option<Row<'_>>, TableError> {
        let Some(columns) = self.read_headings()?.map(<[String]>::len) else { return Ok(None) };
        let record = loop {
            match self.records.next()? {
                None => return Ok(None),
                Some(record) if record.is_blank => self.blank_rows += 1,
                Some(record) => break record,
            }
        };
        Ok(Some(self.records.row(record, columns)))
    }

    fn headings_of(&self, record: Record) -> Result<Vec<String>, TableError> {
        let row = self.records.row(record, usize::MAX);
        let (line, cells) = (row.line, row.cells.map_err(|error| TableError::Headings { line: row.line, error })?);
        let mut headings: Vec<_> =
            (0..cells.ends.len()).map(|at| trim(cells.written(at).unwrap_or_default()).to_owned()).collect();
        let columns = headings.iter().rposition(|it| !it.is_empty()).map_or(0, |last| last + 1);
        headings.truncate(columns);
        let most = if is_rejected(&headings) { MAX_COLUMNS + REJECTION.len() } else { MAX_COLUMNS };
        if columns > most { Err(TableError::TooManyColumns { line, columns }) } else { Ok(headings) }
    }

    /// Detects encoding and delimiter by the sample, and passes the sample on.
    fn detect(&mut self, is_whole: bool) -> Result<(), TableError> {
        let sample = self.sample.take().unwrap_or_default();
        if let Some(container) = Container::of(&sample) {
            return Err(TableError::Container(container));
        }
        let (encoding, mark) = match self.options.encoding {
            Some(given) => match encoding::by_mark(&sample) {
                Some((marked, length)) => (Some(marked), length),
                None => (Some(given), 0),
            },
            None => match encoding::detect(&sample, is_whole) {
                Detection::Found(encoding, mark) => (Some(encoding), mark),
                Detection::Ascii => (None, 0),
                Detection::Unclear(byte) => return Err(TableError::unclear_encoding(&sample, byte, Place::START.line)),
            },
        };
        let bytes = sample.get(mark..).unwrap_or_default();
        let text = encoding.unwrap_or(TextEncoding::UTF_8).decode(bytes);
        let (sep, skipped) = delimiter::sep_line(&text).unwrap_or((None, 0));
        let rest = text.get(skipped..).unwrap_or_default();
        let delimiter = self.options.delimiter.or(sep).unwrap_or_else(|| delimiter::detect(rest, is_whole));
        let skipped_text = text.get(..skipped).unwrap_or_default();
        let skipped_bytes = encoding.unwrap_or(TextEncoding::UTF_8).source_length(skipped_text);
        let start = mark + skipped_bytes;
        let line = if skipped > 0 { 2 } else { 1 };
        self.dialect = Dialect { encoding, delimiter, has_sep_line: skipped > 0 };
        let place = Place { byte: u64::try_from(start).unwrap_or_default(), line, row: 1 };
        self.records = Records::new(encoding, delimiter, place);
        if self.options.encoding.is_none() {
            self.records.watch_encoding();
        }
        self.records.push(sample.get(start..).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests;
