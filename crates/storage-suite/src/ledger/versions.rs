//! Rule 4: a change based on an older state is rejected.

use tidings_domain::access::{Member, Role, User, Workspace};
use tidings_domain::events::EventKind;
use tidings_domain::fields::FieldKind;
use tidings_domain::ports::{
    AccessChange, AccountChange, Change, ChannelChange, CommitError, Conflict, Guard, Object, Row, StoreError,
};
use tidings_domain::stored::{StoredId, StoredRow};
use tidings_domain::tags::Tag;
use tidings_domain::webhooks::Subscription;

use crate::Ports;
use crate::access::people::a_session;
use crate::fixtures::{
    NOW, World, a_bot_field, a_broadcast, a_bulk_operation, a_key, a_media, a_saved_reply, a_secret, a_segment,
    an_import, an_invitation, conflict, id, nothing,
};

/// Returns an object of each type with version 1, and a missing one.
async fn objects(world: &World) -> Vec<[Object; 2]> {
    let contact = world.contact().await;
    let conversation = world.conversation(&contact).await;
    let (flow, sequence) = (world.flow().await, world.sequence().await);
    let (webhook, event) = (world.webhook(nothing()).await, world.event(EventKind::FlowStarted).await);
    let (key, bot_field) = (a_key(world.workspace, 9), a_bot_field("hours"));
    world.add(Change::Access(AccessChange::InsertKey(key.clone()))).await;
    world.add(Change::Insert(Row::Stored(StoredRow::BotField(bot_field.clone())))).await;
    let secret = a_secret("TOKEN");
    world.add(Change::Insert(Row::Stored(StoredRow::Secret(secret.clone())))).await;
    let segment = a_segment();
    world.add(Change::Insert(Row::Stored(StoredRow::Segment(segment.clone())))).await;
    let saved_reply = a_saved_reply("Hours");
    world.add(Change::Insert(Row::Stored(StoredRow::SavedReply(saved_reply.clone())))).await;
    let media = a_media("cat.png");
    world.add(Change::Insert(Row::Stored(StoredRow::Media(media.clone())))).await;
    let operation = a_bulk_operation();
    world.add(Change::Insert(Row::BulkOperation(Box::new(operation.clone())))).await;
    let import = an_import();
    world.add(Change::Insert(Row::Import(Box::new(import.clone())))).await;
    let broadcast = a_broadcast();
    world.add(Change::Insert(Row::Broadcast(Box::new(broadcast.clone())))).await;
    let member = world.member("ada@example.com", Role::Owner).await.id;
    let (session, invitation) = (a_session(world, "bob@example.com").await, an_invitation("eve@example.com", 1));
    world.add(Change::Access(AccessChange::InsertInvitation(invitation.clone()))).await;
    let all = vec![
        [Object::Workspace(world.workspace), Object::Workspace(id())],
        [Object::Key(key.id), Object::Key(id())],
        [Object::Channel(world.channel.id), Object::Channel(id())],
        [Object::Contact(contact.id), Object::Contact(id())],
        [Object::Stored(StoredId::Tag(world.tag("vip").await.id)), Object::Stored(StoredId::Tag(id()))],
        [
            Object::Stored(StoredId::CustomField(world.field("size", FieldKind::Text).await.id)),
            Object::Stored(StoredId::CustomField(id())),
        ],
        [Object::Stored(StoredId::BotField(bot_field.id)), Object::Stored(StoredId::BotField(id()))],
        [Object::Stored(StoredId::Secret(secret.id)), Object::Stored(StoredId::Secret(id()))],
        [Object::Stored(StoredId::Segment(segment.id)), Object::Stored(StoredId::Segment(id()))],
        [Object::Stored(StoredId::SavedReply(saved_reply.id)), Object::Stored(StoredId::SavedReply(id()))],
        [Object::Stored(StoredId::Media(media.id)), Object::Stored(StoredId::Media(id()))],
        [Object::BulkOperation(operation.id), Object::BulkOperation(id())],
        [Object::Import(import.id), Object::Import(id())],
        [Object::Broadcast(broadcast.id), Object::Broadcast(id())],
        [Object::Conversation(conversation.id), Object::Conversation(id())],
        [Object::Message(world.message(&conversation).await.id), Object::Message(id())],
        [Object::Flow(flow.id), Object::Flow(id())],
        [Object::Run(world.run(&flow, &contact).await.id), Object::Run(id())],
        [Object::Sequence(sequence.id), Object::Sequence(id())],
        [Object::Enrollment(world.enrollment(&sequence, &contact).await.id), Object::Enrollment(id())],
        [Object::Webhook(webhook.id), Object::Webhook(id())],
        [Object::User(member), Object::User(id())],
        [Object::Member(member), Object::Member(id())],
        [Object::Invitation(invitation.id), Object::Invitation(id())],
        [Object::Session(session.id), Object::Session(id())],
        [Object::Delivery(world.delivery(&webhook, &event).await.id), Object::Delivery(id())],
    ];
    // A new object type does not compile until it is in the list above.
    for [object, _] in &all {
        match object {
            Object::Workspace(_)
            | Object::Key(_)
            | Object::Channel(_)
            | Object::Contact(_)
            | Object::Stored(StoredId::Tag(_)) => {}
            Object::Stored(StoredId::CustomField(_) | StoredId::BotField(_) | StoredId::Secret(_))
            | Object::Conversation(_)
            | Object::Message(_) => {}
            Object::Stored(StoredId::SavedReply(_) | StoredId::Media(_))
            | Object::Import(_)
            | Object::BulkOperation(_) => {}
            Object::Stored(StoredId::Segment(_))
            | Object::Broadcast(_)
            | Object::Sequence(_)
            | Object::Enrollment(_) => {}
            Object::Flow(_) | Object::Run(_) | Object::Webhook(_) | Object::Delivery(_) => {}
            Object::User(_) | Object::Member(_) | Object::Invitation(_) | Object::Session(_) => {}
        }
    }
    all
}

/// A guard holds for the stored version, but not for another version or a missing object.
pub async fn a_guard_rejects_another_version_and_a_missing_object(store: Ports) {
    let world = World::new(&store).await;
    for [object, absent] in objects(&world).await {
        let check = async |guard| world.commit(|set| set.guards.push(guard)).await;
        assert_eq!(check(Guard::Live(object)).await, Ok(()), "{object:?}");
        assert_eq!(check(Guard::Version(object, 1)).await, Ok(()), "{object:?}");
        assert_eq!(conflict(check(Guard::Version(object, 2)).await), Conflict::Stale(object));
        assert_eq!(conflict(check(Guard::Live(absent)).await), Conflict::Stale(absent));
        assert_eq!(conflict(check(Guard::Version(absent, 1)).await), Conflict::Stale(absent));
    }
}

/// Returns the next version of a row.
fn next<T: Clone>(row: &T, bump: impl FnOnce(&mut T)) -> T {
    let mut row = row.clone();
    bump(&mut row);
    row
}

/// An update is written once, and only on top of the previous version.
pub async fn an_update_from_an_old_version_is_stale(store: Ports) {
    let world = World::new(&store).await;
    let contact = world.contact().await;
    let conversation = world.conversation(&contact).await;
    let (tag, field) = (world.tag("vip").await, world.field("size", FieldKind::Text).await);
    let (flow, message) = (world.flow().await, world.message(&conversation).await);
    let run = world.run(&flow, &contact).await;
    let (webhook, event) = (world.webhook(nothing()).await, world.event(EventKind::FlowStarted).await);
    let delivery = world.delivery(&webhook, &event).await;
    let (bot_field, channel) = (a_bot_field("hours"), world.channel.clone());
    world.add(Change::Insert(Row::Stored(StoredRow::BotField(bot_field.clone())))).await;
    let secret = a_secret("TOKEN");
    world.add(Change::Insert(Row::Stored(StoredRow::Secret(secret.clone())))).await;
    let segment = a_segment();
    world.add(Change::Insert(Row::Stored(StoredRow::Segment(segment.clone())))).await;
    let saved_reply = a_saved_reply("Hours");
    world.add(Change::Insert(Row::Stored(StoredRow::SavedReply(saved_reply.clone())))).await;
    let media = a_media("cat.png");
    world.add(Change::Insert(Row::Stored(StoredRow::Media(media.clone())))).await;
    let operation = a_bulk_operation();
    world.add(Change::Insert(Row::BulkOperation(Box::new(operation.clone())))).await;
    let import = an_import();
    world.add(Change::Insert(Row::Import(Box::new(import.clone())))).await;
    let broadcast = a_broadcast();
    world.add(Change::Insert(Row::Broadcast(Box::new(broadcast.clone())))).await;
    let sequence = world.sequence().await;
    let enrollment = world.enrollment(&sequence, &contact).await;
    let user = world.member("ada@example.com", Role::Owner).await;
    let member = Member::new(user.id, Role::Viewer, NOW);
    let workspace = store.access.workspace(world.workspace).await.unwrap().unwrap();
    let of_people = vec![
        (Object::User(user.id), Change::Update(Row::User(User { version: 2, ..user.clone() }))),
        (Object::Member(user.id), Change::Update(Row::Member(Member { version: 2, ..member }))),
        (Object::Workspace(workspace.id), Change::Update(Row::Workspace(Workspace { version: 2, ..workspace }))),
    ];
    let rows = [
        Row::Channel(next(&channel, |it| it.version += 1)),
        Row::Conversation(next(&conversation, |it| it.version += 1)),
        Row::Contact(Box::new(next(&contact, |it| it.version += 1))),
        Row::BulkOperation(Box::new(next(&operation, |it| it.version += 1))),
        Row::Import(Box::new(next(&import, |it| it.version += 1))),
        Row::Broadcast(Box::new(next(&broadcast, |it| it.version += 1))),
        Row::Message(Box::new(next(&message, |it| it.version += 1))),
        Row::Flow(next(&flow, |it| it.version += 1)),
        Row::Run(Box::new(next(&run, |it| it.version += 1))),
        Row::Sequence(Box::new(next(&sequence, |it| it.version += 1))),
        Row::Enrollment(Box::new(next(&enrollment, |it| it.version += 1))),
        Row::Delivery(next(&delivery, |it| it.version += 1)),
        Row::Webhook(next(&webhook, |it| it.version += 1)),
        Row::Stored(next(&tag, |it| it.version += 1).into()),
        Row::Stored(next(&field, |it| it.version += 1).into()),
        Row::Stored(next(&bot_field, |it| it.version += 1).into()),
        Row::Stored(next(&secret, |it| it.version += 1).into()),
        Row::Stored(next(&segment, |it| it.version += 1).into()),
        Row::Stored(next(&saved_reply, |it| it.version += 1).into()),
        Row::Stored(next(&media, |it| it.version += 1).into()),
    ];
    let updates = rows.into_iter().map(|row| (row.object(), Change::Update(row)));
    for (object, update) in updates.chain(of_people) {
        world.change(update.clone()).await.unwrap_or_else(|error| panic!("{object:?}: {error:?}"));
        let witness = Tag::new(id(), "witness", NOW);
        let again = world
            .commit(|set| {
                set.change(Change::Insert(Row::Stored(StoredRow::Tag(witness.clone())))).change(update);
            })
            .await;
        assert_eq!(conflict(again), Conflict::Stale(object));
        assert!(!world.has_tag(&witness).await);
    }
}

/// A delete removes an existing object, once.
pub async fn a_delete_of_a_missing_object_is_stale(store: Ports) {
    let world = World::new(&store).await;
    let (tag, field) = (world.tag("vip").await.id, world.field("size", FieldKind::Text).await.id);
    let (webhook, bot_field) = (world.webhook(Subscription::All).await.id, a_bot_field("hours"));
    let channel = world.channel.id;
    let key = a_key(world.workspace, 9);
    world.add(Change::Insert(Row::Stored(StoredRow::BotField(bot_field.clone())))).await;
    world.add(Change::Access(AccessChange::InsertKey(key.clone()))).await;
    let user = world.member("ada@example.com", Role::Owner).await;
    let (session, invitation) = (a_session(&world, "bob@example.com").await, an_invitation("eve@example.com", 1));
    world.add(Change::Access(AccessChange::InsertInvitation(invitation.clone()))).await;
    for (object, delete) in [
        (Object::Channel(channel), Change::Channel(ChannelChange::Delete { channel, at: NOW })),
        (Object::Stored(StoredId::Tag(tag)), Change::Delete(Object::Stored(StoredId::Tag(tag)))),
        (Object::Stored(StoredId::CustomField(field)), Change::Delete(Object::Stored(StoredId::CustomField(field)))),
        (
            Object::Stored(StoredId::BotField(bot_field.id)),
            Change::Delete(Object::Stored(StoredId::BotField(bot_field.id))),
        ),
        (Object::Webhook(webhook), Change::Delete(Object::Webhook(webhook))),
        (Object::Member(user.id), Change::Delete(Object::Member(user.id))),
        (Object::Invitation(invitation.id), Change::Delete(Object::Invitation(invitation.id))),
        (Object::Session(session.id), Change::Account(AccountChange::RevokeSession { session: session.id, at: NOW })),
        (Object::Key(key.id), Change::Access(AccessChange::RevokeKey { key: key.id, at: NOW })),
    ] {
        world.add(delete.clone()).await;
        assert_eq!(conflict(world.change(delete).await), Conflict::Stale(object));
        assert_eq!(conflict(world.commit(|set| set.guards.push(Guard::Live(object))).await), Conflict::Stale(object));
    }
}

/// An object is deleted unless another one refers to it. A missing object cannot be deleted.
pub async fn deletes_only_rows_that_nothing_refers_to(store: Ports) {
    let world = World::new(&store).await;
    let objects = objects(&world).await;
    for [_, absent] in &objects {
        assert_eq!(conflict(world.change(Change::Delete(*absent)).await), Conflict::Stale(*absent));
    }
    let mut left: Vec<Object> = objects.into_iter().map(|[object, _]| object).collect();
    // Referenced objects are deleted after the objects that refer to them.
    loop {
        let mut referred = Vec::new();
        for object in &left {
            match world.change(Change::Delete(*object)).await {
                Ok(()) => {
                    let again = world.change(Change::Delete(*object)).await;
                    assert_eq!(conflict(again), Conflict::Stale(*object));
                }
                Err(CommitError::Store(StoreError::Corrupt(_))) => referred.push(*object),
                Err(other) => panic!("{object:?}: {other:?}"),
            }
        }
        if referred.len() == left.len() {
            break;
        }
        left = referred;
    }
    // The version of the flow stays, and so do the flow and the workspace.
    assert!(matches!(left[..], [Object::Workspace(_), Object::Flow(_)]), "{left:?}");
    let check = async |object| world.commit(|set| set.guards.push(Guard::Live(object))).await;
    for object in left {
        assert_eq!(check(object).await, Ok(()), "{object:?} is unchanged");
    }
}
