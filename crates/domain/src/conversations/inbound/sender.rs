//! The contact of an inbound message: known, or new.

use super::super::received::{InboundMessage, Profile, shown_name};
use super::InboundService;
use crate::access::Access;
use crate::channels::Channel;
use crate::contacts::{Contact, ContactRef, Email, Phone, number_spellings};
use crate::ids::{ChannelId, ContactId, TypedId};
use crate::ports::StoreError;

impl InboundService {
    /// Returns the sender, if known.
    pub(super) async fn sender(
        &self,
        access: &Access,
        channel: &Channel,
        inbound: &InboundMessage,
    ) -> Result<Option<Contact>, StoreError> {
        let Profile { phone, aliases, .. } = &inbound.profile;
        let spellings = phone.as_ref().map(|_| number_spellings(&inbound.address)).unwrap_or_default();
        let emails = match self.ports.connectors.addresses_are_emails(channel.kind) {
            true => email_spellings(&inbound.address),
            false => Vec::new(),
        };
        for address in std::iter::once(&inbound.address).chain(aliases).chain(&spellings).chain(&emails) {
            if let Some(contact) = self.ports.contacts.by_identity(access, channel.id, address).await? {
                return Ok(Some(contact));
            }
        }
        if !self.ports.connectors.addresses_by_contact_id(channel.kind) {
            return self.owner(access, &inbound.profile).await;
        }
        let named = match (inbound.address.parse(), inbound.address.parse()) {
            (Ok(id), _) => ContactRef::Id(id),
            (_, Ok(external_id)) => ContactRef::ExternalId(external_id),
            _ => return Ok(None),
        };
        self.ports.contacts.find(access, &named).await
    }

    /// Returns the contact with the phone number or the email address that the provider vouches for. A contact with an
    /// address on any channel is not returned, because the person at that address may have typed the value.
    async fn owner(&self, access: &Access, profile: &Profile) -> Result<Option<Contact>, StoreError> {
        let spellings = profile.phone.as_ref().map(|phone| number_spellings(phone.as_str())).unwrap_or_default();
        let others = spellings.into_iter().filter_map(|it| it.parse::<Phone>().ok());
        let phones = profile.phone.clone().into_iter().chain(others).map(ContactRef::Phone);
        for named in phones.chain(profile.email.clone().map(ContactRef::Email)) {
            if let Some(contact) = self.ports.contacts.find(access, &named).await? {
                let own = contact.id.to_string();
                return Ok(Some(contact).filter(|it| it.identities.iter().all(|identity| identity.address == own)));
            }
        }
        Ok(None)
    }

    /// Returns the addresses of the sender, with aliases, that the contact lacks and no other contact has. A number in
    /// another spelling is not added.
    pub(super) async fn new_addresses(
        &self,
        access: &Access,
        channel: &Channel,
        inbound: &InboundMessage,
        contact: &Contact,
    ) -> Result<Vec<String>, StoreError> {
        let has =
            |address: &String| contact.identities.iter().any(|it| it.channel == channel.id && it.address == *address);
        let is_spelled_otherwise =
            inbound.profile.phone.is_some() && number_spellings(&inbound.address).iter().any(has);
        let own = Some(&inbound.address).filter(|address| !is_spelled_otherwise && !has(address));
        let mut added: Vec<String> = own.cloned().into_iter().collect();
        for alias in inbound.profile.aliases.iter().filter(|alias| !has(alias)) {
            let is_free = self.ports.contacts.by_identity(access, channel.id, alias).await?.is_none();
            if is_free && !added.contains(alias) {
                added.push(alias.clone());
            }
        }
        Ok(added)
    }

    /// Returns the profile, without a phone number and an email address that another contact has.
    pub(super) async fn free_profile(
        &self,
        access: &Access,
        profile: &Profile,
        contact: &Contact,
    ) -> Result<Profile, StoreError> {
        let mut profile = profile.clone();
        if let Some(phone) = profile.phone.clone().filter(|_| contact.phone.is_none()) {
            let holder = self.ports.contacts.find(access, &ContactRef::Phone(phone)).await?;
            profile.phone = profile.phone.filter(|_| holder.is_none());
        }
        if let Some(email) = profile.email.clone().filter(|_| contact.email.is_none()) {
            let holder = self.ports.contacts.find(access, &ContactRef::Email(email)).await?;
            profile.email = profile.email.filter(|_| holder.is_none());
        }
        Ok(profile)
    }

    /// Creates the contact of an unknown sender.
    pub(super) fn stranger(&self, channel: &Channel, inbound: &InboundMessage) -> Contact {
        let mut contact = Contact::new(ContactId::from_uuid(self.ports.ids.next()), self.ports.clock.now());
        contact.first_name = inbound.name.as_deref().and_then(shown_name);
        if self.ports.connectors.addresses_by_contact_id(channel.kind) {
            contact.external_id = inbound.address.parse().ok();
        }
        contact
    }
}

/// Returns the spellings of an email address with its domain in Unicode and in ASCII. Empty for an address with other
/// characters than its parsed form, such as the Kelvin sign in place of a `k`: it can belong to another person.
fn email_spellings(address: &str) -> Vec<String> {
    let email = address.parse::<Email>().ok().filter(|email| email.as_str() == address);
    email.map(|email| std::iter::once(email.canonical()).chain(email.earlier_keys()).collect()).unwrap_or_default()
}

/// Returns these addresses, and then the other spellings of those that are numbers: providers and address books differ in
/// them.
pub(super) fn spellings(addresses: &[String]) -> Vec<String> {
    let others = addresses.iter().flat_map(|address| number_spellings(address));
    addresses.iter().cloned().chain(others).collect()
}

/// Corrects the address of a contact that differs from the sender's number only in the plus sign, because providers
/// send to one of the two forms. Returns whether it changed.
pub(super) fn respell(contact: &mut Contact, channel: ChannelId, inbound: &InboundMessage) -> bool {
    let digits = |address: &str| address.strip_prefix('+').unwrap_or(address).to_owned();
    let is_known = contact.identities.iter().any(|it| it.channel == channel && it.address == inbound.address);
    if is_known || inbound.profile.phone.is_none() {
        return false;
    }
    let sender = digits(&inbound.address);
    let same = contact.identities.iter_mut().find(|it| it.channel == channel && digits(&it.address) == sender);
    let is_changed = same.is_some();
    if let Some(identity) = same {
        identity.address.clone_from(&inbound.address);
    }
    is_changed
}

/// Returns the contact's address from which the message came, in the spelling of the contact. `None` if the sender
/// stated the external ID.
pub(super) fn last_used_address(contact: &Contact, channel: ChannelId, inbound: &InboundMessage) -> Option<String> {
    let spellings = inbound.profile.phone.as_ref().map(|_| number_spellings(&inbound.address)).unwrap_or_default();
    let is_own =
        |address: &&String| contact.identities.iter().any(|it| it.channel == channel && it.address == **address);
    std::iter::once(&inbound.address).chain(&spellings).find(is_own).cloned()
}

/// Returns the addresses of a message's sender, in the spelling of the contact.
pub(super) fn used_addresses(contact: &Contact, channel: ChannelId, inbound: &InboundMessage) -> Vec<String> {
    last_used_address(contact, channel, inbound).into_iter().chain(inbound.profile.aliases.iter().cloned()).collect()
}

/// Removes the mark that the sender's address is undeliverable, because a message from it shows that it works. Returns
/// whether it was marked.
pub(super) fn clear_undeliverable(contact: &mut Contact, channel: ChannelId, inbound: &InboundMessage) -> bool {
    let Some(own) = last_used_address(contact, channel, inbound) else { return false };
    let own = contact.identities.iter_mut().find(|it| it.channel == channel && it.address == own);
    own.is_some_and(|it| it.undeliverable_since.take().is_some())
}

/// Marks the other addresses that the provider named as aliases. If the sender's address was an alias of one of them,
/// it becomes an address. An earlier opt-out of a new alias also applies to its address.
pub(super) fn mark_aliases(contact: &mut Contact, channel: ChannelId, inbound: &InboundMessage) {
    let Some(own) = last_used_address(contact, channel, inbound) else { return };
    let named = &inbound.profile.aliases;
    let mut has_address = false;
    for identity in contact.identities.iter_mut().filter(|it| it.channel == channel) {
        identity.is_alias |= identity.address != own && named.contains(&identity.address);
        has_address |= !identity.is_alias;
    }
    let own = contact.identities.iter_mut().find(|it| it.channel == channel && it.address == own);
    if let Some(own) = own.filter(|_| !has_address) {
        own.is_alias = false;
    }
    contact.share_opt_outs();
}
