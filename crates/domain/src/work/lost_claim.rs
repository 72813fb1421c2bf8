//! Lost claims.

use crate::ports::{CommitError, Conflict};
use crate::retry::AttemptError;

/// Treats a lost claim as success: another worker has the job, and there is nothing to report.
pub(crate) fn ignore_lost_claim(outcome: Result<(), CommitError>) -> Result<(), AttemptError> {
    match outcome {
        Err(CommitError::Conflict(Conflict::ClaimLost)) => Ok(()),
        other => Ok(other?),
    }
}
