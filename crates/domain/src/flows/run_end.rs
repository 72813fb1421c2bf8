//! Effects of the end of a run on the run that called it and on the runs that it called.

use super::{Call, Run};
use crate::ids::RunId;
use crate::ports::{Change, ChangeSet, FlowChange, Row};
use crate::time::Timestamp;

impl Run {
    /// Returns the run that was started for the call that it waits for.
    pub(super) fn called_run_id(&self) -> Option<RunId> {
        match self.wait.as_ref()?.call.as_ref()? {
            Call::Began(run) => Some(*run),
            Call::Asked | Call::Refused(_) => None,
        }
    }
}

/// Updates a run; if it ended, also wakes the run that called it. The wake-up comes after the row: a concurrent step
/// of the caller that read this run as live locks the row until it has queued its next step, so the wake-up finds that
/// step.
pub(super) fn update(set: &mut ChangeSet, run: Run) {
    let (ended, caller) = (run.ended_at, run.caller);
    set.change(Change::Update(Row::Run(Box::new(run))));
    if let (Some(at), Some(caller)) = (ended, caller) {
        set.change(Change::Flow(FlowChange::WakeCaller { run: caller.run, at }));
    }
}

/// Interrupts the runs that a run called and no longer waits for. This comes before the removal of the caller's queued
/// steps, in the lock order of a concurrent end of the called run: that commit holds the called run's row, then wakes
/// one of these steps.
pub(super) fn interrupt_called(set: &mut ChangeSet, run: RunId, at: Timestamp) {
    set.change(Change::Flow(FlowChange::InterruptCalled { run, at }));
}
