//! The value of a cell in the format of its column.

use std::fmt;

use chrono::NaiveDate;

use crate::dates;
use crate::formats::Format;
use crate::guard::unguarded;
use crate::lists;
use crate::names::{FullName, split_full_name};
use crate::numbers::{self, Number};
use crate::options::Options;
use crate::phones;
use crate::reasons::{Reason, is_scientific, refuse_damage};
use crate::text::{shortened, trim};
use crate::times::Moment;
use crate::yes_no;
use crate::zones;

/// The most characters of a cell that an error shows.
const SHOWN: usize = 60;
/// The most options that an error lists.
const LISTED: usize = 10;

/// The value of a cell.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A text or an ID, without spaces at its ends.
    Text(String),
    /// A full name in two parts.
    FullName(FullName),
    /// A number.
    Number(Number),
    /// Yes or no, with an inverted heading taken into account.
    YesNo(bool),
    /// A day.
    Date(NaiveDate),
    /// A day with a time.
    DateTime(Moment),
    /// A list of texts.
    List(Vec<String>),
    /// A phone number in E.164.
    Phone(String),
    /// The IANA name of a time zone.
    TimeZone(&'static str),
    /// A language tag in the form that BCP 47 recommends.
    Locale(String),
    /// An option, as the field writes it.
    Choice(String),
    /// Options, as the field writes them.
    Choices(Vec<String>),
}

/// A cell that does not fit the format of its column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellError {
    /// The cell, shortened.
    pub value: String,
    /// The reason.
    pub reason: Reason,
    /// The accepted form: an example, or the options.
    pub accepted: String,
}

impl CellError {
    pub(crate) fn new(cell: &str, reason: Reason, format: Format, options: &Options) -> Self {
        let accepted = match (format, reason) {
            (Format::Choice | Format::Choices(_), Reason::UnknownOption) => listed(options),
            (Format::YesNo { .. }, _) => "`yes` or `no`, `true` or `false`, `1` or `0`, `x` for yes".to_owned(),
            (format, _) => format!("`{}`", format.example()),
        };
        Self { value: shortened(trim(cell), SHOWN), reason, accepted }
    }
}

fn listed(options: &Options) -> String {
    let names: Vec<_> = options.names().iter().take(LISTED).map(|name| format!("`{name}`")).collect();
    let more = options.names().len().saturating_sub(LISTED);
    names.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
}

impl fmt::Display for CellError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}` {}; accepted: {}", self.value, self.reason.problem(), self.accepted)?;
        match self.reason.remedy() {
            "" => Ok(()),
            remedy => write!(out, ". To correct it, {remedy}"),
        }
    }
}

impl std::error::Error for CellError {}

/// Removes the guard of a formula and the spaces at both ends. An empty result means that the cell says nothing.
pub(crate) fn content(cell: &str) -> &str {
    trim(unguarded(trim(cell)))
}

/// Reads a cell in the format of its column. `options` are the options of a select field; other columns have none. An
/// empty cell has no value: it leaves the contact as it is.
///
/// # Errors
/// The cell does not fit the format.
pub fn parse(cell: &str, format: Format, options: &Options) -> Result<Option<Value>, CellError> {
    let text = content(cell);
    if text.is_empty() {
        return Ok(None);
    }
    read(text, format, options).map(Some).map_err(|reason| CellError::new(text, reason, format, options))
}

/// Reads the content of a cell.
pub(crate) fn read(text: &str, format: Format, options: &Options) -> Result<Value, Reason> {
    refuse_damage(text)?;
    match format {
        Format::Text => Ok(Value::Text(text.to_owned())),
        Format::Id if is_scientific(text) => Err(Reason::ScientificNotation),
        Format::Id => Ok(Value::Text(text.to_owned())),
        Format::FullName(order) => split_full_name(text, order).map(Value::FullName),
        Format::Number(form) => numbers::read(text, form).map(Value::Number),
        Format::YesNo { is_inverted } => {
            yes_no::read(text).map(|is_yes| Value::YesNo(is_yes != is_inverted)).ok_or(Reason::NotYesNo)
        }
        Format::Date(form) => dates::Outline::of(text)?.date(form).map(Value::Date),
        Format::DateTime { date, has_zone } => dates::Outline::of(text)?.moment(date, has_zone).map(Value::DateTime),
        Format::List(form) => lists::read(text, form).map(Value::List),
        Format::Phone(form) => phones::read(text, form).map(Value::Phone),
        Format::TimeZone => zones::time_zone(text).map(Value::TimeZone).ok_or(Reason::NotATimeZone),
        Format::Locale => zones::locale(text).map(Value::Locale).ok_or(Reason::NotALocale),
        Format::Choice => options.find(text).map(|option| Value::Choice(option.to_owned())),
        Format::Choices(form) => {
            let items = lists::read(text, form)?;
            items.iter().map(|item| options.find(item).map(str::to_owned)).collect::<Result<_, _>>().map(Value::Choices)
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) | Self::Phone(text) | Self::Locale(text) | Self::Choice(text) => out.write_str(text),
            Self::FullName(FullName { first, last, .. }) => {
                write!(out, "{}|{}", first.as_deref().unwrap_or_default(), last.as_deref().unwrap_or_default())
            }
            Self::Number(number) => write!(out, "{number}"),
            Self::YesNo(is_yes) => out.write_str(if *is_yes { "yes" } else { "no" }),
            Self::Date(day) => write!(out, "{day}"),
            Self::DateTime(Moment::Local(local)) => write!(out, "{}", local.format("%Y-%m-%dT%H:%M:%S%.f")),
            Self::DateTime(Moment::Zoned(moment)) => write!(out, "{}", moment.format("%Y-%m-%dT%H:%M:%S%.f%:z")),
            Self::List(items) | Self::Choices(items) => out.write_str(&items.join("|")),
            Self::TimeZone(name) => out.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(cell: &str, format: &str) -> String {
        let options = Options::new(["Gold", "Silver"]);
        match parse(cell, format.parse().unwrap(), &options) {
            Ok(value) => value.map(|it| it.to_string()).unwrap_or_default(),
            Err(error) => format!("{}: {error}", error.reason.code()),
        }
    }

    #[test]
    fn reads_cells_of_each_format() {
        for (cell, format, value) in [
            (" '=Ada ", "text", "=Ada"),
            ("4711", "id", "4711"),
            ("Lovelace, Ada", "full_name", "Ada|Lovelace"),
            ("Lovelace Ada", "full_name:last_first", "Ada|Lovelace"),
            ("'-1.234,50", "number:1.234,5", "-1234.5"),
            ("X", "yes_no", "yes"),
            ("Ja", "yes_no:inverted", "no"),
            ("31.05.2026", "date:dd.mm.yyyy", "2026-05-31"),
            ("31.05.2026 18:00", "date_time:dd.mm.yyyy", "2026-05-31T18:00:00"),
            ("2026-05-31T18:00:00.5Z", "date_time:yyyy-mm-dd+zone", "2026-05-31T18:00:00.500+00:00"),
            ("a; b", "list:;", "a|b"),
            ("030 1234567", "phone:DE", "+49301234567"),
            ("'+49301234567", "phone", "+49301234567"),
            ("europe/berlin", "time_zone", "Europe/Berlin"),
            ("PT_br", "locale", "pt-BR"),
            ("GOLD", "choice", "Gold"),
            ("silver, gold", "choices:,", "Silver|Gold"),
            ("", "number:1234.5", ""),
            (" \u{a0}", "yes_no", ""),
        ] {
            assert_eq!(parsed(cell, format), value, "{cell} {format}");
        }
    }

    #[test]
    fn errors_name_the_value_the_accepted_form_and_the_remedy() {
        for (cell, format, code, parts) in [
            ("#N/A", "text", "spreadsheet_error", ["`#N/A`", "correct the formula"]),
            ("4.9E+11", "id", "scientific_notation", ["`4.9E+11`", "as text"]),
            ("4.9E+11", "phone", "scientific_notation", ["`+49301234567`", "as text"]),
            ("45291", "date:dd.mm.yyyy", "serial_number", ["`31.05.2026`", "as a date"]),
            ("31.05.26", "date:dd.mm.yyyy", "two_digit_year", ["`31.05.26`", "four digits"]),
            ("1.234,5", "number:1234.5", "other_number_format", ["`1.234,5`", "`1234.5`"]),
            ("maybe", "yes_no", "not_yes_no", ["`maybe`", "`x` for yes"]),
            ("bronze", "choice", "unknown_option", ["`bronze`", "`Gold`, `Silver`"]),
        ] {
            let shown = parsed(cell, format);
            assert!(shown.starts_with(code) && parts.iter().all(|part| shown.contains(part)), "{shown}");
        }
    }
}
