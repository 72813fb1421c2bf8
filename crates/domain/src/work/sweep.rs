//! Sweeps: removal of a deleted object's remaining data in small commits.

use crate::error::Error;
use crate::ports::{Change, ChangeSet, ClaimedJob, Ports};
use crate::retry::commit_unless_lost;

pub(crate) const BATCH_OF_SWEEP: u32 = 500;

/// Commits a removal and reschedules the job. Without a removal nothing is left, and the job is finished.
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
