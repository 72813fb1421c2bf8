//! What changes do to rows that others may hold.

use super::Object;
use crate::ids::JobId;

/// What a change does to rows that others may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touches {
    /// It writes or deletes the row of an object: who guards that, too, takes the stronger lock at once. Two sets that
    /// share a row first, and then both want to write it, would wait for one another.
    Object(Object),
    /// It ends a worker's claim of a job: no client waits for it.
    Job(JobId),
    /// It ends another claim of a worker: no client waits for it.
    Claim,
    /// Rows that no guard holds: new ones, links, counters.
    Beside,
    /// Rows of many objects at once, or what is found while it is done: it goes alone.
    Many,
}

impl Touches {
    /// Whether it writes this object's row.
    pub fn writes(self, object: Object) -> bool {
        match self {
            Self::Object(it) => it == object,
            Self::Job(_) | Self::Claim | Self::Beside | Self::Many => false,
        }
    }

    /// Whether it ends the claim of a worker.
    pub fn ends_claim(self) -> bool {
        match self {
            Self::Job(_) | Self::Claim => true,
            Self::Object(_) | Self::Beside | Self::Many => false,
        }
    }

    /// The job, if it ends the claim of one.
    pub fn claimed_job(self) -> Option<JobId> {
        match self {
            Self::Job(job) => Some(job),
            Self::Object(_) | Self::Claim | Self::Beside | Self::Many => None,
        }
    }
}
