//! Creation of contacts.

use super::ContactService;
use super::events::tag_event;
use crate::access::Access;
use crate::audit::AuditAction;
use crate::channels::Channel;
use crate::contacts::{Contact, ContactView, Identity, NewContact};
use crate::error::Error;
use crate::events::{EventDraft, EventKind};
use crate::ids::{ContactId, TypedId};
use crate::outcome::{Done, IdempotencyHook, record_of};
use crate::ports::{Change, ChangeSet, ContactChange, Guard, Row, StoreError};
use crate::retry::{AttemptError, retry_on_conflict};

impl ContactService {
    /// Creates a contact with tags and values. Unknown tag names are created.
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

    pub(in crate::contacts) async fn try_create(
        &self,
        access: &Access,
        command: &NewContact,
        idempotency: IdempotencyHook<'_, Contact>,
    ) -> Result<Done<Contact>, AttemptError> {
        let (mut set, done) = self.decide_create(access, command).await?;
        set.idempotency = record_of(idempotency, &done);
        match self.ports.ledger.commit(set).await {
            Ok(()) => Ok(done),
            Err(error) => Err(self.name_existing_contact(access, &done.value, error).await?),
        }
    }

    /// Builds the change set that creates a contact.
    pub(in crate::contacts) async fn decide_create(
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
        // On other channels, addresses are not contact IDs.
        let channel = self.default_channel(access, command, &mut set).await?;
        if let Some(channel) = channel.filter(|it| self.ports.connectors.addresses_by_contact_id(it.kind)) {
            let address = contact.id.to_string();
            contact.identities.push(Identity::new(channel.id, address, now));
        }
        if let Some(named) = &command.identities {
            contact.identities = self.reached(access, &contact, named, now, &mut set).await?;
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

    /// Returns the default channel. With new tags it is read separately and without a guard, because the set itself
    /// changes the catalog.
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
}
