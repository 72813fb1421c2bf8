//! Random sequences of identifier changes, over the store in memory: no opt-out is lost, and different persons are not
//! joined.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures::executor::block_on;
use proptest::prelude::*;

use crate::Tidings;
use crate::access::Access;
use crate::contacts::{Contact, ContactFilter, ContactKey, ContactPatch, ContactRef, Deleted};
use crate::error::Error;
use crate::ids::ContactId;
use crate::memory::MemoryStore;
use crate::outcome::ExpectedVersion;
use crate::pagination::{Sort, SortBy, SortedRequest};
use crate::patch::Patch;
use crate::ports::{Ports, StoreError};
use crate::testing::with_workspace;

/// An identifier: its type, and one of few values.
type Name = (ContactKey, u8);

fn text((key, number): Name) -> String {
    match key {
        ContactKey::ExternalId => format!("crm-{number}"),
        ContactKey::Email => format!("person{number}@example.com"),
        ContactKey::Phone => format!("+493077700{number}"),
    }
}

/// The next step. A number selects a contact by its position in the list of contacts.
#[derive(Debug, Clone)]
enum Step {
    Create(Vec<Name>),
    Upsert(Vec<Name>, bool, Option<ContactKey>),
    Row(Vec<Name>),
    Change(usize, Vec<Name>),
    Clear(usize, ContactKey),
    Refuse(usize),
    Resubscribe(usize),
    Merge(usize, usize),
    Delete(usize),
    Erase(usize),
    Restore(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let key = || prop::sample::select(ContactKey::RANKED.to_vec());
    let names = || prop::collection::btree_map(key(), 0_u8..4, 1..=3).prop_map(|it| it.into_iter().collect::<Vec<_>>());
    let place = || 0_usize..6;
    let step = prop_oneof![
        3 => names().prop_map(Step::Create),
        3 => (names(), any::<bool>(), prop::option::of(key())).prop_map(|(names, yes, key)| Step::Upsert(names, yes, key)),
        2 => names().prop_map(Step::Row),
        4 => (place(), names()).prop_map(|(place, names)| Step::Change(place, names)),
        2 => (place(), key()).prop_map(|(place, key)| Step::Clear(place, key)),
        3 => place().prop_map(Step::Refuse),
        1 => place().prop_map(Step::Resubscribe),
        1 => (place(), place()).prop_map(|(one, other)| Step::Merge(one, other)),
        1 => place().prop_map(Step::Delete),
        1 => place().prop_map(Step::Erase),
        1 => place().prop_map(Step::Restore),
    ];
    prop::collection::vec(step, 1..40)
}

struct World {
    tidings: Tidings,
    access: Access,
    /// The identifiers with an opt-out.
    refused: BTreeSet<Name>,
}

impl World {
    fn new() -> Self {
        let (tidings, access) = with_workspace(Ports::of(Arc::new(MemoryStore::new())));
        Self { tidings, access, refused: BTreeSet::new() }
    }

    fn contacts(&self, deleted: Deleted) -> Vec<Contact> {
        let filter = ContactFilter { deleted, ..ContactFilter::default() };
        let order = Sort { by: SortBy::CreatedAt, descending: false };
        let page = SortedRequest { limit: 100, order, after: None, counted: false };
        block_on(self.tidings.contacts.list(&self.access, &filter, page)).unwrap().items
    }

    fn at(&self, place: usize) -> Option<Contact> {
        let living = self.contacts(Deleted::Exclude);
        if living.is_empty() { None } else { living.get(place % living.len()).cloned() }
    }

    fn patch(&self, id: ContactId, patch: ContactPatch) -> Option<Contact> {
        known(block_on(self.tidings.contacts.update(&self.access, &ContactRef::Id(id), patch, &ExpectedVersion::Any)))
    }

    fn take(&mut self, step: Step) {
        let (contacts, access) = (&self.tidings.contacts, &self.access);
        match step {
            Step::Create(names) => {
                known(block_on(contacts.create(access, patch(&names, None).into_new(vec![]), None)));
            }
            Step::Upsert(names, yes, key) => {
                known(block_on(contacts.upsert(access, patch(&names, yes.then_some(true)), vec![], key, None)));
            }
            Step::Row(names) => {
                known(block_on(contacts.import_row(access, patch(&names, Some(true)), vec![], None)));
            }
            Step::Change(place, names) => {
                if let Some(contact) = self.at(place) {
                    self.patch(contact.id, patch(&names, None));
                }
            }
            Step::Clear(place, key) => {
                if let Some(contact) = self.at(place) {
                    let mut patch = ContactPatch::default();
                    match key {
                        ContactKey::ExternalId => patch.external_id = Patch::Clear,
                        ContactKey::Email => patch.email = Patch::Clear,
                        ContactKey::Phone => patch.phone = Patch::Clear,
                    }
                    self.patch(contact.id, patch);
                }
            }
            Step::Refuse(place) => {
                if let Some(contact) = self.at(place) {
                    self.patch(contact.id, ContactPatch { subscribed: Some(false), ..ContactPatch::default() });
                }
            }
            Step::Resubscribe(place) => {
                if let Some(contact) = self.at(place) {
                    self.patch(contact.id, ContactPatch { subscribed: Some(true), ..ContactPatch::default() });
                    names(&contact).iter().for_each(|name| {
                        self.refused.remove(name);
                    });
                }
            }
            Step::Merge(one, other) => {
                if let (Some(one), Some(other)) = (self.at(one), self.at(other)) {
                    let (one, other) = (ContactRef::Id(one.id), ContactRef::Id(other.id));
                    known(block_on(self.tidings.merges.merge(access, &one, &other, None)));
                }
            }
            Step::Delete(place) => {
                if let Some(contact) = self.at(place) {
                    known(block_on(contacts.delete(access, &ContactRef::Id(contact.id), &ExpectedVersion::Any)));
                }
            }
            Step::Erase(place) => {
                if let Some(contact) = self.at(place) {
                    known(block_on(self.tidings.erasures.erase(access, &ContactRef::Id(contact.id), None)));
                }
            }
            Step::Restore(place) => {
                let deleted = self.contacts(Deleted::Only);
                if let Some(contact) = deleted.get(place) {
                    known(block_on(contacts.restore(access, contact.id, &ExpectedVersion::Any, None)));
                }
            }
        }
    }
}

/// Returns the value, or `None` for an error that a client can get.
fn known<T>(outcome: Result<T, Error>) -> Option<T> {
    match outcome {
        Ok(value) => Some(value),
        Err(Error::ContactExists { .. } | Error::Invalid(_) | Error::NotFound | Error::ContactMerged { .. }) => None,
        Err(error @ Error::Store(StoreError::Contention)) => panic!("a single client causes no contention: {error}"),
        Err(error) => panic!("{error}"),
    }
}

fn patch(names: &[Name], subscribed: Option<bool>) -> ContactPatch {
    let mut patch = ContactPatch { subscribed, ..ContactPatch::default() };
    for name in names {
        let text = text(*name);
        match name.0 {
            ContactKey::ExternalId => patch.external_id = Patch::Set(text.parse().unwrap()),
            ContactKey::Email => patch.email = Patch::Set(text.parse().unwrap()),
            ContactKey::Phone => patch.phone = Patch::Set(text.parse().unwrap()),
        }
    }
    patch
}

fn names(contact: &Contact) -> BTreeSet<Name> {
    let all = ContactKey::RANKED.into_iter().flat_map(|key| (0..4).map(move |number| (key, number)));
    all.filter(|name| contact.attribute(name.0.attribute()) == Some(text(*name).as_str())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn identifier_changes_keep_opt_outs_and_separate_contacts(steps in steps()) {
        let mut world = World::new();
        for step in steps {
            let said = format!("{step:?}");
            let before: BTreeMap<ContactId, Contact> =
                world.contacts(Deleted::Exclude).into_iter().map(|it| (it.id, it)).collect();
            let upsert = match &step {
                Step::Upsert(named, _, key) => Some((named.clone(), *key)),
                Step::Row(named) => Some((named.clone(), None)),
                _ => None,
            };
            world.take(step);
            for contact in world.contacts(Deleted::Exclude) {
                let own = names(&contact);
                if contact.subscribed {
                    let lost: Vec<_> = own.intersection(&world.refused).collect();
                    prop_assert!(lost.is_empty(), "{said} forgot {lost:?}");
                } else {
                    world.refused.extend(&own);
                }
                if let Some(((named, None), was)) = upsert.as_ref().zip(before.get(&contact.id))
                    && *was != contact
                {
                    // The contact keeps the highest-ranked identifier; otherwise it could be another person.
                    let was = names(was);
                    let matched = named.iter().position(|name| was.contains(name));
                    prop_assert!(matched.is_some(), "{said} took over {was:?}");
                    for name in named.iter().take(matched.unwrap_or_default()) {
                        prop_assert!(was.iter().all(|had| had.0 != name.0), "{said} took over {was:?}");
                    }
                }
            }
        }
    }
}
