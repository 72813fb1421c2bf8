//! Checks of channels at their providers: regularly, and after sends that the provider refused because of the channel.

use std::sync::Arc;
use std::time::Duration;

use super::connector::Connector;
use super::health::{CHECK_INTERVAL, ChannelHealth, SECOND_LOOK};
use super::model::{Channel, ChannelStatus};
use super::setup::{Health, HealthProblem};
use super::view::ChannelView;
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::error::Error;
use crate::events::{EventDraft, EventKind};
use crate::ids::{ChannelId, JobId, TypedId};
use crate::pagination::PageRequest;
use crate::ports::{
    Change, ChangeSet, ChannelChange, ClaimedJob, HeldUntil, Job, JobChange, NewJob, Ports, Row, StoreError,
};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::time::Timestamp;
use crate::work::ignore_lost_claim;

/// Checks channels.
#[derive(Clone)]
pub struct ChannelChecker {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl ChannelChecker {
    /// Asks the provider of a connected channel, stores the health, and queues the next check. A problem that ends the
    /// sending disconnects the channel when it is seen again. If the messages of the channel wait, the job ends the
    /// wait. A job of an earlier round does nothing.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn check(&self, access: &Access, job: &ClaimedJob, channel: ChannelId, round: i64) -> Result<(), Error> {
        let Some((found, connector)) = self.due(access, channel, round).await? else {
            return self.end_wait(access, job, channel, round).await;
        };
        let report = connector.health(&found).await;
        let last_sent_at = last_sent(&self.ports, access, channel).await?;
        retry_on_conflict(|| async {
            let mut set = ChangeSet::new(access.workspace());
            set.change(job.finish());
            if let Some((found, _)) = self.due(access, channel, round).await? {
                let (before, now) = (self.ports.channels.health(access, channel).await?, self.ports.clock.now());
                let mut after = before.checked(&report, last_sent_at, now);
                after.round += 1;
                match before.confirmed(&report) {
                    Some(problem) => {
                        if let Some(wait) = disconnect(&self.ports, access, &found, problem, &mut set) {
                            set.jobs.push(check_job(&self.ports, channel, after.round, wait));
                        }
                    }
                    None => {
                        set.jobs.push(check_job(&self.ports, channel, after.round, wait_after(&report)));
                        release_forgotten(found, now, &mut set);
                    }
                }
                set.change(Change::Channel(ChannelChange::UpdateHealth { channel, health: Box::new(after) }));
            }
            ignore_lost_claim(self.ports.ledger.commit(set).await)
        })
        .await
    }

    /// Returns a channel that this round checks, with its connector.
    async fn due(
        &self,
        access: &Access,
        channel: ChannelId,
        round: i64,
    ) -> Result<Option<(Channel, Arc<dyn Connector>)>, StoreError> {
        let found = self.ports.channels.get(access, channel).await?;
        let Some(found) = found.filter(|it| it.status == ChannelStatus::Connected) else { return Ok(None) };
        if self.ports.channels.health(access, channel).await?.round != round {
            return Ok(None);
        }
        let connector = self.ports.connectors.for_workspace(found.kind, access.workspace());
        Ok(connector.filter(|it| it.channel_type().registers).map(|connector| (found, connector)))
    }

    /// Finishes a job that has nothing to check. If the messages of the channel have waited for long enough, they are
    /// released, and suppressed.
    async fn end_wait(&self, access: &Access, job: &ClaimedJob, channel: ChannelId, round: i64) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let mut set = ChangeSet::new(access.workspace());
            set.change(job.finish());
            let found = self.ports.channels.get(access, channel).await?;
            let is_current = self.ports.channels.health(access, channel).await?.round == round;
            let now = self.ports.clock.now();
            if let Some(mut found) = found.filter(|_| is_current)
                && let Some(until) = found.waits_until
            {
                if until <= now {
                    found.waits_until = None;
                    found.touch(now);
                    set.change(release_waiting(channel, now));
                    set.change(Change::Update(Row::Channel(found)));
                } else {
                    // The clock of the store is ahead of this one.
                    set.jobs.push(check_job(&self.ports, channel, round, until.since(now)));
                }
            }
            ignore_lost_claim(self.ports.ledger.commit(set).await)
        })
        .await
    }
}

/// Returns the change that makes the messages due that wait for a channel.
pub(super) fn release_waiting(channel: ChannelId, due_at: Timestamp) -> Change {
    Change::Job(JobChange::ReleaseHeld { until: HeldUntil::ChannelReturns(channel), due_at })
}

/// Makes the messages of a connected channel due that still wait. An API process of the previous release connects a
/// channel without releasing them.
fn release_forgotten(mut channel: Channel, now: Timestamp, set: &mut ChangeSet) {
    if channel.waits_until.take().is_some() {
        channel.touch(now);
        set.change(release_waiting(channel.id, now));
        set.change(Change::Update(Row::Channel(channel)));
    }
}

/// Returns the job of a check.
pub(crate) fn check_job(ports: &Ports, channel: ChannelId, round: i64, wait: Duration) -> NewJob {
    let due_at = ports.clock.now().plus(wait);
    NewJob::new(JobId::from_uuid(ports.ids.next()), Job::CheckChannel { channel, round }, due_at)
}

/// Returns the first check of a channel, if the server can ask its provider.
pub(super) fn first_check(ports: &Ports, channel: &Channel, round: i64) -> Option<NewJob> {
    let registers = ports.connectors.channel_type(channel.kind).is_some_and(|it| it.registers);
    registers.then(|| check_job(ports, channel.id, round, CHECK_INTERVAL))
}

/// Returns the job of a poll.
pub(crate) fn poll_job(ports: &Ports, channel: ChannelId, round: i64, wait: Duration) -> NewJob {
    let due_at = ports.clock.now().plus(wait);
    NewJob::new(JobId::from_uuid(ports.ids.next()), Job::PollChannel { channel, round }, due_at)
}

/// Returns the first poll of a channel, if the server fetches the requests of its provider.
pub(super) fn first_poll(ports: &Ports, channel: &Channel, round: i64) -> Option<NewJob> {
    ports.connectors.polls(channel).then(|| poll_job(ports, channel.id, round, Duration::ZERO))
}

fn wait_after(report: &Health) -> Duration {
    if report.problems.iter().any(|it| it.ends_sending) { SECOND_LOOK } else { CHECK_INTERVAL }
}

/// Returns when the provider last accepted a message of the channel.
pub(super) async fn last_sent(
    ports: &Ports,
    access: &Access,
    channel: ChannelId,
) -> Result<Option<Timestamp>, StoreError> {
    let page = PageRequest { limit: 1, ..PageRequest::default() };
    let newest = ports.conversations.captured(access, channel, page).await?.items.pop();
    Ok(newest.map(|message| {
        let sent = message.history.iter().find(|it| it.status == crate::conversations::MessageStatus::Sent);
        sent.map_or(message.created_at, |it| it.at)
    }))
}

/// Adds the disconnection of a channel for a problem at its provider. Returns how long its messages wait.
fn disconnect(
    ports: &Ports,
    access: &Access,
    before: &Channel,
    problem: &HealthProblem,
    set: &mut ChangeSet,
) -> Option<Duration> {
    let (mut channel, now) = (before.clone(), ports.clock.now());
    let wait = channel.while_disconnected.wait();
    channel.status = ChannelStatus::Disconnected;
    channel.connected_at = None;
    channel.waits_until = wait.map(|wait| now.plus(wait));
    channel.last_error = Some(problem.message.clone());
    channel.touch(now);
    let view = ChannelView::of(&channel, ports.connectors.capabilities_of(&channel));
    let event = EventDraft::new(EventKind::ChannelDisconnected, &view).with("reason", &problem.code);
    ports.add_audit(AuditDraft::changed(AuditAction::ChannelDisconnected, before, &channel), access, set);
    ports.add_event(event, access, set);
    set.change(Change::Update(Row::Channel(channel)));
    wait
}

/// Adds the refusal of a send because of the channel, if the channel is connected. The third one since the last check
/// queues the next check at once.
///
/// # Errors
/// [`AttemptError`].
pub(crate) async fn add_refusal(
    ports: &Ports,
    access: &Access,
    channel: ChannelId,
    (code, message): (&str, &str),
    set: &mut ChangeSet,
) -> Result<(), AttemptError> {
    let found = ports.channels.get(access, channel).await?;
    if found.is_none_or(|it| it.status != ChannelStatus::Connected) {
        return Ok(());
    }
    let before: ChannelHealth = ports.channels.health(access, channel).await?;
    let Some(after) = before.refused(code, message, ports.clock.now()) else { return Ok(()) };
    if after.round > before.round {
        set.jobs.push(check_job(ports, channel, after.round, Duration::ZERO));
    }
    set.change(Change::Channel(ChannelChange::UpdateHealth { channel, health: Box::new(after) }));
    Ok(())
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
