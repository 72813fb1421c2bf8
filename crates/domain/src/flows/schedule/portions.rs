//! Those whom a firing took are started, a portion after the other: each of them once.

use futures::stream::{self, StreamExt};

use super::ScheduleExecutor;
use crate::access::{Access, Actor};
use crate::contacts::ContactRef;
use crate::error::Error;
use crate::flows::{FlowStatus, Starter};
use crate::ids::{ContactId, FlowId};
use crate::ports::{Change, ChangeSet, ClaimedJob, FlowChange, Guard, Object};
use crate::retry::{AttemptError, StartAttempt, commit_unless_lost, retry_on_conflict, retry_start_on_conflict};
use crate::time::Timestamp;
use crate::work::{BATCH_OF_SWEEP, sweep, unless_lost};

/// So many are started before others have their turn.
const PORTION: u32 = 100;
/// So many of them at once: they share transactions.
const AT_ONCE: usize = 16;

impl ScheduleExecutor {
    /// Starts the next portion of those whom a flow took; the job comes back until none is left. Those of a paused flow
    /// wait until it goes on, those of one that is over are dropped. Who cannot be started holds up nobody: the job fails
    /// when none of a portion can be.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn start_frozen(&self, access: &Access, job: &ClaimedJob, flow: FlowId) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let found = self.ports.flows.get(access, flow).await?;
            match found.as_ref().map(|flow| flow.status) {
                Some(FlowStatus::Active) => Ok(self.portion(access, job, flow).await?),
                Some(FlowStatus::Paused) => {
                    let mut set = ChangeSet::new(job.workspace);
                    // Who resumes it makes another job.
                    set.guards.extend(found.map(|flow| Guard::Version(Object::Flow(flow.id), flow.version)));
                    set.change(job.finish());
                    unless_lost(self.ports.ledger.commit(set).await)
                }
                Some(FlowStatus::Draft | FlowStatus::Archived) | None => {
                    let left = !self.ports.flows.recipients(access, flow, 1).await?.is_empty();
                    let removal = Change::Flow(FlowChange::DropRecipients { flow, limit: BATCH_OF_SWEEP });
                    Ok(sweep(&self.ports, job, left.then_some(removal)).await?)
                }
            }
        })
        .await
    }

    async fn portion(&self, access: &Access, job: &ClaimedJob, flow: FlowId) -> Result<(), Error> {
        let recipients = self.ports.flows.recipients(access, flow, PORTION).await?;
        let acting = access.acting_as(Actor::schedule(flow));
        let asked = recipients.len();
        let starts = recipients.into_iter().map(|(at, contact)| self.start(&acting, flow, at, contact));
        let started: Vec<Result<(), Error>> = stream::iter(starts).buffer_unordered(AT_ONCE).collect().await;
        let failed: Vec<Error> = started.into_iter().filter_map(Result::err).collect();
        let is_more = asked == PORTION as usize || !failed.is_empty();
        if failed.len() == asked
            && let Some(error) = failed.into_iter().next()
        {
            return Err(error);
        }
        let mut set = ChangeSet::new(job.workspace);
        set.change(match is_more {
            true => job.reschedule(self.ports.clock.now(), None),
            false => job.finish(),
        });
        commit_unless_lost(&*self.ports.ledger, set).await
    }

    /// Starts the flow for one of them, as any start: whoever takes the recipient with it is the only one who does.
    async fn start(&self, access: &Access, flow: FlowId, at: Timestamp, contact: ContactId) -> Result<(), Error> {
        retry_start_on_conflict(|attempt| self.try_start(access, flow, (at, contact), attempt)).await
    }

    async fn try_start(
        &self,
        access: &Access,
        flow: FlowId,
        (at, contact): (Timestamp, ContactId),
        attempt: StartAttempt,
    ) -> Result<(), AttemptError> {
        let starter = Starter { ports: self.ports.clone() };
        let plan = starter.plan(access, flow, contact).await?.filter(|plan| plan.version.is_some());
        // It was paused or ended a moment ago: the next portion sees to it.
        let Some(plan) = plan else { return Ok(()) };
        let mut set = ChangeSet::new(access.workspace());
        if let Some(found) = self.ports.contacts.find(access, &ContactRef::Id(contact)).await? {
            starter.begin(access, &plan, (None, attempt), Some(found), &mut set).await?;
        }
        set.change(Change::Flow(FlowChange::TakeRecipient { flow, at, contact }));
        unless_lost(self.ports.ledger.commit(set).await)
    }
}
