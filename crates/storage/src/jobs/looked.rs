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

/// What a look found.
#[derive(Debug, Default)]
pub(super) struct Looked {
    found: Vec<Uuid>,
    until: Option<Instant>,
}

impl Looked {
    /// What was found, while it is gone by.
    pub(super) fn at(&self, now: Instant) -> Option<&[Uuid]> {
        self.until.is_some_and(|until| now < until).then_some(&self.found)
    }

    /// Has it looked anew, where this one was not found.
    pub(super) fn brings(&mut self, queue: Uuid) {
        if !self.found.contains(&queue) {
            self.until = None;
        }
    }

    /// Keeps what a look found.
    pub(super) fn keep(&mut self, found: Vec<Uuid>, began: Instant, ended: Instant) {
        let rest = ended.saturating_duration_since(began).saturating_mul(REST);
        *self = Self { found, until: Some(ended + rest.clamp(SHORTEST, LONGEST)) };
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
            looked.keep(vec![Uuid::nil()], began, after(took));
            assert_eq!(looked.at(after(took + stays - 1)), Some([Uuid::nil()].as_slice()), "{took}");
            assert_eq!(looked.at(after(took + stays)), None, "{took}");
        }
    }

    #[test]
    fn a_queue_that_is_not_known_is_looked_for_at_once() {
        let (mut looked, now) = (Looked::default(), Instant::now());
        looked.keep(vec![Uuid::nil()], now, now);
        looked.brings(Uuid::nil());
        assert!(looked.at(now).is_some());
        looked.brings(Uuid::max());
        assert_eq!(looked.at(now), None);
    }
}
