//! Sequences as flows need them: enrolling and leaving as part of a run's step.

use std::sync::Arc;

use async_trait::async_trait;

use super::enrolling::zone_of;
use super::{Enrollment, ExitReason, Person, add_enrollment, add_exit};
use crate::access::Access;
use crate::error::Error;
use crate::flows::Enrollments;
use crate::ids::{ContactId, SequenceId};
use crate::ports::{AccessQueries, Change, ChangeSet, Clock, ContactQueries, Ids, Row, SequenceQueries};
use crate::settle::Setback;

/// Enrolls and exits inside the change sets of runs.
#[derive(Clone)]
#[allow(missing_docs, reason = "the ports that it needs")]
pub struct FlowEnrollments {
    pub sequences: Arc<dyn SequenceQueries>,
    pub contacts: Arc<dyn ContactQueries>,
    pub access: Arc<dyn AccessQueries>,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
}

#[async_trait]
impl Enrollments for FlowEnrollments {
    async fn known(&self, access: &Access, sequences: &[SequenceId]) -> Result<Vec<SequenceId>, Setback> {
        let mut known = Vec::new();
        for sequence in sequences {
            known.extend(self.sequences.get(access, *sequence).await?.map(|it| it.id));
        }
        Ok(known)
    }

    async fn enroll(
        &self,
        access: &Access,
        contact: ContactId,
        sequence: SequenceId,
        set: &mut ChangeSet,
    ) -> Result<String, Setback> {
        let Some(sequence) = self.sequences.get(access, sequence).await? else {
            return Ok("skipped: sequence_missing".to_owned());
        };
        let Some(contact) = self.contacts.find_even_deleted(access, contact).await? else {
            return Ok("skipped: contact_missing".to_owned());
        };
        let last = match pending(set, contact.id, sequence.id) {
            None => self.sequences.last_enrollment(access, sequence.id, contact.id).await?,
            pending => pending,
        };
        let person =
            Person { contact: &contact, workspace_zone: zone_of(&*self.access, access).await?, exit_when_holds: false };
        let added = add_enrollment(set, &sequence, &person, last.as_ref(), access, &*self.clock, &*self.ids);
        Ok(match added {
            Ok(done) if done.outcome == crate::outcome::Outcome::Created => "enrolled".to_owned(),
            Ok(_) => "already enrolled".to_owned(),
            Err(Error::SequenceNotActive) => "skipped: sequence_not_active".to_owned(),
            Err(Error::ReenrollmentForbidden(_)) => "skipped: reenrollment_forbidden".to_owned(),
            Err(error) => return Err(error.into()),
        })
    }

    async fn exit(
        &self,
        access: &Access,
        contact: ContactId,
        sequence: SequenceId,
        set: &mut ChangeSet,
    ) -> Result<String, Setback> {
        let last = match pending(set, contact, sequence) {
            None => self.sequences.last_enrollment(access, sequence, contact).await?,
            pending => pending,
        };
        let Some(live) = last.filter(|last| last.status.is_live()) else { return Ok("was not enrolled".to_owned()) };
        add_exit(set, &live, ExitReason::Manual, access, &*self.clock, &*self.ids);
        Ok("exited".to_owned())
    }
}

/// The enrollment as an earlier node of the same step leaves it.
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
