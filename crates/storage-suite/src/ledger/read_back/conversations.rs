//! Samples of channels, conversations and messages.

use serde_json::json;
use tidings_domain::channels::{Channel, ChannelHealth, DegradedFeature, Endpoint, SegmentEncoding, Segments};
use tidings_domain::conversations::{
    Choice, Conversation, ConversationStatus, Message, MessageEdit, MessageError, MessageReaction, MessageStatus,
    MessageTemplate, Original, Referral, Revisions, Thread,
};
use tidings_domain::ids::ConversationId;
use tidings_domain::media::{Media, MediaUse};
use tidings_domain::pagination::PageRequest;
use tidings_domain::ports::{Change, ChannelChange, ConversationChange, Row};

use super::sample::{Does, Maker, Sample, maker, row_makers, unique, unique_digest};
use crate::fixtures::{
    World, a_conversation, a_media, a_message, an_http_channel, an_unparsed_request, at, id, two_parts,
};

pub(super) fn samples() -> Vec<Maker> {
    let mut samples =
        [row_makers(channel), row_makers(conversation), row_makers(message)].into_iter().flatten().collect::<Vec<_>>();
    samples.extend([
        maker(delete_channel),
        maker(keep_unparsed),
        maker(record_event),
        maker(update_health),
        maker(touch),
        maker(adopt),
        maker(use_media),
        maker(release_media),
    ]);
    samples
}

/// A channel with a unique inbound token, and with several members and secrets.
fn a_channel() -> Channel {
    let mut channel = an_http_channel(0);
    if let Some(Endpoint { config, secret_hints, inbound_digest, .. }) = &mut channel.endpoint {
        *inbound_digest = unique_digest();
        config.extend([("mode".to_owned(), "polling".into()), ("rate".to_owned(), 25.into())]);
        secret_hints.insert("bot_token".to_owned(), "abcd".to_owned());
    }
    channel
}

async fn channel(world: World, does: Does) -> Sample {
    let channel = a_channel();
    let own = channel.id;
    let change = |it: &mut Channel| (it.name, it.updated_at, it.version) = (unique(), at(9), 2);
    let read = async move |w: &World| w.ports.channels.get(&w.access, own).await.unwrap();
    does.row(&world, Row::Channel, channel, change, read).await
}

async fn delete_channel(world: World) -> Sample {
    let stored = a_channel();
    let channel = stored.id;
    world.add(Change::Insert(Row::Channel(stored))).await;
    let change = Change::Channel(ChannelChange::Delete { channel, at: at(9) });
    Sample::new(&world, change, None, async move |w| w.ports.channels.get(&w.access, channel).await.unwrap())
}

async fn keep_unparsed(world: World) -> Sample {
    let stored = a_channel();
    let (channel, request) = (stored.id, an_unparsed_request(&stored));
    world.add(Change::Insert(Row::Channel(stored))).await;
    let change = Change::Channel(ChannelChange::KeepUnparsed(Box::new(request.clone())));
    Sample::new(&world, change, vec![request], async move |w| {
        w.ports.channels.unparsed(&w.access, channel, PageRequest::default()).await.unwrap().items
    })
}

async fn record_event(world: World) -> Sample {
    let (channel, digest, at) = (world.channel.id, unique_digest(), at(1));
    Sample::invisible(&world, Change::Channel(ChannelChange::RecordEvent { channel, digest, at }))
}

async fn update_health(world: World) -> Sample {
    let stored = a_channel();
    let channel = stored.id;
    world.add(Change::Insert(Row::Channel(stored))).await;
    let health = ChannelHealth { round: 3, failing_since: Some(at(7)), version: 1, ..ChannelHealth::default() };
    let change = Change::Channel(ChannelChange::UpdateHealth { channel, health: Box::new(health.clone()) });
    Sample::new(&world, change, health, async move |w| w.ports.channels.health(&w.access, channel).await.unwrap())
}

async fn read(world: &World, conversation: ConversationId) -> Option<Conversation> {
    world.ports.conversations.get(&world.access, conversation).await.unwrap()
}

async fn conversation(world: World, does: Does) -> Sample {
    let conversation = a_conversation(&world.contact().await, &world.channel);
    let own = conversation.id;
    let change = |it: &mut Conversation| {
        (it.status, it.snoozed_until) = (ConversationStatus::Snoozed, Some(at(60)));
        (it.updated_at, it.version) = (at(9), 2);
    };
    does.row(&world, Row::Conversation, conversation, change, async move |w| read(w, own).await).await
}

async fn message(world: World, does: Does) -> Sample {
    let conversation = world.conversation(&world.contact().await).await;
    let referral = Some(Referral { headline: Some(unique()), ..Referral::of("ad", "120226") });
    let choice = Some(Choice { title: unique(), payload: Some(unique()), message_id: id() });
    let mut message =
        Message { resend_of: Some(id()), is_automatic: true, referral, choice, ..a_message(&conversation) };
    (message.reply_to, message.is_unverified) = (Some(id()), true);
    message.thread = Some(Thread { id: id(), subject: Some(unique()) });
    message.sent_at = Some(at(5));
    let (text, html, answers_to) = (Some(unique()), Some(unique()), Some(unique()));
    let data = Some(json!({"order": {"text": unique()}}));
    message.content.original = Original { text, html, answers_to, is_truncated: true, data, is_sender_unchecked: true };
    let parameters = [("header.1".to_owned(), unique())].into();
    message.content.fallback = Some(MessageTemplate { name: unique(), language: Some(unique()), parameters });
    let own = message.id;
    let change = |it: &mut Message| {
        it.content.fallback = None;
        (it.status, it.provider_message_id) = (MessageStatus::Sent, Some(unique()));
        (it.resent_as, it.address) = (Some(id()), Some(unique()));
        it.parts = two_parts();
        it.degraded = vec![DegradedFeature::QuickReplies, DegradedFeature::Text];
        it.error = Some(MessageError { http_status: Some(400), ..a_provider_error() });
        it.segments = Some(Segments { encoding: SegmentEncoding::Ucs2, count: 3 });
        it.revisions = a_revision();
        (it.updated_at, it.version) = (at(9), 2);
    };
    let read = async move |w: &World| w.ports.conversations.message(&w.access, own).await.unwrap();
    does.row(&world, |it| Row::Message(Box::new(it)), message, change, read).await
}

fn a_provider_error() -> MessageError {
    MessageError::new(unique(), unique()).with_provider_code(Some(unique()))
}

/// Changes by the contact of each kind.
fn a_revision() -> Revisions {
    Revisions {
        edits: vec![MessageEdit { text: Some(unique()), at: at(7) }, MessageEdit { text: None, at: at(8) }],
        edited_at: Some(at(8)),
        reactions: vec![MessageReaction { emoji: "\u{1f44d}".to_owned(), at: at(9) }],
        reacted_at: Some(at(9)),
        deleted_at: Some(at(10)),
        events: [unique(), unique()].into(),
    }
}

async fn touch(world: World) -> Sample {
    let conversation = world.conversation(&world.contact().await).await.id;
    let change = Change::Conversation(ConversationChange::Touch { conversation, at: at(9) });
    Sample::new(&world, change, Some(at(9)), async move |w| read(w, conversation).await.unwrap().last_message_at)
}

async fn adopt(world: World) -> Sample {
    let conversation = world.conversation(&world.contact().await).await;
    let message = Message { conversation: None, ..a_message(&conversation) };
    let own = message.id;
    world.add(Change::Insert(Row::Message(Box::new(message)))).await;
    let Conversation { id: conversation, contact, channel, .. } = conversation;
    let change = Change::Conversation(ConversationChange::Adopt { conversation, contact, channel });
    Sample::new(&world, change, Some(conversation), async move |w| {
        w.ports.conversations.message(&w.access, own).await.unwrap().unwrap().conversation
    })
}

async fn use_media(world: World) -> Sample {
    let (media, contact) = (a_media("cat.png"), world.contact().await.id);
    let own = media.id;
    world.add(Change::Insert(Row::Stored(media.into()))).await;
    let change = Change::Conversation(ConversationChange::UseMedia { media: own, contact });
    Sample::new(&world, change, MediaUse::Contact(contact), async move |w| {
        w.ports.media.get(&w.access, own).await.unwrap().unwrap().used_by
    })
}

async fn release_media(world: World) -> Sample {
    let contact = world.contact().await.id;
    let media = Media { used_by: MediaUse::Contact(contact), ..a_media("cat.png") };
    let own = media.id;
    world.add(Change::Insert(Row::Stored(media.into()))).await;
    let change = Change::Conversation(ConversationChange::ReleaseMedia { media: own, message: id(), contact });
    Sample::new(&world, change, MediaUse::Unused, async move |w| {
        w.ports.media.get(&w.access, own).await.unwrap().unwrap().used_by
    })
}
