//! The context that a connector receives with a message.

use super::super::{Content, Direction, Message};
use super::{MOST_EARLIER, MessageSender};
use crate::access::{Access, ActorKind};
use crate::channels::{EarlierMessage, SendContext};
use crate::ids::{ConversationId, TypedId};
use crate::opt_outs::UnsubscribeLink;
use crate::pagination::{PageRequest, Position};
use crate::ports::{Ports, StoreError};

impl MessageSender {
    /// Returns the latest messages of a conversation that the contact knows, without this one, oldest first. Those of a
    /// person are before it: a message that arrives while the answer waits does not change its recipient. Messages that
    /// the provider never named are left out.
    pub(super) async fn earlier(
        &self,
        access: &Access,
        conversation: ConversationId,
        message: &Message,
    ) -> Result<Vec<Message>, StoreError> {
        // A program answers within milliseconds. The clocks of two processes can differ by more.
        let is_by_person = message.sender.kind == ActorKind::User;
        let after = is_by_person.then(|| Position { at: message.created_at, id: message.id.uuid() });
        let page = PageRequest { limit: MOST_EARLIER, after, ..PageRequest::default() };
        let found = self.ports.conversations.messages(access, conversation, page).await?;
        Ok(found.items.into_iter().rev().filter(|it| it.id != message.id && is_named(it)).collect())
    }

    /// Returns the message that the sender of a message selected to answer. `None` if the sender selected none, and if
    /// the provider never named that one.
    pub(super) async fn selected(&self, access: &Access, message: &Message) -> Result<Option<Message>, StoreError> {
        let Some(id) = message.reply_to else { return Ok(None) };
        let found = self.ports.conversations.message(access, id).await?;
        let is_of_conversation = |it: &Message| it.contact == message.contact && it.channel == message.channel;
        Ok(found.filter(|it| is_of_conversation(it) && is_named(it)))
    }
}

/// Returns the message that a message answers, and the messages of its thread before that one, oldest first. A message
/// answers the selected one, otherwise the latest one of the contact, unless it has its own subject. `earlier` are the
/// messages before it, oldest first.
pub(super) fn answered(
    message: &Message,
    selected: Option<Message>,
    earlier: Vec<Message>,
) -> (Option<Message>, Vec<Message>) {
    let latest = || {
        let mut earlier = earlier.iter().rev().filter(|_| message.content.subject.is_none());
        earlier.find(|it| it.direction == Direction::Inbound).cloned()
    };
    let Some(answered) = selected.or_else(latest) else { return (None, Vec::new()) };
    let thread = answered.thread_of_answers().id;
    let is_before = |it: &Message| (it.created_at, it.id) < (answered.created_at, answered.id);
    let is_referred = |it: &Message| it.thread_of_answers().id == thread && is_before(it);
    let referred = earlier.into_iter().filter(is_referred).collect();
    (Some(answered), referred)
}

/// Whether the provider has an ID for the message.
fn is_named(it: &Message) -> bool {
    it.provider_message_id.is_some()
}

/// Describes an earlier message of a conversation. `None` if the provider never named it.
pub(super) fn earlier_message(it: Message) -> Option<EarlierMessage> {
    let is_inbound = it.direction == Direction::Inbound;
    let Content { subject, original, .. } = it.content;
    let provider_message_id = it.provider_message_id?;
    Some(EarlierMessage { is_inbound, provider_message_id, subject, answers_to: original.answers_to })
}

/// Describes the sender of a message, and its conversation.
pub(super) fn context_of(message: &Message) -> SendContext {
    let (by_person, is_bulk) = match message.sender.kind {
        ActorKind::User => (true, false),
        ActorKind::Flow | ActorKind::Sequence | ActorKind::Schedule | ActorKind::Broadcast => (false, true),
        ActorKind::ApiKey | ActorKind::Contact | ActorKind::System => (false, false),
    };
    SendContext { by_person, is_bulk, ..SendContext::default() }
}

/// Returns the URL with which the recipient of a message opts out. `None` if the server has no public URL.
pub(super) fn unsubscribe_url(ports: &Ports, access: &Access, message: &Message) -> Option<String> {
    if ports.public_url.is_empty() {
        return None;
    }
    let link = UnsubscribeLink {
        workspace: access.workspace(),
        contact: message.contact,
        channel: message.channel,
        address: message.address.clone().unwrap_or_default(),
    };
    Some(link.url(&*ports.sealer, &ports.public_url))
}
