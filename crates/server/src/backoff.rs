//! Exponential delays between retries.

use std::time::Duration;

/// The maximum delay.
const LONGEST: Duration = Duration::from_secs(30);

/// A delay of one second that doubles each time, up to 30 seconds.
#[derive(Debug, Default)]
pub(crate) struct Backoff {
    tried: u32,
}

impl Backoff {
    /// Returns the next delay.
    pub(crate) fn next(&mut self) -> Duration {
        let wait = Duration::from_secs(1 << self.tried.min(5)).min(LONGEST);
        self.tried += 1;
        wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_half_a_minute() {
        let mut backoff = Backoff::default();
        let waits: Vec<_> = (0..7).map(|_| backoff.next().as_secs()).collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 30, 30]);
    }
}
