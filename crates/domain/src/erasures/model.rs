use serde::Serialize;

use crate::contacts::Contact;
use crate::ids::ContactId;
use crate::time::Timestamp;

/// The erasure of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Erasure {
    /// ID of the contact.
    pub contact: ContactId,
    /// When the erasure was last requested.
    pub requested_at: Timestamp,
    /// When the erasure was completed.
    pub erased_at: Option<Timestamp>,
}

/// Status of an erasure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ErasureStatus {
    /// The contact is deleted; the rest of the data is being removed.
    Erasing,
    /// All data is removed.
    Erased,
}

/// The erasure of a contact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Erasure))]
#[non_exhaustive]
pub struct ErasureView {
    /// ID of the contact.
    pub contact_id: ContactId,
    /// `erasing` until all data is removed, then `erased`.
    pub status: ErasureStatus,
    /// When the erasure was requested.
    pub requested_at: Timestamp,
    /// When the erasure was completed.
    pub erased_at: Option<Timestamp>,
}

impl From<&Erasure> for ErasureView {
    fn from(it: &Erasure) -> Self {
        let status = if it.erased_at.is_some() { ErasureStatus::Erased } else { ErasureStatus::Erasing };
        Self { contact_id: it.contact, status, requested_at: it.requested_at, erased_at: it.erased_at }
    }
}

impl Erasure {
    /// Returns the emptied row of a contact: only its existence and its deletion are known.
    pub fn emptied(before: &Contact, now: Timestamp) -> Contact {
        let mut after = Contact::new(before.id, before.created_at);
        after.version = before.version;
        after.updated_at = before.updated_at;
        after.touch(now);
        after.deleted_at = before.deleted_at.or(Some(now));
        after
    }
}
