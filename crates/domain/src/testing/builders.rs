//! Builders of objects for tests. A test sets only the values that it needs.

use serde_json::Value;
use uuid::Uuid;

use crate::access::Actor;
use crate::channels::Channel;
use crate::contacts::{AppliedTag, Contact, Identity};
use crate::flows::Run;
use crate::ids::{ChannelId, ContactId, FlowId, RunId, TagId, TypedId};
use crate::time::Timestamp;

const NOW: Timestamp = Timestamp::EPOCH_2026;

/// Returns a builder of a contact.
pub fn a_contact() -> ContactBuilder {
    ContactBuilder(Contact::new(ContactId::from_uuid(Uuid::from_u128(0xC0)), NOW))
}

/// Builds a contact.
#[derive(Debug, Clone)]
pub struct ContactBuilder(Contact);

impl ContactBuilder {
    /// Sets the first name.
    pub fn named(mut self, first_name: &str) -> Self {
        self.0.first_name = Some(first_name.to_owned());
        self
    }

    /// Adds a tag. Its ID is derived from the name.
    pub fn tagged(mut self, name: &str) -> Self {
        let id = TagId::from_uuid(Uuid::from_u128(name.bytes().fold(0, |sum, byte| sum << 8 | u128::from(byte))));
        self.0.tags.push(AppliedTag { id, name: name.to_owned(), applied_at: NOW });
        self
    }

    /// Sets the value of a custom field.
    pub fn with_field(mut self, key: &str, value: Value) -> Self {
        self.0.custom_fields.insert(key.to_owned(), value);
        self
    }

    /// Adds an address on this channel.
    pub fn on(mut self, channel: &Channel) -> Self {
        let address = self.0.id.to_string();
        self.0.identities.push(Identity::new(channel.id, address, NOW));
        self
    }

    /// Returns the contact.
    pub fn build(self) -> Contact {
        self.0
    }
}

/// Returns the sandbox channel of a workspace.
pub fn a_channel() -> Channel {
    Channel::sandbox(ChannelId::from_uuid(Uuid::from_u128(0xCA)), true, NOW)
}

/// Returns a builder of a run that has not started.
pub fn a_run() -> RunBuilder {
    RunBuilder(Run::new(
        RunId::from_uuid(Uuid::from_u128(0xF0)),
        FlowId::from_uuid(Uuid::from_u128(0xF1)),
        ContactId::from_uuid(Uuid::from_u128(0xC0)),
        Actor::system(),
        NOW,
    ))
}

/// Builds a run.
#[derive(Debug, Clone)]
pub struct RunBuilder(Run);

impl RunBuilder {
    /// Sets the contact.
    pub fn of(mut self, contact: &Contact) -> Self {
        self.0.contact = contact.id;
        self
    }

    /// Sets the next node.
    pub fn at(mut self, node: &str) -> Self {
        self.0.node = Some(node.to_owned());
        self
    }

    /// Returns the run.
    pub fn build(self) -> Run {
        self.0
    }
}
