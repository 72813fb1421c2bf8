//! Contacts who unblock the sender at the provider.

use super::super::received::Block;
use super::InboundService;
use crate::access::{Access, Actor};
use crate::channels::Channel;
use crate::contacts::{Contact, ContactView, OptOutSource, previous_attributes};
use crate::error::Error;
use crate::events::{EventDraft, EventKind};
use crate::ids::ChannelId;
use crate::ports::{Change, ChangeSet, ContactChange, Guard, Object, Row};
use crate::retry::retry_on_conflict;

impl InboundService {
    /// Ends the opt-out of a contact that unblocked the sender at the provider. Only an opt-out with the source
    /// `provider` ends; others stay. An unknown address and a repeated event have no effect.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn unblock(&self, access: &Access, channel: &Channel, unblock: &Block) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let mut set = ChangeSet::new(access.workspace());
            if let Some(contact) = self.ports.contacts.by_identity(access, channel.id, &unblock.address).await? {
                self.end_block(access, &contact, channel.id, &mut set);
            }
            self.commit_event(channel.id, unblock.event, set).await
        })
        .await
    }

    fn end_block(&self, access: &Access, before: &Contact, channel: ChannelId, set: &mut ChangeSet) {
        let mut contact = before.clone();
        for identity in contact.identities.iter_mut().filter(|it| it.channel == channel) {
            if identity.opt_out.is_some_and(|it| it.source == OptOutSource::Provider) {
                identity.opt_in();
            }
        }
        // An opt-out from another source applies to the address and its aliases.
        contact.share_opt_outs();
        if contact.identities == before.identities {
            return;
        }
        let access = access.acting_as(Actor::contact(contact.id));
        set.guard(Guard::Version(Object::Contact(contact.id), before.version));
        contact.touch(self.ports.clock.now());
        set.change(Change::Update(Row::Contact(Box::new(contact.clone()))));
        let identities = contact.identities.clone();
        set.change(Change::Contact(ContactChange::ReplaceIdentities { contact: contact.id, identities }));
        let view = ContactView::from(&contact);
        let previous = previous_attributes(&ContactView::from(before), &view);
        let event = EventDraft::new(EventKind::ContactUpdated, &view).with("previous", &previous);
        self.ports.add_event(event.about(contact.id), &access, set);
    }
}
