//! External identifiers of a contact.

use super::{Contact, ContactPatch, ContactRef, Email, ExternalId, Phone};
use crate::patch::Patch;

/// The external identifiers of a contact in a row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContactNames {
    /// External ID.
    pub external_id: Option<ExternalId>,
    /// Email address.
    pub email: Option<Email>,
    /// Phone number.
    pub phone: Option<Phone>,
}

impl ContactNames {
    /// The identifiers of a contact.
    pub fn of(contact: &Contact) -> Self {
        let Contact { external_id, email, phone, .. } = contact;
        Self { external_id: external_id.clone(), email: email.clone(), phone: phone.clone() }
    }

    /// The identifiers as references for a lookup.
    pub fn refs(&self) -> Vec<ContactRef> {
        let Self { external_id, email, phone } = self;
        let external_id = external_id.clone().map(ContactRef::ExternalId);
        let email = email.clone().map(ContactRef::Email);
        external_id.into_iter().chain(email).chain(phone.clone().map(ContactRef::Phone)).collect()
    }

    /// Whether this is one of them.
    pub fn has(&self, name: &ContactRef) -> bool {
        match name {
            ContactRef::Id(_) => false,
            ContactRef::ExternalId(it) => self.external_id.as_ref() == Some(it),
            ContactRef::Email(it) => self.email.as_ref().is_some_and(|own| own.is(it)),
            ContactRef::Phone(it) => self.phone.as_ref() == Some(it),
        }
    }

    /// The identifiers with their types. Rows that share a key are about the same contact.
    pub fn keys(&self) -> Vec<String> {
        let Self { external_id, email, phone } = self;
        let external_id = external_id.as_ref().map(|it| format!("external_id {it}"));
        let email = email.as_ref().map(|it| format!("email {}", it.key()));
        external_id.into_iter().chain(email).chain(phone.as_ref().map(|it| format!("phone {it}"))).collect()
    }
}

impl From<&ContactPatch> for ContactNames {
    fn from(patch: &ContactPatch) -> Self {
        fn set<T: Clone>(patch: &Patch<T>) -> Option<T> {
            if let Patch::Set(value) = patch { Some(value.clone()) } else { None }
        }
        Self { external_id: set(&patch.external_id), email: set(&patch.email), phone: set(&patch.phone) }
    }
}
