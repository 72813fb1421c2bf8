//! The pace of messages: calls of a channel are spread over time, because its provider rejects faster ones.

mod buckets;
mod refusals;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use ring::digest::{Context, SHA256};
use tidings_domain::channels::{PaceLimit, SendPace};
use tidings_domain::ids::{ChannelId, TypedId};
use tidings_domain::ports::{Booking, BucketCall, PacedCall, RefusedCall, SendPacer, SharedBuckets, Urgency};
use tokio::time::{Instant, sleep};

use buckets::Buckets;
use refusals::Refusals;

/// A later attempt begins this long before the call, because it may be claimed with a delay.
const EARLY: Duration = Duration::from_millis(500);
/// Maximum time until the next attempt.
const FARTHEST: Duration = Duration::from_secs(600);
/// Number of channels after which those without later attempts are forgotten.
const MANY: usize = 1_000;

/// The pace of the channels and recipients of this process, and of the processes with which it shares their buckets.
///
/// A message that must wait long is tried again later, and its call is not counted before. Another message may be sent in
/// the meantime. The later attempts of a channel are spread over time.
///
/// An urgent message may wait longer within an attempt than others. So while the channel is busy, it finds a time for
/// its call when the others are put off.
pub struct ChannelPace {
    start: Instant,
    state: Mutex<State>,
    shared: OnceLock<Arc<dyn SharedBuckets>>,
}

#[derive(Debug, Default)]
struct State {
    buckets: Buckets,
    /// The channels that this process does not call now.
    refusals: Refusals,
    /// The last of the later attempts of each channel.
    later: HashMap<ChannelId, LastAttempts>,
}

/// The time of the last of the later attempts of a channel, by the urgency of the messages.
#[derive(Debug, Default)]
struct LastAttempts {
    direct: Duration,
    flow: Duration,
    broadcast: Duration,
}

impl LastAttempts {
    /// Returns the last attempt at a message that is at least as urgent.
    fn last_before(&self, urgency: Urgency) -> Duration {
        match urgency {
            Urgency::Direct => self.direct,
            Urgency::Flow => self.flow.max(self.direct),
            Urgency::Broadcast => self.broadcast.max(self.flow).max(self.direct),
        }
    }

    fn last_of(&mut self, urgency: Urgency) -> &mut Duration {
        match urgency {
            Urgency::Direct => &mut self.direct,
            Urgency::Flow => &mut self.flow,
            Urgency::Broadcast => &mut self.broadcast,
        }
    }
}

/// Returns the maximum wait within an attempt. A message that must wait longer is tried again later.
fn longest(urgency: Urgency) -> Duration {
    Duration::from_millis(match urgency {
        Urgency::Direct => 2_000,
        Urgency::Flow => 1_500,
        Urgency::Broadcast => 1_000,
    })
}

impl Default for ChannelPace {
    fn default() -> Self {
        Self { start: Instant::now(), state: Mutex::default(), shared: OnceLock::new() }
    }
}

#[async_trait]
impl SendPacer for ChannelPace {
    async fn admit(&self, call: &PacedCall) -> Result<(), Duration> {
        self.await_provider(call).await?;
        if call.pace == SendPace::NONE {
            return Ok(());
        }
        // The recipient can be free shortly. The second attempt finds that, unless another message was faster.
        for is_last in [false, true] {
            let now = self.start.elapsed();
            match self.book(call, now).await {
                Admission::After(wait) if wait.is_zero() => return Ok(()),
                Admission::After(wait) => {
                    sleep(wait).await;
                    return Ok(());
                }
                Admission::RecipientFreeAfter(wait) if wait > EARLY => return Err(wait.saturating_sub(EARLY)),
                Admission::RecipientFreeAfter(wait) if is_last => return Err(wait),
                Admission::RecipientFreeAfter(wait) => sleep(wait).await,
                Admission::TryAfter(wait) => return Err(wait),
            }
        }
        Err(EARLY)
    }

    fn put_off(&self, refused: &RefusedCall) {
        let recipient = recipient(refused.channel, &refused.address);
        self.state().refusals.add(refused, recipient, self.start.elapsed());
    }
}

/// Whether a call may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Admission {
    /// The call is counted, and may be made after this wait.
    After(Duration),
    /// The recipient gets the next message after this wait at the earliest.
    RecipientFreeAfter(Duration),
    /// The message is tried again after this time, because the channel is busy.
    TryAfter(Duration),
}

impl ChannelPace {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts the calls in these buckets from now on. Later buckets have no effect.
    pub fn share(&self, buckets: Arc<dyn SharedBuckets>) {
        let _ = self.shared.set(buckets);
    }

    /// Counts a call in the buckets of its channel and its recipient at `now`.
    async fn book(&self, call: &PacedCall, now: Duration) -> Admission {
        let channel = call.channel.uuid().as_u128();
        let longest = longest(call.urgency);
        let of_channel = call.pace.channel.map(|limit| BucketCall { bucket: channel, limit, longest });
        let of_recipient = call.pace.recipient.map(|limit| BucketCall {
            bucket: recipient(call.channel, &call.address),
            limit,
            longest: Duration::ZERO,
        });
        let calls: Vec<BucketCall> = of_channel.into_iter().chain(of_recipient).collect();
        match (self.count(&calls, now).await, of_channel) {
            (Booking::Booked(wait), _) => Admission::After(wait),
            (Booking::Refused { bucket: 0, wait }, Some(busy)) => {
                let every = self.period(busy.limit);
                Admission::TryAfter(self.state().put_off(call, wait, every, now))
            }
            (Booking::Refused { wait, .. }, _) => Admission::RecipientFreeAfter(wait),
        }
    }

    /// Waits while the provider refuses the calls of the channel.
    ///
    /// # Errors
    /// The time after which the message is tried again, if the wait would be long.
    async fn await_provider(&self, call: &PacedCall) -> Result<(), Duration> {
        let now = self.start.elapsed();
        let wait = self.state().refusals.wait(call.channel, now);
        if wait > longest(call.urgency) {
            return Err(match call.pace.channel {
                Some(limit) => {
                    let every = self.period(limit);
                    self.state().put_off(call, wait, every, now)
                }
                None => wait.saturating_sub(EARLY),
            });
        }
        if !wait.is_zero() {
            sleep(wait).await;
        }
        Ok(())
    }

    /// Returns the time between two messages that this process puts off. The other processes put off messages, too.
    fn period(&self, limit: PaceLimit) -> Duration {
        let processes = self.shared.get().map_or(1, |shared| shared.processes().max(1));
        limit.every.saturating_mul(processes)
    }

    /// Counts a call in the shared buckets. While they cannot be reached, it counts in the buckets of this process.
    async fn count(&self, calls: &[BucketCall], now: Duration) -> Booking {
        let Some(shared) = self.shared.get() else { return self.state().buckets.book(calls, 1, now) };
        // The calls of this process alone stay within the limit, even if the shared buckets were lost.
        let own = self.state().buckets.check(calls, 1, now);
        if matches!(own, Booking::Refused { .. }) {
            return own;
        }
        match shared.book(calls).await {
            Some(Booking::Booked(wait)) => {
                self.state().buckets.count(calls, 1, now);
                Booking::Booked(wait)
            }
            Some(refused) => refused,
            None => self.state().buckets.book(calls, shared.processes(), now),
        }
    }
}

impl State {
    /// Returns the time until the next attempt at a message. Its channel is free after `wait`. There is one attempt in
    /// each period `every`, after the attempts at more urgent messages.
    fn put_off(&mut self, call: &PacedCall, wait: Duration, every: Duration, now: Duration) -> Duration {
        if self.later.len() > MANY {
            self.later.retain(|_, attempts| attempts.last_before(Urgency::Broadcast) > now);
        }
        let attempts = self.later.entry(call.channel).or_default();
        let at = (now + wait).max(attempts.last_before(call.urgency).saturating_add(every));
        if at.saturating_sub(now) > FARTHEST {
            return FARTHEST;
        }
        *attempts.last_of(call.urgency) = at;
        at.saturating_sub(now).saturating_sub(EARLY)
    }
}

/// Returns the ID of the bucket of a recipient: a hash, because other systems may see it.
fn recipient(channel: ChannelId, address: &str) -> u128 {
    let mut hash = Context::new(&SHA256);
    hash.update(channel.uuid().as_bytes());
    hash.update(address.as_bytes());
    hash.finish().as_ref().iter().take(16).fold(0, |id, byte| (id << 8) | u128::from(*byte))
}

#[cfg(test)]
#[path = "pace/tests.rs"]
mod tests;
