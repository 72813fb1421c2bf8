//! Enrolling and exiting as part of a flow's step.

use std::sync::Arc;

use super::enrollment_service::zone_of;
use super::{Enrollment, ExitReason, Person, add_enrollment, add_exit};
use crate::access::Access;
use crate::error::Error;
use crate::ids::{ContactId, SequenceId};
use crate::ports::{Change, ChangeSet, Ports, Row};
use crate::retry::AttemptError;
use crate::step_outcome::StepOutcome;

/// Adds enrollments and exits to the change sets of runs.
#[derive(Clone)]
pub struct FlowEnrollments {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl FlowEnrollments {
    /// Returns the existing ones of these sequences.
    pub(crate) async fn known(
        &self,
        access: &Access,
        sequences: &[SequenceId],
    ) -> Result<Vec<SequenceId>, AttemptError> {
        let mut known = Vec::new();
        for sequence in sequences {
            known.extend(self.ports.sequences.get(access, *sequence).await?.map(|it| it.id));
        }
        Ok(known)
    }

    /// Adds an enrollment of the contact. Returns the outcome, such as `enrolled`.
    pub(crate) async fn enroll(
        &self,
        access: &Access,
        contact: ContactId,
        sequence: SequenceId,
        set: &mut ChangeSet,
    ) -> Result<String, AttemptError> {
        let Some(sequence) = self.ports.sequences.get(access, sequence).await? else {
            return Ok(StepOutcome::Skipped.with("sequence_missing"));
        };
        let Some(contact) = self.ports.contacts.find_even_deleted(access, contact).await? else {
            return Ok(StepOutcome::Skipped.with("contact_missing"));
        };
        let last = match pending(set, contact.id, sequence.id) {
            None => self.ports.sequences.last_enrollment(access, sequence.id, contact.id).await?,
            pending => pending,
        };
        let person = Person {
            contact: &contact,
            workspace_zone: zone_of(&*self.ports.access, access).await?,
            exit_when_holds: false,
        };
        let added =
            add_enrollment(set, &sequence, &person, last.as_ref(), access, &*self.ports.clock, &*self.ports.ids);
        Ok(match added {
            Ok(done) if done.outcome == crate::outcome::Outcome::Created => StepOutcome::Enrolled.text().to_owned(),
            Ok(_) => StepOutcome::AlreadyEnrolled.text().to_owned(),
            Err(Error::SequenceNotActive) => StepOutcome::Skipped.with("sequence_not_active"),
            Err(Error::ReenrollmentForbidden(_)) => StepOutcome::Skipped.with("reenrollment_forbidden"),
            Err(error) => return Err(error.into()),
        })
    }

    /// Adds the end of the contact's enrollment. Returns the outcome, such as `exited`.
    pub(crate) async fn exit(
        &self,
        access: &Access,
        contact: ContactId,
        sequence: SequenceId,
        set: &mut ChangeSet,
    ) -> Result<String, AttemptError> {
        let last = match pending(set, contact, sequence) {
            None => self.ports.sequences.last_enrollment(access, sequence, contact).await?,
            pending => pending,
        };
        let Some(live) = last.filter(|last| last.status.is_live()) else {
            return Ok(StepOutcome::NotEnrolled.text().to_owned());
        };
        add_exit(set, &live, ExitReason::Manual, access, &*self.ports.clock, &*self.ports.ids);
        Ok(StepOutcome::Exited.text().to_owned())
    }
}

/// The enrollment as changed by an earlier node of the same step.
fn pending(set: &ChangeSet, contact: ContactId, sequence: SequenceId) -> Option<Enrollment> {
    set.changes.iter().rev().find_map(|change| match change {
        Change::Insert(Row::Enrollment(it)) | Change::Update(Row::Enrollment(it))
            if it.contact == contact && it.sequence == sequence =>
        {
            Some(it.as_ref().clone())
        }
        _ => None,
    })
}
