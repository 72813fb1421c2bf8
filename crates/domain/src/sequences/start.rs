//! Starting a flow as a step of a sequence.

use std::sync::Arc;

use crate::access::Access;
use crate::contacts::Contact;
use crate::flows::{StartOutcome, Starter};
use crate::ids::{FlowId, RunId};
use crate::ports::{Change, ChangeSet, Ports, Row};
use crate::retry::{AttemptError, StartAttempt};
use crate::step_outcome::StepOutcome;

/// Adds the start of a flow to a change set, if it can be started; with the first step of the run, unless this changes
/// enrollments. Returns the outcome, and the run. A flow that cannot be started does not end the sequence.
///
/// # Errors
/// [`AttemptError`] if the store fails or the attempt conflicts.
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
    // The caller writes the enrollment's row itself.
    let is_of_enrollments =
        |change: &Change| matches!(change, Change::Update(Row::Enrollment(_)) | Change::Sequence(_));
    if set.changes.iter().any(is_of_enrollments) {
        *set = before;
        started = starter.add(access, &plan, None, set).await?;
    }
    Ok(match started {
        StartOutcome::Began(run) => (StepOutcome::Started.text().to_owned(), Some(run.id)),
        StartOutcome::Lives(run) => (StepOutcome::AlreadyRunning.text().to_owned(), Some(run.id)),
        StartOutcome::NotActive => (skipped("flow_not_active"), None),
        StartOutcome::TooOften { .. } => (skipped("start_limit"), None),
        StartOutcome::TooDeep => (skipped("loop_guard"), None),
    })
}
