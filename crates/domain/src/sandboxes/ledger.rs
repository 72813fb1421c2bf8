use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use crate::flows::FlowChange;
use crate::ports::{
    Change, ChangeSet, Clock, CommitError, JobChange, Ledger, RejectedChangeSet, Row, SandboxQueries, StoreError,
};
use crate::time::Timestamp;
use crate::webhooks::WebhookChange;

/// A due time more than this in the past was set by the clock of the store, and becomes now. Stores seldom search for
/// long overdue jobs.
const SLACK: Duration = Duration::from_secs(1);

/// A ledger that converts the due times of a sandbox to the clock of the store.
pub struct SandboxLedger {
    ledger: Arc<dyn Ledger>,
    sandboxes: Arc<dyn SandboxQueries>,
    clock: Arc<dyn Clock>,
}

impl SandboxLedger {
    /// Returns a ledger that commits through `ledger`; `clock` is the clock of the store.
    pub fn new(ledger: Arc<dyn Ledger>, sandboxes: Arc<dyn SandboxQueries>, clock: Arc<dyn Clock>) -> Self {
        Self { ledger, sandboxes, clock }
    }

    /// Returns how far the clock of the workspace is ahead of the clock of the store.
    async fn ahead(&self, set: &ChangeSet) -> Result<Duration, StoreError> {
        if set.workspace.is_sandbox() { self.sandboxes.ahead(set.workspace).await } else { Ok(Duration::ZERO) }
    }

    /// Converts the due times of the set to the clock of the store.
    fn shift(&self, set: &mut ChangeSet, ahead: Duration) {
        if ahead.is_zero() {
            return;
        }
        let now = self.clock.now();
        each_due(set, |at| {
            let due = at.minus(ahead);
            *at = if due.plus(SLACK) < now { now } else { due };
        });
    }
}

#[async_trait]
impl Ledger for SandboxLedger {
    async fn commit(&self, mut set: ChangeSet) -> Result<(), CommitError> {
        let ahead = self.ahead(&set).await?;
        self.shift(&mut set, ahead);
        self.ledger.commit(set).await
    }

    async fn commit_or_return(&self, set: ChangeSet) -> Result<(), RejectedChangeSet> {
        let ahead = match self.ahead(&set).await {
            Ok(ahead) => ahead,
            Err(error) => return Err(RejectedChangeSet { error: error.into(), set: Some(Box::new(set)) }),
        };
        if ahead.is_zero() {
            return self.ledger.commit_or_return(set).await;
        }
        let mut shifted = set.clone();
        self.shift(&mut shifted, ahead);
        self.ledger.commit(shifted).await.map_err(|error| RejectedChangeSet { error, set: Some(Box::new(set)) })
    }
}

/// Visits every due time in a set.
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
            // These have no due time.
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
