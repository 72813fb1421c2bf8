//! The called run that a step depends on.

use super::RunExecutor;
use super::context::StepContext;
use crate::access::Access;
use crate::flows::{Call, Run, StepEnd, run_end};
use crate::ports::{ChangeSet, Guard, Object, StoreError};
use crate::time::Timestamp;

impl RunExecutor {
    /// Returns the current state of the run that a run called and waits for.
    pub(super) async fn load_called_run(&self, access: &Access, run: &Run) -> Result<Option<Run>, StoreError> {
        match run.called_run_id() {
            Some(called) => self.ports.flows.run(access, called).await,
            None => Ok(None),
        }
    }
}

impl StepContext {
    /// Handles a called run that was live when the step loaded it. The guard makes its end and this step exclude each
    /// other: the end either finds the next step queued and wakes it, or this step conflicts and is decided again. If
    /// the step no longer waits for the called run, that run is interrupted.
    pub(super) fn cancel_called_run(&self, ending: &StepEnd, now: Timestamp, set: &mut ChangeSet) {
        let Some(called) = self.called.as_ref().filter(|called| called.status.is_live()) else { return };
        set.guard(Guard::Version(Object::Run(called.id), called.version));
        let waits_on = match ending {
            StepEnd::Wait { wait, .. } => wait.call == Some(Call::Began(called.id)),
            StepEnd::Completed | StepEnd::Expired | StepEnd::Failed(_) => false,
        };
        if !waits_on {
            run_end::interrupt_called(set, self.run.id, now);
        }
    }
}
