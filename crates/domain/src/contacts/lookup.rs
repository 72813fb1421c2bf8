//! Lookup of contacts by identifier, with regard to merges.

use super::{Contact, ContactRef};
use crate::access::Access;
use crate::error::Error;
use crate::ports::{Ports, StoreError};

/// Returns the contact with this identifier, unless it is deleted, for a change.
///
/// # Errors
/// [`Error::ContactMerged`] if it was merged into another contact, [`Error::NotFound`], [`Error::Store`].
pub(crate) async fn find_contact(ports: &Ports, access: &Access, named: &ContactRef) -> Result<Contact, Error> {
    if let Some(found) = ports.contacts.find(access, named).await? {
        return Ok(found);
    }
    match survivor(ports, access, named).await? {
        Some(survivor) => Err(Error::ContactMerged { into: survivor.id }),
        None => Err(Error::NotFound),
    }
}

/// Returns the contact with this identifier, or the one into which it was merged, for reading.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Store`].
pub(crate) async fn find_contact_or_survivor(
    ports: &Ports,
    access: &Access,
    named: &ContactRef,
) -> Result<Contact, Error> {
    if let Some(found) = ports.contacts.find(access, named).await? {
        return Ok(found);
    }
    survivor(ports, access, named).await?.ok_or(Error::NotFound)
}

/// Returns the contact into which this one was merged. A merged contact keeps no identifier but its ID.
pub(crate) async fn survivor(
    ports: &Ports,
    access: &Access,
    named: &ContactRef,
) -> Result<Option<Contact>, StoreError> {
    let ContactRef::Id(id) = named else { return Ok(None) };
    let Some(merge) = ports.merges.get(access, *id).await? else { return Ok(None) };
    ports.contacts.find(access, &ContactRef::Id(merge.into)).await
}
