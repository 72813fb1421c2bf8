//! The only place that reads the real clock and generates IDs; all other code uses a port.

use std::time::{SystemTime, UNIX_EPOCH};

use tidings_domain::ports::{Clock, Ids, Randomness};
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use crate::random::{SystemRandom, bytes};

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this adapter reads the machine's clock for all others")]
    fn now(&self) -> Timestamp {
        let millis = match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
            Err(before) => i64::try_from(before.duration().as_millis()).map_or(i64::MIN, |millis| -millis),
        };
        Timestamp::from_millis(millis)
    }
}

/// UUIDv7 (RFC 9562, section 5.7) with a 42-bit counter (section 6.2, method 1): within this process each ID is greater
/// than the previous one, even if the clock stops or is set back.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemIds;

impl Ids for SystemIds {
    #[expect(clippy::disallowed_methods, reason = "this adapter generates IDs for all others")]
    fn next(&self) -> Uuid {
        Uuid::now_v7()
    }
}

/// Uniformly distributed numbers from the operating system's generator.
#[derive(Debug, Clone, Default)]
pub struct SystemRandomness(SystemRandom);

impl Randomness for SystemRandomness {
    fn unit(&self) -> f64 {
        // A double has 53 bits of precision; more bits would round up to 1.
        (u64::from_be_bytes(bytes(&self.0)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::thread;

    use super::*;

    #[test]
    fn the_clock_returns_a_time_after_the_start_of_2025() {
        let year_2025 = Timestamp::from_millis(1_735_689_600_000);
        assert!(SystemClock.now() > year_2025);
    }

    #[test]
    fn ids_increase_within_a_thread_and_never_repeat() {
        let threads: Vec<_> =
            (0..4).map(|_| thread::spawn(|| (0..5_000).map(|_| SystemIds.next()).collect::<Vec<_>>())).collect();
        let drawn: Vec<Vec<Uuid>> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        assert!(drawn.iter().all(|ids| ids.is_sorted()));
        assert_eq!(drawn.iter().flatten().collect::<HashSet<_>>().len(), 20_000);
        assert!(drawn.iter().flatten().all(|id| id.get_version_num() == 7));
    }

    #[test]
    fn random_numbers_are_spread_from_0_to_below_1() {
        let drawn: Vec<f64> = (0..1_000).map(|_| SystemRandomness::default().unit()).collect();
        assert!(drawn.iter().all(|number| (0.0..1.0).contains(number)));
        // The mean of 1,000 values has a standard deviation of 0.009.
        assert!((drawn.iter().sum::<f64>() / 1_000.0 - 0.5).abs() < 0.07);
    }
}
