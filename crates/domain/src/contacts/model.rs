//! The data model of contacts.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::Serialize;
use serde_json::Value;

use super::forms::AttributeValue;
use super::{Attribute, Email, ExternalId, Identity, Phone, with_attributes};
use crate::ids::{ChannelId, ContactId, TagId};
use crate::pagination::{SortBy, SortKey};
use crate::text::{fold_up_to, search_fold, sort_key};
use crate::time::Timestamp;

/// Maximum number of tags on a contact.
pub const MAX_TAGS: i64 = 100;

/// Time during which a deleted contact can be restored.
pub const RESTORABLE: Duration = Duration::from_secs(30 * 86_400);

/// Maximum length of the folded name as a sort key, in bytes. It must fit into a cursor.
const MAX_NAME_KEY: usize = 400;

/// Whether messages to a contact are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ContactStatus {
    /// Messages are allowed.
    Active,
    /// No messages are sent.
    Blocked,
}

impl ContactStatus {
    /// The words of the API and the store.
    pub const WORDS: [&str; 2] = ["active", "blocked"];

    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Blocked => "blocked",
        }
    }

    /// The status with this word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Active, Self::Blocked].into_iter().find(|status| status.as_str() == word)
    }
}

/// A tag on a contact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppliedTag {
    /// The tag.
    pub id: TagId,
    /// Its name at the time of reading.
    pub name: String,
    /// When it was added.
    pub applied_at: Timestamp,
}

macro_rules! contact {
    ($({ $($(#[$doc:meta])* $variant:ident $name:ident: $type:ty, $kind:ident;)* })*) => {
        /// A contact with its addresses, tags and custom fields.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Contact {
            /// The ID.
            pub id: ContactId,
            $($($(#[$doc])* pub $name: Option<$type>,)*)*
            /// Whether messages to the contact are allowed.
            pub status: ContactStatus,
            /// Whether the contact accepts messages.
            pub subscribed: bool,
            /// Whether it was created without a subscription and has not opted out since. A bulk operation may
            /// subscribe such a contact. False if `subscribed`.
            pub never_subscribed: bool,
            /// Its addresses, with aliases.
            pub identities: Vec<Identity>,
            /// Its tags, in the order of their addition.
            pub tags: Vec<AppliedTag>,
            /// Its custom fields, by key.
            pub custom_fields: BTreeMap<String, Value>,
            /// When the last message was sent or received. Does not change the version.
            pub last_message_at: Option<Timestamp>,
            /// When it was created.
            pub created_at: Timestamp,
            /// When it was last updated.
            pub updated_at: Timestamp,
            /// When it was deleted.
            pub deleted_at: Option<Timestamp>,
            /// Version: 1 at first, incremented by each change.
            pub version: i64,
        }

        impl Contact {
            /// Creates a contact without attributes.
            pub fn new(id: ContactId, now: Timestamp) -> Self {
                Self {
                    id,
                    $($($name: None,)*)*
                    status: ContactStatus::Active,
                    subscribed: true,
                    never_subscribed: false,
                    identities: Vec::new(),
                    tags: Vec::new(),
                    custom_fields: BTreeMap::new(),
                    last_message_at: None,
                    created_at: now,
                    updated_at: now,
                    deleted_at: None,
                    version: 1,
                }
            }

            /// The value of an attribute.
            pub fn attribute(&self, attribute: Attribute) -> Option<&str> {
                match attribute { $($(Attribute::$variant => self.$name.as_ref().map(AttributeValue::text),)*)* }
            }

            /// Sets an attribute, or clears it if there is no text.
            ///
            /// # Errors
            /// A description of the accepted form.
            pub fn set_attribute(&mut self, attribute: Attribute, text: Option<&str>) -> Result<(), String> {
                match attribute {
                    $($(Attribute::$variant => self.$name = text.map(AttributeValue::read).transpose()?,)*)*
                }
                Ok(())
            }

            /// Copies the attributes that this contact lacks from another contact.
            pub(crate) fn fill_from(&mut self, other: &Self) {
                $($(
                    if self.$name.is_none() {
                        self.$name = other.$name.clone();
                    }
                )*)*
            }
        }
    };
}

with_attributes!(contact);

/// Joins the known parts of first and last name.
pub fn full_name(first: Option<&str>, last: Option<&str>) -> Option<String> {
    let parts: Vec<&str> = [first, last].into_iter().flatten().collect();
    if parts.is_empty() { None } else { Some(parts.join(" ")) }
}

impl Contact {
    /// First and last name, if known.
    pub fn name(&self) -> Option<String> {
        full_name(self.first_name.as_deref(), self.last_name.as_deref())
    }

    /// The collation key of the name.
    pub fn name_sort_key(&self) -> Option<Vec<u8>> {
        self.name().map(|name| sort_key(&name))
    }

    /// The folded name, which sorts names until all of them have a collation key.
    pub fn name_key(&self) -> Option<String> {
        self.name().map(|name| fold_up_to(&name, MAX_NAME_KEY))
    }

    /// The searchable text: name, email address in both spellings, phone number and external ID, each in the form of
    /// [`search_fold`].
    pub fn search_text(&self) -> String {
        let (name, canonical) = (self.name(), self.email.as_ref().map(Email::canonical));
        let parts = [
            name.as_deref(),
            self.email.as_ref().map(Email::as_str),
            canonical.as_deref().filter(|it| Some(*it) != self.email.as_ref().map(Email::as_str)),
            self.phone.as_ref().map(Phone::as_str),
            self.external_id.as_ref().map(ExternalId::as_str),
        ];
        search_fold(&parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }

    /// The sort orders of lists of contacts.
    pub const SORTS: [SortBy; 4] = [SortBy::CreatedAt, SortBy::UpdatedAt, SortBy::LastMessageAt, SortBy::Name];

    /// The sort key for one of [`Contact::SORTS`].
    pub fn sort_key(&self, by: SortBy) -> SortKey {
        match by {
            SortBy::CreatedAt | SortBy::WaitingSince => SortKey::Time(Some(self.created_at)),
            SortBy::UpdatedAt => SortKey::Time(Some(self.updated_at)),
            SortBy::LastMessageAt => SortKey::Time(self.last_message_at),
            SortBy::Name => SortKey::Collated(self.name_sort_key()),
            SortBy::FoldedName => SortKey::Text(self.name_key()),
        }
    }

    /// Whether it can be restored at `now`.
    pub fn is_restorable(&self, now: Timestamp) -> bool {
        self.deleted_at.is_some_and(|deleted_at| now.since(deleted_at) <= RESTORABLE)
    }

    /// Whether it has the tag.
    pub fn has_tag(&self, tag: TagId) -> bool {
        self.tags.iter().any(|applied| applied.id == tag)
    }

    /// Increments the version.
    pub fn touch(&mut self, now: Timestamp) {
        self.version += 1;
        self.updated_at = now.max(self.updated_at);
    }

    /// The address of a message on a channel: the first of `last_used` that the contact has, otherwise the
    /// oldest one that accepts messages, otherwise the oldest one. An alias only if it was used.
    pub fn destination(&self, channel: ChannelId, last_used: &[&str]) -> Option<&Identity> {
        let place = |it: &Identity| last_used.iter().position(|used| *used == it.address).unwrap_or(last_used.len());
        let order = |it: &Identity| (place(it), it.is_alias, !it.opted_in);
        let on_channel = self.identities.iter().filter(|it| it.channel == channel);
        on_channel.min_by(|one, other| (order(one), one.rank()).cmp(&(order(other), other.rank())))
    }

    /// The address of messages on a channel if the contact has not written yet.
    pub fn identity(&self, channel: ChannelId) -> Option<&Identity> {
        self.destination(channel, &[])
    }

    /// The oldest address on a channel. The aliases on the channel belong to it.
    pub fn oldest_identity(&self, channel: ChannelId) -> Option<&Identity> {
        let on_channel = self.identities.iter().filter(|it| it.channel == channel && !it.is_alias);
        on_channel.min_by(|one, other| one.rank().cmp(&other.rank()))
    }

    /// The aliases of an address.
    pub fn aliases(&self, of: &Identity) -> Vec<&str> {
        let has_aliases = self.oldest_identity(of.channel) == Some(of);
        let aliases = self.identities.iter().filter(|it| has_aliases && it.is_alias && it.channel == of.channel);
        aliases.map(|it| it.address.as_str()).collect()
    }

    /// Opts an address and its aliases out if one of them is opted out.
    pub(crate) fn share_opt_outs(&mut self) {
        let aliases = self.identities.iter().filter(|it| it.is_alias);
        let channels: BTreeSet<ChannelId> = aliases.map(|it| it.channel).collect();
        for channel in channels {
            let Some(owner) = self.oldest_identity(channel).map(|it| it.address.clone()) else { continue };
            let is_shared = |it: &Identity| it.channel == channel && (it.is_alias || it.address == owner);
            let opted_out = self.identities.iter().filter(|it| is_shared(it) && !it.opted_in);
            let opt_out = opted_out.map(|it| it.opt_out).reduce(|one, other| one.or(other));
            let Some(opt_out) = opt_out else { continue };
            for identity in &mut self.identities {
                if is_shared(identity) {
                    identity.opt_out_by(opt_out);
                }
            }
        }
    }
}
