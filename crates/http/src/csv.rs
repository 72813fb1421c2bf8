//! Tables as text (RFC 4180).

use tidings_domain::contacts::is_formula;

/// Appends a line with these cells.
pub fn write_line<'c>(text: &mut String, cells: impl IntoIterator<Item = &'c str>) {
    for (place, cell) in cells.into_iter().enumerate() {
        write_cell(text, place, cell);
    }
    end_line(text);
}

/// Appends the cell at a place of its line; the first place is 0. A cell that a spreadsheet would read as a formula gets a
/// `'` before it.
pub fn write_cell(text: &mut String, place: usize, cell: &str) {
    if place > 0 {
        text.push(',');
    }
    let guard = if is_formula(cell) { "'" } else { "" };
    if cell.contains(['"', ',', '\r', '\n']) {
        text.extend(["\"", guard, &cell.replace('"', "\"\""), "\""]);
    } else {
        text.extend([guard, cell]);
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
            ("\r=1", "\"'\r=1\"\r\n"),
            ("\n=1", "\"'\n=1\"\r\n"),
            ("＝1", "'＝1\r\n"),
            ("＋1", "'＋1\r\n"),
            ("－1", "'－1\r\n"),
            ("＠A1", "'＠A1\r\n"),
            ("=A1,B1", "\"'=A1,B1\"\r\n"),
            ("1=1", "1=1\r\n"),
            ("'=1", "'=1\r\n"),
        ] {
            assert_eq!(written(&[cell]), line);
        }
    }
}
