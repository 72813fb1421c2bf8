//! A cached list of non-empty queues.
//!
//! Queues are found by skipping from one to the next in an index. Entries of claimed jobs stay in the index until a
//! vacuum, which an open snapshot delays, and each look must skip them. A result is therefore used for a multiple of
//! the time the look took. Queues of other processes are found later by this time, and looks only take a small part of
//! the total time. Queues of this process are added at once.

use std::time::{Duration, Instant};

use uuid::Uuid;

/// A result is used for this many times the duration of its look.
const REST: u32 = 20;
/// Bounds of that time.
const SHORTEST: Duration = Duration::from_millis(20);
const LONGEST: Duration = Duration::from_secs(1);

/// Maximum number of queues recorded during a look. With more, the look is repeated.
const TOLD_OF: usize = 1_024;

#[derive(Debug, Default)]
pub(super) struct QueueCache {
    found: Vec<Uuid>,
    until: Option<Instant>,
    /// Start of the current look, and the queues that were added since then: the look may have missed them.
    began: Option<Instant>,
    brought: Vec<Uuid>,
}

impl QueueCache {
    /// Returns the result while it is valid.
    pub(super) fn at(&self, now: Instant) -> Option<&[Uuid]> {
        self.until.is_some_and(|until| now < until).then_some(&self.found)
    }

    /// Records a queue with a new job. If the result does not contain it, a new look is required.
    pub(super) fn refresh_if_unknown(&mut self, queue: Uuid) {
        if self.began.is_some() && self.brought.len() < TOLD_OF && !self.brought.contains(&queue) {
            self.brought.push(queue);
        }
        if !self.found.contains(&queue) {
            self.until = None;
        }
    }

    pub(super) fn begins(&mut self, now: Instant) {
        self.began = Some(now);
        self.brought.clear();
    }

    /// Stores the result of a look. It is not used if it missed a queue that was added in the meantime, or if another
    /// look started.
    pub(super) fn keep(&mut self, found: Vec<Uuid>, began: Instant, ended: Instant) {
        let missed = self.brought.len() >= TOLD_OF || self.brought.iter().any(|queue| !found.contains(queue));
        let is_whole = self.began == Some(began) && !missed;
        let rest = ended.saturating_duration_since(began).saturating_mul(REST).clamp(SHORTEST, LONGEST);
        *self = Self { found, until: is_whole.then(|| ended + rest), ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_the_result_of_a_slow_look_for_longer() {
        let (mut cache, began) = (QueueCache::default(), Instant::now());
        assert_eq!(cache.at(began), None);
        let after = |millis| began + Duration::from_millis(millis);
        for (took, stays) in [(0, 20), (10, 200), (500, 1_000)] {
            cache.begins(began);
            cache.keep(vec![Uuid::nil()], began, after(took));
            assert_eq!(cache.at(after(took + stays - 1)), Some([Uuid::nil()].as_slice()), "{took}");
            assert_eq!(cache.at(after(took + stays)), None, "{took}");
        }
    }

    #[test]
    fn an_unknown_queue_requires_a_new_look() {
        let (mut cache, now) = (QueueCache::default(), Instant::now());
        cache.begins(now);
        cache.keep(vec![Uuid::nil()], now, now);
        cache.refresh_if_unknown(Uuid::nil());
        assert!(cache.at(now).is_some());
        cache.refresh_if_unknown(Uuid::max());
        assert_eq!(cache.at(now), None);
    }

    #[test]
    fn a_queue_missed_during_a_look_requires_a_new_look() {
        let now = Instant::now();
        for (seen, stays) in [(vec![Uuid::nil()], None), (vec![Uuid::nil(), Uuid::max()], Some(2))] {
            let mut cache = QueueCache::default();
            cache.begins(now);
            // Even if it was known before, this look may have passed its place already.
            cache.refresh_if_unknown(Uuid::max());
            cache.keep(seen, now, now);
            assert_eq!(cache.at(now).map(<[Uuid]>::len), stays);
        }
    }

    #[test]
    fn ignores_the_result_of_an_overtaken_look() {
        let (mut cache, now) = (QueueCache::default(), Instant::now());
        let later = now + SHORTEST;
        cache.begins(now);
        cache.begins(later);
        cache.keep(vec![Uuid::nil()], now, later);
        assert_eq!(cache.at(later), None);
    }
}
