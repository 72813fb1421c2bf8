//! Changes to jobs.

use uuid::Uuid;

use super::{Due, RowEffect};
use crate::ids::{BroadcastId, ChannelId, ContactId, FlowId, JobId, TypedId, WebhookId};
use crate::ports::jobs::Pool;
use crate::time::Timestamp;

/// The event that a held job waits for. The change that causes the event releases the jobs in the same commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeldUntil {
    /// A paused flow is resumed, archived or deleted: its messages wait.
    FlowResumes(FlowId),
    /// A paused broadcast is resumed or over: its messages wait. While it sends, its next portion waits for outcomes.
    BroadcastContinues(BroadcastId),
    /// A channel that its provider disconnected is connected again, its messages wait no longer, or it is deleted.
    ChannelReturns(ChannelId),
    /// A message of a merged contact is settled: the job that moves the contact's data waits.
    MessageSettles(ContactId),
}

impl HeldUntil {
    /// Returns the ID under which stores find the waiting jobs.
    pub fn uuid(self) -> Uuid {
        match self {
            Self::FlowResumes(flow) => flow.uuid(),
            Self::BroadcastContinues(broadcast) => broadcast.uuid(),
            Self::ChannelReturns(channel) => channel.uuid(),
            Self::MessageSettles(contact) => contact.uuid(),
        }
    }

    /// Returns the pool of the released jobs.
    pub fn pool(self) -> Pool {
        match self {
            Self::FlowResumes(_) | Self::BroadcastContinues(_) | Self::ChannelReturns(_) => Pool::Sends,
            Self::MessageSettles(_) => Pool::Work,
        }
    }
}

/// A change to a job. To end a claim, its token is required; [`crate::ports::Conflict::ClaimLost`] if the job has
/// another one.
#[derive(Debug, Clone, PartialEq)]
pub enum JobChange {
    /// Finishes a claimed job.
    Finish {
        /// The job.
        job: JobId,
        /// The claim's token.
        token: i64,
    },
    /// Returns a claimed job to the queue, due at `due_at`.
    Reschedule {
        /// The job.
        job: JobId,
        /// The claim's token.
        token: i64,
        /// The earliest time to run it.
        due_at: Timestamp,
        /// The failure. If set, it counts as an attempt.
        error: Option<String>,
    },
    /// Returns a claimed job to the queue, due when its group is released.
    Park {
        /// The job.
        job: JobId,
        /// The claim's token.
        token: i64,
    },
    /// Returns a claimed job to the queue until an event. It leaves its lane, so the jobs behind it continue. Released
    /// messages return to the lanes of their conversations; other jobs stay without a lane.
    Hold {
        /// The job.
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
        /// The earliest time to run them.
        due_at: Timestamp,
    },
    /// Makes all parked jobs of a group due.
    Release {
        /// The group.
        group: Uuid,
        /// The earliest time to run them.
        due_at: Timestamp,
    },
    /// Dead-letters a claimed job.
    Bury {
        /// The job.
        job: JobId,
        /// The claim's token.
        token: i64,
        /// The failure.
        error: String,
        /// The current time.
        at: Timestamp,
    },
    /// Discards a dead-lettered job; [`crate::ports::Conflict::NoLink`] if there is none with this ID.
    DropDead {
        /// The job.
        job: JobId,
    },
}

impl JobChange {
    /// Returns its effect on rows that others may lock.
    pub fn row_effect(&self) -> RowEffect {
        match self {
            Self::Finish { job, .. }
            | Self::Reschedule { job, .. }
            | Self::Park { job, .. }
            | Self::Hold { job, .. }
            | Self::Bury { job, .. } => RowEffect::Job(*job),
            Self::Release { .. } | Self::ReleaseHeld { .. } => RowEffect::Many,
            Self::DropDead { .. } => RowEffect::Unguarded,
        }
    }

    /// Returns the queued work that it makes due.
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
