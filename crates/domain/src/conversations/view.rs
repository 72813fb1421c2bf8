//! Conversations and messages as returned by the API and sent in events.

use serde::Serialize;
use serde_json::Value;

use super::message_status_view::accepted_at;
use super::{
    AttachmentView, Choice, Conversation, ConversationStatus, Direction, DirectionView, Handler, Message, MessageEdit,
    MessageErrorView, MessagePartView, MessageReaction, MessageStatusView, MessageTemplate, MessageType, Original,
    QuickReply, Referral, StatusChangeView, Thread,
};
use crate::access::Actor;
use crate::channels::{Degradation, Segments};
use crate::ids::{ChannelId, ContactId, ConversationId, MessageId, UserId};
use crate::time::Timestamp;

/// The conversation with one contact on one channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Conversation))]
#[non_exhaustive]
pub struct ConversationView {
    /// The ID.
    pub id: ConversationId,
    /// ID of the contact.
    pub contact_id: ContactId,
    /// ID of the channel.
    pub channel_id: ChannelId,
    /// The status.
    pub status: ConversationStatus,
    /// The handler: automation, an AI session or an agent.
    pub handler: Handler,
    /// The assigned member.
    pub assignee_id: Option<UserId>,
    /// If snoozed: until when.
    pub snoozed_until: Option<Timestamp>,
    /// Number of unread messages of the contact.
    pub unread_count: i64,
    /// Since when the contact has been waiting for an answer.
    pub waiting_since: Option<Timestamp>,
    /// Until when the provider accepts messages other than templates. `null` if it always accepts them, and if the
    /// contact has not written yet.
    pub window_expires_at: Option<Timestamp>,
    /// When the contact first got an answer.
    pub first_reply_at: Option<Timestamp>,
    /// If resolved: since when.
    pub resolved_at: Option<Timestamp>,
    /// Number of times that it was resolved and reopened.
    pub reopen_count: i64,
    /// When the last message was sent or received. Does not change the version.
    pub last_message_at: Option<Timestamp>,
    /// When it was opened.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl From<&Conversation> for ConversationView {
    fn from(it: &Conversation) -> Self {
        Self {
            id: it.id,
            contact_id: it.contact,
            channel_id: it.channel,
            status: it.status,
            handler: it.handler,
            assignee_id: it.assignee,
            snoozed_until: it.snoozed_until,
            unread_count: it.unread_count,
            waiting_since: it.waiting_since,
            window_expires_at: it.window_expires_at,
            first_reply_at: it.first_reply_at,
            resolved_at: it.resolved_at,
            reopen_count: it.reopen_count,
            last_message_at: it.last_message_at,
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}

/// Whether the sender of a contact's message is verified; `None` if nothing checked it.
fn sender_verified(it: &Message) -> Option<bool> {
    let is_checked = it.direction == Direction::Inbound && !it.content.original.is_sender_unchecked;
    is_checked.then_some(!it.is_unverified)
}

/// A message in a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Message))]
#[non_exhaustive]
pub struct MessageView {
    /// The ID.
    pub id: MessageId,
    /// ID of the conversation; `null` for a message of a broadcast until a conversation is opened.
    pub conversation_id: Option<ConversationId>,
    /// ID of the contact.
    pub contact_id: ContactId,
    /// ID of the channel.
    pub channel_id: ChannelId,
    /// Direction of the message.
    pub direction: DirectionView,
    /// Type of the content.
    #[serde(rename = "type")]
    pub kind: MessageType,
    /// The subject, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub subject: Option<String>,
    /// The text; for images and files, their caption.
    pub text: Option<String>,
    /// Whether the message of the contact has more than `text` shows. `GET /messages/{id}` then returns `text_full`, `html`
    /// or both.
    pub has_original: bool,
    /// Whether `text` is only the beginning of the contact's text, which is longer than 4,096 characters.
    pub truncated: bool,
    /// The whole text of the contact's message, with quoted messages and the signature, if it differs from `text`. Lists
    /// and events omit it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub text_full: Option<String>,
    /// The formatted text of the contact's message, if it has one, at most about 30 KiB: HTML with text, lists, tables,
    /// quotes and links, without scripts, styles and pictures. Lists and events omit it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub html: Option<String>,
    /// The reply address that the contact chose, if it is another one. Answers of members are sent to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub answers_to: Option<String>,
    /// For a contact card, a poll, an order or a form of a contact: an object with the member `contacts`, `poll`, `order`
    /// or `form`, which has the fields of the provider. At most 8 KiB.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub data: Option<Value>,
    /// The attachments.
    pub attachments: Vec<AttachmentView>,
    /// Quick replies to choose from.
    pub quick_replies: Vec<QuickReply>,
    /// For a template: its name and parameters.
    pub template: Option<MessageTemplate>,
    /// Whether the message is visible only to members, such as a note.
    pub private: bool,
    /// The status. It never goes back.
    pub status: MessageStatusView,
    /// The history of the status.
    pub status_history: Vec<StatusChangeView>,
    /// Why the message failed or was suppressed; while `sending`, why the provider has not accepted it yet.
    pub error: Option<MessageErrorView>,
    /// The parts of an outbound message, in their order. Each is one call of the provider. Until the first call, there is
    /// one.
    pub parts: Vec<MessagePartView>,
    /// The features of an outbound message that its channel replaces. Empty until the first call.
    pub degraded: Vec<Degradation>,
    /// The charged segments of an outbound SMS. `null` until the first call, and for other messages.
    pub segments: Option<Segments>,
    /// The sender.
    pub sender: Actor,
    /// Whether a program sent it for the contact, such as an out-of-office reply or a newsletter. No flow reacts to it.
    pub auto: bool,
    /// Whether the provider vouches for the contact's address. `false` if the sender of a mail did not pass the check of
    /// the mail server. `null` if the sender of a mail was not checked, because the channel has no
    /// `inbound.authserv_id`, and for messages that no contact sent. Only `true` excludes a forged sender.
    pub sender_verified: Option<bool>,
    /// The provider's ID of the message.
    pub provider_message_id: Option<String>,
    /// The contact's address, as sender or recipient. `null` before the first call of the provider.
    pub address: Option<String>,
    /// The link or advertisement through which the contact wrote it.
    pub referral: Option<Referral>,
    /// The quick reply that the contact chose: by a button, or by a text that is its title or its number. `text` is then
    /// its title.
    pub choice: Option<Choice>,
    /// ID of the message that it answers, if its sender selected one: a message of the contact or to the contact.
    pub reply_to: Option<MessageId>,
    /// The thread, on `email` channels. `null` on others, and for a message to the contact before its first call.
    pub thread: Option<Thread>,
    /// If the contact edited the message: its earlier texts, oldest first, at most 10.
    pub edits: Vec<MessageEdit>,
    /// When the contact last edited it.
    pub edited_at: Option<Timestamp>,
    /// When the contact deleted it. Its text, its earlier texts and its attachments were removed then.
    pub deleted_by_contact_at: Option<Timestamp>,
    /// When the contact sent it, as the provider states it; `null` if it does not. For a message to a contact: when the
    /// provider accepted it. Messages are sorted by `created_at`, the time of their arrival.
    pub sent_at: Option<Timestamp>,
    /// The contact's present reactions to it.
    pub reactions: Vec<MessageReaction>,
    /// For a message that was sent again: ID of the first message.
    pub resend_of: Option<MessageId>,
    /// ID of the message that was sent in place of this one.
    pub resent_as: Option<MessageId>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl MessageView {
    /// Returns a message with the parts that lists and events omit.
    pub fn complete(it: &Message) -> Self {
        let Original { text, html, .. } = it.content.original.clone();
        Self { text_full: text, html, ..Self::from(it) }
    }
}

impl From<&Message> for MessageView {
    fn from(it: &Message) -> Self {
        let history = it.history.iter();
        let is_note = it.is_private();
        let shown = |status| MessageStatusView::of(status, is_note);
        Self {
            id: it.id,
            conversation_id: it.conversation,
            contact_id: it.contact,
            channel_id: it.channel,
            direction: DirectionView::of(it.direction, is_note),
            kind: it.content.kind,
            subject: it.content.subject.clone(),
            text: it.shown_text().map(str::to_owned),
            has_original: it.content.original.has_more(),
            truncated: it.content.original.is_truncated,
            text_full: None,
            html: None,
            answers_to: it.content.original.answers_to.clone(),
            data: it.content.original.data.clone(),
            attachments: it.content.attachments.iter().cloned().map(AttachmentView::from).collect(),
            quick_replies: it.content.quick_replies.clone(),
            template: it.content.template.clone(),
            private: is_note,
            status: shown(it.status),
            status_history: history.map(|it| StatusChangeView { status: shown(it.status), at: it.at }).collect(),
            error: MessageErrorView::of(it),
            parts: MessagePartView::all_of(it),
            degraded: it.degraded.iter().copied().map(Degradation::from).collect(),
            segments: it.segments,
            sender: it.sender.clone(),
            auto: it.is_automatic,
            sender_verified: sender_verified(it),
            provider_message_id: it.provider_message_id.clone(),
            address: it.address.clone(),
            referral: it.referral.clone(),
            choice: it.choice.clone(),
            reply_to: it.reply_to,
            thread: it.thread.clone(),
            edits: it.revisions.edits.clone(),
            edited_at: it.revisions.edited_at,
            deleted_by_contact_at: it.revisions.deleted_at,
            sent_at: match it.direction {
                Direction::Inbound => it.sent_at,
                Direction::Outbound => accepted_at(it),
            },
            reactions: it.revisions.reactions.clone(),
            resend_of: it.resend_of,
            resent_as: it.resent_as,
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}
