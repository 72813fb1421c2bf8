//! Typed answers of people: numbers, dates, dates with times, and yes or no, by the locale and the country.
//!
//! An answer is read in every form. If all readings agree, the writer does not matter; otherwise the conventions of
//! the writer's locale and country choose. Without conventions that decide, the answer is ambiguous.

use chrono::NaiveDate;

use crate::conventions::{self, Writer};
use crate::dates::{self, DateForm, DateOrder};
use crate::months::with_numbers;
use crate::numbers::{Number, NumberForm, Outline};
use crate::reasons::Reason;
use crate::text::plain;
use crate::times::{self, Moment, TimeText};
use crate::yes_no;

/// The most characters of an answer.
const MAX_ANSWER: usize = 100;

/// The reading of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer<T> {
    /// The value.
    Value(T),
    /// The values that the answer may mean, at least two.
    Ambiguous(Vec<T>),
    /// No reading, with the reason.
    NotReadable(Reason),
}

impl<T: PartialEq> Answer<T> {
    /// Chooses among readings; `true` marks those that follow the locale.
    fn choose(readings: Vec<(T, bool)>, reason: Reason) -> Self {
        let (mut values, mut local) = (Vec::new(), Vec::new());
        for (value, is_local) in readings {
            let place = values.iter().position(|it| *it == value).unwrap_or(values.len());
            if place == values.len() {
                values.push(value);
            }
            if is_local && !local.contains(&place) {
                local.push(place);
            }
        }
        match (values.len(), local.as_slice()) {
            (0, _) => Self::NotReadable(reason),
            (1, _) => values.pop().map_or(Self::NotReadable(reason), Self::Value),
            (_, [place]) => Self::Value(values.swap_remove(*place)),
            _ => Self::Ambiguous(values),
        }
    }
}

/// Reads a number, such as `12,5`, `1,000` or `1 234.50`.
pub fn read_number(text: &str, writer: Writer<'_>) -> Answer<Number> {
    let text = cleaned(text);
    let decimal = conventions::of_writer(writer).decimal;
    let outline = match Outline::of(&text) {
        Ok(outline) => outline,
        Err(reason) => return Answer::NotReadable(reason),
    };
    let reading = |form: NumberForm| {
        let decimals = outline.decimals(form)?;
        Some((outline.value(&text, decimals), Some(form.decimal) == decimal))
    };
    Answer::choose(NumberForm::ALL.into_iter().filter_map(reading).collect(), Reason::NotANumber)
}

/// Reads a date, such as `31.05.2026`, `5/31/2026`, `May 31, 2026` or `2026-05-31`. A year of two digits is not
/// readable.
pub fn read_date(text: &str, writer: Writer<'_>) -> Answer<NaiveDate> {
    read_day(&with_plain_month(cleaned(text)), writer, |outline, form| outline.date(form))
}

/// Reads a date with a time, such as `31.05.2026 18:00`, `31/05/2026 à 18h30` or `2026-05-31T18:00:00Z`.
pub fn read_date_time(text: &str, writer: Writer<'_>) -> Answer<Moment> {
    let text = with_plain_time(&with_plain_month(cleaned(text)));
    read_day(&text, writer, |outline, form| {
        outline
            .moment(form, false)
            .or_else(|reason| if reason == Reason::HasZone { outline.moment(form, true) } else { Err(reason) })
    })
}

/// Reads yes (`true`) or no (`false`), such as `Yes!`, `ja`, `non.` or 👍.
pub fn read_yes_no(text: &str) -> Answer<bool> {
    let text = plain(text);
    let is_skin = |c: char| ('\u{1F3FB}'..='\u{1F3FF}').contains(&c);
    let word = text.trim_end_matches(['.', '!', '?', ',', ' ', '…']).trim_end_matches(is_skin);
    let sign = match word {
        "👍" | "👌" | "🆗" => Some(true),
        "👎" | "🙅" => Some(false),
        _ => None,
    };
    match sign.or_else(|| yes_no::read(word)).or_else(|| spoken(word)) {
        Some(is_yes) => Answer::Value(is_yes),
        None => Answer::NotReadable(Reason::NotYesNo),
    }
}

/// Words that people type in a chat and that cells of a table do not contain.
fn spoken(word: &str) -> Option<bool> {
    match word.to_lowercase().as_str() {
        "yes please" | "yep" | "yeah" | "yup" | "sure" | "ok" | "okay" | "jo" | "jup" | "ja bitte" | "klar"
        | "gerne" | "oui merci" | "d'accord" | "claro" | "vale" | "sí por favor" | "si por favor" | "sim por favor" => {
            Some(true)
        }
        "no thanks" | "no thank you" | "nope" | "nah" | "nö" | "nee danke" | "nein danke" | "non merci"
        | "no gracias" | "não obrigado" | "não obrigada" | "nao obrigado" | "nao obrigada" => Some(false),
        _ => None,
    }
}

/// An answer without invisible characters, spaces at its ends and a full stop at its end.
fn cleaned(text: &str) -> String {
    let text = plain(text);
    if text.chars().count() > MAX_ANSWER {
        return String::new();
    }
    text.trim_end_matches(['.', '!', '?', ',', ' ', '…']).to_owned()
}

fn read_day<T: PartialEq>(
    text: &str,
    writer: Writer<'_>,
    read: impl Fn(&dates::Outline<'_>, DateForm) -> Result<T, Reason>,
) -> Answer<T> {
    let order = conventions::of_writer(writer).date;
    let outline = match dates::Outline::of(text) {
        Ok(outline) => outline,
        Err(reason) => return Answer::NotReadable(reason),
    };
    let (mut readings, mut refusal) = (Vec::new(), Reason::OtherDateForm);
    for form in DateForm::ALL {
        match read(&outline, form) {
            Ok(value) => readings.push((value, form.order() == DateOrder::Ymd || Some(form.order()) == order)),
            Err(Reason::OtherDateForm) => {}
            Err(reason) => refusal = reason,
        }
    }
    Answer::choose(readings, if refusal == Reason::OtherDateForm { Reason::NotADate } else { refusal })
}

fn with_plain_month(text: String) -> String {
    with_numbers(&text).unwrap_or(text)
}

/// The text with its time as `18:00`: people write `um 18 Uhr`, `à 18h30`, `18.30 Uhr` and `at 6pm`.
fn with_plain_time(text: &str) -> String {
    let Some((date, time)) = text.split_once(' ').or_else(|| text.split_once(['T', 't'])) else {
        return text.to_owned();
    };
    let lower = time.trim().to_lowercase();
    let words = ["at ", "um ", "à ", "a las ", "a la ", "às ", "as ", "- ", "@ "];
    let bare = words.into_iter().find_map(|word| lower.strip_prefix(word)).unwrap_or(&lower).trim();
    let bare = bare
        .strip_suffix("uhr")
        .or_else(|| bare.strip_suffix("horas"))
        .or_else(|| bare.strip_suffix("hs"))
        .unwrap_or(bare);
    let bare = bare.trim();
    let plain = spoken_time(bare).unwrap_or_else(|| bare.to_owned());
    if times::read(&format!(" {plain}")).is_ok_and(|it: TimeText| it.time.is_some()) {
        format!("{} {plain}", date.trim_end_matches(','))
    } else {
        text.to_owned()
    }
}

/// `18`, `18h`, `18h30`, `18.30` and `6 pm` as `18:00`.
fn spoken_time(text: &str) -> Option<String> {
    let (hour, rest) = times::digits(text, 2)?;
    let half = |text: &str| matches!(text.trim().replace('.', "").as_str(), "am" | "pm");
    let minutes = rest.strip_prefix(['h', '.']);
    match (rest, minutes) {
        ("" | "h", _) => Some(format!("{hour}:00")),
        (rest, _) if half(rest) => Some(format!("{hour}:00 {}", rest.trim())),
        (_, Some(minutes)) if minutes.len() == 2 => Some(format!("{hour}:{minutes}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phones::Country;
    use proptest::prelude::*;

    fn shown<T: ToString>(answer: Answer<T>) -> String {
        match answer {
            Answer::Value(value) => value.to_string(),
            Answer::Ambiguous(values) => format!("? {}", values.iter().map(T::to_string).collect::<Vec<_>>().join(" ")),
            Answer::NotReadable(reason) => format!("! {}", reason.code()),
        }
    }

    fn by(locale: &str) -> Writer<'_> {
        Writer { locale: Some(locale).filter(|it| !it.is_empty()), country: None }
    }

    #[test]
    fn reads_numbers_by_the_locale() {
        for (text, tag, expected) in [
            ("12,5", "", "12.5"),
            ("12.5", "de", "12.5"),
            ("42.", "", "42"),
            ("１２", "", "12"),
            ("١٢", "ar", "12"),
            ("1,000", "", "? 1 1000"),
            ("1.234", "", "? 1.234 1234"),
            ("1,000", "en", "1000"),
            ("1,000", "de", "1"),
            ("1.234", "de-AT", "1234"),
            ("1.234", "de-CH", "1.234"),
            ("1.234", "es", "? 1.234 1234"),
            ("1.234", "es-MX", "1.234"),
            ("1.234,5", "en", "1234.5"),
            ("1 000", "fr", "1000"),
            ("-3", "", "-3"),
            ("about 5", "en", "! not_a_number"),
            ("5 €", "de", "! unit_sign"),
            ("", "", "! not_a_number"),
        ] {
            assert_eq!(shown(read_number(text, by(tag))), expected, "{text} {tag}");
        }
    }

    #[test]
    fn reads_dates_by_the_locale() {
        for (text, tag, expected) in [
            ("31.05.2026", "", "2026-05-31"),
            ("31.5.2026.", "en", "2026-05-31"),
            ("2026-05-31", "en-US", "2026-05-31"),
            ("31/05/2026", "en", "2026-05-31"),
            ("03/04/2026", "", "? 2026-04-03 2026-03-04"),
            ("03/04/2026", "en", "? 2026-04-03 2026-03-04"),
            ("03/04/2026", "en-US", "2026-03-04"),
            ("03/04/2026", "en-GB", "2026-04-03"),
            ("03/04/2026", "pt", "2026-04-03"),
            ("31.05.26", "de", "! two_digit_year"),
            ("31.02.2026", "de", "! no_such_day"),
            ("45291", "de", "! serial_number"),
            ("31. Mai 2026", "de", "2026-05-31"),
            ("May 31, 2026", "", "2026-05-31"),
            ("31 de febrero de 2026", "es", "! no_such_day"),
            ("tomorrow", "en", "! not_a_date"),
            ("31.05.2026 18:00", "de", "! unexpected_time"),
        ] {
            assert_eq!(shown(read_date(text, by(tag))), expected, "{text} {tag}");
        }
    }

    #[test]
    fn the_country_decides_without_a_region() {
        let (germany, states) = (Country::parse("DE"), Country::parse("US"));
        for (locale, country, number, day) in [
            (None, germany, "1000", "2026-04-03"),
            (None, states, "1", "2026-03-04"),
            (Some("en"), states, "1", "2026-03-04"),
            (Some("en"), germany, "? 1 1000", "2026-04-03"),
            (Some("en-US"), germany, "1", "2026-03-04"),
        ] {
            let writer = Writer { locale, country };
            assert_eq!(shown(read_number("1.000", writer)), number, "{locale:?} {country:?}");
            assert_eq!(shown(read_date("03/04/2026", writer)), day, "{locale:?} {country:?}");
        }
    }

    #[test]
    fn reads_dates_with_times() {
        let shown = |text: &str, tag: &str| match read_date_time(text, by(tag)) {
            Answer::Value(Moment::Local(local)) => local.to_string(),
            Answer::Value(Moment::Zoned(zoned)) => zoned.to_rfc3339(),
            Answer::Ambiguous(values) => format!("? {}", values.len()),
            Answer::NotReadable(reason) => format!("! {}", reason.code()),
        };
        for (text, tag, expected) in [
            ("2026-05-31 18:00", "", "2026-05-31 18:00:00"),
            ("2026-05-31T18:00:00Z", "", "2026-05-31T18:00:00+00:00"),
            ("31.05.2026, 18:00 Uhr", "de", "2026-05-31 18:00:00"),
            ("31. Mai 2026 um 18 Uhr", "de", "2026-05-31 18:00:00"),
            ("31.05.2026 um 18 Uhr", "de", "2026-05-31 18:00:00"),
            ("31.05.2026 18.30", "de", "2026-05-31 18:30:00"),
            ("31/05/2026 à 18h30", "fr", "2026-05-31 18:30:00"),
            ("31/05/2026 às 18h", "pt", "2026-05-31 18:00:00"),
            ("05/31/2026 at 6pm", "en", "2026-05-31 18:00:00"),
            ("05/31/2026 6:15 PM!", "en", "2026-05-31 18:15:00"),
            ("03/04/2026 18:00", "en", "? 2"),
            ("03/04/2026 18:00", "en-GB", "2026-04-03 18:00:00"),
            ("31.05.2026", "de", "! missing_time"),
            ("31.05.2026 25:00", "de", "! not_a_time"),
        ] {
            assert_eq!(shown(text, tag), expected, "{text} {tag}");
        }
    }

    #[test]
    fn reads_yes_and_no() {
        for text in ["Yes!", "ja", "Ja.", "👍", "👍🏽", "sí", "OUI", "sim", " yes please ", "ok", "✅", "Y"] {
            assert_eq!(read_yes_no(text), Answer::Value(true), "{text}");
        }
        for text in ["No.", "nein", "👎", "não", "non merci", "nope", "N"] {
            assert_eq!(read_yes_no(text), Answer::Value(false), "{text}");
        }
        for text in ["", "maybe", "yes and no", "👍👎", "!"] {
            assert_eq!(read_yes_no(text), Answer::NotReadable(Reason::NotYesNo), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_locale_never_changes_an_answer_that_is_clear(text in "[-0-9., ':/]{0,14}|\\PC{0,12}") {
            let writers = ["de", "en-US", "en", "es-MX"].map(by);
            let germany = Writer { locale: None, country: Country::parse("DE") };
            let mut writers = writers.into_iter().chain([germany]);
            if let Answer::Value(number) = read_number(&text, Writer::default()) {
                prop_assert!(writers.clone().all(|it| read_number(&text, it) == Answer::Value(number.clone())));
            }
            if let Answer::Value(day) = read_date(&text, Writer::default()) {
                prop_assert!(writers.all(|it| read_date(&text, it) == Answer::Value(day)));
            }
            let _ = (read_date_time(&text, Writer::default()), read_yes_no(&text));
        }
    }
}
