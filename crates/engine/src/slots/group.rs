//! The jobs of a group: of a webhook or of a channel. The number of running jobs depends on their duration.

use std::collections::VecDeque;
use std::time::Duration;

use tidings_domain::ports::{ClaimedJob, Pool};

/// Maximum number of running jobs of a webhook. Its other claims wait.
const SLOW_RUNNING: usize = 8;
/// Maximum number of claims of a webhook. A full group gets no more claims.
const SLOW_CLAIMED: usize = 16;
/// As [`SLOW_RUNNING`], for a webhook with quick jobs. Such jobs mostly read and write concurrently and do not wait for
/// a receiver.
const QUICK_RUNNING: usize = 96;
/// As [`SLOW_CLAIMED`], for a webhook with quick jobs.
const QUICK_CLAIMED: usize = 128;
/// A delivery that took at most this long counts as quick.
pub(crate) const QUICK: Duration = Duration::from_millis(100);

/// Maximum number of running sends of a channel after several slow sends.
const FEWEST_SENDS: usize = 4;
/// A send that took longer counts as slow. A call to a silent provider ends after 5 s without a connection, and after 12
/// s without a response.
const SLOW_SEND: Duration = Duration::from_secs(4);

/// The claims of a group.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) running: usize,
    pub(super) waiting: VecDeque<ClaimedJob>,
    limit: Limit,
}

/// The maximum number of running jobs.
#[derive(Debug)]
enum Limit {
    /// For a webhook: depends on whether the last delivery was quick.
    Deliveries { are_quick: bool },
    /// For a channel: half of the slots at first. Each slow send halves the maximum, and each other send increases it
    /// if it is reached.
    Sends { allowed: usize, most: usize },
}

impl Group {
    /// A group without jobs, in a pool with this number of slots. A channel gets at most half of the slots. With 32 of
    /// 64 slots and sends of 120 ms, that is 266 messages a second.
    pub(super) fn new(pool: Pool, slots: usize) -> Self {
        let limit = match pool {
            Pool::Sends => {
                let most = slots.div_ceil(2).max(1);
                Limit::Sends { allowed: most, most }
            }
            Pool::Deliveries | Pool::Work | Pool::Polls => Limit::Deliveries { are_quick: false },
        };
        Self { running: 0, waiting: VecDeque::new(), limit }
    }

    /// Whether another job may start.
    pub(super) fn may_run(&self) -> bool {
        let allowed = match self.limit {
            Limit::Deliveries { are_quick: true } => QUICK_RUNNING,
            Limit::Deliveries { are_quick: false } => SLOW_RUNNING,
            Limit::Sends { allowed, .. } => allowed,
        };
        self.running < allowed
    }

    /// Whether no more jobs are claimed.
    pub(super) fn is_full(&self) -> bool {
        let claims = match self.limit {
            Limit::Deliveries { are_quick: true } => QUICK_CLAIMED,
            Limit::Deliveries { are_quick: false } => SLOW_CLAIMED,
            // A claim that waits would count as a failed one if the process dies.
            Limit::Sends { allowed, .. } => allowed,
        };
        self.running + self.waiting.len() >= claims
    }

    /// Removes a running job. `took` is its duration; `None` if it was dropped or does not show the receiver's speed.
    pub(super) fn end(&mut self, took: Option<Duration>) {
        let was_at_limit = !self.may_run();
        self.running = self.running.saturating_sub(1);
        let Some(took) = took else { return };
        match &mut self.limit {
            Limit::Deliveries { are_quick } => *are_quick = took <= QUICK,
            Limit::Sends { allowed, most } if took > SLOW_SEND => {
                *allowed = (*allowed / 2).max(FEWEST_SENDS).min(*most);
            }
            Limit::Sends { allowed, most } => *allowed = (*allowed + usize::from(was_at_limit)).min(*most),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUICKLY: Option<Duration> = Some(Duration::from_millis(110));
    const SLOWLY: Option<Duration> = Some(Duration::from_secs(12));

    /// Runs as many jobs as allowed, and returns their number.
    fn fill(group: &mut Group) -> usize {
        while group.may_run() {
            group.running += 1;
        }
        group.running
    }

    fn end_all(group: &mut Group, took: Option<Duration>) {
        (0..group.running).for_each(|_| group.end(took));
    }

    #[test]
    fn a_channel_gets_half_of_the_slots_again_after_a_few_sends() {
        let mut group = Group::new(Pool::Sends, 64);
        assert_eq!(fill(&mut group), 32);
        end_all(&mut group, SLOWLY);
        let mut allowed = Vec::new();
        for _ in 0..60 {
            allowed.push(fill(&mut group));
            group.end(QUICKLY);
        }
        assert_eq!(allowed[..3], [4, 5, 6]);
        assert_eq!(allowed[28..], [32; 32]);
    }

    #[test]
    fn a_channel_with_little_work_keeps_its_limit() {
        let mut group = Group::new(Pool::Sends, 64);
        fill(&mut group);
        end_all(&mut group, SLOWLY);
        for _ in 0..60 {
            group.running = 3;
            end_all(&mut group, QUICKLY);
        }
        assert_eq!(fill(&mut group), 4);
    }

    #[test]
    fn slow_sends_reduce_a_channel_to_four_slots_until_it_is_fast_again() {
        let mut group = Group::new(Pool::Sends, 64);
        assert_eq!(fill(&mut group), 32);
        end_all(&mut group, SLOWLY);
        assert_eq!(fill(&mut group), 4);
        end_all(&mut group, None);
        assert!(!group.is_full());
        assert_eq!(fill(&mut group), 4, "dropped jobs say nothing about the provider");
        group.end(QUICKLY);
        assert_eq!(fill(&mut group), 5);
    }

    #[test]
    fn a_channel_gets_no_more_claims_than_it_may_run() {
        let mut group = Group::new(Pool::Sends, 64);
        (0..31).for_each(|_| group.running += 1);
        assert!(!group.is_full());
        group.running += 1;
        assert!(group.is_full());
    }

    #[test]
    fn limits_fit_a_pool_with_few_slots() {
        for (slots, most) in [(1, 1), (2, 1), (6, 3)] {
            let mut group = Group::new(Pool::Sends, slots);
            assert_eq!(fill(&mut group), most);
            end_all(&mut group, SLOWLY);
            assert_eq!(fill(&mut group), most);
        }
    }
}
