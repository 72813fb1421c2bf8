//! Adding and removing of a contact's tags.

use super::ContactService;
use super::events::tag_event;
use crate::access::{Access, Scope};
use crate::contacts::{AppliedTag, Contact, ContactRef, ContactView, NewTag, TagLinkView, TagRef};
use crate::error::Error;
use crate::events::EventKind;
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook};
use crate::ports::{Change, ChangeSet, Row, TagChange};
use crate::retry::{commit_outcome, retry_in_turn};
use crate::text::fold;

impl ContactService {
    /// Adds a tag to a contact. Unchanged if the contact already has it.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Invalid`], [`Error::Full`], [`Error::Store`].
    pub async fn add_tag(
        &self,
        access: &Access,
        contact: &ContactRef,
        tag: NewTag,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, Contact>,
    ) -> Result<Done<Contact>, Error> {
        retry_in_turn(&self.ports.turns, (access.workspace(), contact.to_string()), || async {
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
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    /// Removes a tag from a contact.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the contact does not exist or does not have the tag, [`Error::PreconditionFailed`],
    /// [`Error::Store`].
    pub async fn remove_tag(
        &self,
        access: &Access,
        contact: &ContactRef,
        tag: &TagRef,
        expected: &ExpectedVersion,
    ) -> Result<(), Error> {
        retry_in_turn(&self.ports.turns, (access.workspace(), contact.to_string()), || async {
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

    /// Replaces the contact's tags, with one event per added or removed tag. Unknown tag names are created. Removing a
    /// tag is a deletion and requires the scope for it.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Invalid`], [`Error::ScopeTooLow`],
    /// [`Error::Full`], [`Error::Store`].
    pub async fn replace_tags(
        &self,
        access: &Access,
        contact: &ContactRef,
        tags: &[NewTag],
        expected: &ExpectedVersion,
    ) -> Result<Contact, Error> {
        retry_in_turn(&self.ports.turns, (access.workspace(), contact.to_string()), || async {
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
}
