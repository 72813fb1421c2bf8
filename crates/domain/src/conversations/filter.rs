//! Which conversations a list shows.

use super::ConversationStatus;
use crate::ids::{ChannelId, ContactId, UserId};
use crate::time::Timestamp;

/// Which conversations a list shows; all parts must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConversationFilter {
    /// With this status.
    pub status: Option<ConversationStatus>,
    /// Assigned to this member.
    pub assignee: Option<UserId>,
    /// With this contact.
    pub contact: Option<ContactId>,
    /// On this channel.
    pub channel: Option<ChannelId>,
    /// Changed at or after.
    pub updated_after: Option<Timestamp>,
}
