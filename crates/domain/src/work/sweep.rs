//! Sweeps: what something that was deleted left behind goes in small commits.

use crate::error::Error;
use crate::ports::{Change, ChangeSet, ClaimedJob, Ports};
use crate::retry::commit_unless_lost;

/// How many rows one commit removes.
pub(crate) const BATCH_OF_SWEEP: u32 = 500;

/// Makes a removal, and has the job come back; without one there is nothing left, and the job ends.
///
/// # Errors
/// [`Error::Store`].
pub(crate) async fn sweep(ports: &Ports, job: &ClaimedJob, removal: Option<Change>) -> Result<(), Error> {
    let mut set = ChangeSet::new(job.workspace);
    match removal {
        Some(removal) => set.change(removal).change(job.reschedule(ports.clock.now(), None)),
        None => set.change(job.finish()),
    };
    commit_unless_lost(&*ports.ledger, set).await
}
