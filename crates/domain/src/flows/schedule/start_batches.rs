//! Starts the flow for the recipients of a firing in batches, once for each recipient.

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
use crate::work::{BATCH_OF_SWEEP, ignore_lost_claim, sweep};

/// Number of recipients per batch; other jobs run between batches.
const PORTION: u32 = 100;
/// Number of concurrent starts; they share transactions.
const AT_ONCE: usize = 16;

impl ScheduleExecutor {
    /// Starts the next batch of recipients; the job repeats until none is left. Recipients of a paused flow wait until
    /// it is resumed, recipients of an ended flow are deleted. A start that fails does not delay the others: the job
    /// only fails if all starts of a batch fail.
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
                    // Resuming the flow queues another job.
                    set.guards.extend(found.map(|flow| Guard::Version(Object::Flow(flow.id), flow.version)));
                    set.change(job.finish());
                    ignore_lost_claim(self.ports.ledger.commit(set).await)
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

    /// Starts the flow for one recipient. The commit claims the recipient, so only one start succeeds.
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
        // The flow was just paused or ended: the next batch handles this.
        let Some(plan) = plan else { return Ok(()) };
        let mut set = ChangeSet::new(access.workspace());
        if let Some(found) = self.ports.contacts.find(access, &ContactRef::Id(contact)).await? {
            starter.begin(access, &plan, (None, attempt), Some(found), &mut set).await?;
        }
        set.change(Change::Flow(FlowChange::TakeRecipient { flow, at, contact }));
        ignore_lost_claim(self.ports.ledger.commit(set).await)
    }
}
