//! Retry delays of failing jobs.

use std::time::Duration;

/// The number of attempts after which a failing job is dead-lettered.
pub(crate) const MAX_ATTEMPTS: i32 = 12;
pub(crate) const LONGEST_WAIT: Duration = Duration::from_secs(6 * 3_600);
/// The first retry delay. It doubles each time.
const FIRST_WAIT: Duration = Duration::from_secs(10);

/// Returns the delay before attempt `attempts + 1`, with a jitter of up to 20 % in either direction.
pub(crate) fn backoff(attempts: i32, jitter: f64) -> Duration {
    let doublings = u32::try_from(attempts).unwrap_or(0).min(20);
    (FIRST_WAIT * 2_u32.saturating_pow(doublings)).min(LONGEST_WAIT).mul_f64(0.8 + 0.4 * jitter.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_six_hours() {
        let seconds: Vec<u64> = (0..13).map(|attempts| backoff(attempts, 0.5).as_secs()).collect();
        assert_eq!(seconds[..4], [10, 20, 40, 80]);
        assert_eq!(seconds[12], 21_600);
        assert_eq!((backoff(0, 0.0).as_secs(), backoff(0, 1.0).as_secs()), (8, 12));
    }
}
