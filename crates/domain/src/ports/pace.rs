//! The port that spreads the calls of channels over time.

use std::time::Duration;

use async_trait::async_trait;

use crate::channels::{PaceLimit, RetryScope, SendPace};
use crate::ids::ChannelId;

/// The urgency of a message. While a channel is busy, it sends the most urgent messages first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Urgency {
    /// A user or an API client sends it, or the server confirms an opt-out.
    Direct,
    /// A flow or a sequence sends it.
    Flow,
    /// A broadcast sends it.
    Broadcast,
}

/// A call that sends a message, or a part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PacedCall {
    /// The channel.
    pub channel: ChannelId,
    /// The contact's address on the channel.
    pub address: String,
    /// The limits of the channel.
    pub pace: SendPace,
    /// The urgency of the message.
    pub urgency: Urgency,
}

/// A call that the provider refused for a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedCall {
    /// The channel.
    pub channel: ChannelId,
    /// The contact's address on the channel.
    pub address: String,
    /// The messages that the provider does not accept in this time.
    pub scope: RetryScope,
    /// The time.
    pub wait: Duration,
}

/// A call to count in a token bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BucketCall {
    /// The ID of the bucket, the same in all processes. It does not reveal the address of a recipient.
    pub bucket: u128,
    /// The limit of the bucket.
    pub limit: PaceLimit,
    /// Maximum wait. If the bucket is not free earlier, the call is not counted.
    pub longest: Duration,
}

/// The result of counting a call in several buckets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Booking {
    /// The call is counted in all buckets, and may be made after this wait.
    Booked(Duration),
    /// The call is counted in no bucket.
    Refused {
        /// Index of the first bucket that refused it.
        bucket: usize,
        /// Time until that bucket is free.
        wait: Duration,
    },
}

/// Token buckets that several processes share.
#[async_trait]
pub trait SharedBuckets: Send + Sync {
    /// Counts a call in all of these buckets, or in none. It always answers fast; `None` if the buckets cannot be
    /// reached.
    async fn book(&self, calls: &[BucketCall]) -> Option<Booking>;

    /// Returns the number of processes that share the buckets. While a process cannot reach them, it uses an equal part
    /// of each limit.
    fn processes(&self) -> u32;
}

/// Spreads the calls of channels over time, because providers reject faster ones.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait SendPacer: Send + Sync {
    /// Waits until the call may be made, and counts it. The wait is short, because the message waits in a slot of the
    /// engine. The server calls this before it stores the start of the call.
    ///
    /// # Errors
    /// The time after which the message is tried again, if the wait would be long. The call is not counted.
    async fn admit(&self, call: &PacedCall) -> Result<(), Duration>;

    /// Lets the other messages of the channel wait, if the refusal of this call applies to them. The default ignores it.
    fn put_off(&self, refused: &RefusedCall) {
        let _ = refused;
    }
}
