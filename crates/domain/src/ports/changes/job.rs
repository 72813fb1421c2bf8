//! What becomes of jobs.

use uuid::Uuid;

use super::{Due, Touches};
use crate::ids::{BroadcastId, ContactId, FlowId, JobId, TypedId, WebhookId};
use crate::ports::jobs::Pool;
use crate::time::Timestamp;

/// The event for which a held job waits. The change that brings the event releases the jobs in the same commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeldUntil {
    /// A paused flow is resumed, or is over: its messages wait.
    FlowResumes(FlowId),
    /// A paused broadcast is resumed, or is over: its messages wait. While it is sent, its next portion waits for outcomes.
    BroadcastContinues(BroadcastId),
    /// A message of a merged contact is settled: the job that moves what is left of the contact waits.
    MessageSettles(ContactId),
}

impl HeldUntil {
    /// The ID under which stores find the jobs that wait for it.
    pub fn uuid(self) -> Uuid {
        match self {
            Self::FlowResumes(flow) => flow.uuid(),
            Self::BroadcastContinues(broadcast) => broadcast.uuid(),
            Self::MessageSettles(contact) => contact.uuid(),
        }
    }

    /// The slots that released jobs take.
    pub fn pool(self) -> Pool {
        match self {
            Self::FlowResumes(_) | Self::BroadcastContinues(_) => Pool::Sends,
            Self::MessageSettles(_) => Pool::Work,
        }
    }
}

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
    /// Gives a claimed job back until an event comes. It is in no lane meanwhile, so jobs behind it in its lane continue.
    /// Released messages return to the lanes of their conversations; other jobs stay without a lane.
    Hold {
        /// Which.
        job: JobId,
        /// The claim's token.
        token: i64,
        /// The event.
        until: HeldUntil,
    },
    /// Makes all jobs due that were held until an event.
    ReleaseHeld {
        /// The event.
        until: HeldUntil,
        /// Not before this instant.
        due_at: Timestamp,
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
            Self::Finish { job, .. }
            | Self::Reschedule { job, .. }
            | Self::Park { job, .. }
            | Self::Hold { job, .. }
            | Self::Bury { job, .. } => Touches::Job(*job),
            Self::Release { .. } | Self::ReleaseHeld { .. } => Touches::Many,
            Self::DropDead { .. } => Touches::Beside,
        }
    }

    /// The queued work that it makes due.
    pub fn makes_due(&self) -> Due {
        match self {
            // Only deliveries have groups.
            Self::Release { group, .. } => Due::Deliveries(WebhookId::from_uuid(*group)),
            Self::ReleaseHeld { until, .. } => Due::Held(until.pool()),
            Self::Finish { .. }
            | Self::Reschedule { .. }
            | Self::Park { .. }
            | Self::Hold { .. }
            | Self::Bury { .. }
            | Self::DropDead { .. } => Due::Nothing,
        }
    }
}
