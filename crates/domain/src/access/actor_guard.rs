//! Commits that require that their actor still has the permission.

use std::sync::Arc;

use async_trait::async_trait;

use crate::ids::WorkspaceId;
use crate::ports::{ChangeSet, CommitError, Conflict, Guard, Ledger, RejectedChangeSet};

/// A ledger that adds a guard on the actor to each change set of a workspace. Requests that change permissions commit
/// through it, so no use case can omit the guard.
pub struct ActorGuardedLedger {
    ledger: Arc<dyn Ledger>,
    workspace: WorkspaceId,
    actor: Guard,
}

impl ActorGuardedLedger {
    /// Commits through `ledger`; `actor` must hold for change sets of `workspace`.
    pub fn new(ledger: Arc<dyn Ledger>, workspace: WorkspaceId, actor: Guard) -> Self {
        Self { ledger, workspace, actor }
    }
}

#[async_trait]
impl Ledger for ActorGuardedLedger {
    async fn commit(&self, set: ChangeSet) -> Result<(), CommitError> {
        Ok(self.commit_or_return(set).await?)
    }

    async fn commit_or_return(&self, mut set: ChangeSet) -> Result<(), RejectedChangeSet> {
        let own_guards = set.guards.len();
        if set.workspace == self.workspace {
            set.guard(self.actor);
        }
        let is_gone = |error: &CommitError| match (error, self.actor) {
            (CommitError::Conflict(Conflict::Stale(gone)), Guard::Live(actor)) => *gone == actor,
            (CommitError::Conflict(_) | CommitError::Store(_), _) => false,
        };
        self.ledger.commit_or_return(set).await.map_err(|RejectedChangeSet { error, mut set }| {
            if let Some(set) = &mut set {
                set.guards.truncate(own_guards);
            }
            RejectedChangeSet { error: if is_gone(&error) { Conflict::Standing.into() } else { error }, set }
        })
    }
}

#[cfg(test)]
#[path = "standing_tests.rs"]
mod tests;
