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
use crate::outcome::{Done, IdempotencyHook};
use crate::ports::{Change, ChangeSet, FlowChange, ImportChange, Job, NewJob, Ports, SequenceChange};
use crate::retry::{AttemptError, commit_outcome, retry_on_conflict};
use crate::sequences::ExitReason;
use crate::time::Timestamp;

/// Use cases of erasures.
#[derive(Clone)]
pub struct ErasureService {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl ErasureService {
    /// Erases a contact, also a deleted one, which is only found by its ID. The contact, its addresses, tags and values
    /// are deleted immediately; a job deletes the rest. A repeated request returns the status, and starts again if new
    /// data was stored. Opt-outs are remembered as digests of addresses and names; for a deleted contact, since its
    /// deletion.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there never was such a contact, [`Error::ContactMerged`], [`Error::Store`].
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
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    /// Erases a contact that was deleted before `before`. A contact that was erased or restored since stays unchanged.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub(super) async fn erase_deleted(
        &self,
        access: &Access,
        contact: ContactId,
        before: Timestamp,
    ) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let found = self.ports.contacts.find_even_deleted(access, contact).await?;
            let is_over = |it: &Contact| it.deleted_at.is_some_and(|at| at < before);
            let Some(deleted) = found.filter(is_over) else { return Ok(()) };
            if self.ports.erasures.get(access, contact).await?.is_some() {
                return Ok(());
            }
            let mut set = ChangeSet::new(access.workspace());
            self.erase_merged(access, contact, &mut set).await?;
            self.begin(access, &deleted, &mut set);
            self.ports.ledger.commit(set).await?;
            Ok::<_, AttemptError>(())
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

    /// Queues jobs that delete the data still stored under contacts that were merged into this one.
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
            // Receivers get only the ID. The event is not linked to the contact, because events about the contact are
            // erased.
            let event = EventDraft::new(EventKind::ContactDeleted, &DeletedContactView::from(&contact));
            self.ports.add_event(event, access, set);
        }
        let draft = AuditDraft::about(AuditAction::ContactErased, Some(id.to_string()));
        self.ports.add_audit(draft, access, set);
        set.change(Change::Import(ImportChange::Forget(ContactNames::of(before))));
        set.change(Change::Erasure(ErasureChange::Begin { contact: Box::new(contact), erasure }));
        let job = JobId::from_uuid(self.ports.ids.next());
        set.jobs.push(NewJob::new(job, Job::EraseContact { contact: id }, now));
        erasure
    }
}
