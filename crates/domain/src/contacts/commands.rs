//! Valid requests about contacts.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{ContactStatus, Email, ExternalId, Locale, Phone, TimeZone};
use crate::conditions::Selection;
use crate::ids::{ContactId, FieldId, TagId};
use crate::patch::Patch;
use crate::time::Timestamp;

/// How a request names a contact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContactRef {
    /// By its id.
    Id(ContactId),
    /// `external_id:…`.
    ExternalId(ExternalId),
    /// `email:…`.
    Email(Email),
    /// `phone:…`.
    Phone(Phone),
}

impl ContactRef {
    /// Reads an id, `external_id:…`, `email:…` or `phone:…`; anything else names no contact.
    pub fn parse(text: &str) -> Option<Self> {
        if let Ok(id) = text.parse() {
            return Some(Self::Id(id));
        }
        match text.split_once(':')? {
            ("external_id", value) => value.parse().ok().map(Self::ExternalId),
            ("email", value) => value.parse().ok().map(Self::Email),
            ("phone", value) => value.parse().ok().map(Self::Phone),
            _ => None,
        }
    }
}

/// How a request names a tag that a contact shall carry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TagRef {
    /// An existing tag.
    Id(TagId),
    /// A tag by its name; one that is not there yet is made.
    Name(String),
}

/// A tag to put on a contact, and where the request names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTag {
    /// The tag.
    pub tag: TagRef,
    /// Where in the body it stands.
    pub pointer: String,
}

/// A contact to be made.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NewContact {
    /// The client's own name for it.
    pub external_id: Option<ExternalId>,
    /// Given name, 1 to 100 characters.
    pub first_name: Option<String>,
    /// Family name, 1 to 100 characters.
    pub last_name: Option<String>,
    /// E-mail address.
    pub email: Option<Email>,
    /// Telephone number.
    pub phone: Option<Phone>,
    /// Preferred language.
    pub locale: Option<Locale>,
    /// Where its clock stands.
    pub time_zone: Option<TimeZone>,
    /// `active` when absent.
    pub status: Option<ContactStatus>,
    /// True when absent.
    pub subscribed: Option<bool>,
    /// Tags by id or name.
    pub tags: Vec<NewTag>,
    /// Values by the keys of custom fields; `null` is no value.
    pub custom_fields: BTreeMap<String, Value>,
}

/// A merging update.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ContactPatch {
    /// The client's own name for it.
    pub external_id: Patch<ExternalId>,
    /// Given name.
    pub first_name: Patch<String>,
    /// Family name.
    pub last_name: Patch<String>,
    /// E-mail address.
    pub email: Patch<Email>,
    /// Telephone number.
    pub phone: Patch<Phone>,
    /// Preferred language.
    pub locale: Patch<Locale>,
    /// Where its clock stands.
    pub time_zone: Patch<TimeZone>,
    /// Whether it may be written to.
    pub status: Option<ContactStatus>,
    /// Whether it wants to be written to.
    pub subscribed: Option<bool>,
    /// Values by key; `null` clears.
    pub custom_fields: BTreeMap<String, Value>,
}

/// A custom field that must have a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldMatch {
    /// The field.
    pub field: FieldId,
    /// How the stored value is recognised; see [`crate::fields::FieldDefinition::match_pattern`].
    pub pattern: MatchPattern,
}

/// How the match key of a stored value is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MatchPattern {
    /// The whole key is equal.
    Equal(String),
    /// The key of a list of options holds this element, separators included.
    Element(String),
}

/// Which contacts a list shows; all parts must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContactFilter {
    /// With this e-mail address.
    pub email: Option<Email>,
    /// With this telephone number.
    pub phone: Option<Phone>,
    /// With this external id.
    pub external_id: Option<ExternalId>,
    /// Carrying all of these tags.
    pub tags: Vec<TagId>,
    /// With all of these values.
    pub fields: Vec<FieldMatch>,
    /// Chosen by a condition.
    pub selection: Option<Selection>,
    /// Made at or after.
    pub created_after: Option<Timestamp>,
    /// Made before.
    pub created_before: Option<Timestamp>,
}
