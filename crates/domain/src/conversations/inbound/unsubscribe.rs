//! Opt-outs by the link in a message.

use super::super::Message;
use super::{InboundService, leave};
use crate::access::{Access, Actor};
use crate::contacts::{Contact, ContactRef, Identity, OptOutSource, survivor};
use crate::error::Error;
use crate::ids::{ChannelId, ContactId};
use crate::opt_outs::{OptOuts, UnsubscribeLink, is_remembered, refused};
use crate::ports::{ChangeSet, Ports, StoreError};
use crate::retry::{AttemptError, retry_on_conflict};

impl InboundService {
    /// Opts the recipient of a message out of its channel. A repetition changes nothing.
    ///
    /// The contact that has the address now is opted out. If no contact has it, the opt-out is remembered for the
    /// address, and the contact of the message, if it still exists, is opted out of the channel with its new address.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the workspace is deleted, [`Error::Store`].
    pub async fn unsubscribe(&self, link: &UnsubscribeLink) -> Result<(), Error> {
        if self.ports.outbound.deleted_until(link.workspace).await?.is_some() {
            return Err(Error::NotFound);
        }
        let access = Access::system(link.workspace);
        let is_remembered = retry_on_conflict(|| self.try_unsubscribe(&access, link)).await?;
        if is_remembered {
            // A contact may have got the address after the look-up and before the commit.
            retry_on_conflict(|| self.try_unsubscribe(&access, link)).await?;
        }
        Ok(())
    }

    /// Returns whether the opt-out was remembered for an address that no contact had.
    async fn try_unsubscribe(&self, access: &Access, link: &UnsubscribeLink) -> Result<bool, AttemptError> {
        let mut set = ChangeSet::new(access.workspace());
        let sent = (link.contact, link.channel, Some(link.address.as_str()));
        let is_remembered = leave_address(&self.ports, access, sent, OptOutSource::Link, &mut set).await?;
        if !set.is_empty() {
            self.ports.ledger.commit(set).await?;
        }
        Ok(is_remembered)
    }
}

/// Adds the opt-out of a message's recipient from its channel, because the provider reports that the recipient blocked
/// the sender, complained or opted out. As with the link, the contact that has the address now is opted out.
///
/// # Errors
/// [`AttemptError`].
pub(crate) async fn leave_sender(
    ports: &Ports,
    access: &Access,
    (message, source): (&Message, OptOutSource),
    set: &mut ChangeSet,
) -> Result<(), AttemptError> {
    let sent = (message.contact, message.channel, message.address.as_deref());
    leave_address(ports, access, sent, source, set).await.map(|_| ())
}

/// Adds the opt-out of the address of a sent message. The contact that has the address now is opted out. If no
/// contact has it, the opt-out is remembered for the address, and the contact of the message, if it still exists, is
/// opted out of the channel. Returns whether it was remembered.
async fn leave_address(
    ports: &Ports,
    access: &Access,
    (contact, channel, address): (ContactId, ChannelId, Option<&str>),
    source: OptOutSource,
    set: &mut ChangeSet,
) -> Result<bool, AttemptError> {
    let mut is_new = false;
    let mut owner = None;
    if let Some(address) = address {
        owner = ports.contacts.by_identity(access, channel, address).await?;
        if owner.is_none() {
            is_new = remember(ports, access, (contact, channel, address), set).await?;
        }
    }
    let opting_out = match owner {
        Some(owner) => Some(owner),
        None => recipient(ports, access, contact).await?,
    };
    if let Some(contact) = opting_out {
        let access = access.acting_as(Actor::contact(contact.id));
        leave(ports, &access, contact, (channel, source), set);
    }
    Ok(is_new)
}

/// Remembers the opt-out of the address. Returns false if it is known, or if the channel is deleted.
async fn remember(
    ports: &Ports,
    access: &Access,
    (contact, channel, address): (ContactId, ChannelId, &str),
    set: &mut ChangeSet,
) -> Result<bool, AttemptError> {
    let now = ports.clock.now();
    let identity = Identity { opted_in: false, ..Identity::new(channel, address.to_owned(), now) };
    let opted_out = Contact { identities: vec![identity], ..Contact::new(contact, now) };
    let (marks, opt_outs) = (refused(&opted_out), OptOuts { ports, access });
    if opt_outs.among(marks.clone()).await?.marks.len() == marks.len() {
        return Ok(false);
    }
    opt_outs.remember(marks, set).await?;
    Ok(set.changes.iter().any(is_remembered))
}

/// Returns the contact of the message, or the contact into which it was merged, if it is not deleted.
async fn recipient(ports: &Ports, access: &Access, contact: ContactId) -> Result<Option<Contact>, StoreError> {
    let named = ContactRef::Id(contact);
    match ports.contacts.find(access, &named).await? {
        Some(contact) => Ok(Some(contact)),
        None => survivor(ports, access, &named).await,
    }
}
