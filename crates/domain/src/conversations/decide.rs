//! Whether a contact may get a message, as pure functions. [`suppression`] checks the opt-out.

use std::time::Duration;

use super::automatic::is_automatic;
use super::{Conversation, Handler, Message, MessageType, Suppression};
use crate::access::{Actor, ActorKind};
use crate::channels::Channel;
use crate::contacts::{Contact, ContactStatus};
use crate::time::Timestamp;

/// The recipient of a message.
#[derive(Debug, Clone, Copy)]
pub struct Recipient<'a> {
    /// The contact.
    pub contact: &'a Contact,
    /// The channel.
    pub channel: &'a Channel,
    /// Their conversation, if there is one.
    pub conversation: Option<&'a Conversation>,
}

/// Returns why no sender may send to the contact on the channel now, if so: for example, because the contact has opted
/// out. It is checked when a message is added ([`Recipient::add_message`]), and again before the message is sent.
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
        None => return Some(Suppression::NoAddress),
        Some(identity) if !identity.opted_in => return Some(Suppression::Unsubscribed),
        Some(_) => {}
    }
    (!channel.accepts_messages()).then_some(Suppression::ChannelDisconnected)
}

/// Whether the provider rejects this type of message, because the contact has not written within the last `window`.
pub(super) fn is_window_closed(
    window: Option<Duration>,
    conversation: Option<&Conversation>,
    kind: MessageType,
    now: Timestamp,
) -> bool {
    let is_open = conversation.and_then(|it| it.window_expires_at).is_some_and(|end| now < end);
    window.is_some() && kind != MessageType::Template && !is_open
}

impl Recipient<'_> {
    /// Returns why this sender may not send now, if so: as [`suppression`]; also, flows do not send while members
    /// handle the conversation, nothing automatic is sent to an undeliverable address, and broadcasts and sequences do
    /// not send to a contact who stopped marketing messages.
    pub fn suppression(&self, sender: &Actor) -> Option<Suppression> {
        let is_handled_by_member = self.conversation.is_some_and(|it| it.handler == Handler::Human);
        let is_silenced = is_handled_by_member && sender.kind == ActorKind::Flow;
        let is_undeliverable = is_automatic(sender.kind) && self.is_undeliverable();
        let is_marketing = matches!(sender.kind, ActorKind::Broadcast | ActorKind::Sequence);
        let has_stopped = is_marketing && self.conversation.is_some_and(|it| it.marketing.is_stopped());
        suppression(self.contact, self.channel)
            .or(is_silenced.then_some(Suppression::HumanHandling))
            .or(is_undeliverable.then_some(Suppression::Undeliverable))
            .or(has_stopped.then_some(Suppression::MarketingStopped))
    }

    /// Whether the provider could not deliver an earlier message to the address of the next one.
    fn is_undeliverable(&self) -> bool {
        let last_used: Vec<&str> = self.conversation.and_then(|it| it.reply_address.as_deref()).into_iter().collect();
        let destination = self.contact.destination(self.channel.id, &last_used);
        destination.is_some_and(|it| it.undeliverable_since.is_some())
    }

    /// Returns why this message may not be sent now, if so: as [`Recipient::suppression`]. The confirmation of an
    /// opt-out is also sent to a contact that has opted out.
    pub(super) fn suppression_of(&self, message: &Message) -> Option<Suppression> {
        match self.suppression(&message.sender) {
            Some(Suppression::Unsubscribed) if self.is_confirmation(message) => {
                let has_address = self.contact.identity(self.channel.id).is_some();
                let is_off = !self.channel.accepts_messages();
                let missing = (!has_address).then_some(Suppression::NoAddress);
                missing.or(is_off.then_some(Suppression::ChannelDisconnected))
            }
            reason => reason,
        }
    }

    /// Whether a message is the last confirmation of an opt-out in the conversation.
    fn is_confirmation(&self, message: &Message) -> bool {
        let confirmed_at = self.conversation.and_then(|it| it.opt_out_confirmed_at);
        message.sender.kind == ActorKind::System && confirmed_at == Some(message.created_at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channels::ChannelStatus;
    use crate::contacts::Identity;
    use crate::ids::{ChannelId, ConversationId, FlowId, RunId, TypedId, UserId};
    use crate::testing::{a_channel, a_contact};
    use uuid::Uuid;

    #[test]
    fn returns_why_a_message_to_a_contact_is_suppressed() {
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
        let off = Channel { status: ChannelStatus::Disconnected, ..channel.clone() };
        let contact = a_contact().on(&channel).build();
        assert_eq!(suppression(&contact, &off), Some(Suppression::ChannelDisconnected));
        let waiting = Channel { waits_until: Some(off.created_at), ..off };
        assert_eq!(suppression(&contact, &waiting), None);
        let other = ChannelId::from_uuid(Uuid::from_u128(99));
        assert_eq!(reason(&|it| it.identities[0].channel = other), Some(Suppression::NoAddress));
    }

    #[test]
    fn suppresses_automatic_messages_to_an_undeliverable_address() {
        let (channel, id) = (a_channel(), Uuid::from_u128(7));
        let mut contact = a_contact().on(&channel).build();
        contact.identities[0].undeliverable_since = Some(contact.created_at);
        let other = Identity::new(channel.id, "other".to_owned(), contact.updated_at);
        contact.identities.push(other);
        let mut talk = Conversation::new(ConversationId::from_uuid(id), contact.id, channel.id, contact.created_at);
        let reason = |sender: Actor, talk: Option<&Conversation>| {
            Recipient { contact: &contact, channel: &channel, conversation: talk }.suppression(&sender)
        };
        let flow = || Actor::flow(FlowId::from_uuid(id), RunId::from_uuid(id));
        assert_eq!(reason(flow(), None), Some(Suppression::Undeliverable));
        assert_eq!(reason(Actor::system(), Some(&talk)), Some(Suppression::Undeliverable));
        assert_eq!(reason(Actor::user(UserId::from_uuid(id)), None), None, "a member may try again");
        talk.reply_address = Some("other".to_owned());
        assert_eq!(reason(flow(), Some(&talk)), None, "the message goes to the other address");
    }

    #[test]
    fn suppresses_broadcasts_and_sequences_after_a_stop_of_marketing() {
        let channel = a_channel();
        let contact = a_contact().on(&channel).build();
        let id = ConversationId::from_uuid(Uuid::from_u128(7));
        let mut conversation = Conversation::new(id, contact.id, channel.id, contact.created_at);
        let reason = |conversation: &Conversation, kind: ActorKind| {
            let recipient = Recipient { contact: &contact, channel: &channel, conversation: Some(conversation) };
            recipient.suppression(&Actor { kind, id: None })
        };
        let marketing = [ActorKind::Broadcast, ActorKind::Sequence];
        assert!(marketing.iter().all(|kind| reason(&conversation, *kind).is_none()));
        conversation.marketing.stopped_at = Some(contact.created_at);
        assert!(marketing.iter().all(|kind| reason(&conversation, *kind) == Some(Suppression::MarketingStopped)));
        for kind in [ActorKind::Flow, ActorKind::User, ActorKind::ApiKey, ActorKind::System, ActorKind::Schedule] {
            assert_eq!(reason(&conversation, kind), None, "{kind:?}");
        }
    }
}
