//! Changes to flows and runs other than inserts and updates of their rows.

use uuid::Uuid;

use super::{AwaitedKind, FlowSchedule, FlowVersion, Passage, Run, RunStatus};
use crate::conditions::Selection;
use crate::ids::{ContactId, FlowId, RunId};
use crate::ports::{Due, Job, Object, RowEffect};
use crate::time::Timestamp;

/// A change to a flow, or to several of its runs at once.
#[derive(Debug, Clone, PartialEq)]
pub enum FlowChange {
    /// Inserts a published version.
    InsertVersion(FlowVersion),
    /// Ends all live runs of a contact that is being deleted, as `interrupted`.
    InterruptRuns {
        /// The contact.
        contact: ContactId,
        /// The current time.
        at: Timestamp,
    },
    /// Removes the queued, unclaimed step and call jobs of a run.
    DropSteps {
        /// The run.
        run: RunId,
    },
    /// Makes the queued step of a run due now if the run waits for a called run, because the called run ended.
    WakeCaller {
        /// The calling run.
        run: RunId,
        /// The current time, as a due time: a sandbox converts it to the store's clock.
        at: Timestamp,
    },
    /// Ends the live runs that a run called, directly or through other called runs, as `interrupted`, and removes
    /// their queued steps.
    InterruptCalled {
        /// The calling run.
        run: RunId,
        /// The current time.
        at: Timestamp,
    },
    /// Ends all live runs of a flow as `interrupted` and removes their queued steps and calls. The runs that they
    /// called end too; the steps of the runs that called them become due now.
    Interrupt {
        /// The flow.
        flow: FlowId,
        /// The current time.
        at: Timestamp,
        /// The current time, as a due time: a sandbox converts it to the store's clock.
        due_at: Timestamp,
    },
    /// Moves the live runs of a flow that have not begun, or are at one of these nodes, to another version.
    MigrateRuns {
        /// The flow.
        flow: FlowId,
        /// Number of the version.
        to: i64,
        /// The nodes that both versions have.
        nodes: Vec<String>,
        /// The current time.
        at: Timestamp,
    },
    /// Makes due the queued steps and calls of a resumed flow if their time passed during the pause, if their run kept
    /// a reply, or if it waits for a called run, which may have ended in the meantime.
    WakeRuns {
        /// The flow.
        flow: FlowId,
        /// The current time.
        at: Timestamp,
        /// The current time, as a due time: a sandbox converts it to the store's clock.
        due_at: Timestamp,
    },
    /// Replaces the triggers of a flow with these, in the form that the definition has.
    PutTriggers {
        /// The flow.
        flow: FlowId,
        /// All its triggers.
        triggers: Vec<serde_json::Value>,
    },
    /// Registers the events that runs of a flow wait for.
    PutAwaited {
        /// The flow.
        flow: FlowId,
        /// The events of its new version.
        awaited: Vec<AwaitedKind>,
        /// Whether the events of earlier versions stay registered, for the runs that finish on those versions.
        keeps_earlier: bool,
    },
    /// Stores when a flow fires next: its first plan, or the plan that follows the stored one. Any other plan is a
    /// [`crate::ports::Conflict::Stale`] of the flow.
    PutSchedule(FlowSchedule),
    /// Stores all selected, undeleted contacts as recipients of a firing, from one snapshot.
    FreezeAudience {
        /// The flow.
        flow: FlowId,
        /// The instant of the firing.
        at: Timestamp,
        /// The selection of contacts.
        audience: Selection,
    },
    /// Claims one recipient of a firing, together with the start of the flow. Fails with
    /// [`crate::ports::Conflict::ClaimLost`] if another worker claimed the recipient.
    TakeRecipient {
        /// The flow.
        flow: FlowId,
        /// The instant of the firing.
        at: Timestamp,
        /// The recipient.
        contact: ContactId,
    },
    /// Deletes recipients of a flow that no longer fires, at most `limit`.
    DropRecipients {
        /// The flow.
        flow: FlowId,
        /// Maximum number of recipients.
        limit: u32,
    },
    /// Records for the statistics what a step did at the nodes of its flow.
    Count {
        /// ID of the fact.
        id: Uuid,
        /// The visits of the step.
        passage: Passage,
        /// When the step happened.
        at: Timestamp,
    },
    /// Hides a flow permanently. Its versions and runs remain readable.
    Delete {
        /// The flow.
        flow: FlowId,
        /// The current time.
        at: Timestamp,
    },
}

impl FlowChange {
    /// Returns which rows it writes that other changes may lock.
    pub fn row_effect(&self) -> RowEffect {
        match self {
            Self::Delete { flow, .. } => RowEffect::Object(Object::Flow(*flow)),
            Self::InsertVersion(_) | Self::DropSteps { .. } | Self::Count { .. } => RowEffect::Unguarded,
            // A recipient is claimed by a worker, as a job is.
            Self::TakeRecipient { .. } => RowEffect::Claim,
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
            | Self::PutAwaited { .. } => RowEffect::Many,
        }
    }

    /// Returns the queued jobs that it makes due.
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

    /// Returns how many rows it writes, not counting rows that it finds in the database.
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
    /// Whether it failed before its first node because a guard rejected it. Such a run does not count as a start.
    pub fn is_refused(&self) -> bool {
        self.status == RunStatus::Failed && self.nodes_visited == 0
    }

    /// Returns the job for its next step.
    pub fn next_step(&self) -> Job {
        Job::StepRun { run: self.id, visit: self.visit }
    }

    /// Returns the job for the HTTP request that it waits for. The response leads to its next step.
    pub fn next_call(&self) -> Job {
        Job::CallHttp { run: self.id, visit: self.visit }
    }
}
