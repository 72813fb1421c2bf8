//! Restoring of deleted contacts.

use super::{Contact, ContactRef, ContactService, ContactView, service};
use crate::access::Access;
use crate::audit::AuditAction;
use crate::error::Error;
use crate::events::{EventDraft, EventKind};
use crate::ids::ContactId;
use crate::opt_outs::keep_sources;
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook, record_of};
use crate::ports::{Change, ChangeSet, ContactChange};
use crate::retry::retry_on_conflict;

impl ContactService {
    /// Returns a contact that is not deleted or that can be restored.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::ContactMerged`], [`Error::Store`].
    pub async fn get_restorable(&self, access: &Access, contact: ContactId) -> Result<Contact, Error> {
        if let Some(living) = self.ports.contacts.find(access, &ContactRef::Id(contact)).await? {
            return Ok(living);
        }
        if let Some(merge) = self.ports.merges.get(access, contact).await? {
            return Err(Error::ContactMerged { into: merge.into });
        }
        let deleted = self.ports.contacts.find_deleted(access, contact).await?;
        let restorable = deleted.filter(|it| it.is_restorable(self.ports.clock.now())).ok_or(Error::NotFound)?;
        match self.ports.erasures.get(access, contact).await? {
            None => Ok(restorable),
            Some(_) => Err(Error::NotFound),
        }
    }

    /// Restores a contact that was deleted at most 30 days ago, with its identifiers, addresses, tags and values. A
    /// contact that is not deleted stays unchanged. Interrupted runs do not resume.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it is missing or was deleted too long ago, [`Error::PreconditionFailed`],
    /// [`Error::ContactExists`] if another contact has an identifier or address in the meantime, [`Error::Store`].
    pub async fn restore(
        &self,
        access: &Access,
        contact: ContactId,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, Contact>,
    ) -> Result<Done<Contact>, Error> {
        retry_on_conflict(|| async {
            let before = self.get_restorable(access, contact).await?;
            expected.check(before.version)?;
            let mut set = ChangeSet::new(access.workspace());
            let done = if before.deleted_at.is_none() {
                Done::unchanged(before)
            } else {
                let mut after = Contact { deleted_at: None, ..before.clone() };
                // In the meantime another contact may have had its identifiers and opted out with them.
                let opted_out = self.opt_outs(access).silence_new(&mut after).await?;
                keep_sources(&before, &mut after);
                after.touch(self.ports.clock.now());
                set.change(Change::Contact(ContactChange::Restore(Box::new(after.clone()))));
                let identities = after.identities.clone();
                set.change(Change::Contact(ContactChange::ReplaceIdentities { contact, identities }));
                opted_out.require(&mut set);
                let view = ContactView::from(&after);
                // The event contains the whole contact, because receivers may have removed it.
                let previous = service::previous_attributes(&ContactView::from(&before), &view);
                let event = EventDraft::new(EventKind::ContactUpdated, &view).with("previous", &previous);
                self.tell(&mut set, access, event.about(contact));
                self.audit(&mut set, access, AuditAction::ContactRestored, contact, []);
                Done::changed(after)
            };
            set.idempotency = record_of(idempotency, &done);
            if set.is_empty() {
                return Ok(done);
            }
            match self.ports.ledger.commit(set).await {
                Ok(()) => Ok(done),
                Err(error) => Err(self.name_existing_contact(access, &done.value, error).await?),
            }
        })
        .await
    }
}
