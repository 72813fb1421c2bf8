//! Effects of changes on rows that others may lock.

use super::Object;
use crate::ids::JobId;

/// The effect of a change on rows that others may lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowEffect {
    /// It writes or deletes the row of an object. A guard of the same object in the set takes the stronger lock at
    /// once: two sets that first share a row and then both write it would wait for each other.
    Object(Object),
    /// It ends a worker's claim of a job. No client waits for it.
    Job(JobId),
    /// It ends another claim of a worker. No client waits for it.
    Claim,
    /// It touches rows that no guard locks: new rows, links, counters.
    Unguarded,
    /// It touches rows of many objects, or rows that are only known when it runs. It gets its own transaction.
    Many,
}

impl RowEffect {
    /// Whether it writes this object's row.
    pub fn writes(self, object: Object) -> bool {
        match self {
            Self::Object(it) => it == object,
            Self::Job(_) | Self::Claim | Self::Unguarded | Self::Many => false,
        }
    }

    /// Whether it ends the claim of a worker.
    pub fn ends_claim(self) -> bool {
        match self {
            Self::Job(_) | Self::Claim => true,
            Self::Object(_) | Self::Unguarded | Self::Many => false,
        }
    }

    /// Returns the job if it ends the claim of one.
    pub fn claimed_job(self) -> Option<JobId> {
        match self {
            Self::Job(job) => Some(job),
            Self::Object(_) | Self::Claim | Self::Unguarded | Self::Many => None,
        }
    }
}
