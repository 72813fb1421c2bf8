//! Updates of contacts.

use serde_json::Value;

use super::events::{previous_attributes, tag_event, unsubscribed};
use super::{ConsentSource, ContactService};
use crate::access::Access;
use crate::audit::AuditAction;
use crate::contacts::{Contact, ContactPatch, ContactRef, ContactView, Email, NewTag, TagLinkView, identities};
use crate::error::Error;
use crate::events::{EventDraft, EventKind};
use crate::fields::{CustomFieldView, FieldRef};
use crate::ids::FieldId;
use crate::opt_outs::{keep_refused, lifted};
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook, record_of};
use crate::ports::{Change, ChangeSet, ContactChange, Row};
use crate::retry::{AttemptError, retry_in_turn};

impl ContactService {
    /// Merges an update into a contact. An update without effect causes no event and no new version.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::ContactExists`],
    /// [`Error::Invalid`], [`Error::Store`].
    pub async fn update(
        &self,
        access: &Access,
        contact: &ContactRef,
        patch: ContactPatch,
        expected: &ExpectedVersion,
    ) -> Result<Contact, Error> {
        self.update_once(access, contact, patch, expected, None).await.map(|done| done.value)
    }

    /// Same as [`ContactService::update`], with an idempotency key.
    ///
    /// # Errors
    /// Those of [`ContactService::update`].
    pub async fn update_once(
        &self,
        access: &Access,
        contact: &ContactRef,
        patch: ContactPatch,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, Contact>,
    ) -> Result<Done<Contact>, Error> {
        retry_in_turn(&self.ports.turns, (access.workspace(), contact.to_string()), || async {
            let before = self.get(access, contact).await?;
            expected.check(before.version)?;
            self.try_update(access, before, (patch.clone(), ConsentSource::Explicit), &[], idempotency).await
        })
        .await
    }

    pub(in crate::contacts) async fn try_update(
        &self,
        access: &Access,
        before: Contact,
        patch: (ContactPatch, ConsentSource),
        tags: &[NewTag],
        idempotency: IdempotencyHook<'_, Contact>,
    ) -> Result<Done<Contact>, AttemptError> {
        let (mut set, done) = self.decide_update(access, before, patch, tags).await?;
        set.idempotency = record_of(idempotency, &done);
        if set.is_empty() {
            return Ok(done);
        }
        match self.ports.ledger.commit(set).await {
            Ok(()) => Ok(done),
            Err(error) => Err(self.name_existing_contact(access, &done.value, error).await?),
        }
    }

    /// Builds the change set that merges an update into a contact. It is empty if nothing changes.
    pub(in crate::contacts) async fn decide_update(
        &self,
        access: &Access,
        before: Contact,
        (mut patch, says): (ContactPatch, ConsentSource),
        tags: &[NewTag],
    ) -> Result<(ChangeSet, Done<Contact>), AttemptError> {
        let now = self.ports.clock.now();
        let mut after = before.clone();
        patch.merge_into(&mut after);
        if after.email.as_ref().map(Email::as_str) == before.email.as_ref().map(Email::as_str) {
            // Another contact may have this address under an earlier key, from before addresses were normalised.
            after.email.clone_from(&before.email);
        }
        let mut set = ChangeSet::new(access.workspace());
        if let Some(named) = &patch.identities {
            after.identities = self.reached(access, &before, named, now, &mut set).await?;
        }
        if says == ConsentSource::BulkImport {
            after.subscribed &= before.subscribed;
            keep_refused(&before, &mut after);
            // A row that repeats the initial `subscribed: false` is no opt-out.
            after.never_subscribed = before.never_subscribed;
        }
        let opt_outs = self.opt_outs(access);
        let found = opt_outs.carry(&before, &mut after, &mut set).await?;
        let attributes_changed = after != before;
        let addresses_changed = after.identities != before.identities;

        let mut resolved = self.resolve(access, tags, &patch.custom_fields, now).await?;
        resolved.add_to(&before)?;
        let (links, changed) = (resolved.links(now), resolved.changed_fields(&before));
        let done = if attributes_changed || !changed.is_empty() || !links.is_empty() {
            after.touch(now);
            resolved.apply_values(&mut after);
            after.tags.extend(links.clone());
            resolved.prepare(&mut set);
            set.change(Change::Update(Row::Contact(Box::new(after.clone()))));
            if addresses_changed {
                let identities = after.identities.clone();
                set.change(Change::Contact(ContactChange::ReplaceIdentities { contact: after.id, identities }));
            }
            if says == ConsentSource::Explicit {
                opt_outs.lift(lifted(&before, &after), &mut set).await?;
            }
            if let Some(found) = found {
                found.require(&mut set);
            }
            resolved.link_tags(&mut set, after.id, now);
            resolved.put_values(&mut set, &before);
            let view = ContactView::from(&after);
            let previous = previous_attributes(&ContactView::from(&before), &view);
            let names =
                previous.keys().cloned().chain(changed.iter().map(|field| format!("custom_fields.{}", field.key)));
            let names = names.chain((!links.is_empty()).then(|| "tags".to_owned()));
            self.audit(&mut set, access, AuditAction::ContactUpdated, after.id, names);
            if attributes_changed {
                let event = EventDraft::new(EventKind::ContactUpdated, &view).with("previous", &previous);
                self.tell(&mut set, access, event.about(after.id));
            }
            for field in changed {
                let value = after.custom_fields.get(&field.key).cloned();
                let event = EventDraft::new(EventKind::ContactFieldChanged, &view)
                    .with("field", &CustomFieldView::from(field))
                    .with("value", &value)
                    .with("previous", &before.custom_fields.get(&field.key));
                self.tell(&mut set, access, event.about(after.id));
            }
            for link in &links {
                let link = TagLinkView { id: link.id, name: link.name.clone(), applied_at: link.applied_at };
                self.tell(&mut set, access, tag_event(EventKind::ContactTagAdded, &view, &link));
            }
            for channel in identities::opt_outs(&before, &after) {
                self.tell(&mut set, access, unsubscribed(&view, channel, "api"));
            }
            Done::changed(after)
        } else {
            // Nothing is written, so no guards are needed.
            set.guards.clear();
            Done::unchanged(before)
        };
        Ok((set, done))
    }

    /// Sets the value of one custom field of a contact; `null` clears it.
    ///
    /// # Errors
    /// [`Error::NotFound`] for contact and field, [`Error::Invalid`] at `/value`,
    /// [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn set_field(
        &self,
        access: &Access,
        contact: &ContactRef,
        field: &FieldRef<FieldId>,
        value: &Value,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, Contact>,
    ) -> Result<Done<Contact>, Error> {
        retry_in_turn(&self.ports.turns, (access.workspace(), contact.to_string()), || async {
            let before = self.get(access, contact).await?;
            let field = self.ports.fields.get(access, field).await?.ok_or(Error::Missing("custom field"))?;
            expected.check(before.version)?;
            if let Some(wrong) = Some(value).filter(|value| !value.is_null()).and_then(|value| field.check(value).err())
            {
                return Err(Error::invalid("/value", wrong.code, wrong.message).into());
            }
            let custom_fields = [(field.key.clone(), value.clone())].into();
            let patch = ContactPatch { custom_fields, ..ContactPatch::default() };
            self.try_update(access, before, (patch, ConsentSource::Explicit), &[], idempotency).await
        })
        .await
    }
}
