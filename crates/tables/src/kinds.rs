//! Kinds of columns, and the formats that each kind can have.

use crate::dates::DateForm;
use crate::formats::Format;
use crate::lists::ListForm;
use crate::names::NameOrder;
use crate::numbers::NumberForm;
use crate::phones::{Country, PhoneForm};

/// The kind of a column's values, before a format is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColumnKind {
    /// Any text, email addresses and URLs included.
    Text,
    /// IDs.
    Id,
    /// Full names.
    FullName {
        /// The order that the heading names.
        order: NameOrder,
    },
    /// Numbers.
    Number,
    /// Yes or no.
    YesNo {
        /// Whether the heading asks for the opposite.
        is_inverted: bool,
    },
    /// Dates.
    Date,
    /// Dates with times. Dates alone are accepted, and remain dates.
    DateTime,
    /// Lists of texts.
    List,
    /// Phone numbers.
    Phone,
    /// Time zones.
    TimeZone,
    /// Language tags.
    Locale,
    /// One of several options.
    Choice,
    /// Several of several options.
    Choices,
}

impl ColumnKind {
    /// The kind for a type of custom field: `text`, `number`, `boolean`, `date`, `datetime`, `email`, `phone`, `url`,
    /// `select` or `multi_select`.
    pub fn of_field_type(word: &str) -> Option<Self> {
        Some(match word {
            "text" | "email" | "url" => Self::Text,
            "number" => Self::Number,
            "boolean" => Self::YesNo { is_inverted: false },
            "date" => Self::Date,
            "datetime" => Self::DateTime,
            "phone" => Self::Phone,
            "select" => Self::Choice,
            "multi_select" => Self::Choices,
            _ => return None,
        })
    }

    /// Whether a format that a parameter names suits the kind. `phone` formats of all countries suit phone numbers,
    /// both directions of `yes_no` suit yes and no, and both orders suit full names.
    pub fn accepts(self, format: Format) -> bool {
        match format {
            Format::Phone(_) => self == Self::Phone,
            Format::YesNo { .. } => matches!(self, Self::YesNo { .. }),
            Format::FullName(_) => matches!(self, Self::FullName { .. }),
            Format::Text
            | Format::Id
            | Format::Number(_)
            | Format::Date(_)
            | Format::DateTime { .. }
            | Format::List(_)
            | Format::TimeZone
            | Format::Locale
            | Format::Choice
            | Format::Choices(_) => self.formats(None).contains(&format),
        }
    }

    /// The formats, the one that is chosen among equals first.
    pub(crate) fn formats(self, country: Option<Country>) -> Vec<Format> {
        match self {
            Self::Text => vec![Format::Text],
            Self::Id => vec![Format::Id],
            Self::FullName { order } => vec![Format::FullName(order)],
            Self::Number => NumberForm::ALL.map(Format::Number).to_vec(),
            Self::YesNo { is_inverted } => vec![Format::YesNo { is_inverted }],
            Self::Date => DateForm::ALL.map(Format::Date).to_vec(),
            Self::DateTime => {
                let with = |has_zone| DateForm::ALL.map(|date| Format::DateTime { date, has_zone });
                [with(false), with(true), DateForm::ALL.map(Format::Date)].concat()
            }
            Self::List => ListForm::ALL.map(Format::List).to_vec(),
            Self::Phone => {
                let national = country.map(PhoneForm::National);
                let forms = [Some(PhoneForm::International), national, Some(PhoneForm::Digits)];
                forms.into_iter().flatten().map(Format::Phone).collect()
            }
            Self::TimeZone => vec![Format::TimeZone],
            Self::Locale => vec![Format::Locale],
            Self::Choice => vec![Format::Choice],
            Self::Choices => ListForm::ALL.map(Format::Choices).to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_accept_their_own_formats() {
        let accepts = |kind: ColumnKind, format: &str| format.parse().is_ok_and(|it| kind.accepts(it));
        for word in ["text", "number", "boolean", "date", "datetime", "email", "phone", "url", "select", "multi_select"]
        {
            let kind = ColumnKind::of_field_type(word).unwrap();
            assert!(kind.formats(Country::parse("DE")).into_iter().all(|it| kind.accepts(it)), "{word}");
        }
        assert!(ColumnKind::of_field_type("other").is_none());
        assert!(accepts(ColumnKind::DateTime, "date:yyyy-mm-dd") && !accepts(ColumnKind::Date, "date_time:yyyy-mm-dd"));
        assert!(accepts(ColumnKind::Phone, "phone:AT") && !accepts(ColumnKind::Text, "phone"));
        assert!(accepts(ColumnKind::YesNo { is_inverted: false }, "yes_no:inverted"));
        assert!(accepts(ColumnKind::FullName { order: NameOrder::FirstLast }, "full_name:last_first"));
        assert!(!accepts(ColumnKind::Text, "full_name"));
        assert!(!accepts(ColumnKind::Number, "date:yyyy-mm-dd") && !accepts(ColumnKind::List, "choices:;"));
    }
}
