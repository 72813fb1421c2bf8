//! A contact as returned by the API and sent in events.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::{Attribute, Contact, ContactStatus, IdentityOptOut, with_attributes};
use crate::ids::{ChannelId, ContactId, TagId};
use crate::time::Timestamp;

/// An address of a contact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct IdentityView {
    /// The channel.
    pub channel_id: ChannelId,
    /// The contact's address there.
    pub address: String,
    /// Other addresses of the contact on the channel, as the provider named them or a merge kept them. Messages from
    /// them belong to the contact, and `opted_in` applies to them too.
    pub aliases: Vec<String>,
    /// Whether the contact accepts messages at this address.
    pub opted_in: bool,
    /// How and when the address was opted out. `null` if it is opted in, or if that is not known.
    pub opt_out: Option<IdentityOptOut>,
    /// Since when the provider cannot deliver messages to this address. Flows, sequences, schedules and broadcasts do
    /// not send to it. `null` again after a message from the address, or after a delivery to it.
    pub undeliverable_since: Option<Timestamp>,
}

/// A tag of a contact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct TagLinkView {
    /// ID of the tag.
    pub id: TagId,
    /// Name of the tag.
    pub name: String,
    /// When the tag was added.
    pub applied_at: Timestamp,
}

macro_rules! views {
    (
        { $($(#[$doc:meta])* $variant:ident $name:ident: $type:ty, $kind:ident;)* }
        { $($(#[$more_doc:meta])* $more_variant:ident $more:ident: $more_type:ty, $more_kind:ident;)* }
    ) => {
        /// A contact.
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Contact))]
        #[non_exhaustive]
        pub struct ContactView {
            /// The ID.
            pub id: ContactId,
            $($(#[$doc])* pub $name: Option<String>,)*
            /// First and last name combined.
            pub name: Option<String>,
            $($(#[$more_doc])* pub $more: Option<String>,)*
            /// `active`, or `blocked`: no messages are sent.
            pub status: ContactStatus,
            /// Whether the contact accepts messages.
            pub subscribed: bool,
            /// Addresses of the contact.
            pub identities: Vec<IdentityView>,
            /// The tags, sorted by the time at which they were added.
            pub tags: Vec<TagLinkView>,
            /// Values by the keys of custom fields; fields without a value are absent.
            pub custom_fields: BTreeMap<String, Value>,
            /// When the last message was sent or received. Does not change the version.
            pub last_message_at: Option<Timestamp>,
            /// When the contact was created.
            pub created_at: Timestamp,
            /// When the contact was last updated.
            pub updated_at: Timestamp,
            /// When the contact was deleted.
            pub deleted_at: Option<Timestamp>,
            /// Version: 1 at first, incremented by each change.
            pub version: i64,
        }

        impl From<&Contact> for ContactView {
            fn from(it: &Contact) -> Self {
                Self {
                    id: it.id,
                    $($name: it.attribute(Attribute::$variant).map(ToOwned::to_owned),)*
                    name: it.name(),
                    $($more: it.attribute(Attribute::$more_variant).map(ToOwned::to_owned),)*
                    status: it.status,
                    subscribed: it.subscribed,
                    identities: it
                        .identities
                        .iter()
                        .filter(|identity| !identity.is_alias)
                        .map(|identity| IdentityView {
                            channel_id: identity.channel,
                            address: identity.address.clone(),
                            aliases: it.aliases(identity).into_iter().map(ToOwned::to_owned).collect(),
                            opted_in: identity.opted_in,
                            opt_out: identity.opt_out.filter(|_| !identity.opted_in),
                            undeliverable_since: identity.undeliverable_since,
                        })
                        .collect(),
                    tags: it
                        .tags
                        .iter()
                        .map(|tag| TagLinkView { id: tag.id, name: tag.name.clone(), applied_at: tag.applied_at })
                        .collect(),
                    custom_fields: it.custom_fields.clone(),
                    last_message_at: it.last_message_at,
                    created_at: it.created_at,
                    updated_at: it.updated_at,
                    deleted_at: it.deleted_at,
                    version: it.version,
                }
            }
        }
    };
}

with_attributes!(views);

/// The identifiers of a deleted contact.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DeletedContactView {
    /// The ID.
    pub id: ContactId,
    /// The client's own name for it.
    pub external_id: Option<String>,
    /// When it was deleted.
    pub deleted_at: Option<Timestamp>,
}

impl From<&Contact> for DeletedContactView {
    fn from(it: &Contact) -> Self {
        let external_id = it.external_id.as_ref().map(ToString::to_string);
        Self { id: it.id, external_id, deleted_at: it.deleted_at }
    }
}
