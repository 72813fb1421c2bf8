//! The decision after an attempt. It is pure: 75 hours of retries are tested in microseconds.

use std::time::Duration;

use super::sender::AttemptOutcome;
use crate::time::Timestamp;

/// The retry schedule of deliveries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetrySchedule {
    /// The delay before each attempt, including the first one.
    pub waits: Vec<Duration>,
}

impl Default for RetrySchedule {
    /// Ten attempts over 75 hours and 35 minutes.
    fn default() -> Self {
        const MINUTE: u64 = 60;
        const HOUR: u64 = 60 * MINUTE;
        let seconds = [0, 5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
        Self { waits: seconds.into_iter().map(Duration::from_secs).collect() }
    }
}

/// The result of an attempt for its delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextStep {
    /// The receiver accepted it.
    Succeeded,
    /// Another attempt is due at this time.
    RetryAt(Timestamp),
    /// No attempt will follow.
    Failed,
}

impl RetrySchedule {
    /// The status of a receiver that wants no more deliveries.
    pub const GONE: u16 = 410;
    /// The minimum delay after a response that reports overload, or after a timeout.
    const REST: Duration = Duration::from_secs(60);
    /// The limit of a delay that `Retry-After` extends, or twice the delay if that is longer.
    const STRETCH: Duration = Duration::from_secs(15 * 60);

    /// Decides what happens after attempt `number`. It is 1 for the first attempt, and for the first one after a
    /// replay. `jitter` from 0 to 1 changes the delay by up to 20 % in either direction.
    pub fn after(&self, number: u32, outcome: &AttemptOutcome, jitter: f64, now: Timestamp) -> NextStep {
        match outcome {
            AttemptOutcome::Answered { status: 200..=299, .. } => return NextStep::Succeeded,
            AttemptOutcome::Forbidden(_) | AttemptOutcome::Answered { status: Self::GONE, .. } => {
                return NextStep::Failed;
            }
            _ => {}
        }
        let Some(wait) = self.waits.get(number as usize) else { return NextStep::Failed };
        let base = wait.mul_f64(0.8 + 0.4 * jitter.clamp(0.0, 1.0));
        NextStep::RetryAt(now.plus(Self::rested(base, outcome)))
    }

    fn rested(base: Duration, outcome: &AttemptOutcome) -> Duration {
        match outcome {
            AttemptOutcome::Answered { status, retry_after } => {
                let asked = retry_after.unwrap_or_default().clamp(base, (base * 2).max(Self::STRETCH));
                if matches!(status, 429 | 502..=504) { asked.max(Self::REST) } else { asked }
            }
            AttemptOutcome::TimedOut => base.max(Self::REST),
            _ => base,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_767_225_600_000;

    fn wait(number: u32, outcome: &AttemptOutcome, jitter: f64) -> Option<u64> {
        let now = Timestamp::from_millis(NOW);
        match RetrySchedule::default().after(number, outcome, jitter, now) {
            NextStep::RetryAt(at) => Some(at.since(now).as_secs()),
            _ => None,
        }
    }

    fn answered(status: u16, retry_after: Option<u64>) -> AttemptOutcome {
        AttemptOutcome::Answered { status, retry_after: retry_after.map(Duration::from_secs) }
    }

    #[test]
    fn ten_attempts_span_75_hours_and_35_minutes() {
        let waits: Vec<u64> = (1..20).map_while(|number| wait(number, &answered(500, None), 0.5)).collect();
        assert_eq!(waits.len() + 1, 10);
        assert_eq!(waits.iter().sum::<u64>(), 75 * 3_600 + 35 * 60 + 5);
    }

    #[test]
    fn jitter_changes_a_wait_by_at_most_a_fifth() {
        assert_eq!(wait(2, &answered(500, None), 0.0), Some(240));
        assert_eq!(wait(2, &answered(500, None), 1.0), Some(360));
    }

    #[test]
    fn success_forbidden_addresses_and_the_last_attempt_are_final() {
        let now = Timestamp::from_millis(NOW);
        let schedule = RetrySchedule::default();
        assert_eq!(schedule.after(1, &answered(204, None), 0.5, now), NextStep::Succeeded);
        assert_eq!(schedule.after(1, &AttemptOutcome::Forbidden("x".into()), 0.5, now), NextStep::Failed);
        assert_eq!(schedule.after(10, &answered(500, None), 0.5, now), NextStep::Failed);
    }

    #[test]
    fn waits_longer_for_overloaded_receivers_within_bounds() {
        assert_eq!(wait(1, &answered(500, None), 0.5), Some(5));
        assert_eq!(wait(1, &answered(503, None), 0.5), Some(60));
        assert_eq!(wait(1, &AttemptOutcome::TimedOut, 0.5), Some(60));
        assert_eq!(wait(1, &answered(429, Some(120)), 0.5), Some(120));
        assert_eq!(wait(1, &answered(429, Some(86_400)), 0.5), Some(900));
        assert_eq!(wait(4, &answered(429, Some(86_400)), 0.5), Some(14_400));
        assert_eq!(wait(4, &answered(429, Some(1)), 0.5), Some(7_200));
        assert_eq!(wait(1, &answered(301, None), 0.5), Some(5));
        assert_eq!(wait(1, &answered(500, Some(30)), 0.5), Some(30));
        assert_eq!(wait(4, &answered(500, Some(86_400)), 0.5), Some(14_400));
        assert_eq!(wait(1, &answered(410, Some(5)), 0.5), None, "status 410 is not retried");
    }
}
