//! The contact that an upsert refers to: the ranking of identifiers.

use super::{Attribute, Contact, ContactPatch, ContactRef};
use crate::error::Error;
use crate::ids::ContactId;
use crate::patch::Patch;
use crate::words::words;

words! {
    /// The only identifier that an upsert uses to find its contact; the others are ordinary values.
    #[derive(PartialOrd, Ord)]
    ContactKey {
        /// The external ID.
        ExternalId = "external_id",
        /// The email address.
        Email = "email",
        /// The phone number.
        Phone = "phone",
    }
}

impl ContactKey {
    /// All identifiers, highest-ranked first.
    pub const RANKED: [Self; 3] = [Self::ExternalId, Self::Email, Self::Phone];

    /// The attribute.
    pub fn attribute(self) -> Attribute {
        match self {
            Self::ExternalId => Attribute::ExternalId,
            Self::Email => Attribute::Email,
            Self::Phone => Attribute::Phone,
        }
    }

    /// The reference to a contact by this identifier, if set in the patch.
    pub(super) fn named(self, patch: &ContactPatch) -> Option<ContactRef> {
        match self {
            Self::ExternalId => set(&patch.external_id).map(ContactRef::ExternalId),
            Self::Email => set(&patch.email).map(ContactRef::Email),
            Self::Phone => set(&patch.phone).map(ContactRef::Phone),
        }
    }
}

fn set<T: Clone>(patch: &Patch<T>) -> Option<T> {
    if let Patch::Set(value) = patch { Some(value.clone()) } else { None }
}

/// The identifiers of a request by rank, each with the contact that has it.
pub(super) type IdentifierMatches = Vec<(ContactKey, Option<Contact>)>;

/// Returns the contact that the highest-ranked matching identifier finds. Lower-ranked identifiers may change.
///
/// # Errors
/// [`Error::ContactExists`] if two identifiers match two contacts, or if the contact that was found has a different
/// value for a higher-ranked identifier that did not match: it is another person.
pub(super) fn matched_contact(looked: IdentifierMatches) -> Result<Option<Contact>, Error> {
    let mut unmatched = Vec::new();
    let mut found: Option<Contact> = None;
    for (key, holder) in looked {
        match (holder, &found) {
            (None, None) => unmatched.push(key),
            (Some(holder), None) => {
                if unmatched.iter().any(|higher| holder.attribute(higher.attribute()).is_some()) {
                    return Err(exists(key, holder.id));
                }
                found = Some(holder);
            }
            (Some(holder), Some(meant)) if holder.id != meant.id => return Err(exists(key, holder.id)),
            (_, Some(_)) => {}
        }
    }
    Ok(found)
}

fn exists(key: ContactKey, existing: ContactId) -> Error {
    Error::ContactExists { field: key.as_str(), existing }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::TypedId;
    use crate::testing::a_contact;

    fn contact(number: u128, external_id: Option<&str>, email: Option<&str>, phone: Option<&str>) -> Contact {
        let mut contact = a_contact().build();
        contact.id = ContactId::from_uuid(uuid::Uuid::from_u128(number));
        contact.external_id = external_id.map(|it| it.parse().unwrap());
        contact.email = email.map(|it| it.parse().unwrap());
        contact.phone = phone.map(|it| it.parse().unwrap());
        contact
    }

    #[test]
    fn lower_ranked_identifiers_do_not_take_over_a_contact() {
        use ContactKey::{Email, ExternalId, Phone};
        let ann = contact(1, None, Some("ann@example.com"), Some("+4930777001"));
        let taken = |field: &'static str| Err(Error::ContactExists { field, existing: ann.id });
        assert_eq!(matched_contact(vec![(Email, None), (Phone, Some(ann.clone()))]), taken("phone"));
        let crm = contact(1, Some("crm-1"), Some("ann@example.com"), None);
        assert_eq!(matched_contact(vec![(ExternalId, None), (Email, Some(crm))]), taken("email"));

        let lacking = contact(2, None, None, Some("+4930777001"));
        let found = matched_contact(vec![(ExternalId, None), (Email, None), (Phone, Some(lacking.clone()))]);
        assert_eq!(found, Ok(Some(lacking)), "a contact without the identifier gets it");
        let found = matched_contact(vec![(ExternalId, Some(ann.clone())), (Email, None), (Phone, None)]);
        assert_eq!(found, Ok(Some(ann.clone())), "lower-ranked identifiers may change");

        let other = contact(3, Some("crm-3"), None, None);
        let two = matched_contact(vec![(ExternalId, Some(other)), (Email, Some(ann.clone()))]);
        assert_eq!(two, taken("email"));
        assert_eq!(matched_contact(vec![(Email, None)]), Ok(None));
    }
}
