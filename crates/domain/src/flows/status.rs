//! Changes of a flow's status and their effects.

use super::{Flow, FlowStatus};
use crate::error::{Error, Violation};
use crate::ids::FlowId;
use crate::ports::{Change, ChangeSet, FlowChange, HeldUntil, JobChange};
use crate::time::Timestamp;

/// Returns the change that releases the messages which a flow had queued before it was paused.
pub(super) fn release_held(flow: FlowId, due_at: Timestamp) -> Change {
    Change::Job(JobChange::ReleaseHeld { until: HeldUntil::FlowResumes(flow), due_at })
}

/// Pauses, resumes or archives a flow, and adds the effects on its runs to the set.
pub(super) fn change_status(
    flow: &mut Flow,
    status: FlowStatus,
    now: Timestamp,
    set: &mut ChangeSet,
) -> Result<(), Error> {
    if flow.version_published.is_none() {
        let message = "a draft cannot be active, paused or archived; publish it first";
        return Err(Error::Invalid(vec![Violation::new("/status", "not_published", message)]));
    }
    if flow.status == status {
        return Ok(());
    }
    match status {
        FlowStatus::Draft => {
            let message = "a published flow cannot become a draft again; pause or archive it";
            return Err(Error::Invalid(vec![Violation::new("/status", "not_allowed", message)]));
        }
        FlowStatus::Active => {
            set.change(Change::Flow(FlowChange::WakeRuns { flow: flow.id, at: now, due_at: now }));
            set.change(release_held(flow.id, now));
        }
        FlowStatus::Archived => {
            set.change(Change::Flow(FlowChange::Interrupt { flow: flow.id, at: now, due_at: now }));
            flow.stats.interrupted += flow.stats.active + flow.stats.waiting;
            // The released messages are checked again and suppressed.
            set.change(release_held(flow.id, now));
            (flow.stats.active, flow.stats.waiting) = (0, 0);
        }
        FlowStatus::Paused => {}
    }
    flow.status = status;
    Ok(())
}
