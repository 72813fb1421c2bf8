//! The lines of a table (RFC 4180), read in bounded memory.

use std::io::{self, Read};

use csv_core::{ReadRecordResult, Reader};
use tidings_domain::contacts::MAX_COLUMNS;

/// A line has so many bytes at the most.
const MAX_LINE: usize = 64 * 1024;
/// So much of the file is held at once.
const CHUNK: usize = 64 * 1024;

/// A line of a table.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// In which line of the file it begins; the first one is 1.
    pub(super) number: u64,
    /// Its cells, or why they cannot be told.
    pub(super) cells: Result<Vec<String>, String>,
}

/// The lines of a table, one after another.
pub(super) struct Lines<R> {
    source: R,
    reader: Reader,
    input: Vec<u8>,
    /// What of the input was not looked at yet.
    left: std::ops::Range<usize>,
    is_over: bool,
    number: u64,
    output: Vec<u8>,
    ends: Vec<usize>,
}

impl<R: Read> Lines<R> {
    pub(super) fn of(source: R) -> Self {
        Self {
            source,
            reader: Reader::new(),
            input: vec![0; CHUNK],
            left: 0..0,
            is_over: false,
            number: 1,
            output: vec![0; MAX_LINE],
            ends: vec![0; MAX_COLUMNS + 1],
        }
    }

    /// The next line that is not empty.
    pub(super) fn next(&mut self) -> io::Result<Option<Line>> {
        self.skip_empty()?;
        let number = self.number;
        let (mut written, mut ended, mut refusal) = (0, 0, None);
        loop {
            self.fill()?;
            let input = self.input.get(self.left.clone()).unwrap_or_default();
            let output = self.output.get_mut(written..).unwrap_or_default();
            let ends = self.ends.get_mut(ended..).unwrap_or_default();
            let (result, read, wrote, ends) = self.reader.read_record(input, output, ends);
            let passed = input.get(..read).unwrap_or_default();
            self.number += u64::try_from(passed.iter().filter(|byte| **byte == b'\n').count()).unwrap_or_default();
            self.left.start += read;
            (written, ended) = (written + wrote, ended + ends);
            match result {
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull => {
                    refusal = Some(format!("the line is longer than {MAX_LINE} bytes"));
                    (written, ended) = (0, 0);
                }
                ReadRecordResult::OutputEndsFull => {
                    refusal = refusal.or_else(|| Some(format!("the line has more than {MAX_COLUMNS} cells")));
                    (written, ended) = (0, 0);
                }
                ReadRecordResult::Record => {
                    let cells = refusal.map_or_else(|| self.cells(written, ended), Err);
                    return Ok(Some(Line { number, cells }));
                }
                ReadRecordResult::End => return Ok(None),
            }
        }
    }

    fn cells(&self, written: usize, ended: usize) -> Result<Vec<String>, String> {
        let text = self.output.get(..written).unwrap_or_default();
        let text = std::str::from_utf8(text).map_err(|_| "the line is not UTF-8".to_owned())?;
        let (mut begin, mut cells) = (0, Vec::with_capacity(ended));
        for end in self.ends.iter().take(ended) {
            let cell = text.get(begin..*end).ok_or_else(|| "the line is not UTF-8".to_owned())?;
            cells.push(cell.to_owned());
            begin = *end;
        }
        Ok(cells)
    }

    /// Has something to be looked at, unless the file is over.
    fn fill(&mut self) -> io::Result<()> {
        while self.left.is_empty() && !self.is_over {
            let read = match self.source.read(&mut self.input) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read?,
            };
            (self.left, self.is_over) = (0..read, read == 0);
        }
        Ok(())
    }

    /// Passes over what ends lines, so that the number is that of the line which comes.
    fn skip_empty(&mut self) -> io::Result<()> {
        loop {
            self.fill()?;
            match self.input.get(self.left.clone()).and_then(<[u8]>::first) {
                Some(b'\n') => self.number += 1,
                Some(b'\r') => {}
                Some(_) | None => return Ok(()),
            }
            self.left.start += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Vec<Line> {
        let mut lines = Lines::of(text);
        std::iter::from_fn(|| lines.next().unwrap()).collect()
    }

    fn line(number: u64, cells: &[&str]) -> Line {
        Line { number, cells: Ok(cells.iter().map(|it| (*it).to_owned()).collect()) }
    }

    #[test]
    fn lines_are_told_with_their_numbers_whatever_ends_them() {
        let text = "a,b\r\n\"x\r\ny\",\"say \"\"hi\"\"\"\r\n\r\nc,\nd,ä";
        assert_eq!(
            read(text.as_bytes()),
            [line(1, &["a", "b"]), line(2, &["x\r\ny", "say \"hi\""]), line(5, &["c", ""]), line(6, &["d", "ä"])]
        );
        assert_eq!(read(b""), []);
    }

    #[test]
    fn a_line_that_is_too_long_or_no_text_is_told_and_the_next_one_is_read() {
        let long = format!("a\n{}\nb\n", "x".repeat(MAX_LINE + 9));
        let lines = read(long.as_bytes());
        assert!(lines[1].cells.as_ref().unwrap_err().contains("longer than 65536 bytes"));
        assert_eq!((lines[1].number, &lines[2]), (2, &line(3, &["b"])));
        let wide = format!("a\n{}\nb\n", ",".repeat(MAX_COLUMNS + 50));
        let lines = read(wide.as_bytes());
        assert!(lines[1].cells.as_ref().unwrap_err().contains("more than 200 cells"), "{:?}", lines[1]);
        assert_eq!(lines[2], line(3, &["b"]));
        let lines = read(b"a\n\xff\xfe\nb\n");
        assert!(lines[1].cells.as_ref().unwrap_err().contains("UTF-8"));
        assert_eq!(lines[2], line(3, &["b"]));
    }
}
