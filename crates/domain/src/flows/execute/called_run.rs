//! A call that a run waits for, as its step finds it.

use super::RunExecutor;
use super::context::StepContext;
use crate::access::Access;
use crate::flows::{Call, Ending, Run, ends};
use crate::ports::{ChangeSet, Guard, Object, StoreError};
use crate::time::Timestamp;

impl RunExecutor {
    /// The run that a run called and waits for, as it is now.
    pub(super) async fn called(&self, access: &Access, run: &Run) -> Result<Option<Run>, StoreError> {
        match run.called() {
            Some(called) => self.ports.flows.run(access, called).await,
            None => Ok(None),
        }
    }
}

impl StepContext {
    /// Adds what a step has to do with a called run that it found alive. Its end and the step exclude one another, so that it
    /// either finds the next step queued and wakes it, or has this one decided anew. Where the step does not wait for it any
    /// longer, it ends with it.
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
