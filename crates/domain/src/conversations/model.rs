//! The data model of conversations and messages.

mod conversation;

pub use conversation::Conversation;
use serde::{Deserialize, Serialize};

use super::{
    Choice, Content, Direction, MessageError, MessageParts, MessageStatus, MessageType, Referral, Revisions,
    Suppression, Thread,
};
use crate::access::Actor;
use crate::channels::{DegradedFeature, Explanation, Segments};
use crate::ids::{ChannelId, ContactId, ConversationId, MessageId};
use crate::time::Timestamp;

/// The error code of a message with a text that could not be rendered.
pub(crate) const TEMPLATE_ERROR: &str = "template_error";

/// A status, and since when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusChange {
    /// The status.
    pub status: MessageStatus,
    /// Since when.
    pub at: Timestamp,
}

/// A message in a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The ID.
    pub id: MessageId,
    /// The conversation. A message of a broadcast is in none until one is opened.
    pub conversation: Option<ConversationId>,
    /// ID of the contact.
    pub contact: ContactId,
    /// ID of the channel.
    pub channel: ChannelId,
    /// The direction.
    pub direction: Direction,
    /// The content.
    pub content: Content,
    /// The status.
    pub status: MessageStatus,
    /// The history of the status.
    pub history: Vec<StatusChange>,
    /// Why the message failed or was suppressed; while `sending`, why the provider has not accepted it yet.
    pub error: Option<MessageError>,
    /// The parts of an outbound message that is sent in several parts; empty for others, and before the first call.
    pub parts: MessageParts,
    /// The features of an outbound message that its channel replaces; empty before the first call.
    pub degraded: Vec<DegradedFeature>,
    /// The charged segments of an outbound message; `None` before the first call, and if the provider does not count
    /// segments.
    pub segments: Option<Segments>,
    /// The sender.
    pub sender: Actor,
    /// Whether a program sent it for the contact, such as an out-of-office reply.
    pub is_automatic: bool,
    /// Whether the sender of a contact's message can be forged: the provider does not vouch for the address.
    pub is_unverified: bool,
    /// The provider's ID of the message. For messages of contacts it is unique on their channel.
    pub provider_message_id: Option<String>,
    /// The contact's address, as sender or recipient; `None` before the first call of the provider.
    pub address: Option<String>,
    /// The link or advertisement through which the contact wrote it.
    pub referral: Option<Referral>,
    /// The quick reply that the contact chose by it.
    pub choice: Option<Choice>,
    /// The message of the contact or to the contact that it answers.
    pub reply_to: Option<MessageId>,
    /// The thread, if the channel shows threads; `None` for a message to the contact before its first call.
    pub thread: Option<Thread>,
    /// When the contact sent it, if the provider stated it; at most the time of its arrival.
    pub sent_at: Option<Timestamp>,
    /// The changes by the contact.
    pub revisions: Revisions,
    /// The message that it copies.
    pub resend_of: Option<MessageId>,
    /// The copy that was sent after this message failed or stayed uncertain.
    pub resent_as: Option<MessageId>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl Message {
    /// Returns a queued outbound message that is in no conversation.
    pub fn queued(
        id: MessageId,
        (contact, channel): (ContactId, ChannelId),
        content: Content,
        sender: Actor,
        now: Timestamp,
    ) -> Self {
        let status = MessageStatus::Queued;
        Self {
            id,
            conversation: None,
            contact,
            channel,
            direction: Direction::Outbound,
            content,
            status,
            history: vec![StatusChange { status, at: now }],
            error: None,
            parts: MessageParts::default(),
            degraded: Vec::new(),
            segments: None,
            sender,
            is_automatic: false,
            is_unverified: false,
            provider_message_id: None,
            address: None,
            referral: None,
            choice: None,
            reply_to: None,
            thread: None,
            sent_at: None,
            revisions: Revisions::default(),
            resend_of: None,
            resent_as: None,
            created_at: now,
            updated_at: now,
            version: 1,
        }
    }

    /// Changes the status to `status`.
    pub fn advance(&mut self, status: MessageStatus, now: Timestamp) {
        self.touch(now);
        self.status = status;
        self.history.push(StatusChange { status, at: self.updated_at });
    }

    /// Records a change.
    pub(crate) fn touch(&mut self, now: Timestamp) {
        self.updated_at = now.max(self.updated_at);
        self.version += 1;
    }

    /// Suppresses the message; stops it if some of its parts were sent.
    pub(crate) fn withhold(&mut self, reason: Suppression, now: Timestamp) {
        match self.parts.has_sent() {
            true => self.stop(reason.message(), now),
            false => self.suppress(reason, now),
        }
    }

    /// Ends a message after some of its parts were sent. The others are not sent.
    pub(crate) fn stop(&mut self, why: &str, now: Timestamp) {
        let (sent, count) = self.parts.progress();
        self.fail("stopped", &format!("Part {} of {count}: {why}", sent + 1), now);
    }

    /// Records that the provider did not accept the message or its current part yet.
    pub(crate) fn postpone(&mut self, error: MessageError, now: Timestamp) {
        self.updated_at = now.max(self.updated_at);
        self.parts.postpone(error.clone());
        // An earlier release does not know parts, and repeats a message with an error as a whole.
        self.error = Some(error).filter(|_| !self.parts.has_sent());
    }

    /// Whether a call started and its end was not recorded. Then the provider may have the message or its current part.
    /// An earlier release does not record the start in the parts.
    pub(crate) fn is_unconfirmed(&self) -> bool {
        let has_begun = !self.parts.has_sent() || self.parts.sending().is_some();
        self.status == MessageStatus::Sending && self.error.is_none() && has_begun
    }

    /// Returns the number of refused tries of the message, or of its current part if it has several.
    pub(crate) fn attempts(&self, of_job: i32) -> i32 {
        self.parts.attempts().unwrap_or(of_job)
    }

    /// Returns why the message failed or was suppressed; while `sending`, why the provider has not accepted it or its
    /// current part yet.
    pub fn problem(&self) -> Option<&MessageError> {
        let of_part = || self.parts.problem().filter(|_| self.status == MessageStatus::Sending);
        self.error.as_ref().or_else(of_part)
    }

    /// Suppresses the message.
    pub fn suppress(&mut self, reason: Suppression, now: Timestamp) {
        self.error = Some(MessageError::new(reason.as_str(), reason.message()));
        self.advance(MessageStatus::Suppressed, now);
    }

    /// Suppresses the message, because the provider refused it with this error.
    pub(crate) fn suppress_refused(&mut self, reason: Suppression, why: &Explanation, now: Timestamp) {
        let why = Explanation { text: reason.message().to_owned(), ..why.clone() };
        self.error = Some(MessageError::explained(reason.as_str(), &why));
        self.advance(MessageStatus::Suppressed, now);
    }

    /// Marks the message as failed.
    pub fn fail(&mut self, code: &str, message: &str, now: Timestamp) {
        self.fail_with(MessageError::new(code, message), now);
    }

    /// Marks the message as failed with this error.
    pub(crate) fn fail_with(&mut self, error: MessageError, now: Timestamp) {
        self.parts.fail(&error);
        self.error = Some(error);
        self.advance(MessageStatus::Failed, now);
    }

    /// Marks the outcome as unknown: the provider may have accepted the message.
    pub fn doubt(&mut self, message: impl Into<Explanation>, now: Timestamp) {
        let error = MessageError::explained("outcome_unknown", &message.into());
        self.parts.doubt(&error);
        self.error = Some(error);
        self.advance(MessageStatus::Uncertain, now);
    }

    /// Whether a copy of it can be sent: it was sent to the contact and failed, or its outcome is unknown. The text of
    /// a message with a template error was never rendered.
    pub fn is_resendable(&self) -> bool {
        let is_rendered = self.error.as_ref().is_none_or(|error| error.code != TEMPLATE_ERROR);
        let has_failed = matches!(self.status, MessageStatus::Failed | MessageStatus::Uncertain);
        self.direction == Direction::Outbound && has_failed && is_rendered
    }

    /// Links the message to the copy that was sent.
    pub(super) fn link_copy(&mut self, copy: MessageId, now: Timestamp) {
        self.resent_as = Some(copy);
        self.updated_at = now.max(self.updated_at);
        self.version += 1;
    }

    /// Returns the text as members and clients see it: the title of the quick reply that the contact chose, otherwise the
    /// written text.
    pub fn shown_text(&self) -> Option<&str> {
        self.choice.as_ref().map(|choice| choice.title.as_str()).or(self.content.text.as_deref())
    }

    /// Returns the thread of the answers to the message. If it has none, because an earlier release stored it, it begins
    /// one.
    pub(super) fn thread_of_answers(&self) -> Thread {
        self.thread.clone().unwrap_or_else(|| self.new_thread())
    }

    /// Returns the thread that the message begins.
    pub(super) fn new_thread(&self) -> Thread {
        Thread { id: self.id, subject: self.content.subject.clone() }
    }

    /// Whether the contact deleted it.
    pub(crate) fn is_deleted_by_contact(&self) -> bool {
        self.revisions.deleted_at.is_some()
    }

    /// Whether it is visible only to members.
    pub fn is_private(&self) -> bool {
        self.content.kind == MessageType::Note
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::TypedId;

    fn a_message() -> Message {
        let nil = uuid::Uuid::nil();
        let recipient = (ContactId::from_uuid(nil), ChannelId::from_uuid(nil));
        let content = Content::text("Hello");
        Message::queued(MessageId::from_uuid(nil), recipient, content, Actor::system(), Timestamp::EPOCH_2026)
    }

    #[test]
    fn every_change_updates_the_time_and_the_version() {
        let mut message = a_message();
        let (now, version) = (message.updated_at.plus(std::time::Duration::from_secs(1)), message.version);
        message.touch(now);
        assert_eq!((message.updated_at, message.version), (now, version + 1));
        message.advance(MessageStatus::Sending, message.created_at);
        assert_eq!((message.updated_at, message.version), (now, version + 2), "time never goes back");
        assert_eq!(message.history.last().map(|it| it.at), Some(now));
    }

    #[test]
    fn a_call_without_a_recorded_end_is_unconfirmed() {
        let mut message = a_message();
        let now = message.created_at;
        message.parts.plan(&["one", "two"].map(Content::text)).unwrap();
        message.parts.begin();
        message.advance(MessageStatus::Sending, now);
        assert!(message.is_unconfirmed());
        message.postpone(MessageError::new("c", "m"), now);
        assert!(!message.is_unconfirmed(), "the provider refused it");
        // An earlier release removes the error before its call, and does not know the parts.
        message.error = None;
        assert!(message.is_unconfirmed());
        message.parts.begin();
        message.parts.accept(0, Some("1"), now);
        assert!(!message.is_unconfirmed(), "no call started after the first part");
        message.parts.begin();
        assert!(message.is_unconfirmed());
    }

    #[test]
    fn a_status_never_goes_back() {
        let all: Vec<MessageStatus> =
            MessageStatus::WORDS.iter().filter_map(|word| MessageStatus::parse(word)).collect();
        for from in &all {
            for to in &all {
                assert!(!(from.may_become(*to) && to.may_become(*from)), "{from:?} and {to:?}");
            }
            assert!(!from.may_become(MessageStatus::Queued) && !from.may_become(*from), "{from:?}");
        }
        assert!(MessageStatus::Sent.may_become(MessageStatus::Read), "a confirmation may be skipped");
        assert!(!MessageStatus::Read.may_become(MessageStatus::Delivered), "late confirmations change nothing");
        assert!(!MessageStatus::Delivered.may_become(MessageStatus::Failed));
        assert!(
            MessageStatus::Uncertain.may_become(MessageStatus::Delivered),
            "a report resolves an uncertain message"
        );
    }
}
