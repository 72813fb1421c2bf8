//! The amount of stored text: a walk counts each row once, for its workspace.

use std::time::Duration;

use serde_json::json;
use tidings_domain::access::storage_usage::{StorageUsage, StoredBytes, StoredPlace};
use tidings_domain::contacts::Email;
use tidings_domain::events::EventKind;
use tidings_domain::fields::{FieldKind, FieldValue};
use tidings_domain::ports::{
    Change, ChangeSet, ChannelChange, ContactChange, FieldChange, FlowChange, ImportChange, Lease, Row, WebhookChange,
};
use tidings_domain::stored::StoredRow;
use tidings_domain::webhooks::Attempt;

use crate::Ports;
use crate::access::audit::an_audit_entry;
use crate::contacts::imports::a_rejected_row;
use crate::fixtures::{
    NOW, World, a_broadcast, a_bulk_operation, a_custom_event, a_delivery, a_flow, a_flow_version, a_message, a_run,
    a_saved_reply, a_segment, a_sequence, an_answer, an_event, an_import, an_unparsed_request, at, id, nothing, uuid,
};

/// Returns the stored bytes of a workspace, measured in portions of `limit` objects.
async fn measure(store: &Ports, world: &World, limit: u32) -> StoredBytes {
    let (mut sum, mut place) = (StoredBytes::default(), Some(StoredPlace::default()));
    while let Some(from) = place {
        let portion = store.engine.measure_stored(from, limit).await.unwrap();
        let own = portion.bytes.iter().filter(|(workspace, _)| *workspace == world.workspace);
        own.for_each(|(_, bytes)| sum.add(bytes));
        place = portion.next;
    }
    sum
}

/// In portions of any size, with rows of other workspaces. The expected bytes of a set equal those measured afterwards.
pub async fn each_row_is_measured_once_in_its_own_workspace(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let mut expected = measure(&store, &world, 100).await;
    let field = world.field("note", FieldKind::Text).await;
    for number in 0..7 {
        other.commit(|set| set.idempotency = Some(an_answer(&number.to_string()))).await.unwrap();
        other.contact_with(|it| it.first_name = Some("Somebody".to_owned())).await;
        let contact = world
            .contact_with(|it| {
                it.first_name = Some("Zoë".to_owned());
                it.email = Some(Email::from_store(format!("{number}@example.com")));
            })
            .await;
        let value = FieldValue::from_store(json!("ten bytes."));
        world.add(Change::Field(FieldChange::PutValue { contact: contact.id, field: field.id, value })).await;
        let mut told = a_custom_event(&contact);
        told.data = json!({"a": 1}).as_object().cloned().unwrap();
        world.add(Change::Contact(ContactChange::RecordEvent { event: Box::new(told), depth: 0 })).await;
        // `Zoë` has four bytes, the address thirteen, the value twelve with its quotes, and the custom event seven.
        expected.contacts += 4 + 13 + 12 + 7;
    }
    let contact = world.contact().await;
    let conversation = world.conversation(&contact).await;
    let webhook = world.webhook(nothing()).await;
    let event = world.event(EventKind::MessageSent).await;
    expected.events += (event.full.len() + event.thin.len()) as i64;
    let (flow, import) = (a_flow(), an_import());
    let delivery = a_delivery(&webhook, &event);
    let attempt = Attempt {
        delivery: delivery.id,
        number: 1,
        at: NOW,
        duration_ms: 5,
        status: Some(500),
        headers: vec![("server".to_owned(), "nginx".to_owned())],
        body: "Oh dear".to_owned(),
        error: Some("status 500".to_owned()),
    };
    let mut set = ChangeSet::new(world.workspace);
    set.events.push(an_event(EventKind::MessageSent));
    set.changes.extend([
        Change::Insert(Row::Message(Box::new(a_message(&conversation)))),
        Change::Channel(ChannelChange::KeepUnparsed(Box::new(an_unparsed_request(&world.channel)))),
        Change::Insert(Row::Delivery(delivery)),
        Change::Webhook(WebhookChange::InsertAttempt(attempt)),
        Change::Insert(Row::Flow(flow.clone())),
        Change::Flow(FlowChange::InsertVersion(a_flow_version(&flow, 1))),
        Change::Insert(Row::Run(Box::new(a_run(&flow, &contact)))),
        Change::Insert(Row::Stored(StoredRow::Segment(a_segment()))),
        Change::Insert(Row::BulkOperation(Box::new(a_bulk_operation()))),
        Change::Insert(Row::Import(Box::new(import.clone()))),
        Change::Import(ImportChange::PutTable {
            import: import.id, table: "email\nzoë@example.com".as_bytes().into()
        }),
        Change::Import(ImportChange::Reject { import: import.id, row: Box::new(a_rejected_row(2, None, None)) }),
        Change::Import(ImportChange::Reject { import: import.id, row: Box::new(a_rejected_row(3, None, None)) }),
        Change::Insert(Row::Broadcast(Box::new(a_broadcast()))),
        Change::Insert(Row::Stored(StoredRow::SavedReply(a_saved_reply("Hours")))),
        Change::Insert(Row::Sequence(Box::new(a_sequence()))),
        Change::Audit(Box::new(an_audit_entry(&world, id(), "tag", 1))),
    ]);
    set.idempotency = Some(an_answer("one"));
    let added = StoredBytes::added_by(&set);
    assert!(added.by_kind().into_iter().all(|(_, bytes)| bytes > 0), "{added:?}");
    expected.add(&added);
    store.ledger.commit(set).await.unwrap();
    for limit in [1, 2, 3, 100] {
        assert_eq!(measure(&store, &world, limit).await, expected, "in portions of {limit}");
    }
}

/// A measurement is returned until it is deleted.
pub async fn returns_a_measurement_until_it_is_deleted(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let bytes = StoredBytes { contacts: 1, messages: 2, events: 3, deliveries: 4, flows: 5, idempotency: 6 };
    // The measurement contains everything written before it.
    let told = async |world: &World, measured| store.usage.storage_usage(&world.access, measured).await.unwrap();
    for measured_at in [at(1), at(2)] {
        store.engine.keep_stored(vec![(world.workspace, bytes), (other.workspace, bytes)], measured_at).await.unwrap();
        assert_eq!(told(&world, measured_at).await, StorageUsage { bytes, measured_at: Some(measured_at) });
    }
    store.engine.keep_stored(vec![(world.workspace, bytes)], at(3)).await.unwrap();
    let newest = store.engine.last_measured().await.unwrap();
    assert!(newest >= Some(at(3)), "{newest:?}");
    store.engine.forget_stored(at(3)).await.unwrap();
    assert_eq!(told(&world, at(3)).await.measured_at, Some(at(3)));
    assert_eq!(told(&other, at(3)).await.measured_at, None);
}

/// A lease has one holder at a time, until it expires.
pub async fn a_lease_has_one_holder(store: Ports) {
    let (one, another) = (uuid(), uuid());
    let take = async |holder, length| store.engine.take_lease(Lease::Measuring, holder, length, NOW).await.unwrap();
    let hour = Duration::from_secs(3_600);
    assert!(take(one, hour).await);
    assert!(!take(another, hour).await);
    assert!(take(one, Duration::ZERO).await);
    assert!(take(another, hour).await, "a lease of zero has expired");
}
