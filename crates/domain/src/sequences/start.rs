//! The start of a flow as a sequence's step.

use std::sync::Arc;

use crate::access::Access;
use crate::contacts::Contact;
use crate::flows::{Started, Starter};
use crate::ids::{FlowId, RunId};
use crate::ports::{Change, ChangeSet, Ports, Row};
use crate::retry::{AttemptError, StartAttempt};
use crate::step_outcome::StepOutcome;

/// Adds a start of the flow to a change set, where it may be started, with its first step if that leaves enrollments alone;
/// what came of it, and the run. A sequence does not end because a flow of it rests: what was not started is noted, and
/// the next step comes in its time.
///
/// # Errors
/// [`AttemptError`] where the store did not do its part.
pub(super) async fn add_start(
    ports: &Arc<Ports>,
    access: &Access,
    flow: FlowId,
    (contact, attempt): (&Contact, StartAttempt),
    set: &mut ChangeSet,
) -> Result<(String, Option<RunId>), AttemptError> {
    let skipped = |reason: &str| StepOutcome::Skipped.with(reason);
    let starter = Starter { ports: ports.clone() };
    let Some(plan) = starter.plan(access, flow, contact.id).await? else { return Ok((skipped("flow_missing"), None)) };
    let before = set.clone();
    let mut started = starter.begin(access, &plan, (None, attempt), Some(contact.clone()), set).await?;
    // The enrollment's own row is the caller's to write.
    let is_of_enrollments =
        |change: &Change| matches!(change, Change::Update(Row::Enrollment(_)) | Change::Sequence(_));
    if set.changes.iter().any(is_of_enrollments) {
        *set = before;
        started = starter.add(access, &plan, None, set).await?;
    }
    Ok(match started {
        Started::Began(run) => (StepOutcome::Started.text().to_owned(), Some(run.id)),
        Started::Lives(run) => (StepOutcome::AlreadyRunning.text().to_owned(), Some(run.id)),
        Started::NotActive => (skipped("flow_not_active"), None),
        Started::TooOften { .. } => (skipped("start_limit"), None),
        Started::TooDeep => (skipped("loop_guard"), None),
    })
}
