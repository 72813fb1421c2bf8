//! How many contacts a channel reaches.

use super::{Contact, ContactStatus};
use crate::ids::ChannelId;

/// Numbers of contacts, by whether a message on a channel can reach them. Each number includes the next one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChannelReach {
    /// All contacts.
    pub contacts: u64,
    /// Contacts that are not blocked.
    pub not_blocked: u64,
    /// Subscribed contacts.
    pub subscribed: u64,
    /// Contacts with an address on the channel.
    pub with_address: u64,
    /// Contacts with an address that is opted in.
    pub opted_in: u64,
}

impl ChannelReach {
    /// Counts a contact.
    pub(crate) fn add(&mut self, contact: &Contact, channel: ChannelId) {
        let is_not_blocked = contact.status != ContactStatus::Blocked;
        let is_subscribed = is_not_blocked && contact.subscribed;
        let addresses = || contact.identities.iter().filter(|it| is_subscribed && it.channel == channel);
        self.contacts += 1;
        self.not_blocked += u64::from(is_not_blocked);
        self.subscribed += u64::from(is_subscribed);
        self.with_address += u64::from(addresses().next().is_some());
        self.opted_in += u64::from(addresses().any(|it| it.opted_in));
    }
}
