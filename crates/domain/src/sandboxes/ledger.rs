//! When something falls due in a sandbox, as the store's clock will tell it.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use crate::flows::FlowChange;
use crate::ports::{Change, ChangeSet, Clock, CommitError, JobChange, Ledger, Row, SandboxQueries};
use crate::time::Timestamp;
use crate::webhooks::WebhookChange;

/// What is due before the present by more than this was decided by the store's clock: it is due now. Stores look for what
/// fell due lately, and seldom for what fell due long ago.
const SLACK: Duration = Duration::from_secs(1);

/// A ledger that writes when the jobs of a sandbox fall due as the store's clock will tell it.
pub struct SandboxLedger {
    ledger: Arc<dyn Ledger>,
    sandboxes: Arc<dyn SandboxQueries>,
    clock: Arc<dyn Clock>,
}

impl SandboxLedger {
    /// Commits through `ledger`; `clock` is the store's.
    pub fn new(ledger: Arc<dyn Ledger>, sandboxes: Arc<dyn SandboxQueries>, clock: Arc<dyn Clock>) -> Self {
        Self { ledger, sandboxes, clock }
    }
}

#[async_trait]
impl Ledger for SandboxLedger {
    async fn commit(&self, mut set: ChangeSet) -> Result<(), CommitError> {
        if set.workspace.is_sandbox() {
            let ahead = self.sandboxes.ahead(set.workspace).await?;
            if !ahead.is_zero() {
                let now = self.clock.now();
                each_due(&mut set, |at| {
                    let due = at.minus(ahead);
                    *at = if due.plus(SLACK) < now { now } else { due };
                });
            }
        }
        self.ledger.commit(set).await
    }
}

/// Every instant of a set at which something in the queue falls due.
fn each_due(set: &mut ChangeSet, mut visit: impl FnMut(&mut Timestamp)) {
    set.jobs.iter_mut().for_each(|job| visit(&mut job.due_at));
    for change in &mut set.changes {
        match change {
            Change::Insert(Row::Delivery(it)) | Change::Update(Row::Delivery(it)) => {
                it.next_attempt_at.iter_mut().for_each(&mut visit);
            }
            Change::Job(
                JobChange::Reschedule { due_at, .. }
                | JobChange::Release { due_at, .. }
                | JobChange::ReleaseHeld { due_at, .. },
            ) => visit(due_at),
            Change::Job(
                JobChange::Finish { .. }
                | JobChange::Park { .. }
                | JobChange::Hold { .. }
                | JobChange::Bury { .. }
                | JobChange::DropDead { .. },
            ) => {}
            Change::Flow(FlowChange::WakeCaller { at, .. }) => visit(at),
            Change::Flow(FlowChange::Interrupt { due_at, .. } | FlowChange::WakeRuns { due_at, .. }) => visit(due_at),
            Change::Webhook(WebhookChange::RecordAttempt(it)) => {
                it.delivery.next_attempt_at.iter_mut().for_each(&mut visit);
            }
            // Nothing of these stands in the queue.
            Change::Insert(_)
            | Change::Update(_)
            | Change::Flow(_)
            | Change::Webhook(_)
            | Change::Delete(_)
            | Change::Access(_)
            | Change::Account(_)
            | Change::Channel(_)
            | Change::Contact(_)
            | Change::Tag(_)
            | Change::Field(_)
            | Change::Reference(_)
            | Change::Conversation(_)
            | Change::Erasure(_)
            | Change::Merge(_)
            | Change::OptOut(_)
            | Change::Sequence(_)
            | Change::Broadcast(_)
            | Change::Import(_)
            | Change::Analytics(_)
            | Change::Sandbox(_)
            | Change::Audit(_) => {}
        }
    }
}
