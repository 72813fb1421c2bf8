//! Requests that the server fetches from a provider instead of receiving them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::inbound_request::InboundRequest;
use super::setup::HealthProblem;
use crate::time::Timestamp;

/// Maximum number of polls without a pause while the provider has more requests. With 20 requests in each, a channel gets
/// at most 500 a second, as many as a provider that calls the server may send.
const MOST_AT_ONCE: u32 = 25;
/// Time until the next poll if a request arrived recently.
const ACTIVE_PAUSE: Duration = Duration::from_secs(1);
/// Time until the next poll otherwise, and after the first failure.
const QUIET_PAUSE: Duration = Duration::from_secs(3);
/// Time after a request during which more are expected soon.
const ACTIVE: Duration = Duration::from_secs(60);
/// How long the provider waits for a request in a poll that shows whether another program fetches them. Longer than
/// [`QUIET_PAUSE`], so that another server polls in this time.
const EXCLUSIVE_WAIT: Duration = Duration::from_secs(5);
/// Time between two such polls.
const EXCLUSIVE_INTERVAL: Duration = Duration::from_secs(15 * 60);
/// Maximum time until the next poll after failures, unless the provider asks for more.
const LONGEST_BACKOFF: Duration = Duration::from_secs(60);
/// Maximum time until the next poll that a provider can ask for.
const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(3_600);
/// Time after which a provider has deleted requests. It can then number new requests from another start.
const EXPIRY: Duration = Duration::from_secs(24 * 3_600);

/// Requests of a provider.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Polled {
    /// The requests, the oldest first.
    pub requests: Vec<PolledRequest>,
    /// Whether the provider may have more requests now.
    pub has_more: bool,
}

/// A fetched request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolledRequest {
    /// Its number. A later request has a greater one.
    pub number: i64,
    /// The request, as the provider would send it to the inbound address, without headers.
    pub request: InboundRequest,
}

/// The result of a poll, after its requests were stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct PollResult {
    /// Number of the last request, if there were any.
    pub(crate) last: Option<i64>,
    /// Whether a contact wrote.
    pub(crate) is_heard: bool,
    /// Whether the provider may have more requests now.
    pub(crate) has_more: bool,
    /// Whether the poll showed that no other program fetches the requests.
    pub(crate) is_exclusive: bool,
}

/// A poll that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PollFailure {
    /// The problem.
    pub problem: HealthProblem,
    /// The time to wait until the next poll, if the provider asks for one.
    pub after: Option<Duration>,
}

/// The stored progress of the polls of a channel.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PollProgress {
    /// Number of the current series of polls. Jobs with another number do nothing.
    pub round: i64,
    /// Number of the last stored request.
    pub last: Option<i64>,
    /// When it was stored.
    pub last_at: Option<Timestamp>,
    /// Number of polls since the last pause, while the provider has more requests.
    pub at_once: u32,
    /// Number of failed polls since the last one that succeeded.
    pub failures: u32,
    /// Code of the problem that polls found. A poll that succeeds ends it.
    pub problem: Option<String>,
    /// When a poll last showed that no other program fetches the requests.
    pub exclusive_at: Option<Timestamp>,
}

impl PollProgress {
    /// Returns the progress at the beginning of a new series of polls. It forgets the last request: the provider, or its
    /// server at another address, can have numbered the next ones from another start, and would delete those with lower
    /// numbers. Requests that are fetched again change nothing.
    pub(super) fn restarted(&self) -> Self {
        Self { round: self.round + 1, ..Self::default() }
    }

    /// Returns the number after which requests are fetched; `None` for all that the provider has.
    pub(crate) fn position(&self, now: Timestamp) -> Option<i64> {
        self.last.filter(|_| self.last_at.is_some_and(|at| now < at.plus(EXPIRY)))
    }

    /// Returns how long the provider waits for a request in the next poll. Usually it does not wait, because a poll
    /// occupies a slot. Two programs that poll in turn would each get a part of the requests, and see no failure. So
    /// some polls wait: the provider ends one of two polls at the same time. After a failure, all polls wait.
    pub(crate) fn wait(&self, now: Timestamp) -> Duration {
        let is_exclusive = self.exclusive_at.is_some_and(|at| now < at.plus(EXCLUSIVE_INTERVAL));
        if is_exclusive && self.failures == 0 { Duration::ZERO } else { EXCLUSIVE_WAIT }
    }

    /// Counts a poll after which the provider has more requests, or not.
    pub(super) fn count(&mut self, has_more: bool) {
        self.at_once = if has_more { (self.at_once + 1) % MOST_AT_ONCE } else { 0 };
    }

    /// Returns the time until the next poll after one that succeeded. If the provider has more requests, the next poll is
    /// due at once. A server that always claims to have more gets a pause after some polls.
    pub(crate) fn pause(&self, now: Timestamp) -> Duration {
        if self.at_once > 0 {
            return Duration::ZERO;
        }
        let is_active = self.last_at.is_some_and(|at| now < at.plus(ACTIVE));
        if is_active { ACTIVE_PAUSE } else { QUIET_PAUSE }
    }

    /// Returns the time until the next poll after a failure: it doubles with each one. `after` is the time that the
    /// provider asks for.
    pub(crate) fn backoff(&self, after: Option<Duration>) -> Duration {
        let doublings = self.failures.saturating_sub(1).min(10);
        let usual = QUIET_PAUSE.saturating_mul(2_u32.saturating_pow(doublings)).min(LONGEST_BACKOFF);
        usual.max(after.unwrap_or_default().min(LONGEST_RETRY_AFTER))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::EPOCH_2026;

    fn after(seconds: u64) -> Timestamp {
        NOW.plus(Duration::from_secs(seconds))
    }

    #[test]
    fn a_position_is_used_for_a_day() {
        let progress = PollProgress { last: Some(7), last_at: Some(NOW), ..PollProgress::default() };
        assert_eq!(progress.position(after(86_399)), Some(7));
        assert_eq!(progress.position(after(86_400)), None, "new requests can have lower numbers");
        assert_eq!(PollProgress::default().position(NOW), None);
        let restarted = progress.restarted();
        assert_eq!((restarted.round, restarted.position(NOW)), (1, None));
    }

    #[test]
    fn polls_more_often_after_a_request() {
        let progress = PollProgress { last: Some(7), last_at: Some(NOW), ..PollProgress::default() };
        assert_eq!((progress.pause(after(59)), progress.pause(after(60))), (ACTIVE_PAUSE, QUIET_PAUSE));
        assert_eq!(PollProgress::default().pause(NOW), QUIET_PAUSE);
    }

    #[test]
    fn pauses_regularly_while_the_provider_has_more_requests() {
        let mut progress = PollProgress { last: Some(7), last_at: Some(NOW), ..PollProgress::default() };
        let mut pauses = |has_more: &[bool]| -> Vec<Duration> {
            let pause = |has_more: &bool| {
                progress.count(*has_more);
                progress.pause(NOW)
            };
            has_more.iter().map(pause).collect()
        };
        let (all_but_one, one) = ([Duration::ZERO; MOST_AT_ONCE as usize - 1], [ACTIVE_PAUSE]);
        let series = [&all_but_one[..], &one[..]].concat();
        assert_eq!(pauses(&[true; 2 * MOST_AT_ONCE as usize]), [series.clone(), series.clone()].concat());
        assert_eq!(pauses(&[true, false]), [Duration::ZERO, ACTIVE_PAUSE]);
        assert_eq!(pauses(&[true; MOST_AT_ONCE as usize]), series, "a poll without more requests ends the count");
    }

    #[test]
    fn some_polls_wait_for_a_request() {
        let new = PollProgress::default();
        let known = PollProgress { exclusive_at: Some(NOW), ..PollProgress::default() };
        assert_eq!(
            (new.wait(NOW), known.wait(after(899)), known.wait(after(900))),
            (EXCLUSIVE_WAIT, Duration::ZERO, EXCLUSIVE_WAIT)
        );
        let failed = PollProgress { failures: 1, ..known };
        assert_eq!((failed.wait(NOW), failed.restarted().exclusive_at), (EXCLUSIVE_WAIT, None));
    }

    #[test]
    fn waits_longer_after_each_failure() {
        let wait = |failures: u32, after: Option<u64>| {
            let progress = PollProgress { failures, ..PollProgress::default() };
            progress.backoff(after.map(Duration::from_secs)).as_secs()
        };
        assert_eq!([1, 2, 3, 5, 6, 99].map(|failures| wait(failures, None)), [3, 6, 12, 48, 60, 60]);
        assert_eq!([wait(1, Some(1)), wait(1, Some(90)), wait(1, Some(9_999))], [3, 90, 3_600]);
    }
}
