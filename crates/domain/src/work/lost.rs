//! Claims that were lost.

use crate::ports::{CommitError, Conflict};
use crate::retry::AttemptError;

/// A claim that is lost is somebody else's work: there is nothing to report.
pub(crate) fn unless_lost(outcome: Result<(), CommitError>) -> Result<(), AttemptError> {
    match outcome {
        Err(CommitError::Conflict(Conflict::ClaimLost)) => Ok(()),
        other => Ok(other?),
    }
}
