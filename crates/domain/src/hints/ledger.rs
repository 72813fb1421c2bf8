//! A ledger that publishes hints about its changes.

use std::sync::Arc;

use async_trait::async_trait;

use super::{Hint, Hints, hints_of};
use crate::ids::WorkspaceId;
use crate::ports::{ChangeSet, CommitError, Ledger, RejectedChangeSet, StoreError};

/// A ledger that publishes hints about each commit to the watchers of a workspace.
pub struct HintingLedger {
    ledger: Arc<dyn Ledger>,
    hints: Arc<Hints>,
}

impl HintingLedger {
    /// Commits through `ledger` and publishes through `hints`.
    pub fn new(ledger: Arc<dyn Ledger>, hints: Arc<Hints>) -> Self {
        Self { ledger, hints }
    }
}

/// The hints of a commit. They are published when this is dropped, because the caller may be cancelled before the
/// commit ends. A rejected commit publishes none.
struct PendingPublish {
    hints: Arc<Hints>,
    workspace: WorkspaceId,
    changed: Vec<Hint>,
}

impl Drop for PendingPublish {
    fn drop(&mut self) {
        if !self.changed.is_empty() {
            self.hints.tell(self.workspace, &self.changed);
        }
    }
}

#[async_trait]
impl Ledger for HintingLedger {
    async fn commit(&self, set: ChangeSet) -> Result<(), CommitError> {
        Ok(self.commit_or_return(set).await?)
    }

    async fn commit_or_return(&self, set: ChangeSet) -> Result<(), RejectedChangeSet> {
        let workspace = set.workspace;
        if !self.hints.is_watched(workspace) {
            return self.ledger.commit_or_return(set).await;
        }
        let mut telling = PendingPublish { hints: Arc::clone(&self.hints), workspace, changed: hints_of(&set) };
        let outcome = self.ledger.commit_or_return(set).await;
        let may_be_done = match &outcome {
            Ok(()) => true,
            Err(refused) => refused.error == CommitError::Store(StoreError::OutcomeUnknown),
        };
        if !may_be_done {
            telling.changed.clear();
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use futures::executor::block_on;
    use uuid::Uuid;

    use super::*;
    use crate::ids::{TagId, TypedId};
    use crate::ports::{Change, Conflict, MockLedger, Object};
    use crate::stored::StoredId;

    #[test]
    fn sends_hints_for_commits_and_unknown_outcomes_only() {
        let tag = Object::Stored(StoredId::Tag(TagId::from_uuid(Uuid::nil())));
        let answers = [
            (Ok(()), 1),
            (Err(CommitError::Store(StoreError::OutcomeUnknown)), 1),
            (Err(CommitError::Store(StoreError::Contention)), 0),
            (Err(CommitError::Conflict(Conflict::Stale(tag))), 0),
        ];
        for (answer, told) in answers {
            let mut ledger = MockLedger::new();
            ledger.expect_commit().times(2).returning(move |_| answer.clone());
            let hints = Arc::new(Hints::default());
            let ledger = HintingLedger::new(Arc::new(ledger), Arc::clone(&hints));
            let mut set = ChangeSet::new(WorkspaceId::from_uuid(Uuid::from_u128(1)));
            set.change(Change::Delete(tag));
            let _ = block_on(ledger.commit(set.clone()));
            let watch = hints.watch(set.workspace);
            let _ = block_on(ledger.commit(set));
            assert_eq!(watch.take().len(), told);
        }
    }
}
