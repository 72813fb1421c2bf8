//! Formats of columns, and their stable text form.

use std::fmt;
use std::str::FromStr;

use crate::dates::DateForm;
use crate::lists::ListForm;
use crate::names::NameOrder;
use crate::numbers::NumberForm;
use crate::phones::{Country, PhoneForm};

/// The format of all cells of a column.
///
/// Its text form is stable: a check reports it, and the import takes it as a parameter. Examples: `text`,
/// `number:1.234,5`, `date:dd.mm.yyyy`, `date_time:yyyy-mm-dd+zone`, `list:;`, `phone:DE`, `yes_no:inverted`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Any text.
    Text,
    /// An ID: a text that scientific notation would have damaged.
    Id,
    /// A full name, which becomes a first and a last name.
    FullName(NameOrder),
    /// A number.
    Number(NumberForm),
    /// Yes or no.
    YesNo {
        /// Whether the heading asks for the opposite, as "Unsubscribed" does.
        is_inverted: bool,
    },
    /// A date.
    Date(DateForm),
    /// A date with a time.
    DateTime {
        /// The form of the date.
        date: DateForm,
        /// Whether each cell has `Z` or an offset from UTC.
        has_zone: bool,
    },
    /// A list of texts, such as tags.
    List(ListForm),
    /// A phone number.
    Phone(PhoneForm),
    /// A time zone.
    TimeZone,
    /// A language tag.
    Locale,
    /// One of the options of a field.
    Choice,
    /// A list of options of a field.
    Choices(ListForm),
}

impl Format {
    /// A cell that fits the format, for messages.
    pub fn example(self) -> String {
        match self {
            Self::Text => "any text".to_owned(),
            Self::Id => "crm-4711".to_owned(),
            Self::FullName(NameOrder::FirstLast) => "Ada Lovelace".to_owned(),
            Self::FullName(NameOrder::LastFirst) => "Lovelace, Ada".to_owned(),
            Self::Number(form) => form.as_str().to_owned(),
            Self::YesNo { .. } => "yes".to_owned(),
            Self::Date(form) => form.example().to_owned(),
            Self::DateTime { date, has_zone } => {
                format!("{} 18:00{}", date.example(), if has_zone { "+02:00" } else { "" })
            }
            Self::List(form) | Self::Choices(form) => match form {
                ListForm::Json => "[\"one\",\"two\"]".to_owned(),
                ListForm::Line => "one item in each line".to_owned(),
                ListForm::Comma | ListForm::Semicolon | ListForm::Pipe | ListForm::TripleColon => {
                    format!("one{}two", form.as_str())
                }
            },
            Self::Phone(PhoneForm::International) => "+49301234567".to_owned(),
            Self::Phone(PhoneForm::Digits) => "49301234567".to_owned(),
            Self::Phone(PhoneForm::National(country)) => format!("+49301234567, or a number of {}", country.code()),
            Self::TimeZone => "Europe/Berlin".to_owned(),
            Self::Locale => "pt-BR".to_owned(),
            Self::Choice => "one of the options".to_owned(),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text => out.write_str("text"),
            Self::Id => out.write_str("id"),
            Self::FullName(NameOrder::FirstLast) => out.write_str("full_name"),
            Self::FullName(NameOrder::LastFirst) => out.write_str("full_name:last_first"),
            Self::Number(form) => write!(out, "number:{}", form.as_str()),
            Self::YesNo { is_inverted: false } => out.write_str("yes_no"),
            Self::YesNo { is_inverted: true } => out.write_str("yes_no:inverted"),
            Self::Date(form) => write!(out, "date:{}", form.as_str()),
            Self::DateTime { date, has_zone } => {
                write!(out, "date_time:{}{}", date.as_str(), if *has_zone { "+zone" } else { "" })
            }
            Self::List(form) => write!(out, "list:{}", form.as_str()),
            Self::Phone(PhoneForm::International) => out.write_str("phone"),
            Self::Phone(PhoneForm::Digits) => out.write_str("phone:digits"),
            Self::Phone(PhoneForm::National(country)) => write!(out, "phone:{}", country.code()),
            Self::TimeZone => out.write_str("time_zone"),
            Self::Locale => out.write_str("locale"),
            Self::Choice => out.write_str("choice"),
            Self::Choices(form) => write!(out, "choices:{}", form.as_str()),
        }
    }
}

/// The text form of no format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownFormat {
    text: String,
    accepted: String,
}

impl fmt::Display for UnknownFormat {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`{}` is not a format of columns: use {}", self.text, self.accepted)
    }
}

impl std::error::Error for UnknownFormat {}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Self, UnknownFormat> {
        let (kind, form) = text.split_once(':').map_or((text, None), |(kind, form)| (kind, Some(form)));
        let found = match (kind, form) {
            ("text", None) => Some(Self::Text),
            ("id", None) => Some(Self::Id),
            ("full_name", None) => Some(Self::FullName(NameOrder::FirstLast)),
            ("full_name", Some("last_first")) => Some(Self::FullName(NameOrder::LastFirst)),
            ("yes_no", None) => Some(Self::YesNo { is_inverted: false }),
            ("yes_no", Some("inverted")) => Some(Self::YesNo { is_inverted: true }),
            ("time_zone", None) => Some(Self::TimeZone),
            ("locale", None) => Some(Self::Locale),
            ("choice", None) => Some(Self::Choice),
            ("phone", None) => Some(Self::Phone(PhoneForm::International)),
            ("phone", Some("digits")) => Some(Self::Phone(PhoneForm::Digits)),
            ("phone", Some(code)) => Country::parse(code).map(|country| Self::Phone(PhoneForm::National(country))),
            ("number", Some(form)) => NumberForm::parse(form).map(Self::Number),
            ("date", Some(form)) => DateForm::parse(form).map(Self::Date),
            ("date_time", Some(form)) => {
                let date = DateForm::parse(form.strip_suffix("+zone").unwrap_or(form));
                date.map(|date| Self::DateTime { date, has_zone: form.ends_with("+zone") })
            }
            ("list", Some(form)) => ListForm::parse(form).map(Self::List),
            ("choices", Some(form)) => ListForm::parse(form).map(Self::Choices),
            _ => None,
        };
        found.ok_or_else(|| UnknownFormat { text: text.to_owned(), accepted: accepted(kind) })
    }
}

/// The accepted text forms of a kind, or the kinds.
fn accepted(kind: &str) -> String {
    let all = |prefix: &str, forms: &[&str]| {
        let forms: Vec<_> = forms.iter().map(|form| format!("`{prefix}:{form}`")).collect();
        forms.join(", ")
    };
    match kind {
        "number" => all(kind, &NumberForm::ALL.map(NumberForm::as_str)),
        "date" => all(kind, &DateForm::ALL.map(DateForm::as_str)),
        "date_time" => all(kind, &DateForm::ALL.map(DateForm::as_str)) + ", each with `+zone` for times with a zone",
        "list" | "choices" => all(kind, &ListForm::ALL.map(ListForm::as_str)),
        "phone" => "`phone`, `phone:digits` or a country such as `phone:DE`".to_owned(),
        "yes_no" => "`yes_no` or `yes_no:inverted`".to_owned(),
        "full_name" => "`full_name` or `full_name:last_first`".to_owned(),
        _ => {
            "`text`, `id`, `full_name`, `yes_no`, `phone`, `time_zone`, `locale`, `choice`, or one with a form such as \
              `number:1.234,5`, `date:dd.mm.yyyy`, `date_time:dd.mm.yyyy`, `list:;`, `choices:;`"
                .to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_format() -> Vec<Format> {
        let mut formats = vec![
            Format::Text,
            Format::Id,
            Format::FullName(NameOrder::FirstLast),
            Format::FullName(NameOrder::LastFirst),
            Format::YesNo { is_inverted: false },
            Format::YesNo { is_inverted: true },
            Format::TimeZone,
            Format::Locale,
            Format::Choice,
            Format::Phone(PhoneForm::International),
            Format::Phone(PhoneForm::Digits),
            Format::Phone(PhoneForm::National(Country::parse("DE").unwrap())),
        ];
        formats.extend(NumberForm::ALL.map(Format::Number));
        formats.extend(DateForm::ALL.map(Format::Date));
        formats.extend(DateForm::ALL.map(|date| Format::DateTime { date, has_zone: false }));
        formats.extend(DateForm::ALL.map(|date| Format::DateTime { date, has_zone: true }));
        formats.extend(ListForm::ALL.map(Format::List));
        formats.extend(ListForm::ALL.map(Format::Choices));
        formats
    }

    #[test]
    fn text_forms_are_read_back() {
        for format in every_format() {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        assert_eq!("phone:de".parse::<Format>().map(|it| it.to_string()).as_deref(), Ok("phone:DE"));
    }

    #[test]
    fn an_unknown_form_lists_the_accepted_ones() {
        for (text, part) in [
            ("date:mm.dd.yyyy", "`date:dd.mm.yyyy`"),
            ("number", "`number:1.234,5`"),
            ("phone:XX", "`phone:DE`"),
            ("list:#", "`list:;`"),
            ("full_name:first", "`full_name:last_first`"),
            ("", "`text`"),
        ] {
            let error = text.parse::<Format>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{text}` is not")) && error.contains(part), "{error}");
        }
    }
}
