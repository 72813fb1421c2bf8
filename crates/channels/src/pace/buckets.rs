//! The token buckets of this process. Times are durations since the start of the process.

use std::collections::HashMap;
use std::time::Duration;

use tidings_domain::channels::PaceLimit;
use tidings_domain::ports::{Booking, BucketCall};

/// Number of buckets at which full ones are first removed.
const FIRST_SWEEP: usize = 1_024;

/// Counts calls in token buckets. A full bucket needs no memory, so their number is limited by the calls of the last
/// minutes.
#[derive(Debug)]
pub(super) struct Buckets {
    /// The time of the next call of each bucket if all calls were evenly spread. A burst is made before that time.
    next: HashMap<u128, Duration>,
    sweep_at: usize,
}

impl Default for Buckets {
    fn default() -> Self {
        Self { next: HashMap::new(), sweep_at: FIRST_SWEEP }
    }
}

impl Buckets {
    /// Counts a call in all of these buckets at `now`, if each is free soon enough. This process uses an equal part of
    /// each limit if there are several `processes`.
    pub(super) fn book(&mut self, calls: &[BucketCall], processes: u32, now: Duration) -> Booking {
        let booking = self.check(calls, processes, now);
        if matches!(booking, Booking::Booked(_)) {
            self.count(calls, processes, now);
        }
        booking
    }

    /// Returns the result of a call, without counting it.
    pub(super) fn check(&self, calls: &[BucketCall], processes: u32, now: Duration) -> Booking {
        let mut longest = Duration::ZERO;
        for (bucket, call) in calls.iter().enumerate() {
            let limit = part_of(call.limit, processes);
            let burst = limit.every.saturating_mul(limit.burst.saturating_sub(1));
            let next = self.next.get(&call.bucket).copied().unwrap_or_default();
            let wait = next.saturating_sub(burst).saturating_sub(now);
            if wait > call.longest {
                return Booking::Refused { bucket, wait };
            }
            longest = longest.max(wait);
        }
        Booking::Booked(longest)
    }

    /// Counts a call in all of these buckets at `now`.
    pub(super) fn count(&mut self, calls: &[BucketCall], processes: u32, now: Duration) {
        if self.next.len() >= self.sweep_at {
            self.next.retain(|_, next| *next > now);
            self.sweep_at = FIRST_SWEEP.max(self.next.len() * 2);
        }
        for call in calls {
            let next = self.next.entry(call.bucket).or_default();
            *next = (*next).max(now).saturating_add(part_of(call.limit, processes).every);
        }
    }
}

/// Returns the part of a limit for one of several processes.
fn part_of(limit: PaceLimit, processes: u32) -> PaceLimit {
    let processes = processes.max(1);
    PaceLimit { every: limit.every.saturating_mul(processes), burst: (limit.burst / processes).max(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn a_call(bucket: u128, burst: u32, longest: Duration) -> BucketCall {
        BucketCall { bucket, limit: PaceLimit { every: SECOND, burst }, longest }
    }

    fn at(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn admits_a_burst_and_then_one_call_a_second() {
        let (mut buckets, call) = (Buckets::default(), [a_call(1, 3, Duration::ZERO)]);
        for _ in 0..3 {
            assert_eq!(buckets.book(&call, 1, at(5_000)), Booking::Booked(Duration::ZERO));
        }
        assert_eq!(buckets.book(&call, 1, at(5_000)), Booking::Refused { bucket: 0, wait: SECOND });
        assert_eq!(buckets.book(&call, 1, at(5_700)), Booking::Refused { bucket: 0, wait: at(300) });
        assert_eq!(buckets.book(&call, 1, at(6_000)), Booking::Booked(Duration::ZERO));
        assert_eq!(buckets.book(&call, 1, at(6_000)), Booking::Refused { bucket: 0, wait: SECOND });
        for _ in 0..3 {
            assert_eq!(buckets.book(&call, 1, at(60_000)), Booking::Booked(Duration::ZERO), "unused calls are saved");
        }
        assert_eq!(buckets.book(&call, 1, at(60_000)), Booking::Refused { bucket: 0, wait: SECOND });
    }

    #[test]
    fn spreads_calls_that_may_wait() {
        let (mut buckets, call) = (Buckets::default(), [a_call(1, 1, SECOND)]);
        let waits = [0, 1_000].map(|wait| Booking::Booked(at(wait)));
        assert_eq!([(); 2].map(|()| buckets.book(&call, 1, at(7_000))), waits);
        assert_eq!(buckets.book(&call, 1, at(7_000)), Booking::Refused { bucket: 0, wait: at(2_000) });
        assert_eq!(buckets.book(&[a_call(2, 1, SECOND)], 1, at(7_000)), waits[0], "another bucket is free");
        assert_eq!(buckets.book(&call, 1, at(8_500)), Booking::Booked(at(500)));
    }

    #[test]
    fn a_refused_call_counts_in_no_bucket() {
        let mut buckets = Buckets::default();
        let (channel, recipient) = (a_call(1, 1, Duration::ZERO), a_call(2, 1, Duration::ZERO));
        assert_eq!(buckets.book(&[recipient], 1, at(0)), Booking::Booked(Duration::ZERO));
        assert_eq!(buckets.book(&[channel, recipient], 1, at(0)), Booking::Refused { bucket: 1, wait: SECOND });
        assert_eq!(buckets.book(&[channel], 1, at(0)), Booking::Booked(Duration::ZERO));
    }

    #[test]
    fn one_of_two_processes_uses_half_of_a_limit() {
        let (mut buckets, call) = (Buckets::default(), [a_call(1, 4, Duration::ZERO)]);
        for _ in 0..2 {
            assert_eq!(buckets.book(&call, 2, at(0)), Booking::Booked(Duration::ZERO));
        }
        assert_eq!(buckets.book(&call, 2, at(0)), Booking::Refused { bucket: 0, wait: at(2_000) });
        assert_eq!(buckets.book(&call, 2, at(2_000)), Booking::Booked(Duration::ZERO));
        let single = [a_call(2, 1, Duration::ZERO)];
        assert_eq!(buckets.book(&single, 9, at(0)), Booking::Booked(Duration::ZERO), "each may make a call");
        assert_eq!(buckets.book(&single, 9, at(0)), Booking::Refused { bucket: 0, wait: at(9_000) });
    }

    #[test]
    fn forgets_full_buckets() {
        let mut buckets = Buckets::default();
        for bucket in 0..10_000 {
            let second = Duration::from_secs(u64::try_from(bucket / 100).unwrap());
            assert_eq!(buckets.book(&[a_call(bucket, 3, Duration::ZERO)], 1, second), Booking::Booked(Duration::ZERO));
        }
        assert!(buckets.next.len() <= FIRST_SWEEP, "{}", buckets.next.len());
    }
}
