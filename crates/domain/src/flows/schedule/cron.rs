//! Cron expressions.

use std::fmt;
use std::time::Duration;

use chrono::{DateTime, NaiveDateTime, TimeDelta, Timelike, Utc};
use chrono_tz::Tz;
use croner::parser::{CronParser, Seconds, Year};

use crate::send_window::{instant_of, local};
use crate::time::Timestamp;

const MAX_CHARACTERS: usize = 200;
/// One second before the year 2000.
const BEGIN: i64 = 946_684_799;
/// Maximum number of firing days that are checked for adjacent days.
const LOOKED_AT: usize = 3_000;

/// A cron expression of five fields: minute, hour, day of month, month, day of week. It names local times. A time in a
/// gap fires at the first instant after the gap, a repeated time only the first time.
#[derive(Clone)]
pub struct Cron {
    text: String,
    rule: croner::Cron,
}

/// The reason why a cron expression is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCron {
    /// It is not a cron expression.
    #[error(
        "expected a cron expression of five fields: minute, hour, day of month, month, day of week, such as 0 9 * * MON"
    )]
    Form,
    /// Two of its times are less than [`Cron::LEAST`] apart.
    #[error("the schedule fires more often than every five minutes")]
    TooOften,
    /// It never fires.
    #[error("the schedule never fires: no month has this day")]
    Never,
}

impl InvalidCron {
    /// Error code.
    pub fn code(self) -> &'static str {
        match self {
            Self::Form => "invalid_format",
            Self::TooOften => "schedule_too_often",
            Self::Never => "schedule_never_fires",
        }
    }
}

impl Cron {
    /// Minimum local time between two firings.
    pub const LEAST: TimeDelta = TimeDelta::minutes(5);

    /// Parses an expression.
    ///
    /// # Errors
    /// [`InvalidCron`]
    pub fn parse(text: &str) -> Result<Self, InvalidCron> {
        // Nicknames such as `@daily`, and fields for seconds or years, are not among the five fields.
        if text.chars().count() > MAX_CHARACTERS || text.split_whitespace().count() != 5 || !text.is_ascii() {
            return Err(InvalidCron::Form);
        }
        let parser = CronParser::builder().seconds(Seconds::Disallowed).year(Year::Disallowed).build();
        let rule = parser.parse(text).map_err(|_| InvalidCron::Form)?;
        let cron = Self { text: text.to_owned(), rule };
        cron.check()?;
        Ok(cron)
    }

    /// Returns the first local time after `behind` at which it fires.
    fn next_shown(&self, behind: NaiveDateTime) -> Option<NaiveDateTime> {
        let whole = behind.with_nanosecond(0).unwrap_or(behind);
        let found = self.rule.find_next_occurrence(&whole.and_utc(), false).ok()?;
        Some(found.naive_utc())
    }

    fn check(&self) -> Result<(), InvalidCron> {
        // One second before midnight, so the first time found is the first time of its day.
        let begin = DateTime::<Utc>::from_timestamp(BEGIN, 0).unwrap_or_default().naive_utc();
        let first = self.next_shown(begin).ok_or(InvalidCron::Never)?;
        let mut last = first;
        while let Some(next) = self.next_shown(last).filter(|next| next.date() == first.date()) {
            if next - last < Self::LEAST {
                return Err(InvalidCron::TooOften);
            }
            last = next;
        }
        // All its days have the same times, so only the gap over midnight between adjacent days remains to check.
        if TimeDelta::days(1) - (last - first) >= Self::LEAST {
            return Ok(());
        }
        let mut ends = last;
        for _ in 0..LOOKED_AT {
            let Some(next) = self.next_shown(ends) else { break };
            if next - ends < Self::LEAST {
                return Err(InvalidCron::TooOften);
            }
            ends = next + (last - first);
        }
        Ok(())
    }

    /// Returns the first instant after `after` at which it fires in a time zone.
    pub fn next_after(&self, after: Timestamp, zone: Tz) -> Option<Timestamp> {
        let mut shown = local(after, zone);
        // A repeated local time may resolve to an instant that is already past.
        loop {
            shown = self.next_shown(shown)?;
            let instant = instant_of(shown, zone);
            if instant > after {
                return Some(instant);
            }
        }
    }

    /// Whether it fires at an instant.
    pub fn fires_at(&self, instant: Timestamp, zone: Tz) -> bool {
        self.next_after(instant.minus(Duration::from_millis(1)), zone) == Some(instant)
    }
}

impl PartialEq for Cron {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl fmt::Debug for Cron {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Cron({:?})", self.text)
    }
}

impl fmt::Display for Cron {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}
