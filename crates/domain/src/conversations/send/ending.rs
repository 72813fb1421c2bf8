//! The end of a message that is not sent or that the provider did not accept, and of its job.

use super::super::{Message, MessageErrorView, MessageStatus, MessageView};
use super::{MessageSender, SendableMessage};
use crate::access::Access;
use crate::analytics::suppressed;
use crate::broadcasts::{counted, settled_recipient, settles};
use crate::contacts::Contact;
use crate::events::{EventDraft, EventKind};
use crate::ids::{JobId, MessageId, TypedId};
use crate::merges::release_move;
use crate::ports::{Change, ChangeSet, ClaimedJob, Guard, HeldUntil, Job, JobChange, NewJob, Row, StoreError};
use crate::retry::AttemptError;
use crate::work::ignore_lost_claim;

impl MessageSender {
    /// Stores that a message cannot be sent, with the code and the description of its error, and finishes its job.
    pub(super) async fn refuse(
        &self,
        access: &Access,
        job: &ClaimedJob,
        (mut message, contact): (Message, &Contact),
        (before, stored): (MessageStatus, i64),
        (code, why): (&str, &str),
    ) -> Result<Option<SendableMessage>, AttemptError> {
        let mut set = ChangeSet::new(access.workspace());
        set.change(job.finish());
        message.fail(code, why, self.ports.clock.now());
        // Several status changes count as one change.
        message.version = stored + 1;
        self.tell_failed(&message, access, &mut set);
        self.count(&message, before, &mut set);
        if contact.deleted_at.is_some() {
            release_move(&self.ports, access, contact.id, &mut set).await?;
        }
        set.change(Change::Update(Row::Message(Box::new(message))));
        ignore_lost_claim(self.ports.ledger.commit(set).await)?;
        Ok(None)
    }

    /// Stores a message that is not sent, or whose other parts are not, finishes its job, and queues the next one.
    pub(super) async fn end(
        &self,
        access: &Access,
        job: &ClaimedJob,
        (message, contact): (Message, &Contact),
        (before, next): (MessageStatus, Option<NewJob>),
    ) -> Result<Option<SendableMessage>, AttemptError> {
        let mut set = ChangeSet::new(access.workspace());
        set.change(job.finish());
        set.jobs.extend(next);
        if message.status == MessageStatus::Failed {
            self.tell_failed(&message, access, &mut set);
        }
        self.count(&message, before, &mut set);
        set.changes.extend(suppressed(&message, || self.ports.ids.next()));
        if contact.deleted_at.is_some() {
            release_move(&self.ports, access, contact.id, &mut set).await?;
        }
        set.change(Change::Update(Row::Message(Box::new(message))));
        ignore_lost_claim(self.ports.ledger.commit(set).await)?;
        Ok(None)
    }

    /// Holds the job of a message while its flow or broadcast is paused, or while its channel waits for its provider.
    /// The end of the wait makes the job due.
    pub(super) async fn hold(
        &self,
        access: &Access,
        job: &ClaimedJob,
        until: HeldUntil,
        guard: Guard,
    ) -> Result<Option<SendableMessage>, AttemptError> {
        let mut set = ChangeSet::new(access.workspace());
        // The end of the wait releases the held jobs, so it must not happen concurrently.
        set.guard(guard);
        set.change(Change::Job(JobChange::Hold { job: job.id, token: job.token, until }));
        ignore_lost_claim(self.ports.ledger.commit(set).await)?;
        Ok(None)
    }

    /// Counts the outcome of a broadcast's message.
    pub(super) fn count(&self, message: &Message, before: MessageStatus, set: &mut ChangeSet) {
        let now = self.ports.clock.now();
        let counts = counted(message, before, now, || self.ports.ids.next());
        // A sandbox's clock does not wait for the counting, so the closing job is queued at once.
        if set.workspace.is_sandbox()
            && let Some(broadcast) = settles(&counts)
        {
            let close = Job::CloseBroadcast { broadcast, round: 0 };
            set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), close, now));
        }
        set.changes.extend(counts);
        set.changes.extend(settled_recipient(message, before));
    }

    pub(super) fn tell_failed(&self, message: &Message, access: &Access, set: &mut ChangeSet) {
        self.ports.add_event(failed(message), &access.acting_as(message.sender.clone()), set);
    }

    /// Adds the end of a message that cannot be sent to the change set that dead-letters its job.
    pub(crate) async fn abandon(
        &self,
        access: &Access,
        message: MessageId,
        set: &mut ChangeSet,
    ) -> Result<(), StoreError> {
        let found = self.ports.conversations.message(access, message).await?;
        let open = |message: &Message| matches!(message.status, MessageStatus::Queued | MessageStatus::Sending);
        let Some(mut message) = found.filter(open) else { return Ok(()) };
        let before = message.status;
        if message.is_unconfirmed() {
            message.doubt("the provider's response could not be stored: all attempts failed", self.ports.clock.now());
        } else {
            message.fail("internal", "the message could not be sent: all attempts failed", self.ports.clock.now());
            self.tell_failed(&message, access, set);
        }
        self.count(&message, before, set);
        release_move(&self.ports, access, message.contact, set).await?;
        set.change(Change::Update(Row::Message(Box::new(message))));
        Ok(())
    }

    pub(super) async fn finish(
        &self,
        access: &Access,
        job: &ClaimedJob,
    ) -> Result<Option<SendableMessage>, AttemptError> {
        let mut set = ChangeSet::new(access.workspace());
        set.change(job.finish());
        ignore_lost_claim(self.ports.ledger.commit(set).await)?;
        Ok(None)
    }
}

/// Builds the event that a message failed.
pub(crate) fn failed(message: &Message) -> EventDraft {
    let error = MessageErrorView::of(message);
    EventDraft::new(EventKind::MessageFailed, &MessageView::from(message)).with("error", &error).about(message.contact)
}
