//! Contacts: the people whom a workspace talks to.

mod attributes;
mod carried;
mod commands;
mod model;
mod service;
#[cfg(test)]
mod service_tests;
mod view;

pub use attributes::{Email, ExternalId, InvalidAttribute, Locale, Phone, TimeZone};
pub use commands::{ContactFilter, ContactPatch, ContactRef, FieldMatch, MatchPattern, NewContact, NewTag, TagRef};
pub use model::{AppliedTag, Contact, ContactStatus, Identity, MAX_TAGS};
pub use service::ContactService;
pub(crate) use service::{previous_attributes, tag_event};
pub use view::{ContactView, DeletedContactView, IdentityView, TagLinkView};
