//! The health of a receiver: a circuit breaker, and the end after five days.

use std::time::Duration;

use crate::time::Timestamp;

/// The number of consecutive failures that opens the breaker.
const TRIP: i32 = 10;
/// The first rest of the receiver. It doubles each time, up to [`LONGEST_REST`].
const FIRST_REST: Duration = Duration::from_secs(60);
const LONGEST_REST: Duration = Duration::from_secs(15 * 60);
/// After a rest, one delivery probes the receiver. The others wait this long for its result.
const PROBE: Duration = Duration::from_secs(20);
/// A webhook that only failed for this long is disabled.
const HOPELESS: Duration = Duration::from_secs(5 * 24 * 3_600);
/// A success that follows another one within this time is not stored.
pub const STAMP: Duration = Duration::from_secs(1);

/// The recent health of a webhook's receiver.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Health {
    /// The number of failed attempts since the last success.
    pub failures: i32,
    /// The time of the first of them.
    pub failing_since: Option<Timestamp>,
    /// The end of the current rest. Deliveries wait until then.
    pub parked_until: Option<Timestamp>,
    /// The number of rests since the last success.
    pub rests: i32,
    /// The time of the last success, accurate to the second.
    pub last_delivery_at: Option<Timestamp>,
    /// Incremented by each change.
    pub version: i64,
}

/// Whether an attempt may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// An attempt may be made.
    Go,
    /// One attempt may be made for all deliveries, after [`Health::probing`] is stored.
    Probe,
    /// No attempt may be made before this time.
    Wait(Timestamp),
}

impl Health {
    /// Returns whether an attempt may be made now.
    pub fn admission(&self, now: Timestamp) -> Admission {
        match self.parked_until {
            _ if self.failures < TRIP => Admission::Go,
            Some(until) if until > now => Admission::Wait(until),
            _ => Admission::Probe,
        }
    }

    /// Returns the health during a probe: other deliveries wait.
    #[must_use]
    pub fn probing(&self, now: Timestamp) -> Self {
        Self { parked_until: Some(now.plus(PROBE)), version: self.version + 1, ..self.clone() }
    }

    /// Whether to store a success now: only if none of the last second is stored.
    pub fn wants_stamp(&self, now: Timestamp) -> bool {
        self.last_delivery_at.is_none_or(|at| now.since(at) >= STAMP)
    }

    /// Returns the health after a success; `None` if there were no failures before.
    pub fn after_success(&self, now: Timestamp) -> Option<Self> {
        let after = Self { last_delivery_at: Some(now), version: self.version + 1, ..Self::default() };
        (self.failures > 0).then_some(after)
    }

    /// Returns the health after a failed attempt; `probe` is whether it probed the receiver.
    #[must_use]
    pub fn after_failure(&self, now: Timestamp, probe: bool) -> Self {
        let mut after = self.clone();
        after.version += 1;
        after.failures = self.failures.saturating_add(1);
        after.failing_since = self.failing_since.or(Some(now));
        // Attempts that were in progress when the breaker opened do not open it again.
        let is_closed = self.parked_until.is_none_or(|until| until <= now);
        if after.failures >= TRIP && (probe || is_closed) {
            let doublings = u32::try_from(self.rests).unwrap_or(0).min(10);
            let rest = (FIRST_REST * 2_u32.saturating_pow(doublings)).min(LONGEST_REST);
            after.parked_until = Some(now.plus(rest));
            after.rests = self.rests.saturating_add(1);
        }
        after
    }

    /// Whether all attempts failed for five days.
    pub fn is_hopeless(&self, now: Timestamp) -> bool {
        self.failing_since.is_some_and(|since| now.since(since) >= HOPELESS)
    }

    /// Returns the health of a webhook that is enabled again.
    #[must_use]
    pub fn afresh(&self) -> Self {
        Self { last_delivery_at: self.last_delivery_at, version: self.version + 1, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::EPOCH_2026;

    fn after(seconds: u64) -> Timestamp {
        NOW.plus(Duration::from_secs(seconds))
    }

    fn failed(times: usize) -> Health {
        (0..times).fold(Health::default(), |health, _| health.after_failure(NOW, false))
    }

    #[test]
    fn opens_the_breaker_after_ten_failures_in_a_row() {
        assert_eq!(failed(9).admission(NOW), Admission::Go);
        assert_eq!(failed(10).admission(NOW), Admission::Wait(after(60)));
        assert_eq!(failed(10).admission(after(60)), Admission::Probe);
    }

    #[test]
    fn late_failures_do_not_prolong_an_open_breaker() {
        assert_eq!(failed(17).admission(NOW), Admission::Wait(after(60)));
        assert_eq!(failed(17).rests, 1);
    }

    #[test]
    fn each_failed_probe_doubles_the_rest_up_to_15_minutes() {
        let mut health = failed(10);
        let mut rests = Vec::new();
        for _ in 0..6 {
            let Admission::Wait(until) = health.admission(health.parked_until.unwrap().minus(STAMP)) else { panic!() };
            health = health.probing(until);
            assert!(matches!(health.admission(until), Admission::Wait(_)), "other deliveries wait during the probe");
            health = health.after_failure(until, true);
            rests.push(health.parked_until.unwrap().since(until).as_secs());
        }
        assert_eq!(rests, [120, 240, 480, 900, 900, 900]);
        let well = health.after_success(after(9_000)).unwrap();
        assert_eq!((well.admission(after(9_000)), well.failures, well.rests), (Admission::Go, 0, 0));
    }

    #[test]
    fn stores_successes_once_a_second_and_at_once_after_a_failure() {
        let new = Health::default();
        assert!(new.wants_stamp(NOW) && new.after_success(NOW).is_none());
        let well = Health { last_delivery_at: Some(NOW), ..new };
        assert!(!well.wants_stamp(NOW.plus(Duration::from_millis(999))) && well.wants_stamp(after(1)));
        let ill = well.after_failure(NOW, false);
        assert_eq!(ill.after_success(NOW).unwrap().failing_since, None);
    }

    #[test]
    fn is_hopeless_after_five_days_of_failures_without_a_success() {
        let day = 24 * 3_600;
        let ill = failed(1);
        assert!(!ill.is_hopeless(after(5 * day - 1)) && ill.is_hopeless(after(5 * day)));
        let again = ill.after_success(after(day)).unwrap().after_failure(after(2 * day), false);
        assert!(!again.is_hopeless(after(6 * day)), "a success in between restarts the count");
        assert!(!failed(30).afresh().after_failure(after(6 * day), false).is_hopeless(after(6 * day)));
        assert_eq!(failed(30).afresh().admission(NOW), Admission::Go);
    }
}
