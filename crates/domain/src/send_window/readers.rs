//! Readers of the parts of a window, with their OpenAPI schemas. For a value of another type, including `null`, the
//! error describes the expected value.

use chrono::NaiveTime;
#[cfg(feature = "openapi")]
use utoipa::openapi::schema::Type;
#[cfg(feature = "openapi")]
use utoipa::openapi::{ArrayBuilder, ObjectBuilder};

use super::{DAYS, Zone};
#[cfg(feature = "openapi")]
use crate::read::schema::{Describe, Described};
use crate::read::{Input, MOST_VIOLATIONS, Read, Report, Violation};

/// Reads a list of days. The result says for each weekday whether it is listed, starting with Monday.
#[derive(Debug, Clone, Copy)]
pub(super) struct DaysReader;

/// Reads the time of day when a window opens.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpeningReader;

/// Reads the time of day when a window closes; `None` for the end of the day.
#[derive(Debug, Clone, Copy)]
pub(super) struct EndReader;

/// Reads the zone.
#[derive(Debug, Clone, Copy)]
pub(super) struct ZoneReader;

impl Read<[bool; 7]> for DaysReader {
    fn read(&self, input: Input<'_>) -> Result<[bool; 7], Vec<Violation>> {
        let Input::Array(items) = input else {
            return Err(Violation::at_root("wrong_type", "expected a list of days such as mon").into());
        };
        let (mut days, mut report) = ([false; 7], Report::default());
        for (index, item) in items.iter().enumerate().take(MOST_VIOLATIONS) {
            match day(item) {
                Ok(day) => days.get_mut(day).into_iter().for_each(|open| *open = true),
                Err(violation) => report.extend([violation.under(&format!("/{index}"))]),
            }
        }
        report.judge(Some(days))
    }
}

impl Read<NaiveTime> for OpeningReader {
    fn read(&self, input: Input<'_>) -> Result<NaiveTime, Vec<Violation>> {
        let time = time(input)?;
        time.ok_or_else(|| {
            Violation::at_root("invalid_value", "24:00 is only allowed as the end of a day; use 00:00").into()
        })
    }
}

impl Read<Option<NaiveTime>> for EndReader {
    fn read(&self, input: Input<'_>) -> Result<Option<NaiveTime>, Vec<Violation>> {
        time(input).map_err(Into::into)
    }
}

impl Read<Zone> for ZoneReader {
    fn read(&self, input: Input<'_>) -> Result<Zone, Vec<Violation>> {
        const EXPECTED: &str = "expected contact, workspace or an IANA time zone such as Europe/Berlin";
        let name = input.as_str().ok_or_else(|| Violation::at_root("wrong_type", EXPECTED))?;
        Zone::named(name).ok_or_else(|| Violation::at_root("invalid_value", EXPECTED).into())
    }
}

/// Returns the index of a day in the week.
fn day(input: Input<'_>) -> Result<usize, Violation> {
    let expected = || format!("expected one of: {}", DAYS.map(|(word, _)| word).join(", "));
    let word = input.as_str().ok_or_else(|| Violation::at_root("wrong_type", expected()))?;
    let place = DAYS.iter().position(|(known, _)| *known == word);
    place.ok_or_else(|| Violation::at_root("invalid_value", expected()))
}

/// Parses a time of day; `None` for the end of the day.
fn time(input: Input<'_>) -> Result<Option<NaiveTime>, Violation> {
    const EXPECTED: &str = "expected a time of day from 00:00 to 24:00 such as 09:00";
    let text = input.as_str().ok_or_else(|| Violation::at_root("wrong_type", EXPECTED))?;
    if text == "24:00" {
        return Ok(None);
    }
    let time = Some(text).filter(|text| text.len() == 5).and_then(|text| NaiveTime::parse_from_str(text, "%H:%M").ok());
    time.map(Some).ok_or_else(|| Violation::at_root("invalid_format", EXPECTED))
}

#[cfg(feature = "openapi")]
impl Describe for DaysReader {
    fn describe(&self) -> Described {
        let day = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(DAYS.map(|(word, _)| word)));
        Described::plain(ArrayBuilder::new().items(day))
    }
}

#[cfg(feature = "openapi")]
impl Describe for OpeningReader {
    fn describe(&self) -> Described {
        text("09:00")
    }
}

#[cfg(feature = "openapi")]
impl Describe for EndReader {
    fn describe(&self) -> Described {
        text("18:00")
    }
}

#[cfg(feature = "openapi")]
impl Describe for ZoneReader {
    fn describe(&self) -> Described {
        text("Europe/Berlin")
    }
}

/// Returns the schema of a text with this example.
#[cfg(feature = "openapi")]
fn text(example: &str) -> Described {
    Described::plain(ObjectBuilder::new().schema_type(Type::String).examples([serde_json::json!(example)]))
}
