//! Reads a window: `{"days": ["mon"], "from": "09:00", "to": "18:00", "time_zone": "contact"}`.

use chrono::NaiveTime;

use super::{DAYS, SendWindow, Zone};
use crate::error::Violation;
use crate::read::{Fields, Input, MOST_VIOLATIONS, Read, Report};

const FIELDS: [&str; 4] = ["days", "from", "to", "time_zone"];

impl SendWindow {
    /// Reads a window; every part may be absent: all days, from midnight, to midnight, the contact's
    /// zone. Pointers are relative to the window.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn parse<'a>(written: impl Into<Input<'a>>) -> Result<Self, Vec<Violation>> {
        let Input::Object(members) = written.into() else {
            return Err(Violation::here("wrong_type", "expected an object with days, from, to and time_zone").into());
        };
        let (mut report, mut nothing) = (Report::default(), ());
        let mut fields = Fields::over(members, &mut report, &mut nothing);
        fields.only(&FIELDS);
        let days = part(&mut fields, "days", days).unwrap_or([true; 7]);
        let from = part(&mut fields, "from", opening).unwrap_or(NaiveTime::MIN);
        let to = part(&mut fields, "to", time).unwrap_or(None);
        let zone = part(&mut fields, "time_zone", zone).unwrap_or(Zone::Contact);
        report.judge(Some(Self { days, from, to, zone }))
    }
}

/// A part that may be absent; one that is `null` is of the wrong type.
fn part<T>(fields: &mut Fields<'_>, name: &str, reader: impl Read<T>) -> Option<T> {
    fields.take(name, fields.get(name)?, reader)
}

fn days(written: Input<'_>) -> Result<[bool; 7], Vec<Violation>> {
    let Input::Array(items) = written else {
        return Err(Violation::here("wrong_type", "expected a list of days such as mon").into());
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

fn day(written: Input<'_>) -> Result<usize, Violation> {
    let expected = || format!("expected one of: {}", DAYS.map(|(word, _)| word).join(", "));
    let word = written.as_str().ok_or_else(|| Violation::here("wrong_type", expected()))?;
    let place = DAYS.iter().position(|(known, _)| *known == word);
    place.ok_or_else(|| Violation::here("invalid_value", expected()))
}

fn opening(written: Input<'_>) -> Result<NaiveTime, Vec<Violation>> {
    let time = time(written)?;
    time.ok_or_else(|| Violation::here("invalid_value", "a day ends at 24:00; begin at 00:00").into())
}

/// A time of day; `None` is the end of the day.
fn time(written: Input<'_>) -> Result<Option<NaiveTime>, Vec<Violation>> {
    const EXPECTED: &str = "expected a time of day from 00:00 to 24:00 such as 09:00";
    let text = written.as_str().ok_or_else(|| Violation::here("wrong_type", EXPECTED))?;
    if text == "24:00" {
        return Ok(None);
    }
    let time = Some(text).filter(|text| text.len() == 5).and_then(|text| NaiveTime::parse_from_str(text, "%H:%M").ok());
    time.map(Some).ok_or_else(|| Violation::here("invalid_format", EXPECTED).into())
}

fn zone(written: Input<'_>) -> Result<Zone, Vec<Violation>> {
    const EXPECTED: &str = "expected contact, workspace or a zone of the IANA database such as Europe/Berlin";
    let name = written.as_str().ok_or_else(|| Violation::here("wrong_type", EXPECTED))?;
    Zone::named(name).ok_or_else(|| Violation::here("invalid_value", EXPECTED).into())
}
