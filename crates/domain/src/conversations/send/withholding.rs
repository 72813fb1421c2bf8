//! The reasons why a queued message is not sent.

use std::time::Duration;

use super::super::automatic::is_automatic;
use super::super::decide::is_window_closed;
use super::super::{Conversation, ConversationChange, Message, Recipient, Suppression};
use super::MessageSender;
use crate::access::Access;
use crate::channels::Connector;
use crate::ids::MediaId;
use crate::ports::{Change, StoreError};

/// How long an automatic message counts.
const HOUR: Duration = Duration::from_secs(3_600);

impl MessageSender {
    /// Returns why the contact may not get the message now, if so: as [`Recipient::suppression_of`], or because of a
    /// rule of the channel's type.
    pub(super) async fn withholding(
        &self,
        access: &Access,
        recipient: Recipient<'_>,
        connector: &dyn Connector,
        message: &Message,
    ) -> Result<Option<Suppression>, StoreError> {
        if let Some(reason) = recipient.suppression_of(message) {
            return Ok(Some(reason));
        }
        let (window, now) = (connector.channel_type().reply_window, self.ports.clock.now());
        let has_fallback = message.content.fallback.is_some() && !message.parts.has_sent();
        if !has_fallback && is_window_closed(window, recipient.conversation, message.content.kind, now) {
            return Ok(Some(Suppression::WindowClosed));
        }
        // The messages of a conversation are sent one after another, so none is missed.
        let limit = connector.max_automatic_per_hour().filter(|_| is_automatic(message.sender.kind));
        let (Some(limit), Some(conversation)) = (limit, recipient.conversation) else { return Ok(None) };
        let sent = self.ports.conversations.automatic_since(access, conversation.id, now.minus(HOUR)).await?;
        Ok((sent >= limit).then_some(Suppression::TooManyAutomatic))
    }

    /// Replaces the content of a message by its fallback if the reply window is closed. Returns the changes that release
    /// the files of the replaced content.
    pub(super) fn fall_back(
        &self,
        connector: &dyn Connector,
        conversation: Option<&Conversation>,
        message: &mut Message,
    ) -> Vec<Change> {
        let (window, now) = (connector.channel_type().reply_window, self.ports.clock.now());
        let is_closed = is_window_closed(window, conversation, message.content.kind, now);
        let files: Vec<MediaId> = message.content.files().map(|(_, media)| media).collect();
        if !is_closed || message.parts.has_sent() || !message.content.fall_back() {
            return Vec::new();
        }
        let (message, contact) = (message.id, message.contact);
        let release = |media| Change::Conversation(ConversationChange::ReleaseMedia { media, message, contact });
        files.into_iter().map(release).collect()
    }
}

#[cfg(test)]
#[path = "withholding_tests.rs"]
mod tests;
