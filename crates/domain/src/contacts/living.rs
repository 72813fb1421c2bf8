//! Whom a name means: a living contact, or the one into which it was merged.

use super::{Contact, ContactRef};
use crate::access::Access;
use crate::error::Error;
use crate::ports::{Ports, StoreError};

/// The living contact of this name, to be changed.
///
/// # Errors
/// [`Error::ContactMerged`] where it was merged into another that lives, [`Error::NotFound`], [`Error::Store`].
pub(crate) async fn living(ports: &Ports, access: &Access, named: &ContactRef) -> Result<Contact, Error> {
    if let Some(found) = ports.contacts.find(access, named).await? {
        return Ok(found);
    }
    match survivor(ports, access, named).await? {
        Some(survivor) => Err(Error::ContactMerged { into: survivor.id }),
        None => Err(Error::NotFound),
    }
}

/// The living contact of this name, or the one into which it was merged, to be looked at.
///
/// # Errors
/// [`Error::NotFound`], [`Error::Store`].
pub(crate) async fn living_or_survivor(ports: &Ports, access: &Access, named: &ContactRef) -> Result<Contact, Error> {
    if let Some(found) = ports.contacts.find(access, named).await? {
        return Ok(found);
    }
    survivor(ports, access, named).await?.ok_or(Error::NotFound)
}

/// The living contact into which one was merged. Merged ones have no other name than their id.
pub(crate) async fn survivor(
    ports: &Ports,
    access: &Access,
    named: &ContactRef,
) -> Result<Option<Contact>, StoreError> {
    let ContactRef::Id(id) = named else { return Ok(None) };
    let Some(merge) = ports.merges.get(access, *id).await? else { return Ok(None) };
    ports.contacts.find(access, &ContactRef::Id(merge.into)).await
}
