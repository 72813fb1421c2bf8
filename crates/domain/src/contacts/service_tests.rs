//! Tests of the contact use cases. Each decision is compared as a value, without a database.

use std::sync::{Arc, Mutex};

use futures::executor::block_on;
use serde_json::json;
use uuid::Uuid;

use super::{ContactPatch, ContactRef, ContactService, NewContact, NewTag, TagRef};
use crate::access::Access;
use crate::contacts::Contact;
use crate::error::Error;
use crate::ids::{TagId, TypedId, WorkspaceId};
use crate::memory::FixedClock;
use crate::outcome::{ExpectedVersion, Outcome};
use crate::patch::Patch;
use crate::ports::{
    Change, ChangeSet, CommitError, Conflict, ContactChange, FlowChange, Guard, MockCatalogQueries, MockChannelQueries,
    MockContactQueries, MockFieldQueries, MockLedger, MockTagQueries, Object, OptOutChange, Ports, Row, SequenceChange,
    TagChange, UniqueKey,
};
use crate::stored::StoredId;
use crate::tags::Tag;
use crate::testing::{a_channel, a_contact};

/// The mocked ports, with results set by each test.
#[derive(Default)]
struct Setup {
    contacts: MockContactQueries,
    tags: MockTagQueries,
    fields: MockFieldQueries,
    catalog: MockCatalogQueries,
    channels: MockChannelQueries,
    ledger: MockLedger,
}

impl Setup {
    fn service(self) -> ContactService {
        let ports = Ports {
            contacts: Arc::new(self.contacts),
            tags: Arc::new(self.tags),
            fields: Arc::new(self.fields),
            catalog: Arc::new(self.catalog),
            channels: Arc::new(self.channels),
            ledger: Arc::new(self.ledger),
            ..Ports::mocked()
        };
        ContactService { ports: Arc::new(ports) }
    }

    /// A set-up with a ledger that accepts everything, and the committed change sets.
    fn that_commits() -> (Self, Arc<Mutex<Vec<ChangeSet>>>) {
        let (mut setup, committed) = (Self::default(), Arc::new(Mutex::new(Vec::new())));
        let kept = committed.clone();
        setup.ledger.expect_commit().returning(move |set| {
            kept.lock().unwrap().push(set);
            Ok(())
        });
        (setup, committed)
    }

    fn knowing(mut self, contact: &Contact) -> Self {
        let contact = contact.clone();
        self.contacts.expect_find().returning(move |_, _| Ok(Some(contact.clone())));
        self
    }
}

fn access() -> Access {
    Access::system(WorkspaceId::from_uuid(Uuid::from_u128(0xAA)))
}

fn vip() -> Tag {
    Tag::new(TagId::from_uuid(Uuid::from_u128(0x7A6)), "vip", FixedClock::default().at_rest())
}

fn kinds(set: &ChangeSet) -> Vec<&'static str> {
    set.events.iter().map(|event| event.kind.as_str()).collect()
}

#[test]
fn creates_a_contact_and_its_tag_in_one_commit() {
    let (mut setup, committed) = Setup::that_commits();
    setup.tags.expect_by_name_keys().returning(|_, _| Ok(vec![vip()]));
    setup.channels.expect_default_channel().returning(|_| Ok(Some(a_channel())));
    setup.catalog.expect_catalog().returning(|_| Ok(Arc::default()));
    let tag = NewTag { tag: TagRef::Name("VIP".into()), pointer: "/tags/0".into() };
    let command = NewContact { first_name: Some("Ada".into()), tags: vec![tag], ..NewContact::default() };
    let done = block_on(setup.service().create(&access(), command, None)).unwrap();

    let committed = committed.lock().unwrap();
    let [set] = committed.as_slice() else { panic!("expected one commit") };
    let contact = &done.value;
    assert_eq!(done.outcome, Outcome::Created);
    assert_eq!(set.guards, [Guard::Live(Object::Stored(StoredId::Tag(vip().id)))]);
    assert_eq!(
        set.changes,
        [
            Change::Insert(Row::Contact(Box::new(contact.clone()))),
            Change::Contact(ContactChange::InsertIdentity {
                contact: contact.id,
                identity: contact.identities[0].clone()
            }),
            Change::OptOut(OptOutChange::Require { revision: 0 }),
            Change::Tag(TagChange::Link { contact: contact.id, tag: vip().id, at: contact.created_at }),
        ]
    );
    assert_eq!(kinds(set), ["contact.created", "contact.tag_added"]);
    assert_eq!(set.jobs, [], "the relaying ledger adds the jobs of events");
}

#[test]
fn an_update_that_changes_nothing_commits_nothing() {
    let setup = Setup::default().knowing(&a_contact().named("Ada").build());
    let patch = ContactPatch { first_name: Patch::Set("Ada".into()), ..ContactPatch::default() };
    let contact = ContactRef::Id(a_contact().build().id);
    let after = block_on(setup.service().update(&access(), &contact, patch, &ExpectedVersion::Any)).unwrap();
    assert_eq!(after.version, 1);
}

#[test]
fn an_update_event_contains_the_previous_values() {
    let (setup, committed) = Setup::that_commits();
    let before = a_contact().named("Ada").build();
    let patch = ContactPatch { first_name: Patch::Clear, subscribed: Some(false), ..ContactPatch::default() };
    let service = setup.knowing(&before).service();
    let after = block_on(service.update(&access(), &ContactRef::Id(before.id), patch, &ExpectedVersion::Any)).unwrap();
    let committed = committed.lock().unwrap();
    assert_eq!((after.version, after.first_name), (2, None));
    assert_eq!(kinds(&committed[0]), ["contact.updated", "contact.unsubscribed"]);
    let envelope: serde_json::Value = serde_json::from_str(&committed[0].events[0].full).unwrap();
    assert_eq!(envelope["data"]["previous"], json!({"first_name": "Ada", "name": "Ada", "subscribed": true}));
    assert_eq!(envelope["data"]["object"]["version"], 2);
}

#[test]
fn rejects_an_unexpected_version_without_a_commit() {
    let before = a_contact().build();
    let service = Setup::default().knowing(&before).service();
    let contact = ContactRef::Id(before.id);
    let refused = block_on(service.delete(&access(), &contact, &ExpectedVersion::OneOf(vec![2, 3])));
    assert_eq!(refused, Err(Error::PreconditionFailed));
}

#[test]
fn a_taken_email_names_the_existing_contact() {
    let mut setup = Setup::default().knowing(&a_contact().build());
    setup.catalog.expect_catalog().returning(|_| Ok(Arc::default()));
    let taken = CommitError::Conflict(Conflict::Exists(UniqueKey::ContactEmail));
    setup.ledger.expect_commit().times(1).returning(move |_| Err(taken.clone()));
    let command = NewContact { email: "ada@example.com".parse().ok(), ..NewContact::default() };
    let refused = block_on(setup.service().create(&access(), command, None));
    assert_eq!(refused.map(|_| ()), Err(Error::ContactExists { field: "email", existing: a_contact().build().id }));
}

#[test]
fn retries_a_stale_decision() {
    let before = a_contact().build();
    let (mut setup, stale) = (Setup::default().knowing(&before), Conflict::Stale(Object::Contact(before.id)));
    let mut attempts = 0;
    setup.ledger.expect_commit().times(3).returning(move |_| {
        attempts += 1;
        if attempts < 3 { Err(CommitError::Conflict(stale.clone())) } else { Ok(()) }
    });
    let contact = ContactRef::Id(before.id);
    assert_eq!(block_on(setup.service().delete(&access(), &contact, &ExpectedVersion::Any)), Ok(()));
}

#[test]
fn deleting_frees_identities_and_ends_runs_and_enrollments() {
    let (setup, committed) = Setup::that_commits();
    let before = a_contact().build();
    let service = setup.knowing(&before).service();
    block_on(service.delete(&access(), &ContactRef::Id(before.id), &ExpectedVersion::Any)).unwrap();
    let committed = committed.lock().unwrap();
    let [
        Change::Update(Row::Contact(after)),
        Change::Contact(ContactChange::ReleaseIdentities { .. }),
        Change::Flow(FlowChange::InterruptRuns { .. }),
        Change::Sequence(SequenceChange::ExitEnrollments { .. }),
    ] = committed[0].changes.as_slice()
    else {
        panic!("expected four changes, got {:?}", committed[0].changes)
    };
    assert!(after.deleted_at.is_some());
    assert_eq!(kinds(&committed[0]), ["contact.deleted"]);
}
