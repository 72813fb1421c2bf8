//! Bulk operations, over the store in memory.

mod actions;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use futures::executor::block_on;
use serde_json::{Value, json};

use super::{BulkAction, BulkCounts, BulkOperation, BulkStatus, NewBulkOperation};
use crate::Tidings;
use crate::access::{Access, Scope};
use crate::contacts::{Contact, ContactFilter, ContactPatch, ContactRef, NewContact, NewTag, TagRef};
use crate::error::Error;
use crate::events::{Event, EventKind};
use crate::ids::{ContactId, KeyId, TagId, TypedId};
use crate::memory::{FixedClock, MemoryStore};
use crate::outcome::{ExpectedVersion, Outcome};
use crate::pagination::PageRequest;
use crate::ports::{Change, ChangeSet, ClaimRequest, Clock, CommitError, Ledger, Pool, Ports, Row};
use crate::references::Deletion;
use crate::segments::{Audience, NewSegment};
use crate::tags::NewTagCommand;
use crate::testing::with_workspace;

struct World {
    tidings: Tidings,
    access: Access,
    store: Arc<MemoryStore>,
    clock: Arc<FixedClock>,
}

fn world() -> World {
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
    let (tidings, access) = with_workspace(Ports { clock: clock.clone(), ..Ports::of(store.clone()) });
    let access = Access::of_key(access.workspace(), KeyId::from_uuid(uuid::Uuid::from_u128(7)), Scope::Full);
    World { tidings, access, store, clock }
}

impl World {
    fn contact(&self, name: &str, tags: &[TagId]) -> ContactId {
        let tags = tags.iter().map(|tag| NewTag { tag: TagRef::Id(*tag), pointer: String::new() }).collect();
        let new = NewContact { first_name: Some(name.to_owned()), tags, ..NewContact::default() };
        block_on(self.tidings.contacts.create(&self.access, new, None)).unwrap().value.id
    }

    fn get_contact(&self, contact: ContactId) -> Result<Contact, Error> {
        block_on(self.tidings.contacts.get(&self.access, &ContactRef::Id(contact)))
    }

    fn tag(&self, name: &str) -> TagId {
        let new = NewTagCommand { name: name.to_owned(), color: None, description: None };
        block_on(self.tidings.tags.create(&self.access, new, None)).unwrap().value.id
    }

    fn asked(&self, filter: Value, action: BulkAction, expected_count: Option<i64>) -> Result<BulkOperation, Error> {
        self.asked_by(&self.access, Audience::Condition(filter.into()), action, expected_count)
    }

    fn asked_by(
        &self,
        access: &Access,
        filter: Audience,
        action: BulkAction,
        expected_count: Option<i64>,
    ) -> Result<BulkOperation, Error> {
        let started =
            block_on(self.tidings.bulk.start(access, NewBulkOperation { filter, action, expected_count }, None))?;
        assert_eq!((started.outcome, started.value.status), (Outcome::Accepted, BulkStatus::Queued));
        Ok(started.value)
    }

    fn work(&self) {
        assert_eq!(block_on(self.tidings.run_due(self.clock.now())).unwrap().failed, []);
    }

    fn get(&self, it: &BulkOperation) -> Result<BulkOperation, Error> {
        block_on(self.tidings.bulk.get(&self.access, it.id))
    }

    fn done(&self, filter: Value, action: BulkAction, expected_count: Option<i64>) -> BulkOperation {
        let asked = self.asked(filter, action, expected_count).unwrap();
        self.work();
        self.get(&asked).unwrap()
    }

    fn events_of(&self, kind: EventKind) -> Vec<Event> {
        self.store.events(self.access.workspace()).into_iter().filter(|event| event.kind == kind).collect()
    }

    fn carrying(&self, tag: TagId) -> u64 {
        let filter = ContactFilter { tags: vec![tag], ..ContactFilter::default() };
        block_on(self.tidings.ports.contacts.count(&self.access, &filter, u64::MAX)).unwrap()
    }
}

fn named(name: &str) -> Value {
    json!({"field": "first_name", "op": "eq", "value": name})
}

fn counts(matched: i64, changed: i64, unchanged: i64, failed: i64) -> BulkCounts {
    BulkCounts { matched, changed, unchanged, failed, ..BulkCounts::default() }
}

fn wrong(outcome: Result<BulkOperation, Error>) -> Vec<(String, &'static str)> {
    let Err(Error::Invalid(violations)) = outcome else { panic!("{outcome:?}") };
    violations.into_iter().map(|it| (it.pointer, it.code)).collect()
}

#[test]
fn tags_contacts_on_behalf_of_the_caller() {
    let world = world();
    let tag = world.tag("vip");
    let (ada, tagged, eve) = (world.contact("Ada", &[]), world.contact("Ada", &[tag]), world.contact("Eve", &[]));
    let before = world.events_of(EventKind::ContactTagAdded).len();
    let done = world.done(named("ada"), BulkAction::Tag(tag), None);
    assert_eq!((done.status, done.counts, done.counts.done()), (BulkStatus::Completed, counts(2, 1, 1, 0), 2));
    assert_eq!((&done.created_by, done.condition, done.behind), (world.access.actor(), None, None));
    assert!(world.get_contact(ada).unwrap().has_tag(tag) && !world.get_contact(eve).unwrap().has_tag(tag));
    assert_eq!(world.get_contact(tagged).unwrap().version, 1, "a contact with the tag does not change");
    let told = world.events_of(EventKind::ContactTagAdded).split_off(before);
    assert_eq!(told.iter().map(|it| it.contact).collect::<Vec<_>>(), [Some(ada)]);
    let envelope: Value = serde_json::from_str(&told[0].full).unwrap();
    assert_eq!(envelope["actor"], json!(world.access.actor()));
    assert_eq!(envelope["data"]["tag"]["name"], "vip");
}

#[test]
fn untags_and_deletes_contacts() {
    let world = world();
    let tag = world.tag("vip");
    let (ada, eve) = (world.contact("Ada", &[tag]), world.contact("Eve", &[]));
    let everybody = json!({"all": []});
    let done = world.done(everybody.clone(), BulkAction::Untag(tag), Some(2));
    assert_eq!((done.status, done.counts), (BulkStatus::Completed, counts(2, 1, 1, 0)));
    assert_eq!((world.events_of(EventKind::ContactTagRemoved).len(), world.carrying(tag)), (1, 0));
    let done = world.done(everybody, BulkAction::Delete, Some(2));
    assert_eq!((done.status, done.counts), (BulkStatus::Completed, counts(2, 2, 0, 0)));
    let told: Vec<_> = world.events_of(EventKind::ContactDeleted).iter().map(|it| it.contact).collect();
    assert_eq!(told, [Some(ada), Some(eve)]);
    assert!(matches!(world.get_contact(ada), Err(Error::NotFound)));
}

#[test]
fn completes_if_the_action_changes_its_own_filter() {
    let world = world();
    let tag = world.tag("seen");
    (0..730).for_each(|_| {
        world.contact("Ada", &[]);
    });
    let unseen = json!({"not": {"field": "tags", "op": "has", "value": "seen"}});
    let done = world.done(unseen.clone(), BulkAction::Tag(tag), None);
    assert_eq!((done.status, done.counts), (BulkStatus::Completed, counts(730, 730, 0, 0)));
    assert!(done.version > 4, "{} commits", done.version);
    assert_eq!((world.carrying(tag), world.events_of(EventKind::ContactTagAdded).len()), (730, 730));
    let none = world.done(unseen, BulkAction::Tag(tag), None);
    assert_eq!((none.status, none.counts), (BulkStatus::Completed, counts(0, 0, 0, 0)));
}

#[test]
fn skips_contacts_created_later_and_deleted_contacts() {
    let world = world();
    let tag = world.tag("vip");
    let (_, gone) = (world.contact("Ada", &[]), world.contact("Ada", &[]));
    let asked = world.asked(named("Ada"), BulkAction::Tag(tag), None).unwrap();
    world.clock.set(world.clock.now().plus(Duration::from_secs(1)));
    let later = world.contact("Ada", &[]);
    block_on(world.tidings.contacts.delete(&world.access, &ContactRef::Id(gone), &ExpectedVersion::Any)).unwrap();
    world.work();
    assert_eq!(world.get(&asked).unwrap().counts, counts(2, 1, 0, 0));
    assert!(!world.get_contact(later).unwrap().has_tag(tag));
}

#[test]
fn counts_contacts_at_the_tag_limit_as_failed() {
    let world = world();
    let tags: Vec<_> = (0..100).map(|number| world.tag(&format!("t{number}"))).collect();
    let (full, one_more) = (world.contact("Ada", &tags), world.tag("one more"));
    world.contact("Ada", &tags[1..]);
    let done = world.done(named("Ada"), BulkAction::Tag(one_more), None);
    assert_eq!((done.status, done.counts), (BulkStatus::Completed, counts(2, 1, 0, 1)));
    assert!(!world.get_contact(full).unwrap().has_tag(one_more));
}

#[test]
fn rejects_unknown_tags_unlimited_filters_and_low_scopes() {
    let world = world();
    let tag = world.tag("vip");
    (0..100).for_each(|_| {
        world.contact("Ada", &[]);
    });
    let nobody = TagId::from_uuid(uuid::Uuid::from_u128(9));
    let unknown = ("/action/tag_id".to_owned(), "unknown_tag");
    assert_eq!(wrong(world.asked(named("Ada"), BulkAction::Tag(nobody), None)), std::slice::from_ref(&unknown));
    assert_eq!(wrong(world.asked(named("Ada"), BulkAction::Untag(nobody), None)), [unknown]);
    let everybody = [json!({"all": []}), json!({"not": {"any": []}}), json!({"any": [{"all": []}, named("Ada")]})];
    for filter in everybody {
        let told = wrong(world.asked(filter.clone(), BulkAction::Tag(tag), None));
        assert_eq!(told, [("/filter".to_owned(), "chooses_everybody")], "{filter}");
    }
    let told = wrong(world.asked(named("Ada"), BulkAction::Delete, None));
    assert_eq!(told, [("/expected_count".to_owned(), "required")]);
    let told = wrong(world.asked(json!({"field": "emial", "op": "exists"}), BulkAction::Tag(tag), None));
    assert_eq!(told, [("/filter/field".to_owned(), "unknown_field")]);
    let changed = world.asked(named("Ada"), BulkAction::Delete, Some(95));
    assert!(matches!(changed, Err(Error::AudienceChanged { count: 100 })), "{changed:?}");
    world.asked(named("Ada"), BulkAction::Delete, Some(96)).unwrap();
    let writer = Access::of_key(world.access.workspace(), KeyId::from_uuid(uuid::Uuid::nil()), Scope::Write);
    for action in [BulkAction::Untag(tag), BulkAction::Delete] {
        let refused = world.asked_by(&writer, Audience::Condition(named("Ada").into()), action, Some(100));
        assert!(matches!(refused, Err(Error::ScopeTooLow(Scope::Full))), "{refused:?}");
    }
    world.asked_by(&writer, Audience::Condition(named("Ada").into()), BulkAction::Tag(tag), None).unwrap();
}

#[test]
fn uses_the_segment_as_it_was_at_acceptance() {
    let world = world();
    let tag = world.tag("vip");
    let (ada, eve) = (world.contact("Ada", &[]), world.contact("Eve", &[]));
    let new = NewSegment { name: "Adas".to_owned(), condition: named("Ada") };
    let segment = block_on(world.tidings.segments.create(&world.access, new, None)).unwrap().value.segment.id;
    let asked = world.asked_by(&world.access, Audience::Segment(segment), BulkAction::Tag(tag), None).unwrap();
    block_on(world.tidings.segments.delete(&world.access, segment, Deletion::IfUnused, &ExpectedVersion::Any)).unwrap();
    world.work();
    let done = world.get(&asked).unwrap();
    assert_eq!((done.status, done.filter), (BulkStatus::Completed, Audience::Segment(segment)));
    assert!(world.get_contact(ada).unwrap().has_tag(tag) && !world.get_contact(eve).unwrap().has_tag(tag));
    let gone = world.asked_by(&world.access, Audience::Segment(segment), BulkAction::Tag(tag), None);
    assert_eq!(wrong(gone), [("/filter/segment_id".to_owned(), "unknown_segment")]);
}

#[test]
fn fails_if_a_referenced_tag_is_deleted() {
    let world = world();
    let (vip, other) = (world.tag("vip"), world.tag("Ada's own"));
    let ada = world.contact("Ada", &[]);
    let without_tag = json!({"not": {"field": "tags", "op": "has", "value": "Ada's own"}});
    let asked = world.asked(without_tag, BulkAction::Delete, Some(1)).unwrap();
    let tagging = world.asked(named("Ada"), BulkAction::Tag(vip), None).unwrap();
    for tag in [vip, other] {
        block_on(world.tidings.tags.delete(&world.access, tag, Deletion::ByForce, &ExpectedVersion::Any)).unwrap();
    }
    world.work();
    for (asked, code) in [(&asked, "filter_changed"), (&tagging, "tag_deleted")] {
        let failed = world.get(asked).unwrap();
        let error = failed.error.unwrap();
        assert_eq!((failed.status, failed.counts.done(), error.code.as_str()), (BulkStatus::Failed, 0, code));
        assert!(!error.message.contains("own"), "the message does not contain the compared value: {}", error.message);
    }
    assert!(world.get_contact(ada).is_ok());
}

#[test]
fn cancels_limits_and_expires_operations() {
    let world = world();
    let tag = world.tag("vip");
    let ada = world.contact("Ada", &[]);
    let ask = || world.asked(named("Ada"), BulkAction::Tag(tag), None);
    let asked = ask().unwrap();
    let cancel = || block_on(world.tidings.bulk.cancel(&world.access, asked.id, None)).unwrap();
    let (first, second) = (cancel(), cancel());
    assert_eq!((first.outcome, first.value.status), (Outcome::Changed, BulkStatus::Cancelled));
    assert_eq!((second.outcome, &second.value), (Outcome::Unchanged, &first.value));
    world.work();
    assert!(!world.get_contact(ada).unwrap().has_tag(tag));
    assert_eq!(world.get(&asked).unwrap(), first.value);
    let open = [(); 3].map(|()| ask().unwrap());
    assert!(matches!(ask(), Err(Error::Full { most: 3, .. })), "at most three operations are queued");
    world.work();
    let list = |status| {
        let page = PageRequest { limit: 100, ..PageRequest::default() };
        block_on(world.tidings.bulk.list(&world.access, status, page)).unwrap().items
    };
    assert_eq!((list(None).len(), list(Some(BulkStatus::Completed)).len()), (4, 3));
    for _ in 0..98 {
        ask().unwrap();
        world.work();
    }
    assert!(list(None).len() <= 100, "at most a hundred operations are kept: {}", list(None).len());
    assert!(matches!(world.get(&asked), Err(Error::NotFound)), "the oldest operation is removed first");
    world.clock.set(world.clock.now().plus(Duration::from_secs(31 * 86_400)));
    world.work();
    assert_eq!((list(None), world.get(&open[2]).is_err()), (Vec::new(), true));
}

/// A ledger that renames a contact, or fails like a crashed worker, after a portion has read its contacts and before
/// the portion is committed.
struct Between {
    ledger: Arc<dyn Ledger>,
    who: Mutex<Option<(Tidings, Access, ContactId)>>,
}

#[async_trait]
impl Ledger for Between {
    async fn commit(&self, set: ChangeSet) -> Result<(), CommitError> {
        let is_portion = set.changes.iter().any(|it| matches!(it, Change::Update(Row::BulkOperation(_))));
        let who = if is_portion { self.who.lock().unwrap().take() } else { None };
        if let Some((tidings, access, contact)) = who {
            let patch =
                ContactPatch { last_name: crate::patch::Patch::Set("Byron".to_owned()), ..ContactPatch::default() };
            tidings.contacts.update(&access, &ContactRef::Id(contact), patch, &ExpectedVersion::Any).await.unwrap();
        }
        self.ledger.commit(set).await
    }
}

#[test]
fn keeps_concurrent_changes_of_a_contact() {
    let world = world();
    let tag = world.tag("vip");
    let contacts: Vec<_> = (0..9).map(|_| world.contact("Ada", &[])).collect();
    let asked = world.asked(named("Ada"), BulkAction::Tag(tag), None).unwrap();
    let ports = world.tidings.ports.clone();
    let who = Mutex::new(Some((world.tidings.clone(), world.access.clone(), contacts[4])));
    let ledger = Arc::new(Between { ledger: ports.ledger.clone(), who });
    let racing = Tidings::new(Ports { ledger, ..(*ports).clone() });
    assert_eq!(block_on(racing.run_due(world.clock.now())).unwrap().failed, []);
    assert_eq!(world.get(&asked).unwrap().counts, counts(9, 9, 0, 0));
    let changed = world.get_contact(contacts[4]).unwrap();
    assert_eq!((changed.last_name.as_deref(), changed.has_tag(tag), changed.version), (Some("Byron"), true, 3));
}

#[test]
fn repeating_a_portion_changes_nothing() {
    let world = world();
    let tag = world.tag("vip");
    (0..400).for_each(|_| {
        world.contact("Ada", &[]);
    });
    let asked = world.asked(named("Ada"), BulkAction::Tag(tag), None).unwrap();
    let mut portions = 0;
    while !world.get(&asked).unwrap().status.is_over() {
        let claim = ClaimRequest::new(Pool::Work, 10, Duration::from_secs(60), world.clock.now());
        for job in block_on(world.tidings.ports.engine.claim(claim)).unwrap() {
            (0..3).for_each(|_| block_on(world.tidings.worker.perform(&job)).unwrap());
            portions += 1;
        }
    }
    assert!(portions > 2, "{portions} portions");
    assert_eq!(world.get(&asked).unwrap().counts, counts(400, 400, 0, 0));
    assert_eq!(world.events_of(EventKind::ContactTagAdded).len(), 400);
}
