//! Attempts by another workspace on the catalog, on bulk work and on conversations.

use std::collections::BTreeMap;

use tidings_domain::broadcasts::{Broadcast, Count};
use tidings_domain::bulk::BulkOperation;
use tidings_domain::conditions::Selection;
use tidings_domain::imports::Import;
use tidings_domain::ports::{BroadcastChange, Change, ContactChange, ConversationChange, ImportChange, Object, Row};
use tidings_domain::stored::{StoredId, StoredRow};

use super::Attempt;
use crate::fixtures::seed::Seed;
use crate::fixtures::{NOW, a_conversation, a_message, at, uuid};

/// Returns attempts on the catalog and on bulk work.
pub(super) fn catalog(ada: &Seed, bob: &Seed) -> Vec<Attempt> {
    let mut bot_field = ada.bot_field.clone();
    bot_field.version += 1;
    let secret = tidings_domain::secrets::Secret { version: 2, sealed: vec![9], ..ada.secret.clone() };
    let segment = tidings_domain::segments::Segment { version: 2, name: "stolen".to_owned(), ..ada.segment.clone() };
    let mut reply = ada.saved_reply.clone();
    (reply.version, reply.text) = (2, "stolen".to_owned());
    let media = tidings_domain::media::Media { version: 2, name: "stolen".to_owned(), ..ada.media.clone() };
    let operation = BulkOperation { version: 2, ..ada.operation.clone() };
    let import = Import { version: 2, size: 9, ..ada.import.clone() };
    let broadcast = Broadcast { version: 2, name: "stolen".to_owned(), ..ada.broadcast.clone() };
    let theirs = ada.contact.id;
    vec![
        (Change::Insert(Row::Stored(StoredRow::BotField(ada.bot_field.clone()))), true),
        (Change::Update(Row::Stored(StoredRow::BotField(bot_field))), true),
        (Change::Delete(Object::Stored(StoredId::BotField(ada.bot_field.id))), true),
        (Change::Insert(Row::Stored(StoredRow::Secret(ada.secret.clone()))), true),
        (Change::Update(Row::Stored(StoredRow::Secret(secret))), true),
        (Change::Delete(Object::Stored(StoredId::Secret(ada.secret.id))), true),
        (Change::Update(Row::Stored(StoredRow::Segment(segment))), true),
        (Change::Update(Row::Stored(StoredRow::SavedReply(reply))), true),
        (Change::Update(Row::Stored(StoredRow::Media(media))), true),
        (Change::Update(Row::BulkOperation(Box::new(operation))), true),
        (Change::Delete(Object::BulkOperation(ada.operation.id)), true),
        (Change::Update(Row::Import(Box::new(import))), true),
        (Change::Delete(Object::Import(ada.import.id)), true),
        (Change::Import(ImportChange::PutTable { import: ada.import.id, table: b"stolen".as_slice().into() }), false),
        (Change::Import(ImportChange::DropTable { import: ada.import.id }), false),
        (Change::Import(ImportChange::Reject { import: ada.import.id, row: Box::new(ada.rejected.clone()) }), false),
        (Change::Import(ImportChange::DropRejected { import: ada.import.id, limit: 9 }), false),
        (Change::Import(ImportChange::Forget(ada.rejected.names.clone())), false),
        (Change::Update(Row::Broadcast(Box::new(broadcast))), true),
        (Change::Delete(Object::Broadcast(ada.broadcast.id)), true),
        (
            Change::Broadcast(BroadcastChange::Freeze {
                broadcast: ada.broadcast.id,
                selection: Box::new(Selection::Constant(true)),
                unreached: None,
                due_at: NOW,
                zones: BTreeMap::new(),
            }),
            true,
        ),
        (
            Change::Broadcast(BroadcastChange::FinishRecipient {
                broadcast: ada.broadcast.id,
                contact: theirs,
                message: crate::fixtures::id(),
                result: tidings_domain::broadcasts::RecipientResult::deleted(),
            }),
            true,
        ),
        (
            Change::Broadcast(BroadcastChange::SettleRecipient {
                broadcast: ada.broadcast.id,
                contact: theirs,
                message: crate::fixtures::id(),
                result: tidings_domain::broadcasts::RecipientResult::deleted(),
            }),
            false,
        ),
        (Change::Broadcast(BroadcastChange::RequireOpen { broadcast: ada.broadcast.id, made: i64::MAX }), true),
        (
            Change::Broadcast(BroadcastChange::Count {
                id: uuid(),
                broadcast: ada.broadcast.id,
                count: Count::Sent,
                amount: 1,
                at: NOW,
            }),
            false,
        ),
        (
            Change::Conversation(ConversationChange::Adopt {
                conversation: bob.conversation.id,
                contact: theirs,
                channel: ada.world.channel.id,
            }),
            false,
        ),
        (Change::Delete(Object::Stored(StoredId::Segment(ada.segment.id))), true),
        (Change::Delete(Object::Stored(StoredId::SavedReply(ada.saved_reply.id))), true),
        (Change::Delete(Object::Stored(StoredId::Media(ada.media.id))), true),
    ]
}

/// Returns attempts on conversations.
pub(super) fn conversations(ada: &Seed, bob: &Seed) -> Vec<Attempt> {
    let (mut conversation, mut message) = (ada.conversation.clone(), ada.message.clone());
    conversation.version += 1;
    message.version += 1;
    let in_conversation = {
        let mut message = a_message(&ada.conversation);
        message.contact = bob.contact.id;
        message
    };
    let theirs = ada.contact.id;
    let release = ConversationChange::ReleaseMedia { media: ada.media.id, message: message.id, contact: theirs };
    vec![
        (Change::Insert(Row::Conversation(a_conversation(&ada.contact, &bob.world.channel))), true),
        (Change::Insert(Row::Conversation(a_conversation(&bob.contact, &ada.world.channel))), true),
        (Change::Update(Row::Conversation(conversation)), true),
        (Change::Insert(Row::Message(Box::new(in_conversation))), true),
        (Change::Update(Row::Message(Box::new(message))), true),
        (Change::Conversation(ConversationChange::Touch { conversation: ada.conversation.id, at: at(9) }), false),
        (Change::Conversation(ConversationChange::UseMedia { media: ada.media.id, contact: bob.contact.id }), false),
        (Change::Conversation(release), false),
        (Change::Contact(ContactChange::Touch { contact: theirs, at: at(9) }), false),
    ]
}
