//! Sends messages to providers. A message is `queued`, then `sending` before the call, then it has the outcome of the
//! call. If the provider is idempotent, `sending` and the outcome are stored together, after the call. A message in
//! several parts is sent by one call for each part; the start and the outcome of each call are stored.

mod context;
mod ending;
mod outcome;
mod pace;
mod sending_flow;
mod withdrawal;
mod withholding;

use std::sync::Arc;

use context::{answered, context_of, earlier_message, unsubscribe_url};
pub(crate) use ending::failed;
use sending_flow::SendingFlow;

use super::attached_files::link_files;
use super::look_up::look_up_job;
use super::{Dispatch, MAX_PARTS, Message, MessageStatus, Recipient, Suppression};
use crate::access::Access;
use crate::broadcasts::BroadcastStatus;
use crate::channels::{ChannelStatus, Connector, Outbound, RetryScope, SendContext, SendOutcome, degraded_features};
use crate::error::Error;
use crate::ids::MessageId;
use crate::ports::{
    Change, ChangeSet, ClaimedJob, CommitError, Conflict, Guard, HeldUntil, Object, Ports, Row, StoreError,
};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::work::MAX_ATTEMPTS;

/// The error code of a message that the provider did not accept in any attempt.
const UNAVAILABLE: &str = "provider_unavailable";
/// The error code of a failed message to a contact that has blocked the sender at the provider. A message that is
/// suppressed with the same word is one to a contact that a member blocked: [`Suppression::Blocked`].
pub(crate) const BLOCKED_BY_CONTACT: &str = "blocked";
/// Maximum number of earlier messages that a connector gets with a message.
const MOST_EARLIER: u32 = 20;

/// Sends messages to their providers.
#[derive(Clone)]
pub struct MessageSender {
    /// The ports.
    pub ports: Arc<Ports>,
}

/// A message that may be sent now, with its version in the store.
struct SendableMessage {
    message: Message,
    stored: i64,
    outbound: Outbound,
    connector: Arc<dyn Connector>,
    /// Whether its contact was deleted or merged at the time of reading.
    contact_is_gone: bool,
}

impl MessageSender {
    /// Sends a message, unless it has already reached a final status. `depth` is the number of flow runs in its causal
    /// chain.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn send(&self, access: &Access, job: &ClaimedJob, message: MessageId, depth: i64) -> Result<(), Error> {
        for _ in 0..MAX_PARTS {
            if !self.send_part(access, job, message, depth).await? {
                break;
            }
        }
        Ok(())
    }

    /// Sends a message, or the first of its parts that was not sent. Returns whether another part follows.
    async fn send_part(
        &self,
        access: &Access,
        job: &ClaimedJob,
        message: MessageId,
        depth: i64,
    ) -> Result<bool, Error> {
        let Some(ready) = retry_on_conflict(|| self.prepare(access, job, message)).await? else { return Ok(false) };
        let plays = ready.connector.plays(&ready.outbound);
        let has_attempts = ready.message.attempts(job.attempts) + 1 < MAX_ATTEMPTS;
        let is_repeatable = has_attempts && ready.connector.drops_repeats(&ready.outbound.channel);
        let (served, part) = (Arc::clone(&ready.connector), ready.outbound.context.part);
        let outcome = match ready.connector.send(ready.outbound).await {
            SendOutcome::Unknown { message } if is_repeatable => {
                SendOutcome::TryLater { after: None, scope: RetryScope::Recipient, message }
            }
            outcome => outcome,
        };
        self.put_off_others(&ready.message, &outcome);
        let id = ready.message.id;
        // Usually the message has not changed since before the call. The version check detects a change.
        let mut known = Some((ready.message, ready.stored, ready.contact_is_gone));
        retry_on_conflict(|| {
            let known = known.take();
            let (outcome, plays) = (&outcome, (&*served, plays.as_slice()));
            async move {
                let (message, stored, is_gone) = match known {
                    Some(known) => known,
                    None => match self.read_again(access, id).await? {
                        // Its contact may have been merged during the call.
                        Some((message, stored)) => (message, stored, true),
                        // Its contact was erased in the meantime, and its broadcast has counted it: nothing is recorded.
                        None => return self.finish(access, job).await.map(|_| false),
                    },
                };
                if let SendOutcome::Accepted { provider_message_id } = outcome
                    && message.status == MessageStatus::Sending
                    && message.parts.has_next(part)
                {
                    let accepted = (part, provider_message_id.as_deref());
                    return self.record_part(access, job, (message, stored), accepted).await;
                }
                let known = (message, stored, is_gone);
                self.record(&access.at_depth(depth), job, known, (outcome, part), plays).await.map(|()| false)
            }
        })
        .await
    }

    /// Returns a message after its call, with its version in the store; `None` if it was deleted.
    async fn read_again(&self, access: &Access, id: MessageId) -> Result<Option<(Message, i64)>, AttemptError> {
        let Some(mut message) = self.ports.conversations.message(access, id).await? else { return Ok(None) };
        let stored = message.version;
        if message.status == MessageStatus::Queued {
            message.advance(MessageStatus::Sending, self.ports.clock.now());
        }
        Ok(Some((message, stored)))
    }

    /// Checks whether the contact may still get the message ([`Recipient::suppression`], such as after an opt-out), and
    /// moves it to `sending`. If the provider is not idempotent, this is committed before the call, guarded by the
    /// version of the contact: an opt-out that is stored before this commit prevents the call. Otherwise nothing is
    /// committed before the call, and an opt-out prevents it if it is stored before the contact is read. `None` if there
    /// is nothing to send.
    async fn prepare(
        &self,
        access: &Access,
        job: &ClaimedJob,
        message: MessageId,
    ) -> Result<Option<SendableMessage>, AttemptError> {
        let Some(found) = self.ports.conversations.dispatch(access, message).await? else {
            return self.finish(access, job).await;
        };
        let Dispatch { mut message, conversation, contact, channel, catalog } = found;
        if !matches!(message.status, MessageStatus::Queued | MessageStatus::Sending) {
            return self.finish(access, job).await;
        }
        let channel = channel.filter(|it| self.ports.connectors.is_for(it.kind, access.workspace()));
        let connectors = &self.ports.connectors;
        let connector = channel.as_ref().and_then(|channel| connectors.for_workspace(channel.kind, access.workspace()));

        let mut stored = message.version;
        let mut is_unconfirmed = message.is_unconfirmed();
        let before = message.status;
        // It is checked and sent as any other message, because the provider drops it if it has it.
        let is_repeated = is_unconfirmed
            && connector.as_ref().zip(channel.as_ref()).is_some_and(|(connector, it)| connector.drops_repeats(it));
        is_unconfirmed &= !is_repeated;
        if is_unconfirmed && !connector.as_ref().is_some_and(|connector| connector.is_idempotent()) {
            let now = self.ports.clock.now();
            message.doubt("the server stopped before it stored the provider's response", now);
            let look_up = connector.as_deref().and_then(|it| look_up_job(&message, it, 0, now, &*self.ports.ids));
            return self.end(access, job, (message, &contact), (before, look_up)).await;
        }
        let Some(channel) = channel else {
            message.withhold(Suppression::ChannelDisconnected, self.ports.clock.now());
            return self.end(access, job, (message, &contact), (before, None)).await;
        };
        let lost = || StoreError::Corrupt(format!("no connector for the channel of {}", message.id));
        let connector = connector.ok_or_else(lost)?;
        let (mut flow_guard, mut released) = (None, Vec::new());
        // A message that the provider may already have is sent unchanged, without new checks.
        if !is_unconfirmed {
            // A worker checks this before the first part.
            if message.parts.has_sent() && self.ports.outbound.paused_by(access.workspace()).await?.is_some() {
                message.stop("outbound sending is paused", self.ports.clock.now());
                return self.end(access, job, (message, &contact), (before, None)).await;
            }
            let catalog = Some(catalog).filter(|_| connector.is_idempotent());
            let sending_flow = self.flow_of(access, &message, catalog).await?;
            if let SendingFlow::Paused(flow, guard) = sending_flow {
                if message.parts.has_sent() {
                    message.stop("the flow is paused", self.ports.clock.now());
                    return self.end(access, job, (message, &contact), (before, None)).await;
                }
                return self.hold(access, job, HeldUntil::FlowResumes(flow), guard).await;
            }
            let recipient = Recipient { contact: &contact, channel: &channel, conversation: conversation.as_ref() };
            let reason = match self.broadcast_of(access, &message).await? {
                Some(it) if it.status == BroadcastStatus::Cancelled => Some(Suppression::Cancelled),
                Some(it) if it.status == BroadcastStatus::Paused && message.parts.has_sent() => {
                    message.stop("the broadcast is paused", self.ports.clock.now());
                    return self.end(access, job, (message, &contact), (before, None)).await;
                }
                Some(it) if it.status == BroadcastStatus::Paused => {
                    let guard = Guard::Version(Object::Broadcast(it.id), it.version);
                    return self.hold(access, job, HeldUntil::BroadcastContinues(it.id), guard).await;
                }
                _ if matches!(sending_flow, SendingFlow::Gone) => Some(Suppression::FlowArchived),
                _ => self.withholding(access, recipient, &*connector, &message).await?,
            };
            if let Some(reason) = reason.filter(|_| is_repeated) {
                let why =
                    format!("the server stopped before it stored the provider's response, and {}", reason.message());
                message.doubt(why, self.ports.clock.now());
                return self.end(access, job, (message, &contact), (before, None)).await;
            }
            if let Some(mut reason) = reason {
                if reason == Suppression::ContactDeleted
                    && self.ports.merges.get(access, message.contact).await?.is_some()
                {
                    reason = Suppression::ContactMerged;
                }
                message.withhold(reason, self.ports.clock.now());
                return self.end(access, job, (message, &contact), (before, None)).await;
            }
            if channel.status != ChannelStatus::Connected {
                let guard = Guard::Version(Object::Channel(channel.id), channel.version);
                return self.hold(access, job, HeldUntil::ChannelReturns(channel.id), guard).await;
            }
            if message.status == MessageStatus::Queued {
                message.advance(MessageStatus::Sending, self.ports.clock.now());
            } else {
                message.touch(self.ports.clock.now());
            }
            message.error = None;
            released = self.fall_back(&*connector, conversation.as_ref(), &mut message);
            flow_guard = sending_flow.guard();
        }
        // A failure of this query must not follow the commit: the message would look like one whose outcome is unknown.
        let earlier = match &conversation {
            Some(conversation) if connector.shows_threads() => self.earlier(access, conversation.id, &message).await?,
            Some(_) | None => Vec::new(),
        };
        let selected = self.selected(access, &message).await?;
        let (answered, earlier) = answered(&message, selected, earlier);
        if connector.shows_threads() {
            let begun = || message.new_thread();
            message.thread = Some(answered.as_ref().map_or_else(begun, Message::thread_of_answers));
        }
        let earlier = earlier.into_iter().filter_map(earlier_message).collect();
        let reply_to = answered.and_then(earlier_message);
        let mut content = message.content.clone();
        let files = match link_files(&self.ports, access, &mut content, connector.is_local()).await? {
            Ok(files) => files,
            Err(why) => {
                let why = (why.code(), why.message());
                return self.refuse(access, job, (message, &contact), (before, stored), why).await;
            }
        };
        message.address = contact.identity(channel.id).map(|identity| identity.address.clone());
        let mut context = SendContext { earlier, reply_to, files, ..context_of(&message) };
        if context.is_bulk && connector.offers_unsubscribe_link() {
            context.unsubscribe_url = unsubscribe_url(&self.ports, access, &message);
        }
        let mut outbound = Outbound {
            message: message.id,
            address: message.address.clone().unwrap_or_default(),
            external_id: contact.external_id.as_ref().map(ToString::to_string),
            content,
            created_at: message.created_at,
            attempts: job.attempts,
            context,
            channel,
        };
        if !is_unconfirmed && !connector.is_idempotent() {
            let planned = connector.parts(&outbound);
            if let Err(why) = message.parts.plan(&planned) {
                let why = (why.code(), why.message());
                return self.refuse(access, job, (message, &contact), (before, stored), why).await;
            }
            if !self.await_pace(access, job, &*connector, (&outbound, message.sender.kind)).await? {
                return Ok(None);
            }
            message.degraded = degraded_features(&outbound.content, &planned);
            message.segments = connector.segments(&planned);
            outbound.attempts = message.attempts(job.attempts);
            outbound.context.part = message.parts.begin();
            let channel = &outbound.channel;
            let mut set = ChangeSet::new(access.workspace());
            set.guard(Guard::Claim(job.held_claim().claim));
            set.guard(Guard::Version(Object::Channel(channel.id), channel.version));
            set.guard(Guard::Version(Object::Contact(contact.id), contact.version));
            if let Some(conversation) = &conversation {
                set.guard(Guard::Version(Object::Conversation(conversation.id), conversation.version));
            }
            set.guards.extend(flow_guard);
            set.change(Change::Update(Row::Message(Box::new(message.clone()))));
            set.changes.extend(released);
            match self.ports.ledger.commit(set).await {
                Ok(()) => stored = message.version,
                Err(CommitError::Conflict(Conflict::ClaimLost)) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
        }
        let contact_is_gone = contact.deleted_at.is_some();
        Ok(Some(SendableMessage { message, stored, outbound, connector, contact_is_gone }))
    }
}

#[cfg(test)]
#[path = "send_tests.rs"]
mod tests;
