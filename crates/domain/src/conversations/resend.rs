//! Sending a message again that failed or stayed uncertain, as a new message with the same content.

use super::{ConversationService, Message, Recipient};
use crate::access::Access;
use crate::error::Error;
use crate::ids::MessageId;
use crate::outcome::{Done, IdempotencyHook};
use crate::ports::ChangeSet;
use crate::retry::{AttemptError, commit_outcome, retry_on_conflict};

impl ConversationService {
    /// Sends a copy of a message that is `failed` or `uncertain`. The copy is queued, or suppressed with a reason, as
    /// any message of the caller. The original stays, and has at most one copy: another call returns that copy.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the message, its conversation or its contact was deleted, [`Error::NotResendable`] for any
    /// other message, [`Error::NoChannel`] if the channel was deleted, [`Error::Store`].
    pub async fn resend(
        &self,
        access: &Access,
        message: MessageId,
        idempotency: IdempotencyHook<'_, Message>,
    ) -> Result<Done<Message>, Error> {
        retry_on_conflict(|| async {
            let original = self.message(access, message).await?;
            let mut set = ChangeSet::new(access.workspace());
            let done = match original.resent_as {
                Some(copy) => Done::unchanged(self.message(access, copy).await?),
                None => Done::accepted(self.add_copy(access, original, &mut set).await?),
            };
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    /// Adds the copy of a message to a change set.
    async fn add_copy(&self, access: &Access, original: Message, set: &mut ChangeSet) -> Result<Message, AttemptError> {
        if !original.is_resendable() {
            return Err(Error::NotResendable.into());
        }
        let contact = self.ports.contacts.find_even_deleted(access, original.contact).await?;
        let contact = contact.filter(|contact| contact.deleted_at.is_none()).ok_or(Error::NotFound)?;
        let channel = self.ports.channels.get(access, original.channel).await?.ok_or(Error::NoChannel)?;
        let conversation = match original.conversation {
            Some(id) => Some(self.get(access, id).await?),
            None => self.ports.conversations.between(access, contact.id, channel.id).await?,
        };
        let recipient = Recipient { contact: &contact, channel: &channel, conversation: conversation.as_ref() };
        let mut sent = recipient.add_copy(set, original, access, &*self.ports.clock, &*self.ports.ids);
        if let Some(replier) = self.replier(access).await? {
            sent.assign_to(replier, set, access, &*self.ports.clock, &*self.ports.ids);
        }
        Ok(sent.message)
    }
}

#[cfg(test)]
#[path = "resend_tests.rs"]
mod tests;
