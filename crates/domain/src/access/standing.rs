//! Changes that commit only while their actor may still make them.

use std::sync::Arc;

use async_trait::async_trait;

use crate::ids::WorkspaceId;
use crate::ports::{ChangeSet, CommitError, Conflict, Guard, Ledger};

/// A ledger that adds a guard on the actor to every change set of a workspace. A request that changes permissions commits
/// through it. No use case can leave the guard out.
pub struct StandingLedger {
    ledger: Arc<dyn Ledger>,
    workspace: WorkspaceId,
    actor: Guard,
}

impl StandingLedger {
    /// Commits through `ledger`; `actor` must hold for change sets of `workspace`.
    pub fn new(ledger: Arc<dyn Ledger>, workspace: WorkspaceId, actor: Guard) -> Self {
        Self { ledger, workspace, actor }
    }
}

#[async_trait]
impl Ledger for StandingLedger {
    async fn commit(&self, mut set: ChangeSet) -> Result<(), CommitError> {
        if set.workspace == self.workspace {
            set.guard(self.actor);
        }
        let is_gone = |error: &CommitError| match (error, self.actor) {
            (CommitError::Conflict(Conflict::Stale(gone)), Guard::Live(actor)) => *gone == actor,
            (CommitError::Conflict(_) | CommitError::Store(_), _) => false,
        };
        let committed = self.ledger.commit(set).await;
        committed.map_err(|error| if is_gone(&error) { Conflict::Standing.into() } else { error })
    }
}

#[cfg(test)]
#[path = "standing_tests.rs"]
mod tests;
