//! Validated requests about contacts.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Contact, ContactStatus, Email, ExternalId, Phone, with_attributes};
use crate::ids::{ChannelId, ContactId, TagId};
use crate::patch::Patch;

/// An identifier of a contact in a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContactRef {
    /// The ID.
    Id(ContactId),
    /// `external_id:…`.
    ExternalId(ExternalId),
    /// `email:…`.
    Email(Email),
    /// `phone:…`.
    Phone(Phone),
}

impl ContactRef {
    /// Parses an ID, `external_id:…`, `email:…` or `phone:…`. Returns `None` for anything else.
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

impl std::fmt::Display for ContactRef {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Id(id) => write!(out, "{id}"),
            Self::ExternalId(it) => write!(out, "external_id {it}"),
            Self::Email(it) => write!(out, "email {}", it.key()),
            Self::Phone(it) => write!(out, "phone {it}"),
        }
    }
}

/// A reference to a tag to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TagRef {
    /// An existing tag.
    Id(TagId),
    /// A tag by name. A missing tag is created.
    Name(String),
}

/// A tag to add, with its position in the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTag {
    /// The tag.
    pub tag: TagRef,
    /// JSON pointer to it in the body.
    pub pointer: String,
}

impl NewTag {
    /// Creates a tag to add. Errors about it have the pointer of the whole request.
    pub fn new(tag: TagRef) -> Self {
        Self { tag, pointer: String::new() }
    }
}

/// An address to set on a contact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewIdentity {
    /// The channel.
    pub channel: ChannelId,
    /// The address there, 1 to 255 characters.
    pub address: String,
    /// Whether the contact accepts messages there. `None`: an address that the contact has keeps its opt-out, and a new
    /// one accepts messages.
    pub opted_in: Option<bool>,
}

impl NewIdentity {
    /// Creates the address of a contact that accepts messages there, unless it opted out.
    pub fn new(channel: ChannelId, address: impl Into<String>) -> Self {
        Self { channel, address: address.into(), opted_in: None }
    }
}

macro_rules! commands {
    ($({ $($(#[$doc:meta])* $variant:ident $name:ident: $type:ty, $kind:ident;)* })*) => {
        /// A contact to create.
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct NewContact {
            $($($(#[$doc])* pub $name: Option<$type>,)*)*
            /// Default: `active`.
            pub status: Option<ContactStatus>,
            /// Default: true.
            pub subscribed: Option<bool>,
            /// Addresses, in addition to the one on the sandbox.
            pub identities: Option<Vec<NewIdentity>>,
            /// Tags by id or name.
            pub tags: Vec<NewTag>,
            /// Values by the keys of custom fields; `null` means no value.
            pub custom_fields: BTreeMap<String, Value>,
        }

        impl NewContact {
            /// Writes the attributes to a contact.
            pub(super) fn describe(&self, contact: &mut Contact) {
                $($(contact.$name = self.$name.clone();)*)*
                contact.status = self.status.unwrap_or(contact.status);
                contact.subscribed = self.subscribed.unwrap_or(contact.subscribed);
                contact.never_subscribed = !contact.subscribed;
            }
        }

        /// A merging update.
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct ContactPatch {
            $($($(#[$doc])* pub $name: Patch<$type>,)*)*
            /// Whether messages to the contact are allowed.
            pub status: Option<ContactStatus>,
            /// Whether the contact accepts messages.
            pub subscribed: Option<bool>,
            /// All addresses; the one on the sandbox always stays.
            pub identities: Option<Vec<NewIdentity>>,
            /// Values by key; `null` clears.
            pub custom_fields: BTreeMap<String, Value>,
        }

        impl ContactPatch {
            /// Whether it can enlarge a contact. A patch of only the subscription, the status or opt-outs on channels
            /// cannot.
            pub fn may_enlarge(&self) -> bool {
                let Self { status, subscribed, identities, .. } = self;
                let opts_out = |all: &Vec<NewIdentity>| all.iter().all(|it| it.opted_in == Some(false));
                let identities = identities.clone().filter(opts_out);
                *self != Self { status: *status, subscribed: *subscribed, identities, ..Self::default() }
            }

            pub(super) fn merge_into(&mut self, contact: &mut Contact) {
                $($(contact.$name = std::mem::take(&mut self.$name).apply(contact.$name.take());)*)*
                contact.status = self.status.unwrap_or(contact.status);
                if let Some(subscribed) = self.subscribed {
                    (contact.subscribed, contact.never_subscribed) = (subscribed, false);
                }
            }

            /// Sets the attributes that the contact has a value for; the others stay.
            pub(super) fn set_from(&mut self, contact: Contact) {
                $($(
                    if let Some(value) = contact.$name {
                        self.$name = Patch::Set(value);
                    }
                )*)*
            }

            /// The contact to create if none exists; cleared attributes are absent.
            pub fn into_new(self, tags: Vec<NewTag>) -> NewContact {
                NewContact {
                    $($($name: self.$name.apply(None),)*)*
                    status: self.status,
                    subscribed: self.subscribed,
                    identities: self.identities,
                    tags,
                    custom_fields: self.custom_fields,
                }
            }
        }
    };
}

with_attributes!(commands);

/// The handling of an existing contact on creation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnConflict {
    /// The creation is rejected.
    #[default]
    Refuse,
    /// The existing contact is updated.
    Update,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::TypedId;

    #[test]
    fn opt_outs_and_statuses_cannot_enlarge_a_contact() {
        let identity = |opted_in| {
            let (channel, address) = (ChannelId::from_uuid(uuid::Uuid::nil()), "ada".to_owned());
            Some(vec![NewIdentity { channel, address, opted_in: Some(opted_in) }])
        };
        let opt_out = ContactPatch {
            subscribed: Some(false),
            status: Some(ContactStatus::Active),
            identities: identity(false),
            ..ContactPatch::default()
        };
        assert!(!opt_out.may_enlarge() && !ContactPatch::default().may_enlarge());
        let custom_fields = BTreeMap::from([("note".to_owned(), Value::Null)]);
        for patch in [
            ContactPatch { identities: identity(true), ..opt_out.clone() },
            ContactPatch { custom_fields, ..opt_out.clone() },
            ContactPatch { first_name: Patch::Set("Ada".to_owned()), ..opt_out },
        ] {
            assert!(patch.may_enlarge(), "{patch:?}");
        }
    }
}
