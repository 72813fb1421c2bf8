//! Erasure of contacts: all their data is removed, and no data of others.

use serde_json::json;
use tidings_domain::contacts::{Contact, ContactRef};
use tidings_domain::conversations::{Message, MessageStatus};
use tidings_domain::erasures::{Erasure, ErasureChange};
use tidings_domain::events::{Event, EventKind, erased};
use tidings_domain::fields::FieldKind;
use tidings_domain::flows::{Run, RunStatus};
use tidings_domain::pagination::PageRequest;
use tidings_domain::ports::{
    Change, ChannelChange, Conflict, ContactChange, FieldChange, IdempotencyRecord, Object, Row, StoredBody, TagChange,
    WebhookChange,
};
use tidings_domain::webhooks::{Delivery, DeliveryStatus};

use crate::Ports;
use crate::fixtures::seed::an_attempt;
use crate::fixtures::{
    NOW, World, a_custom_event, a_delivery, a_message, a_run, an_answer, an_enrollment, an_event, an_http_channel,
    an_unparsed_request, at, conflict, nothing,
};

/// The data of a contact.
struct Kept {
    contact: Contact,
    event: Event,
    delivery: Delivery,
    run: Run,
    key: String,
}

/// Stores two messages, an event with a delivery that failed once, a custom event, an ended run and a stored response.
async fn fill(world: &World, name: &str) -> Kept {
    let contact = world
        .contact_with(|it| {
            it.first_name = Some(name.to_owned());
            it.external_id = name.parse().ok();
        })
        .await;
    let (tag, field) = (world.tag(name).await, world.field(name, FieldKind::Text).await);
    let value = field.check(&json!(name)).unwrap();
    let (flow, sequence) = (world.flow().await, world.sequence().await);
    let conversation = world.conversation(&contact).await;
    let webhook = world.webhook(nothing()).await;
    let thin =
        json!({"id": "evt_1", "type": "contact.updated", "data": {"object": {"id": "contact_1", "external_id": name}}});
    let told = Event { contact: Some(contact.id), thin: thin.to_string(), ..an_event(EventKind::ContactUpdated) };
    let delivery = a_delivery(&webhook, &told);
    let mut run = a_run(&flow, &contact);
    run.vars.insert("name".to_owned(), json!(name));
    run.event = Some(json!({"name": name}));
    (run.status, run.ended_at) = (RunStatus::Completed, Some(NOW));
    let key = format!("key of {name}");
    let body = StoredBody::Plain(json!({"id": contact.id, "first_name": name}).to_string().into_bytes());
    world
        .commit(|set| {
            set.change(Change::Tag(TagChange::Link { contact: contact.id, tag: tag.id, at: NOW }))
                .change(Change::Field(FieldChange::PutValue { contact: contact.id, field: field.id, value }))
                .change(Change::Contact(ContactChange::InsertIdentity {
                    contact: contact.id,
                    identity: world.identity(name),
                }))
                .change(Change::Insert(Row::Message(Box::new(a_message(&conversation)))))
                .change(Change::Insert(Row::Message(Box::new(a_message(&conversation)))))
                .change(Change::Insert(Row::Message(Box::new(Message {
                    conversation: None,
                    ..a_message(&conversation)
                }))))
                .change(Change::Contact(ContactChange::RecordEvent {
                    event: Box::new(a_custom_event(&contact)),
                    depth: 0,
                }))
                .change(Change::Insert(Row::Run(Box::new(run.clone()))))
                .change(Change::Insert(Row::Enrollment(Box::new(an_enrollment(&sequence, &contact)))))
                .change(Change::Insert(Row::Delivery(delivery.clone())))
                .change(Change::Webhook(WebhookChange::InsertAttempt(an_attempt(&delivery, 2))));
            set.events.push(told.clone());
            set.idempotency = Some(IdempotencyRecord { body, ..an_answer(&key) });
        })
        .await
        .unwrap();
    Kept { contact, event: told, delivery, run, key }
}

/// Returns the change that starts the erasure of the contact.
pub(crate) fn begin(contact: &Contact) -> Change {
    let erasure = Erasure { contact: contact.id, requested_at: at(1), erased_at: None };
    Change::Erasure(ErasureChange::Begin { contact: Box::new(Erasure::emptied(contact, at(1))), erasure })
}

/// Returns all stored data of a contact as text.
async fn told(world: &World, of: &Kept) -> String {
    let (ports, access, page) = (&world.ports, &world.access, PageRequest { limit: 100, ..PageRequest::default() });
    let contact = ports.contacts.find_even_deleted(access, of.contact.id).await.unwrap();
    let talks = ports.conversations.with(access, of.contact.id).await.unwrap();
    let mut messages = Vec::new();
    for talk in &talks {
        messages.extend(ports.conversations.messages(access, talk.id, page).await.unwrap().items);
    }
    messages.extend(ports.timeline.messages_alone(access, of.contact.id, page).await.unwrap().items);
    let custom = ports.timeline.custom_events(access, of.contact.id, page).await.unwrap();
    let run = ports.flows.run(access, of.run.id).await.unwrap();
    let event = ports.engine.event(world.workspace, of.event.id).await.unwrap();
    let delivery = ports.webhooks.delivery(access, of.delivery.id).await.unwrap();
    let attempts = ports.webhooks.attempts(access, of.delivery.id).await.unwrap();
    let answer = ports.idempotency.find(access, "POST", "/v1/contacts", &of.key.as_str().into(), NOW).await.unwrap();
    format!("{contact:?} {talks:?} {messages:?} {custom:?} {run:?} {event:?} {delivery:?} {attempts:?} {answer:?}")
}

/// In portions of any size, all personal data is removed. Runs and events stay without it, and data of other contacts
/// is unchanged.
pub async fn an_erasure_removes_all_personal_data(store: Ports) {
    let world = World::new(&store).await;
    let (gone, stays) = (fill(&world, "gone").await, fill(&world, "stays").await);
    let (access, page) = (&world.access, PageRequest { limit: 100, ..PageRequest::default() });
    let other = an_unparsed_request(&an_http_channel(9));
    for request in [an_unparsed_request(&world.channel), other.clone()] {
        world.add(Change::Channel(ChannelChange::KeepUnparsed(Box::new(request)))).await;
    }
    let before = told(&world, &stays).await;
    assert!(told(&world, &gone).await.matches("gone").count() >= 4);
    assert!(store.erasures.is_left(access, gone.contact.id).await.unwrap());
    assert_eq!(store.erasures.get(access, gone.contact.id).await.unwrap(), None);

    world.add(begin(&gone.contact)).await;
    let standing = |erased_at| Some(Erasure { contact: gone.contact.id, requested_at: at(1), erased_at });
    assert_eq!(store.erasures.get(access, gone.contact.id).await.unwrap(), standing(None));
    assert_eq!(store.contacts.find(access, &ContactRef::Id(gone.contact.id)).await.unwrap(), None);
    let emptied =
        store.contacts.find_deleted(access, gone.contact.id).await.unwrap().expect("the row of the contact stays");
    assert_eq!(emptied, Erasure::emptied(&gone.contact, at(1)));
    assert_eq!(store.contacts.by_identity(access, world.channel.id, "gone").await.unwrap(), None);
    // A request that was not understood may be about the contact, if the contact has an address on its channel.
    assert_eq!(store.channels.all_unparsed(access, page).await.unwrap().items, [other]);

    let mut portions = 0;
    while store.erasures.is_left(access, gone.contact.id).await.unwrap() {
        world.add(Change::Erasure(ErasureChange::RemovePart { contact: gone.contact.id, limit: 1, at: at(2) })).await;
        portions += 1;
        assert!(portions < 100, "the erasure ends");
    }
    assert!(portions > 1, "{portions}");
    world.add(Change::Erasure(ErasureChange::End { contact: gone.contact.id, at: at(3) })).await;
    assert_eq!(store.erasures.get(access, gone.contact.id).await.unwrap(), standing(Some(at(3))));

    let left = told(&world, &gone).await;
    assert!(!left.contains("gone"), "{left}");
    let event =
        store.engine.event(world.workspace, gone.event.id).await.unwrap().expect("the event keeps its position");
    assert_eq!((&event.full, &event.thin), (&erased(&gone.event.thin), &erased(&gone.event.thin)));
    assert_eq!(event.kind, EventKind::ContactUpdated);
    let delivery = store.webhooks.delivery(access, gone.delivery.id).await.unwrap().expect("the delivery stays");
    assert_eq!((delivery.status, delivery.next_attempt_at), (DeliveryStatus::Failed, None));
    assert_eq!(store.webhooks.attempts(access, gone.delivery.id).await.unwrap(), []);
    let run = store.flows.run(access, gone.run.id).await.unwrap().expect("the run stays");
    assert_eq!((run.status, run.updated_at, run.version), (RunStatus::Completed, at(2), 2));
    assert_eq!(store.conversations.with(access, gone.contact.id).await.unwrap(), []);
    assert_eq!(store.timeline.events(access, gone.contact.id, page).await.unwrap().len(), 0);

    assert_eq!(told(&world, &stays).await, before, "data of other contacts is unchanged");
    assert!(store.erasures.is_left(access, stays.contact.id).await.unwrap());
}

/// A change based on the contact before the erasure is stale. A deleted contact can be erased, too, and erased again.
pub async fn rejects_changes_based_on_reads_before_an_erasure(store: Ports) {
    let world = World::new(&store).await;
    let kept = fill(&world, "gone").await;
    let mut changed = kept.contact.clone();
    changed.touch(at(1));
    world.add(Change::Update(Row::Contact(Box::new(changed.clone())))).await;
    let stale = Conflict::Stale(Object::Contact(kept.contact.id));
    assert_eq!(conflict(world.change(begin(&kept.contact)).await), stale);
    (changed.version, changed.deleted_at) = (3, Some(at(1)));
    world.add(Change::Update(Row::Contact(Box::new(changed.clone())))).await;
    world.add(begin(&changed)).await;
    // A message that was being sent.
    let talk = store.conversations.with(&world.access, changed.id).await.unwrap().remove(0);
    let page = store.conversations.messages(&world.access, talk.id, PageRequest::default()).await.unwrap();
    let mut message = page.items.into_iter().next().unwrap();
    world.add(Change::Erasure(ErasureChange::RemovePart { contact: changed.id, limit: 100, at: at(2) })).await;
    message.advance(MessageStatus::Sending, at(2));
    let late = world.change(Change::Update(Row::Message(Box::new(message.clone())))).await;
    assert_eq!(conflict(late), Conflict::Stale(Object::Message(message.id)));
    let mut restored = Erasure::emptied(&changed, at(1));
    restored.deleted_at = None;
    let late = world.change(Change::Contact(ContactChange::Restore(Box::new(restored)))).await;
    assert_eq!(conflict(late), stale);
    let again = store.contacts.find_deleted(&world.access, changed.id).await.unwrap().unwrap();
    world.add(begin(&again)).await;
}

/// Finds queued and sending messages, with and without a conversation, before a portion deletes them.
pub async fn finds_unsent_messages_before_their_erasure(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let (gone, stays) = (world.contact().await, world.contact().await);
    let talk = world.conversation(&gone).await;
    let [queued, mut sending, mut sent] =
        [1, 2, 3].map(|second| Message { created_at: at(second), ..a_message(&talk) });
    sending.advance(MessageStatus::Sending, at(4));
    sent.advance(MessageStatus::Sending, at(4));
    sent.advance(MessageStatus::Sent, at(4));
    let alone = Message { conversation: None, created_at: at(5), ..a_message(&talk) };
    let foreign = a_message(&world.conversation(&stays).await);
    for message in [&sent, &sending, &queued, &alone, &foreign] {
        world.add(Change::Insert(Row::Message(Box::new(message.clone())))).await;
    }
    let unsent = async |world: &World, limit| {
        let mut found = store.erasures.unsent(&world.access, gone.id, limit).await.unwrap();
        found.sort_unstable();
        found
    };
    let mut expected = vec![sending.id, queued.id, alone.id];
    expected.sort_unstable();
    assert_eq!((unsent(&world, 9).await, unsent(&other, 9).await), (expected, Vec::new()));

    world.add(begin(&gone)).await;
    let mut found = 0;
    while store.erasures.is_left(&world.access, gone.id).await.unwrap() {
        for message in unsent(&world, 1).await {
            let mut message = store.conversations.message(&world.access, message).await.unwrap().unwrap();
            message.advance(MessageStatus::Failed, at(6));
            world.add(Change::Update(Row::Message(Box::new(message)))).await;
            found += 1;
        }
        world.add(Change::Erasure(ErasureChange::RemovePart { contact: gone.id, limit: 1, at: at(7) })).await;
    }
    assert_eq!(found, 3, "a portion deletes no message that was not found before");
    let other = store.conversations.message(&world.access, foreign.id).await.unwrap().unwrap();
    assert_eq!(other.status, MessageStatus::Queued);
}
