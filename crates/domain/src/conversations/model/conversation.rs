//! The data model of conversations.

use crate::conversations::{ConversationStatus, Handler, MarketingPreference, Opening};
use crate::ids::{ChannelId, ContactId, ConversationId, UserId};
use crate::pagination::{SortBy, SortKey};
use crate::time::Timestamp;

/// The conversation with one contact on one channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conversation {
    /// The ID.
    pub id: ConversationId,
    /// ID of the contact.
    pub contact: ContactId,
    /// ID of the channel.
    pub channel: ChannelId,
    /// The status.
    pub status: ConversationStatus,
    /// `bot`, `ai` or `human`.
    pub handler: Handler,
    /// The assigned member.
    pub assignee: Option<UserId>,
    /// If snoozed: until when.
    pub snoozed_until: Option<Timestamp>,
    /// Number of unread messages of the contact.
    pub unread_count: i64,
    /// Since when the contact has been waiting for an answer.
    pub waiting_since: Option<Timestamp>,
    /// Until when the provider accepts messages other than templates; `None` if it always accepts them, and if the
    /// contact has not written yet.
    pub window_expires_at: Option<Timestamp>,
    /// The address from which the contact last wrote. Messages go there while the contact has it. `None` if the contact
    /// has not written yet.
    pub reply_address: Option<String>,
    /// When an opt-out of the contact was last confirmed. The confirmation was created at this time.
    pub opt_out_confirmed_at: Option<Timestamp>,
    /// When the contact first got an answer.
    pub first_reply_at: Option<Timestamp>,
    /// If resolved: since when.
    pub resolved_at: Option<Timestamp>,
    /// Number of times that it was resolved and reopened.
    pub reopen_count: i64,
    /// The current opening. Reply times are measured from it.
    pub opening: Opening,
    /// The contact's preference about marketing messages on the channel.
    pub marketing: MarketingPreference,
    /// When the last message was sent or received. Does not change the version.
    pub last_message_at: Option<Timestamp>,
    /// When it was opened.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl Conversation {
    /// The sort orders of lists of conversations.
    pub const SORTS: [SortBy; 3] = [SortBy::CreatedAt, SortBy::LastMessageAt, SortBy::WaitingSince];

    /// The sort key for one of [`Conversation::SORTS`].
    pub fn sort_key(&self, by: SortBy) -> SortKey {
        match by {
            SortBy::LastMessageAt => SortKey::Time(self.last_message_at),
            SortBy::WaitingSince => SortKey::Time(self.waiting_since),
            SortBy::CreatedAt | SortBy::UpdatedAt | SortBy::Name | SortBy::FoldedName => {
                SortKey::Time(Some(self.created_at))
            }
        }
    }
}
