//! Use cases of enrollments.

use std::sync::Arc;

use chrono_tz::Tz;

use super::enroll::plan;
use super::{
    Enrollment, EnrollmentFilter, EnrollmentStatus, ExitReason, Person, Sequence, SequenceStatus, add_enrollment,
    add_exit,
};
use crate::access::Access;
use crate::contacts::{Contact, ContactRef, find_contact, find_contact_or_survivor};
use crate::error::Error;
use crate::ids::SequenceId;
use crate::outcome::{Done, IdempotencyHook};
use crate::pagination::{Page, PageRequest};
use crate::ports::{AccessQueries, Change, ChangeSet, Guard, Object, Ports, Row, StoreError};
use crate::retry::{AttemptError, commit_outcome, retry_on_conflict};

/// Use cases of enrollments.
#[derive(Clone)]
pub struct EnrollmentService {
    /// The ports.
    pub ports: Arc<Ports>,
}

pub(crate) async fn zone_of(queries: &dyn AccessQueries, access: &Access) -> Result<Tz, StoreError> {
    let workspace = queries.workspace(access.workspace()).await?;
    Ok(workspace.and_then(|workspace| workspace.time_zone.as_str().parse().ok()).unwrap_or(Tz::UTC))
}

impl EnrollmentService {
    /// Lists the enrollments of a sequence.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn of_sequence(
        &self,
        access: &Access,
        sequence: SequenceId,
        status: Option<EnrollmentStatus>,
        page: PageRequest,
    ) -> Result<Page<Enrollment>, Error> {
        self.sequence(access, sequence).await?;
        let filter = EnrollmentFilter { sequence: Some(sequence), contact: None, status };
        Ok(self.ports.sequences.enrollments(access, &filter, page).await?)
    }

    /// Lists the enrollments of a contact.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn of_contact(
        &self,
        access: &Access,
        contact: &ContactRef,
        status: Option<EnrollmentStatus>,
        page: PageRequest,
    ) -> Result<Page<Enrollment>, Error> {
        let contact = find_contact_or_survivor(&self.ports, access, contact).await?;
        let filter = EnrollmentFilter { sequence: None, contact: Some(contact.id), status };
        Ok(self.ports.sequences.enrollments(access, &filter, page).await?)
    }

    /// Returns the contact's newest enrollment in a sequence, live or ended.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn newest(
        &self,
        access: &Access,
        contact: &ContactRef,
        sequence: SequenceId,
    ) -> Result<Enrollment, Error> {
        let contact = find_contact_or_survivor(&self.ports, access, contact).await?;
        let sequence = self.sequence(access, sequence).await?;
        self.ports.sequences.last_enrollment(access, sequence.id, contact.id).await?.ok_or(Error::Missing("enrollment"))
    }

    /// Enrolls a contact in a sequence. Returns the live enrollment if there is one.
    ///
    /// # Errors
    /// [`Error::NotFound`] for contact and sequence, [`Error::SequenceNotActive`],
    /// [`Error::ReenrollmentForbidden`], [`Error::Store`].
    pub async fn enroll(
        &self,
        access: &Access,
        contact: &ContactRef,
        sequence: SequenceId,
        idempotency: IdempotencyHook<'_, Enrollment>,
    ) -> Result<Done<Enrollment>, Error> {
        retry_on_conflict(|| async {
            let contact = self.contact(access, contact).await?;
            let sequence = self.sequence(access, sequence).await?;
            let last = self.ports.sequences.last_enrollment(access, sequence.id, contact.id).await?;
            let workspace_zone = zone_of(&*self.ports.access, access).await?;
            let person = Person { contact: &contact, workspace_zone, exit_when_holds: false };
            let mut set = ChangeSet::new(access.workspace());
            let (clock, ids) = (&*self.ports.clock, &*self.ports.ids);
            let done = add_enrollment(&mut set, &sequence, &person, last.as_ref(), access, clock, ids)?;
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    /// Removes a contact from a sequence.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the contact is not enrolled, [`Error::Store`].
    pub async fn exit(&self, access: &Access, contact: &ContactRef, sequence: SequenceId) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let (_, _, live) = self.live(access, contact, sequence).await?;
            let mut set = ChangeSet::new(access.workspace());
            add_exit(&mut set, &live, ExitReason::Manual, access, &*self.ports.clock, &*self.ports.ids);
            Ok::<_, AttemptError>(self.ports.ledger.commit(set).await?)
        })
        .await
    }

    /// Pauses an enrollment.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the contact is not enrolled, [`Error::Store`].
    pub async fn pause(
        &self,
        access: &Access,
        contact: &ContactRef,
        sequence: SequenceId,
        idempotency: IdempotencyHook<'_, Enrollment>,
    ) -> Result<Done<Enrollment>, Error> {
        retry_on_conflict(|| async {
            let (_, _, mut live) = self.live(access, contact, sequence).await?;
            let mut set = ChangeSet::new(access.workspace());
            let done = if live.status == EnrollmentStatus::Paused {
                Done::unchanged(live)
            } else {
                live.touch(self.ports.clock.now());
                live.status = EnrollmentStatus::Paused;
                live.next_run_at = None;
                set.change(Change::Update(Row::Enrollment(Box::new(live.clone()))));
                Done::changed(live)
            };
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    /// Resumes a paused enrollment. Delays count as if it had not been paused; an overdue step is due now.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the contact is not enrolled, [`Error::Store`].
    pub async fn resume(
        &self,
        access: &Access,
        contact: &ContactRef,
        sequence: SequenceId,
        idempotency: IdempotencyHook<'_, Enrollment>,
    ) -> Result<Done<Enrollment>, Error> {
        retry_on_conflict(|| async {
            let (contact, sequence, mut live) = self.live(access, contact, sequence).await?;
            let mut set = ChangeSet::new(access.workspace());
            let done = if live.status == EnrollmentStatus::Active {
                Done::unchanged(live)
            } else {
                live.touch(self.ports.clock.now());
                live.status = EnrollmentStatus::Active;
                let workspace_zone = zone_of(&*self.ports.access, access).await?;
                let person = Person { contact: &contact, workspace_zone, exit_when_holds: false };
                set.guard(Guard::Version(Object::Sequence(sequence.id), sequence.version));
                plan(&mut set, &mut live, &sequence, &person, &*self.ports.clock, &*self.ports.ids);
                if sequence.status != SequenceStatus::Active {
                    // It resumes with the sequence, which then plans all enrollments again.
                    set.jobs.clear();
                }
                set.change(Change::Update(Row::Enrollment(Box::new(live.clone()))));
                Done::changed(live)
            };
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    async fn contact(&self, access: &Access, contact: &ContactRef) -> Result<Contact, Error> {
        find_contact(&self.ports, access, contact).await
    }

    async fn sequence(&self, access: &Access, sequence: SequenceId) -> Result<Sequence, Error> {
        self.ports.sequences.get(access, sequence).await?.ok_or(Error::Missing("sequence"))
    }

    async fn live(
        &self,
        access: &Access,
        contact: &ContactRef,
        sequence: SequenceId,
    ) -> Result<(Contact, Sequence, Enrollment), AttemptError> {
        let contact = self.contact(access, contact).await?;
        let sequence = self.sequence(access, sequence).await?;
        let last = self.ports.sequences.last_enrollment(access, sequence.id, contact.id).await?;
        let live = last.filter(|last| last.status.is_live()).ok_or(Error::Missing("enrollment"))?;
        Ok((contact, sequence, live))
    }
}
