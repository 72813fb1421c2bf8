//! The days on which `within_last` holds, by the clocks of contacts.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::Days;
use chrono_tz::Tz;

use super::attributes::ContactAttribute;
use super::operand::{Operand, Range};
use super::selection::{Place, Question, Selection};
use crate::send_window::{instant_of, local};
use crate::time::Timestamp;

/// An instant, and the zone of the clock that shows it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    pub(super) now: Timestamp,
    pub(super) zone: Tz,
}

const DAY: u64 = 86_400;

impl Clock {
    /// The instants from so long ago until now.
    pub(super) fn last_instants(self, duration: Duration) -> Range {
        let (from, to) = (Operand::Instant(self.now.minus(duration)), Operand::Instant(self.now));
        Range { from: Some((from, true)), to: Some((to, true)) }
    }

    /// The days from so long ago until today. Whole days are days of the calendar, and the rest is elapsed time.
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

/// Chooses contacts with a value in a place within the last days by their own clock. Contacts without a zone have `clock`. The
/// selection is a choice over the groups of zones that show the same days.
pub(super) fn within_last_days(place: Place, duration: Duration, clock: Clock) -> Selection {
    let own = clock.last_days(duration);
    let mut others: BTreeMap<(String, String), (Range, Vec<Operand>)> = BTreeMap::new();
    for zone in chrono_tz::TZ_VARIANTS {
        let range = Clock { zone, ..clock }.last_days(duration);
        if range != own {
            let key = |end: &Option<(Operand, bool)>| end.as_ref().map(|(day, _)| day.key()).unwrap_or_default();
            let group = others.entry((key(&range.from), key(&range.to))).or_insert_with(|| (range, Vec::new()));
            group.1.push(Operand::text(zone.name()));
        }
    }
    let zone_is =
        |names: Vec<Operand>| Selection::Holds(Place::Contact(ContactAttribute::TimeZone), Question::OneOf(names));
    let within = |range: Range| Selection::Holds(place, Question::Within(range));
    let elsewhere = others.values().flat_map(|(_, names)| names.iter().cloned()).collect();
    let here = Selection::All(vec![within(own), Selection::Not(Box::new(zone_is(elsewhere)))]);
    let groups = others.into_values().map(|(range, names)| Selection::All(vec![within(range), zone_is(names)]));
    Selection::Any(std::iter::once(here).chain(groups).collect())
}
