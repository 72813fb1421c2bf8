//! Looks up messages at their provider after the outcome of a call was unknown. A message is never sent again.

use std::sync::Arc;

use super::{
    Direction, Dispatch, InboundService, Message, MessageError, MessageStatus, OptOutWords, Report, StatusReport,
};
use crate::access::Access;
use crate::channels::{Channel, Connector, Outbound, SendContext};
use crate::error::Error;
use crate::ids::{JobId, MessageId, TypedId};
use crate::ports::{Change, ChangeSet, ClaimedJob, Ids, Job, NewJob, Ports, Row, StoreError};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::time::Timestamp;
use crate::work::ignore_lost_claim;

/// Returns the job of a look-up, counted from 0; `None` after the last one.
pub(super) fn look_up_job(
    message: &Message,
    connector: &dyn Connector,
    attempt: i64,
    now: Timestamp,
    ids: &dyn Ids,
) -> Option<NewJob> {
    let wait = connector.look_up_waits().get(usize::try_from(attempt).ok()?)?;
    let look_up = Job::LookUpMessage { message: message.id, attempt, channel: Some(message.channel) };
    Some(NewJob::new(JobId::from_uuid(ids.next()), look_up, now.plus(*wait)))
}

/// Looks up messages at their provider.
#[derive(Clone)]
pub struct OutcomeLookUp {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl OutcomeLookUp {
    /// Looks up a message, or its part with an unknown outcome. If exactly one message of the provider can be this one, it
    /// is `sent`; a message with later parts is `failed`, because the server does not send them. Otherwise it is looked up
    /// again, and stays `uncertain` after the last time.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn look_up(
        &self,
        access: &Access,
        job: &ClaimedJob,
        message: MessageId,
        attempt: i64,
    ) -> Result<(), Error> {
        let found = self.ports.conversations.dispatch(access, message).await?;
        let Some(Dispatch { message, contact, channel: Some(channel), .. }) = found else {
            return self.finish(access, job, None, None).await;
        };
        let connector = self.ports.connectors.for_workspace(channel.kind, access.workspace());
        let Some(connector) = connector.filter(|_| message.status == MessageStatus::Uncertain) else {
            return self.finish(access, job, None, None).await;
        };
        let outbound = Outbound {
            channel: channel.clone(),
            message: message.id,
            address: contact.identity(channel.id).map(|identity| identity.address.clone()).unwrap_or_default(),
            external_id: contact.external_id.as_ref().map(ToString::to_string),
            content: message.content.clone(),
            created_at: message.created_at,
            attempts: 0,
            context: SendContext { part: message.parts.with_error().unwrap_or_default(), ..SendContext::default() },
        };
        let names = match connector.look_up(&outbound, began_at(&message)).await {
            Some(names) => match self.settle(access, job, (&channel, &message), &names).await {
                Ok(Some(unsettled)) => Some(unsettled),
                Ok(None) => return Ok(()),
                // The message was erased in the meantime.
                Err(Error::NotFound) => return self.finish(access, job, None, None).await,
                Err(error) => return Err(error),
            },
            None => None,
        };
        let now = self.ports.clock.now();
        let next = look_up_job(&message, &*connector, attempt + 1, now, &*self.ports.ids);
        let error = names.filter(|_| next.is_none()).map(|names| (message.id, no_answer(names.is_empty())));
        self.finish(access, job, next, error).await
    }

    /// Stores that the message or its part was sent, if exactly one message of the provider matches it. Otherwise returns
    /// the IDs of the matches. Look-ups of a conversation end one after another, so each ID settles one message.
    async fn settle(
        &self,
        access: &Access,
        job: &ClaimedJob,
        (channel, message): (&Channel, &Message),
        names: &[String],
    ) -> Result<Option<Vec<String>>, Error> {
        let inbound = InboundService { ports: self.ports.clone(), words: OptOutWords::default() };
        let inbound = &inbound;
        retry_on_conflict(|| async move {
            let mut talk = self.ports.conversations.between(access, message.contact, channel.id).await?;
            let unknown = self.unknown_names(access, channel, names).await?;
            let [name] = &unknown[..] else { return Ok(Some(unknown)) };
            if let Some(talk) = &mut talk {
                talk.touch(self.ports.clock.now());
            }
            let report = Report::Sent { provider_message_id: name.clone() };
            let part = message.parts.with_error();
            let report = StatusReport { provider_message_id: message.id.to_string(), part, report };
            inbound.try_note(access, Some(job), channel, (&report, talk)).await?;
            Ok::<_, AttemptError>(None)
        })
        .await
    }

    /// Returns the provider's IDs that no message of the channel has.
    async fn unknown_names(
        &self,
        access: &Access,
        channel: &Channel,
        names: &[String],
    ) -> Result<Vec<String>, StoreError> {
        let mut unknown = Vec::new();
        for name in names {
            let conversations = &self.ports.conversations;
            let known = match conversations.by_provider_id(access, channel.id, Direction::Outbound, name).await? {
                Some(known) => Some(known),
                None => conversations.by_part(access, channel.id, name).await?,
            };
            if known.is_none() {
                unknown.push(name.clone());
            }
        }
        Ok(unknown)
    }

    /// Finishes the job and queues the next one. `error` replaces the error of a message that is still uncertain.
    async fn finish(
        &self,
        access: &Access,
        job: &ClaimedJob,
        next: Option<NewJob>,
        error: Option<(MessageId, MessageError)>,
    ) -> Result<(), Error> {
        let error = &error;
        retry_on_conflict(|| async move {
            let mut set = ChangeSet::new(access.workspace());
            set.change(job.finish());
            set.jobs.extend(next);
            if let Some((id, error)) = error {
                let message = self.ports.conversations.message(access, *id).await?;
                if let Some(mut message) = message.filter(|it| it.status == MessageStatus::Uncertain) {
                    message.error = Some(error.clone());
                    message.updated_at = self.ports.clock.now().max(message.updated_at);
                    message.version += 1;
                    set.change(Change::Update(Row::Message(Box::new(message))));
                }
            }
            ignore_lost_claim(self.ports.ledger.commit(set).await)
        })
        .await
    }
}

/// Returns the time of the first call of a message whose outcome is unknown.
fn began_at(message: &Message) -> Timestamp {
    let sending = message.history.iter().rev().find(|it| it.status == MessageStatus::Sending);
    sending.map_or(message.created_at, |it| it.at)
}

/// Returns the error of a message that the provider does not have, or has several times.
fn no_answer(is_missing: bool) -> MessageError {
    let (code, message) = match is_missing {
        true => ("not_found_at_provider", "the provider has no such message; it may still appear there"),
        false => ("ambiguous", "the provider has several messages that can be this one"),
    };
    MessageError::new(code, message)
}

#[cfg(test)]
#[path = "look_up_tests.rs"]
mod tests;
