//! The outcome of a commit, with its change set.

use tidings_domain::ports::{ChangeSet, Refused};

use crate::faults::Fault;

/// The outcome of a commit, with its change set: the maker of a refused set gets it back, and the events of a committed one are
/// cached. So neither is copied before the commit.
#[derive(Debug)]
pub(crate) struct Returned {
    pub(crate) outcome: Result<(), Fault>,
    /// `None` if whoever committed it is gone.
    pub(crate) set: Option<ChangeSet>,
}

impl Returned {
    /// The outcome of a set that is here.
    pub(crate) fn with(outcome: Result<(), Fault>, set: ChangeSet) -> Self {
        Self { outcome, set: Some(set) }
    }

    /// A fault that took the set along.
    pub(crate) fn lost(fault: Fault) -> Self {
        Self { outcome: Err(fault), set: None }
    }

    /// The set, if it was committed.
    ///
    /// # Errors
    /// The refusal, with the set.
    pub(crate) fn into_committed(self) -> Result<Option<ChangeSet>, Refused> {
        match self.outcome {
            Ok(()) => Ok(self.set),
            Err(fault) => Err(Refused { error: fault.into_commit_error(), set: self.set.map(Box::new) }),
        }
    }
}
