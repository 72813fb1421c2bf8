//! Delimiters of cells: names, the `sep=` line, and detection from a sample.

use std::fmt;
use std::str::FromStr;

use crate::quotes::QuoteState;

/// The character between two cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delimiter {
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// A tab.
    Tab,
    /// `|`
    Pipe,
}

/// The number of records of a sample that detection compares.
const RECORDS: usize = 200;

impl Delimiter {
    /// All of them, the most common one first.
    pub const ALL: [Self; 4] = [Self::Comma, Self::Semicolon, Self::Tab, Self::Pipe];

    /// The character as a byte.
    pub fn byte(self) -> u8 {
        match self {
            Self::Comma => b',',
            Self::Semicolon => b';',
            Self::Tab => b'\t',
            Self::Pipe => b'|',
        }
    }

    /// The parameter that selects it: the character itself, or `tab`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Comma => ",",
            Self::Semicolon => ";",
            Self::Tab => "tab",
            Self::Pipe => "|",
        }
    }

    fn of_byte(byte: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.byte() == byte)
    }
}

impl fmt::Display for Delimiter {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// The name of no delimiter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownDelimiter(String);

impl fmt::Display for UnknownDelimiter {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}` is not a supported delimiter: use `,`, `;`, `tab` or `|`", self.0)
    }
}

impl std::error::Error for UnknownDelimiter {}

impl FromStr for Delimiter {
    type Err = UnknownDelimiter;

    fn from_str(text: &str) -> Result<Self, UnknownDelimiter> {
        let found = Self::ALL.into_iter().find(|it| it.as_str() == text || text.as_bytes() == [it.byte()]);
        found.ok_or_else(|| UnknownDelimiter(text.to_owned()))
    }
}

/// Reads a line such as `sep=;` at the start of a table, which Excel understands. Returns its delimiter, if that is
/// supported, and the length of the line with its end.
pub(crate) fn sep_line(text: &str) -> Option<(Option<Delimiter>, usize)> {
    let end = text.find(['\r', '\n']).unwrap_or(text.len());
    let line = text.get(..end)?.trim_start_matches('"');
    let is_sep = line.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("sep="));
    let sign = line.as_bytes().get(4).copied()?;
    // A program that saved the table again may have added quotes and empty cells.
    let is_over = line.bytes().skip(5).all(|byte| byte == b'"' || Delimiter::of_byte(byte).is_some());
    if !is_sep || !is_over {
        return None;
    }
    let rest = text.get(end..).unwrap_or_default();
    let newline = if rest.starts_with("\r\n") { 2 } else { rest.len().min(1) };
    Some((Delimiter::of_byte(sign), end + newline))
}

/// Detects the delimiter of a sample. It gives most records as many cells as the first record has. For a table of one
/// column it is one that does not occur, so commas in texts do not matter.
pub(crate) fn detect(text: &str, is_whole: bool) -> Delimiter {
    let counted = Delimiter::ALL.map(|it| (it, counts(text, it.byte(), is_whole)));
    let score = |counts: &[usize]| {
        let first = counts.first().copied().filter(|count| *count > 0)?;
        let same = counts.iter().filter(|count| **count == first).count();
        Some((same * 1_000 / counts.len().max(1), first))
    };
    let scored = counted.iter().rev().filter_map(|(it, counts)| Some((score(counts)?, *it)));
    let absent = || counted.iter().find(|(_, counts)| counts.iter().all(|count| *count == 0)).map(|(it, _)| *it);
    scored.max_by_key(|(score, _)| *score).map(|(_, it)| it).or_else(absent).unwrap_or(Delimiter::Comma)
}

/// The number of delimiters outside quotes in each record that is not empty.
fn counts(text: &str, delimiter: u8, is_whole: bool) -> Vec<usize> {
    let (mut counts, mut count, mut length, mut state) = (Vec::new(), 0, 0_usize, QuoteState::default());
    for byte in text.bytes() {
        if matches!(byte, b'\r' | b'\n') && state != QuoteState::Quoted {
            if length > 0 {
                counts.push(count);
            }
            if counts.len() >= RECORDS {
                return counts;
            }
            (count, length, state) = (0, 0, QuoteState::default());
            continue;
        }
        count += usize::from(byte == delimiter && state != QuoteState::Quoted);
        (length, state) = (length + 1, state.after(byte, delimiter));
    }
    if length > 0 && (is_whole || counts.is_empty()) {
        counts.push(count);
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_the_delimiter_of_whole_records() {
        for (text, found) in [
            ("a,b\n1,2\n", Delimiter::Comma),
            ("Name;Betrag\nAda;1,5\nBob;2,5\n", Delimiter::Semicolon),
            ("name\ttags\nAda\ta,b;c\n", Delimiter::Tab),
            ("a|b|c\n1|2|3", Delimiter::Pipe),
            ("\"a;b\",\"c;d\"\n\"1;2\",3\n", Delimiter::Comma),
            ("\"say \"\"a,b\"\"\";x\n1;2\n", Delimiter::Semicolon),
            ("Name, first;Email\nAda;a\nBob;b\n", Delimiter::Semicolon),
            ("email\na@example.com\n", Delimiter::Comma),
            ("name\nLovelace, Ada\n", Delimiter::Semicolon),
            ("", Delimiter::Comma),
            ("\"a\nb\";c\n1;2\n", Delimiter::Semicolon),
        ] {
            assert_eq!(detect(text, true), found, "{text}");
        }
    }

    #[test]
    fn reads_a_sep_line() {
        assert_eq!(sep_line("sep=;\r\na;b"), Some((Some(Delimiter::Semicolon), 7)));
        assert_eq!(sep_line("SEP=,\na"), Some((Some(Delimiter::Comma), 6)));
        assert_eq!(sep_line("\"sep=|\"\na"), Some((Some(Delimiter::Pipe), 8)));
        assert_eq!(sep_line("sep=\t\na"), Some((Some(Delimiter::Tab), 6)));
        assert_eq!(sep_line("\"sep=;\";;\na"), Some((Some(Delimiter::Semicolon), 10)));
        assert_eq!(sep_line("sep=#\na"), Some((None, 6)));
        assert_eq!(sep_line("separator;x\n"), None);
        assert_eq!(sep_line("sep\n"), None);
    }

    #[test]
    fn names_are_read_back() {
        for it in Delimiter::ALL {
            assert_eq!(it.as_str().parse(), Ok(it));
        }
        assert_eq!("\t".parse(), Ok(Delimiter::Tab));
        assert!("#".parse::<Delimiter>().is_err());
    }
}
