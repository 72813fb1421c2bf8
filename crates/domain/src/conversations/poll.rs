//! Requests that the server fetches from providers, for channels without a public address.

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;

use super::{InboundEvent, InboundService, OptOutWords};
use crate::access::Access;
use crate::channels::{
    Channel, ChannelHealth, ChannelStatus, Connector, InboundRequest, PollFailure, PollResult, PolledRequest,
    check_job, poll_job,
};
use crate::error::Error;
use crate::ids::ChannelId;
use crate::ports::{Change, ChangeSet, ChannelChange, ClaimedJob, PausedBy, Ports, StoreError};
use crate::read::Refusal;
use crate::retry::retry_on_conflict;
use crate::work::ignore_lost_claim;

/// Time until a paused poll is tried again.
const PAUSED: Duration = Duration::from_secs(10);

/// Fetches requests of providers.
#[derive(Clone)]
pub struct ChannelPoller {
    /// The ports.
    pub ports: Arc<Ports>,
    /// The words that opt contacts out and in.
    pub words: OptOutWords,
}

impl ChannelPoller {
    /// Fetches the requests of a connected channel's provider, stores their events, and queues the next poll. The place
    /// of the next poll is committed after the events: after a crash, requests are fetched again, and known events
    /// change nothing. A job of an earlier series of polls does nothing. A pause of outbound sending does not stop polls,
    /// as providers that call the server are not stopped either.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn poll(&self, access: &Access, job: &ClaimedJob, channel: ChannelId, round: i64) -> Result<(), Error> {
        if self.is_paused(access).await? {
            return self.put_off(access, job).await;
        }
        let Some((found, health, connector)) = self.due(access, channel, round).await? else {
            return self.conclude(access, job, (channel, round), &Ok(PollResult::default())).await;
        };
        let now = self.ports.clock.now();
        let wait = health.polling.wait(now);
        let outcome = match connector.poll(&found, health.polling.position(now), wait).await {
            Ok(polled) => {
                let is_exclusive = !wait.is_zero() && polled.requests.is_empty();
                let has_more = polled.has_more;
                let mut stored = PollResult { has_more, is_exclusive, ..PollResult::default() };
                for PolledRequest { number, request } in &polled.requests {
                    stored.is_heard |= self.store(access, &found, &*connector, request).await?;
                    stored.last = stored.last.max(Some(*number));
                }
                acknowledge(&*connector, &found, &polled.requests).await;
                Ok(stored)
            }
            Err(failure) => Err(failure),
        };
        self.conclude(access, job, (channel, round), &outcome).await
    }

    /// Whether nothing may be fetched: by the settings of this process, or because the store was restored. Its original
    /// may still run, and would never get what this store fetches.
    async fn is_paused(&self, access: &Access) -> Result<bool, StoreError> {
        Ok(match self.ports.outbound.paused_by(access.workspace()).await? {
            Some(PausedBy::Setting | PausedBy::Restore) => true,
            Some(PausedBy::Store | PausedBy::Workspace) | None => false,
        })
    }

    async fn put_off(&self, access: &Access, job: &ClaimedJob) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let mut set = ChangeSet::new(access.workspace());
            set.change(job.reschedule(self.ports.clock.now().plus(PAUSED), None));
            ignore_lost_claim(self.ports.ledger.commit(set).await)
        })
        .await
    }

    /// Returns a channel that this series polls, with its health and its connector.
    async fn due(
        &self,
        access: &Access,
        channel: ChannelId,
        round: i64,
    ) -> Result<Option<(Channel, ChannelHealth, Arc<dyn Connector>)>, StoreError> {
        let found = self.ports.channels.get(access, channel).await?;
        let Some(found) = found.filter(|it| it.status == ChannelStatus::Connected) else { return Ok(None) };
        let health = self.ports.channels.health(access, channel).await?;
        let connector = self.ports.connectors.for_workspace(found.kind, access.workspace());
        let connector = connector.filter(|it| it.polls(&found) && health.polling.round == round);
        Ok(connector.map(|connector| (found, health, connector)))
    }

    /// Stores the events of a request. A request that is not understood is kept, and does not stop the next ones. Returns
    /// whether a contact wrote.
    async fn store(
        &self,
        access: &Access,
        channel: &Channel,
        connector: &dyn Connector,
        request: &InboundRequest,
    ) -> Result<bool, Error> {
        let inbound = InboundService { ports: Arc::clone(&self.ports), words: self.words.clone() };
        let events = match connector.parse(channel, request) {
            Ok(events) => events,
            Err(refusal) => {
                inbound.keep_unparsed(access, channel, &request.body, &refusal).await?;
                return Ok(false);
            }
        };
        let is_heard = events.iter().any(InboundEvent::is_from_contact);
        for event in events {
            match inbound.apply(access, channel, event).await {
                // Reports and changes of unknown messages are ignored.
                Ok(_) | Err(Error::NotFound) => {}
                Err(error) if may_pass(&error) => return Err(error),
                Err(error) => {
                    let refusal = Refusal::Malformed { detail: error.to_string() };
                    inbound.keep_unparsed(access, channel, &request.body, &refusal).await?;
                }
            }
        }
        Ok(is_heard)
    }

    /// Finishes the job. If the channel is still polled, stores the progress and queues the next poll.
    async fn conclude(
        &self,
        access: &Access,
        job: &ClaimedJob,
        (channel, round): (ChannelId, i64),
        outcome: &Result<PollResult, PollFailure>,
    ) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let mut set = ChangeSet::new(access.workspace());
            set.change(job.finish());
            if let Some((_, before, _)) = self.due(access, channel, round).await? {
                let now = self.ports.clock.now();
                let after = match outcome {
                    Ok(stored) => before.polled(*stored, now),
                    Err(failure) => Some(before.poll_failed(&failure.problem, now)),
                };
                let progress = after.as_ref().map_or(&before.polling, |after| &after.polling);
                let wait = match outcome {
                    Ok(_) => progress.pause(now),
                    Err(failure) => progress.backoff(failure.after),
                };
                set.jobs.push(poll_job(&self.ports, channel, round, wait));
                if let Some(after) = after {
                    if after.round > before.round {
                        set.jobs.push(check_job(&self.ports, channel, after.round, Duration::ZERO));
                    }
                    set.change(Change::Channel(ChannelChange::UpdateHealth { channel, health: Box::new(after) }));
                }
            }
            ignore_lost_claim(self.ports.ledger.commit(set).await)
        })
        .await
    }
}

/// Whether the same event may be stored later. Otherwise it would stop the events behind it for good.
fn may_pass(error: &Error) -> bool {
    matches!(error, Error::Store(error) if !matches!(error, StoreError::Corrupt(_)))
}

/// Calls the provider for the requests after which it waits for that, all at once.
async fn acknowledge(connector: &dyn Connector, channel: &Channel, requests: &[PolledRequest]) {
    let mut calls = Vec::new();
    for PolledRequest { request, .. } in requests {
        if connector.acknowledges(request) {
            calls.push(connector.acknowledge(channel, request));
        }
    }
    join_all(calls).await;
}

#[cfg(test)]
#[path = "poll_tests.rs"]
mod tests;
