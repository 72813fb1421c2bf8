//! Cron lines: which times of the day, on which days.

use std::fmt;
use std::time::Duration;

use chrono::{DateTime, NaiveDateTime, TimeDelta, Timelike, Utc};
use chrono_tz::Tz;
use croner::parser::{CronParser, Seconds, Year};

use crate::send_window::{instant_of, local};
use crate::time::Timestamp;

/// So long a line may be.
const MAX_CHARACTERS: usize = 200;
/// A second before the year 2000.
const BEGIN: i64 = 946_684_799;
/// So many days on which a line fires are looked at for two that follow one another.
const LOOKED_AT: usize = 3_000;

/// A cron line of five fields: minute, hour, day of the month, month, day of the week. It names times as the clocks of a zone
/// show them: one that the clocks leave out is the first instant after the gap, one that they show twice its first coming.
#[derive(Clone)]
pub struct Cron {
    text: String,
    rule: croner::Cron,
}

/// Why a line is none that a flow starts by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidCron {
    /// It is no cron line.
    #[error(
        "expected a cron expression of five fields: minute, hour, day of month, month, day of week, such as 0 9 * * MON"
    )]
    Form,
    /// Two of its times are closer to one another than [`Cron::LEAST`].
    #[error("the schedule fires more often than every five minutes")]
    TooOften,
    /// No day has its times.
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
    /// So far apart two times of a line are at the least, by the clocks.
    pub const LEAST: TimeDelta = TimeDelta::minutes(5);

    /// Reads a line.
    ///
    /// # Errors
    /// [`InvalidCron`]
    pub fn parse(text: &str) -> Result<Self, InvalidCron> {
        // Names of whole lines, and fields of seconds and years, are none of the five.
        if text.chars().count() > MAX_CHARACTERS || text.split_whitespace().count() != 5 || !text.is_ascii() {
            return Err(InvalidCron::Form);
        }
        let parser = CronParser::builder().seconds(Seconds::Disallowed).year(Year::Disallowed).build();
        let rule = parser.parse(text).map_err(|_| InvalidCron::Form)?;
        let cron = Self { text: text.to_owned(), rule };
        cron.check()?;
        Ok(cron)
    }

    /// The first time that the clocks show behind one that they show.
    fn next_shown(&self, behind: NaiveDateTime) -> Option<NaiveDateTime> {
        let whole = behind.with_nanosecond(0).unwrap_or(behind);
        let found = self.rule.find_next_occurrence(&whole.and_utc(), false).ok()?;
        Some(found.naive_utc())
    }

    fn check(&self) -> Result<(), InvalidCron> {
        // A moment before a day begins, so that the first time is that of its day.
        let begin = DateTime::<Utc>::from_timestamp(BEGIN, 0).unwrap_or_default().naive_utc();
        let first = self.next_shown(begin).ok_or(InvalidCron::Never)?;
        let mut last = first;
        while let Some(next) = self.next_shown(last).filter(|next| next.date() == first.date()) {
            if next - last < Self::LEAST {
                return Err(InvalidCron::TooOften);
            }
            last = next;
        }
        // All its days have the same times. Over midnight two meet on days that follow one another.
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

    /// The first instant behind another at which it fires, by the clocks of a zone.
    pub fn next_after(&self, after: Timestamp, zone: Tz) -> Option<Timestamp> {
        let mut shown = local(after, zone);
        // What is shown twice has been shown already, the second time.
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
