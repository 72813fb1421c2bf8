//! The lines of a table (RFC 4180), read in bounded memory.

use std::io::{self, Read};

use csv_core::{ReadRecordResult, Reader};

use super::{MAX_COLUMNS, REASONS};

/// A line has so many bytes at the most.
pub const MAX_LINE: usize = 64 * 1024;
/// So much of the file is held at once.
const CHUNK: usize = 64 * 1024;

/// A line of a table.
#[derive(Debug, PartialEq, Eq)]
pub struct Line {
    /// Where it begins.
    pub from: Place,
    /// Where what comes behind it begins.
    pub to: Place,
    /// Its cells, or why they cannot be told.
    pub cells: Result<Vec<String>, String>,
}

/// A place in a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// So many bytes stand before it.
    pub byte: u64,
    /// In which line of the file it is; the first one is 1.
    pub line: u64,
}

impl Place {
    /// Where a file begins.
    pub const START: Self = Self { byte: 0, line: 1 };
}

/// The lines of a table, one after another.
pub struct Lines<R> {
    source: R,
    reader: Reader,
    input: Vec<u8>,
    /// What of the input was not looked at yet.
    left: std::ops::Range<usize>,
    is_over: bool,
    at: Place,
    output: Vec<u8>,
    ends: Vec<usize>,
}

impl<R: Read> Lines<R> {
    /// The lines of a whole file.
    pub fn of(source: R) -> Self {
        Self::from(source, Place::START)
    }

    /// The lines behind one that ended at this place, where the source goes on.
    pub fn from(source: R, at: Place) -> Self {
        Self {
            source,
            reader: Reader::new(),
            input: vec![0; CHUNK],
            left: 0..0,
            is_over: false,
            at,
            output: vec![0; MAX_LINE],
            ends: vec![0; REASONS.len() + MAX_COLUMNS + 1],
        }
    }

    /// The next line that is not empty.
    ///
    /// # Errors
    /// Those of the source.
    #[allow(clippy::should_implement_trait, reason = "it may fail, and reads on where it does not")]
    pub fn next(&mut self) -> io::Result<Option<Line>> {
        self.skip_empty()?;
        let from = self.at;
        let (mut written, mut ended, mut refusal) = (0, 0, None);
        loop {
            self.fill()?;
            let input = self.input.get(self.left.clone()).unwrap_or_default();
            let output = self.output.get_mut(written..).unwrap_or_default();
            let ends = self.ends.get_mut(ended..).unwrap_or_default();
            let (result, read, wrote, ends) = self.reader.read_record(input, output, ends);
            let passed = input.get(..read).unwrap_or_default();
            self.at.line += number(passed.iter().filter(|byte| **byte == b'\n').count());
            self.at.byte += number(read);
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
                    return Ok(Some(Line { from, to: self.at, cells }));
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
                Some(b'\n') => self.at.line += 1,
                Some(b'\r') => {}
                Some(_) | None => return Ok(()),
            }
            self.left.start += 1;
            self.at.byte += 1;
        }
    }
}

fn number(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// Whether a line, as it stands in the file, ends within quotes that were never closed.
pub fn is_open(line: &[u8]) -> bool {
    #[derive(PartialEq)]
    enum At {
        CellBegin,
        Bare,
        Quoted,
        /// Behind a quote within quotes: it ends them, unless another follows.
        Quote,
    }
    let end = line.iter().fold(At::CellBegin, |at, byte| match (at, byte) {
        (At::CellBegin | At::Quote, b'"') | (At::Quoted, 0..=b'!' | b'#'..) => At::Quoted,
        (At::Quoted, b'"') => At::Quote,
        (_, b',') => At::CellBegin,
        (At::CellBegin | At::Bare | At::Quote, _) => At::Bare,
    });
    end == At::Quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Vec<Line> {
        let mut lines = Lines::of(text);
        std::iter::from_fn(|| lines.next().unwrap()).collect()
    }

    fn told(lines: Vec<Line>) -> Vec<(u64, Vec<String>)> {
        lines.into_iter().map(|it| (it.from.line, it.cells.unwrap())).collect()
    }

    fn line(number: u64, cells: &[&str]) -> (u64, Vec<String>) {
        (number, cells.iter().map(|it| (*it).to_owned()).collect())
    }

    #[test]
    fn lines_are_told_with_their_numbers_whatever_ends_them() {
        let text = "a,b\r\n\"x\r\ny\",\"say \"\"hi\"\"\"\r\n\r\nc,\nd,ä";
        assert_eq!(
            told(read(text.as_bytes())),
            [line(1, &["a", "b"]), line(2, &["x\r\ny", "say \"hi\""]), line(5, &["c", ""]), line(6, &["d", "ä"])]
        );
        assert_eq!(read(b""), []);
    }

    #[test]
    fn a_line_that_is_too_long_or_no_text_is_told_and_the_next_one_is_read() {
        let long = format!("a\n{}\nb\n", "x".repeat(MAX_LINE + 9));
        let mut lines = read(long.as_bytes());
        assert!(lines[1].cells.as_ref().unwrap_err().contains("longer than 65536 bytes"));
        assert_eq!((lines[1].from.line, told(lines.split_off(2))), (2, vec![line(3, &["b"])]));
        let wide = format!("a\n{}\nb\n", ",".repeat(MAX_COLUMNS + 50));
        let mut lines = read(wide.as_bytes());
        assert!(lines[1].cells.as_ref().unwrap_err().contains("more than 200 cells"), "{:?}", lines[1]);
        assert_eq!(told(lines.split_off(2)), [line(3, &["b"])]);
        let mut lines = read(b"a\n\xff\xfe\nb\n");
        assert!(lines[1].cells.as_ref().unwrap_err().contains("UTF-8"));
        assert_eq!(told(lines.split_off(2)), [line(3, &["b"])]);
    }

    #[test]
    fn what_stands_behind_a_line_is_read_on_from_its_end() {
        let text = b"a,b\r\n\n\"1\r\n2\",x\r\n3,\"4\"\n5,6";
        let all = read(text);
        for line in &all {
            let rest = text.get(usize::try_from(line.to.byte).unwrap()..).unwrap();
            let mut lines = Lines::from(rest, line.to);
            let rest: Vec<_> = std::iter::from_fn(|| lines.next().unwrap()).collect();
            let behind: Vec<_> = all.iter().skip_while(|it| it.from <= line.from).collect();
            assert_eq!(rest.iter().collect::<Vec<_>>(), behind);
        }
        assert_eq!(all.last().map(|it| it.to), Some(Place { byte: 25, line: 6 }));
    }

    #[test]
    fn quotes_that_are_never_closed_are_seen() {
        for (line, open) in [
            ("a,\"b", true),
            ("a,\"b\"", false),
            ("a,\"b\"\"", true),
            ("5\" pipe,b", false),
            ("\"a\"\"b\",c", false),
            ("\"a,b\n", true),
            ("", false),
        ] {
            assert_eq!(is_open(line.as_bytes()), open, "{line}");
        }
    }
}
