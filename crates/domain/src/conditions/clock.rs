//! Ranges of `within_last` in the time zone of a contact.

use std::time::Duration;

use chrono::Days;
use chrono_tz::Tz;

use super::operand::{Operand, Range};
use crate::send_window::{instant_of, local};
use crate::time::Timestamp;

/// An instant, in a time zone.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    pub(super) now: Timestamp,
    pub(super) zone: Tz,
}

const DAY: u64 = 86_400;

impl Clock {
    /// The range of instants from `duration` ago until now.
    pub(super) fn last_instants(self, duration: Duration) -> Range {
        let (from, to) = (Operand::Instant(self.now.minus(duration)), Operand::Instant(self.now));
        Range { from: Some((from, true)), to: Some((to, true)) }
    }

    /// The range of days from `duration` ago until today. Whole days are calendar days; the rest is elapsed time.
    pub(super) fn last_days(self, duration: Duration) -> Range {
        let shown = local(self.now, self.zone);
        let rest = Duration::from_secs(duration.as_secs() % DAY);
        let first = match shown.checked_sub_days(Days::new(duration.as_secs() / DAY)) {
            Some(first) if rest.is_zero() => first,
            Some(first) => local(instant_of(first, self.zone).minus(rest), self.zone),
            None => local(self.now.minus(duration), self.zone),
        };
        let day = |shown: chrono::NaiveDateTime| Some((Operand::Date(shown.date().to_string()), true));
        Range { from: day(first), to: day(shown) }
    }
}
