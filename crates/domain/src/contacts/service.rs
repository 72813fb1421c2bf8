//! Use cases of contacts.

mod create;
mod events;
mod resolve_names;
mod tags;
mod update;

use std::sync::Arc;

use serde_json::Value;

use super::lookup::{find_contact, find_contact_or_survivor};
use super::{Contact, ContactFilter, ContactRef};
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::conditions::{Condition, Mentions, Selection, vocabulary_for};
use crate::error::{Error, Violation};
use crate::events::EventDraft;
use crate::ids::ContactId;
use crate::opt_outs::{OptOuts, refused};
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook};
use crate::pagination::{SortBy, SortedPage, SortedRequest};
use crate::ports::{ChangeSet, Ports};
use crate::retry::{commit_new, commit_outcome, retry_on_conflict};
use crate::sequences::zone_of;

pub(crate) use events::{previous_attributes, tag_event, unsubscribed};

/// The source of a change of consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConsentSource {
    /// A request about this contact, which may subscribe it again.
    Explicit,
    /// One row of many without individual review. Opt-outs stay.
    BulkImport,
}

/// Use cases of contacts.
#[derive(Clone)]
pub struct ContactService {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl ContactService {
    /// Returns a contact that is not deleted.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::ContactMerged`], [`Error::Store`].
    pub async fn get(&self, access: &Access, contact: &ContactRef) -> Result<Contact, Error> {
        find_contact(&self.ports, access, contact).await
    }

    /// Returns a contact, or the one into which it was merged.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn look_up(&self, access: &Access, contact: &ContactRef) -> Result<Contact, Error> {
        find_contact_or_survivor(&self.ports, access, contact).await
    }

    /// Returns the contacts that match a filter.
    ///
    /// # Errors
    /// [`Error::InvalidCursor`], [`Error::Store`].
    pub async fn list(
        &self,
        access: &Access,
        filter: &ContactFilter,
        page: SortedRequest,
    ) -> Result<SortedPage<Contact>, Error> {
        let page = match page.order.by {
            SortBy::Name => page.in_served_order(self.ports.contacts.names_have_sort_keys().await?),
            SortBy::CreatedAt
            | SortBy::UpdatedAt
            | SortBy::LastMessageAt
            | SortBy::WaitingSince
            | SortBy::FoldedName => Some(page),
        };
        Ok(self.ports.contacts.list(access, filter, page.ok_or(Error::InvalidCursor)?).await?)
    }

    /// Reads a condition about contacts for the current state of the workspace. Also returns it with IDs instead of
    /// names.
    ///
    /// # Errors
    /// [`Error::Invalid`] with all violations, with pointers under `pointer`; [`Error::Store`].
    pub async fn selection(
        &self,
        access: &Access,
        condition: &Value,
        pointer: &str,
    ) -> Result<(Selection, Value), Error> {
        let mentions = Mentions::of([condition]);
        let vocabulary = vocabulary_for(access, &*self.ports.fields, &*self.ports.tags, &mentions).await?;
        let told = |wrong: Vec<Violation>| Error::Invalid(wrong.into_iter().map(|it| it.under(pointer)).collect());
        let condition = Condition::parse(condition, &vocabulary).map_err(told)?;
        let zone = zone_of(&*self.ports.access, access).await?;
        let selection = condition.selection(&vocabulary.bot_values(), self.ports.clock.now(), zone);
        Ok((selection.without_retired(&vocabulary), condition.bound().by_id()))
    }

    /// Soft-deletes a contact: hides it, releases its identifiers and addresses, and ends its runs.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn delete(&self, access: &Access, contact: &ContactRef, expected: &ExpectedVersion) -> Result<(), Error> {
        self.delete_once(access, contact, expected, None).await.map(|done| done.value)
    }

    /// Same as [`ContactService::delete`], with an idempotency key.
    ///
    /// # Errors
    /// Those of [`ContactService::delete`].
    pub async fn delete_once(
        &self,
        access: &Access,
        contact: &ContactRef,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, ()>,
    ) -> Result<Done<()>, Error> {
        retry_on_conflict(|| async {
            let contact = self.get(access, contact).await?;
            expected.check(contact.version)?;
            let mut set = ChangeSet::new(access.workspace());
            let id = contact.id;
            self.opt_outs(access).remember(refused(&contact), &mut set).await?;
            self.write_deleted(access, contact, self.ports.clock.now(), &mut set);
            self.audit(&mut set, access, AuditAction::ContactDeleted, id, []);
            let done = Done::changed(());
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    pub(crate) fn opt_outs<'a>(&'a self, access: &'a Access) -> OptOuts<'a> {
        OptOuts { ports: &self.ports, access }
    }

    pub(super) fn tell(&self, set: &mut ChangeSet, access: &Access, draft: EventDraft) {
        self.ports.add_event(draft, access, set);
    }

    /// Records a user's change to a contact in the audit log. Attributes are recorded by name, without values.
    pub(super) fn audit(
        &self,
        set: &mut ChangeSet,
        access: &Access,
        action: AuditAction,
        contact: ContactId,
        names: impl IntoIterator<Item = String>,
    ) {
        let draft = AuditDraft::about(action, Some(contact.to_string()));
        let draft = names.into_iter().fold(draft, |draft, name| draft.withholding(&name));
        self.ports.add_audit(draft.by_person(access), access, set);
    }

    fn audit_tags(&self, set: &mut ChangeSet, access: &Access, contact: ContactId) {
        self.audit(set, access, AuditAction::ContactTagsChanged, contact, ["tags".to_owned()]);
    }

    /// Records in the audit log that an export of contacts starts.
    ///
    /// # Errors
    /// [`Error::Store`]: the export must not start.
    pub async fn note_export(&self, access: &Access) -> Result<(), Error> {
        let mut set = ChangeSet::new(access.workspace());
        let draft = AuditDraft::about(AuditAction::ContactsExported, None);
        self.ports.add_audit(draft, access, &mut set);
        Ok(commit_new(&*self.ports.ledger, set).await?)
    }
}
