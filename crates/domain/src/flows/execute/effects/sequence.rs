//! The contact's enrollments in sequences.

use super::{ActionTrace, StepWriter};
use crate::retry::AttemptError;
use crate::sequences::FlowEnrollments;
use crate::step_outcome::StepOutcome;

pub(super) async fn enroll(step: &mut StepWriter<'_>, sequence: String) -> Result<ActionTrace, AttemptError> {
    let Ok(sequence) = sequence.parse() else {
        return Ok(ActionTrace::with(StepOutcome::Failed.with("unknown_sequence")));
    };
    let enrollments = FlowEnrollments { ports: step.ports.clone() };
    enrollments.enroll(step.access, step.contact.id, sequence, step.set).await.map(ActionTrace::with)
}

pub(super) async fn exit(step: &mut StepWriter<'_>, sequence: String) -> Result<ActionTrace, AttemptError> {
    let Ok(sequence) = sequence.parse() else {
        return Ok(ActionTrace::with(StepOutcome::Failed.with("unknown_sequence")));
    };
    let enrollments = FlowEnrollments { ports: step.ports.clone() };
    enrollments.exit(step.access, step.contact.id, sequence, step.set).await.map(ActionTrace::with)
}
