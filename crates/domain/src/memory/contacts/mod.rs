//! Contacts and their addresses.

mod bulk;
mod erasures;
mod fields;
mod imports;
mod merges;
pub(super) mod opt_outs;
mod segments;
mod tags;
mod timeline;

use async_trait::async_trait;

use super::{MemoryStore, State};
use crate::access::Access;
use crate::conditions::Selection;
use crate::contacts::{ChannelReach, Contact, ContactFilter, ContactRef, Email, Identity};
use crate::custom_events::CustomEvent;
use crate::ids::{ChannelId, ContactId, CustomEventId, FieldId, TypedId, WorkspaceId};
use crate::pagination::{Position, SortedPage, SortedRequest};
use crate::ports::{Conflict, ContactChange, ContactQueries, Object, UniqueKey};

use super::apply::{Applied, insert, referenced, unique, update};
use crate::memory::tables::pages::{Answer, of, sorted_page};

impl State {
    pub(super) fn change_contacts(&mut self, ws: WorkspaceId, change: ContactChange) -> Applied {
        match change {
            ContactChange::InsertIdentity { contact, identity } => self.reach(ws, contact, identity),
            ContactChange::ReplaceIdentities { contact, identities } => {
                self.identities.remove(&(ws, contact));
                identities.into_iter().try_for_each(|identity| self.reach(ws, contact, identity))
            }
            ContactChange::Restore(mut it) => {
                let (id, object) = (it.id, Object::Contact(it.id));
                let before = self.contacts.get(&(ws, id)).filter(|before| before.deleted_at.is_some());
                it.last_message_at = before.ok_or(Conflict::Stale(object))?.last_message_at;
                self.identifiers_free(ws, &it)?;
                update(&mut self.contacts, &(ws, id), *it, |it| it.version, object)
            }
            ContactChange::SetOptIn { contact, channel, opted_in } => {
                for (identity, _) in self.identities.get_mut(&(ws, contact)).into_iter().flatten() {
                    if identity.channel == channel {
                        identity.opted_in = opted_in;
                    }
                }
                Ok(())
            }
            ContactChange::Touch { contact, at } => {
                if let Some(it) = self.contacts.get_mut(&(ws, contact)) {
                    it.last_message_at = it.last_message_at.max(Some(at));
                }
                Ok(())
            }
            ContactChange::RecordEvent { event, .. } => {
                referenced(self.contacts.contains_key(&(ws, event.contact)))?;
                insert(&mut self.custom_events, (ws, event.id), *event)
            }
            ContactChange::ReleaseIdentities { contact } => {
                for (_, live) in self.identities.get_mut(&(ws, contact)).into_iter().flatten() {
                    *live = false;
                }
                Ok(())
            }
        }
    }

    pub(super) fn reach(&mut self, ws: WorkspaceId, contact: ContactId, identity: Identity) -> Applied {
        referenced(self.contacts.contains_key(&(ws, contact)))?;
        referenced(self.channel_was_made(ws, identity.channel))?;
        let same = |held: &Identity| held.channel == identity.channel && held.address == identity.address;
        let of_workspace = self.identities.iter().filter(|((of, _), _)| *of == ws);
        let taken = of_workspace.flat_map(|(_, held)| held).any(|(held, live)| *live && same(held));
        unique(taken, UniqueKey::Identity)?;
        self.identities.entry((ws, contact)).or_default().push((identity, true));
        Ok(())
    }

    pub(super) fn identifiers_free(&self, ws: WorkspaceId, it: &Contact) -> Applied {
        let living = || {
            let of_workspace = self.contacts.iter().filter(|((of, _), _)| *of == ws);
            of_workspace.map(|(_, other)| other).filter(|other| other.deleted_at.is_none() && other.id != it.id)
        };
        let taken = |same: &dyn Fn(&Contact) -> bool| living().any(same);
        unique(it.external_id.is_some() && taken(&|o| o.external_id == it.external_id), UniqueKey::ContactExternalId)?;
        unique(
            it.email.is_some() && taken(&|o| o.email.as_ref().map(Email::key) == it.email.as_ref().map(Email::key)),
            UniqueKey::ContactEmail,
        )?;
        unique(it.phone.is_some() && taken(&|o| o.phone == it.phone), UniqueKey::ContactPhone)
    }

    pub(super) fn admitted(&self, ws: WorkspaceId, filter: &ContactFilter) -> Vec<Contact> {
        let all = of(&self.contacts, ws, |_| true);
        let whole = all.iter().map(|it| self.whole(ws, it));
        let chosen = |it: &Contact| filter.selection.as_ref().is_none_or(|selection| self.chooses(ws, selection, it));
        let unreached = |it: &Contact| filter.unreached.is_none_or(|of| self.is_unreached(ws, of, it));
        let all = |it: &Contact| filter.admits(it) && self.carries(ws, it.id, filter) && chosen(it) && unreached(it);
        whole.filter(all).collect()
    }

    pub(super) fn carries(&self, ws: WorkspaceId, contact: ContactId, filter: &ContactFilter) -> bool {
        let tags = filter.tags.iter().all(|tag| self.links.contains_key(&(ws, (contact, *tag))));
        let fields = filter.fields.iter().all(|wanted| {
            let value = self.values.get(&(ws, (contact, wanted.field)));
            wanted.pattern.holds(value.map(|value| value.match_key.as_str()))
        });
        tags && fields
    }

    pub(super) fn chooses(&self, ws: WorkspaceId, selection: &Selection, contact: &Contact) -> bool {
        let conversations = of(&self.conversations, ws, |it| it.contact == contact.id);
        let key = |field: FieldId| self.tables.custom_fields.get(&(ws, field)).map(|field| field.key.clone());
        selection.chooses(&self.whole(ws, contact), &conversations, &key)
    }
}

#[async_trait]
impl ContactQueries for MemoryStore {
    async fn find(&self, access: &Access, contact: &ContactRef) -> Answer<Option<Contact>> {
        let (state, ws) = (self.lock(), access.workspace());
        let found = of(&state.contacts, ws, |it| {
            it.deleted_at.is_none()
                && match contact {
                    ContactRef::Id(id) => it.id == *id,
                    ContactRef::ExternalId(external_id) => it.external_id.as_ref() == Some(external_id),
                    ContactRef::Email(email) => it.email.as_ref().is_some_and(|it| it.is(email)),
                    ContactRef::Phone(phone) => it.phone.as_ref() == Some(phone),
                }
        });
        Ok(found.first().map(|it| state.whole(ws, it)))
    }

    async fn by_ids(&self, access: &Access, contacts: &[ContactId]) -> Answer<Vec<Contact>> {
        let (state, ws) = (self.lock(), access.workspace());
        let found = contacts.iter().filter_map(|id| state.contacts.get(&(ws, *id)));
        Ok(found.map(|it| state.whole(ws, it)).collect())
    }

    async fn find_even_deleted(&self, access: &Access, contact: ContactId) -> Answer<Option<Contact>> {
        let (state, ws) = (self.lock(), access.workspace());
        Ok(state.contacts.get(&(ws, contact)).map(|it| state.whole(ws, it)))
    }

    async fn find_deleted(&self, access: &Access, contact: ContactId) -> Answer<Option<Contact>> {
        let (state, ws) = (self.lock(), access.workspace());
        let deleted = state.contacts.get(&(ws, contact)).filter(|it| it.deleted_at.is_some());
        Ok(deleted.map(|it| {
            let mut whole = state.whole(ws, it);
            let identities = state.identities.get(&(ws, contact)).into_iter().flatten();
            whole.identities = identities.map(|(identity, _)| identity.clone()).collect();
            whole.identities.sort_by(|a, b| (a.channel, &a.address).cmp(&(b.channel, &b.address)));
            whole
        }))
    }

    async fn by_identity(&self, access: &Access, channel: ChannelId, address: &str) -> Answer<Option<Contact>> {
        let (state, ws) = (self.lock(), access.workspace());
        let held = state.identities.iter().find(|((of, _), held)| {
            let same = |it: &crate::contacts::Identity| it.channel == channel && it.address == address;
            *of == ws && held.iter().any(|(identity, live)| *live && same(identity))
        });
        let contact = held.and_then(|((_, contact), _)| state.contacts.get(&(ws, *contact)));
        Ok(contact.filter(|it| it.deleted_at.is_none()).map(|it| state.whole(ws, it)))
    }

    async fn names_have_sort_keys(&self) -> Answer<bool> {
        // Sort keys are computed on demand.
        Ok(true)
    }

    async fn list(
        &self,
        access: &Access,
        filter: &ContactFilter,
        request: SortedRequest,
    ) -> Answer<SortedPage<Contact>> {
        let found = self.lock().admitted(access.workspace(), filter);
        let by = request.order.by;
        Ok(sorted_page(found, request, |it| Position { at: it.sort_key(by), id: it.id.uuid() }))
    }

    async fn count(&self, access: &Access, filter: &ContactFilter, most: u64) -> Answer<u64> {
        let found = self.lock().admitted(access.workspace(), filter).len();
        Ok(u64::try_from(found).unwrap_or(u64::MAX).min(most))
    }

    async fn reach(&self, access: &Access, filter: &ContactFilter, channel: ChannelId) -> Answer<ChannelReach> {
        let mut reach = ChannelReach::default();
        for contact in self.lock().admitted(access.workspace(), filter) {
            reach.add(&contact, channel);
        }
        Ok(reach)
    }

    async fn custom_event(&self, access: &Access, event: CustomEventId) -> Answer<Option<CustomEvent>> {
        Ok(self.lock().custom_events.get(&(access.workspace(), event)).cloned())
    }
}
