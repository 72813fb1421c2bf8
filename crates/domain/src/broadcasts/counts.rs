//! How far the messages of a broadcast came, counted without that anybody waits for anybody.

use crate::words::words;

words! {
    /// What is counted of a broadcast.
    Count {
        /// The provider took the message.
        Sent = "sent",
        /// It arrived.
        Delivered = "delivered",
        /// The contact read it.
        Read = "read",
        /// It failed before the provider took it.
        Failed = "failed",
        /// It failed after the provider took it.
        FailedLater = "failed_later",
        /// It was not sent, on purpose.
        Suppressed = "suppressed",
        /// Its outcome is unknown: the provider may or may not have taken it.
        Uncertain = "uncertain",
    }
}

impl Count {
    /// Whether it is the outcome of a recipient: each recipient has one.
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
    /// Of so many contacts, and what was counted.
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

    /// How many recipients have an outcome.
    pub fn outcomes(&self) -> i64 {
        self.outcomes
    }
}
