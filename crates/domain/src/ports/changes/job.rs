//! What becomes of jobs.

use uuid::Uuid;

use super::Touches;
use crate::ids::{FlowId, JobId};
use crate::time::Timestamp;

/// A change to a job. Who ends a claim has its token; [`crate::ports::Conflict::ClaimLost`] where it is not the job's.
#[derive(Debug, Clone, PartialEq)]
pub enum JobChange {
    /// Ends a claimed job.
    Finish {
        /// Which.
        job: JobId,
        /// The claim's token.
        token: i64,
    },
    /// Gives a claimed job back, due at `due_at`.
    Reschedule {
        /// Which.
        job: JobId,
        /// The claim's token.
        token: i64,
        /// Not before this instant.
        due_at: Timestamp,
        /// Why; it counts as an attempt.
        error: Option<String>,
    },
    /// Gives a claimed job back, due when its group is called for.
    Park {
        /// Which.
        job: JobId,
        /// The claim's token.
        token: i64,
    },
    /// Gives a claimed message back until its flow goes on. It stands in no lane meanwhile: what comes behind it in its
    /// conversation goes on.
    Hold {
        /// Which.
        job: JobId,
        /// The claim's token.
        token: i64,
        /// Which flow.
        flow: FlowId,
    },
    /// Calls for all jobs of a group that were parked: they are due at `due_at`.
    Release {
        /// Which group.
        group: Uuid,
        /// Not before this instant.
        due_at: Timestamp,
    },
    /// Puts a claimed job aside for people to look at.
    Bury {
        /// Which.
        job: JobId,
        /// The claim's token.
        token: i64,
        /// Why.
        error: String,
        /// The present instant.
        at: Timestamp,
    },
    /// Removes a job that was put aside; [`crate::ports::Conflict::NoLink`] where it does not lie there.
    DropDead {
        /// Which.
        job: JobId,
    },
}

impl JobChange {
    /// What it does to rows that others may hold.
    pub fn touches(&self) -> Touches {
        match self {
            Self::Finish { .. }
            | Self::Reschedule { .. }
            | Self::Park { .. }
            | Self::Hold { .. }
            | Self::Bury { .. } => Touches::Claim,
            Self::Release { .. } => Touches::Many,
            Self::DropDead { .. } => Touches::Beside,
        }
    }
}
