//! Reads the tables that people's spreadsheets write, and the answers that people type.
//!
//! The crate is pure: bytes and parameters in, values out. It does no I/O, reads no clock and has no global state.
//!
//! | Step | Items |
//! |---|---|
//! | Read rows from pieces of bytes | [`TableReader`], [`ReadOptions`], [`Dialect`], [`Row`], [`Place`] |
//! | Find the target of each column | [`match_headings`], [`Target`], [`Match`], [`CustomField`] |
//! | Guess the format of each column | [`ColumnGuess`], [`Guess`], [`Outcome`], [`Hints`] |
//! | Read cells in a format | [`parse`], [`Format`], [`Value`], [`CellError`] |
//! | Read typed answers | [`read_number`], [`read_date`], [`read_date_time`], [`read_yes_no`] |
//! | Guard exports against formulas | [`guarded`], [`unguarded`] |
//!
//! An import reads its source twice. The first pass maps the headings and guesses the formats; the second pass reads
//! the cells in the formats that the first one reported.
//!
//! ```
//! use tidings_tables::{ColumnGuess, Hints, ReadOptions, TableReader, Value, match_headings, parse};
//!
//! let file = "E-Mail;Umsatz\r\nada@example.com;1.234,50\r\nbob@example.com;12,5\r\n".as_bytes();
//! let fields = [tidings_tables::CustomField {
//!     key: "revenue".to_owned(),
//!     name: "Umsatz".to_owned(),
//!     kind: tidings_tables::ColumnKind::Number,
//!     options: vec![],
//! }];
//!
//! // First pass: map and guess.
//! let mut reader = TableReader::new(ReadOptions::default());
//! reader.push(file)?; // Push more pieces of a large source, and read rows after each.
//! reader.finish()?;
//! let headings = reader.read_headings()?.ok_or("no headings")?;
//! let matches = match_headings(headings, &fields, &[]).map_err(|errors| errors[0].clone())?;
//! let mut guesses = Vec::new();
//! for column in &matches.columns {
//!     let (kind, options) = column.target().and_then(|it| it.kind(&fields, false)).ok_or("unknown column")?;
//!     guesses.push(ColumnGuess::new(kind, options, Hints::default()));
//! }
//! while let Some(row) = reader.next_row()? {
//!     for (guess, cell) in guesses.iter_mut().zip(row.cells?.iter()) {
//!         guess.add(row.number, cell);
//!     }
//! }
//! let guess = guesses.remove(1).finish();
//! let format = guess.format().ok_or("not decided")?;
//! assert_eq!(format.to_string(), "number:1.234,5");
//!
//! // Second pass: read cells.
//! let value = parse("1.234,50", format, &Default::default())?;
//! assert!(matches!(value, Some(Value::Number(number)) if number.as_str() == "1234.5"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(test), deny(clippy::as_conversions, clippy::wildcard_enum_match_arm))]

mod answers;
mod cells;
mod container;
mod conventions;
mod dates;
mod delimiter;
mod encoding;
mod errors;
mod formats;
mod guard;
mod guess;
mod headings;
mod kinds;
mod limits;
mod lists;
mod months;
mod names;
mod numbers;
mod options;
mod phones;
mod quotes;
mod reasons;
mod records;
mod row;
mod rows;
mod text;
mod times;
mod yes_no;
mod zones;

pub use answers::{Answer, read_date, read_date_time, read_number, read_yes_no};
pub use cells::{CellError, Value, parse};
pub use container::Container;
pub use conventions::Writer;
pub use dates::{DateForm, DateOrder};
pub use delimiter::{Delimiter, UnknownDelimiter};
pub use encoding::{TextEncoding, UnknownEncoding};
pub use errors::{RowError, TableError};
pub use formats::{Format, UnknownFormat};
pub use guard::{GuardedType, guarded, is_formula, unguarded};
pub use guess::{ColumnGuess, Guess, Hints, Misfit, Outcome, Proposal, Sample};
pub use headings::{
    CustomField, HeadingError, HeadingMatches, Language, Match, Named, Target, column_names, kind_by_heading,
    match_headings, unnamed,
};
pub use kinds::ColumnKind;
pub use limits::{MAX_COLUMNS, MAX_ROW};
pub use lists::ListForm;
pub use names::{FullName, NameOrder, split_full_name};
pub use numbers::{Decimal, Grouping, Number, NumberForm};
pub use options::Options;
pub use phones::{Country, PhoneForm};
pub use reasons::Reason;
pub use row::{Cells, Place, Row};
pub use rows::{Dialect, ReadOptions, TableReader};
pub use text::{fold, shortened};
pub use times::Moment;

#[cfg(test)]
mod files_tests;
