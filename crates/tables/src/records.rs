//! Records of a table: decoding of pieces, splitting into cells, and counting of bytes, lines and rows.

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use encoding_rs::Decoder;

use crate::delimiter::Delimiter;
use crate::encoding::{self, Detection, TextEncoding, WesternSigns};
use crate::errors::{RowError, TableError};
use crate::limits::{MAX_COLUMNS, MAX_ROW};
use crate::quotes::is_open;
use crate::row::{Cells, Place, Row};
use crate::text::trim;

/// The most cells of a record, trailing empty ones included: spreadsheets write many of them.
const MAX_CELLS: usize = 20 * MAX_COLUMNS;

/// A record that was split into cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Record {
    begin: Place,
    end: Place,
    is_too_long: bool,
    /// Whether no cell has text.
    pub(crate) is_blank: bool,
}

/// Splits pieces of bytes into records.
#[derive(Debug)]
pub(crate) struct Records {
    encoding: Option<TextEncoding>,
    decoder: Option<Box<Decoder>>,
    /// Signs against a detected Windows-1252 behind the sample; `None` if the encoding is certain or given.
    signs: Option<WesternSigns>,
    delimiter: u8,
    core: Box<Reader>,
    /// Decoded text that is not split yet, from `at` on.
    input: Vec<u8>,
    at: usize,
    /// ASCII so far, and the start of a character that the piece cuts.
    cut: Vec<u8>,
    is_finished: bool,
    place: Place,
    begin: Option<Place>,
    /// The start of a record that continues in the next piece.
    partial: Vec<u8>,
    is_too_long: bool,
    /// Whether a carriage return at the end of the last piece waits for a line feed.
    has_return: bool,
    blank_lines: u64,
    output: Vec<u8>,
    written: usize,
    ends: Vec<usize>,
    ended: usize,
}

impl Records {
    pub(crate) fn new(encoding: Option<TextEncoding>, delimiter: Delimiter, place: Place) -> Self {
        let delimiter = delimiter.byte();
        Self {
            encoding,
            decoder: decoder(encoding),
            signs: None,
            delimiter,
            core: Box::new(ReaderBuilder::new().delimiter(delimiter).build()),
            input: Vec::new(),
            at: 0,
            cut: Vec::new(),
            is_finished: false,
            place,
            begin: None,
            partial: Vec::new(),
            is_too_long: false,
            has_return: false,
            blank_lines: 0,
            output: vec![0; MAX_ROW],
            written: 0,
            ends: vec![0; MAX_CELLS],
            ended: 0,
        }
    }

    pub(crate) fn encoding(&self) -> Option<TextEncoding> {
        self.encoding
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.is_finished
    }

    pub(crate) fn blank_lines(&self) -> u64 {
        self.blank_lines
    }

    /// Decodes a piece. Text that was split is removed first.
    pub(crate) fn push(&mut self, piece: &[u8]) -> Result<(), TableError> {
        self.input.drain(..self.at);
        self.at = 0;
        if std::mem::take(&mut self.has_return) {
            self.input.push(b'\r');
        }
        self.add(piece)?;
        // The end of a line is never cut: each row ends behind it.
        self.has_return = self.input.pop_if(|last| *last == b'\r').is_some();
        Ok(())
    }

    /// Continues to check an encoding that detection has chosen.
    pub(crate) fn watch_encoding(&mut self) {
        self.signs = self.encoding.filter(|it| *it == TextEncoding::WINDOWS_1252).map(|_| WesternSigns::default());
    }

    fn add(&mut self, piece: &[u8]) -> Result<(), TableError> {
        if self.encoding.is_some() {
            if let Some(signs) = &mut self.signs {
                signs.add(piece);
                if !signs.is_plausible() {
                    let byte = piece.iter().position(|byte| !byte.is_ascii()).unwrap_or_default();
                    return Err(TableError::unclear_encoding(piece, byte, self.place.line));
                }
            }
            self.decode(piece, false);
            return Ok(());
        }
        let joined;
        let bytes = if self.cut.is_empty() {
            piece
        } else {
            joined = [std::mem::take(&mut self.cut).as_slice(), piece].concat();
            &joined
        };
        self.push_undecided(bytes, false)
    }

    /// Adds the end of the text.
    pub(crate) fn finish(&mut self) -> Result<(), TableError> {
        if std::mem::take(&mut self.has_return) {
            self.input.push(b'\r');
        }
        let cut = std::mem::take(&mut self.cut);
        if !cut.is_empty() {
            self.push_undecided(&cut, true)?;
        }
        self.decode(&[], true);
        self.is_finished = true;
        Ok(())
    }

    /// Takes ASCII as it is; the first other byte decides the encoding.
    fn push_undecided(&mut self, bytes: &[u8], is_whole: bool) -> Result<(), TableError> {
        let ascii = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(bytes.len());
        let (before, rest) = bytes.split_at(ascii);
        self.input.extend_from_slice(before);
        if rest.is_empty() {
            return Ok(());
        }
        let unclear = |place| Err(TableError::unclear_encoding(bytes, ascii + place, self.place.line));
        match encoding::detect(rest, is_whole) {
            // The text before was ASCII, so it is not UTF-16.
            Detection::Found(encoding, _) if encoding.is_wide() => unclear(0),
            Detection::Found(encoding, _) => {
                self.encoding = Some(encoding);
                self.decoder = decoder(self.encoding);
                self.watch_encoding();
                self.decode(rest, false);
                Ok(())
            }
            Detection::Ascii => {
                self.cut = rest.to_vec();
                Ok(())
            }
            Detection::Unclear(place) => unclear(place),
        }
    }

    fn decode(&mut self, bytes: &[u8], is_last: bool) {
        let Some(decoder) = &mut self.decoder else { return self.input.extend_from_slice(bytes) };
        let begin = self.input.len();
        let most = decoder.max_utf8_buffer_length(bytes.len()).unwrap_or_default();
        self.input.resize(begin + most, 0);
        let free = self.input.get_mut(begin..).unwrap_or_default();
        let (_, _, written, _) = decoder.decode_to_utf8(bytes, free, is_last);
        self.input.truncate(begin + written);
    }

    /// The next record, or `None` if more text is needed or the table has ended.
    pub(crate) fn next(&mut self) -> Result<Option<Record>, TableError> {
        if self.begin.is_none() {
            self.skip_empty_lines();
        }
        loop {
            let input = self.input.get(self.at..).unwrap_or_default();
            if input.is_empty() && !self.is_finished {
                return Ok(None);
            }
            if self.begin.is_none() {
                (self.begin, self.written, self.ended, self.is_too_long) = (Some(self.place), 0, 0, false);
            }
            let output = self.output.get_mut(self.written..).unwrap_or_default();
            let ends = self.ends.get_mut(self.ended..).unwrap_or_default();
            let (result, read, wrote, ended) = self.core.read_record(input, output, ends);
            let is_end = input.is_empty();
            (self.written, self.ended) = (self.written + wrote, self.ended + ended);
            if result == ReadRecordResult::InputEmpty {
                self.keep_partial(self.at);
            }
            self.count(read);
            match result {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => {
                    (self.written, self.ended, self.is_too_long) = (0, 0, true);
                }
                ReadRecordResult::Record => return self.end_record(is_end).map(Some),
                ReadRecordResult::End => return Ok(None),
            }
        }
    }

    /// Keeps the start of a record that the piece cuts: at the end of the table its quotes are checked.
    fn keep_partial(&mut self, from: usize) {
        let free = (2 * MAX_ROW).saturating_sub(self.partial.len());
        let rest = self.input.get(from..).unwrap_or_default();
        self.partial.extend_from_slice(rest.get(..free).unwrap_or(rest));
    }

    fn end_record(&mut self, is_end: bool) -> Result<Record, TableError> {
        let begin = self.begin.take().unwrap_or(self.place);
        if is_end && is_open(&self.partial, self.delimiter) {
            return Err(TableError::OpenQuote { line: begin.line });
        }
        self.partial.clear();
        if self.at.checked_sub(1).and_then(|last| self.input.get(last)) == Some(&b'\r') {
            self.end_return();
        }
        self.place.row += 1;
        let is_blank = !self.is_too_long && self.output.get(..self.written).is_some_and(is_blank);
        Ok(Record { begin, end: self.place, is_too_long: self.is_too_long, is_blank })
    }

    /// Counts the bytes and lines of text that was read.
    fn count(&mut self, read: usize) {
        let text = self.input.get(self.at..self.at + read).unwrap_or_default();
        let lines = text.iter().filter(|byte| **byte == b'\n').count();
        let bytes = match self.encoding.filter(|it| *it != TextEncoding::UTF_8) {
            Some(encoding) => std::str::from_utf8(text).map_or(read, |text| encoding.source_length(text)),
            None => read,
        };
        self.place.line += u64::try_from(lines).unwrap_or_default();
        self.place.byte += u64::try_from(bytes).unwrap_or_default();
        self.at += read;
    }

    /// Skips empty lines, which are rows of the spreadsheet.
    fn skip_empty_lines(&mut self) {
        while let Some(end @ (b'\r' | b'\n')) = self.input.get(self.at).copied() {
            (self.place.row, self.blank_lines) = (self.place.row + 1, self.blank_lines + 1);
            self.count(1);
            if end == b'\r' {
                self.end_return();
            }
        }
    }

    /// Counts a line that ends with a carriage return, and skips the line feed behind it.
    fn end_return(&mut self) {
        match self.input.get(self.at) {
            Some(b'\n') => self.count(1),
            Some(_) | None => self.place.line += 1,
        }
    }

    /// The cells of the record that was read last.
    pub(crate) fn row(&self, record: Record, columns: usize) -> Row<'_> {
        let Record { begin, end, .. } = record;
        Row { number: begin.row, line: begin.line, begin, end, cells: self.cells(record, columns) }
    }

    fn cells(&self, record: Record, columns: usize) -> Result<Cells<'_>, RowError> {
        if record.is_too_long {
            return Err(RowError::TooLong);
        }
        let encoding = self.encoding.unwrap_or(TextEncoding::UTF_8);
        let not_text = || RowError::NotText { encoding: encoding.name() };
        let text = std::str::from_utf8(self.output.get(..self.written).unwrap_or_default()).map_err(|_| not_text())?;
        if encoding != TextEncoding::UTF_8 && text.contains('\u{FFFD}') {
            return Err(not_text());
        }
        let cells = Cells { text, ends: self.ends.get(..self.ended).unwrap_or_default(), columns };
        let surplus = (columns..cells.ends.len()).find_map(|place| {
            let text = trim(cells.written(place)?);
            (!text.is_empty()).then(|| RowError::surplus(place, text, columns))
        });
        surplus.map_or(Ok(cells), Err)
    }
}

/// UTF-8 needs no decoder: the text of each row is checked.
fn decoder(encoding: Option<TextEncoding>) -> Option<Box<Decoder>> {
    encoding.filter(|it| *it != TextEncoding::UTF_8).map(|it| Box::new(it.decoder()))
}

fn is_blank(text: &[u8]) -> bool {
    text.is_empty()
        || (!text.iter().any(u8::is_ascii_graphic) && std::str::from_utf8(text).is_ok_and(|it| trim(it).is_empty()))
}
