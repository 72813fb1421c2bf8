//! Sequences and enrollments.

use async_trait::async_trait;

use super::apply::Applied;
use super::{MemoryStore, State};
use crate::access::Access;
use crate::ids::{ContactId, EnrollmentId, SequenceId, WorkspaceId};
use crate::list_filter::ListFilter;
use crate::memory::tables::filter_fields::Filtered;
use crate::memory::tables::pages::{Answer, at, of, page};
use crate::pagination::{Page, PageRequest};
use crate::ports::{SequenceChange, SequenceQueries};
use crate::sequences::{Enrollment, EnrollmentFilter, EnrollmentStatus, ExitReason, Sequence, SequenceStatus};
use crate::time::Timestamp;

impl State {
    pub(super) fn change_sequences(&mut self, ws: WorkspaceId, change: SequenceChange) -> Applied {
        match change {
            SequenceChange::ExitEnrollments { contact, reason, at } => {
                let of_contact = self.enrollments.iter_mut().filter(|((of, _), it)| *of == ws && it.contact == contact);
                for (_, it) in of_contact.filter(|(_, it)| it.ended_at.is_none()) {
                    it.status = EnrollmentStatus::Exited;
                    it.exit_reason = Some(reason);
                    it.next_run_at = None;
                    it.ended_at = Some(at);
                    it.updated_at = at;
                    it.visit += 1;
                    it.version += 1;
                }
                Ok(())
            }
        }
    }
}

#[async_trait]
impl SequenceQueries for MemoryStore {
    async fn get(&self, access: &Access, sequence: SequenceId) -> Answer<Option<Sequence>> {
        let found = self.lock().sequences.get(&(access.workspace(), sequence)).cloned();
        Ok(found.filter(|it| it.deleted_at.is_none()))
    }

    async fn get_even_deleted(&self, access: &Access, sequence: SequenceId) -> Answer<Option<Sequence>> {
        Ok(self.lock().sequences.get(&(access.workspace(), sequence)).cloned())
    }

    async fn list(
        &self,
        access: &Access,
        filter: &ListFilter<SequenceStatus>,
        request: PageRequest,
    ) -> Answer<Page<Sequence>> {
        let admitted = |it: &Sequence| it.deleted_at.is_none() && filter.admits(&it.filter_fields());
        let found = of(&self.lock().sequences, access.workspace(), admitted);
        Ok(page(found, request, |it: &Sequence| at(it.created_at, it.id)))
    }

    async fn enrollment(&self, access: &Access, enrollment: EnrollmentId) -> Answer<Option<Enrollment>> {
        Ok(self.lock().enrollments.get(&(access.workspace(), enrollment)).cloned())
    }

    async fn last_enrollment(
        &self,
        access: &Access,
        sequence: SequenceId,
        contact: ContactId,
    ) -> Answer<Option<Enrollment>> {
        let pair = |it: &Enrollment| it.sequence == sequence && it.contact == contact;
        Ok(of(&self.lock().enrollments, access.workspace(), pair).into_iter().max_by_key(|it| it.number))
    }

    async fn enrollments(
        &self,
        access: &Access,
        filter: &EnrollmentFilter,
        request: PageRequest,
    ) -> Answer<Page<Enrollment>> {
        let found = of(&self.lock().enrollments, access.workspace(), |it| {
            filter.sequence.is_none_or(|sequence| it.sequence == sequence)
                && filter.contact.is_none_or(|contact| it.contact == contact)
                && filter.status.is_none_or(|status| it.status == status)
        });
        Ok(page(found, request, |it: &Enrollment| at(it.started_at, it.id)))
    }

    async fn live_enrollments(&self, access: &Access, contact: ContactId) -> Answer<Vec<Enrollment>> {
        Ok(of(&self.lock().enrollments, access.workspace(), |it| it.contact == contact && it.ended_at.is_none()))
    }

    async fn outdated_enrollments(
        &self,
        access: &Access,
        sequence: SequenceId,
        revision: i64,
        limit: u32,
    ) -> Answer<Vec<Enrollment>> {
        let mut found = of(&self.lock().enrollments, access.workspace(), |it| {
            it.sequence == sequence && it.ended_at.is_none() && it.revision < revision
        });
        found.truncate(limit as usize);
        Ok(found)
    }

    async fn enrollments_deleted_at(
        &self,
        access: &Access,
        contact: ContactId,
        at: Timestamp,
    ) -> Answer<Vec<Enrollment>> {
        Ok(of(&self.lock().enrollments, access.workspace(), |it| {
            it.contact == contact && it.ended_at == Some(at) && it.exit_reason == Some(ExitReason::ContactDeleted)
        }))
    }
}
