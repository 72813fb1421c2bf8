//! Low-water marks of webhooks: the due times at which claims of their deliveries start.
//!
//! Entries of claimed deliveries stay in the index until a vacuum, which an open snapshot delays. A claim of all due
//! deliveries moves the mark of its pool. If more is always due, or a webhook has its maximum of running deliveries, no
//! claim does that. In this case, each webhook has its own mark: a claim takes the oldest due deliveries of a webhook,
//! and all that fell due before them were claimed. Everything is searched again every few seconds and when a claim
//! finds fewer deliveries than requested, for deliveries that became claimable later.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use tidings_domain::time::Timestamp;
use uuid::Uuid;

/// Maximum delay between a delivery's due time and its commit.
const MARGIN: Duration = Duration::from_secs(2);
/// Interval between searches without marks.
const WHOLE: Duration = Duration::from_secs(5);
/// Maximum number of webhooks with marks.
const KNOWN: usize = 10_000;

pub(super) fn beginning() -> Timestamp {
    Timestamp::from_millis(0)
}

#[derive(Debug, Default)]
pub(super) struct Marks(HashMap<Uuid, Mark>);

#[derive(Debug, Clone, Copy)]
struct Mark {
    /// All deliveries that fell due before were claimed.
    since: Timestamp,
    /// Time of the last search without a mark.
    whole: Instant,
}

impl Marks {
    /// Returns the due time at which a claim for a webhook starts.
    pub(super) fn of(&self, webhook: Uuid, now: Instant) -> Timestamp {
        let fresh = |mark: &&Mark| now.saturating_duration_since(mark.whole) < WHOLE;
        self.0.get(&webhook).filter(fresh).map_or_else(beginning, |mark| mark.since)
    }

    /// Removes all marks: the next claims search everything.
    pub(super) fn forget(&mut self) {
        self.0.clear();
    }

    /// Records a claim at `now` of deliveries to a webhook. The first of them fell due at `first`. `is_whole` means
    /// that at most the webhook's own mark limited the search.
    pub(super) fn note_claim(&mut self, webhook: Uuid, first: Timestamp, is_whole: bool, now: Instant) {
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
    fn a_mark_follows_claims_and_expires_regularly() {
        let (mut marks, webhook, start) = (Marks::default(), Uuid::from_u128(1), Instant::now());
        assert_eq!(marks.of(webhook, start), beginning(), "a webhook without a mark is searched from the beginning");
        marks.note_claim(webhook, at(100), true, start);
        assert_eq!(marks.of(webhook, start), at(98));
        let later = start + WHOLE - Duration::from_millis(1);
        marks.note_claim(webhook, at(103), true, later);
        assert_eq!(marks.of(webhook, later), at(101));
        assert_eq!(marks.of(webhook, start + WHOLE), beginning(), "a search from a mark does not renew its time");
        marks.note_claim(webhook, at(50), true, start + WHOLE);
        assert_eq!(marks.of(webhook, start + WHOLE), at(48), "an earlier delivery moves the mark back");
        assert_eq!(marks.of(Uuid::from_u128(2), start), beginning(), "each webhook has its own mark");
    }

    #[test]
    fn a_limited_claim_sets_no_mark() {
        let (mut marks, webhook, now) = (Marks::default(), Uuid::from_u128(1), Instant::now());
        marks.note_claim(webhook, at(100), false, now);
        assert_eq!(marks.of(webhook, now), beginning());
    }

    #[test]
    fn removes_all_marks_at_the_maximum_number() {
        let (mut marks, now) = (Marks::default(), Instant::now());
        for number in 0..=KNOWN {
            marks.note_claim(Uuid::from_u128(number as u128), at(100), true, now);
        }
        assert_eq!(marks.0.len(), 1);
    }
}
