//! A portion of a broadcast: the next recipients, with their messages, in one commit.

use std::sync::Arc;
use std::time::Duration;

use super::render::Renderer;
use super::service::unnamed;
use super::start::sending;
use super::{Broadcast, BroadcastChange, BroadcastService, RecipientResult, WaitingRecipient, counted};
use crate::access::{Access, Actor};
use crate::analytics::suppressed;
use crate::channels::{
    Channel, ChannelStatus, Connector, Explanation, Outbound, RetryScope, SendContext, SendOutcome, SendPace,
};
use crate::contacts::Contact;
use crate::conversations::{
    BLOCKED_BY_CONTACT, Conversation, Message, MessageError, MessageStatus, MessageView, Recipient, Suppression,
    TEMPLATE_ERROR, failed, link_files, played, use_files,
};
use crate::error::Error;
use crate::events::{EventDraft, EventKind};
use crate::ids::{BroadcastId, ContactId, JobId, TypedId};
use crate::ports::{
    Change, ChangeSet, ClaimedJob, ContactChange, ConversationChange, Guard, HeldUntil, Job, JobChange, NewJob, Object,
    PortionPlace, Ports, Row, StoreError,
};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::time::Timestamp;
use crate::work::ignore_lost_claim;

/// Maximum number of messages without an outcome before the next portion waits. Lower in tests, because the memory
/// store copies its state for each commit.
const MOST_UNDER_WAY: i64 = if cfg!(test) { 200 } else { 2_000 };

/// Maximum time that a channel needs for the messages without an outcome before the next portion waits. Other messages of
/// the channel are claimed after them.
const MOST_AHEAD: Duration = Duration::from_secs(5);
/// Number of messages without an outcome with which the next portion does not wait for the pace. On a slow channel, the
/// messages of a few contacts that are tried again for hours must not stop the others.
const FEW_UNDER_WAY: i64 = 50;
/// Minimum wait of a portion for the pace of its channel.
const SHORTEST_WAIT: Duration = Duration::from_secs(1);

/// Whether the next portion of a broadcast waits for outcomes of the messages created before it.
pub fn portion_waits(made: i64, outcomes: i64) -> bool {
    made - outcomes > MOST_UNDER_WAY
}

/// Returns how long the next portion waits for the pace of its channel, which has to send `under_way` messages before;
/// `None` if it does not wait.
fn wait_for_pace(pace: SendPace, under_way: i64) -> Option<Duration> {
    let every = pace.channel?.every;
    let needed = |messages: i64| every.saturating_mul(u32::try_from(messages).unwrap_or_default());
    let wait = needed(under_way).saturating_sub(MOST_AHEAD).min(needed(under_way - FEW_UNDER_WAY));
    (!wait.is_zero()).then(|| wait.max(SHORTEST_WAIT))
}

/// When the job of a portion continues.
enum ContinueAt {
    /// Not at all: the job is finished.
    Never,
    /// At an instant.
    At(Timestamp),
    /// When enough of the messages made so far have an outcome.
    AfterOutcomes { made: i64 },
}

/// Creates the messages of broadcasts.
#[derive(Clone)]
pub struct PortionSender {
    /// The ports.
    pub ports: Arc<Ports>,
}

/// The data that all messages of a portion share.
struct Portion {
    broadcast: Broadcast,
    channel: Channel,
    connector: Arc<dyn Connector>,
    renderer: Renderer,
    access: Access,
    now: Timestamp,
}

impl PortionSender {
    /// Creates the messages of the next recipients from an index on, and the job for the following ones. Reschedules
    /// the job if no recipient is due, and holds it if too many messages have no outcome.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn send(
        &self,
        access: &Access,
        job: &ClaimedJob,
        (broadcast, round, from): (BroadcastId, i64, i64),
    ) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let mut set = ChangeSet::new(access.workspace());
            let later = match sending(&self.ports, access, broadcast, round).await? {
                Some(broadcast) => self.take(access, broadcast, from, &mut set).await?,
                None => ContinueAt::Never,
            };
            match later {
                ContinueAt::Never => set.change(job.finish()),
                ContinueAt::At(at) => set.change(job.reschedule(at, None)),
                ContinueAt::AfterOutcomes { made } => {
                    let until = HeldUntil::BroadcastContinues(broadcast);
                    set.change(Change::Broadcast(BroadcastChange::RequireOpen { broadcast, made }));
                    set.change(Change::Job(JobChange::Hold { job: job.id, token: job.token, until }))
                }
            };
            ignore_lost_claim(self.ports.ledger.commit(set).await)
        })
        .await
    }

    /// Adds the messages of the next recipients that are due.
    async fn take(
        &self,
        access: &Access,
        mut broadcast: Broadcast,
        from: i64,
        set: &mut ChangeSet,
    ) -> Result<ContinueAt, AttemptError> {
        let (now, id, round) = (self.ports.clock.now(), broadcast.id, broadcast.round);
        let channel = match broadcast.channel {
            Some(channel) => self.ports.channels.get(access, channel).await?,
            None => None,
        };
        let Some(channel) = channel.filter(|it| self.ports.connectors.is_for(it.kind, access.workspace())) else {
            broadcast.fail("channel_deleted", "the channel of the broadcast was deleted", now);
            set.change(Change::Update(Row::Broadcast(Box::new(broadcast)))).change(unnamed(id));
            return Ok(ContinueAt::Never);
        };
        let connector = self.ports.connectors.of(channel.kind).cloned();
        let connector =
            connector.ok_or_else(|| StoreError::Corrupt(format!("no connector for the channel of {}", channel.id)))?;
        let is_local = connector.is_local();
        if !is_local {
            let outcomes = self.outcomes(access, &broadcast).await?;
            if portion_waits(from, outcomes) {
                return Ok(ContinueAt::AfterOutcomes { made: from });
            }
            // A channel that waits for its provider has no outcomes for a long time, and no other messages to send.
            if channel.status == ChannelStatus::Connected
                && let Some(wait) = wait_for_pace(connector.pace(&channel), from - outcomes)
            {
                return Ok(ContinueAt::At(now.plus(wait)));
            }
        }
        let length = broadcast.stretch(is_local);
        let end = (from / length + 1).saturating_mul(length);
        let waiting = self.ports.broadcasts.waiting(access, id, from..end, broadcast.portion()).await?;
        let due: Vec<_> = waiting.iter().take_while(|it| it.due_at <= now).copied().collect();
        let Some(last) = due.last().map(|it| it.place) else {
            let Some(first) = waiting.first() else {
                self.follow(set, Job::CloseBroadcast { broadcast: id, round }, now);
                return Ok(ContinueAt::Never);
            };
            return Ok(ContinueAt::At(first.due_at));
        };
        if last + 1 < end {
            let place = PortionPlace { round, from: last + 1 };
            let portion = Job::SendPortion { broadcast: id, place };
            self.follow(set, portion, now.plus(broadcast.pause_after(due.len())));
        } else if access.workspace().is_sandbox() {
            // In a live workspace, the commit that counts the last outcome closes the broadcast. The clock of a sandbox
            // does not wait for that.
            self.follow(set, Job::CloseBroadcast { broadcast: id, round }, now);
        }
        let access = access.acting_as(Actor::broadcast(id));
        let renderer = Renderer::load(&self.ports, &access).await?;
        let portion = Portion { broadcast, channel, connector, renderer, access, now };
        self.make(&portion, &due, set).await?;
        Ok(ContinueAt::Never)
    }

    async fn outcomes(&self, access: &Access, broadcast: &Broadcast) -> Result<i64, StoreError> {
        let service = BroadcastService { ports: self.ports.clone() };
        Ok(service.counted(access, broadcast.clone()).await?.stats.outcomes())
    }

    fn follow(&self, set: &mut ChangeSet, job: Job, due_at: Timestamp) {
        set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), job, due_at));
    }

    /// Adds the messages of these recipients.
    async fn make(&self, portion: &Portion, due: &[WaitingRecipient], set: &mut ChangeSet) -> Result<(), AttemptError> {
        let ids: Vec<ContactId> = due.iter().map(|it| it.contact).collect();
        let (contacts, conversations) = futures::try_join!(
            self.ports.contacts.by_ids(&portion.access, &ids),
            self.ports.conversations.between_all(&portion.access, &ids, portion.channel.id),
        )?;
        for contact in ids {
            let Some(found) = contacts.iter().find(|it| it.id == contact) else {
                // The contact was deleted, so no message is created: the recipient counts as suppressed.
                let (broadcast, message) = (portion.broadcast.id, portion.broadcast.message_to(contact));
                let result = RecipientResult::deleted();
                set.change(Change::Broadcast(BroadcastChange::FinishRecipient { broadcast, contact, message, result }));
                let (id, count, at) = (self.ports.ids.next(), super::Count::Suppressed, portion.now);
                set.change(Change::Broadcast(BroadcastChange::Count { id, broadcast, count, amount: 1, at }));
                continue;
            };
            let conversation = conversations.iter().find(|it| it.contact == contact);
            self.message(portion, found, conversation, set).await?;
        }
        // Messages with two contacts make a file shared, so more uses change nothing.
        if portion.broadcast.message.files().next().is_some() {
            for contact in contacts.iter().take(2) {
                set.guard(Guard::Live(Object::Contact(contact.id)));
                use_files(set, &portion.broadcast.message, contact.id);
            }
        }
        Ok(())
    }

    /// Adds the message to a contact: sent, queued, suppressed or failed.
    async fn message(
        &self,
        portion: &Portion,
        contact: &Contact,
        conversation: Option<&Conversation>,
        set: &mut ChangeSet,
    ) -> Result<(), StoreError> {
        let Portion { broadcast, channel, access, now, .. } = portion;
        let (now, clock, ids) = (*now, &*self.ports.clock, &*self.ports.ids);
        let mut message = queued(broadcast, channel, contact, conversation, now);
        let recipient = Recipient { contact, channel, conversation };
        if let Some(reason) = recipient.suppression(access.actor()) {
            message.history.clear();
            message.suppress(reason, now);
            set.changes.extend(suppressed(&message, || ids.next()));
        } else {
            match portion.renderer.rendered(&broadcast.message, contact, conversation) {
                Err(why) => {
                    message.fail(TEMPLATE_ERROR, &why, now);
                    set.tell(failed(&message), access, clock, ids);
                }
                Ok(content) => {
                    message.content = content;
                    self.hand_over(portion, (contact, conversation), &mut message, set).await?;
                }
            }
        }
        message.version = 1;
        let (contact, result) = (contact.id, RecipientResult::of(&message));
        let (broadcast, id) = (broadcast.id, message.id);
        set.change(Change::Broadcast(BroadcastChange::FinishRecipient { broadcast, contact, message: id, result }));
        for change in counted(&message, MessageStatus::Queued, now, || ids.next()) {
            set.change(change);
        }
        if message.status != MessageStatus::Suppressed {
            if let Some(conversation) = message.conversation {
                set.change(Change::Conversation(ConversationChange::Touch { conversation, at: now }));
            }
            set.change(Change::Contact(ContactChange::Touch { contact, at: now }));
        }
        set.change(Change::Insert(Row::Message(Box::new(message))));
        Ok(())
    }

    /// Sends a message if the connector works within the process; otherwise queues a job that sends it.
    async fn hand_over(
        &self,
        portion: &Portion,
        (contact, conversation): (&Contact, Option<&Conversation>),
        message: &mut Message,
        set: &mut ChangeSet,
    ) -> Result<(), StoreError> {
        let Portion { channel, connector, access, now, .. } = portion;
        let (now, clock, ids) = (*now, &*self.ports.clock, &*self.ports.ids);
        if connector.is_local() {
            // If the contact opts out before this commit, the guard fails and the portion is created again.
            set.guard(Guard::Version(Object::Contact(contact.id), contact.version));
            if let Some(conversation) = conversation {
                set.guard(Guard::Version(Object::Conversation(conversation.id), conversation.version));
            }
        } else {
            set.guard(Guard::Live(Object::Contact(contact.id)));
        }
        let (outcome, plays) = if connector.is_local() {
            let mut outbound = outbound(channel, contact, message);
            message.address = Some(outbound.address.clone());
            match link_files(&self.ports, access, &mut outbound.content, true).await? {
                Ok(files) => {
                    outbound.context.files = files;
                    let plays = connector.plays(&outbound);
                    (connector.send(outbound).await, plays)
                }
                Err(why) => {
                    let (code, message) = (why.code().to_owned(), why.message().to_owned());
                    (SendOutcome::Rejected { code, message: message.into() }, Vec::new())
                }
            }
        } else {
            (
                SendOutcome::TryLater { after: None, scope: RetryScope::Recipient, message: Explanation::default() },
                Vec::new(),
            )
        };
        match outcome {
            SendOutcome::Accepted { provider_message_id } => {
                set.jobs.extend(played(message.id, &plays, now, ids));
                message.provider_message_id = provider_message_id;
                message.advance(MessageStatus::Sending, now);
                message.advance(MessageStatus::Sent, now);
                message.version = 1;
                let event = EventDraft::new(EventKind::MessageSent, &MessageView::from(&*message)).about(contact.id);
                set.tell(event, access, clock, ids);
            }
            SendOutcome::Rejected { code, message: why } => {
                message.advance(MessageStatus::Sending, now);
                message.fail_with(MessageError::explained(code, &why), now);
                message.version = 1;
                set.tell(failed(message), access, clock, ids);
            }
            // A provider within the process blocks nobody, so the contact's opt-out is left to the sender of messages.
            SendOutcome::Blocked { message: why } => {
                message.advance(MessageStatus::Sending, now);
                message.fail_with(MessageError::explained(BLOCKED_BY_CONTACT, &why), now);
                message.version = 1;
                set.tell(failed(message), access, clock, ids);
            }
            SendOutcome::OptedOut { message: why } => {
                message.advance(MessageStatus::Sending, now);
                message.suppress_refused(Suppression::Unsubscribed, &why, now);
                message.version = 1;
                set.changes.extend(suppressed(message, || ids.next()));
            }
            SendOutcome::Suppressed { reason, message: why } => {
                message.advance(MessageStatus::Sending, now);
                message.suppress_refused(reason, &why, now);
                message.version = 1;
                set.changes.extend(suppressed(message, || ids.next()));
            }
            SendOutcome::Unknown { message: why } => {
                set.jobs.extend(played(message.id, &plays, now, ids));
                message.advance(MessageStatus::Sending, now);
                message.doubt(why, now);
            }
            SendOutcome::TryLater { .. } | SendOutcome::ChannelFailed { .. } => {
                let (message, conversation, depth) = (message.id, message.conversation, access.depth());
                let channel = Some(channel.id);
                self.follow(set, Job::SendMessage { message, conversation, channel, depth }, now);
            }
        }
        Ok(())
    }
}

fn queued(
    broadcast: &Broadcast,
    channel: &Channel,
    contact: &Contact,
    conversation: Option<&Conversation>,
    now: Timestamp,
) -> Message {
    let (id, content) = (broadcast.message_to(contact.id), broadcast.message.clone());
    Message {
        conversation: conversation.map(|it| it.id),
        ..Message::queued(id, (contact.id, channel.id), content, Actor::broadcast(broadcast.id), now)
    }
}

fn outbound(channel: &Channel, contact: &Contact, message: &Message) -> Outbound {
    Outbound {
        message: message.id,
        address: contact.identity(channel.id).map(|identity| identity.address.clone()).unwrap_or_default(),
        external_id: contact.external_id.as_ref().map(ToString::to_string),
        content: message.content.clone(),
        created_at: message.created_at,
        attempts: 0,
        context: SendContext::default(),
        channel: channel.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channels::PaceLimit;

    #[test]
    fn a_portion_waits_for_the_pace_but_not_for_a_few_messages() {
        let wait = |per_second: u32, under_way: i64| {
            let pace = SendPace { channel: Some(PaceLimit::per_second(per_second)), recipient: None };
            wait_for_pace(pace, under_way).map(|wait| wait.as_secs())
        };
        assert_eq!([0, 400, 480].map(|under_way| wait(80, under_way)), [None, None, Some(1)]);
        assert_eq!([0, 50, 51, 150].map(|under_way| wait(10, under_way)), [None, None, Some(1), Some(10)]);
        assert_eq!([0, 50, 51, 150].map(|under_way| wait(1, under_way)), [None, None, Some(1), Some(100)]);
        assert_eq!(wait_for_pace(SendPace::NONE, 1_000), None);
    }
}
