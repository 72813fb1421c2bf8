//! Marks addresses as undeliverable.

use super::Message;
use crate::access::Access;
use crate::contacts::{ContactView, previous_attributes};
use crate::events::{EventDraft, EventKind};
use crate::ports::{Change, ChangeSet, ContactChange, Guard, Object, Ports, Row, StoreError};
use crate::time::Timestamp;

/// The error codes of messages to an address that is invalid, or unknown to the provider.
const MARKING_CODES: [&str; 2] = ["unreachable", "undeliverable"];

/// Whether a message that failed with this code marks its address as undeliverable.
pub(super) fn marks_address(code: &str) -> bool {
    MARKING_CODES.contains(&code)
}

/// Marks the address of a message as undeliverable since a time, or removes the mark (`None`). The contact that has the
/// address now is changed.
///
/// # Errors
/// [`StoreError`].
pub(super) async fn mark_address(
    ports: &Ports,
    access: &Access,
    message: &Message,
    since: Option<Timestamp>,
    set: &mut ChangeSet,
) -> Result<(), StoreError> {
    let Some(address) = &message.address else { return Ok(()) };
    let found = ports.contacts.by_identity(access, message.channel, address).await?;
    let Some(before) = found else { return Ok(()) };
    let mut contact = before.clone();
    let own = contact.identities.iter_mut().find(|it| it.channel == message.channel && it.address == *address);
    let Some(identity) = own else { return Ok(()) };
    if identity.undeliverable_since.is_some() == since.is_some() {
        return Ok(());
    }
    identity.undeliverable_since = since;
    set.guard(Guard::Version(Object::Contact(contact.id), contact.version));
    contact.touch(ports.clock.now());
    set.change(Change::Update(Row::Contact(Box::new(contact.clone()))));
    let identities = contact.identities.clone();
    set.change(Change::Contact(ContactChange::ReplaceIdentities { contact: contact.id, identities }));
    let view = ContactView::from(&contact);
    let previous = previous_attributes(&ContactView::from(&before), &view);
    let event = EventDraft::new(EventKind::ContactUpdated, &view).with("previous", &previous);
    ports.add_event(event.about(contact.id), access, set);
    Ok(())
}
