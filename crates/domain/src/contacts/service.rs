//! Use cases of contacts.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::tags_and_fields::{self, ResolvedTagsAndFields};
use super::{
    AppliedTag, Contact, ContactFilter, ContactPatch, ContactRef, ContactView, Identity, NewContact, NewIdentity,
    NewTag, TagLinkView, TagRef, identities,
    living::{living, living_or_survivor},
};
use crate::access::{Access, Scope};
use crate::audit::{AuditAction, AuditDraft};
use crate::channels::{Channel, ChannelKind};
use crate::conditions::{Condition, Selection, vocabulary_for};
use crate::error::{Error, Violation};
use crate::events::{EventDraft, EventKind};
use crate::fields::{CustomFieldView, FieldRef};
use crate::ids::{ChannelId, ContactId, FieldId, TagId, TypedId};
use crate::opt_outs::{OptOuts, freed, lifted, new_marks, refused, silence};
use crate::outcome::{Done, Expected, IdempotencyHook, record_of};
use crate::pagination::{SortedPage, SortedRequest};
use crate::ports::{
    Change, ChangeSet, CommitError, Conflict, ContactChange, Guard, Object, Ports, Row, StoreError, TagChange,
    UniqueKey,
};
use crate::retry::{AttemptError, commit_new, retry_on_conflict};
use crate::text::fold;

/// On whose word a contact changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    /// Somebody means this contact, and may say that it wants to hear again.
    Itself,
    /// A row of many, that nobody looks at: what was refused stays refused.
    Table,
}

/// Use cases of contacts.
#[derive(Clone)]
pub struct ContactService {
    /// What it asks of the outside.
    pub ports: Arc<Ports>,
}

impl ContactService {
    /// A living contact.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::ContactMerged`], [`Error::Store`].
    pub async fn get(&self, access: &Access, contact: &ContactRef) -> Result<Contact, Error> {
        living(&self.ports, access, contact).await
    }

    /// A living contact, or the one into which it was merged.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn look_up(&self, access: &Access, contact: &ContactRef) -> Result<Contact, Error> {
        living_or_survivor(&self.ports, access, contact).await
    }

    /// Contacts that satisfy a filter.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn list(
        &self,
        access: &Access,
        filter: &ContactFilter,
        page: SortedRequest,
    ) -> Result<SortedPage<Contact>, Error> {
        Ok(self.ports.contacts.list(access, filter, page).await?)
    }

    /// Reads a condition about contacts against the workspace as it is now.
    ///
    /// # Errors
    /// [`Error::Invalid`] with everything that is wrong, pointers under `pointer`; [`Error::Store`].
    pub async fn selection(&self, access: &Access, condition: &Value, pointer: &str) -> Result<Selection, Error> {
        let vocabulary = vocabulary_for(access, &*self.ports.fields, &*self.ports.tags, &[condition]).await?;
        let told = |wrong: Vec<Violation>| Error::Invalid(wrong.into_iter().map(|it| it.under(pointer)).collect());
        let condition = Condition::parse(condition, &vocabulary).map_err(told)?;
        Ok(condition.selection(&vocabulary.bot_values(), self.ports.clock.now()).without_retired(&vocabulary))
    }

    /// Makes a contact, with tags and values; tags that are named and not there yet are made too.
    ///
    /// # Errors
    /// [`Error::ContactExists`], [`Error::Invalid`], [`Error::Full`], [`Error::Store`].
    pub async fn create(
        &self,
        access: &Access,
        command: NewContact,
        idempotency: IdempotencyHook<'_, Contact>,
    ) -> Result<Done<Contact>, Error> {
        retry_on_conflict(|| self.try_create(access, &command, idempotency)).await
    }

    pub(super) async fn try_create(
        &self,
        access: &Access,
        command: &NewContact,
        idempotency: IdempotencyHook<'_, Contact>,
    ) -> Result<Done<Contact>, AttemptError> {
        let (mut set, done) = self.decide_create(access, command).await?;
        set.idempotency = record_of(idempotency, &done);
        match self.ports.ledger.commit(set).await {
            Ok(()) => Ok(done),
            Err(error) => Err(self.taken(access, &done.value, error).await?),
        }
    }

    /// What makes a contact, to be committed.
    pub(super) async fn decide_create(
        &self,
        access: &Access,
        command: &NewContact,
    ) -> Result<(ChangeSet, Done<Contact>), AttemptError> {
        let now = self.ports.clock.now();
        let mut contact = Contact::new(ContactId::from_uuid(self.ports.ids.next()), now);
        command.describe(&mut contact);

        let mut set = ChangeSet::new(access.workspace());
        let resolved = self.resolve(access, &command.tags, &command.custom_fields, now).await?;
        resolved.prepare(&mut set);
        contact.tags = resolved.links(now);
        contact.custom_fields = resolved.values();
        // On other channels a contact has an address of its own.
        let channel = self.default_channel(access, command, &mut set).await?;
        if let Some(channel) = channel.filter(|channel| channel.kind == ChannelKind::Sandbox) {
            let address = contact.id.to_string();
            contact.identities.push(Identity { channel: channel.id, address, opted_in: true });
        }
        if let Some(named) = &command.identities {
            contact.identities = self.reached(access, &contact, named, &mut set).await?;
        }
        let opted_out = self.opt_outs(access).silence_new(&mut contact).await?;
        set.change(Change::Insert(Row::Contact(Box::new(contact.clone()))));
        for identity in &contact.identities {
            set.change(Change::Contact(ContactChange::InsertIdentity {
                contact: contact.id,
                identity: identity.clone(),
            }));
        }
        opted_out.require(&mut set);
        resolved.attach(&mut set, contact.id, now);

        let view = ContactView::from(&contact);
        self.tell(&mut set, access, EventDraft::new(EventKind::ContactCreated, &view).about(contact.id));
        for tag in &view.tags {
            self.tell(&mut set, access, tag_event(EventKind::ContactTagAdded, &view, tag));
        }
        self.audit(&mut set, access, AuditAction::ContactCreated, contact.id, []);
        Ok((set, Done::created(contact)))
    }

    /// The channel of messages that name none. Where new tags come with the contact the catalog is about to change, and is
    /// not read for that.
    async fn default_channel(
        &self,
        access: &Access,
        command: &NewContact,
        set: &mut ChangeSet,
    ) -> Result<Option<Channel>, StoreError> {
        if !command.tags.is_empty() {
            return self.ports.channels.default_channel(access).await;
        }
        let catalog = self.ports.catalog.catalog(access.workspace()).await?;
        set.guard(Guard::Catalog(catalog.revision));
        Ok(catalog.default_channel().cloned())
    }

    /// Merges an update into a contact. What stays the same causes no event and no new version.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::ContactExists`],
    /// [`Error::Invalid`], [`Error::Store`].
    pub async fn update(
        &self,
        access: &Access,
        contact: &ContactRef,
        patch: ContactPatch,
        expected: &Expected,
    ) -> Result<Contact, Error> {
        self.update_once(access, contact, patch, expected, None).await.map(|done| done.value)
    }

    /// As [`ContactService::update`], once under an idempotency key.
    ///
    /// # Errors
    /// Those of [`ContactService::update`].
    pub async fn update_once(
        &self,
        access: &Access,
        contact: &ContactRef,
        patch: ContactPatch,
        expected: &Expected,
        idempotency: IdempotencyHook<'_, Contact>,
    ) -> Result<Done<Contact>, Error> {
        retry_on_conflict(|| async {
            let before = self.get(access, contact).await?;
            expected.check(before.version)?;
            self.try_update(access, before, (patch.clone(), Says::Itself), &[], idempotency).await
        })
        .await
    }

    pub(super) async fn try_update(
        &self,
        access: &Access,
        before: Contact,
        patch: (ContactPatch, Says),
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
            Err(error) => Err(self.taken(access, &done.value, error).await?),
        }
    }

    /// What merges an update into a contact, to be committed; nothing where all stays as it is.
    pub(super) async fn decide_update(
        &self,
        access: &Access,
        before: Contact,
        (mut patch, says): (ContactPatch, Says),
        tags: &[NewTag],
    ) -> Result<(ChangeSet, Done<Contact>), AttemptError> {
        let now = self.ports.clock.now();
        let mut after = before.clone();
        patch.merge_into(&mut after);
        let mut set = ChangeSet::new(access.workspace());
        if let Some(named) = &patch.identities {
            after.identities = self.reached(access, &before, named, &mut set).await?;
        }
        let opt_outs = self.opt_outs(access);
        let mut asked = new_marks(&before, &after);
        if says == Says::Table {
            asked.extend(lifted(&before, &after));
        }
        let found = if asked.is_empty() { None } else { Some(opt_outs.among(asked).await?) };
        if let Some(found) = &found {
            silence(&mut after, &found.marks);
        }
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
            if says == Says::Itself {
                opt_outs.lift(lifted(&before, &after), &mut set).await?;
            }
            opt_outs.remember(freed(&before, &after), &mut set).await?;
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
            // Nothing is written, so nothing need be held.
            set.guards.clear();
            Done::unchanged(before)
        };
        Ok((set, done))
    }

    /// Soft-deletes a contact: hides it, frees its identifiers and addresses, ends its runs.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn delete(&self, access: &Access, contact: &ContactRef, expected: &Expected) -> Result<(), Error> {
        self.delete_once(access, contact, expected, None).await.map(|done| done.value)
    }

    /// As [`ContactService::delete`], once under an idempotency key.
    ///
    /// # Errors
    /// Those of [`ContactService::delete`].
    pub async fn delete_once(
        &self,
        access: &Access,
        contact: &ContactRef,
        expected: &Expected,
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
            set.idempotency = record_of(idempotency, &done);
            self.ports.ledger.commit(set).await?;
            Ok(done)
        })
        .await
    }

    /// Puts a tag on a contact; unchanged where it is already there.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Invalid`], [`Error::Full`], [`Error::Store`].
    pub async fn add_tag(
        &self,
        access: &Access,
        contact: &ContactRef,
        tag: NewTag,
        expected: &Expected,
        idempotency: IdempotencyHook<'_, Contact>,
    ) -> Result<Done<Contact>, Error> {
        retry_on_conflict(|| async {
            let contact = self.get(access, contact).await?;
            expected.check(contact.version)?;
            let now = self.ports.clock.now();
            let mut resolved = self.resolve(access, std::slice::from_ref(&tag), &Default::default(), now).await?;
            resolved.add_to(&contact)?;
            let links = resolved.links(now);
            let mut set = ChangeSet::new(access.workspace());
            let done = if links.is_empty() {
                Done::unchanged(contact)
            } else {
                resolved.prepare(&mut set);
                self.audit_tags(&mut set, access, contact.id);
                Done::created(self.write_tagged(access, contact, &links, now, &mut set))
            };
            set.idempotency = record_of(idempotency, &done);
            if !set.is_empty() {
                self.ports.ledger.commit(set).await?;
            }
            Ok(done)
        })
        .await
    }

    /// Takes a tag off a contact.
    ///
    /// # Errors
    /// [`Error::NotFound`] where the contact is not there or does not carry it,
    /// [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn remove_tag(
        &self,
        access: &Access,
        contact: &ContactRef,
        tag: &TagRef,
        expected: &Expected,
    ) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let contact = self.get(access, contact).await?;
            expected.check(contact.version)?;
            let is_it = |link: &AppliedTag| match tag {
                TagRef::Id(id) => link.id == *id,
                TagRef::Name(name) => fold(&link.name) == fold(name),
            };
            let place = contact.tags.iter().position(is_it).ok_or(Error::Missing("tag"))?;
            let mut set = ChangeSet::new(access.workspace());
            self.audit_tags(&mut set, access, contact.id);
            self.write_untagged(access, contact, place, self.ports.clock.now(), &mut set);
            Ok(self.ports.ledger.commit(set).await?)
        })
        .await
    }

    /// The contact's tags become these, with one event for each that comes or goes; tags that are named and not there
    /// yet are made. Taking one off is a deletion, for which the scope must suffice.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Invalid`], [`Error::ScopeTooLow`],
    /// [`Error::Full`], [`Error::Store`].
    pub async fn replace_tags(
        &self,
        access: &Access,
        contact: &ContactRef,
        tags: &[NewTag],
        expected: &Expected,
    ) -> Result<Contact, Error> {
        retry_on_conflict(|| async {
            let before = self.get(access, contact).await?;
            expected.check(before.version)?;
            let now = self.ports.clock.now();
            let mut resolved = self.resolve(access, tags, &Default::default(), now).await?;
            let (stay, gone): (Vec<AppliedTag>, Vec<AppliedTag>) =
                before.tags.iter().cloned().partition(|link| resolved.has_tag(link.id));
            if !gone.is_empty() && !access.allows(Scope::Full) {
                return Err(Error::ScopeTooLow(Scope::Full).into());
            }
            let mut after = Contact { tags: stay, ..before.clone() };
            resolved.add_to(&after)?;
            let come = resolved.links(now);
            if gone.is_empty() && come.is_empty() {
                return Ok(before);
            }
            after.touch(now);
            after.tags.extend(come.clone());
            let mut set = ChangeSet::new(access.workspace());
            resolved.prepare(&mut set);
            set.change(Change::Update(Row::Contact(Box::new(after.clone()))));
            for link in &gone {
                set.change(Change::Tag(TagChange::Unlink { contact: after.id, tag: link.id }));
            }
            resolved.link_tags(&mut set, after.id, now);
            let view = ContactView::from(&after);
            let kinds = [(EventKind::ContactTagRemoved, gone), (EventKind::ContactTagAdded, come)];
            for (kind, links) in kinds {
                for AppliedTag { id, name, applied_at } in links {
                    self.tell(&mut set, access, tag_event(kind, &view, &TagLinkView { id, name, applied_at }));
                }
            }
            self.audit_tags(&mut set, access, after.id);
            self.ports.ledger.commit(set).await?;
            Ok(after)
        })
        .await
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
        expected: &Expected,
        idempotency: IdempotencyHook<'_, Contact>,
    ) -> Result<Done<Contact>, Error> {
        retry_on_conflict(|| async {
            let before = self.get(access, contact).await?;
            let field = self.ports.fields.get(access, field).await?.ok_or(Error::Missing("custom field"))?;
            expected.check(before.version)?;
            if let Some(wrong) = Some(value).filter(|value| !value.is_null()).and_then(|value| field.check(value).err())
            {
                return Err(Error::invalid("/value", wrong.code, wrong.message).into());
            }
            let custom_fields = [(field.key.clone(), value.clone())].into();
            let patch = ContactPatch { custom_fields, ..ContactPatch::default() };
            self.try_update(access, before, (patch, Says::Itself), &[], idempotency).await
        })
        .await
    }

    pub(crate) fn opt_outs<'a>(&'a self, access: &'a Access) -> OptOuts<'a> {
        OptOuts { ports: &self.ports, access }
    }

    async fn resolve(
        &self,
        access: &Access,
        tags: &[NewTag],
        values: &std::collections::BTreeMap<String, Value>,
        now: crate::time::Timestamp,
    ) -> Result<ResolvedTagsAndFields, AttemptError> {
        let known_tags = tags_and_fields::known_tags(&*self.ports.tags, access, tags).await?;
        let fields = if values.is_empty() { Vec::new() } else { self.ports.fields.all(access).await? };
        Ok(ResolvedTagsAndFields::resolve(
            tags,
            &known_tags,
            values,
            fields,
            || TagId::from_uuid(self.ports.ids.next()),
            now,
        )?)
    }

    /// The addresses that a contact gets; holds their channels, so that none is deleted meanwhile.
    async fn reached(
        &self,
        access: &Access,
        contact: &Contact,
        named: &[NewIdentity],
        set: &mut ChangeSet,
    ) -> Result<Vec<Identity>, AttemptError> {
        let mut ids: Vec<ChannelId> = named.iter().map(|it| it.channel).collect();
        ids.sort_unstable();
        ids.dedup();
        let mut channels = Vec::new();
        for id in ids {
            channels.extend(self.ports.channels.get(access, id).await?);
        }
        let identities = identities::resolve(contact, named, &channels)?;
        for channel in channels {
            set.guard(Guard::Live(Object::Channel(channel.id)));
        }
        Ok(identities)
    }

    pub(super) fn tell(&self, set: &mut ChangeSet, access: &Access, draft: EventDraft) {
        set.tell(draft, access, &*self.ports.clock, &*self.ports.ids);
    }

    /// Has the audit log tell what a person did to a contact: of attributes their names alone.
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
        set.audit(draft.by_person(access), access, &*self.ports.clock, &*self.ports.ids);
    }

    fn audit_tags(&self, set: &mut ChangeSet, access: &Access, contact: ContactId) {
        self.audit(set, access, AuditAction::ContactTagsChanged, contact, ["tags".to_owned()]);
    }

    /// Has the audit log tell that contacts are about to be exported, whoever asks.
    ///
    /// # Errors
    /// [`Error::Store`]: nothing is to be exported then.
    pub async fn note_export(&self, access: &Access) -> Result<(), Error> {
        let mut set = ChangeSet::new(access.workspace());
        let draft = AuditDraft::about(AuditAction::ContactsExported, None);
        set.audit(draft, access, &*self.ports.clock, &*self.ports.ids);
        Ok(commit_new(&*self.ports.ledger, set).await?)
    }

    /// Turns a taken identifier or address into the contact that holds it.
    pub(super) async fn taken(
        &self,
        access: &Access,
        wanted: &Contact,
        error: CommitError,
    ) -> Result<AttemptError, AttemptError> {
        let CommitError::Conflict(Conflict::Exists(key)) = error else { return Ok(error.into()) };
        let (field, holder) = match key {
            UniqueKey::ContactEmail => ("email", wanted.email.clone().map(ContactRef::Email)),
            UniqueKey::ContactPhone => ("phone", wanted.phone.clone().map(ContactRef::Phone)),
            UniqueKey::ContactExternalId => ("external_id", wanted.external_id.clone().map(ContactRef::ExternalId)),
            UniqueKey::Identity => {
                for identity in &wanted.identities {
                    let holder = self.ports.contacts.by_identity(access, identity.channel, &identity.address).await?;
                    if let Some(holder) = holder.filter(|holder| holder.id != wanted.id) {
                        return Ok(AttemptError::Final(Error::ContactExists { field: "address", existing: holder.id }));
                    }
                }
                return Ok(AttemptError::Retry);
            }
            _ => return Ok(AttemptError::Retry),
        };
        let Some(holder) = holder else { return Ok(AttemptError::Retry) };
        Ok(match self.ports.contacts.find(access, &holder).await? {
            Some(holder) => AttemptError::Final(Error::ContactExists { field, existing: holder.id }),
            None => AttemptError::Retry,
        })
    }
}

pub(crate) fn tag_event(kind: EventKind, contact: &ContactView, tag: &TagLinkView) -> EventDraft {
    EventDraft::new(kind, contact).with("tag", tag).about(contact.id)
}

/// A contact opted out of a channel, or of everything.
pub(crate) fn unsubscribed(contact: &ContactView, channel: Option<ChannelId>, source: &str) -> EventDraft {
    let event = EventDraft::new(EventKind::ContactUnsubscribed, contact).about(contact.id);
    event.with("channel_id", &channel).with("source", &source)
}

/// The attributes that an update changed, as they were.
pub(crate) fn previous_attributes(before: &ContactView, after: &ContactView) -> Map<String, Value> {
    const BOOKKEEPING: [&str; 4] = ["updated_at", "version", "custom_fields", "tags"];
    let (Ok(Value::Object(before)), Ok(Value::Object(after))) =
        (serde_json::to_value(before), serde_json::to_value(after))
    else {
        return Map::new();
    };
    let changed = before.into_iter().filter(|(name, value)| after.get(name) != Some(value));
    changed.filter(|(name, _)| !BOOKKEEPING.contains(&name.as_str())).collect()
}
