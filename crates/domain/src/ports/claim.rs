//! Claims: a worker has a job to itself for a while.

use crate::ids::{JobId, WorkspaceId};

/// A claim, by job and token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// The job.
    pub job: JobId,
    /// The claim's token.
    pub token: i64,
}

/// A claim that is held, and whose job it is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldClaim {
    /// The workspace of the job.
    pub workspace: WorkspaceId,
    /// The claim.
    pub claim: Claim,
}
