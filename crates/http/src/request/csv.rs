//! CSV tables (RFC 4180).

use tidings_domain::tables::{GuardedType, guarded};

/// Appends a line with these cells.
pub fn write_line<'c>(text: &mut String, cells: impl IntoIterator<Item = &'c str>) {
    for (place, cell) in cells.into_iter().enumerate() {
        write_cell(text, place, cell, GuardedType::Text);
    }
    end_line(text);
}

/// Appends a cell. `place` is its index in the line, from 0. A cell that a spreadsheet would read as a formula gets a
/// leading `'`, unless its column contains numbers.
pub fn write_cell(text: &mut String, place: usize, cell: &str, column: GuardedType) {
    if place > 0 {
        text.push(',');
    }
    let cell = guarded(cell, column);
    if cell.contains(['"', ',', '\r', '\n']) {
        text.extend(["\"", &cell.replace('"', "\"\""), "\""]);
    } else {
        text.push_str(&cell);
    }
}

/// Ends a line.
pub fn end_line(text: &mut String) {
    text.push_str("\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(cells: &[&str]) -> String {
        let mut text = String::new();
        write_line(&mut text, cells.iter().copied());
        text
    }

    #[test]
    fn quotes_cells_with_separators() {
        assert_eq!(written(&["a", "", "b c"]), "a,,b c\r\n");
        assert_eq!(
            written(&["a,b", "say \"hi\"", "two\r\nlines", "two\nlines"]),
            concat!("\"a,b\",\"say \"\"hi\"\"\",\"two\r\nlines\",\"two\nlines\"", "\r\n")
        );
    }

    #[test]
    fn guards_cells_against_formulas() {
        for (cell, line) in [
            ("=1+1", "'=1+1\r\n"),
            ("+1", "'+1\r\n"),
            ("-1", "'-1\r\n"),
            ("@A1", "'@A1\r\n"),
            ("\tx", "'\tx\r\n"),
            ("\r=1", "\"'\r=1\"\r\n"),
            ("\n=1", "\"'\n=1\"\r\n"),
            ("＝1", "'＝1\r\n"),
            ("＋1", "'＋1\r\n"),
            ("－1", "'－1\r\n"),
            ("＠A1", "'＠A1\r\n"),
            ("=A1,B1", "\"'=A1,B1\"\r\n"),
            ("1=1", "1=1\r\n"),
            ("'=1", "''=1\r\n"),
        ] {
            assert_eq!(written(&[cell]), line);
        }
    }

    #[test]
    fn leaves_numbers_unguarded_in_columns_of_their_type() {
        let written = |cell, column| {
            let mut text = String::new();
            write_cell(&mut text, 0, cell, column);
            text
        };
        assert_eq!(written("-12.5", GuardedType::Number), "-12.5");
        assert_eq!(written("+49301234567", GuardedType::Phone), "+49301234567");
        assert_eq!(written("-1+1", GuardedType::Number), "'-1+1");
        assert_eq!(written("+49301234567", GuardedType::Text), "'+49301234567");
    }
}
