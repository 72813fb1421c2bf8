//! The message that a contact's message answers.

use super::InboundService;
use crate::access::Access;
use crate::channels::Channel;
use crate::contacts::Contact;
use crate::conversations::{AnsweredMessage, Direction, InboundMessage, Message};
use crate::ports::StoreError;

impl InboundService {
    /// Returns the message that a contact's message answers. `None` if the provider names none, and if the channel has
    /// no such message of the contact or to the contact.
    pub(super) async fn answered(
        &self,
        access: &Access,
        channel: &Channel,
        (contact, inbound): (&Contact, &InboundMessage),
    ) -> Result<Option<Message>, StoreError> {
        let Some(AnsweredMessage { sent, received }) = &inbound.reply_to else { return Ok(None) };
        let found = match self.sent_message(access, channel, sent).await? {
            Some(found) => Some(found),
            None => self.ports.conversations.by_provider_id(access, channel.id, Direction::Inbound, received).await?,
        };
        Ok(found.filter(|it| it.contact == contact.id))
    }
}
