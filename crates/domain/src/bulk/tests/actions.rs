//! Fields, subscriptions, enrollments and starts of flows.

use super::*;
use crate::bulk::{BulkField, BulkOutcome};
use crate::channels::{Channel, ChannelKind};
use crate::contacts::NewIdentity;
use crate::conversations::Content;
use crate::fields::{FieldKind, NewCustomField, Rules};
use crate::flows::{InFlight, NewFlow, RunFilter};
use crate::ids::{ChannelId, FlowId, SequenceId};
use crate::sequences::{NewSequence, Reenroll, SequencePatch, SequenceStatus, SequenceZone, parse_steps};
use crate::testing::{a_channel, an_inbound_message};

impl World {
    fn field(&self, key: &str, options: &[&str]) -> BulkField {
        let new = NewCustomField {
            key: Some(key.to_owned()),
            name: key.to_owned(),
            kind: FieldKind::Select,
            options: options.iter().map(|it| (*it).to_owned()).collect(),
            rules: Rules::default(),
        };
        let id = block_on(self.tidings.fields.create(&self.access, new, None)).unwrap().value.id;
        BulkField { id, key: key.to_owned() }
    }

    fn sequence(&self, reenroll: Reenroll) -> SequenceId {
        let action = json!({"type": "send_message", "message": {"type": "text", "text": "Hello"}});
        let steps = json!([{"id": "a", "delay": "P1D", "action": action}]);
        let new = NewSequence {
            name: "Welcome".to_owned(),
            status: SequenceStatus::Active,
            steps: parse_steps(&steps).unwrap(),
            exit_on: Vec::new(),
            exit_when: None,
            reenroll,
            time_zone: SequenceZone::Workspace,
        };
        block_on(self.tidings.sequences.create(&self.access, new, None)).unwrap().value.id
    }

    fn flow(&self) -> FlowId {
        let nodes = json!([{"id": "wait", "type": "delay", "for": "P1D", "next": "end"}, {"id": "end", "type": "end"}]);
        let new = NewFlow { name: "Wait".to_owned(), definition: json!({"start": "wait", "nodes": nodes}) };
        block_on(self.tidings.flows.create(&self.access, new, None)).unwrap().value.id
    }

    fn publish(&self, flow: FlowId) {
        block_on(self.tidings.flows.publish(&self.access, flow, InFlight::default(), &ExpectedVersion::Any, None))
            .unwrap();
    }

    fn channel(&self) -> Channel {
        let id = ChannelId::from_uuid(uuid::Uuid::from_u128(77));
        let channel = Channel { id, kind: ChannelKind::Http, is_default: false, ..a_channel() };
        let mut set = ChangeSet::new(self.access.workspace());
        set.change(Change::Insert(Row::Channel(channel.clone())));
        block_on(self.tidings.ports.ledger.commit(set)).unwrap();
        channel
    }

    fn created(&self, new: NewContact) -> Contact {
        block_on(self.tidings.contacts.create(&self.access, new, None)).unwrap().value
    }

    fn unsubscribed(&self, email: &str) -> ContactId {
        let name = Some("Ada".to_owned());
        let new = NewContact {
            first_name: name,
            email: email.parse().ok(),
            subscribed: Some(false),
            ..NewContact::default()
        };
        self.created(new).id
    }

    fn patch_subscribed(&self, contact: ContactId, subscribed: bool) -> Contact {
        let patch = ContactPatch { subscribed: Some(subscribed), ..ContactPatch::default() };
        block_on(self.tidings.contacts.update(&self.access, &ContactRef::Id(contact), patch, &ExpectedVersion::Any))
            .unwrap()
    }

    fn outcomes(&self, action: BulkAction) -> Vec<BulkOutcome> {
        let filter = Audience::Condition(named("Ada").into());
        let before = self.store.events(self.access.workspace()).len();
        let preview = block_on(self.tidings.bulk.preview(&self.access, &filter, Some(&action))).unwrap();
        assert_eq!(self.store.events(self.access.workspace()).len(), before, "a preview changes nothing");
        assert!(preview.matched >= preview.sample.len() as i64);
        let counted = block_on(self.tidings.bulk.preview(&self.access, &filter, None)).unwrap();
        assert_eq!((counted.matched, counted.sample.len()), (preview.matched, preview.sample.len()));
        preview.sample.into_iter().filter_map(|it| it.outcome).collect()
    }
}

#[test]
fn sets_and_clears_a_field() {
    let world = world();
    let plan = world.field("plan", &["free", "pro"]);
    let (ada, eve) = (world.contact("Ada", &[]), world.contact("Eve", &[]));
    let set = BulkAction::SetField(plan.clone(), Some(json!("pro")));
    assert_eq!(world.outcomes(set.clone()), [BulkOutcome::Changed]);
    let done = world.done(named("Ada"), set.clone(), Some(1));
    assert_eq!((done.status, done.counts), (BulkStatus::Completed, counts(1, 1, 0, 0)));
    assert_eq!(done.action, BulkAction::SetField(plan.clone(), None), "the value is removed when the operation ends");
    assert_eq!(world.get_contact(ada).unwrap().custom_fields.get("plan"), Some(&json!("pro")));
    assert!(world.get_contact(eve).unwrap().custom_fields.is_empty());
    let done = world.done(json!({"all": []}), set, Some(2));
    assert_eq!(done.counts, counts(2, 1, 1, 0));
    let done = world.done(named("Ada"), BulkAction::ClearField(plan.clone()), None);
    assert_eq!(done.counts, counts(1, 1, 0, 0));
    let done = world.done(named("Ada"), BulkAction::ClearField(plan), None);
    assert_eq!(done.counts, counts(1, 0, 1, 0));
    assert!(world.get_contact(ada).unwrap().custom_fields.is_empty());
    let told = world.events_of(EventKind::ContactFieldChanged);
    let envelope = |event: &Event| serde_json::from_str::<Value>(&event.full).unwrap()["data"].clone();
    let changes: Vec<_> = told.iter().map(envelope).map(|it| (it["value"].clone(), it["previous"].clone())).collect();
    let (pro, none) = (json!("pro"), Value::Null);
    assert_eq!(changes, [(pro.clone(), none.clone()), (pro.clone(), none.clone()), (none, pro)]);
}

#[test]
fn rejects_values_that_the_field_does_not_accept() {
    let world = world();
    let plan = world.field("plan", &["free", "pro"]);
    world.contact("Ada", &[]);
    let gold = BulkAction::SetField(plan.clone(), Some(json!("gold")));
    let wrong_value = wrong(world.asked(named("Ada"), gold, None));
    assert_eq!(wrong_value.first().map(|it| it.0.as_str()), Some("/action/value"));
    let asked = world.asked(named("Ada"), BulkAction::SetField(plan.clone(), Some(json!("pro"))), None).unwrap();
    let field = crate::fields::FieldRef::Id(plan.id);
    block_on(world.tidings.fields.delete(&world.access, &field, Deletion::ByForce, &ExpectedVersion::Any)).unwrap();
    world.work();
    let failed = world.get(&asked).unwrap();
    assert_eq!((failed.status, failed.error.unwrap().code), (BulkStatus::Failed, "field_deleted".to_owned()));
    let missing = wrong(world.asked(named("Ada"), BulkAction::ClearField(plan), None));
    assert_eq!(missing, [("/action/field".to_owned(), "unknown_field")]);
}

#[test]
fn subscribes_only_contacts_that_never_opted_out() {
    let world = world();
    let channel = world.channel();
    let asked = world.unsubscribed("asked@example.com");
    let own = world.unsubscribed("own@example.com");
    world.patch_subscribed(own, true);
    assert!(!world.patch_subscribed(own, false).never_subscribed);
    let again = world.unsubscribed("again@example.com");
    world.patch_subscribed(again, false);
    let stopped = {
        let at = NewIdentity { channel: channel.id, address: "stopped".to_owned(), opted_in: None };
        let new = NewContact {
            first_name: Some("Ada".to_owned()),
            subscribed: Some(false),
            identities: Some(vec![at]),
            ..NewContact::default()
        };
        let contact = world.created(new).id;
        let message = an_inbound_message("1", "stopped", Content::text("STOP"));
        block_on(world.tidings.inbound.receive(&world.access, &channel, message)).unwrap();
        contact
    };
    let erased = world.unsubscribed("gone@example.com");
    block_on(world.tidings.erasures.erase(&world.access, &ContactRef::Id(erased), None)).unwrap();
    let remembered = world.unsubscribed("gone@example.com");
    let subscribed = world.contact("Ada", &[]);
    let writer = Access::of_key(world.access.workspace(), KeyId::from_uuid(uuid::Uuid::nil()), Scope::Write);
    let adas = || Audience::Condition(named("Ada").into());
    let refused = world.asked_by(&writer, adas(), BulkAction::Subscribe, None);
    assert!(matches!(refused, Err(Error::ScopeTooLow(Scope::Full))), "{refused:?}");
    assert_eq!(world.outcomes(BulkAction::Subscribe).len(), 5);
    let updates = world.events_of(EventKind::ContactUpdated).len();
    let done = world.done(named("Ada"), BulkAction::Subscribe, Some(6));
    let expected = BulkCounts { still_opted_out: 4, ..counts(6, 1, 1, 0) };
    assert_eq!((done.status, done.counts, done.counts.done()), (BulkStatus::Completed, expected, 6));
    let is_subscribed = |contact| world.get_contact(contact).unwrap().subscribed;
    assert!(is_subscribed(asked) && is_subscribed(subscribed));
    for contact in [own, again, stopped, remembered] {
        assert!(!is_subscribed(contact), "{contact}");
    }
    let told = world.events_of(EventKind::ContactUpdated).split_off(updates);
    assert_eq!(told.iter().map(|it| it.contact).collect::<Vec<_>>(), [Some(asked)]);
    assert!(told[0].full.contains(r#""previous":{"subscribed":false}"#), "{}", told[0].full);
}

#[test]
fn does_not_treat_an_imported_row_as_an_opt_out() {
    let world = world();
    let ada = world.unsubscribed("ada@example.com");
    let row = |subscribed| ContactPatch {
        email: crate::patch::Patch::Set("ada@example.com".parse().unwrap()),
        subscribed: Some(subscribed),
        ..ContactPatch::default()
    };
    for subscribed in [false, true] {
        block_on(world.tidings.contacts.import_row(&world.access, row(subscribed), Vec::new(), None)).unwrap();
        let contact = world.get_contact(ada).unwrap();
        assert_eq!((contact.subscribed, contact.never_subscribed, contact.version), (false, true, 1));
    }
    assert_eq!(world.done(named("Ada"), BulkAction::Subscribe, None).counts, counts(1, 1, 0, 0));
    let contact = world.get_contact(ada).unwrap();
    assert_eq!((contact.subscribed, contact.never_subscribed), (true, false));
}

#[test]
fn enrolls_each_contact_as_the_sequence_allows() {
    let world = world();
    let sequence = world.sequence(Reenroll::Never);
    let (ada, left) = (world.contact("Ada", &[]), world.contact("Ada", &[]));
    let enroll = BulkAction::Enroll(sequence);
    let by_id = ContactRef::Id(left);
    block_on(world.tidings.enrollments.enroll(&world.access, &by_id, sequence, None)).unwrap();
    block_on(world.tidings.enrollments.exit(&world.access, &by_id, sequence)).unwrap();
    let outcomes = world.outcomes(enroll.clone());
    assert_eq!(outcomes.len(), 2);
    assert!(outcomes.contains(&BulkOutcome::Skipped) && outcomes.contains(&BulkOutcome::Changed), "{outcomes:?}");
    let done = world.done(named("Ada"), enroll.clone(), Some(2));
    assert_eq!(done.counts, BulkCounts { skipped: 1, ..counts(2, 1, 0, 0) });
    let found = block_on(world.tidings.enrollments.newest(&world.access, &ContactRef::Id(ada), sequence)).unwrap();
    assert_eq!(&found.enrolled_by, world.access.actor());
    let done = world.done(named("Ada"), enroll.clone(), None);
    assert_eq!(done.counts, BulkCounts { skipped: 2, ..counts(2, 0, 0, 0) });
    let asked = world.asked(named("Ada"), enroll.clone(), None).unwrap();
    let patch = SequencePatch { status: Some(SequenceStatus::Paused), ..SequencePatch::default() };
    block_on(world.tidings.sequences.update(&world.access, sequence, patch, &ExpectedVersion::Any)).unwrap();
    world.work();
    let failed = world.get(&asked).unwrap();
    assert_eq!((failed.status, failed.error.unwrap().code.as_str()), (BulkStatus::Failed, "sequence_not_active"));
    assert!(matches!(world.asked(named("Ada"), enroll, None), Err(Error::SequenceNotActive)));
    let unknown = BulkAction::Enroll(SequenceId::from_uuid(uuid::Uuid::from_u128(9)));
    let unknown = wrong(world.asked(named("Ada"), unknown, None));
    assert_eq!(unknown, [("/action/sequence_id".to_owned(), "unknown_sequence")]);
}

#[test]
fn starts_a_flow_once_for_each_contact() {
    let world = world();
    let flow = world.flow();
    let start = BulkAction::StartFlow(flow);
    (0..130).for_each(|_| {
        world.contact("Ada", &[]);
    });
    assert!(matches!(world.asked(named("Ada"), start.clone(), None), Err(Error::FlowNotActive)));
    world.publish(flow);
    assert_eq!(world.outcomes(start.clone()), [BulkOutcome::Changed; 5]);
    let done = world.done(named("Ada"), start.clone(), Some(130));
    assert_eq!((done.status, done.counts), (BulkStatus::Completed, counts(130, 130, 0, 0)));
    assert_eq!(world.events_of(EventKind::FlowStarted).len(), 130);
    let done = world.done(named("Ada"), start, Some(130));
    assert_eq!(done.counts, BulkCounts { skipped: 130, ..counts(130, 0, 0, 0) });
    let page = PageRequest { limit: 1, ..PageRequest::default() };
    let runs = block_on(world.tidings.flows.runs(&world.access, &RunFilter::default(), page)).unwrap().items;
    assert_eq!(&runs[0].started_by, world.access.actor());
    let unknown = BulkAction::StartFlow(FlowId::from_uuid(uuid::Uuid::from_u128(9)));
    let unknown = wrong(world.asked(named("Ada"), unknown, None));
    assert_eq!(unknown, [("/action/flow_id".to_owned(), "unknown_flow")]);
}
