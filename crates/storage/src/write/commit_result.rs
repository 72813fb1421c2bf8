//! The outcome of a commit, with its change set.

use tidings_domain::ports::{ChangeSet, RejectedChangeSet};

use crate::connection::faults::Fault;

/// The outcome of a commit, with its change set. A refused set is returned to the caller, and the events of a committed
/// one are cached. Neither requires a copy before the commit.
#[derive(Debug)]
pub(crate) struct CommitResult {
    pub(crate) outcome: Result<(), Fault>,
    /// `None` if the committing task was dropped.
    pub(crate) set: Option<ChangeSet>,
}

impl CommitResult {
    pub(crate) fn with(outcome: Result<(), Fault>, set: ChangeSet) -> Self {
        Self { outcome, set: Some(set) }
    }

    /// Returns a fault that lost the set.
    pub(crate) fn aborted(fault: Fault) -> Self {
        Self { outcome: Err(fault), set: None }
    }

    /// Returns the set if it was committed.
    ///
    /// # Errors
    /// The refusal, with the set.
    pub(crate) fn into_committed(self) -> Result<Option<ChangeSet>, RejectedChangeSet> {
        match self.outcome {
            Ok(()) => Ok(self.set),
            Err(fault) => Err(RejectedChangeSet { error: fault.into_commit_error(), set: self.set.map(Box::new) }),
        }
    }
}
