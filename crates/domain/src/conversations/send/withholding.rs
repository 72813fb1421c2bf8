//! The reasons why a queued message is not sent.

use std::time::Duration;

use super::super::automatic::is_automatic;
use super::super::decide::is_window_closed;
use super::super::{Message, Recipient, Suppression};
use super::MessageSender;
use crate::access::Access;
use crate::channels::Connector;
use crate::ports::StoreError;

/// How long an automatic message counts.
const HOUR: Duration = Duration::from_secs(3_600);

impl MessageSender {
    /// Returns why the contact may not get the message now, if so: as [`Recipient::suppression`], or because of a rule of
    /// the channel's type.
    pub(super) async fn withholding(
        &self,
        access: &Access,
        recipient: Recipient<'_>,
        connector: &dyn Connector,
        message: &Message,
    ) -> Result<Option<Suppression>, StoreError> {
        if let Some(reason) = recipient.suppression(&message.sender) {
            return Ok(Some(reason));
        }
        let (window, now) = (connector.channel_type().reply_window, self.ports.clock.now());
        if is_window_closed(window, recipient.conversation, message.content.kind, now) {
            return Ok(Some(Suppression::WindowClosed));
        }
        // The messages of a conversation are sent one after another, so none is missed.
        let limit = connector.max_automatic_per_hour().filter(|_| is_automatic(message.sender.kind));
        let (Some(limit), Some(conversation)) = (limit, recipient.conversation) else { return Ok(None) };
        let sent = self.ports.conversations.automatic_since(access, conversation.id, now.minus(HOUR)).await?;
        Ok((sent >= limit).then_some(Suppression::TooManyAutomatic))
    }
}

#[cfg(test)]
#[path = "withholding_tests.rs"]
mod tests;
