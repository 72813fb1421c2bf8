//! The use case: a person is to be forgotten.

use std::sync::Arc;

use super::{Erasure, ErasureChange};
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::contacts::{Contact, ContactNames, ContactRef, DeletedContactView, survivor};
use crate::error::Error;
use crate::events::{EventDraft, EventKind};
use crate::ids::{ContactId, JobId, TypedId};
use crate::merges::MAX_MERGED;
use crate::opt_outs::{OptOuts, refused};
use crate::outcome::{Done, IdempotencyHook, record_of};
use crate::ports::{Change, ChangeSet, FlowChange, ImportChange, Job, NewJob, Ports, SequenceChange};
use crate::retry::retry_on_conflict;
use crate::sequences::ExitReason;

/// Use cases of erasing people.
#[derive(Clone)]
pub struct ErasureService {
    /// What it asks of the outside.
    pub ports: Arc<Ports>,
}

impl ErasureService {
    /// Erases a person for good, be the contact there or deleted; one that is deleted is named by its id. The contact is
    /// gone at once, with its addresses, tags and values; a job removes the rest. Asked for again, it tells how that
    /// stands, and begins anew where something came to be kept after all. What the person refused is remembered by digests
    /// of addresses and names; of one that is deleted that is so since then.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there never was such a contact, [`Error::ContactMerged`], [`Error::Store`].
    pub async fn erase(
        &self,
        access: &Access,
        contact: &ContactRef,
        idempotency: IdempotencyHook<'_, Erasure>,
    ) -> Result<Done<Erasure>, Error> {
        retry_on_conflict(|| async {
            let before = self.find(access, contact).await?;
            let earlier = self.ports.erasures.get(access, before.id).await?;
            let mut set = ChangeSet::new(access.workspace());
            let done = match earlier {
                Some(earlier) if earlier.erased_at.is_none() => Done::accepted(earlier),
                Some(earlier) if !self.ports.erasures.is_left(access, before.id).await? => Done::unchanged(earlier),
                _ => {
                    self.erase_merged(access, before.id, &mut set).await?;
                    if before.deleted_at.is_none() {
                        let opt_outs = OptOuts { ports: &self.ports, access };
                        opt_outs.remember(refused(&before), &mut set).await?;
                    }
                    Done::accepted(self.begin(access, &before, &mut set))
                }
            };
            set.idempotency = record_of(idempotency, &done);
            if !set.is_empty() {
                self.ports.ledger.commit(set).await?;
            }
            Ok(done)
        })
        .await
    }

    async fn find(&self, access: &Access, contact: &ContactRef) -> Result<Contact, Error> {
        if let Some(living) = self.ports.contacts.find(access, contact).await? {
            return Ok(living);
        }
        let ContactRef::Id(id) = contact else { return Err(Error::NotFound) };
        if let Some(survivor) = survivor(&self.ports, access, contact).await? {
            return Err(Error::ContactMerged { into: survivor.id });
        }
        self.ports.contacts.find_even_deleted(access, *id).await?.ok_or(Error::NotFound)
    }

    /// What is still kept under the names of those who were merged into the contact goes with it.
    async fn erase_merged(&self, access: &Access, contact: ContactId, set: &mut ChangeSet) -> Result<(), Error> {
        let now = self.ports.clock.now();
        for merge in self.ports.merges.merged_into(access, contact, MAX_MERGED as u32).await? {
            let job = JobId::from_uuid(self.ports.ids.next());
            set.jobs.push(NewJob::new(job, Job::EraseContact { contact: merge.contact }, now));
        }
        Ok(())
    }

    fn begin(&self, access: &Access, before: &Contact, set: &mut ChangeSet) -> Erasure {
        let (id, now) = (before.id, self.ports.clock.now());
        let contact = Erasure::emptied(before, now);
        let erasure = Erasure { contact: id, requested_at: now, erased_at: None };
        set.change(Change::Flow(FlowChange::InterruptRuns { contact: id, at: now }));
        let reason = ExitReason::ContactDeleted;
        set.change(Change::Sequence(SequenceChange::ExitEnrollments { contact: id, reason, at: now }));
        if before.deleted_at.is_none() {
            // Receivers hear of it by the id alone. It is not about the contact: what is goes with the person.
            let event = EventDraft::new(EventKind::ContactDeleted, &DeletedContactView::from(&contact));
            set.tell(event, access, &*self.ports.clock, &*self.ports.ids);
        }
        let draft = AuditDraft::about(AuditAction::ContactErased, Some(id.to_string()));
        set.audit(draft, access, &*self.ports.clock, &*self.ports.ids);
        set.change(Change::Import(ImportChange::Forget(ContactNames::of(before))));
        set.change(Change::Erasure(ErasureChange::Begin { contact: Box::new(contact), erasure }));
        let job = JobId::from_uuid(self.ports.ids.next());
        set.jobs.push(NewJob::new(job, Job::EraseContact { contact: id }, now));
        erasure
    }
}
