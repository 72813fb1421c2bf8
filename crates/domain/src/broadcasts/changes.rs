//! What changes beside the rows of broadcasts.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::{Count, RecipientResult};
use crate::conditions::Selection;
use crate::contacts::Unreached;
use crate::ids::{BroadcastId, ContactId, MessageId};
use crate::ports::Touches;
use crate::time::Timestamp;

/// A change to the recipients of a broadcast, or to what is counted of it.
#[derive(Debug, Clone, PartialEq)]
pub enum BroadcastChange {
    /// Writes down all living contacts that are chosen, as of one snapshot, and how many there are.
    Freeze {
        /// The broadcast.
        broadcast: BroadcastId,
        /// Who is chosen.
        selection: Box<Selection>,
        /// If it repeats another broadcast: which recipients of that one are chosen.
        unreached: Option<Unreached>,
        /// When they are due.
        due_at: Timestamp,
        /// When those are due whose own zone is one of these.
        zones: BTreeMap<String, Timestamp>,
    },
    /// A recipient that waits is done, and no other portion takes it: [`crate::ports::Conflict::Stale`] where it does not
    /// wait.
    FinishRecipient {
        /// The broadcast.
        broadcast: BroadcastId,
        /// Who.
        contact: ContactId,
        /// The id of its message, whose row is written with it, unless nothing is left of the contact.
        message: MessageId,
        /// The result at that time.
        result: RecipientResult,
    },
    /// The message of a recipient has another result. Nothing changes if the contact has no such message, as after a merge.
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
    /// Of the messages made so far, too many have no outcome for another portion ([`super::portion_waits`]); otherwise
    /// [`crate::ports::Conflict::Stale`]. The set that contains it holds the next portion, and the outcome that lets the
    /// portion continue comes after the commit.
    RequireOpen {
        /// The broadcast.
        broadcast: BroadcastId,
        /// How many messages were made.
        made: i64,
    },
    /// Notes what became of messages.
    Count {
        /// The fact's own id.
        id: Uuid,
        /// The broadcast.
        broadcast: BroadcastId,
        /// What became of them.
        count: Count,
        /// Of how many.
        amount: i64,
        /// When.
        at: Timestamp,
    },
}

impl BroadcastChange {
    /// Which broadcast it is about.
    pub fn broadcast(&self) -> BroadcastId {
        match self {
            Self::Freeze { broadcast, .. }
            | Self::FinishRecipient { broadcast, .. }
            | Self::SettleRecipient { broadcast, .. }
            | Self::RequireOpen { broadcast, .. }
            | Self::Count { broadcast, .. } => *broadcast,
        }
    }

    /// What it does to rows that others may hold.
    pub fn touches(&self) -> Touches {
        match self {
            Self::Freeze { .. } | Self::RequireOpen { .. } => Touches::Many,
            Self::FinishRecipient { .. } | Self::SettleRecipient { .. } | Self::Count { .. } => Touches::Beside,
        }
    }
}
