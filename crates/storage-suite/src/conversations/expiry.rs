//! The retention of messages, resolved conversations and deleted contacts.

use serde_json::json;
use tidings_domain::conversations::{Content, Conversation, ConversationStatus, Message, MessageStatus};
use tidings_domain::ids::{ContactId, MediaId, MessageId, TypedId};
use tidings_domain::media::{Media, MediaUse};
use tidings_domain::ports::{Change, ConversationChange, DeletedContact, Row, SweepPlace};

use crate::Ports;
use crate::fixtures::{World, a_conversation, a_media, a_message, at};

/// Stores a message that was sent at this second.
async fn say(world: &World, conversation: &Conversation, seconds: u64) -> MessageId {
    let message = Message { status: MessageStatus::Sent, created_at: at(seconds), ..a_message(conversation) };
    let id = message.id;
    world.add(Change::Insert(Row::Message(Box::new(message)))).await;
    id
}

/// Stores a message with this file that was sent at this second.
async fn show(world: &World, conversation: &Conversation, media: MediaId, seconds: u64) -> MessageId {
    let content = Content::parse(&json!({"type": "image", "attachments": [{"media_id": media}]})).unwrap();
    let contact = conversation.contact;
    let message = Message { content, status: MessageStatus::Sent, created_at: at(seconds), ..a_message(conversation) };
    let id = message.id;
    world.add(Change::Insert(Row::Message(Box::new(message)))).await;
    world.add(Change::Conversation(ConversationChange::UseMedia { media, contact })).await;
    id
}

async fn open(world: &World) -> Conversation {
    world.conversation(&world.contact().await).await
}

/// Stores a conversation that was resolved at this second.
async fn resolved(world: &World, seconds: u64) -> Conversation {
    let conversation = Conversation {
        status: ConversationStatus::Resolved,
        resolved_at: Some(at(seconds)),
        ..a_conversation(&world.contact().await, &world.channel)
    };
    world.add(Change::Insert(Row::Conversation(conversation.clone()))).await;
    conversation
}

async fn a_file(world: &World, used_by: MediaUse) -> MediaId {
    let media = Media { used_by, ..a_media("cat.png") };
    let id = media.id;
    world.add(Change::Insert(Row::Stored(media.into()))).await;
    id
}

async fn use_of(world: &World, media: MediaId) -> Option<MediaUse> {
    world.ports.media.get(&world.access, media).await.unwrap().map(|it| it.used_by)
}

/// Stores a file that an old message of a conversation shows, and a later message without it. Returns the file and the
/// contact.
pub async fn a_file_of_an_old_message(world: &World) -> (MediaId, ContactId) {
    let (conversation, media) = (open(world).await, a_file(world, MediaUse::Unused).await);
    show(world, &conversation, media, 1).await;
    say(world, &conversation, 9).await;
    (media, conversation.contact)
}

/// Returns the stored messages among these.
async fn stored(world: &World, messages: &[MessageId]) -> Vec<MessageId> {
    let mut found = Vec::new();
    for message in messages {
        found.extend(world.ports.conversations.message(&world.access, *message).await.unwrap().map(|it| it.id));
    }
    found
}

/// Sweeps messages from before second 4, two at a time.
async fn sweep(world: &World) {
    let (mut from, mut portions) = (SweepPlace::before(at(0)), 0);
    while let Some(next) = world.ports.engine.expire_messages(from, at(4), 2).await.unwrap() {
        assert!(next > from, "each portion begins after the last one");
        from = next;
        portions += 1;
        assert!(portions < 20, "the sweep ends");
    }
}

/// Old messages are removed in portions. Messages that wait, and the last message of a conversation that is not
/// resolved, stay.
pub async fn removes_old_messages_but_not_the_last_of_an_open_conversation(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let (idle, busy, over, theirs) =
        (open(&world).await, open(&world).await, resolved(&world, 3).await, resolved(&other, 3).await);
    let [first, last] = [say(&world, &idle, 1).await, say(&world, &idle, 2).await];
    let [old, young] = [say(&world, &busy, 3).await, say(&world, &busy, 4).await];
    let (resolved, elsewhere) = (say(&world, &over, 1).await, say(&other, &theirs, 1).await);
    let waiting = Message { created_at: at(1), ..a_message(&over) };
    let alone = Message { conversation: None, status: MessageStatus::Failed, created_at: at(1), ..a_message(&idle) };
    let (queued, single) = (waiting.id, alone.id);
    for message in [waiting, alone] {
        world.add(Change::Insert(Row::Message(Box::new(message)))).await;
    }
    sweep(&world).await;
    let all = [first, last, old, young, resolved, queued, single];
    assert_eq!(stored(&world, &all).await, [last, young, queued]);
    assert_eq!(stored(&other, &[elsewhere]).await, [], "the sweep covers all workspaces");
    sweep(&world).await;
    assert_eq!(stored(&world, &all).await, [last, young, queued]);

    let idle = Conversation { status: ConversationStatus::Resolved, resolved_at: Some(at(9)), version: 2, ..idle };
    world.add(Change::Update(Row::Conversation(idle))).await;
    sweep(&world).await;
    assert_eq!(stored(&world, &all).await, [young, queued]);
    let kept = store.conversations.get(&world.access, over.id).await.unwrap();
    assert_eq!(kept, Some(over), "the conversation stays");
}

/// A file becomes unused with the last message of its contact that shows it.
pub async fn releases_the_files_of_removed_messages(store: Ports) {
    let world = World::new(&store).await;
    let conversation = open(&world).await;
    let contact: ContactId = conversation.contact;
    let [gone, repeated] = [a_file(&world, MediaUse::Unused).await, a_file(&world, MediaUse::Unused).await];
    let shared = a_file(&world, MediaUse::Shared).await;
    for media in [gone, repeated, shared] {
        show(&world, &conversation, media, 1).await;
    }
    show(&world, &conversation, repeated, 5).await;
    sweep(&world).await;
    assert_eq!(use_of(&world, gone).await, Some(MediaUse::Unused));
    assert_eq!(use_of(&world, repeated).await, Some(MediaUse::Contact(contact)));
    assert_eq!(use_of(&world, shared).await, Some(MediaUse::Shared));
}

/// A file that a message does not use any more becomes unused, unless another message of its contact uses it.
pub async fn releases_a_file_of_one_message(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let conversation = open(&world).await;
    let contact = conversation.contact;
    let [only, repeated] = [a_file(&world, MediaUse::Unused).await, a_file(&world, MediaUse::Unused).await];
    let shared = a_file(&world, MediaUse::Shared).await;
    let release = async |world: &World, media, message| {
        world.add(Change::Conversation(ConversationChange::ReleaseMedia { media, message, contact })).await;
    };
    let message = show(&world, &conversation, only, 1).await;
    release(&other, only, message).await;
    assert_eq!(use_of(&world, only).await, Some(MediaUse::Contact(contact)), "another workspace has no effect");
    release(&world, only, message).await;
    assert_eq!(use_of(&world, only).await, Some(MediaUse::Unused));
    let first = show(&world, &conversation, repeated, 1).await;
    show(&world, &conversation, repeated, 2).await;
    release(&world, repeated, first).await;
    assert_eq!(use_of(&world, repeated).await, Some(MediaUse::Contact(contact)));
    let message = show(&world, &conversation, shared, 1).await;
    release(&world, shared, message).await;
    assert_eq!(use_of(&world, shared).await, Some(MediaUse::Shared));
}

/// Conversations that were resolved long ago are removed in portions, each after its messages. One with a message that
/// is not sent yet stays.
pub async fn removes_conversations_that_were_resolved_long_ago(store: Ports) {
    let world = World::new(&store).await;
    let (over, recent, idle) = (resolved(&world, 1).await, resolved(&world, 6).await, open(&world).await);
    let held = resolved(&world, 1).await;
    let waiting = world.message(&held).await.id;
    let media = a_file(&world, MediaUse::Unused).await;
    show(&world, &over, media, 1).await;
    let mut messages = Vec::new();
    for (conversation, seconds) in [(&over, 1), (&over, 9), (&recent, 1), (&idle, 1)] {
        messages.push(say(&world, conversation, seconds).await);
    }
    let expire = async |limit| store.engine.expire_conversations(at(3), limit).await.unwrap();
    let found = async |it: &Conversation| store.conversations.get(&world.access, it.id).await.unwrap().is_some();
    assert_eq!((expire(2).await, found(&over).await), (2, true));
    assert_eq!((expire(2).await, found(&over).await), (2, false));
    assert_eq!((expire(2).await, found(&recent).await, found(&idle).await), (0, true, true));
    assert_eq!((stored(&world, &[waiting]).await, found(&held).await), (vec![waiting], true));
    assert_eq!(stored(&world, &messages).await, messages[2..]);
    assert_eq!(use_of(&world, media).await, Some(MediaUse::Unused));
}

/// Contacts that were deleted long ago are found in the order of their deletion, in all workspaces.
pub async fn finds_contacts_that_were_deleted_long_ago(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let deleted = async |world: &World, seconds| {
        let contact = world.contact_with(|it| it.deleted_at = Some(at(seconds))).await.id;
        DeletedContact { workspace: world.workspace, contact, deleted_at: at(seconds) }
    };
    let (third, first, second) = (deleted(&world, 2).await, deleted(&other, 1).await, deleted(&world, 1).await);
    deleted(&world, 3).await;
    world.contact().await;
    let find = async |from, limit| store.engine.deleted_contacts(from, at(3), limit).await.unwrap();
    let start = SweepPlace::before(at(0));
    assert_eq!(find(start, 2).await, [first, second]);
    assert_eq!(find(second.place(), 2).await, [third]);
    assert_eq!(find(SweepPlace { at: at(2), id: third.contact.uuid() }, 2).await, []);
}
