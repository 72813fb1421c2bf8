//! Other queries: objects are found by each of their identifiers and filters.

use serde_json::json;
use tidings_domain::access::KeyHolder;
use tidings_domain::conversations::{AssignedTo, Conversation, ConversationFilter, ConversationStatus, MessageStatus};
use tidings_domain::events::EventKind;
use tidings_domain::fields::{FieldKind, FieldRef, Rules};
use tidings_domain::ids::TagId;
use tidings_domain::list_filter::NameFilter;
use tidings_domain::pagination::{PageRequest, Sort, SortedRequest, Total};
use tidings_domain::ports::{
    AccessChange, Change, ChangeSet, Conflict, Object, Row, StoredEvent, TagChange, UniqueKey, WebhookChange,
};
use tidings_domain::stored::{StoredId, StoredRow};
use tidings_domain::text::search_fold;
use tidings_domain::webhooks::{
    Attempt, DeliveryFilter, DeliveryStatus, MAX_SHOWN_ATTEMPTS, PayloadForm, Subscription,
};

use crate::Ports;
use crate::fixtures::seed::an_attempt;
use crate::fixtures::{
    NOW, World, a_bot_field, a_delivery, a_field, a_key, a_saved_reply, a_secret, a_segment, a_webhook, an_event, at,
    conflict, id, nothing,
};

/// A key is found by its digest, with its workspace, revoked or not; workspaces are sorted by name.
pub async fn keys_and_workspaces_are_found(store: Ports) {
    let (ada, bob) = (World::new(&store).await, World::new(&store).await);
    let (mut key, later) = (a_key(ada.workspace, 1), a_key(ada.workspace, 2));
    ada.add(Change::Access(AccessChange::InsertKey(later.clone()))).await;
    ada.add(Change::Access(AccessChange::InsertKey(key.clone()))).await;
    let workspace = store.access.workspace(ada.workspace).await.unwrap().unwrap();
    let holder = |key| KeyHolder { key, workspace_name: workspace.name.clone(), plan: workspace.plan };
    let by_digest = async |digest| store.access.key_by_digest([digest; 32]).await.unwrap();
    assert_eq!(by_digest(1).await, Some(holder(key.clone())));
    assert_eq!(by_digest(3).await, None);
    // Each change increases the version.
    ada.add(Change::Access(AccessChange::ExpireKey { key: key.id, end: at(60), at: at(4) })).await;
    (key.expires_at, key.updated_at, key.version) = (Some(at(60)), at(4), 2);
    assert_eq!(by_digest(1).await, Some(holder(key.clone())));
    ada.add(Change::Access(AccessChange::RevokeKey { key: key.id, at: at(5) })).await;
    (key.revoked_at, key.updated_at, key.version) = (Some(at(5)), at(5), 3);
    assert_eq!(by_digest(1).await, Some(holder(key.clone())));
    assert_eq!(store.access.keys(&ada.access).await.unwrap(), [key, later]);
    let named = async |name: Option<&str>| {
        let found = store.access.workspaces(name.map(str::to_owned)).await.unwrap();
        found.into_iter().map(|workspace| workspace.id).collect::<Vec<_>>()
    };
    assert_eq!(named(None).await, [ada.workspace, bob.workspace]);
    assert_eq!(named(Some("Ada's shop")).await, [ada.workspace, bob.workspace]);
    assert_eq!(named(Some("nobody's")).await, []);
    assert_eq!(store.access.workspace(id()).await.unwrap(), None);
    assert_eq!(store.channels.default_channel(&ada.access).await.unwrap(), Some(ada.channel.clone()));
    assert_eq!(store.channels.get(&ada.access, ada.channel.id).await.unwrap(), Some(ada.channel));
}

/// Tags are found by ID and folded name; their existing contacts are counted.
pub async fn tags_are_found_and_counted(store: Ports) {
    let world = World::new(&store).await;
    let (mut vip, other) = (world.tag(" VIP ").await, world.tag("Ärger").await);
    let (contact, mut second) = (world.contact().await, world.contact().await);
    for contact in [contact.id, second.id] {
        world.add(Change::Tag(TagChange::Link { contact, tag: vip.id, at: NOW })).await;
    }
    let get = async |tag| store.tags.get(&world.access, tag).await.unwrap();
    assert_eq!(get(vip.id).await.unwrap().contact_count, 2);
    second.deleted_at = Some(at(1));
    second.touch(at(1));
    world.add(Change::Update(Row::Contact(Box::new(second)))).await;
    vip.contact_count = 1;
    assert_eq!(get(vip.id).await, Some(vip.clone()));
    assert_eq!(get(id()).await, None);
    let page = store.tags.list(&world.access, &NameFilter::default(), SortedRequest::default()).await.unwrap();
    assert_eq!(page.items, [other.clone(), vip.clone()]);
    vip.contact_count = 0;
    let mut by_ids = store.tags.by_ids(&world.access, &[other.id, id(), vip.id]).await.unwrap();
    by_ids.sort_by_key(|tag| tag.id);
    assert_eq!(by_ids, [vip.clone(), other.clone()]);
    assert_eq!(store.tags.by_ids(&world.access, &[]).await.unwrap(), []);
    let by_name = store.tags.by_name_keys(&world.access, &["ärger".to_owned(), "none".to_owned()]).await.unwrap();
    assert_eq!(by_name, std::slice::from_ref(&other));
    let mut renamed = other;
    (renamed.name, renamed.color, renamed.description) = ("Ruhe".to_owned(), Some("#ff0000".to_owned()), None);
    (renamed.version, renamed.updated_at) = (2, at(3));
    world.add(Change::Update(Row::Stored(StoredRow::Tag(renamed.clone())))).await;
    assert_eq!(get(renamed.id).await, Some(renamed));
}

/// Custom fields and bot fields are found by ID and by key, and listed by key.
pub async fn fields_are_found_by_id_and_by_key(store: Ports) {
    let world = World::new(&store).await;
    let mut size = a_field("size", FieldKind::MultiSelect);
    size.rules = Rules { min: Some(0.5), max: Some(1e300), max_length: Some(7), pattern: Some("^\\d$".to_owned()) };
    let age = a_field("age", FieldKind::Number);
    let (mut hours, closed) = (a_bot_field("hours"), a_bot_field("closed"));
    for change in [
        Change::Insert(Row::Stored(StoredRow::CustomField(size.clone()))),
        Change::Insert(Row::Stored(StoredRow::CustomField(age.clone()))),
    ] {
        world.add(change).await;
    }
    for change in [
        Change::Insert(Row::Stored(StoredRow::BotField(hours.clone()))),
        Change::Insert(Row::Stored(StoredRow::BotField(closed.clone()))),
    ] {
        world.add(change).await;
    }
    let access = &world.access;
    for name in [FieldRef::Id(size.id), FieldRef::Key("size".to_owned())] {
        assert_eq!(store.fields.get(access, &name).await.unwrap(), Some(size.clone()));
    }
    assert_eq!(store.fields.get(access, &FieldRef::Key("SIZE".to_owned())).await.unwrap(), None);
    assert_eq!(store.fields.all(access).await.unwrap(), [age, size.clone()]);
    (hours.value, hours.version) = (Some(json!("9–17")), 2);
    world.add(Change::Update(Row::Stored(StoredRow::BotField(hours.clone())))).await;
    for name in [FieldRef::Id(hours.id), FieldRef::Key("hours".to_owned())] {
        assert_eq!(store.fields.bot(access, &name).await.unwrap(), Some(hours.clone()));
    }
    assert_eq!(store.fields.bot_all(access).await.unwrap(), [closed, hours]);
    (size.name, size.options, size.version) = ("Size".to_owned(), vec!["XL".to_owned()], 2);
    world.add(Change::Update(Row::Stored(StoredRow::CustomField(size.clone())))).await;
    assert_eq!(store.fields.get(access, &FieldRef::Id(size.id)).await.unwrap(), Some(size));
}

/// All fields of a segment are stored, and only its workspace finds it.
pub async fn stores_all_fields_of_a_segment(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let mut segment = a_segment();
    world.add(Change::Insert(Row::Stored(StoredRow::Segment(segment.clone())))).await;
    let get = async |world: &World| store.segments.get(&world.access, segment.id).await.unwrap();
    assert_eq!(get(&world).await.as_ref(), Some(&segment));
    assert_eq!(get(&other).await, None);
    segment.name = "Другая 🦀".to_owned();
    segment.condition = serde_json::json!({"not": {"field": "tags", "op": "has", "value": "ü"}}).into();
    (segment.updated_at, segment.version) = (at(5), 2);
    world.add(Change::Update(Row::Stored(StoredRow::Segment(segment.clone())))).await;
    assert_eq!(
        store.segments.list(&world.access, &NameFilter::default(), PageRequest::default()).await.unwrap().items,
        [segment.clone()]
    );
    world.add(Change::Delete(Object::Stored(StoredId::Segment(segment.id)))).await;
    assert_eq!(store.segments.get(&world.access, segment.id).await.unwrap(), None);
}

/// Saved replies are found by ID and by name, only in their workspace. Names are unique in any case.
pub async fn saved_replies_are_found_by_name(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let (mut hours, prices) = (a_saved_reply("Öffnung"), a_saved_reply("Prices"));
    world.add(Change::Insert(Row::Stored(StoredRow::SavedReply(hours.clone())))).await;
    world.add(Change::Insert(Row::Stored(StoredRow::SavedReply(prices.clone())))).await;
    other.add(Change::Insert(Row::Stored(StoredRow::SavedReply(a_saved_reply("Öffnung"))))).await;
    let named = async |world: &World, name: &str| store.saved_replies.by_unique(&world.access, name).await.unwrap();
    assert_eq!(named(&world, &hours.name_key()).await.as_ref(), Some(&hours));
    assert_eq!(named(&other, &prices.name_key()).await, None);
    assert_eq!(store.saved_replies.get(&other.access, hours.id).await.unwrap(), None);
    for change in [
        Change::Insert(Row::Stored(StoredRow::SavedReply(a_saved_reply("ÖFFNUNG")))),
        Change::Update(Row::Stored(StoredRow::SavedReply(tidings_domain::saved_replies::SavedReply {
            name: "öffnung".to_owned(),
            version: 2,
            ..prices.clone()
        }))),
    ] {
        let mut set = ChangeSet::new(world.workspace);
        set.change(change);
        let taken = conflict(store.ledger.commit(set).await);
        assert_eq!(taken, Conflict::Exists(UniqueKey::SavedReplyName));
    }
    (hours.text, hours.updated_at, hours.version) = ("Closed 🦀".to_owned(), at(5), 2);
    world.add(Change::Update(Row::Stored(StoredRow::SavedReply(hours.clone())))).await;
    assert_eq!(store.saved_replies.get(&world.access, hours.id).await.unwrap().as_ref(), Some(&hours));
    world.add(Change::Delete(Object::Stored(StoredId::SavedReply(hours.id)))).await;
    assert_eq!(named(&world, &hours.name_key()).await, None);
}

/// Secrets are found by name and listed by name, with all fields.
pub async fn secrets_are_found_by_name(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let (mut token, key) = (a_secret("TOKEN"), a_secret("KEY"));
    for secret in [&token, &key] {
        world.add(Change::Insert(Row::Stored(StoredRow::Secret(secret.clone())))).await;
    }
    other.add(Change::Insert(Row::Stored(StoredRow::Secret(a_secret("TOKEN"))))).await;
    let get = async |name: &str| store.workspace_secrets.get(&world.access, name).await.unwrap();
    assert_eq!(get("TOKEN").await, Some(token.clone()));
    assert_eq!((get("token").await, get("OTHER").await), (None, None));
    token.hosts = vec!["b.example.com".to_owned(), "a.example.com".to_owned()];
    (token.sealed, token.version, token.updated_at) = (vec![7, 0], 2, at(5));
    world.add(Change::Update(Row::Stored(StoredRow::Secret(token.clone())))).await;
    assert_eq!(store.workspace_secrets.all(&world.access).await.unwrap(), [key.clone(), token.clone()]);
    let page = PageRequest { limit: 1, ..PageRequest::default() };
    let first = store.workspace_secrets.list(&world.access, page).await.unwrap();
    assert_eq!(first.items, [key]);
    let rest = PageRequest { after: first.next, ..page };
    assert_eq!(store.workspace_secrets.list(&world.access, rest).await.unwrap().items, [token.clone()]);
    world.add(Change::Delete(Object::Stored(StoredId::Secret(token.id)))).await;
    assert_eq!(get("TOKEN").await, None);
}

/// Conversations are found by contact and channel and by each filter; all fields of messages are stored.
pub async fn conversations_are_found_and_filtered(store: Ports) {
    let world = World::new(&store).await;
    let (ada, bob) = (world.contact().await, world.contact().await);
    let (first, second) = (world.conversation(&ada).await, world.conversation(&bob).await);
    let access = &world.access;
    let between = store.conversations.between(access, ada.id, world.channel.id).await.unwrap();
    assert_eq!(between, Some(first.clone()));
    assert_eq!(store.conversations.between(access, ada.id, id()).await.unwrap(), None);
    let list = async |filter: ConversationFilter| {
        let page = store.conversations.list(access, &filter, SortedRequest::default()).await.unwrap();
        page.items.into_iter().map(|it| it.id).collect::<Vec<_>>()
    };
    let none = ConversationFilter::default;
    assert_eq!(list(none()).await, [second.id, first.id]);
    assert_eq!(list(ConversationFilter { contact: Some(ada.id), ..none() }).await, [first.id]);
    assert_eq!(list(ConversationFilter { channel: Some(id()), ..none() }).await, []);
    let pending = ConversationFilter { status: Some(ConversationStatus::Pending), ..none() };
    assert_eq!(list(pending).await, [second.id, first.id]);
    assert_eq!(list(ConversationFilter { updated_after: Some(at(1)), ..none() }).await, []);
    assert_eq!(list(ConversationFilter { updated_after: Some(NOW), ..none() }).await, [second.id, first.id]);
    let called =
        |words: &[&str]| ConversationFilter { words: words.iter().map(|it| search_fold(it)).collect(), ..none() };
    assert_eq!(list(called(&["%"])).await, []);
    let mut known = ada.clone();
    (known.first_name, known.external_id) = (Some("Zoë 100%".into()), Some("crm-7".parse().unwrap()));
    known.touch(NOW);
    world.add(Change::Update(Row::Contact(Box::new(known)))).await;
    assert_eq!(list(called(&["100%", "crm-", "ZOE"])).await, [first.id]);
    assert_eq!(list(called(&["zoë", "bob"])).await, []);
    assert_eq!(list(ConversationFilter { contact: Some(bob.id), ..called(&["zoë"]) }).await, []);
    assert_eq!(list(ConversationFilter { unread: Some(true), ..none() }).await, []);
    let mut waiting = second.clone();
    (waiting.unread_count, waiting.assignee, waiting.version) = (2, Some(id()), 2);
    world.add(Change::Update(Row::Conversation(waiting.clone()))).await;
    let nobody = ConversationFilter { assigned: Some(AssignedTo::Nobody), ..none() };
    assert_eq!(list(nobody.clone()).await, [first.id]);
    let status = Some(ConversationStatus::Pending);
    let assigned = waiting.assignee.map(AssignedTo::Member);
    assert_eq!(list(ConversationFilter { status, ..nobody }).await, [first.id]);
    assert_eq!(list(ConversationFilter { unread: Some(false), ..none() }).await, [first.id]);
    assert_eq!(list(ConversationFilter { unread: Some(true), status, ..none() }).await, [second.id]);
    assert_eq!(list(ConversationFilter { unread: Some(true), assigned, ..none() }).await, [second.id]);
    assert_eq!(list(ConversationFilter { unread: Some(false), assigned, ..none() }).await, []);
    assert_eq!(
        list(ConversationFilter { contact: Some(bob.id), unread: Some(true), status, assigned, ..none() }).await,
        [second.id]
    );
    waiting_conversations_are_filtered(&store, &world, [first.clone(), waiting]).await;

    let mut message = world.message(&first).await;
    assert_eq!(store.conversations.message(access, message.id).await.unwrap(), Some(message.clone()));
    message.provider_message_id = Some("p1".to_owned());
    message.advance(MessageStatus::Sending, at(1));
    world.add(Change::Update(Row::Message(Box::new(message.clone())))).await;
    message.fail("rejected", "no such number", at(2));
    world.add(Change::Update(Row::Message(Box::new(message.clone())))).await;
    assert_eq!(store.conversations.message(access, message.id).await.unwrap(), Some(message));
}

/// Filters by waiting time and by tags of contacts; the counts match the lists.
async fn waiting_conversations_are_filtered(store: &Ports, world: &World, [first, mut second]: [Conversation; 2]) {
    let access = &world.access;
    let (waiting_since, status) = (Some(at(3)), Some(second.status));
    (second.waiting_since, second.version) = (waiting_since, second.version + 1);
    world.add(Change::Update(Row::Conversation(second.clone()))).await;
    let (vip, rare) = (world.tag("vip").await, world.tag("rare").await);
    for (contact, tag) in [(first.contact, vip.id), (second.contact, vip.id), (first.contact, rare.id)] {
        world.add(Change::Tag(TagChange::Link { contact, tag, at: NOW })).await;
    }
    let none = ConversationFilter::default;
    let waiting = |waiting| ConversationFilter { waiting: Some(waiting), ..none() };
    let tagged = |tags: &[TagId]| ConversationFilter { tags: tags.to_vec(), ..none() };
    let assigned = second.assignee.map(AssignedTo::Member);
    let cases = [
        (waiting(true), vec![second.id]),
        (waiting(false), vec![first.id]),
        (ConversationFilter { status, ..waiting(true) }, vec![second.id]),
        (ConversationFilter { status, assigned, ..waiting(true) }, vec![second.id]),
        (ConversationFilter { assigned, ..waiting(false) }, vec![]),
        (ConversationFilter { unread: Some(true), ..waiting(true) }, vec![second.id]),
        (ConversationFilter { contact: Some(first.contact), ..waiting(true) }, vec![]),
        (tagged(&[vip.id]), vec![second.id, first.id]),
        (tagged(&[rare.id]), vec![first.id]),
        (tagged(&[vip.id, rare.id]), vec![first.id]),
        (tagged(&[rare.id, vip.id]), vec![first.id]),
        (tagged(&[id()]), vec![]),
        (ConversationFilter { waiting: Some(true), ..tagged(&[vip.id]) }, vec![second.id]),
        (ConversationFilter { status, contact: Some(second.contact), ..tagged(&[vip.id]) }, vec![second.id]),
        (ConversationFilter { contact: Some(second.contact), ..tagged(&[rare.id]) }, vec![]),
    ];
    for (filter, expected) in &cases {
        for by in Conversation::SORTS {
            let order = Sort { by, descending: true };
            let page = SortedRequest { order, ..SortedRequest::default() };
            let mut found: Vec<_> =
                store.conversations.list(access, filter, page).await.unwrap().items.iter().map(|it| it.id).collect();
            found.sort_by_key(|id| *id == first.id);
            assert_eq!(found, *expected, "{by:?} {filter:?}");
        }
    }
    let filters: Vec<_> = cases.iter().map(|(filter, _)| filter.clone()).collect();
    let counts = store.conversations.counts(access, &filters).await.unwrap();
    let expected: Vec<_> = cases.iter().map(|(_, ids)| Total::of(ids.len() as u64)).collect();
    assert_eq!(counts, expected);
    second.waiting_since = None;
    second.version += 1;
    world.add(Change::Update(Row::Conversation(second))).await;
}

/// Finds webhooks for all event types and those for this one.
pub async fn finds_the_subscribers_of_an_event_type(store: Ports) {
    let world = World::new(&store).await;
    let all = world.webhook(Subscription::All).await;
    let mut some = a_webhook(Subscription::Kinds(vec![EventKind::MessageSent, EventKind::FlowFailed]));
    (some.payload, some.description) = (PayloadForm::Thin, Some("d".to_owned()));
    world.add(Change::Insert(Row::Webhook(some.clone()))).await;
    world.webhook(Subscription::Kinds(vec![EventKind::ContactCreated])).await;
    let wanting = async |kind| store.webhooks.subscribers(&world.access, kind).await.unwrap();
    assert_eq!(wanting(EventKind::MessageSent).await, [all.clone(), some.clone()]);
    assert_eq!(wanting(EventKind::MessageFailed).await, std::slice::from_ref(&all));
    assert_eq!(store.webhooks.get(&world.access, some.id).await.unwrap(), Some(some));
    world.add(Change::Delete(Object::Webhook(all.id))).await;
    assert_eq!(wanting(EventKind::MessageFailed).await, []);
}

/// Deliveries are found by each filter, with all fields.
pub async fn deliveries_are_filtered(store: Ports) {
    let world = World::new(&store).await;
    let webhook = world.webhook(nothing()).await;
    let mut made = Vec::new();
    for (number, kind) in
        [EventKind::MessageSent, EventKind::MessageSent, EventKind::FlowFailed].into_iter().enumerate()
    {
        let event = world.event(kind).await;
        let mut delivery = a_delivery(&webhook, &event);
        delivery.created_at = at(number as u64);
        world.add(Change::Insert(Row::Delivery(delivery.clone()))).await;
        made.push(delivery);
    }
    let done = &mut made[1];
    (done.status, done.attempts, done.next_attempt_at) = (DeliveryStatus::Succeeded, 2, None);
    (done.last_status, done.last_error, done.version) = (Some(200), Some("e".to_owned()), 2);
    world.add(Change::Update(Row::Delivery(done.clone()))).await;
    assert_eq!(store.webhooks.delivery(&world.access, made[1].id).await.unwrap(), Some(made[1].clone()));
    let none = DeliveryFilter::default();
    for (filter, expected) in [
        (none, vec![2, 1, 0]),
        (DeliveryFilter { status: Some(DeliveryStatus::Succeeded), ..none }, vec![1]),
        (DeliveryFilter { status: Some(DeliveryStatus::Pending), ..none }, vec![2, 0]),
        (DeliveryFilter { event_kind: Some(EventKind::FlowFailed), ..none }, vec![2]),
        (DeliveryFilter { since: Some(at(1)), ..none }, vec![2, 1]),
        (DeliveryFilter { until: Some(at(1)), ..none }, vec![0]),
        (
            DeliveryFilter { since: Some(at(1)), until: Some(at(2)), status: Some(DeliveryStatus::Failed), ..none },
            vec![],
        ),
    ] {
        let page = store.webhooks.deliveries(&world.access, webhook.id, &filter, PageRequest::default()).await.unwrap();
        let expected: Vec<_> = expected.into_iter().map(|place: usize| made[place].clone()).collect();
        assert_eq!(page.items, expected, "{filter:?}");
    }
}

/// The newest attempts of a delivery are returned in order, with all fields.
pub async fn returns_attempts_in_order(store: Ports) {
    let world = World::new(&store).await;
    let (webhook, event) = (world.webhook(nothing()).await, world.event(EventKind::MessageSent).await);
    let delivery = world.delivery(&webhook, &event).await;
    let mut attempts = [1, 2, 10].map(|number| an_attempt(&delivery, number));
    attempts[1].status = None;
    (attempts[1].headers, attempts[1].error) = (Vec::new(), None);
    for attempt in attempts.iter().rev() {
        world.add(Change::Webhook(WebhookChange::InsertAttempt(attempt.clone()))).await;
    }
    assert_eq!(store.webhooks.attempts(&world.access, delivery.id).await.unwrap(), attempts);
    let replayed: Vec<_> = (11..).take(MAX_SHOWN_ATTEMPTS.into()).map(|number| an_attempt(&delivery, number)).collect();
    let insert = |attempt: &Attempt| Change::Webhook(WebhookChange::InsertAttempt(attempt.clone()));
    world.commit(|set| set.changes.extend(replayed.iter().map(insert))).await.unwrap();
    assert_eq!(store.webhooks.attempts(&world.access, delivery.id).await.unwrap(), replayed);
}

/// Both envelopes are stored byte for byte.
pub async fn stores_the_envelopes_of_an_event_byte_for_byte(store: Ports) {
    let world = World::new(&store).await;
    let mut event = an_event(EventKind::ContactDeleted);
    (event.full, event.at) = (r#"{ "z":1, "a": 1.0, "n":"\u0000 é" }"#.to_owned(), at(3));
    event.contact = Some(id());
    world.commit(|set| set.events.push(event.clone())).await.unwrap();
    let stored = store.engine.event(world.workspace, event.id).await.unwrap();
    let expected = StoredEvent { id: event.id, kind: event.kind, at: event.at, full: event.full, thin: event.thin };
    assert_eq!(stored, Some(expected));
    assert_eq!(store.engine.event(world.workspace, id()).await.unwrap(), None);
}
