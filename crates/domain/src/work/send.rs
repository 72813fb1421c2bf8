//! Message → provider: `queued`, then `sending` before the call, then what came of it.

use std::sync::Arc;

use super::unless_lost;
use crate::access::Access;
use crate::channels::{Channel, Connector, Outbound, SendOutcome};
use crate::contacts::Contact;
use crate::conversations::{Message, MessageErrorView, MessageStatus, MessageView, suppression};
use crate::error::Error;
use crate::events::{EventDraft, EventKind};
use crate::ids::{MessageId, TypedId};
use crate::ports::{
    Change, ChangeSet, ChannelQueries, Claim, ClaimedJob, Clock, CommitError, Conflict, ContactQueries,
    ConversationQueries, Guard, Ids, Ledger, Object, StoreError,
};
use crate::settle::{Setback, settle};

/// How long a provider that cannot take a message is left alone, if it does not say.
const REST: std::time::Duration = std::time::Duration::from_secs(30);

/// Hands messages to their providers.
#[derive(Clone)]
#[allow(missing_docs, reason = "the ports that it needs")]
pub struct MessageSender {
    pub conversations: Arc<dyn ConversationQueries>,
    pub contacts: Arc<dyn ContactQueries>,
    pub channels: Arc<dyn ChannelQueries>,
    pub connectors: Vec<Arc<dyn Connector>>,
    pub ledger: Arc<dyn Ledger>,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
}

/// A message that may go out now.
struct Ready {
    message: Message,
    outbound: Outbound,
    connector: Arc<dyn Connector>,
}

impl MessageSender {
    /// Sends the job's message, unless it was settled before.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn send(&self, access: &Access, job: &ClaimedJob) -> Result<(), Error> {
        let Some(ready) = settle(|| self.prepare(access, job)).await? else { return Ok(()) };
        let outcome = ready.connector.send(ready.outbound).await;
        settle(|| self.record(access, job, ready.message.clone(), &outcome)).await
    }

    /// Takes the message to `sending`, with the contact locked, so that no opt-out that committed
    /// before is overlooked; `None` where there is nothing to send.
    async fn prepare(&self, access: &Access, job: &ClaimedJob) -> Result<Option<Ready>, Setback> {
        let message = self.conversations.message(access, MessageId::from_uuid(job.subject)).await?;
        let Some(mut message) = message else {
            return self.finish(access, job).await;
        };
        if !matches!(message.status, MessageStatus::Queued | MessageStatus::Sending) {
            return self.finish(access, job).await;
        }
        let lost = |what: &str| Setback::from(StoreError::Corrupt(format!("{what} of {}", message.id)));
        let contact = self.contacts.find_even_deleted(access, message.contact).await?;
        let contact: Contact = contact.ok_or_else(|| lost("the contact"))?;
        let channel = self.channels.get(access, message.channel).await?;
        let channel: Channel = channel.ok_or_else(|| lost("the channel"))?;
        let connector = self.connectors.iter().find(|it| it.kind() == channel.kind).cloned();
        let connector = connector.ok_or_else(|| lost("the connector"))?;

        let now = self.clock.now();
        // What is `sending` may be with the provider already: its outcome is told as it is.
        let reason = suppression(&contact, &channel).filter(|_| message.status == MessageStatus::Queued);
        if let Some(reason) = reason {
            message.suppress(reason, now);
            let mut set = ChangeSet::new(access.workspace());
            set.change(Change::FinishJob { job: job.id, token: job.token });
            set.change(Change::UpdateMessage(Box::new(message)));
            unless_lost(self.ledger.commit(set).await)?;
            return Ok(None);
        }
        if message.status == MessageStatus::Sending && !connector.is_idempotent() {
            return Err(lost("whether the provider has it is not known: the outcome"));
        }
        if message.status == MessageStatus::Queued {
            message.advance(MessageStatus::Sending, now);
            let mut set = ChangeSet::new(access.workspace());
            set.guard(Guard::Claim(Claim { job: job.id, token: job.token }));
            set.guard(Guard::Version(Object::Contact(contact.id), contact.version));
            set.change(Change::UpdateMessage(Box::new(message.clone())));
            match self.ledger.commit(set).await {
                Ok(()) => {}
                Err(CommitError::Conflict(Conflict::ClaimLost)) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
        }
        let address = contact.identity(channel.id).map(|identity| identity.address.clone()).unwrap_or_default();
        let outbound = Outbound {
            message: message.id,
            address,
            external_id: contact.external_id.as_ref().map(ToString::to_string),
            text: message.text.clone(),
        };
        Ok(Some(Ready { message, outbound, connector }))
    }

    /// Ends a message that cannot be sent, whatever is tried: adds that to a set that buries its job.
    pub(super) async fn abandon(
        &self,
        access: &Access,
        job: &ClaimedJob,
        set: &mut ChangeSet,
    ) -> Result<(), StoreError> {
        let found = self.conversations.message(access, MessageId::from_uuid(job.subject)).await?;
        let open = |message: &Message| matches!(message.status, MessageStatus::Queued | MessageStatus::Sending);
        let Some(mut message) = found.filter(open) else { return Ok(()) };
        let (code, why) = ("internal", "the message could not be sent, whatever was tried");
        message.fail(code, why, self.clock.now());
        let error = MessageErrorView { code: code.to_owned(), message: why.to_owned() };
        let event = EventDraft::new(EventKind::MessageFailed, &MessageView::from(&message)).with("error", &error);
        set.tell(event.about(message.contact), access, &*self.clock, &*self.ids);
        set.change(Change::UpdateMessage(Box::new(message)));
        Ok(())
    }

    async fn finish(&self, access: &Access, job: &ClaimedJob) -> Result<Option<Ready>, Setback> {
        let mut set = ChangeSet::new(access.workspace());
        set.change(Change::FinishJob { job: job.id, token: job.token });
        unless_lost(self.ledger.commit(set).await)?;
        Ok(None)
    }

    /// Writes what came of it, fenced by the claim.
    async fn record(
        &self,
        access: &Access,
        job: &ClaimedJob,
        mut message: Message,
        outcome: &SendOutcome,
    ) -> Result<(), Setback> {
        let now = self.clock.now();
        let access = access.acting_as(message.sender.clone());
        let mut set = ChangeSet::new(access.workspace());
        let (id, token) = (job.id, job.token);
        let event = match outcome {
            SendOutcome::TryLater { after, message: why } => {
                let due_at = now.plus(after.unwrap_or(REST));
                set.change(Change::RescheduleJob { job: id, token, due_at, error: Some(why.clone()) });
                None
            }
            SendOutcome::Accepted { provider_message_id } => {
                message.provider_message_id = provider_message_id.clone();
                message.advance(MessageStatus::Sent, now);
                Some(EventDraft::new(EventKind::MessageSent, &MessageView::from(&message)))
            }
            SendOutcome::Rejected { code, message: why } => {
                message.fail(code, why, now);
                let error = MessageErrorView { code: code.clone(), message: why.clone() };
                Some(EventDraft::new(EventKind::MessageFailed, &MessageView::from(&message)).with("error", &error))
            }
        };
        if let Some(event) = event {
            set.change(Change::FinishJob { job: id, token });
            set.tell(event.about(message.contact), &access, &*self.clock, &*self.ids);
            set.change(Change::UpdateMessage(Box::new(message)));
        }
        unless_lost(self.ledger.commit(set).await)
    }
}
