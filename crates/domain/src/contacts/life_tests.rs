//! The life cycle of contacts, over the in-memory store.

use std::sync::Arc;
use std::time::Duration;

use futures::executor::block_on;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    Contact, ContactPatch, ContactRef, ContactService, Identity, NewContact, NewIdentity, NewTag, RESTORABLE, TagRef,
};
use crate::access::{Access, Plan, Workspace};
use crate::channels::Channel;
use crate::error::Error;
use crate::ids::{ChannelId, ContactId, TypedId, WorkspaceId};
use crate::memory::{FixedClock, MemoryStore};
use crate::outcome::{ExpectedVersion, Outcome};
use crate::patch::Patch;
use crate::ports::{Change, ChangeSet, Clock, ContactChange, Ledger, Ports, Row};
use crate::testing::a_channel;

struct Bench {
    service: ContactService,
    store: Arc<MemoryStore>,
    clock: Arc<FixedClock>,
    access: Access,
    sandbox: ChannelId,
    /// A second channel. Contacts do not get an address on it automatically.
    other: ChannelId,
}

fn bench() -> Bench {
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
    let now = clock.at_rest();
    let id = WorkspaceId::from_uuid(Uuid::from_u128(0xAA));
    let name = "Ada's shop".to_owned();
    let workspace = Workspace::new(id, name, Plan::Pro, now);
    let sandbox = a_channel();
    let other = Channel { id: ChannelId::from_uuid(Uuid::from_u128(0xCB)), is_default: false, ..a_channel() };
    let mut set = ChangeSet::new(id);
    set.change(Change::Insert(Row::Workspace(workspace))).change(Change::Insert(Row::Channel(sandbox.clone())));
    set.change(Change::Insert(Row::Channel(other.clone())));
    block_on(store.commit(set)).unwrap();
    let ports = Ports { clock: clock.clone(), ..Ports::of(store.clone()) };
    let service = ContactService { ports: Arc::new(ports) };
    Bench { service, store, clock, access: Access::system(id), sandbox: sandbox.id, other: other.id }
}

impl Bench {
    fn make(&self, describe: impl FnOnce(&mut NewContact)) -> Result<Contact, Error> {
        let mut command = NewContact::default();
        describe(&mut command);
        block_on(self.service.create(&self.access, command, None)).map(|done| done.value)
    }

    fn patch(&self, contact: ContactId, patch: ContactPatch) -> Result<Contact, Error> {
        block_on(self.service.update(&self.access, &ContactRef::Id(contact), patch, &ExpectedVersion::Any))
    }

    fn upsert(&self, patch: ContactPatch, tags: &[&str]) -> Result<(Outcome, Contact), Error> {
        let tag = |name: &&str| NewTag { tag: TagRef::Name((*name).to_owned()), pointer: "/tags".to_owned() };
        let tags = tags.iter().map(tag).collect();
        block_on(self.service.upsert(&self.access, patch, tags, None, None)).map(|done| (done.outcome, done.value))
    }

    fn delete(&self, contact: ContactId) {
        block_on(self.service.delete(&self.access, &ContactRef::Id(contact), &ExpectedVersion::Any)).unwrap();
    }

    fn restore(&self, contact: ContactId) -> Result<(Outcome, Contact), Error> {
        let done = block_on(self.service.restore(&self.access, contact, &ExpectedVersion::Any, None));
        done.map(|done| (done.outcome, done.value))
    }

    fn pass(&self, time: Duration) {
        self.clock.set(self.clock.now().plus(time));
    }

    /// The types and data of the events after the first `known`.
    fn told_since(&self, known: usize) -> Vec<(&'static str, Value)> {
        let events = self.store.events(self.access.workspace());
        let data = |full: &str| serde_json::from_str::<Value>(full).unwrap()["data"].clone();
        events.iter().skip(known).map(|event| (event.kind.as_str(), data(&event.full))).collect()
    }

    fn events(&self) -> usize {
        self.store.events(self.access.workspace()).len()
    }
}

fn email(text: &str) -> ContactPatch {
    ContactPatch { email: Patch::Set(text.parse().unwrap()), ..ContactPatch::default() }
}

fn reached(channel: ChannelId, address: &str) -> NewIdentity {
    NewIdentity { channel, address: address.to_owned(), opted_in: Some(true) }
}

#[test]
fn restores_a_deleted_contact_with_its_data() {
    let bench = bench();
    let made = bench.make(|it| it.email = "ada@example.com".parse().ok()).unwrap();
    bench.delete(made.id);
    bench.pass(RESTORABLE);
    let known = bench.events();
    let (outcome, restored) = bench.restore(made.id).unwrap();
    assert_eq!((outcome, restored.version, restored.deleted_at), (Outcome::Changed, 3, None));
    assert_eq!((&restored.email, &restored.identities), (&made.email, &made.identities));
    let found = block_on(bench.service.get(&bench.access, &ContactRef::Email(made.email.unwrap())));
    assert_eq!(found, Ok(restored.clone()));
    let told = bench.told_since(known);
    let deleted_at = FixedClock::default().at_rest();
    assert_eq!(told[0].0, "contact.updated");
    assert_eq!(told[0].1["previous"], json!({"deleted_at": deleted_at}));
    assert_eq!(
        told[0].1["object"]["identities"],
        json!([{
        "channel_id": bench.sandbox, "address": made.id.to_string(), "aliases": [], "opted_in": true,
        "opt_out": null, "undeliverable_since": null}])
    );
    assert_eq!(bench.restore(made.id), Ok((Outcome::Unchanged, restored)), "a second restore changes nothing");
    assert_eq!(bench.events(), known + 1);
}

#[test]
fn restores_no_contact_after_thirty_days() {
    let bench = bench();
    let made = bench.make(|_| {}).unwrap();
    assert_eq!(bench.restore(ContactId::from_uuid(Uuid::from_u128(0xDEAD))), Err(Error::NotFound));
    bench.delete(made.id);
    bench.pass(RESTORABLE + Duration::from_millis(1));
    assert_eq!(bench.restore(made.id), Err(Error::NotFound));
}

#[test]
fn a_restore_conflict_names_the_other_contact() {
    let bench = bench();
    let at_other = |it: &mut NewContact, other| it.identities = Some(vec![reached(other, "+49301234567")]);
    let by_mail = bench.make(|it| it.email = "ada@example.com".parse().ok()).unwrap();
    let reached = bench.make(|it| it.phone = "+49301234567".parse().ok()).unwrap();
    bench.delete(by_mail.id);
    bench.delete(reached.id);
    let successor = bench
        .make(|it| {
            it.email = "ada@example.com".parse().ok();
            it.phone = "+49301234567".parse().ok();
        })
        .unwrap();
    let exists = |field| Error::ContactExists { field, existing: successor.id };
    assert_eq!(bench.restore(by_mail.id).map(|_| ()), Err(exists("email")));
    assert_eq!(bench.restore(reached.id).map(|_| ()), Err(exists("phone")));
    // An address on a channel is unique, too. The second channel is also a sandbox, so the address is written directly.
    let gone = bench.make(|_| {}).unwrap();
    let identity = Identity::new(bench.other, "shared".to_owned(), successor.created_at);
    let put = |contact| {
        let mut set = ChangeSet::new(bench.access.workspace());
        set.change(Change::Contact(ContactChange::InsertIdentity { contact, identity: identity.clone() }));
        block_on(bench.store.commit(set)).unwrap();
    };
    put(gone.id);
    bench.delete(gone.id);
    put(successor.id);
    assert_eq!(bench.restore(gone.id).map(|_| ()), Err(exists("address")));
    assert!(bench.make(|it| at_other(it, bench.other)).is_err(), "a sandbox accepts no phone number as an address");
}

#[test]
fn an_upsert_creates_or_updates_a_contact() {
    let bench = bench();
    let named = ContactPatch { first_name: Patch::Set("Ada".into()), ..email("ada@example.com") };
    let (outcome, made) = bench.upsert(named.clone(), &["vip"]).unwrap();
    assert_eq!((outcome, made.version, made.tags.len()), (Outcome::Created, 1, 1));
    let known = bench.events();
    assert_eq!(bench.upsert(named, &["VIP"]), Ok((Outcome::Unchanged, made.clone())));
    assert_eq!(bench.events(), known);

    let patch = ContactPatch {
        first_name: Patch::Clear,
        last_name: Patch::Set("Lovelace".into()),
        subscribed: Some(false),
        ..email("ADA@example.com")
    };
    let (outcome, after) = bench.upsert(patch, &["vip", "new"]).unwrap();
    assert_eq!((outcome, after.id, after.version), (Outcome::Changed, made.id, 2));
    assert_eq!((after.name().as_deref(), after.tags.len()), (Some("Lovelace"), 2));
    let told = bench.told_since(known);
    let kinds: Vec<_> = told.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, ["contact.updated", "contact.tag_added", "contact.unsubscribed"]);
    let unsubscribed = &told[2].1;
    assert_eq!((&unsubscribed["channel_id"], &unsubscribed["source"]), (&Value::Null, &json!("api")));
    assert!(told.iter().all(|(_, data)| data["object"]["version"] == 2));
    assert_eq!(
        told[0].1["previous"],
        json!({"first_name": "Ada", "last_name": null, "name": "Ada", "subscribed": true})
    );
}

#[test]
fn an_upsert_that_names_two_contacts_is_refused() {
    let bench = bench();
    bench.make(|it| it.email = "ada@example.com".parse().ok()).unwrap();
    let bob = bench.make(|it| it.phone = "+49301234567".parse().ok()).unwrap();
    let both = ContactPatch { phone: Patch::Set("+49 30 1234567".parse().unwrap()), ..email("ada@example.com") };
    let expected = Error::ContactExists { field: "phone", existing: bob.id };
    assert_eq!(bench.upsert(both, &[]), Err(expected));
}

#[test]
fn an_opt_out_of_one_channel_emits_an_event() {
    let bench = bench();
    let made = bench.make(|_| {}).unwrap();
    let known = bench.events();
    let own = NewIdentity { opted_in: Some(false), ..reached(bench.sandbox, &made.id.to_string()) };
    let patch = |identities| ContactPatch { identities: Some(identities), ..ContactPatch::default() };
    let after = bench.patch(made.id, patch(vec![own.clone()])).unwrap();
    assert_eq!((after.version, after.identities[0].opted_in), (2, false));
    let told = bench.told_since(known);
    let kinds: Vec<_> = told.iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, ["contact.updated", "contact.unsubscribed"]);
    assert_eq!(told[0].1["previous"]["identities"][0]["opted_in"], true);
    assert_eq!(told[1].1["channel_id"], json!(bench.sandbox));
    assert_eq!(bench.patch(made.id, patch(vec![own])).map(|it| it.version), Ok(2), "a repeated patch changes nothing");
    assert_eq!(bench.patch(made.id, patch(vec![])).map(|it| it.version), Ok(2), "the sandbox address is kept");
    let unknown = bench.patch(made.id, patch(vec![reached(ChannelId::from_uuid(Uuid::from_u128(1)), "a")]));
    assert!(matches!(unknown, Err(Error::Invalid(it)) if it[0].pointer == "/identities/0/channel_id"));
}
