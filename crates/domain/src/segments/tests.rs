//! Tests of segments: selection, counts, references, and protection from deletion while in use.

use std::sync::Arc;
use std::time::Duration;

use futures::executor::block_on;
use serde_json::json;

use super::{CountedSegment, NewSegment, SegmentCounter, SegmentPatch, SegmentService};
use crate::access::Access;
use crate::channels::Channel;
use crate::error::Error;
use crate::ids::TypedId;
use crate::list_filter::NameFilter;
use crate::memory::{FixedClock, MemoryStore};
use crate::outcome::ExpectedVersion;
use crate::pagination::PageRequest;
use crate::ports::{Change, ChangeSet, ClaimRequest, ClaimedJob, Job, Pool, Ports, ReferenceChange, Row};
use crate::references::{Referent, Referrer};
use crate::testing::{a_channel, a_contact, new_workspace};

struct World {
    access: Access,
    segments: SegmentService,
    channel: Channel,
    clock: Arc<FixedClock>,
}

impl World {
    /// A workspace in memory with three contacts, two of them with a Portuguese locale.
    fn new() -> Self {
        let clock = Arc::new(FixedClock::default());
        let ports = Arc::new(Ports { clock: clock.clone(), ..Ports::of(Arc::new(MemoryStore::new())) });
        let access = new_workspace(&ports);
        let workspace = access.workspace();
        let channel = Channel { is_default: false, ..a_channel() };
        let mut set = ChangeSet::new(workspace);
        set.change(Change::Insert(Row::Channel(channel.clone())));
        for (number, locale) in [(1, "pt-BR"), (2, "pt-PT"), (3, "de")] {
            let mut contact = a_contact().build();
            contact.id = TypedId::from_uuid(uuid::Uuid::from_u128(100 + number));
            (contact.external_id, contact.email, contact.phone) = (None, None, None);
            contact.locale = Some(locale.parse().unwrap());
            set.change(Change::Insert(Row::Contact(Box::new(contact))));
        }
        block_on(ports.ledger.commit(set)).unwrap();
        Self { access, segments: SegmentService { ports }, channel, clock }
    }
}

fn contacts(counted: &CountedSegment) -> u64 {
    counted.count.expect("the segment has a count").contacts
}

/// Claims the due jobs.
fn claimed(world: &World) -> Vec<ClaimedJob> {
    let request = ClaimRequest::new(Pool::Work, 10, Duration::from_secs(30), world.clock.at_rest());
    block_on(world.segments.ports.engine.claim(request)).unwrap()
}

#[test]
fn lists_stored_counts_and_refreshes_old_ones_once() {
    let world = World::new();
    let (access, segments) = (&world.access, &world.segments);
    let condition = json!({"field": "locale", "op": "starts_with", "value": "pt"});
    let made = block_on(segments.create(access, NewSegment { name: "A".to_owned(), condition }, None)).unwrap().value;
    let listed = || block_on(segments.list(access, &NameFilter::default(), PageRequest::default())).unwrap().items;
    let mut contact = a_contact().build();
    contact.id = TypedId::from_uuid(uuid::Uuid::from_u128(200));
    (contact.external_id, contact.email, contact.phone) = (None, None, None);
    contact.locale = Some("pt-BR".parse().unwrap());
    let mut set = ChangeSet::new(access.workspace());
    set.change(Change::Insert(Row::Contact(Box::new(contact))));
    block_on(segments.ports.ledger.commit(set)).unwrap();

    assert_eq!(listed(), std::slice::from_ref(&made), "the list shows the stored count");
    assert_eq!(claimed(&world), [], "a new count is not refreshed");
    world.clock.set(world.clock.at_rest().plus(Duration::from_secs(60)));
    assert_eq!((listed(), listed()), (vec![made.clone()], vec![made.clone()]));
    let jobs = claimed(&world);
    assert_eq!(
        jobs.iter().map(|it| it.job).collect::<Vec<_>>(),
        [Job::CountSegments { workspace: access.workspace() }]
    );
    block_on(SegmentCounter { ports: segments.ports.clone() }.refresh(access, &jobs[0])).unwrap();
    let refreshed = listed().pop().unwrap();
    assert_eq!((contacts(&refreshed), refreshed.segment), (3, made.segment), "a count does not change the version");
    assert_eq!(refreshed.count.unwrap().counted_at, world.clock.at_rest());
    assert_eq!(claimed(&world), [], "no job is queued before a list finds an old count");
}

#[test]
fn counts_its_contacts_and_records_its_references() {
    let World { access, segments, channel, .. } = World::new();
    let condition = json!({"any": [
        {"field": "locale", "op": "starts_with", "value": "pt"},
        {"field": "conversation.channel_id", "op": "eq", "value": channel.id},
    ]});
    let command = NewSegment { name: " Lusophones ".to_owned(), condition };
    let made = block_on(segments.create(&access, command, None)).unwrap().value;
    assert_eq!((made.segment.name.as_str(), contacts(&made)), ("Lusophones", 2));
    let named = Referent::Channel(channel.id);
    let dependents = block_on(segments.ports.references.dependents(&access, named)).unwrap();
    assert_eq!(dependents.iter().map(|it| it.owner).collect::<Vec<_>>(), [Referrer::Stored(made.segment.id.into())]);

    let condition = Some(json!({"field": "locale", "op": "eq", "value": "de"}));
    let patch = SegmentPatch { name: None, condition };
    let changed = block_on(segments.update(&access, made.segment.id, patch.clone(), &ExpectedVersion::Any)).unwrap();
    assert_eq!((contacts(&changed), changed.segment.version), (1, 2));
    assert_eq!(block_on(segments.ports.references.dependents(&access, named)).unwrap(), []);
    let same = block_on(segments.update(&access, made.segment.id, patch, &ExpectedVersion::Any)).unwrap();
    assert_eq!(same.segment.version, 2, "nothing changed");
    assert_eq!(
        block_on(segments.list(&access, &NameFilter::default(), PageRequest::default())).unwrap().items,
        [changed]
    );
}

#[test]
fn rejects_invalid_conditions_and_deleting_used_segments() {
    let World { access, segments, .. } = World::new();
    let condition = json!({"field": "lokale", "op": "eq", "value": "de"});
    let refused = block_on(segments.create(&access, NewSegment { name: "A".to_owned(), condition }, None));
    let Err(Error::Invalid(violations)) = refused else { panic!("{refused:?}") };
    assert_eq!(violations[0].pointer, "/condition/field");

    let condition = json!({"all": []});
    let made =
        block_on(segments.create(&access, NewSegment { name: "All".to_owned(), condition }, None)).unwrap().value;
    assert_eq!(contacts(&made), 3);
    let (segment, named) = (made.segment.id, Referent::Segment(made.segment.id));
    let owner = Referrer::Stored(segment.into());
    let mut set = ChangeSet::new(access.workspace());
    set.change(Change::Reference(ReferenceChange::Put { owner, targets: vec![named] }));
    block_on(segments.ports.ledger.commit(set)).unwrap();
    let refused = block_on(segments.delete(&access, segment, Default::default(), &ExpectedVersion::Any));
    assert!(matches!(refused, Err(Error::InUse(_))), "{refused:?}");
    let by_force = crate::references::Deletion::ByForce;
    block_on(segments.delete(&access, segment, by_force, &ExpectedVersion::Any)).unwrap();
    assert_eq!(block_on(segments.get(&access, segment)), Err(Error::NotFound));
}
