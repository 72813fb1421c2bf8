//! Simulated reactions on a sandbox channel: status reports of the provider, and answers of the contact.

use std::sync::Arc;
use std::time::Duration;

use super::{
    Content, Direction, Dispatch, InboundMessage, InboundService, Message, OptOutWords, Profile, Report, StatusReport,
};
use crate::access::Access;
use crate::channels::{Act, Outbound, ScheduledAct, SendContext};
use crate::error::Error;
use crate::ids::{ConversationId, JobId, MessageId, TypedId};
use crate::pagination::PageRequest;
use crate::ports::{ChangeSet, ClaimedJob, Ids, Job, NewJob, Ports, StoreError};
use crate::retry::retry_on_conflict;
use crate::time::Timestamp;
use crate::work::ignore_lost_claim;

/// Maximum number of simulated answers of a contact within an hour of its clock. Otherwise a contact and a flow that
/// answer each other would never stop.
pub const MOST_SAID: usize = 20;
const HOUR: Duration = Duration::from_secs(3_600);
/// Maximum number of pages of a conversation that are searched for simulated answers. If an hour has more messages, the
/// contact does not answer.
const MOST_PAGES: usize = 10;
const PAGE: u32 = 100;
/// Prefix of the provider message IDs of simulated answers; the ID of the answered message follows.
const NAME: &str = "sandbox-says-";

/// Returns the jobs of the reactions to a sent message.
pub(crate) fn played(
    message: MessageId,
    plays: &[ScheduledAct],
    taken: Timestamp,
    ids: &dyn Ids,
) -> impl Iterator<Item = NewJob> {
    (0..).zip(plays).map(move |(act, played)| {
        NewJob::new(JobId::from_uuid(ids.next()), Job::PlayContact { message, act }, taken.plus(played.after))
    })
}

/// Simulates the reactions on a sandbox channel.
#[derive(Clone)]
pub struct ContactPlayer {
    /// The ports.
    pub ports: Arc<Ports>,
    /// The words of contacts that opt them out and in.
    pub words: OptOutWords,
}

impl ContactPlayer {
    /// Simulates one reaction to a message, once, like a provider's report or a contact's message. Nothing happens if
    /// the contact or the channel was deleted or replaced.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn play(&self, access: &Access, job: &ClaimedJob, message: MessageId, act: i64) -> Result<(), Error> {
        let found = self.ports.conversations.dispatch(access, message).await?;
        let found = found.filter(|it| it.contact.deleted_at.is_none());
        let Some(Dispatch { message, conversation, contact, channel: Some(channel), .. }) = found else {
            return self.finish(access, job).await;
        };
        let outbound = Outbound {
            channel: channel.clone(),
            message: message.id,
            address: contact.identity(channel.id).map(|identity| identity.address.clone()).unwrap_or_default(),
            external_id: contact.external_id.as_ref().map(ToString::to_string),
            content: message.content.clone(),
            created_at: message.created_at,
            attempts: 0,
            context: SendContext::default(),
        };
        let connector = self.ports.connectors.of(channel.kind);
        let mut plays = connector.map(|connector| connector.plays(&outbound)).unwrap_or_default().into_iter();
        let act = usize::try_from(act).ok().and_then(|act| plays.nth(act)).map(|played| played.act);
        let inbound = InboundService { ports: self.ports.clone(), words: self.words.clone() };
        let tell = async |report| {
            let report = StatusReport { provider_message_id: message.id.to_string(), part: None, report };
            inbound.report_by(access, job, &channel, &report).await.map(|_| ())
        };
        let words = match act {
            None => return self.finish(access, job).await,
            Some(Act::Deliver) => return tell(Report::Delivered).await,
            Some(Act::Read) => return tell(Report::Read).await,
            Some(Act::Fail(why)) => return tell(Report::failed(why)).await,
            Some(Act::Say(words)) => words,
            Some(Act::Leave) => self.words.first().unwrap_or("STOP").to_owned(),
        };
        if let Some(conversation) = conversation
            && self.has_said_enough(access, conversation.id).await?
        {
            return self.finish(access, job).await;
        }
        let said = InboundMessage {
            id: format!("{NAME}{}", message.id),
            address: contact.id.to_string(),
            name: None,
            is_verified: true,
            profile: Profile::default(),
            content: Content::text(words),
            referral: None,
            reply_to: None,
            sent_at: None,
            files: Vec::new(),
        };
        match inbound.receive_by(access, job, &channel, said).await {
            // The contact was deleted concurrently.
            Err(Error::Invalid(_)) => self.finish(access, job).await,
            said => said.map(|_| ()),
        }
    }

    /// Whether the contact has reached [`MOST_SAID`] answers within an hour.
    async fn has_said_enough(&self, access: &Access, conversation: ConversationId) -> Result<bool, StoreError> {
        let now = self.ports.clock.now();
        let is_own = |it: &&Message| {
            let name = it.provider_message_id.as_deref();
            it.direction == Direction::Inbound && name.is_some_and(|name| name.starts_with(NAME))
        };
        let (mut said, mut page) = (0, PageRequest { limit: PAGE, ..PageRequest::default() });
        for _ in 0..MOST_PAGES {
            let found = self.ports.conversations.messages(access, conversation, page).await?;
            let lately = || found.items.iter().filter(|it| now.since(it.created_at) < HOUR);
            said += lately().filter(is_own).count();
            let Some(next) = found.next.filter(|_| lately().count() == found.items.len()) else {
                return Ok(said >= MOST_SAID);
            };
            page = PageRequest { after: Some(next), ..page };
        }
        Ok(true)
    }

    async fn finish(&self, access: &Access, job: &ClaimedJob) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let mut set = ChangeSet::new(access.workspace());
            set.change(job.finish());
            ignore_lost_claim(self.ports.ledger.commit(set).await)
        })
        .await
    }
}

#[cfg(test)]
#[path = "play_tests.rs"]
mod tests;
