//! Delivers events to the runs that wait for them.

use serde_json::Value;
use uuid::Uuid;

use super::RunExecutor;
use super::context::Prefetched;
use crate::access::Access;
use crate::error::Error;
use crate::flows::definition::Action;
use crate::flows::{AwaitedKind, Run, RunStatus, event_in_templates};
use crate::ids::{ContactId, CustomEventId, EventId, JobId, TypedId};
use crate::ports::{Change, ChangeSet, ClaimedJob, FlowChange, NewJob, Row};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::work::ignore_lost_claim;

impl RunExecutor {
    /// Delivers an event to the runs of its contact that wait for it, once each. `depth` is the length of the chain of
    /// runs that led to the event.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn take_event(
        &self,
        access: &Access,
        job: &ClaimedJob,
        (contact, event): (ContactId, EventId),
        depth: i64,
    ) -> Result<(), Error> {
        let found = self.ports.engine.event(access.workspace(), event).await?;
        let came = found.and_then(|it| Some((AwaitedKind::Event(it.kind), event_in_templates(&it)?)));
        self.take(access, job, (contact, event.uuid()), came, depth).await
    }

    /// Delivers a custom event; see [`take_event`](Self::take_event).
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn take_custom_event(
        &self,
        access: &Access,
        job: &ClaimedJob,
        (contact, event): (ContactId, CustomEventId),
        depth: i64,
    ) -> Result<(), Error> {
        let found = self.ports.contacts.custom_event(access, event).await?;
        let came = found.map(|it| (AwaitedKind::Custom(it.name.clone()), it.in_templates()));
        self.take(access, job, (contact, event.uuid()), came, depth).await
    }

    async fn take(
        &self,
        access: &Access,
        job: &ClaimedJob,
        (contact, event): (ContactId, Uuid),
        came: Option<(AwaitedKind, Value)>,
        depth: i64,
    ) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let mut set = ChangeSet::new(access.workspace());
            set.change(job.finish());
            if let Some((awaited, data)) = &came {
                for run in self.ports.flows.awaiting_event(access, contact, awaited).await? {
                    self.event_came(access, run, (event, data), depth, &mut set).await?;
                }
            }
            ignore_lost_claim(self.ports.ledger.commit(set).await)
        })
        .await
    }

    /// Stores the event in a run that waits for it, and queues its next step in the same commit. Adds nothing if the
    /// event was committed before the wait began, or if the node's filter does not match.
    ///
    /// # Errors
    /// [`AttemptError`].
    async fn event_came(
        &self,
        system: &Access,
        mut run: Run,
        (event, data): (Uuid, &Value),
        depth: i64,
        set: &mut ChangeSet,
    ) -> Result<(), AttemptError> {
        let Some(awaited) = run.wait.as_ref().and_then(|wait| wait.event.as_deref()) else { return Ok(()) };
        if awaited.came.is_some() || awaited.passed.iter().flatten().any(|passed| *passed == event) {
            return Ok(());
        }
        let context = self.load(system, run.clone(), Prefetched::default()).await?;
        let node = run.node.as_ref().and_then(|node| context.flow.definition.nodes.get(node));
        // A migration may have replaced the node.
        let Some(Action::WaitForEvent(node)) = node.map(|node| &node.action) else { return Ok(()) };
        let now = self.ports.clock.now();
        // A filter that cannot be evaluated, for example after the deletion of a field, does not match.
        let holds = node.filter.as_ref().is_none_or(|filter| context.holds(filter, data, now));
        if node.awaited != awaited.awaited || !holds {
            return Ok(());
        }
        if let Some(awaited) = run.wait.as_mut().and_then(|wait| wait.event.as_mut()) {
            awaited.came = Some(data.clone());
            awaited.passed = None;
        }
        let now = now.max(run.updated_at);
        (run.status, run.updated_at, run.version) = (RunStatus::Active, now, run.version + 1);
        run.depth = run.depth.max(depth + 1);
        // The queued timer of the wait would delay the step.
        set.change(Change::Flow(FlowChange::DropSteps { run: run.id }));
        set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), run.next_step(), now));
        set.change(Change::Update(Row::Run(Box::new(run))));
        Ok(())
    }
}
