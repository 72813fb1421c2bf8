//! Reads a window: `{"days": ["mon"], "from": "09:00", "to": "18:00", "time_zone": "contact"}`.

use chrono::NaiveTime;
use serde_json::{Map, Value};

use super::{DAYS, Window, Zone};
use crate::error::Violation;
use crate::text::nearest;

const FIELDS: [&str; 4] = ["days", "from", "to", "time_zone"];
/// How many days are read, and how many unknown fields are told.
const MOST_WRONG: usize = 100;

impl Window {
    /// Reads a window; every part may be absent: all days, from midnight, to midnight, the contact's
    /// zone. Pointers are relative to the window.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn parse(value: &Value) -> Result<Self, Vec<Violation>> {
        let Some(object) = value.as_object() else {
            return Err(vec![Violation::new("", "wrong_type", "expected an object with days, from, to and time_zone")]);
        };
        let mut violations = unknown_fields(object);
        let mut take = |outcome: Result<(), Violation>| violations.extend(outcome.err());
        let (mut days, mut from, mut to, mut zone) = ([true; 7], NaiveTime::MIN, None, Zone::Contact);
        if let Some(value) = object.get("days") {
            days = [false; 7];
            match value.as_array() {
                Some(list) => {
                    for (index, value) in list.iter().enumerate().take(MOST_WRONG) {
                        take(read_day(value, &format!("/days/{index}")).map(|day| {
                            days.get_mut(day).into_iter().for_each(|open| *open = true);
                        }));
                    }
                }
                None => take(Err(Violation::new("/days", "wrong_type", "expected a list of days such as mon"))),
            }
        }
        if let Some(value) = object.get("from") {
            take(read_time(value, "/from").and_then(|time| match time {
                Some(time) => {
                    from = time;
                    Ok(())
                }
                None => Err(Violation::new("/from", "invalid_value", "a day ends at 24:00; begin at 00:00")),
            }));
        }
        if let Some(value) = object.get("to") {
            take(read_time(value, "/to").map(|time| to = time));
        }
        if let Some(value) = object.get("time_zone") {
            take(read_zone(value, "/time_zone").map(|read| zone = read));
        }
        if violations.is_empty() { Ok(Self { days, from, to, zone }) } else { Err(violations) }
    }
}

impl Zone {
    /// Reads `contact`, `workspace` or the name of a zone of the IANA database.
    ///
    /// # Errors
    /// What is wrong with it; the pointer is empty.
    pub fn parse(value: &Value) -> Result<Self, Violation> {
        read_zone(value, "")
    }
}

fn unknown_fields(object: &Map<String, Value>) -> Vec<Violation> {
    let unknown = object.keys().filter(|name| !FIELDS.contains(&name.as_str())).take(MOST_WRONG);
    let told = unknown.map(|name| {
        let near = nearest(name, FIELDS);
        let known = if near.is_empty() { FIELDS.join(", ") } else { near.join(", ") };
        let pointer = format!("/{}", name.replace('~', "~0").replace('/', "~1"));
        Violation::new(pointer, "unknown_field", format!("is not known here; did you mean: {known}"))
    });
    told.collect()
}

fn read_day(value: &Value, pointer: &str) -> Result<usize, Violation> {
    let expected = || format!("expected one of: {}", DAYS.map(|(word, _)| word).join(", "));
    let word = value.as_str().ok_or_else(|| Violation::new(pointer, "wrong_type", expected()))?;
    let place = DAYS.iter().position(|(known, _)| *known == word);
    place.ok_or_else(|| Violation::new(pointer, "invalid_value", expected()))
}

/// A time of day; `None` is the end of the day.
fn read_time(value: &Value, pointer: &str) -> Result<Option<NaiveTime>, Violation> {
    const EXPECTED: &str = "expected a time of day from 00:00 to 24:00 such as 09:00";
    let text = value.as_str().ok_or_else(|| Violation::new(pointer, "wrong_type", EXPECTED))?;
    if text == "24:00" {
        return Ok(None);
    }
    let time = Some(text).filter(|text| text.len() == 5).and_then(|text| NaiveTime::parse_from_str(text, "%H:%M").ok());
    time.map(Some).ok_or_else(|| Violation::new(pointer, "invalid_format", EXPECTED))
}

fn read_zone(value: &Value, pointer: &str) -> Result<Zone, Violation> {
    const EXPECTED: &str = "expected contact, workspace or a zone of the IANA database such as Europe/Berlin";
    match value.as_str() {
        Some("contact") => Ok(Zone::Contact),
        Some("workspace") => Ok(Zone::Workspace),
        Some(name) => name.parse().map(Zone::Iana).map_err(|_| Violation::new(pointer, "invalid_value", EXPECTED)),
        None => Err(Violation::new(pointer, "wrong_type", EXPECTED)),
    }
}
