//! Parses a window: `{"days": ["mon"], "from": "09:00", "to": "18:00", "time_zone": "contact"}`.

use chrono::NaiveTime;

use super::readers::{DaysReader, EndReader, OpeningReader, ZoneReader};
use super::{SendWindow, Zone};
use crate::body;
use crate::error::Violation;
#[cfg(feature = "openapi")]
use crate::read::schema::{Name, RefOrSchema};
use crate::read::{Body, Fields, Input};

body! {
    /// Hours of the week that allow sending.
    struct Parts as "SendWindow" {
        /// Days of the week; all days if absent.
        given days: [bool; 7] = DaysReader;
        /// Start, a time of day; `00:00` if absent.
        given from: NaiveTime = OpeningReader;
        /// End, a time of day, which can be on the next day; `24:00` if absent.
        given to: Option<NaiveTime> = EndReader;
        /// `contact`, `workspace`, or an IANA time zone; `contact` if absent.
        given time_zone: Zone = ZoneReader;
    }
}

impl SendWindow {
    /// Parses a window. The defaults of its parts are: all days, from midnight, to midnight, the contact's zone.
    /// Pointers are relative to the window.
    ///
    /// # Errors
    /// All violations.
    pub fn parse<'a>(written: impl Into<Input<'a>>) -> Result<Self, Vec<Violation>> {
        let Input::Object(members) = written.into() else {
            return Err(Violation::at_root("wrong_type", "expected an object with days, from, to and time_zone").into());
        };
        Fields::read_part(members, Parts::read).map(Self::from)
    }
}

impl From<Parts> for SendWindow {
    fn from(it: Parts) -> Self {
        Self {
            days: it.days.unwrap_or([true; 7]),
            from: it.from.unwrap_or(NaiveTime::MIN),
            to: it.to.flatten(),
            zone: it.time_zone.unwrap_or(Zone::Contact),
        }
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for SendWindow {
    fn schema() -> RefOrSchema {
        Parts::schema()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for SendWindow {
    fn name() -> Name {
        Parts::name()
    }

    fn schemas(schemas: &mut Vec<(String, RefOrSchema)>) {
        Parts::schemas(schemas);
    }
}
