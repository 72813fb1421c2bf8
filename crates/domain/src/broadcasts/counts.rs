//! Counts of the messages of a broadcast. Commits that count messages do not wait for each other.

use crate::words::words;

words! {
    /// A count of a broadcast.
    Count {
        /// The provider accepted the message.
        Sent = "sent",
        /// The message was delivered.
        Delivered = "delivered",
        /// The contact read it.
        Read = "read",
        /// The message failed before the provider accepted it.
        Failed = "failed",
        /// The message failed after the provider accepted it.
        FailedLater = "failed_later",
        /// The message was deliberately not sent.
        Suppressed = "suppressed",
        /// The outcome is unknown: the provider may have accepted the message.
        Uncertain = "uncertain",
    }
}

impl Count {
    /// Whether it is the outcome of a recipient. Each recipient has exactly one outcome.
    pub fn is_outcome(self) -> bool {
        match self {
            Self::Sent | Self::Failed | Self::Suppressed | Self::Uncertain => true,
            Self::Delivered | Self::Read | Self::FailedLater => false,
        }
    }
}

/// Counts of the messages of a broadcast.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BroadcastStats {
    /// Number of contacts in the audience at the start.
    pub targeted: i64,
    /// Number of messages that the provider accepted.
    pub sent: i64,
    /// Number of delivered messages.
    pub delivered: i64,
    /// Number of read messages.
    pub read: i64,
    /// Number of failed messages.
    pub failed: i64,
    /// Number of messages that were deliberately not sent.
    pub suppressed: i64,
    /// Number of messages with an unknown outcome: they may have been sent.
    pub uncertain: i64,
    #[serde(skip)]
    outcomes: i64,
}

impl BroadcastStats {
    /// Returns the statistics for a number of recipients and these counts.
    pub fn of(targeted: i64, counts: &[(Count, i64)]) -> Self {
        let mut stats = Self { targeted, ..Self::default() };
        for (count, amount) in counts {
            match count {
                Count::Sent => stats.sent += amount,
                Count::Delivered => stats.delivered += amount,
                Count::Read => stats.read += amount,
                Count::Failed | Count::FailedLater => stats.failed += amount,
                Count::Suppressed => stats.suppressed += amount,
                Count::Uncertain => stats.uncertain += amount,
            }
            stats.outcomes += if count.is_outcome() { *amount } else { 0 };
        }
        stats
    }

    /// Returns the number of recipients that have an outcome.
    pub fn outcomes(&self) -> i64 {
        self.outcomes
    }
}
