use super::*;
use crate::limits::MAX_ROW;
use proptest::prelude::*;

/// The headings, and each row as its number, its line and its cells or the code of its error.
fn read_pieces(bytes: &[u8], size: usize, options: ReadOptions) -> Result<Vec<String>, TableError> {
    let mut reader = TableReader::new(options);
    let mut lines = Vec::new();
    let mut drain = |reader: &mut TableReader| {
        while let Some(row) = reader.next_row()? {
            let cells = row.cells.map(|it| it.iter().collect::<Vec<_>>().join("|"));
            let cells = cells.unwrap_or_else(|error| format!("! {}", error.code()));
            lines.push(format!("{}/{}: {cells}", row.number, row.line));
        }
        Ok(())
    };
    for piece in bytes.chunks(size) {
        reader.push(piece)?;
        drain(&mut reader)?;
    }
    reader.finish()?;
    drain(&mut reader)?;
    let headings = reader.headings().unwrap_or_default().join("|");
    Ok([vec![headings], lines].concat())
}

fn read(text: &str) -> Vec<String> {
    read_pieces(text.as_bytes(), usize::MAX, ReadOptions::default()).unwrap()
}

#[test]
fn rows_have_spreadsheet_numbers_and_file_lines() {
    let text = "a,b\r\n\"x\r\ny\",\"say \"\"hi\"\"\"\r\n\r\n,\r\nc,\r\nd,ä";
    assert_eq!(read(text), ["a|b", "2/2: x\r\ny|say \"hi\"", "5/6: c|", "6/7: d|ä"]);
    assert_eq!(read("\n\na\n1"), ["a", "4/4: 1"]);
    assert_eq!(read("a\r1\r\r2"), ["a", "2/2: 1", "4/4: 2"], "a carriage return ends a line");
}

#[test]
fn counts_blank_rows() {
    let mut reader = TableReader::new(ReadOptions::default());
    reader.push(b"a;b\n1;2\n;\n\n \t; \n3;4\n\n").unwrap();
    reader.finish().unwrap();
    let mut rows = 0;
    while reader.next_row().unwrap().is_some() {
        rows += 1;
    }
    assert_eq!((rows, reader.blank_rows()), (2, 4));
}

#[test]
fn trailing_empty_columns_and_missing_cells_are_no_errors() {
    assert_eq!(read("a;b;;\n1\n1;2;;;\n1;2;3\n"), ["a|b", "2/2: 1|", "3/3: 1|2", "4/4: ! wrong_number_of_cells"]);
    assert_eq!(read("a;;b\n1;2;3\n"), ["a||b", "2/2: 1|2|3"], "an empty heading between others is a column");
}

#[test]
fn continues_after_a_row_that_cannot_be_read() {
    let long = format!("a,b\n{},x\n1,2\n", "x".repeat(MAX_ROW + 9));
    assert_eq!(read(&long), ["a|b", "2/2: ! too_long", "3/3: 1|2"]);
    let wide = format!("a,b\n{}\n1,2\n", ",".repeat(MAX_ROW - 1));
    assert_eq!(read(&wide), ["a|b", "2/2: ! too_long", "3/3: 1|2"]);
    let given = ReadOptions { encoding: Some(TextEncoding::UTF_8), ..ReadOptions::default() };
    let rows = read_pieces(b"a,b\n\xff,\xfe\n1,2\n", 3, given).unwrap();
    assert_eq!(rows, ["a|b", "2/2: ! invalid_encoding", "3/3: 1|2"]);
}

#[test]
fn tables_that_cannot_be_read_are_refused() {
    let error = |bytes: &[u8]| read_pieces(bytes, 5, ReadOptions::default()).unwrap_err();
    assert_eq!(error(b""), TableError::Empty);
    assert_eq!(error(b"\xEF\xBB\xBF\r\n;;\r\n"), TableError::Empty);
    assert_eq!(error(b"PK\x03\x04abc"), TableError::Container(Container::ZipWorkbook));
    assert_eq!(error(b"a,b\n1,\"2\n3,4\n"), TableError::OpenQuote { line: 2 });
    assert_eq!(error(b"a\n\x81\x8d\n"), TableError::UnclearEncoding { line: 2, byte: 0x81 });
    let wide = "a,".repeat(MAX_COLUMNS + 1);
    assert_eq!(error(wide.as_bytes()), TableError::TooManyColumns { line: 1, columns: MAX_COLUMNS + 1 });
    let rejected = "line,column,code,message,".to_owned() + &"a,".repeat(MAX_COLUMNS);
    assert!(
        read_pieces(rejected.as_bytes(), 99, ReadOptions::default()).is_ok(),
        "rejected rows of the widest table are read"
    );
    for error in [error(b"PK\x03\x04"), error(b"a,\"b"), error(b"a\n\x81")] {
        assert!(error.to_string().len() > 40 && !error.code().is_empty(), "{error}");
    }
}

#[test]
fn the_first_non_ascii_byte_decides_the_encoding() {
    let ascii = "a;b\n".to_owned() + &"1;2\n".repeat(SAMPLE / 4 + 7);
    for (tail, encoding) in [("ü;x\n".as_bytes(), TextEncoding::UTF_8), (b"\xFC;x\n", TextEncoding::WINDOWS_1252)] {
        let bytes = [ascii.as_bytes(), tail].concat();
        for size in [1_000, 1_023, SAMPLE] {
            let rows = read_pieces(&bytes, size, ReadOptions::default()).unwrap();
            assert!(rows.last().unwrap().ends_with(": ü|x"), "{encoding} {size} {:?}", rows.last());
        }
    }
    let cut = [ascii.as_bytes(), b"\xC3"].concat();
    let rows = read_pieces(&cut, 1_000, ReadOptions::default()).unwrap();
    assert!(rows.last().unwrap().ends_with(": Ã|"), "{:?}", rows.last());
}

#[test]
fn a_byte_order_mark_wins_over_the_parameter() {
    let given = ReadOptions { encoding: Some(TextEncoding::WINDOWS_1252), ..ReadOptions::default() };
    assert_eq!(
        read_pieces(b"\xEF\xBB\xBFn\xC3\xA4me\n1\n", 4, given),
        Ok(vec!["näme".to_owned(), "2/2: 1".to_owned()])
    );
}

#[test]
fn headings_are_read_before_the_first_row() {
    let mut reader = TableReader::new(ReadOptions { delimiter: Some(Delimiter::Comma), ..ReadOptions::default() });
    reader.push(b"a,b\n1,2\n").unwrap();
    assert_eq!(reader.read_headings(), Ok(None), "detection waits for a whole sample");
    reader.finish().unwrap();
    assert_eq!(reader.read_headings().unwrap().unwrap(), ["a", "b"]);
    assert_eq!(reader.next_row().unwrap().unwrap().number, 2);
}

#[test]
fn rejects_a_table_with_a_doubtful_detected_encoding() {
    let western = encoded(&("näme\n".to_owned() + &"Zoë\n".repeat(SAMPLE / 4)), TextEncoding::WINDOWS_1252);
    let mixed = [western.as_slice(), "Größe Füße Jäger\n".repeat(20_000).as_bytes()].concat();
    let error = read_pieces(&mixed, 1_000, ReadOptions::default()).unwrap_err();
    assert!(matches!(error, TableError::UnclearEncoding { line, .. } if line > 10_000), "{error}");
    let given = ReadOptions { encoding: Some(TextEncoding::WINDOWS_1252), ..ReadOptions::default() };
    assert!(read_pieces(&mixed, 1_000, given).is_ok(), "a specified encoding is not checked");
}

fn encoded(text: &str, encoding: TextEncoding) -> Vec<u8> {
    match encoding {
        TextEncoding(it) if it == encoding_rs::UTF_16LE => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        TextEncoding(it) if it == encoding_rs::UTF_16BE => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        TextEncoding(it) => it.encode(text).0.into_owned(),
    }
}

const ENCODINGS: [TextEncoding; 4] =
    [TextEncoding::UTF_8, TextEncoding::UTF_16LE, TextEncoding::UTF_16BE, TextEncoding::WINDOWS_1252];

#[test]
fn resumes_a_table_after_each_row() {
    let text = "näme;b\r\n\r\n\"1\r\nü\";x\r\n3;\"4€\"\r\n\r\n;\r\n5;6\r\n\n7;8";
    for encoding in ENCODINGS {
        let bytes = encoded(text, encoding);
        for size in [1, 3, 1_000] {
            let options = ReadOptions { encoding: Some(encoding), ..ReadOptions::default() };
            let mut reader = TableReader::new(options);
            let mut ends = Vec::new();
            let mut pieces = bytes.chunks(size);
            loop {
                while let Some(row) = reader.next_row().unwrap() {
                    ends.push(row.end);
                }
                match pieces.next() {
                    Some(piece) => reader.push(piece).unwrap(),
                    None if reader.records.is_finished() => break,
                    None => reader.finish().unwrap(),
                }
            }
            let all = read_pieces(&bytes, size, options).unwrap();
            assert_eq!(ends.len(), 4);
            for (place, end) in ends.iter().enumerate() {
                let headings = reader.headings().unwrap().to_vec();
                let mut rest = TableReader::resume(reader.dialect(), headings, *end);
                rest.push(&bytes[usize::try_from(end.byte).unwrap()..]).unwrap();
                rest.finish().unwrap();
                let mut rows = Vec::new();
                while let Some(row) = rest.next_row().unwrap() {
                    let cells = row.cells.unwrap().iter().collect::<Vec<_>>().join("|");
                    rows.push(format!("{}/{}: {cells}", row.number, row.line));
                }
                assert_eq!(rows, all[place + 2..], "{encoding} {size}");
            }
        }
    }
}

proptest! {
    #[test]
    fn pieces_of_any_size_give_the_same_rows(
        cells in proptest::collection::vec("[a-c äü€\";,\r\n]{0,6}", 1..12),
        size in 1_usize..40,
        at in 0_usize..4,
        columns in 1_usize..4,
    ) {
        let encoding = ENCODINGS[at];
        let quoted = |it: &String| format!("\"{}\"", it.replace('"', "\"\""));
        let mut text = (0..columns).map(|it| format!("h{it}")).collect::<Vec<_>>().join(";") + "\r\n";
        for row in cells.chunks(columns) {
            text += &(row.iter().map(quoted).collect::<Vec<_>>().join(";") + "\r\n");
        }
        let options = ReadOptions { encoding: Some(encoding), delimiter: Some(Delimiter::Semicolon) };
        let whole = read_pieces(&encoded(&text, encoding), usize::MAX, options).unwrap();
        let pieces = read_pieces(&encoded(&text, encoding), size, options).unwrap();
        prop_assert_eq!(&whole, &pieces);
        let expected: Vec<String> = cells.chunks(columns)
            .filter(|row| row.iter().any(|it| !trim(it).is_empty()))
            .map(|row| (0..columns).map(|it| row.get(it).cloned().unwrap_or_default()).collect::<Vec<_>>().join("|"))
            .collect();
        let read: Vec<_> = whole.iter().skip(1).map(|it| it.split_once(": ").unwrap().1.to_owned()).collect();
        prop_assert_eq!(read, expected);
    }

    #[test]
    fn never_panics_on_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200), size in 1_usize..50) {
        let _ = read_pieces(&bytes, size, ReadOptions::default());
    }
}
