//! What changes beside the rows of flows and runs.

use uuid::Uuid;

use super::{Awaited, FlowSchedule, FlowVersion, Passage, Run, RunStatus};
use crate::conditions::Selection;
use crate::ids::{ContactId, FlowId, RunId};
use crate::ports::{Due, Job, Object, Touches};
use crate::time::Timestamp;

/// A change to a flow, or to runs of it all at once.
#[derive(Debug, Clone, PartialEq)]
pub enum FlowChange {
    /// Publishes a version.
    InsertVersion(FlowVersion),
    /// Ends all live runs of a contact that is being deleted, as `interrupted`.
    InterruptRuns {
        /// Whose.
        contact: ContactId,
        /// The present instant.
        at: Timestamp,
    },
    /// Takes back the steps and calls of a run that are queued and not claimed.
    DropSteps {
        /// Of which.
        run: RunId,
    },
    /// Makes due the queued step of a run, where it waits for one that it called: that one ended.
    WakeCaller {
        /// Of which.
        run: RunId,
        /// The present instant.
        at: Timestamp,
    },
    /// Ends the live runs that a run called, and those that these called, as `interrupted`, and takes their queued steps back.
    InterruptCalled {
        /// Which run called them.
        run: RunId,
        /// The present instant.
        at: Timestamp,
    },
    /// Ends all live runs of a flow, as `interrupted`, and takes their queued steps and calls back; what they called ends with them, and
    /// who called them takes its step now.
    Interrupt {
        /// Of which.
        flow: FlowId,
        /// The present instant.
        at: Timestamp,
        /// The same, when what it makes due falls due.
        due_at: Timestamp,
    },
    /// Moves the live runs of a flow that have not begun, or are at one of these nodes, to a version.
    MigrateRuns {
        /// Of which.
        flow: FlowId,
        /// The version's number.
        to: i64,
        /// The nodes that both versions have.
        nodes: Vec<String>,
        /// The present instant.
        at: Timestamp,
    },
    /// Makes due the queued steps and calls of a flow's live runs whose time came while it was paused, of runs that
    /// kept a reply, and of those that wait for a run that they called, which may have ended meanwhile.
    WakeRuns {
        /// Of which.
        flow: FlowId,
        /// The present instant.
        at: Timestamp,
        /// The same, when what it makes due falls due.
        due_at: Timestamp,
    },
    /// Puts these triggers, as they are written in the definition, in the place of the flow's.
    PutTriggers {
        /// Of which.
        flow: FlowId,
        /// All that it has.
        triggers: Vec<serde_json::Value>,
    },
    /// Has the events listened for that runs of a flow wait for, beside or in place of those before.
    PutAwaited {
        /// Of which.
        flow: FlowId,
        /// The events of its new version.
        awaited: Vec<Awaited>,
        /// Whether those of earlier versions stay, for the runs that finish on them.
        keeps_earlier: bool,
    },
    /// Writes when a flow fires next: its first plan, or the one behind that which is stored;
    /// [`crate::ports::Conflict::Stale`] of the flow otherwise.
    PutSchedule(FlowSchedule),
    /// Makes recipients of a firing of all contacts that are chosen and not deleted, as of one moment.
    FreezeAudience {
        /// Of which flow.
        flow: FlowId,
        /// For which instant it fires.
        at: Timestamp,
        /// Who is chosen.
        audience: Selection,
    },
    /// Takes one recipient of a firing, with whom a flow is started: [`crate::ports::Conflict::ClaimLost`] where somebody else
    /// took them.
    TakeRecipient {
        /// Of which flow.
        flow: FlowId,
        /// For which instant it fired.
        at: Timestamp,
        /// Whom.
        contact: ContactId,
    },
    /// Drops recipients of a flow that is over, at most so many.
    DropRecipients {
        /// Of which.
        flow: FlowId,
        /// How many.
        limit: u32,
    },
    /// Counts what a step did at the nodes of its flow.
    Count {
        /// The fact's own id.
        id: Uuid,
        /// What it did.
        passage: Passage,
        /// When.
        at: Timestamp,
    },
    /// Hides a flow for good; its versions and runs stay for whoever looks back.
    Delete {
        /// Which.
        flow: FlowId,
        /// The present instant.
        at: Timestamp,
    },
}

impl FlowChange {
    /// What it does to rows that others may hold.
    pub fn touches(&self) -> Touches {
        match self {
            Self::Delete { flow, .. } => Touches::Object(Object::Flow(*flow)),
            Self::InsertVersion(_) | Self::DropSteps { .. } | Self::Count { .. } => Touches::Beside,
            // A recipient waits for a worker, as a job does.
            Self::TakeRecipient { .. } => Touches::Claim,
            Self::InterruptRuns { .. }
            | Self::WakeCaller { .. }
            | Self::InterruptCalled { .. }
            | Self::Interrupt { .. }
            | Self::MigrateRuns { .. }
            | Self::WakeRuns { .. }
            | Self::PutTriggers { .. }
            | Self::PutSchedule(_)
            | Self::FreezeAudience { .. }
            | Self::DropRecipients { .. }
            | Self::PutAwaited { .. } => Touches::Many,
        }
    }

    /// The queued work that it makes due.
    pub fn makes_due(&self) -> Due {
        match self {
            Self::WakeCaller { .. } | Self::WakeRuns { .. } | Self::Interrupt { .. } => Due::Steps,
            Self::InsertVersion(_)
            | Self::InterruptRuns { .. }
            | Self::DropSteps { .. }
            | Self::InterruptCalled { .. }
            | Self::MigrateRuns { .. }
            | Self::PutTriggers { .. }
            | Self::PutAwaited { .. }
            | Self::PutSchedule(_)
            | Self::FreezeAudience { .. }
            | Self::TakeRecipient { .. }
            | Self::DropRecipients { .. }
            | Self::Count { .. }
            | Self::Delete { .. } => Due::Nothing,
        }
    }

    /// How many rows it writes, of those that the set itself brings.
    pub(crate) fn rows(&self) -> usize {
        match self {
            Self::PutTriggers { triggers, .. } => triggers.len().max(1),
            Self::PutAwaited { awaited, .. } => awaited.len().max(1),
            Self::InsertVersion(_)
            | Self::InterruptRuns { .. }
            | Self::DropSteps { .. }
            | Self::WakeCaller { .. }
            | Self::InterruptCalled { .. }
            | Self::Interrupt { .. }
            | Self::MigrateRuns { .. }
            | Self::WakeRuns { .. }
            | Self::PutSchedule(_)
            | Self::FreezeAudience { .. }
            | Self::TakeRecipient { .. }
            | Self::DropRecipients { .. }
            | Self::Count { .. }
            | Self::Delete { .. } => 1,
        }
    }
}

impl Run {
    /// Whether it failed before its first node, as one that a guard did not let begin: it is not counted as a start.
    pub fn is_refused(&self) -> bool {
        self.status == RunStatus::Failed && self.nodes_visited == 0
    }

    /// Takes its next step.
    pub fn next_step(&self) -> Job {
        Job::StepRun { run: self.id, visit: self.visit }
    }

    /// Makes the call that it waits for; what comes of it is its next step.
    pub fn next_call(&self) -> Job {
        Job::CallHttp { run: self.id, visit: self.visit }
    }
}
