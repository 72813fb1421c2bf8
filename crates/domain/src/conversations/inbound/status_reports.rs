//! Status reports of providers on sent messages.

use super::super::automatic::is_automatic;
use super::super::received::{Block, Complaint, Report, StatusReport};
use super::super::undeliverable::{mark_address, marks_address};
use super::super::{Conversation, Direction, Message, MessageErrorView, MessageStatus, MessageView};
use super::{InboundService, leave, leave_sender};
use crate::access::{Access, Actor};
use crate::broadcasts::{counted, settled_recipient};
use crate::channels::Channel;
use crate::contacts::OptOutSource;
use crate::error::Error;
use crate::events::{EventDraft, EventKind};
use crate::merges::release_move;
use crate::outcome::Done;
use crate::ports::{Change, ChangeSet, ClaimedJob, Row, StoreError};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::time::Timestamp;
use crate::work::ignore_lost_claim;

impl InboundService {
    /// Opts a contact out of a channel, because it blocked the sender at the provider. An unknown address and a
    /// repeated event have no effect.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn block(&self, access: &Access, channel: &Channel, block: &Block) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let mut set = ChangeSet::new(access.workspace());
            if let Some(contact) = self.ports.contacts.by_identity(access, channel.id, &block.address).await? {
                let access = access.acting_as(Actor::contact(contact.id));
                leave(&self.ports, &access, contact, (channel.id, OptOutSource::Provider), &mut set);
            }
            self.commit_event(channel.id, block.event, set).await
        })
        .await
    }

    /// Opts the recipient of an outbound message out of the channel, because the recipient complained about the message.
    /// An unknown message and a repeated event have no effect.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn complain(&self, access: &Access, channel: &Channel, complaint: &Complaint) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let mut set = ChangeSet::new(access.workspace());
            if let Some(message) = self.sent_message(access, channel, &complaint.message).await? {
                leave_sender(&self.ports, access, (&message, OptOutSource::Complaint), &mut set).await?;
            }
            self.commit_event(channel.id, complaint.event, set).await
        })
        .await
    }

    /// Returns the channel's outbound message with this provider ID, otherwise with this ID, otherwise with a part that
    /// has this provider ID.
    pub(super) async fn sent_message(
        &self,
        access: &Access,
        channel: &Channel,
        name: &str,
    ) -> Result<Option<Message>, StoreError> {
        let found = self.ports.conversations.by_provider_id(access, channel.id, Direction::Outbound, name).await?;
        let found = match (found, name.parse()) {
            (None, Ok(id)) => self.ports.conversations.message(access, id).await?,
            (None, Err(_)) => self.ports.conversations.by_part(access, channel.id, name).await?,
            (found, _) => found,
        };
        Ok(found.filter(|it| it.channel == channel.id && it.direction == Direction::Outbound))
    }

    /// Applies a provider's report about a message. Late and repeated reports change nothing.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the channel sent no such message, [`Error::Store`].
    pub async fn report(
        &self,
        access: &Access,
        channel: &Channel,
        report: &StatusReport,
    ) -> Result<Done<Message>, Error> {
        self.note(access, None, channel, report).await
    }

    /// Same as [`InboundService::report`], finishing a job in the same commit.
    ///
    /// # Errors
    /// Same as [`InboundService::report`].
    pub(crate) async fn report_by(
        &self,
        access: &Access,
        job: &ClaimedJob,
        channel: &Channel,
        report: &StatusReport,
    ) -> Result<Done<Message>, Error> {
        self.note(access, Some(job), channel, report).await
    }

    async fn note(
        &self,
        access: &Access,
        job: Option<&ClaimedJob>,
        channel: &Channel,
        report: &StatusReport,
    ) -> Result<Done<Message>, Error> {
        retry_on_conflict(|| self.try_note(access, job, channel, (report, None))).await
    }

    /// Applies a report once. `talk` is the conversation of a look-up with its next version: of two look-ups in a
    /// conversation that end at once, one is repeated.
    pub(in crate::conversations) async fn try_note(
        &self,
        access: &Access,
        job: Option<&ClaimedJob>,
        channel: &Channel,
        (report, talk): (&StatusReport, Option<Conversation>),
    ) -> Result<Done<Message>, AttemptError> {
        let found = self.sent_message(access, channel, &report.provider_message_id).await?;
        let mut message = found.ok_or(Error::NotFound)?;
        let now = self.ports.clock.now();
        let (status, kind) = match &report.report {
            Report::Sent { .. } => (MessageStatus::Sent, EventKind::MessageSent),
            Report::Delivered => (MessageStatus::Delivered, EventKind::MessageDelivered),
            Report::Read => (MessageStatus::Read, EventKind::MessageRead),
            Report::Failed(_) | Report::OptedOut(_) => (MessageStatus::Failed, EventKind::MessageFailed),
        };
        let mut set = ChangeSet::new(access.workspace());
        set.changes.extend(job.map(ClaimedJob::finish));
        // The call itself reports that a message was accepted, unless its outcome is unknown.
        let is_known = matches!(report.report, Report::Sent { .. }) && message.status != MessageStatus::Uncertain;
        // The last part decides whether a message was delivered or read; any part can fail.
        let part = report.part.or_else(|| message.parts.named(&report.provider_message_id));
        let is_earlier = part.is_some_and(|index| message.parts.has_next(index)) && status != MessageStatus::Failed;
        let before = message.status;
        let is_settled =
            is_earlier && before == MessageStatus::Uncertain && settle_part(&mut message, part, report, now);
        let is_late = is_known || is_earlier || !before.may_become(status) || before == MessageStatus::Queued;
        if is_late && !is_settled {
            if job.is_some() {
                ignore_lost_claim(self.ports.ledger.commit(set).await)?;
            }
            return Ok(Done::unchanged(message));
        }
        let kind = match is_settled {
            true => {
                message.stop("the outcome of the part before it was unknown", now);
                EventKind::MessageFailed
            }
            false => {
                apply(&mut message, report, part, now);
                message.advance(status, now);
                kind
            }
        };
        match &report.report {
            Report::OptedOut(_) => {
                leave_sender(&self.ports, access, (&message, OptOutSource::Provider), &mut set).await?;
            }
            Report::Failed(error) if marks_address(&error.code) => {
                mark_address(&self.ports, access, &message, Some(now), &mut set).await?;
            }
            // Automatic messages are not sent to a marked address.
            Report::Delivered | Report::Read if !is_automatic(message.sender.kind) => {
                mark_address(&self.ports, access, &message, None, &mut set).await?;
            }
            Report::Failed(_) | Report::Delivered | Report::Read | Report::Sent { .. } => {}
        }
        let mut event = EventDraft::new(kind, &MessageView::from(&message)).about(message.contact);
        if let Some(error) = MessageErrorView::of(&message) {
            event = event.with("error", &error);
        }
        set.changes.extend(counted(&message, before, now, || self.ports.ids.next()));
        set.changes.extend(settled_recipient(&message, before));
        if before == MessageStatus::Sending {
            release_move(&self.ports, access, message.contact, &mut set).await?;
        }
        set.change(Change::Update(Row::Message(Box::new(message.clone()))));
        set.changes.extend(talk.map(|talk| Change::Update(Row::Conversation(talk))));
        self.ports.add_event(event, access, &mut set);
        ignore_lost_claim(self.ports.ledger.commit(set).await)?;
        Ok(Done::accepted(message))
    }
}

/// Records that the provider has a part whose outcome was unknown, before the last part. Returns whether it was unknown.
fn settle_part(message: &mut Message, part: Option<usize>, report: &StatusReport, now: Timestamp) -> bool {
    let name = match &report.report {
        Report::Sent { provider_message_id } => Some(provider_message_id.as_str()),
        Report::Delivered | Report::Read | Report::Failed(_) | Report::OptedOut(_) => None,
    };
    part.is_some_and(|index| message.parts.settle(index, name, now))
}

/// Applies the reported error or ID to a message and its parts.
fn apply(message: &mut Message, report: &StatusReport, part: Option<usize>, now: Timestamp) {
    message.error = match &report.report {
        Report::Failed(error) | Report::OptedOut(error) => Some(error.clone()),
        Report::Sent { .. } | Report::Delivered | Report::Read => None,
    };
    if let (Report::Sent { provider_message_id }, None) = (&report.report, &message.provider_message_id) {
        message.provider_message_id = Some(provider_message_id.clone());
    }
    match (&message.error, part) {
        (Some(error), Some(index)) => message.parts.report_failure(index, error),
        (Some(_), None) => {}
        (None, _) => message.parts.settle_last(message.provider_message_id.as_deref(), now),
    }
}
