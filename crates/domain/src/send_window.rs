//! Wall-clock time: windows that allow sending, and conversion of local times to instants.
//!
//! Local times are stored with their zones and converted when needed, to follow new rules of zones. A skipped time
//! becomes the first instant after the gap, a repeated time its first occurrence.

mod read;
mod readers;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod transitions_tests;

use std::time::Duration;

use chrono::offset::LocalResult;
use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, TimeZone as _, Utc, Weekday};
pub use chrono_tz::Tz;

use crate::contacts::TimeZone;
use crate::time::{IsoDuration, Timestamp};

/// Number of days to search for an opening: eight days contain each weekday, and one opening may be in a gap.
const HORIZON: u64 = 16;

/// The source of a time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zone {
    /// The zone of the contact, or by default of the workspace.
    Contact,
    /// The zone of the workspace.
    Workspace,
    /// A fixed zone.
    Iana(Tz),
}

impl Zone {
    /// Returns the zone with this name: `contact`, `workspace`, or a name of the IANA database.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "contact" => Some(Self::Contact),
            "workspace" => Some(Self::Workspace),
            name => name.parse().ok().map(Self::Iana),
        }
    }

    /// Returns the zone for a contact. A contact without a zone has the zone of the workspace.
    pub fn of(self, contact: Option<&TimeZone>, workspace: Tz) -> Tz {
        match self {
            Self::Contact => contact.and_then(|zone| zone.as_str().parse().ok()).unwrap_or(workspace),
            Self::Workspace => workspace,
            Self::Iana(zone) => zone,
        }
    }
}

/// The hours that allow sending: from `from` (inclusive) to `to` (exclusive) on each of its days. With `to` before
/// `from`, it ends on the next day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendWindow {
    /// Starts with Monday.
    days: [bool; 7],
    from: NaiveTime,
    /// `None` for the end of the day.
    to: Option<NaiveTime>,
    zone: Zone,
}

impl SendWindow {
    /// Returns its zone.
    pub fn zone(&self) -> Zone {
        self.zone
    }

    /// Whether it never opens, because it has no day or no time. Such a window delays nothing, because the delay would
    /// never end.
    pub fn is_empty(&self) -> bool {
        self.days.iter().all(|open| !open) || self.to == Some(self.from)
    }

    /// Returns the first instant, at or after `instant`, when the window is open in `zone`.
    pub fn next_allowed(&self, instant: Timestamp, zone: Tz) -> Timestamp {
        if self.is_empty() {
            return instant;
        }
        let today = local(instant, zone).date();
        // The window of the day before may last into this day.
        let first = today.pred_opt().unwrap_or(today);
        for day in (0..HORIZON).filter_map(|ahead| first.checked_add_days(Days::new(ahead))) {
            if !self.opens_on(day) {
                continue;
            }
            let (opens, closes) = self.hours(day, zone);
            if instant < closes && opens < closes {
                return instant.max(opens);
            }
        }
        instant
    }

    fn opens_on(&self, day: NaiveDate) -> bool {
        self.days.get(day.weekday().num_days_from_monday() as usize).copied().unwrap_or(false)
    }

    /// Returns when it opens and closes on this day.
    fn hours(&self, day: NaiveDate, zone: Tz) -> (Timestamp, Timestamp) {
        let next = day.succ_opt().unwrap_or(day);
        let closes = match self.to {
            None => next.and_time(NaiveTime::MIN),
            Some(to) if to <= self.from => next.and_time(to),
            Some(to) => day.and_time(to),
        };
        (instant_of(day.and_time(self.from), zone), instant_of(closes, zone))
    }
}

/// Returns the local time of a zone at an instant.
pub fn local(instant: Timestamp, zone: Tz) -> NaiveDateTime {
    let utc = DateTime::<Utc>::from_timestamp_millis(instant.millis()).unwrap_or_default();
    utc.with_timezone(&zone).naive_local()
}

/// Returns the instant after a duration. Weeks and days are calendar days in `zone`, and end at the same local time, by
/// [`instant_of`]. Hours, minutes and seconds are added after them.
pub fn after(instant: Timestamp, duration: IsoDuration, zone: Tz) -> Timestamp {
    let day = match duration.days() {
        0 => instant,
        days => local(instant, zone)
            .checked_add_days(Days::new(days))
            .map_or_else(|| instant.plus(duration.get()), |shown| instant_of(shown, zone)),
    };
    day.plus(duration.rest()).max(instant)
}

/// Maximum time that clocks are moved forward: one hour almost everywhere, two hours in Antarctica.
const MOST_SKIPPED: Duration = Duration::from_secs(2 * 3_600);

/// Returns the shortest time that [`after`] adds in any zone. Clocks that are moved forward make a calendar day
/// shorter.
pub fn shortest(duration: IsoDuration) -> Duration {
    match duration.days() {
        0 => duration.rest(),
        _ => duration.get().saturating_sub(MOST_SKIPPED),
    }
}

/// Returns the instant of a local time: the first one of a repeated time, the first after the gap for a skipped time.
pub fn instant_of(time: NaiveDateTime, zone: Tz) -> Timestamp {
    // Gaps are at most a day long, and clocks change on whole minutes.
    let mut shown = time;
    for _ in 0..=24 * 60 {
        match zone.from_local_datetime(&shown) {
            LocalResult::Single(at) | LocalResult::Ambiguous(at, _) => {
                return Timestamp::from_millis(at.timestamp_millis());
            }
            LocalResult::None => shown = whole_minute_after(shown),
        }
    }
    Timestamp::from_millis(time.and_utc().timestamp_millis())
}

/// Whether a local time of a zone is skipped or repeated. [`instant_of`] accepts it.
pub fn is_at_clock_change(time: NaiveDateTime, zone: Tz) -> bool {
    match zone.from_local_datetime(&time) {
        LocalResult::Single(_) => false,
        LocalResult::Ambiguous(..) | LocalResult::None => true,
    }
}

fn whole_minute_after(time: NaiveDateTime) -> NaiveDateTime {
    let into = time.and_utc().timestamp_millis().rem_euclid(60_000);
    time.checked_add_signed(TimeDelta::milliseconds(60_000 - into)).unwrap_or(time)
}

/// The written days of a week, starting with Monday.
const DAYS: [(&str, Weekday); 7] = [
    ("mon", Weekday::Mon),
    ("tue", Weekday::Tue),
    ("wed", Weekday::Wed),
    ("thu", Weekday::Thu),
    ("fri", Weekday::Fri),
    ("sat", Weekday::Sat),
    ("sun", Weekday::Sun),
];
