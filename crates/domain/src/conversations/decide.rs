//! Whether and how a message goes out: pure.

use super::{
    Conversation, ConversationStatus, ConversationView, Direction, Handler, Message, MessageStatus, StatusChange,
    Suppression,
};
use crate::access::Access;
use crate::channels::Channel;
use crate::contacts::{Contact, ContactStatus};
use crate::events::{EventDraft, EventKind};
use crate::ids::{ConversationId, JobId, MessageId, TypedId};
use crate::ports::{Change, ChangeSet, Clock, Guard, Ids, NewJob, Object};

/// To whom a message goes.
#[derive(Debug, Clone, Copy)]
pub struct Recipient<'a> {
    /// The contact.
    pub contact: &'a Contact,
    /// The channel.
    pub channel: &'a Channel,
    /// Their conversation, once there is one.
    pub conversation: Option<&'a Conversation>,
}

/// A message with the conversation that it stands in.
#[derive(Debug, Clone, PartialEq)]
pub struct OutgoingMessage {
    /// The message: `queued`, or `suppressed`.
    pub message: Message,
    /// Its conversation, which the change set opens if there was none.
    pub conversation: Conversation,
}

/// Why nothing may be sent to the contact on the channel now, if so.
pub fn suppression(contact: &Contact, channel: &Channel) -> Option<Suppression> {
    if contact.deleted_at.is_some() {
        return Some(Suppression::ContactDeleted);
    }
    if contact.status == ContactStatus::Blocked {
        return Some(Suppression::Blocked);
    }
    if !contact.subscribed {
        return Some(Suppression::Unsubscribed);
    }
    match contact.identity(channel.id) {
        None => Some(Suppression::NoAddress),
        Some(identity) if !identity.opted_in => Some(Suppression::Unsubscribed),
        Some(_) => None,
    }
}

impl Recipient<'_> {
    /// Adds a message to a change set: queued with its job, or suppressed with its reason, and the
    /// conversation if it is the first.
    pub fn add_message(
        self,
        set: &mut ChangeSet,
        text: String,
        access: &Access,
        clock: &dyn Clock,
        ids: &dyn Ids,
    ) -> OutgoingMessage {
        let now = clock.now();
        let conversation = self.conversation.cloned().unwrap_or_else(|| {
            let opened = Conversation {
                id: ConversationId::from_uuid(ids.next()),
                contact: self.contact.id,
                channel: self.channel.id,
                status: ConversationStatus::Pending,
                handler: Handler::Bot,
                last_message_at: None,
                created_at: now,
                updated_at: now,
                version: 1,
            };
            set.change(Change::InsertConversation(opened.clone()));
            let event = EventDraft::new(EventKind::ConversationCreated, &ConversationView::from(&opened));
            set.tell(event.about(self.contact.id), access, clock, ids);
            opened
        });
        let mut message = Message {
            id: MessageId::from_uuid(ids.next()),
            conversation: conversation.id,
            contact: self.contact.id,
            channel: self.channel.id,
            direction: Direction::Outbound,
            text,
            status: MessageStatus::Queued,
            history: vec![StatusChange { status: MessageStatus::Queued, at: now }],
            error: None,
            sender: access.actor().clone(),
            provider_message_id: None,
            created_at: now,
            updated_at: now,
            version: 1,
        };
        match suppression(self.contact, self.channel) {
            Some(reason) => {
                message.history.clear();
                message.suppress(reason, now);
                message.version = 1;
            }
            None => {
                let job = JobId::from_uuid(ids.next());
                set.jobs.push(NewJob::send_message(job, message.id, conversation.id.uuid(), now));
            }
        }
        set.guard(Guard::Live(Object::Contact(self.contact.id)));
        set.change(Change::InsertMessage(Box::new(message.clone())));
        set.change(Change::TouchConversation { conversation: conversation.id, contact: self.contact.id, at: now });
        OutgoingMessage { message, conversation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::ChannelId;
    use crate::testing::{a_channel, a_contact};
    use uuid::Uuid;

    #[test]
    fn a_send_needs_a_living_active_subscribed_contact_with_an_address_that_opted_in() {
        let channel = a_channel();
        let reason = |change: &dyn Fn(&mut Contact)| {
            let mut contact = a_contact().on(&channel).build();
            change(&mut contact);
            suppression(&contact, &channel)
        };
        assert_eq!(reason(&|_| {}), None);
        assert_eq!(reason(&|it| it.deleted_at = Some(it.created_at)), Some(Suppression::ContactDeleted));
        assert_eq!(reason(&|it| it.status = ContactStatus::Blocked), Some(Suppression::Blocked));
        assert_eq!(reason(&|it| it.subscribed = false), Some(Suppression::Unsubscribed));
        assert_eq!(reason(&|it| it.identities.clear()), Some(Suppression::NoAddress));
        assert_eq!(reason(&|it| it.identities[0].opted_in = false), Some(Suppression::Unsubscribed));
        let other = ChannelId::from_uuid(Uuid::from_u128(99));
        assert_eq!(reason(&|it| it.identities[0].channel = other), Some(Suppression::NoAddress));
    }
}
