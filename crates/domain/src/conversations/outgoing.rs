//! The changes that add an outbound message to its conversation, which they open if there is none.

use super::attached_files::use_files;
use super::measured::first_reply;
use super::{Content, Conversation, ConversationView, Message, MessageStatus, MessageType, Recipient, StatusChange};
use crate::access::Access;
use crate::analytics::suppressed;
use crate::events::{EventDraft, EventKind};
use crate::ids::{ConversationId, JobId, MessageId, TypedId, UserId};
use crate::ports::{Change, ChangeSet, Clock, ContactChange, ConversationChange, Guard, Ids, Job, NewJob, Object, Row};

/// A message with its conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct OutgoingMessage {
    /// The message: `queued`, `suppressed`, or a note.
    pub message: Message,
    /// Its conversation, which the change set opens if there was none.
    pub conversation: Conversation,
}

impl Recipient<'_> {
    /// Adds a message to a change set, and the conversation if there is none yet. The message is queued with its job,
    /// or suppressed with a reason. A note is only stored.
    pub fn add_message(
        self,
        set: &mut ChangeSet,
        content: Content,
        access: &Access,
        clock: &dyn Clock,
        ids: &dyn Ids,
    ) -> OutgoingMessage {
        self.insert_message(set, (content, None, None), access, clock, ids)
    }

    /// Adds a message as [`Recipient::add_message`], with the message that it answers.
    pub(super) fn add_reply(
        self,
        set: &mut ChangeSet,
        (content, reply_to): (Content, Option<MessageId>),
        access: &Access,
        clock: &dyn Clock,
        ids: &dyn Ids,
    ) -> OutgoingMessage {
        self.insert_message(set, (content, reply_to, None), access, clock, ids)
    }

    /// Adds a copy of an earlier message, as [`Recipient::add_message`] adds a message, and links both.
    pub(super) fn add_copy(
        self,
        set: &mut ChangeSet,
        mut original: Message,
        access: &Access,
        clock: &dyn Clock,
        ids: &dyn Ids,
    ) -> OutgoingMessage {
        let copied = (original.content.clone(), original.reply_to, Some(original.id));
        let sent = self.insert_message(set, copied, access, clock, ids);
        original.link_copy(sent.message.id, clock.now());
        set.change(Change::Update(Row::Message(Box::new(original))));
        sent
    }

    /// Adds a message with this content, the message that it answers, and the message of which it is a copy.
    fn insert_message(
        self,
        set: &mut ChangeSet,
        (content, reply_to, resend_of): (Content, Option<MessageId>, Option<MessageId>),
        access: &Access,
        clock: &dyn Clock,
        ids: &dyn Ids,
    ) -> OutgoingMessage {
        let now = clock.now();
        let is_note = content.kind == MessageType::Note;
        let reason = if is_note { None } else { self.suppression(access.actor()) };
        let (contact, channel) = (self.contact.id, self.channel.id);
        set.guard(Guard::Live(Object::Contact(contact)));
        let conversation = match self.conversation.cloned() {
            Some(mut conversation) => {
                let before = conversation.opening;
                if !is_note && reason.is_none() && conversation.answer(access.actor().kind, now) {
                    set.change(Change::Update(Row::Conversation(conversation.clone())));
                    set.changes.extend(first_reply(before, &conversation, access, || ids.next()));
                }
                conversation
            }
            None => {
                let id = ConversationId::from_uuid(ids.next());
                let mut opened = Conversation::new(id, contact, channel, now);
                if !is_note && reason.is_none() {
                    opened.answer(access.actor().kind, now);
                    opened.version = 1;
                }
                opened.tell_created(set, access, clock, ids);
                opened
            }
        };
        let status = if is_note { MessageStatus::Received } else { MessageStatus::Queued };
        let id = MessageId::from_uuid(ids.next());
        let mut message = Message {
            conversation: Some(conversation.id),
            status,
            history: vec![StatusChange { status, at: now }],
            reply_to,
            resend_of,
            ..Message::queued(id, (contact, channel), content, access.actor().clone(), now)
        };
        if let Some(reason) = reason {
            message.history.clear();
            message.suppress(reason, now);
            message.version = 1;
            set.changes.extend(suppressed(&message, || ids.next()));
        } else if !is_note {
            let (message, conversation, depth) = (message.id, Some(conversation.id), access.depth());
            let send = Job::SendMessage { message, conversation, channel: Some(channel), depth };
            set.jobs.push(NewJob::new(JobId::from_uuid(ids.next()), send, now));
        }
        use_files(set, &message.content, contact);
        set.change(Change::Insert(Row::Message(Box::new(message.clone()))));
        if !is_note {
            set.change(Change::Conversation(ConversationChange::Touch { conversation: conversation.id, at: now }));
            set.change(Change::Contact(ContactChange::Touch { contact, at: now }));
        }
        OutgoingMessage { message, conversation }
    }
}

impl OutgoingMessage {
    /// Assigns an unassigned conversation to the member who replied. Notes and messages that are not sent assign
    /// nothing.
    pub(super) fn assign_to(
        &mut self,
        replier: UserId,
        set: &mut ChangeSet,
        access: &Access,
        clock: &dyn Clock,
        ids: &dyn Ids,
    ) {
        let is_reply = self.message.status == MessageStatus::Queued;
        if !is_reply || self.conversation.assignee.is_some() {
            return;
        }
        let id = self.conversation.id;
        let written = set.changes.iter_mut().find_map(|change| match change {
            Change::Insert(Row::Conversation(it)) | Change::Update(Row::Conversation(it)) if it.id == id => Some(it),
            _ => None,
        });
        self.conversation.assign(Some(replier), clock.now());
        match written {
            // The reply and the assignment count as one change of the conversation.
            Some(it) => {
                self.conversation.version = it.version;
                *it = self.conversation.clone();
            }
            None => {
                set.change(Change::Update(Row::Conversation(self.conversation.clone())));
            }
        }
        let event = EventDraft::new(EventKind::ConversationAssigned, &ConversationView::from(&self.conversation));
        let event = event.with("previous", &serde_json::json!({"assignee_id": null})).about(self.conversation.contact);
        set.tell(event, access, clock, ids);
    }
}

impl Conversation {
    /// Adds the new conversation and its event to a change set. Earlier messages to the contact on the channel move
    /// into it.
    pub(crate) fn tell_created(&self, set: &mut ChangeSet, access: &Access, clock: &dyn Clock, ids: &dyn Ids) {
        set.change(Change::Insert(Row::Conversation(self.clone())));
        let (conversation, contact, channel) = (self.id, self.contact, self.channel);
        set.change(Change::Conversation(ConversationChange::Adopt { conversation, contact, channel }));
        let event = EventDraft::new(EventKind::ConversationCreated, &ConversationView::from(self));
        set.tell(event.about(self.contact), access, clock, ids);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Actor;
    use crate::analytics::AnalyticsChange;
    use crate::conversations::Handler;
    use crate::ids::{FlowId, RunId, SequenceId, WorkspaceId};
    use crate::memory::{CountingIds, FixedClock};
    use crate::testing::{a_channel, a_contact};
    use uuid::Uuid;

    #[test]
    fn suppresses_flow_messages_while_a_member_handles_it() {
        let (channel, ids, clock) = (a_channel(), CountingIds::default(), FixedClock::default());
        let contact = a_contact().on(&channel).build();
        let id = Uuid::from_u128(7);
        let mut conversation =
            Conversation::new(ConversationId::from_uuid(id), contact.id, channel.id, contact.created_at);
        conversation.escalate(contact.created_at);
        let system = Access::system(WorkspaceId::from_uuid(id));
        let outcome = |actor: Actor, content: Content| {
            let access = system.acting_as(actor);
            let mut set = ChangeSet::new(access.workspace());
            let recipient = Recipient { contact: &contact, channel: &channel, conversation: Some(&conversation) };
            let sent = recipient.add_message(&mut set, content, &access, &clock, &ids);
            (sent.message.status, sent.message.error.map(|error| error.code), set.jobs.len())
        };
        let flow = Actor::flow(FlowId::from_uuid(id), RunId::from_uuid(id));
        let suppressed = (MessageStatus::Suppressed, Some("human_handling".to_owned()), 0);
        assert_eq!(outcome(flow.clone(), Content::text("Hi")), suppressed);
        let sequence = Actor::sequence(SequenceId::from_uuid(id));
        assert_eq!(outcome(sequence, Content::text("Hi")), (MessageStatus::Queued, None, 1));
        assert_eq!(outcome(Actor::user(UserId::from_uuid(id)), Content::text("Hi")), (MessageStatus::Queued, None, 1));
        assert_eq!(outcome(flow, Content::note("Hi")), (MessageStatus::Received, None, 0));
    }

    #[test]
    fn a_reply_assigns_an_unassigned_conversation() {
        let (channel, ids, clock) = (a_channel(), CountingIds::default(), FixedClock::default());
        let contact = a_contact().on(&channel).build();
        let (user, other) = (UserId::from_uuid(Uuid::from_u128(7)), UserId::from_uuid(Uuid::from_u128(8)));
        let access = Access::system(WorkspaceId::from_uuid(Uuid::from_u128(7))).acting_as(Actor::user(user));
        let id = ConversationId::from_uuid(Uuid::from_u128(9));
        let before = Conversation::new(id, contact.id, channel.id, contact.created_at);
        let reply = |conversation: Option<&Conversation>, content: Content| {
            let mut set = ChangeSet::new(access.workspace());
            let recipient = Recipient { contact: &contact, channel: &channel, conversation };
            let mut sent = recipient.add_message(&mut set, content, &access, &clock, &ids);
            sent.assign_to(user, &mut set, &access, &clock, &ids);
            let written = set.changes.iter().find_map(|change| match change {
                Change::Insert(Row::Conversation(it)) | Change::Update(Row::Conversation(it)) => Some(it.clone()),
                _ => None,
            });
            let told = set.events.iter().filter(|it| it.kind == EventKind::ConversationAssigned).count();
            (written.map(|it| (it.assignee, it.version, it.handler)), told)
        };
        let assigned = |version| (Some((Some(user), version, Handler::Human)), 1);
        assert_eq!(reply(None, Content::text("Hi")), assigned(1), "a new conversation is assigned");
        assert_eq!(
            reply(Some(&before), Content::text("Hi")),
            assigned(before.version + 1),
            "the version increases once"
        );
        let theirs = Conversation { assignee: Some(other), handler: Handler::Human, ..before.clone() };
        let (written, told) = reply(Some(&theirs), Content::text("Hi"));
        assert!(
            written.is_none_or(|it| it.0 == Some(other)) && told == 0,
            "an assigned conversation keeps its assignee"
        );
        assert_eq!(reply(Some(&before), Content::note("Hi")).1, 0, "a note does not assign a conversation");
    }

    #[test]
    fn records_first_replies_of_members_only() {
        let (channel, ids, clock) = (a_channel(), CountingIds::default(), FixedClock::default());
        let contact = a_contact().on(&channel).build();
        let id = Uuid::from_u128(7);
        let mut waiting = Conversation::new(ConversationId::from_uuid(id), contact.id, channel.id, contact.created_at);
        waiting.hear(contact.created_at);
        let measured = |actor: Actor, content: Content| {
            let access = Access::system(WorkspaceId::from_uuid(id)).acting_as(actor);
            let mut set = ChangeSet::new(access.workspace());
            let recipient = Recipient { contact: &contact, channel: &channel, conversation: Some(&waiting) };
            recipient.add_message(&mut set, content, &access, &clock, &ids);
            set.changes.iter().filter(|it| matches!(it, Change::Analytics(AnalyticsChange::RecordReply(_)))).count()
        };
        let member = || Actor::user(UserId::from_uuid(id));
        assert_eq!(measured(member(), Content::text("Hi")), 1);
        assert_eq!(measured(member(), Content::note("Hi")), 0);
        assert_eq!(measured(Actor::flow(FlowId::from_uuid(id), RunId::from_uuid(id)), Content::text("Hi")), 0);
    }
}
