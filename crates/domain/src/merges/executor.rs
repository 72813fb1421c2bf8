//! What is left of a merged contact, moved in small commits.

use std::sync::Arc;
use std::time::Duration;

use super::{Merge, MergeChange};
use crate::access::Access;
use crate::error::Error;
use crate::ids::ContactId;
use crate::ports::{Change, ChangeSet, ClaimedJob, Ports};
use crate::retry::retry_on_conflict;
use crate::time::Timestamp;
use crate::work::unless_lost;

/// About how many rows of each kind one commit moves.
const ROWS: u32 = 500;
/// How long it waits at least for messages that are on their way, and at most.
const WAITS: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(3_600));

/// Moves what is kept of merged contacts.
#[derive(Clone)]
pub struct Merger {
    /// What it asks of the outside.
    pub ports: Arc<Ports>,
}

impl Merger {
    /// Moves some of what is left of a contact to its survivor; the job comes back until nothing is. Messages that are queued
    /// stay with the contact until they are settled, so that none goes to the survivor.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn carry_on(&self, access: &Access, job: &ClaimedJob, contact: ContactId) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let at = self.ports.clock.now();
            let mut set = ChangeSet::new(job.workspace);
            match self.ports.merges.get(access, contact).await? {
                None => set.change(job.finish()),
                Some(Merge { into, .. }) if self.ports.merges.is_left(access, contact, into).await? => {
                    set.change(Change::Merge(MergeChange::MovePart { contact, into, limit: ROWS }));
                    set.change(job.reschedule(at, None))
                }
                Some(Merge { into, merged_at, .. }) if self.ports.merges.is_sending(access, contact, into).await? => {
                    set.change(job.reschedule(at.plus(wait(merged_at, at)), None))
                }
                Some(_) => {
                    set.change(Change::Merge(MergeChange::End { contact, at }));
                    set.change(job.finish())
                }
            };
            unless_lost(self.ports.ledger.commit(set).await)
        })
        .await
    }
}

/// The longer it was, the longer it waits: a message of a flow that is paused may wait for days.
fn wait(since: Timestamp, now: Timestamp) -> Duration {
    (now.since(since) / 2).clamp(WAITS.0, WAITS.1)
}
