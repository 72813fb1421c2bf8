//! Which conversations a list shows.

use super::{Conversation, ConversationStatus};
use crate::contacts::Contact;
use crate::ids::{ChannelId, ContactId, TagId, UserId};
use crate::time::Timestamp;

/// The assignee of a conversation in a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssignedTo {
    /// To this member.
    Member(UserId),
    /// Unassigned.
    Nobody,
}

impl AssignedTo {
    /// The word for unassigned conversations in place of the ID of a member.
    pub const NOBODY: &str = "none";
}

/// Which conversations a list shows; all parts must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConversationFilter {
    /// Words by [`search_fold`](crate::text::search_fold), each of which stands somewhere in the contact's [`Contact::search_text`].
    pub words: Vec<String>,
    /// With this status.
    pub status: Option<ConversationStatus>,
    /// Assigned to this member, or unassigned.
    pub assigned: Option<AssignedTo>,
    /// With unread messages, or without.
    pub unread: Option<bool>,
    /// With a contact that waits for a reply, or without.
    pub waiting: Option<bool>,
    /// With contacts who carry each of these tags.
    pub tags: Vec<TagId>,
    /// With this contact.
    pub contact: Option<ContactId>,
    /// On this channel.
    pub channel: Option<ChannelId>,
    /// Changed at or after.
    pub updated_after: Option<Timestamp>,
}

impl ConversationFilter {
    /// Whether a conversation is as it is asked for; the name and the tags of its contact are checked elsewhere.
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

    /// Whether the contact of a conversation is called as it is asked for.
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
    fn a_filter_tells_who_waits() {
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
