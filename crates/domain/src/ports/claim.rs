//! Claims: the exclusive right of a worker to a job, for a limited time.

use crate::ids::{JobId, WorkspaceId};

/// A claim, identified by job and token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// The job.
    pub job: JobId,
    /// The claim's token.
    pub token: i64,
}

/// A current claim, with the workspace of its job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldClaim {
    /// The workspace of the job.
    pub workspace: WorkspaceId,
    /// The claim.
    pub claim: Claim,
}
