//! From when on the deliveries to a webhook are looked for.
//!
//! What was given out stays in the index until it is vacuumed, which a snapshot that somebody holds open puts off. A claim that
//! takes all that is due moves the mark of its pool; where more is due each time, or a webhook has as many under way as it
//! may, no claim does. So each webhook has a mark of its own then: a claim takes the longest due of a webhook, and what fell
//! due before these was given out. Every few seconds everything is looked at, for what can be claimed only now, and so it is
//! where a claim finds less than it asks for.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use tidings_domain::time::Timestamp;
use uuid::Uuid;

/// Deliveries may be committed so long after they fell due.
const MARGIN: Duration = Duration::from_secs(2);
/// So often everything is looked at.
const WHOLE: Duration = Duration::from_secs(5);
/// So many webhooks are known at a time.
const KNOWN: usize = 10_000;

/// The beginning of time.
pub(super) fn beginning() -> Timestamp {
    Timestamp::from_millis(0)
}

/// The low-water marks of webhooks.
#[derive(Debug, Default)]
pub(super) struct Marks(HashMap<Uuid, Mark>);

#[derive(Debug, Clone, Copy)]
struct Mark {
    /// What fell due before was given out.
    since: Timestamp,
    /// When everything was looked at.
    whole: Instant,
}

impl Marks {
    /// From when on the deliveries to a webhook are looked for.
    pub(super) fn of(&self, webhook: Uuid, now: Instant) -> Timestamp {
        let fresh = |mark: &&Mark| now.saturating_duration_since(mark.whole) < WHOLE;
        self.0.get(&webhook).filter(fresh).map_or_else(beginning, |mark| mark.since)
    }

    /// Looks at everything from now on.
    pub(super) fn forget(&mut self) {
        self.0.clear();
    }

    /// A claim that began at `now` took deliveries to a webhook, the first of which fell due at `first`. `is_whole` where
    /// nothing but the webhook's mark kept it from looking at everything.
    pub(super) fn took(&mut self, webhook: Uuid, first: Timestamp, is_whole: bool, now: Instant) {
        let since = first.minus(MARGIN);
        let from_beginning = self.of(webhook, now) == beginning();
        if self.0.len() >= KNOWN && !self.0.contains_key(&webhook) {
            self.0.clear();
        }
        match self.0.get_mut(&webhook) {
            Some(mark) if !from_beginning => mark.since = since,
            _ if is_whole => drop(self.0.insert(webhook, Mark { since, whole: now })),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_millis(seconds * 1_000)
    }

    #[test]
    fn a_mark_follows_what_is_taken_and_everything_is_looked_at_now_and_then() {
        let (mut marks, webhook, start) = (Marks::default(), Uuid::from_u128(1), Instant::now());
        assert_eq!(marks.of(webhook, start), beginning(), "nothing is known");
        marks.took(webhook, at(100), true, start);
        assert_eq!(marks.of(webhook, start), at(98));
        let later = start + WHOLE - Duration::from_millis(1);
        marks.took(webhook, at(103), true, later);
        assert_eq!(marks.of(webhook, later), at(101));
        assert_eq!(marks.of(webhook, start + WHOLE), beginning(), "a look from a mark does not cover everything");
        marks.took(webhook, at(50), true, start + WHOLE);
        assert_eq!(marks.of(webhook, start + WHOLE), at(48), "what can be claimed only now moves it back");
        assert_eq!(marks.of(Uuid::from_u128(2), start), beginning(), "each webhook has its own");
    }

    #[test]
    fn a_claim_that_begins_at_another_mark_looks_not_at_everything() {
        let (mut marks, webhook, now) = (Marks::default(), Uuid::from_u128(1), Instant::now());
        marks.took(webhook, at(100), false, now);
        assert_eq!(marks.of(webhook, now), beginning());
    }

    #[test]
    fn so_many_are_known_and_no_more() {
        let (mut marks, now) = (Marks::default(), Instant::now());
        for number in 0..=KNOWN {
            marks.took(Uuid::from_u128(number as u128), at(100), true, now);
        }
        assert_eq!(marks.0.len(), 1);
    }
}
