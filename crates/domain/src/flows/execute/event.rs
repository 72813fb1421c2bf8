//! An event that a run waits for.

use serde_json::Value;
use uuid::Uuid;

use super::RunExecutor;
use crate::access::Access;
use crate::flows::definition::Action;
use crate::flows::{Run, RunStatus};
use crate::ids::{JobId, TypedId};
use crate::ports::{Change, ChangeSet, FlowChange, NewJob, Row};
use crate::retry::AttemptError;

impl RunExecutor {
    /// Gives a run the event that it waits for, and has its next step taken: both commit together. Nothing is added where the
    /// event was committed before the wait began, or where the node's filter does not hold for it. So many runs stand
    /// behind the event.
    ///
    /// # Errors
    /// [`AttemptError`].
    pub(crate) async fn event_came(
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
        let context = self.load(system, run.clone(), None).await?;
        let node = run.node.as_ref().and_then(|node| context.flow.definition.nodes.get(node));
        // A migration may have put another node in its place.
        let Some(Action::WaitForEvent(node)) = node.map(|node| &node.action) else { return Ok(()) };
        let now = self.ports.clock.now();
        // What cannot be told, as after a field was deleted, does not hold.
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
        // The timer of the wait would hold up the step.
        set.change(Change::Flow(FlowChange::DropSteps { run: run.id }));
        set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), run.next_step(), now));
        set.change(Change::Update(Row::Run(Box::new(run))));
        Ok(())
    }
}
