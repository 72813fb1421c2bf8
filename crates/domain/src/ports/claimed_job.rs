//! Claimed jobs, and the changes that end a claim.

use uuid::Uuid;

use super::changes::{Change, JobChange};
use super::claim::{Claim, HeldClaim};
use super::jobs::{Job, NewJob};
use crate::ids::{JobId, WorkspaceId};
use crate::time::Timestamp;
use crate::webhooks::ClaimedDelivery;

/// A job that one worker has claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimedJob {
    /// The ID.
    pub id: JobId,
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The work.
    pub job: Job,
    /// The fencing token of this claim. A later claim has a greater one.
    pub token: i64,
    /// The number of failed attempts.
    pub attempts: i32,
    /// For a delivery attempt without a row among jobs: the state that the claim found in the delivery's row.
    pub delivery: Option<ClaimedDelivery>,
}

impl ClaimedJob {
    /// Returns the claim.
    pub fn held_claim(&self) -> HeldClaim {
        HeldClaim { workspace: self.workspace, claim: Claim { job: self.id, token: self.token } }
    }

    /// Returns the group that bounds its concurrency.
    pub fn group(&self) -> Option<Uuid> {
        self.job.group()
    }

    /// Finishes the job.
    pub fn finish(&self) -> Change {
        Change::Job(JobChange::Finish { job: self.id, token: self.token })
    }

    /// Returns the job to the queue, due at `due_at`. With an error, this counts as an attempt.
    pub fn reschedule(&self, due_at: Timestamp, error: Option<String>) -> Change {
        Change::Job(JobChange::Reschedule { job: self.id, token: self.token, due_at, error })
    }
}

impl NewJob {
    /// Returns the job as claimed by the worker that writes it.
    pub fn first_claim(&self, workspace: WorkspaceId) -> ClaimedJob {
        ClaimedJob { id: self.id, workspace, job: self.job, token: Self::FIRST_TOKEN, attempts: 0, delivery: None }
    }
}
