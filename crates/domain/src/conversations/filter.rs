//! Filters of lists of conversations.

use super::{Conversation, ConversationStatus};
use crate::contacts::Contact;
use crate::ids::{ChannelId, ContactId, TagId, UserId};
use crate::time::Timestamp;

/// The assignee of a conversation in a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssignedTo {
    /// This member.
    Member(UserId),
    /// No assignee.
    Nobody,
}

impl AssignedTo {
    /// The word for unassigned conversations, in place of a member's ID.
    pub const NOBODY: &str = "none";
}

/// A filter of conversations. All parts must match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConversationFilter {
    /// Words in the form of [`search_fold`](crate::text::search_fold). Each must occur in the contact's
    /// [`Contact::search_text`].
    pub words: Vec<String>,
    /// The status.
    pub status: Option<ConversationStatus>,
    /// The assignee.
    pub assigned: Option<AssignedTo>,
    /// Whether there are unread messages.
    pub unread: Option<bool>,
    /// Whether the contact is waiting for a reply.
    pub waiting: Option<bool>,
    /// Tags; the contact has all of them.
    pub tags: Vec<TagId>,
    /// The contact.
    pub contact: Option<ContactId>,
    /// The channel.
    pub channel: Option<ChannelId>,
    /// Updated at or after.
    pub updated_after: Option<Timestamp>,
}

impl ConversationFilter {
    /// Whether the conversation itself matches. The name and the tags of its contact are checked elsewhere.
    pub fn admits(&self, it: &Conversation) -> bool {
        self.status.is_none_or(|status| it.status == status)
            && self.assigned.is_none_or(|assigned| match assigned {
                AssignedTo::Member(member) => it.assignee == Some(member),
                AssignedTo::Nobody => it.assignee.is_none(),
            })
            && self.unread.is_none_or(|unread| (it.unread_count > 0) == unread)
            && self.waiting.is_none_or(|waiting| it.waiting_since.is_some() == waiting)
            && self.contact.is_none_or(|contact| it.contact == contact)
            && self.channel.is_none_or(|channel| it.channel == channel)
            && self.updated_after.is_none_or(|after| it.updated_at >= after)
    }

    /// Whether the name of the contact matches.
    pub fn admits_contact(&self, contact: &Contact) -> bool {
        let searched = if self.words.is_empty() { String::new() } else { contact.search_text() };
        self.words.iter().all(|word| searched.contains(word.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::ids::{ConversationId, TypedId};

    #[test]
    fn filters_by_waiting_contacts() {
        let id = Uuid::from_u128(1);
        let (contact, channel) = (ContactId::from_uuid(id), ChannelId::from_uuid(id));
        let mut it = Conversation::new(ConversationId::from_uuid(id), contact, channel, Timestamp::EPOCH_2026);
        let admits = |it: &Conversation| {
            [None, Some(true), Some(false)]
                .map(|waiting| ConversationFilter { waiting, ..ConversationFilter::default() }.admits(it))
        };
        assert_eq!(admits(&it), [true, false, true]);
        it.hear(Timestamp::EPOCH_2026);
        assert_eq!(admits(&it), [true, true, false]);
    }
}
