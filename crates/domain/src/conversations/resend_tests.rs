//! Tests of sending a message again. Each decision is compared as a value, without a database.

use std::sync::{Arc, Mutex};

use futures::executor::block_on;
use uuid::Uuid;

use super::*;
use crate::contacts::Contact;
use crate::conversations::{
    Content, Conversation, Direction, MessageError, MessageParts, MessageStatus, Revisions, StatusChange, Suppression,
    TEMPLATE_ERROR,
};
use crate::ids::{ConversationId, TypedId, WorkspaceId};
use crate::outcome::Outcome;
use crate::ports::{
    Change, Job, MockChannelQueries, MockContactQueries, MockConversationQueries, MockLedger, Ports, Row,
};
use crate::testing::{a_channel, a_contact};

fn access() -> Access {
    Access::system(WorkspaceId::from_uuid(Uuid::from_u128(0xAA)))
}

fn the_contact() -> Contact {
    a_contact().on(&a_channel()).build()
}

fn the_conversation() -> Conversation {
    let (contact, id) = (the_contact(), ConversationId::from_uuid(Uuid::from_u128(0xC1)));
    Conversation::new(id, contact.id, a_channel().id, contact.created_at)
}

/// An outbound message of the conversation, with this status.
fn a_message(status: MessageStatus) -> Message {
    let (conversation, at) = (the_conversation(), the_contact().created_at);
    Message {
        id: MessageId::from_uuid(Uuid::from_u128(0x31)),
        conversation: Some(conversation.id),
        contact: conversation.contact,
        channel: conversation.channel,
        direction: Direction::Outbound,
        content: Content::text("Your table is booked."),
        status,
        history: vec![StatusChange { status, at }],
        error: Some(MessageError::new("rejected", "unknown number")),
        sender: access().actor().clone(),
        is_automatic: false,
        is_unverified: false,
        provider_message_id: None,
        address: None,
        referral: None,
        choice: None,
        reply_to: Some(MessageId::from_uuid(Uuid::from_u128(0x30))),
        thread: None,
        sent_at: None,
        revisions: Revisions::default(),
        resend_of: None,
        resent_as: None,
        parts: MessageParts::default(),
        degraded: Vec::new(),
        segments: None,
        created_at: at,
        updated_at: at,
        version: 4,
    }
}

/// A workspace with these messages, and the committed change sets.
fn service(messages: Vec<Message>, contact: Contact) -> (ConversationService, Arc<Mutex<Vec<ChangeSet>>>) {
    let (mut conversations, mut contacts) = (MockConversationQueries::new(), MockContactQueries::new());
    let (mut channels, mut ledger) = (MockChannelQueries::new(), MockLedger::new());
    conversations
        .expect_message()
        .returning(move |_, id| Ok(messages.iter().find(|message| message.id == id).cloned()));
    conversations.expect_get().returning(|_, _| Ok(Some(the_conversation())));
    conversations.expect_between().returning(|_, _, _| Ok(None));
    contacts.expect_find_even_deleted().returning(move |_, _| Ok(Some(contact.clone())));
    channels.expect_get().returning(|_, _| Ok(Some(a_channel())));
    let committed = Arc::new(Mutex::new(Vec::new()));
    let kept = committed.clone();
    ledger.expect_commit().returning(move |set| {
        kept.lock().unwrap().push(set);
        Ok(())
    });
    let ports = Ports {
        conversations: Arc::new(conversations),
        contacts: Arc::new(contacts),
        channels: Arc::new(channels),
        ledger: Arc::new(ledger),
        ..Ports::mocked()
    };
    (ConversationService { ports: Arc::new(ports) }, committed)
}

/// Sends the message again; returns the result and the change sets.
fn resent(message: &Message, contact: Contact) -> (Result<Done<Message>, Error>, Vec<ChangeSet>) {
    let (service, committed) = service(vec![message.clone()], contact);
    let done = block_on(service.resend(&access(), message.id, None));
    let sets = std::mem::take(&mut *committed.lock().unwrap());
    (done, sets)
}

#[test]
fn sends_a_copy_and_links_both_messages() {
    for status in [MessageStatus::Failed, MessageStatus::Uncertain] {
        let original = a_message(status);
        let (done, sets) = resent(&original, the_contact());
        let Done { outcome, value: copy, .. } = done.unwrap();
        assert_eq!((outcome, copy.status, copy.version), (Outcome::Accepted, MessageStatus::Queued, 1));
        assert_eq!((copy.resend_of, copy.resent_as), (Some(original.id), None));
        assert_eq!((&copy.content, copy.conversation), (&original.content, original.conversation));
        assert_eq!(copy.reply_to, original.reply_to);
        assert!(copy.error.is_none() && copy.provider_message_id.is_none() && copy.id != original.id);
        let [set] = sets.as_slice() else { panic!("expected one commit") };
        let linked = Message { resent_as: Some(copy.id), version: original.version + 1, ..original };
        let of_messages =
            |it: &&Change| matches!(it, Change::Insert(Row::Message(_)) | Change::Update(Row::Message(_)));
        assert_eq!(
            set.changes.iter().filter(of_messages).collect::<Vec<_>>(),
            [
                &Change::Insert(Row::Message(Box::new(copy.clone()))),
                &Change::Update(Row::Message(Box::new(Message { updated_at: copy.created_at, ..linked }))),
            ]
        );
        let [job] = set.jobs.as_slice() else { panic!("expected one job") };
        assert!(matches!(&job.job, Job::SendMessage { message, .. } if *message == copy.id));
    }
}

#[test]
fn a_second_call_returns_the_first_copy() {
    let copy = Message { id: MessageId::from_uuid(Uuid::from_u128(0x32)), ..a_message(MessageStatus::Sent) };
    // A later report no longer matters.
    for status in [MessageStatus::Failed, MessageStatus::Delivered] {
        let original = Message { resent_as: Some(copy.id), ..a_message(status) };
        let (service, committed) = service(vec![original.clone(), copy.clone()], the_contact());
        let done = block_on(service.resend(&access(), original.id, None)).unwrap();
        assert_eq!((done.outcome, done.value), (Outcome::Unchanged, copy.clone()));
        assert!(committed.lock().unwrap().is_empty());
    }
}

#[test]
fn rejects_messages_that_cannot_be_sent_again() {
    let statuses = MessageStatus::WORDS.iter().filter_map(|word| MessageStatus::parse(word));
    let others = statuses.filter(|it| !matches!(it, MessageStatus::Failed | MessageStatus::Uncertain));
    let mut refused: Vec<Message> = others.map(a_message).collect();
    refused.push(Message { direction: Direction::Inbound, ..a_message(MessageStatus::Failed) });
    let error = MessageError::new(TEMPLATE_ERROR, "no such field");
    refused.push(Message { error: Some(error), ..a_message(MessageStatus::Failed) });
    assert_eq!(refused.len(), MessageStatus::WORDS.len());
    for message in refused {
        let (done, sets) = resent(&message, the_contact());
        assert_eq!((done, sets.len()), (Err(Error::NotResendable), 0), "{message:?}");
    }
}

#[test]
fn suppresses_the_copy_after_an_opt_out() {
    let (done, sets) = resent(&a_message(MessageStatus::Failed), Contact { subscribed: false, ..the_contact() });
    let copy = done.unwrap().value;
    let code = copy.error.map(|error| error.code);
    assert_eq!((copy.status, code.as_deref()), (MessageStatus::Suppressed, Some(Suppression::Unsubscribed.as_str())));
    assert!(sets[0].jobs.is_empty());
}

#[test]
fn opens_a_conversation_for_a_message_without_one() {
    let original = Message { conversation: None, ..a_message(MessageStatus::Failed) };
    let (done, sets) = resent(&original, the_contact());
    let opened = sets[0].changes.iter().find_map(|change| match change {
        Change::Insert(Row::Conversation(conversation)) => Some(conversation.id),
        _ => None,
    });
    assert!(opened.is_some());
    assert_eq!(done.unwrap().value.conversation, opened);
}

#[test]
fn finds_no_message_of_a_deleted_contact() {
    let contact = the_contact();
    let contact = Contact { deleted_at: Some(contact.created_at), ..contact };
    assert_eq!(resent(&a_message(MessageStatus::Failed), contact).0, Err(Error::NotFound));
}
