//! The called run that a step depends on.

use super::RunExecutor;
use super::context::StepContext;
use crate::access::Access;
use crate::flows::{Call, Ending, Run, ends};
use crate::ports::{ChangeSet, Guard, Object, StoreError};
use crate::time::Timestamp;

impl RunExecutor {
    /// Returns the current state of the run that a run called and waits for.
    pub(super) async fn called(&self, access: &Access, run: &Run) -> Result<Option<Run>, StoreError> {
        match run.called() {
            Some(called) => self.ports.flows.run(access, called).await,
            None => Ok(None),
        }
    }
}

impl StepContext {
    /// Handles a called run that was live when the step loaded it. The guard makes its end and this step exclude each
    /// other: the end either finds the next step queued and wakes it, or this step conflicts and is decided again. If
    /// the step no longer waits for the called run, that run is interrupted.
    pub(super) fn mind_called(&self, ending: &Ending, now: Timestamp, set: &mut ChangeSet) {
        let Some(called) = self.called.as_ref().filter(|called| called.status.is_live()) else { return };
        set.guard(Guard::Version(Object::Run(called.id), called.version));
        let waits_on = match ending {
            Ending::Wait { wait, .. } => wait.call == Some(Call::Began(called.id)),
            Ending::Completed | Ending::Expired | Ending::Failed(_) => false,
        };
        if !waits_on {
            ends::interrupt_called(set, self.run.id, now);
        }
    }
}
