//! Storing the outcome of a call to a provider.

use super::super::inbound::leave_sender;
use super::super::look_up::look_up_job;
use super::super::part_outcome::outcome_at;
use super::super::play::played;
use super::super::undeliverable::{mark_address, marks_address};
use super::super::{Message, MessageError, MessageStatus, MessageView, Suppression};
use super::{BLOCKED_BY_CONTACT, MessageSender, UNAVAILABLE};
use crate::access::Access;
use crate::analytics::suppressed;
use crate::channels::{Connector, ScheduledAct, SendOutcome, add_refusal};
use crate::contacts::OptOutSource;
use crate::events::{EventDraft, EventKind};
use crate::merges::release_move;
use crate::ports::{Change, ChangeSet, ClaimedJob, CommitError, Conflict, Guard, Row};
use crate::retry::AttemptError;
use crate::work::{LONGEST_WAIT, MAX_ATTEMPTS, backoff, ignore_lost_claim};

impl MessageSender {
    /// Stores that a part was accepted and another one follows, guarded by the claim. Returns whether the claim is still
    /// valid.
    pub(super) async fn record_part(
        &self,
        access: &Access,
        job: &ClaimedJob,
        (mut message, stored): (Message, i64),
        (part, provider_message_id): (usize, Option<&str>),
    ) -> Result<bool, AttemptError> {
        let now = self.ports.clock.now();
        message.parts.accept(part, provider_message_id, now);
        message.updated_at = now.max(message.updated_at);
        message.version = stored + 1;
        let mut set = ChangeSet::new(access.workspace());
        set.guard(Guard::Claim(job.held_claim().claim));
        set.change(Change::Update(Row::Message(Box::new(message))));
        match self.ports.ledger.commit(set).await {
            Ok(()) => Ok(true),
            Err(CommitError::Conflict(Conflict::ClaimLost)) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Stores the outcome of the call for a part, guarded by the claim. An earlier report of the provider takes
    /// precedence.
    pub(super) async fn record(
        &self,
        access: &Access,
        job: &ClaimedJob,
        (mut message, stored, contact_is_gone): (Message, i64, bool),
        (outcome, part): (&SendOutcome, usize),
        (connector, plays): (&dyn Connector, &[ScheduledAct]),
    ) -> Result<(), AttemptError> {
        let now = self.ports.clock.now();
        let access = access.acting_as(message.sender.clone());
        let mut set = ChangeSet::new(access.workspace());
        let refusal = match outcome {
            SendOutcome::ChannelFailed { code, message, .. } => Some((*code, message.text.as_str())),
            SendOutcome::Accepted { .. }
            | SendOutcome::Rejected { .. }
            | SendOutcome::TryLater { .. }
            | SendOutcome::Blocked { .. }
            | SendOutcome::Suppressed { .. }
            | SendOutcome::OptedOut { .. }
            | SendOutcome::Unknown { .. } => None,
        };
        if let Some(refusal) = refusal {
            add_refusal(&self.ports, &access, message.channel, refusal, &mut set).await?;
        }
        if let SendOutcome::TryLater { after, message: why, .. }
        | SendOutcome::ChannelFailed { after, message: why, .. } = outcome
            && message.attempts(job.attempts) + 1 < MAX_ATTEMPTS
            && message.status == MessageStatus::Sending
        {
            let wait = backoff(message.attempts(job.attempts), 0.5).max(after.unwrap_or_default()).min(LONGEST_WAIT);
            // An error counts as an attempt of the job. The refused calls of all parts together could use up its attempts,
            // and the next failure of the store would dead-letter it.
            let error = Some(why.text.clone()).filter(|_| !message.parts.has_sent());
            set.change(job.reschedule(now.plus(wait), error));
            message.postpone(MessageError::explained(UNAVAILABLE, why), now);
            message.version = stored + 1;
            set.change(Change::Update(Row::Message(Box::new(message))));
            return ignore_lost_claim(self.ports.ledger.commit(set).await);
        }
        set.change(job.finish());
        let before = message.status;
        let outcome = &outcome_at(outcome, part, message.parts.all().len());
        let told = match outcome {
            // A report ended the message during the call, so its other parts are not sent.
            SendOutcome::Accepted { provider_message_id } if message.parts.has_next(part) => {
                message.version += i64::from(message.parts.accept(part, provider_message_id.as_deref(), now));
                None
            }
            SendOutcome::Accepted { provider_message_id } => {
                set.jobs.extend(played(message.id, plays, now, &*self.ports.ids));
                let is_news = message.status.may_become(MessageStatus::Sent);
                let is_part = message.parts.accept(part, provider_message_id.as_deref(), now);
                let is_unnamed = message.provider_message_id.is_none();
                if is_unnamed {
                    message.provider_message_id.clone_from(provider_message_id);
                }
                message.version += i64::from(!is_news && (is_part || is_unnamed));
                if is_news {
                    message.error = None;
                    message.advance(MessageStatus::Sent, now);
                }
                // The provider accepted the message even if a later status was reported first.
                Some(EventKind::MessageSent)
            }
            SendOutcome::OptedOut { message: why } if message.status.may_become(MessageStatus::Suppressed) => {
                message.suppress_refused(Suppression::Unsubscribed, why, now);
                set.changes.extend(suppressed(&message, || self.ports.ids.next()));
                None
            }
            SendOutcome::Rejected { .. }
            | SendOutcome::TryLater { .. }
            | SendOutcome::ChannelFailed { .. }
            | SendOutcome::Blocked { .. }
                if message.status.may_become(MessageStatus::Failed) =>
            {
                let error = match outcome {
                    SendOutcome::Rejected { code, message } => MessageError::explained(code.as_str(), message),
                    SendOutcome::Blocked { message } => MessageError::explained(BLOCKED_BY_CONTACT, message),
                    SendOutcome::TryLater { message, .. }
                    | SendOutcome::ChannelFailed { message, .. }
                    | SendOutcome::Unknown { message } => MessageError::explained(UNAVAILABLE, message),
                    SendOutcome::Accepted { .. } | SendOutcome::Suppressed { .. } | SendOutcome::OptedOut { .. } => {
                        MessageError::new(UNAVAILABLE, "")
                    }
                };
                message.fail_with(error, now);
                Some(EventKind::MessageFailed)
            }
            SendOutcome::Suppressed { reason, message: why }
                if message.status.may_become(MessageStatus::Suppressed) =>
            {
                message.suppress_refused(*reason, why, now);
                set.changes.extend(suppressed(&message, || self.ports.ids.next()));
                None
            }
            SendOutcome::Unknown { message: why } if message.status.may_become(MessageStatus::Uncertain) => {
                set.jobs.extend(played(message.id, plays, now, &*self.ports.ids));
                message.doubt(why.clone(), now);
                set.jobs.extend(look_up_job(&message, connector, 0, now, &*self.ports.ids));
                None
            }
            // It already has a later status.
            SendOutcome::Rejected { .. }
            | SendOutcome::TryLater { .. }
            | SendOutcome::ChannelFailed { .. }
            | SendOutcome::Blocked { .. }
            | SendOutcome::Suppressed { .. }
            | SendOutcome::OptedOut { .. }
            | SendOutcome::Unknown { .. } => None,
        };
        if matches!(outcome, SendOutcome::Blocked { .. } | SendOutcome::OptedOut { .. }) {
            leave_sender(&self.ports, &access, (&message, OptOutSource::Provider), &mut set).await?;
        }
        if let SendOutcome::Rejected { code, .. } = outcome
            && message.status == MessageStatus::Failed
            && marks_address(code)
        {
            mark_address(&self.ports, &access, &message, Some(now), &mut set).await?;
        }
        // Several status changes count as one change.
        let is_changed = message.version > stored;
        message.version = if is_changed { stored + 1 } else { stored };
        match told {
            Some(EventKind::MessageFailed) => self.tell_failed(&message, &access, &mut set),
            Some(kind) => {
                let event = EventDraft::new(kind, &MessageView::from(&message)).about(message.contact);
                self.ports.add_event(event, &access, &mut set);
            }
            None => {}
        }
        self.count(&message, before, &mut set);
        if contact_is_gone {
            release_move(&self.ports, &access, message.contact, &mut set).await?;
        }
        if is_changed {
            set.change(Change::Update(Row::Message(Box::new(message))));
        }
        ignore_lost_claim(self.ports.ledger.commit(set).await)
    }
}
