//! The pace of messages: calls of a channel are spread over time, because its provider rejects faster ones.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tidings_domain::ids::ChannelId;
use tokio::time::{Instant, sleep_until};

/// Maximum wait within an attempt. A message that must wait longer is tried again later.
const LONGEST: Duration = Duration::from_secs(1);
/// A later attempt begins this long before the call, because it may be claimed with a delay.
const EARLY: Duration = Duration::from_millis(500);
/// Maximum time until the next attempt.
const FARTHEST: Duration = Duration::from_secs(600);
/// Number of channels after which those without waiting calls are forgotten.
const MANY: usize = 1_000;

/// The times of the next calls of each channel in this process.
#[derive(Debug, Default)]
pub(crate) struct Pace(Mutex<HashMap<ChannelId, Calls>>);

#[derive(Debug)]
struct Calls {
    /// The first time without a call.
    next: Instant,
    /// The times of messages that are tried again, in order. Any message may use them: another process may claim the
    /// message that waits.
    reserved: VecDeque<Instant>,
}

impl Pace {
    /// Waits until a channel may make a call, if it may make `per_second` calls each second.
    ///
    /// # Errors
    /// The time until the next attempt, if that is too long to wait. The time of the call is reserved.
    pub(crate) async fn wait(&self, channel: ChannelId, per_second: u32) -> Result<(), Duration> {
        let start = self.reserve(channel, per_second, Instant::now())?;
        sleep_until(start).await;
        Ok(())
    }

    fn reserve(&self, channel: ChannelId, per_second: u32, now: Instant) -> Result<Instant, Duration> {
        let mut channels = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if channels.len() > MANY {
            channels.retain(|_, calls| calls.next > now);
        }
        let calls = channels.entry(channel).or_insert_with(|| Calls { next: now, reserved: VecDeque::new() });
        // Another process sent the messages of these times.
        while calls.reserved.front().is_some_and(|at| *at + LONGEST < now) {
            calls.reserved.pop_front();
        }
        let is_near = |at: &Instant| at.saturating_duration_since(now) <= LONGEST;
        if let Some(at) = calls.reserved.front().copied().filter(is_near) {
            calls.reserved.pop_front();
            return Ok(at.max(now));
        }
        let at = now.max(calls.next);
        let wait = at.duration_since(now);
        if wait > FARTHEST {
            return Err(FARTHEST);
        }
        calls.next = at + Duration::from_secs(1) / per_second.max(1);
        if is_near(&at) {
            return Ok(at);
        }
        calls.reserved.push_back(at);
        Err(wait - EARLY)
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

    /// A pace of ten calls a second with eleven calls, so that the next one is 1.1 s after `now`.
    fn busy(channel: ChannelId, now: Instant) -> Pace {
        let pace = Pace::default();
        for _ in 0..11 {
            pace.reserve(channel, 10, now).unwrap();
        }
        pace
    }

    #[test]
    fn messages_that_are_tried_again_have_their_own_times() {
        let (channel, now) = (ChannelId::from_uuid(Uuid::from_u128(1)), Instant::now());
        let pace = busy(channel, now);
        let waits = [600, 700, 800].map(Duration::from_millis);
        assert_eq!(waits.map(|_| pace.reserve(channel, 10, now)), waits.map(Err));
        for wait in waits {
            assert_eq!(pace.reserve(channel, 10, now + wait), Ok(now + wait + EARLY), "each waits once");
        }
        let later = now + Duration::from_millis(1_400);
        assert_eq!(pace.reserve(channel, 10, later), Ok(later));
    }

    #[test]
    fn times_of_messages_that_another_process_sent_expire() {
        let (channel, now) = (ChannelId::from_uuid(Uuid::from_u128(1)), Instant::now());
        let pace = busy(channel, now);
        assert!((0..20).all(|_| pace.reserve(channel, 10, now).is_err()));
        let later = now + Duration::from_secs(9);
        assert_eq!(pace.reserve(channel, 10, later), Ok(later));
        assert_eq!(pace.reserve(channel, 10, later), Ok(later + Duration::from_millis(100)));
    }

    #[test]
    fn a_message_is_tried_again_within_ten_minutes() {
        let (channel, now) = (ChannelId::from_uuid(Uuid::from_u128(1)), Instant::now());
        let pace = Pace::default();
        let waits: Vec<_> = (0..700).filter_map(|_| pace.reserve(channel, 1, now).err()).collect();
        assert_eq!((waits.len(), waits.iter().max()), (698, Some(&FARTHEST)));
        let reserved = pace.0.lock().unwrap().get(&channel).unwrap().reserved.len();
        assert_eq!(reserved, 599, "calls at 2 to 600 s");
    }
}
