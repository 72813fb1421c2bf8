//! Opt-outs by the link in a message.

use super::{InboundService, leave};
use crate::access::{Access, Actor};
use crate::contacts::{Contact, ContactRef, Identity, OptOutSource, survivor};
use crate::error::Error;
use crate::opt_outs::{OptOuts, UnsubscribeLink, refused};
use crate::ports::{ChangeSet, StoreError};
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
        let owner = self.ports.contacts.by_identity(access, link.channel, &link.address).await?;
        let mut is_remembered = false;
        if owner.is_none() {
            is_remembered = self.remember(access, link, &mut set).await?;
        }
        let contact = match owner {
            Some(owner) => Some(owner),
            None => self.recipient(access, link).await?,
        };
        if let Some(contact) = contact {
            let access = access.acting_as(Actor::contact(contact.id));
            leave(&self.ports, &access, contact, (link.channel, OptOutSource::Link), &mut set);
        }
        if !set.is_empty() {
            self.ports.ledger.commit(set).await?;
        }
        Ok(is_remembered)
    }

    /// Remembers the opt-out of the address. Returns false if it is known, or if the channel is deleted.
    async fn remember(
        &self,
        access: &Access,
        link: &UnsubscribeLink,
        set: &mut ChangeSet,
    ) -> Result<bool, AttemptError> {
        let now = self.ports.clock.now();
        let identity = Identity { opted_in: false, ..Identity::new(link.channel, link.address.clone(), now) };
        let opted_out = Contact { identities: vec![identity], ..Contact::new(link.contact, now) };
        let (marks, opt_outs) = (refused(&opted_out), OptOuts { ports: &self.ports, access });
        if opt_outs.among(marks.clone()).await?.marks.len() == marks.len() {
            return Ok(false);
        }
        opt_outs.remember(marks, set).await?;
        Ok(!set.is_empty())
    }

    /// Returns the contact of the message, or the contact into which it was merged, if it is not deleted.
    async fn recipient(&self, access: &Access, link: &UnsubscribeLink) -> Result<Option<Contact>, StoreError> {
        let named = ContactRef::Id(link.contact);
        match self.ports.contacts.find(access, &named).await? {
            Some(contact) => Ok(Some(contact)),
            None => survivor(&self.ports, access, &named).await,
        }
    }
}
