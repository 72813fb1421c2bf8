//! The pace of messages: calls of a channel are spread over time, because its provider rejects faster ones.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tidings_domain::ids::ChannelId;
use tokio::time::{Instant, sleep_until};

/// Maximum wait within an attempt. A message that must wait longer is sent in a later attempt.
const LONGEST: Duration = Duration::from_secs(5);
/// Number of channels after which those without waiting calls are forgotten.
const MANY: usize = 1_000;

/// The time of the next call of each channel in this process.
#[derive(Debug, Default)]
pub(crate) struct Pace(Mutex<HashMap<ChannelId, Instant>>);

impl Pace {
    /// Waits until a channel may make a call, if it may make `per_second` calls each second.
    ///
    /// # Errors
    /// The time until it may make the call, if that is too long to wait.
    pub(crate) async fn wait(&self, channel: ChannelId, per_second: u32) -> Result<(), Duration> {
        let start = self.reserve(channel, per_second, Instant::now())?;
        sleep_until(start).await;
        Ok(())
    }

    fn reserve(&self, channel: ChannelId, per_second: u32, now: Instant) -> Result<Instant, Duration> {
        let mut next = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if next.len() > MANY {
            next.retain(|_, at| *at > now);
        }
        let at = next.entry(channel).or_insert(now);
        let start = now.max(*at);
        let wait = start.duration_since(now);
        if wait > LONGEST {
            return Err(wait);
        }
        *at = start + Duration::from_secs(1) / per_second.max(1);
        Ok(start)
    }
}

#[cfg(test)]
mod tests {
    use tidings_domain::ids::TypedId;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn spreads_the_calls_of_each_channel() {
        let (pace, now) = (Pace::default(), Instant::now());
        let [one, other] = [1, 2].map(|number| ChannelId::from_uuid(Uuid::from_u128(number)));
        let after = |millis: u64| Ok(now + Duration::from_millis(millis));
        assert_eq!(pace.reserve(one, 10, now), after(0));
        assert_eq!(pace.reserve(one, 10, now), after(100));
        assert_eq!(pace.reserve(one, 10, now), after(200));
        assert_eq!(pace.reserve(other, 10, now), after(0));
        let later = now + Duration::from_secs(9);
        assert_eq!(pace.reserve(one, 10, later), Ok(later), "unused time is not saved");
    }

    #[test]
    fn a_long_wait_is_left_to_a_later_attempt() {
        let (pace, now) = (Pace::default(), Instant::now());
        let channel = ChannelId::from_uuid(Uuid::from_u128(1));
        for _ in 0..51 {
            pace.reserve(channel, 10, now).unwrap();
        }
        let wait = Duration::from_millis(5_100);
        assert_eq!(pace.reserve(channel, 10, now), Err(wait));
        assert_eq!(pace.reserve(channel, 10, now), Err(wait), "a message that waits has no place in the row");
        let later = now + Duration::from_millis(200);
        assert_eq!(pace.reserve(channel, 10, later), Ok(now + wait));
    }
}
