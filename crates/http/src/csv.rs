//! Tables as text (RFC 4180).

/// A table that is being written.
#[derive(Debug, Default)]
pub struct Csv(String);

impl Csv {
    /// Writes a line. Where a cell begins as formulas do in spreadsheets, a `'` is put before it.
    pub fn line<'c>(&mut self, cells: impl IntoIterator<Item = &'c str>) {
        for (place, cell) in cells.into_iter().enumerate() {
            if place > 0 {
                self.0.push(',');
            }
            let guard = if cell.starts_with(['=', '+', '-', '@', '\t']) { "'" } else { "" };
            if cell.contains(['"', ',', '\r', '\n']) {
                self.0.extend(["\"", guard, &cell.replace('"', "\"\""), "\""]);
            } else {
                self.0.extend([guard, cell]);
            }
        }
        self.0.push_str("\r\n");
    }

    /// The whole text.
    pub fn into_text(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(cells: &[&str]) -> String {
        let mut csv = Csv::default();
        csv.line(cells.iter().copied());
        csv.into_text()
    }

    #[test]
    fn what_separates_cells_and_lines_is_quoted() {
        assert_eq!(written(&["a", "", "b c"]), "a,,b c\r\n");
        assert_eq!(
            written(&["a,b", "say \"hi\"", "two\r\nlines", "two\nlines"]),
            concat!("\"a,b\",\"say \"\"hi\"\"\",\"two\r\nlines\",\"two\nlines\"", "\r\n")
        );
    }

    #[test]
    fn no_cell_is_a_formula() {
        for (cell, line) in [
            ("=1+1", "'=1+1\r\n"),
            ("+1", "'+1\r\n"),
            ("-1", "'-1\r\n"),
            ("@A1", "'@A1\r\n"),
            ("\tx", "'\tx\r\n"),
            ("=A1,B1", "\"'=A1,B1\"\r\n"),
            ("1=1", "1=1\r\n"),
            ("'=1", "'=1\r\n"),
        ] {
            assert_eq!(written(&[cell]), line);
        }
    }
}
