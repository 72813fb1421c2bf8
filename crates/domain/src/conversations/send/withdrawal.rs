//! The end of unsent messages that an erasure deletes.

use super::super::{Message, MessageStatus, Suppression};
use super::MessageSender;
use crate::access::Access;
use crate::analytics::suppressed;
use crate::ids::MessageId;
use crate::merges::release_move;
use crate::ports::{Change, ChangeSet, Row, StoreError};

impl MessageSender {
    /// Adds the end of a message of an erased contact, unless it already has one. Its broadcast counts it as suppressed,
    /// or as uncertain if a call has started. No event reports it, because the event would contain its text.
    pub(crate) async fn withdraw(
        &self,
        access: &Access,
        message: MessageId,
        set: &mut ChangeSet,
    ) -> Result<(), StoreError> {
        let found = self.ports.conversations.message(access, message).await?;
        let open = |message: &Message| matches!(message.status, MessageStatus::Queued | MessageStatus::Sending);
        let Some(mut message) = found.filter(open) else { return Ok(()) };
        let (before, now) = (message.status, self.ports.clock.now());
        match message.is_unconfirmed() {
            true => message.doubt("the contact was erased during the call", now),
            false => message.withhold(Suppression::ContactDeleted, now),
        }
        self.count(&message, before, set);
        set.changes.extend(suppressed(&message, || self.ports.ids.next()));
        release_move(&self.ports, access, message.contact, set).await?;
        set.change(Change::Update(Row::Message(Box::new(message))));
        Ok(())
    }
}
