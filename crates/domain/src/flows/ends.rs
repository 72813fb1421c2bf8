//! What follows from the end of a run for those who called it, and for those whom it called.

use super::{Call, Run};
use crate::ids::RunId;
use crate::ports::{Change, ChangeSet, FlowChange, Row};
use crate::time::Timestamp;

impl Run {
    /// The run that was begun for the call that it waits for.
    pub(super) fn called(&self) -> Option<RunId> {
        match self.wait.as_ref()?.call.as_ref()? {
            Call::Began(run) => Some(*run),
            Call::Asked | Call::Refused(_) => None,
        }
    }
}

/// Writes a run over what it was; where it ended, who called it takes its step now. That comes after the row: whoever looked
/// at this run while it lived holds its row until the step that looks again is queued.
pub(super) fn update(set: &mut ChangeSet, run: Run) {
    let (ended, caller) = (run.ended_at, run.caller);
    set.change(Change::Update(Row::Run(Box::new(run))));
    if let (Some(at), Some(caller)) = (ended, caller) {
        set.change(Change::Flow(FlowChange::WakeCaller { run: caller.run, at }));
    }
}

/// Ends what a run called, as it does not wait for that any more. That comes before its own queued steps are taken back: who
/// ends the called run at this instant wakes one of them, with the row of the called run in hand.
pub(super) fn interrupt_called(set: &mut ChangeSet, run: RunId, at: Timestamp) {
    set.change(Change::Flow(FlowChange::InterruptCalled { run, at }));
}
