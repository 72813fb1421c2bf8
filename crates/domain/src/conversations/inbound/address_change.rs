//! Changes of a contact's address at the provider, such as a new phone number.

use super::super::received::AddressChange;
use super::InboundService;
use super::sender::spellings;
use crate::access::{Access, Actor};
use crate::channels::Channel;
use crate::contacts::{Contact, ContactView, Identity, previous_attributes};
use crate::error::Error;
use crate::events::{EventDraft, EventKind};
use crate::ids::ChannelId;
use crate::opt_outs::OptOuts;
use crate::ports::{Change, ChangeSet, ContactChange, Guard, Object, Row, StoreError};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::time::Timestamp;

impl InboundService {
    /// Gives a contact its new address on the channel. The earlier one becomes an alias, and its opt-in also applies to
    /// the new one. A change of an unknown address has no effect, and neither has one to an address of another contact,
    /// a late one, or a repeated event. If the contact has the maximum number of addresses and none can be removed, it
    /// keeps its address.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn change_address(
        &self,
        access: &Access,
        channel: &Channel,
        change: &AddressChange,
    ) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let mut set = ChangeSet::new(access.workspace());
            self.add_address_change(access, channel, change, &mut set).await?;
            self.commit_event(channel.id, change.event, set).await
        })
        .await
    }

    async fn add_address_change(
        &self,
        access: &Access,
        channel: &Channel,
        change: &AddressChange,
        set: &mut ChangeSet,
    ) -> Result<(), AttemptError> {
        let mut earlier = spellings(&change.earlier);
        earlier.retain(|address| !change.current.contains(address));
        let change = &AddressChange { earlier, ..change.clone() };
        let Some(before) = self.holder(access, channel, change).await? else { return Ok(()) };
        let mut free = Vec::new();
        for address in &change.current {
            let mut is_free = true;
            for spelling in spellings(std::slice::from_ref(address)) {
                let holder = self.ports.contacts.by_identity(access, channel.id, &spelling).await?;
                is_free &= holder.is_none_or(|it| it.id == before.id);
            }
            if is_free {
                free.push(address.clone());
            }
        }
        let now = self.ports.clock.now();
        let mut contact = before.clone();
        let free = contact.make_room(channel.id, free, &change.earlier);
        let Some(new) = change.current.first().filter(|new| free.contains(new)) else { return Ok(()) };
        let Some(replaced) = replace_address(&mut contact, channel.id, (change, &free), now) else { return Ok(()) };
        let access = access.acting_as(Actor::contact(contact.id));
        let opt_outs = OptOuts { ports: &self.ports, access: &access };
        let found = opt_outs.carry(&before, &mut contact, set).await?;
        set.guard(Guard::Version(Object::Contact(contact.id), contact.version));
        contact.touch(now);
        set.change(Change::Update(Row::Contact(Box::new(contact.clone()))));
        let identities = contact.identities.clone();
        set.change(Change::Contact(ContactChange::ReplaceIdentities { contact: contact.id, identities }));
        if let Some(found) = found {
            found.require(set);
        }
        if let Some(mut conversation) = self.ports.conversations.between(&access, contact.id, channel.id).await? {
            let is_earlier = |it: &String| *it == replaced.address || change.earlier.contains(it);
            if conversation.reply_address.as_ref().is_some_and(is_earlier) {
                conversation.reply_address = Some(new.clone());
                conversation.version += 1;
                conversation.updated_at = now.max(conversation.updated_at);
                set.change(Change::Update(Row::Conversation(conversation)));
            }
        }
        let view = ContactView::from(&contact);
        let previous = previous_attributes(&ContactView::from(&before), &view);
        let event = EventDraft::new(EventKind::ContactUpdated, &view).with("previous", &previous);
        self.ports.add_event(event.about(contact.id), &access, set);
        Ok(())
    }

    /// Returns the contact with one of the earlier addresses.
    async fn holder(
        &self,
        access: &Access,
        channel: &Channel,
        change: &AddressChange,
    ) -> Result<Option<Contact>, StoreError> {
        for address in &change.earlier {
            if let Some(contact) = self.ports.contacts.by_identity(access, channel.id, address).await? {
                return Ok(Some(contact));
            }
        }
        Ok(None)
    }
}

/// Gives a contact the new addresses that are free, the first one in place of the earlier address, the others as
/// aliases. Returns the replaced address; `None` if nothing changes.
fn replace_address(
    contact: &mut Contact,
    channel: ChannelId,
    (change, free): (&AddressChange, &[String]),
    now: Timestamp,
) -> Option<Identity> {
    let new = free.first()?;
    let is_earlier = |it: &Identity| it.channel == channel && change.earlier.contains(&it.address);
    let mut identities = contact.identities.iter();
    let replaced = identities.find(|it| is_earlier(it) && !it.is_alias).or(contact.oldest_identity(channel))?.clone();
    let is_known = contact.identities.iter().any(|it| it.channel == channel && it.address == *new && it.is_alias);
    let is_late = is_known && change.at.is_some_and(|at| at < replaced.added_at);
    if is_late || change.current.contains(&replaced.address) {
        return None;
    }
    for identity in contact.identities.iter_mut().filter(|it| it.channel == channel) {
        identity.is_alias |= identity.address == replaced.address || is_earlier(identity);
    }
    for address in free {
        let is_alias = address != new;
        match contact.identities.iter_mut().find(|it| it.channel == channel && it.address == *address) {
            Some(known) => (known.is_alias, known.added_at) = (is_alias, now),
            None => {
                let identity = Identity::new(channel, address.clone(), now);
                let (opted_in, opt_out) = (replaced.opted_in, replaced.opt_out);
                contact.identities.push(Identity { opted_in, opt_out, is_alias, ..identity });
            }
        }
    }
    contact.share_opt_outs();
    Some(replaced)
}
