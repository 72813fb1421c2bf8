//! Which queues have anything, as of a moment ago.
//!
//! Queues are found by skipping from one to the next in an index. What was taken from a queue stays in the index until it is
//! vacuumed, which a snapshot that somebody holds open puts off, and is passed by at each look. So what a look found is gone
//! by for some times as long as it took: a queue that another process made is found so much later, and looks never take
//! more than a small part of the time. Of what this process queues it is told.

use std::time::{Duration, Instant};

use uuid::Uuid;

/// So many times as long as a look took, no other is made.
const REST: u32 = 20;
/// The least and the most.
const SHORTEST: Duration = Duration::from_millis(20);
const LONGEST: Duration = Duration::from_secs(1);

/// So many queues are told of during a look; of more it is made again.
const TOLD_OF: usize = 1_024;

/// What a look found.
#[derive(Debug, Default)]
pub(super) struct Looked {
    found: Vec<Uuid>,
    until: Option<Instant>,
    /// The look that is under way, and what was queued since it began: it may not have seen that.
    began: Option<Instant>,
    brought: Vec<Uuid>,
}

impl Looked {
    /// What was found, while it is gone by.
    pub(super) fn at(&self, now: Instant) -> Option<&[Uuid]> {
        self.until.is_some_and(|until| now < until).then_some(&self.found)
    }

    /// Has it looked anew, where this one was not found.
    pub(super) fn brings(&mut self, queue: Uuid) {
        if self.began.is_some() && self.brought.len() < TOLD_OF && !self.brought.contains(&queue) {
            self.brought.push(queue);
        }
        if !self.found.contains(&queue) {
            self.until = None;
        }
    }

    /// A look begins.
    pub(super) fn begins(&mut self, now: Instant) {
        self.began = Some(now);
        self.brought.clear();
    }

    /// Keeps what a look found. Where it missed what was queued meanwhile, or another one began, it is gone by no longer.
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
    fn the_longer_a_look_takes_the_longer_is_gone_by_it() {
        let (mut looked, began) = (Looked::default(), Instant::now());
        assert_eq!(looked.at(began), None);
        let after = |millis| began + Duration::from_millis(millis);
        for (took, stays) in [(0, 20), (10, 200), (500, 1_000)] {
            looked.begins(began);
            looked.keep(vec![Uuid::nil()], began, after(took));
            assert_eq!(looked.at(after(took + stays - 1)), Some([Uuid::nil()].as_slice()), "{took}");
            assert_eq!(looked.at(after(took + stays)), None, "{took}");
        }
    }

    #[test]
    fn a_queue_that_is_not_known_is_looked_for_at_once() {
        let (mut looked, now) = (Looked::default(), Instant::now());
        looked.begins(now);
        looked.keep(vec![Uuid::nil()], now, now);
        looked.brings(Uuid::nil());
        assert!(looked.at(now).is_some());
        looked.brings(Uuid::max());
        assert_eq!(looked.at(now), None);
    }

    #[test]
    fn what_is_queued_during_a_look_is_looked_for_again_unless_it_was_seen() {
        let now = Instant::now();
        for (seen, stays) in [(vec![Uuid::nil()], None), (vec![Uuid::nil(), Uuid::max()], Some(2))] {
            let mut looked = Looked::default();
            looked.begins(now);
            // Known from before or not: this look may have passed its place already.
            looked.brings(Uuid::max());
            looked.keep(seen, now, now);
            assert_eq!(looked.at(now).map(<[Uuid]>::len), stays);
        }
    }

    #[test]
    fn a_look_that_another_overtook_is_not_gone_by() {
        let (mut looked, now) = (Looked::default(), Instant::now());
        let later = now + SHORTEST;
        looked.begins(now);
        looked.begins(later);
        looked.keep(vec![Uuid::nil()], now, later);
        assert_eq!(looked.at(later), None);
    }
}
