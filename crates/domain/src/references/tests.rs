//! Stored references: after renames, deletions and creations, they refer to the same objects or report their loss.

mod files;
mod flows;
mod kept;
mod places;
mod triggers;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures::executor::block_on;
use serde_json::{Value, json};

use super::{Deletion, LostReference};
use crate::Tidings;
use crate::access::Access;
use crate::broadcasts::{Audience, Broadcast, BroadcastPatch, BroadcastStatus, BroadcastZone, NewBroadcast};
use crate::bulk::{BulkAction, BulkStatus, NewBulkOperation};
use crate::contacts::{ContactRef, NewContact, NewTag, TagRef};
use crate::conversations::Content;
use crate::error::Error;
use crate::fields::{CustomFieldPatch, FieldKind, FieldRef, NewCustomField, Rules};
use crate::ids::{BroadcastId, ContactId, FieldId, SegmentId, SequenceId, TagId};
use crate::memory::{FixedClock, MemoryStore};
use crate::outcome::ExpectedVersion;
use crate::pagination::PageRequest;
use crate::patch::Patch;
use crate::ports::{Clock, Ports};
use crate::segments::{NewSegment, SegmentPatch};
use crate::sequences::{NewSequence, Reenroll, Sequence, SequencePatch, SequenceStatus, SequenceZone, parse_steps};
use crate::tags::{NewTagCommand, TagPatch};
use crate::testing::with_workspace;

struct World {
    clock: Arc<FixedClock>,
    tidings: Tidings,
    access: Access,
}

impl World {
    fn new() -> Self {
        let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
        let (tidings, access) = with_workspace(Ports { clock: clock.clone(), ..Ports::of(store) });
        Self { clock, tidings, access }
    }

    fn tag(&self, name: &str) -> TagId {
        let new = NewTagCommand { name: name.to_owned(), color: None, description: None };
        block_on(self.tidings.tags.create(&self.access, new, None)).unwrap().value.id
    }

    fn rename(&self, tag: TagId, name: &str) {
        let patch = TagPatch { name: Some(name.to_owned()), ..TagPatch::default() };
        block_on(self.tidings.tags.update(&self.access, tag, patch, &ExpectedVersion::Any)).unwrap();
    }

    fn delete(&self, tag: TagId) {
        block_on(self.tidings.tags.delete(&self.access, tag, Deletion::ByForce, &ExpectedVersion::Any)).unwrap();
    }

    fn field(&self, key: &str, options: &[&str]) -> FieldId {
        let new = NewCustomField {
            key: Some(key.to_owned()),
            name: key.to_owned(),
            kind: FieldKind::Select,
            options: options.iter().map(|it| (*it).to_owned()).collect(),
            rules: Rules::default(),
        };
        block_on(self.tidings.fields.create(&self.access, new, None)).unwrap().value.id
    }

    fn delete_field(&self, field: FieldId) {
        let (field, how) = (FieldRef::Id(field), Deletion::ByForce);
        block_on(self.tidings.fields.delete(&self.access, &field, how, &ExpectedVersion::Any)).unwrap();
    }

    fn set_options(&self, field: FieldId, options: &[&str]) {
        let options = Some(options.iter().map(|it| (*it).to_owned()).collect());
        let patch = CustomFieldPatch { options, ..CustomFieldPatch::default() };
        let (field, how) = (FieldRef::Id(field), Deletion::ByForce);
        block_on(self.tidings.fields.update(&self.access, &field, patch, how, &ExpectedVersion::Any)).unwrap();
        self.run();
    }

    fn contact(&self, name: &str, tags: &[TagId]) -> ContactId {
        let tags = tags.iter().map(|tag| NewTag { tag: TagRef::Id(*tag), pointer: String::new() }).collect();
        let new = NewContact { first_name: Some(name.to_owned()), tags, ..NewContact::default() };
        block_on(self.tidings.contacts.create(&self.access, new, None)).unwrap().value.id
    }

    fn run(&self) {
        assert_eq!(block_on(self.tidings.run_due(self.clock.now())).unwrap().failed, []);
    }

    fn wait(&self, seconds: u64) {
        self.clock.set(self.clock.now().plus(Duration::from_secs(seconds)));
        self.run();
    }

    fn segment(&self, condition: Value) -> SegmentId {
        let new = NewSegment { name: "S".to_owned(), condition };
        block_on(self.tidings.segments.create(&self.access, new, None)).unwrap().value.segment.id
    }

    fn segment_shown(&self, segment: SegmentId) -> (Value, u64, Vec<LostReference>) {
        let found = block_on(self.tidings.segments.get(&self.access, segment)).unwrap();
        let lost = block_on(self.tidings.segments.lost_references(&self.access, &found.segment)).unwrap();
        (found.segment.condition.source_json().clone(), found.count.unwrap().contacts, lost)
    }

    fn broadcast(&self, audience: Audience) -> BroadcastId {
        let new = NewBroadcast {
            name: "News".to_owned(),
            audience,
            message: Content::text("Hi"),
            channel: None,
            scheduled_at: Some(self.clock.now().plus(Duration::from_secs(60))),
            time_zone: BroadcastZone::Workspace,
            rate_per_minute: None,
        };
        let made = block_on(self.tidings.broadcasts.create(&self.access, new, None)).unwrap().value.broadcast.id;
        block_on(self.tidings.broadcasts.send(&self.access, made, None, &ExpectedVersion::Any, None)).unwrap();
        made
    }

    fn broadcast_shown(&self, broadcast: BroadcastId) -> (Broadcast, Vec<LostReference>) {
        let found = block_on(self.tidings.broadcasts.get(&self.access, broadcast)).unwrap().broadcast;
        let lost = block_on(self.tidings.broadcasts.lost_references(&self.access, &found)).unwrap();
        (found, lost)
    }

    fn sequence(&self, exit_when: Value) -> SequenceId {
        let message = json!({"type": "text", "text": "Hi"});
        let action = json!({"type": "send_message", "message": message});
        let steps = json!([{"id": "a", "delay": "P1D", "action": action}]);
        let new = NewSequence {
            name: "Drip".to_owned(),
            status: SequenceStatus::Active,
            steps: parse_steps(&steps).unwrap(),
            exit_on: Vec::new(),
            exit_when: Some(exit_when),
            reenroll: Reenroll::Never,
            time_zone: SequenceZone::Workspace,
        };
        block_on(self.tidings.sequences.create(&self.access, new, None)).unwrap().value.id
    }

    fn sequence_shown(&self, sequence: SequenceId) -> (Sequence, Vec<LostReference>) {
        let found = block_on(self.tidings.sequences.get(&self.access, sequence)).unwrap();
        let lost = block_on(self.tidings.sequences.lost_references(&self.access, &found)).unwrap();
        (found, lost)
    }

    fn edit(&self, sequence: SequenceId, patch: SequencePatch) -> Result<Sequence, Error> {
        block_on(self.tidings.sequences.update(&self.access, sequence, patch, &ExpectedVersion::Any))
    }

    /// Returns the number of messages sent to each contact.
    fn written_to(&self) -> BTreeMap<ContactId, usize> {
        let page = PageRequest { limit: 100, ..PageRequest::default() };
        let channel = block_on(self.tidings.ports.channels.default_channel(&self.access)).unwrap().unwrap();
        let captured = self.tidings.ports.conversations.captured(&self.access, channel.id, page);
        let mut counts = BTreeMap::new();
        for message in block_on(captured).unwrap().items {
            *counts.entry(message.contact).or_default() += 1;
        }
        counts
    }
}

fn has(tag: &str) -> Value {
    json!({"field": "tags", "op": "has", "value": tag})
}

fn has_not(tag: &str) -> Value {
    json!({"field": "tags", "op": "has_not", "value": tag})
}

fn told(lost: &[LostReference]) -> Vec<(&str, &str)> {
    lost.iter().map(|it| (it.kind, it.name.as_str())).collect()
}

fn code(outcome: Result<impl std::fmt::Debug, Error>) -> (String, &'static str) {
    let Err(Error::Invalid(violations)) = outcome else { panic!("{outcome:?}") };
    (violations[0].pointer.clone(), violations[0].code)
}

#[test]
fn an_exclusion_follows_its_renamed_tag() {
    let world = World::new();
    let excluded = world.tag("NoMail");
    let (ada, _bob) = (world.contact("Ada", &[]), world.contact("Bob", &[excluded]));
    let broadcast = world.broadcast(Audience::Condition(has_not("nomail").into()));
    let (segment, of_id) = (world.segment(has("NoMail")), world.segment(has(&excluded.to_string())));
    world.rename(excluded, "Quiet");
    world.tag("NoMail");
    assert_eq!(world.broadcast_shown(broadcast).0.audience.source_json(), has_not("Quiet"));
    assert_eq!(world.segment_shown(segment), (has("Quiet"), 1, Vec::new()));
    assert_eq!(world.segment_shown(of_id).0, has(&excluded.to_string()), "an ID stays an ID");
    world.wait(61);
    assert_eq!(world.broadcast_shown(broadcast).0.status, BroadcastStatus::Completed);
    assert_eq!(world.written_to(), [(ada, 1)].into());
}

#[test]
fn writing_the_shown_condition_changes_nothing() {
    let world = World::new();
    let tag = world.tag("NoMail");
    let segment = world.segment(has("nomail"));
    world.rename(tag, "Quiet");
    for written in [has("Quiet"), has("quiet")] {
        let patch = SegmentPatch { name: None, condition: Some(written) };
        let same =
            block_on(world.tidings.segments.update(&world.access, segment, patch, &ExpectedVersion::Any)).unwrap();
        assert_eq!(same.segment.version, 1);
    }
}

#[test]
fn pauses_a_broadcast_with_a_lost_tag_until_it_is_edited() {
    let world = World::new();
    let tag = world.tag("NoMail");
    let (ada, _) = (world.contact("Ada", &[]), world.contact("Bob", &[tag]));
    let broadcast = world.broadcast(Audience::Condition(has_not("NoMail").into()));
    world.delete(tag);
    world.tag("NoMail");
    world.wait(61);
    let (paused, lost) = world.broadcast_shown(broadcast);
    assert_eq!((paused.status, told(&lost)), (BroadcastStatus::Paused, vec![("tag", "NoMail")]));
    assert_eq!(world.written_to(), [].into());
    let resume = || block_on(world.tidings.broadcasts.resume(&world.access, broadcast, &ExpectedVersion::Any, None));
    assert_eq!(code(resume()), ("/audience".to_owned(), "lost_reference"));
    let edit = |patch| {
        block_on(world.tidings.broadcasts.update(&world.access, broadcast, patch, &ExpectedVersion::Any))
            .unwrap()
            .broadcast
    };
    let renamed = edit(BroadcastPatch { name: Some("Other".to_owned()), ..BroadcastPatch::default() });
    assert_eq!(renamed.status, BroadcastStatus::Paused);
    assert_eq!(
        told(&world.broadcast_shown(broadcast).1),
        [("tag", "NoMail")],
        "a new name does not restore the reference"
    );
    let audience = json!({"field": "first_name", "op": "eq", "value": "Ada"});
    edit(BroadcastPatch { audience: Some(Audience::Condition(audience.into())), ..BroadcastPatch::default() });
    assert_eq!(told(&world.broadcast_shown(broadcast).1), []);
    resume().unwrap();
    world.run();
    assert_eq!(world.broadcast_shown(broadcast).0.status, BroadcastStatus::Completed);
    assert_eq!(world.written_to(), [(ada, 1)].into());
}

#[test]
fn pauses_a_broadcast_whose_segment_lost_a_field() {
    let world = World::new();
    let field = world.field("plan", &["pro", "free"]);
    let ada = world.contact("Ada", &[]);
    let condition = json!({"field": "custom_fields.plan", "op": "ne", "value": "free"});
    let segment = world.segment(condition.clone());
    let broadcast = world.broadcast(Audience::Segment(segment));
    world.delete_field(field);
    world.field("plan", &["pro", "free"]);
    world.wait(61);
    let (paused, lost) = world.broadcast_shown(broadcast);
    assert_eq!((paused.status, told(&lost)), (BroadcastStatus::Paused, vec![("custom_field", "plan")]));
    let patch = SegmentPatch { name: None, condition: Some(condition) };
    block_on(world.tidings.segments.update(&world.access, segment, patch, &ExpectedVersion::Any)).unwrap();
    block_on(world.tidings.broadcasts.resume(&world.access, broadcast, &ExpectedVersion::Any, None)).unwrap();
    world.run();
    assert_eq!(world.written_to(), [(ada, 1)].into());
}

#[test]
fn reports_a_removed_option_and_pauses_the_broadcast() {
    let world = World::new();
    let field = world.field("plan", &["pro", "free"]);
    world.contact("Ada", &[]);
    let condition = json!({"field": "custom_fields.plan", "op": "not_in", "value": ["free"]});
    let (segment, broadcast) =
        (world.segment(condition.clone()), world.broadcast(Audience::Condition(condition.clone().into())));
    world.set_options(field, &["pro"]);
    assert_eq!(told(&world.segment_shown(segment).2), [("option", "free")]);
    world.wait(61);
    let (paused, lost) = world.broadcast_shown(broadcast);
    assert_eq!((paused.status, told(&lost)), (BroadcastStatus::Paused, vec![("option", "free")]));
    world.set_options(field, &["pro", "free"]);
    assert_eq!(told(&world.segment_shown(segment).2), [], "a restored option has the same meaning");
}

#[test]
fn a_sequence_exits_by_its_renamed_tag_and_pauses_without_it() {
    let world = World::new();
    let tag = world.tag("Customer");
    let sequence = world.sequence(has("customer"));
    let enroll = |contact| {
        let contact = ContactRef::Id(contact);
        block_on(world.tidings.enrollments.enroll(&world.access, &contact, sequence, None)).unwrap()
    };
    world.rename(tag, "Buyer");
    let decoy = world.tag("Customer");
    let (ada, bob) = (world.contact("Ada", &[tag]), world.contact("Bob", &[decoy]));
    enroll(ada);
    enroll(bob);
    world.wait(86_401);
    assert_eq!(world.written_to(), [(bob, 1)].into(), "only the contact with the renamed tag exits");
    let shown = world.sequence_shown(sequence).0;
    assert_eq!(shown.exit_when.map(|it| it.source_json().clone()), Some(has("Buyer")));

    let eve = world.contact("Eve", &[]);
    enroll(eve);
    world.delete(tag);
    world.wait(86_401);
    let (paused, lost) = world.sequence_shown(sequence);
    assert_eq!((paused.status, told(&lost)), (SequenceStatus::Paused, vec![("tag", "Buyer")]));
    assert_eq!(world.written_to(), [(bob, 1)].into());
    let status = Some(SequenceStatus::Active);
    let resumed = world.edit(sequence, SequencePatch { status, ..SequencePatch::default() });
    assert_eq!(code(resumed), ("/exit_when".to_owned(), "lost_reference"));
    let exit_when = Patch::Set(has("customer"));
    world.edit(sequence, SequencePatch { status, exit_when, ..SequencePatch::default() }).unwrap();
    world.run();
    assert_eq!(world.written_to(), [(bob, 1), (eve, 1)].into());
}

#[test]
fn a_bulk_operation_follows_a_tag_renamed_after_acceptance() {
    let world = World::new();
    let (tag, mark) = (world.tag("Old"), world.tag("Mark"));
    let (ada, bob) = (world.contact("Ada", &[tag]), world.contact("Bob", &[]));
    let new = NewBulkOperation {
        filter: Audience::Condition(has("old").into()),
        action: BulkAction::Tag(mark),
        expected_count: None,
    };
    let asked = block_on(world.tidings.bulk.start(&world.access, new, None)).unwrap().value;
    world.rename(tag, "New");
    let decoy = world.tag("Old");
    let link = NewTag { tag: TagRef::Id(decoy), pointer: String::new() };
    block_on(world.tidings.contacts.add_tag(&world.access, &ContactRef::Id(bob), link, &ExpectedVersion::Any, None))
        .unwrap();
    world.run();
    let done = block_on(world.tidings.bulk.get(&world.access, asked.id)).unwrap();
    assert_eq!((done.status, done.counts.changed, done.filter.source_json()), (BulkStatus::Completed, 1, has("New")));
    let marked =
        |contact| block_on(world.tidings.contacts.get(&world.access, &ContactRef::Id(contact))).unwrap().has_tag(mark);
    assert_eq!((marked(ada), marked(bob)), (true, false));
}
