use std::collections::BTreeMap;

use uuid::Uuid;

use super::{Count, RecipientResult};
use crate::conditions::Selection;
use crate::contacts::UnreachedRecipients;
use crate::ids::{BroadcastId, ContactId, MessageId};
use crate::ports::RowEffect;
use crate::time::Timestamp;

/// A change to the recipients or the counts of a broadcast.
#[derive(Debug, Clone, PartialEq)]
pub enum BroadcastChange {
    /// Stores all selected contacts that are not deleted, as of one snapshot, and their number.
    Freeze {
        /// The broadcast.
        broadcast: BroadcastId,
        /// The selection of the audience.
        selection: Box<Selection>,
        /// For a repeat: the selected recipients of the first broadcast.
        unreached: Option<UnreachedRecipients>,
        /// When the recipients are due.
        due_at: Timestamp,
        /// When recipients with their own time zone are due, by zone.
        zones: BTreeMap<String, Timestamp>,
    },
    /// Completes a recipient, so no other portion includes it; [`crate::ports::Conflict::Stale`] if it does not wait.
    FinishRecipient {
        /// The broadcast.
        broadcast: BroadcastId,
        /// The recipient.
        contact: ContactId,
        /// The ID of its message. The message row is inserted in the same set, unless the contact was deleted.
        message: MessageId,
        /// The result at that time.
        result: RecipientResult,
    },
    /// Stores another result of a recipient's message. Changes nothing if the contact has no such message, as after a
    /// merge.
    SettleRecipient {
        /// The broadcast.
        broadcast: BroadcastId,
        /// The recipient.
        contact: ContactId,
        /// The ID of its message.
        message: MessageId,
        /// The result.
        result: RecipientResult,
    },
    /// Requires that the next portion must still wait for outcomes ([`super::portion_waits`]); otherwise
    /// [`crate::ports::Conflict::Stale`]. It guards the set that holds the portion: the outcome that releases it then
    /// follows the commit.
    RequireOpen {
        /// Number of messages made so far.
        broadcast: BroadcastId,
        /// How many messages were made.
        made: i64,
    },
    /// Counts messages by result.
    Count {
        /// The ID of the fact.
        id: Uuid,
        /// The broadcast.
        broadcast: BroadcastId,
        /// The result.
        count: Count,
        /// Number of messages.
        amount: i64,
        /// Time of the result.
        at: Timestamp,
    },
}

impl BroadcastChange {
    /// Returns the broadcast that the change belongs to.
    pub fn broadcast(&self) -> BroadcastId {
        match self {
            Self::Freeze { broadcast, .. }
            | Self::FinishRecipient { broadcast, .. }
            | Self::SettleRecipient { broadcast, .. }
            | Self::RequireOpen { broadcast, .. }
            | Self::Count { broadcast, .. } => *broadcast,
        }
    }

    /// Returns the rows that it touches.
    pub fn row_effect(&self) -> RowEffect {
        match self {
            Self::Freeze { .. } | Self::RequireOpen { .. } => RowEffect::Many,
            Self::FinishRecipient { .. } | Self::SettleRecipient { .. } | Self::Count { .. } => RowEffect::Unguarded,
        }
    }
}
