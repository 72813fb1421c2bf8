//! Buttons and texts of contacts that choose an offered quick reply.

use std::time::Duration;

use super::InboundService;
use crate::access::Access;
use crate::channels::Channel;
use crate::conversations::{Choice, Content, Conversation, Direction, Message, MessageStatus, PressedButton};
use crate::pagination::PageRequest;
use crate::ports::StoreError;
use crate::time::Timestamp;

/// The time after a message, while a text can choose one of its quick replies.
const LIFE: Duration = Duration::from_secs(86_400);
/// Number of messages among which the last one to the contact is searched, the newest first.
const SEARCHED: u32 = 10;

impl InboundService {
    /// Returns the quick reply of a button that the contact pressed, at any age of its message. `None` if the conversation
    /// has no such message.
    pub(super) async fn pressed(
        &self,
        access: &Access,
        channel: &Channel,
        (conversation, button): (&Conversation, &PressedButton),
    ) -> Result<Option<Choice>, StoreError> {
        let found = match button {
            PressedButton::QuickReply { message, .. } => self.ports.conversations.message(access, *message).await?,
            PressedButton::Template { provider_message_id: id, .. } => self.sent_message(access, channel, id).await?,
        };
        let is_here = |it: &Message| it.direction == Direction::Outbound && it.conversation == Some(conversation.id);
        let offer = found.filter(is_here);
        Ok(offer.and_then(|it| Choice::by_button(button, (it.id, it.content.quick_replies.as_slice()))))
    }

    /// Returns the quick reply that a text of the contact chooses: one of the last message to the contact, if that is at
    /// most 24 hours old.
    pub(super) async fn choice(
        &self,
        access: &Access,
        conversation: &Conversation,
        content: &Content,
        now: Timestamp,
    ) -> Result<Option<Choice>, StoreError> {
        let Some(text) = content.text.as_deref().filter(|_| Choice::is_possible(content)) else { return Ok(None) };
        let page = PageRequest { limit: SEARCHED, ..PageRequest::default() };
        let newest = self.ports.conversations.messages(access, conversation.id, page).await?;
        let offer = newest.items.into_iter().find(reached_the_contact);
        let offer = offer.filter(|it| it.created_at >= now.minus(LIFE));
        Ok(offer.and_then(|it| Choice::by_text(text, (it.id, it.content.quick_replies.as_slice()))))
    }
}

/// Whether the contact may have got a message.
fn reached_the_contact(message: &Message) -> bool {
    let may_be_there = match message.status {
        MessageStatus::Sending
        | MessageStatus::Uncertain
        | MessageStatus::Sent
        | MessageStatus::Delivered
        | MessageStatus::Read => true,
        MessageStatus::Queued | MessageStatus::Failed | MessageStatus::Suppressed | MessageStatus::Received => false,
    };
    message.direction == Direction::Outbound && may_be_there
}
