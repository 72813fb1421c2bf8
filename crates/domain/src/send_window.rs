//! Wall-clock time: the windows in which something may happen, and the instants of local times.
//!
//! A local time is kept with its zone and becomes an instant only when it is asked for, so that new
//! rules of a zone are followed. Where clocks jump forward, a time that does not exist is the first
//! instant after the gap; where they go back, a time that comes twice is its first coming.

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

/// How many days ahead a window is looked for: each week day comes within eight, and one of them
/// may fall into a gap.
const HORIZON: u64 = 16;

/// Whose clock is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zone {
    /// The contact's, else the workspace's.
    Contact,
    /// The workspace's.
    Workspace,
    /// A certain one.
    Iana(Tz),
}

impl Zone {
    /// The zone with this name: `contact`, `workspace`, or one of the IANA database.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "contact" => Some(Self::Contact),
            "workspace" => Some(Self::Workspace),
            name => name.parse().ok().map(Self::Iana),
        }
    }

    /// The zone that is meant for this contact; a contact without one has the workspace's.
    pub fn of(self, contact: Option<&TimeZone>, workspace: Tz) -> Tz {
        match self {
            Self::Contact => contact.and_then(|zone| zone.as_str().parse().ok()).unwrap_or(workspace),
            Self::Workspace => workspace,
            Self::Iana(zone) => zone,
        }
    }
}

/// The hours of the week in which something may happen: from `from` (inclusive) to `to` (exclusive)
/// on each of its days. A window whose `to` is before its `from` ends on the next day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendWindow {
    /// Monday first.
    days: [bool; 7],
    from: NaiveTime,
    /// `None` is the end of the day.
    to: Option<NaiveTime>,
    zone: Zone,
}

impl SendWindow {
    /// Whose clock it goes by.
    pub fn zone(&self) -> Zone {
        self.zone
    }

    /// Whether it never opens: no day, or no time between `from` and `to`. Such a window holds
    /// nothing back, since what waited for it would wait for ever.
    pub fn is_empty(&self) -> bool {
        self.days.iter().all(|open| !open) || self.to == Some(self.from)
    }

    /// The first instant, at or after `instant`, at which the window is open by the clock of `zone`.
    pub fn next_allowed(&self, instant: Timestamp, zone: Tz) -> Timestamp {
        if self.is_empty() {
            return instant;
        }
        let today = local(instant, zone).date();
        // The window that opened yesterday may last into today.
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

    /// When it opens and closes on this day.
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

/// What the clocks of a zone show at an instant.
pub fn local(instant: Timestamp, zone: Tz) -> NaiveDateTime {
    let utc = DateTime::<Utc>::from_timestamp_millis(instant.millis()).unwrap_or_default();
    utc.with_timezone(&zone).naive_local()
}

/// The instant so long after another: days and weeks are days of the calendar by the clocks of a zone, and hours, minutes and
/// seconds pass after them. A day ends at the same time that the clocks showed, by [`instant_of`].
pub fn after(instant: Timestamp, duration: IsoDuration, zone: Tz) -> Timestamp {
    let day = match duration.days() {
        0 => instant,
        days => local(instant, zone)
            .checked_add_days(Days::new(days))
            .map_or_else(|| instant.plus(duration.get()), |shown| instant_of(shown, zone)),
    };
    day.plus(duration.rest()).max(instant)
}

/// No clock is moved forward by more than this. Clocks are moved by one hour almost everywhere, and by two in Antarctica.
const MOST_SKIPPED: Duration = Duration::from_secs(2 * 3_600);

/// The shortest time that [`after`] takes in any zone: clocks that are moved forward make a day of the calendar shorter.
pub fn shortest(duration: IsoDuration) -> Duration {
    match duration.days() {
        0 => duration.rest(),
        _ => duration.get().saturating_sub(MOST_SKIPPED),
    }
}

/// The instant at which the clocks of a zone show this time: the first one where they show it twice,
/// the first after the gap where they never do.
pub fn instant_of(time: NaiveDateTime, zone: Tz) -> Timestamp {
    // No gap was ever longer than a day; zones change on whole minutes.
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

/// Whether the clocks of a zone never show this time, or show it twice. [`instant_of`] reads it all the same.
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

/// The days of a week as they are written, Monday first.
const DAYS: [(&str, Weekday); 7] = [
    ("mon", Weekday::Mon),
    ("tue", Weekday::Tue),
    ("wed", Weekday::Wed),
    ("thu", Weekday::Thu),
    ("fri", Weekday::Fri),
    ("sat", Weekday::Sat),
    ("sun", Weekday::Sun),
];
