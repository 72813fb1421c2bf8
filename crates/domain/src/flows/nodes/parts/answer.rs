//! Typed answers of contacts: numbers, dates and times by the locale, country and time zone of the contact.

use std::fmt::{self, Display};

use chrono_tz::Tz;
use serde_json::{Value, json};
use tidings_tables::{
    Answer, Format, Moment, Options, PhoneForm, Value as Cell, Writer, parse, read_date, read_date_time, read_number,
    read_yes_no,
};

use super::read_as;
use crate::fields::FieldKind;
use crate::send_window::instant_of;
use crate::time::Timestamp;

/// The reason why an answer has no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::flows) enum Unread {
    /// The answer can mean several values.
    Ambiguous(String),
    /// The answer does not have the type.
    Invalid(String),
}

impl Display for Unread {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ambiguous(why) | Self::Invalid(why) => out.write_str(why),
        }
    }
}

/// Reads an answer as a value of this type. Texts are unchanged, and ISO forms are always accepted.
///
/// # Errors
/// The expected value, or the values that the answer can mean.
pub(in crate::flows) fn read_answer(
    kind: FieldKind,
    options: &[String],
    text: &str,
    writer: Writer<'_>,
    zone: Tz,
) -> Result<Value, Unread> {
    let plain = |text: &str| read_as(kind, options, text).map_err(Unread::Invalid);
    match kind {
        FieldKind::Text => plain(text),
        FieldKind::Number => {
            let wrong = || Unread::Invalid("expected a number".to_owned());
            let number = |text: &str| serde_json::from_str(text).map_err(|_| wrong());
            chosen(read_number(text, writer), |it| number(it.as_str()), || plain(text))
        }
        FieldKind::Boolean => plain(text).or_else(|why| match read_yes_no(text) {
            Answer::Value(is_yes) => Ok(json!(is_yes)),
            Answer::Ambiguous(_) | Answer::NotReadable(_) => Err(why),
        }),
        FieldKind::Date => chosen(read_date(text, writer), |day| plain(&day.to_string()), || plain(text)),
        FieldKind::Datetime => plain(text).or_else(|why| {
            let instant = |moment: &Moment| match moment {
                Moment::Local(local) => instant_of(*local, zone),
                Moment::Zoned(at) => Timestamp::from_millis(at.timestamp_millis()),
            };
            match read_date_time(text, writer) {
                Answer::Value(moment) => plain(&instant(&moment).to_string()),
                Answer::Ambiguous(values) => Err(ambiguous(values.iter().map(instant))),
                Answer::NotReadable(_) => Err(why),
            }
        }),
        FieldKind::Phone => {
            let form = writer.phone_country().map_or(PhoneForm::International, PhoneForm::National);
            let phone = parse(ended(text), Format::Phone(form), &Options::default());
            if let Ok(Some(Cell::Phone(number))) = phone { plain(&number) } else { plain(text) }
        }
        FieldKind::Email | FieldKind::Select | FieldKind::MultiSelect => plain(text).or_else(|_| plain(ended(text))),
        FieldKind::Url => plain(text).or_else(|_| plain(ended(text))).or_else(|why| {
            let host = ended(text);
            let is_host = host.contains('.') && !host.contains("://") && !host.contains(char::is_whitespace);
            if is_host { plain(&format!("https://{host}")) } else { Err(why) }
        }),
    }
}

fn chosen<T: Display>(
    answer: Answer<T>,
    value: impl Fn(&T) -> Result<Value, Unread>,
    otherwise: impl Fn() -> Result<Value, Unread>,
) -> Result<Value, Unread> {
    match answer {
        Answer::Value(it) => value(&it),
        Answer::Ambiguous(values) => Err(ambiguous(values)),
        Answer::NotReadable(_) => otherwise(),
    }
}

fn ambiguous(values: impl IntoIterator<Item = impl Display>) -> Unread {
    let values: Vec<_> = values.into_iter().map(|it| it.to_string()).collect();
    Unread::Ambiguous(format!("the answer can mean {}", values.join(" or ")))
}

/// Returns the text without surrounding spaces and without full stops or exclamation marks at its end.
fn ended(text: &str) -> &str {
    text.trim().trim_end_matches(['.', '!'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(kind: FieldKind, text: &str, locale: Option<&str>) -> Result<Value, Unread> {
        let options = if kind == FieldKind::Select { vec!["Red".to_owned()] } else { Vec::new() };
        read_answer(kind, &options, text, Writer { locale, country: None }, Tz::Europe__Berlin)
    }

    #[test]
    fn reads_common_ways_to_write_answers() {
        use FieldKind::{Boolean, Date, Datetime, Email, Number, Phone, Select, Text, Url};
        for (kind, text, locale, value) in [
            (Number, "12,5", None, json!(12.5)),
            (Number, "1.234", Some("de"), json!(1234)),
            (Number, "1,000", Some("en-US"), json!(1000)),
            (Number, "12.", None, json!(12)),
            (Date, "31.05.2026", None, json!("2026-05-31")),
            (Date, "03/04/2026", Some("en-US"), json!("2026-03-04")),
            (Date, "2026-05-31", Some("de"), json!("2026-05-31")),
            (Datetime, "2026-05-31 18:00", None, json!("2026-05-31T16:00:00.000Z")),
            (Datetime, "2026-05-31T18:00:00Z", Some("de"), json!("2026-05-31T18:00:00.000Z")),
            (Boolean, "Yes!", None, json!(true)),
            (Boolean, "ja", None, json!(true)),
            (Boolean, "👍", None, json!(true)),
            (Boolean, "no thanks", None, json!(false)),
            (Phone, "0049 30 1234567", None, json!("+49301234567")),
            (Phone, "0171 2345678.", Some("de-DE"), json!("+491712345678")),
            (Phone, "+43 1 5322222", Some("de-DE"), json!("+4315322222")),
            (Phone, "(415) 555-0100", Some("en-US"), json!("+14155550100")),
            (Url, "example.com", None, json!("https://example.com/")),
            (Email, "ada@example.com.", None, json!("ada@example.com")),
            (Select, "red.", None, json!("Red")),
            (Text, " 1,000. ", None, json!("1,000.")),
        ] {
            assert_eq!(read(kind, text, locale), Ok(value), "{text}");
        }
    }

    #[test]
    fn reports_ambiguous_answers_instead_of_guessing() {
        for (kind, text, locale) in [
            (FieldKind::Date, "03/04/2026", None),
            (FieldKind::Date, "03/04/2026", Some("en")),
            (FieldKind::Number, "1,000", None),
            (FieldKind::Number, "1.234", None),
        ] {
            let Err(Unread::Ambiguous(why)) = read(kind, text, locale) else { panic!("{text} is ambiguous") };
            assert!(why.starts_with("the answer can mean ") && why.contains(" or "), "{text}: {why}");
        }
        assert!(matches!(read(FieldKind::Date, "tomorrow", None), Err(Unread::Invalid(_))));
        assert!(read(FieldKind::Date, "31.05.26", Some("de")).is_err(), "a year has four digits");
    }
}
