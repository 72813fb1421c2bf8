//! Which conversations a list shows.

use super::{Conversation, ConversationStatus};
use crate::contacts::Contact;
use crate::ids::{ChannelId, ContactId, UserId};
use crate::time::Timestamp;

/// To whom a conversation that is asked for is assigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssignedTo {
    /// To this member.
    Member(UserId),
    /// To nobody.
    Nobody,
}

impl AssignedTo {
    /// The word that stands for nobody where a member is named.
    pub const NOBODY: &str = "none";
}

/// Which conversations a list shows; all parts must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConversationFilter {
    /// Words by [`search_fold`](crate::text::search_fold), each of which stands somewhere in the contact's [`Contact::search_text`].
    pub words: Vec<String>,
    /// With this status.
    pub status: Option<ConversationStatus>,
    /// Assigned to this member, or to nobody.
    pub assigned: Option<AssignedTo>,
    /// Those with messages that nobody has looked at, or those without.
    pub unread: Option<bool>,
    /// With this contact.
    pub contact: Option<ContactId>,
    /// On this channel.
    pub channel: Option<ChannelId>,
    /// Changed at or after.
    pub updated_after: Option<Timestamp>,
}

impl ConversationFilter {
    /// Whether a conversation is as it is asked for; what its contact is called is looked at elsewhere.
    pub fn admits(&self, it: &Conversation) -> bool {
        self.status.is_none_or(|status| it.status == status)
            && self.assigned.is_none_or(|assigned| match assigned {
                AssignedTo::Member(member) => it.assignee == Some(member),
                AssignedTo::Nobody => it.assignee.is_none(),
            })
            && self.unread.is_none_or(|unread| (it.unread_count > 0) == unread)
            && self.contact.is_none_or(|contact| it.contact == contact)
            && self.channel.is_none_or(|channel| it.channel == channel)
            && self.updated_after.is_none_or(|after| it.updated_at >= after)
    }

    /// Whether the contact of a conversation is called as it is asked for.
    pub fn admits_contact(&self, contact: &Contact) -> bool {
        let searched = if self.words.is_empty() { String::new() } else { contact.search_text() };
        self.words.iter().all(|word| searched.contains(word.as_str()))
    }
}
