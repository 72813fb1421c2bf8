//! Contacts: the recipients and senders of a workspace's messages.

mod address_limit;
mod attributes;
mod bodies;
mod by_name;
mod cell_errors;
mod changes;
mod channel_reach;
mod commands;
mod email;
mod forms;
mod identifiers;
mod identities;
mod identity;
mod key;
#[cfg(test)]
mod life_tests;
mod lookup;
mod model;
mod phone;
mod restore;
mod rows;
mod service;
#[cfg(test)]
mod service_tests;
mod table;
mod table_columns;
mod tag_changes;
mod tags_and_fields;
mod unreached_recipients;
mod upsert;
mod view;

pub use attributes::Attribute;
pub(crate) use attributes::with_attributes;
pub(crate) use bodies::KnownAttributes;
pub use bodies::PatchedAttributes;
pub use cell_errors::{MOST_WRONG, REASONS, Reasons, WrongCell};
pub use changes::ContactChange;
pub use channel_reach::ChannelReach;
pub use commands::{
    ContactFilter, ContactPatch, ContactRef, Deleted, FieldMatch, MatchPattern, NewContact, NewIdentity, NewTag,
    OnConflict, TagRef,
};
pub use email::{Email, canonical as canonical_email};
pub use forms::{AvatarUrl, ExternalId, InvalidAttribute, Locale, Phone, TimeZone};
pub use identifiers::ContactNames;
pub(crate) use identities::opt_outs;
pub use identity::{Identity, IdentityOptOut, OptOutSource};
pub use key::ContactKey;
pub(crate) use lookup::{find_contact, find_contact_or_survivor, survivor};
pub use model::{AppliedTag, Contact, ContactStatus, MAX_TAGS, RESTORABLE, full_name};
pub use phone::number_spellings;
pub(crate) use phone::without_mobile_one;
pub(crate) use rows::DecidedRow;
pub use rows::RowOutcome;
pub use service::ContactService;
pub(crate) use service::{previous_attributes, tag_event, unsubscribed};
pub use table::{ContactTable, OnError, ReadRow};
pub use table_columns::ReadColumn;
pub(crate) use table_columns::table_field;
pub use unreached_recipients::UnreachedRecipients;
pub use view::{ContactView, DeletedContactView, IdentityView, TagLinkView};
