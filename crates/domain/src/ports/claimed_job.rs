//! A job in the hands of one worker: how it comes there, and how it leaves.

use uuid::Uuid;

use super::changes::{Change, JobChange};
use super::claim::{Claim, HeldClaim};
use super::jobs::{Job, NewJob};
use crate::ids::{JobId, WorkspaceId};
use crate::time::Timestamp;
use crate::webhooks::ClaimedDelivery;

/// A job in the hands of one worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimedJob {
    /// The ID.
    pub id: JobId,
    /// Whose it is.
    pub workspace: WorkspaceId,
    /// What is to be done.
    pub job: Job,
    /// The fencing token of this claim: a later claim has a greater one.
    pub token: i64,
    /// How often it was given back after a failure.
    pub attempts: i32,
    /// Of an attempt at a delivery whose own row is its place in the queue: what the claim found there.
    pub delivery: Option<ClaimedDelivery>,
}

impl ClaimedJob {
    /// The claim on it.
    pub fn held(&self) -> HeldClaim {
        HeldClaim { workspace: self.workspace, claim: Claim { job: self.id, token: self.token } }
    }

    /// The bound that it shares.
    pub fn group(&self) -> Option<Uuid> {
        self.job.columns().group
    }

    /// Ends it.
    pub fn finish(&self) -> Change {
        Change::Job(JobChange::Finish { job: self.id, token: self.token })
    }

    /// Gives it back, to be done at or after an instant.
    pub fn reschedule(&self, due_at: Timestamp, error: Option<String>) -> Change {
        Change::Job(JobChange::Reschedule { job: self.id, token: self.token, due_at, error })
    }
}

impl NewJob {
    /// The job as its first worker has it.
    pub fn first_claim(&self, workspace: WorkspaceId) -> ClaimedJob {
        ClaimedJob { id: self.id, workspace, job: self.job, token: Self::FIRST_TOKEN, attempts: 0, delivery: None }
    }
}
