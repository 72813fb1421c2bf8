//! Reviews the enrollments of a changed sequence in small commits.
//!
//! The progress is stored in the enrollments: each has the revision of the sequence at its last decision.

use std::sync::Arc;

use super::enroll::plan;
use super::enrollment_service::zone_of;
use super::{EnrollmentStatus, ExitReason, Person, SequenceStatus, add_exit};
use crate::access::{Access, Actor};
use crate::error::Error;
use crate::ids::SequenceId;
use crate::ports::{Change, ChangeSet, ClaimedJob, Guard, Object, Ports, Row, StoreError};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::work::ignore_lost_claim;

/// Number of enrollments per commit.
const BATCH: u32 = 50;

/// Reviews the enrollments of changed sequences.
#[derive(Clone)]
pub struct SequenceReviewer {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl SequenceReviewer {
    /// Plans some enrollments of a sequence again, or ends them if the sequence has ended. The job is rescheduled until
    /// no outdated enrollment is left.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn review(&self, access: &Access, job: &ClaimedJob, sequence: SequenceId) -> Result<(), Error> {
        retry_on_conflict(|| self.try_review(access, job, sequence)).await
    }

    async fn try_review(&self, access: &Access, job: &ClaimedJob, id: SequenceId) -> Result<(), AttemptError> {
        let access = access.acting_as(Actor::sequence(id));
        let mut set = ChangeSet::new(access.workspace());
        let sequence = self.ports.sequences.get_even_deleted(&access, id).await?;
        // A paused sequence is reviewed when it is resumed.
        let sequence = sequence.filter(|it| it.is_over() || it.status == SequenceStatus::Active);
        let Some(sequence) = sequence else {
            set.change(job.finish());
            return ignore_lost_claim(self.ports.ledger.commit(set).await);
        };
        let waiting = self.ports.sequences.outdated_enrollments(&access, id, sequence.revision, BATCH).await?;
        if waiting.is_empty() {
            set.change(job.finish());
            return ignore_lost_claim(self.ports.ledger.commit(set).await);
        }
        let due_at = self.ports.clock.now();
        set.change(job.reschedule(due_at, None));
        if sequence.is_over() {
            for enrollment in &waiting {
                let reason = ExitReason::SequenceArchived;
                add_exit(&mut set, enrollment, reason, &access, &*self.ports.clock, &*self.ports.ids);
            }
            return ignore_lost_claim(self.ports.ledger.commit(set).await);
        }
        set.guard(Guard::Version(Object::Sequence(sequence.id), sequence.version));
        let workspace_zone = zone_of(&*self.ports.access, &access).await?;
        for mut enrollment in waiting {
            enrollment.touch(due_at);
            enrollment.revision = sequence.revision;
            if enrollment.status == EnrollmentStatus::Active {
                let contact = self.ports.contacts.find_even_deleted(&access, enrollment.contact).await?;
                let lost = || StoreError::Corrupt(format!("the contact of {} is missing", enrollment.id));
                let contact = contact.ok_or_else(lost)?;
                let person = Person { contact: &contact, workspace_zone, exit_when_holds: false };
                plan(&mut set, &mut enrollment, &sequence, &person, &*self.ports.clock, &*self.ports.ids);
            }
            set.change(Change::Update(Row::Enrollment(Box::new(enrollment))));
        }
        ignore_lost_claim(self.ports.ledger.commit(set).await)
    }
}
