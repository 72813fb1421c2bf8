//! Rows of conversations and messages.

use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use tidings_domain::access::Actor;
use tidings_domain::channels::{DegradedFeature, Segments};
use tidings_domain::conversations::{
    Attachment, Choice, Content, Conversation, ConversationStatus, Direction, Handler, MarketingPreference, Message,
    MessageStatus, MessageTemplate, MessageType, Opening, Original, QuickReply, Referral, Revisions, Thread,
};
use tidings_domain::ids::{MediaId, MessageId};

use crate::connection::faults::Fault;
use crate::queries::rows::{json, to_json, word};
use crate::queries::types::{DbId, DbTime};
use crate::schema::{conversations, messages};

crate::write::write_texts! {
    ConversationRow: crate::write::Shape::of("conversations"),
    MessageRow: crate::write::Shape::of("messages"),
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = conversations)]
    pub(crate) struct ConversationRow in conversations {
        pub(super) workspace_id: DbId,
        id: DbId,
        pub(super) contact_id: DbId,
        channel_id: DbId,
        status: String,
        handler: String,
        created_at: DbTime,
        updated_at: DbTime,
        version: i64,
        assignee_id: Option<DbId>,
        snoozed_until: Option<DbTime>,
        unread_count: i64,
        waiting_since: Option<DbTime>,
        window_expires_at: Option<DbTime>,
        reply_address: Option<String>,
        opt_out_confirmed_at: Option<DbTime>,
        first_reply_at: Option<DbTime>,
        resolved_at: Option<DbTime>,
        reopen_count: i64,
        opened_at: Option<DbTime>,
        awaited_since: Option<DbTime>,
        replied_at: Option<DbTime>,
        marketing_stopped_at: Option<DbTime>,
        marketing_resumed_at: Option<DbTime>,
        /// An update based on an older version must not move this stamp back.
        last_message_at: Option<DbTime> = latest,
    }
}

impl ConversationRow {
    pub(crate) fn write(workspace_id: DbId, it: &Conversation) -> Self {
        Self {
            workspace_id,
            id: it.id.into(),
            contact_id: it.contact.into(),
            channel_id: it.channel.into(),
            status: it.status.as_str().to_owned(),
            handler: it.handler.as_str().to_owned(),
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
            assignee_id: it.assignee.map(Into::into),
            snoozed_until: it.snoozed_until.map(Into::into),
            unread_count: it.unread_count,
            waiting_since: it.waiting_since.map(Into::into),
            window_expires_at: it.window_expires_at.map(Into::into),
            reply_address: it.reply_address.clone(),
            opt_out_confirmed_at: it.opt_out_confirmed_at.map(Into::into),
            first_reply_at: it.first_reply_at.map(Into::into),
            resolved_at: it.resolved_at.map(Into::into),
            reopen_count: it.reopen_count,
            opened_at: it.opening.opened_at.map(Into::into),
            awaited_since: it.opening.awaited_since.map(Into::into),
            replied_at: it.opening.replied_at.map(Into::into),
            marketing_stopped_at: it.marketing.stopped_at.map(Into::into),
            marketing_resumed_at: it.marketing.resumed_at.map(Into::into),
            last_message_at: it.last_message_at.map(Into::into),
        }
    }

    pub(crate) fn read(self) -> Result<Conversation, Fault> {
        let time = |time: Option<DbTime>| time.map(|time| time.0);
        Ok(Conversation {
            id: self.id.to_typed_id(),
            contact: self.contact_id.to_typed_id(),
            channel: self.channel_id.to_typed_id(),
            status: word(&self.status, "conversation status", ConversationStatus::parse)?,
            handler: word(&self.handler, "handler", Handler::parse)?,
            assignee: self.assignee_id.map(DbId::to_typed_id),
            snoozed_until: time(self.snoozed_until),
            unread_count: self.unread_count,
            waiting_since: time(self.waiting_since),
            window_expires_at: time(self.window_expires_at),
            reply_address: self.reply_address,
            opt_out_confirmed_at: time(self.opt_out_confirmed_at),
            first_reply_at: time(self.first_reply_at),
            last_message_at: time(self.last_message_at),
            resolved_at: time(self.resolved_at),
            reopen_count: self.reopen_count,
            opening: Opening {
                opened_at: time(self.opened_at),
                awaited_since: time(self.awaited_since),
                replied_at: time(self.replied_at),
            },
            marketing: MarketingPreference {
                stopped_at: time(self.marketing_stopped_at),
                resumed_at: time(self.marketing_resumed_at),
            },
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = messages)]
    pub(crate) struct MessageRow in messages {
        pub(super) workspace_id: DbId,
        pub(super) id: DbId,
        /// Set once by a separate change, which adds the message to a conversation.
        conversation_id: Option<DbId> = kept,
        contact_id: DbId,
        channel_id: DbId,
        direction: String,
        body: String,
        status: String,
        history: String,
        error: Option<String>,
        sender_kind: String,
        sender_id: Option<String>,
        provider_message_id: Option<String>,
        created_at: DbTime,
        updated_at: DbTime,
        version: i64,
        kind: String,
        parts: Option<String>,
        resend_of: Option<DbId>,
        resent_as: Option<DbId>,
        /// The parts of the sent message, if it has several. `parts` contains its content.
        sent_parts: Option<String>,
        address: Option<String>,
        sent_at: Option<DbTime>,
    }
}

/// The parts of a message other than its text. Most messages have none.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Parts {
    /// True if the message has no text, as opposed to an empty text.
    wordless: bool,
    attachments: Vec<StoredAttachment>,
    quick_replies: Vec<QuickReply>,
    template: Option<MessageTemplate>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fallback: Option<MessageTemplate>,
    /// Releases before 0.5.0 wrote none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    referral: Option<Referral>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    choice: Option<Choice>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reply_to: Option<MessageId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    thread: Option<Thread>,
    #[serde(default, skip_serializing_if = "Revisions::is_empty")]
    revisions: Revisions,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    degraded: Vec<DegradedFeature>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    segments: Option<Segments>,
    /// Whether a program sent the message for the contact.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    auto: bool,
    /// Whether the sender can be forged.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unverified: bool,
    #[serde(default, skip_serializing_if = "Original::is_empty")]
    original: Original,
}

/// An attachment with its URL as in the domain.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredAttachment {
    url: String,
    name: Option<String>,
    mime_type: Option<String>,
}

impl StoredAttachment {
    pub(super) fn of(it: &Attachment) -> Self {
        Self { url: it.url.clone(), name: it.name.clone(), mime_type: it.mime_type.clone() }
    }

    pub(super) fn read(self) -> Attachment {
        Attachment { url: self.url, name: self.name, mime_type: self.mime_type }
    }
}

/// Returns the files of the server in the stored parts of a message.
pub(super) fn files_of(parts: &str) -> Result<Vec<MediaId>, Fault> {
    let parts: Parts = json(parts, "a message's parts")?;
    let attachments = parts.attachments.into_iter().map(StoredAttachment::read);
    Ok(attachments.filter_map(|it| it.media()).collect())
}

impl Parts {
    fn of(it: &Message) -> Self {
        let Message {
            content,
            referral,
            choice,
            reply_to,
            thread,
            revisions,
            degraded,
            segments,
            is_automatic,
            is_unverified,
            ..
        } = it;
        Self {
            wordless: content.text.is_none(),
            attachments: content.attachments.iter().map(StoredAttachment::of).collect(),
            quick_replies: content.quick_replies.clone(),
            template: content.template.clone(),
            fallback: content.fallback.clone(),
            subject: content.subject.clone(),
            referral: referral.clone(),
            choice: choice.clone(),
            reply_to: *reply_to,
            thread: thread.clone(),
            revisions: revisions.clone(),
            degraded: degraded.clone(),
            segments: *segments,
            auto: *is_automatic,
            unverified: *is_unverified,
            original: content.original.clone(),
        }
    }
}

impl MessageRow {
    pub(crate) fn write(workspace_id: DbId, it: &Message) -> Result<Self, Fault> {
        let parts = Parts::of(it);
        Ok(Self {
            workspace_id,
            id: it.id.into(),
            conversation_id: it.conversation.map(Into::into),
            contact_id: it.contact.into(),
            channel_id: it.channel.into(),
            direction: it.direction.as_str().to_owned(),
            body: it.content.text.clone().unwrap_or_default(),
            status: it.status.as_str().to_owned(),
            history: to_json(&it.history)?,
            error: it.error.as_ref().map(to_json).transpose()?,
            sender_kind: it.sender.kind_str().to_owned(),
            sender_id: it.sender.id.clone(),
            provider_message_id: it.provider_message_id.clone(),
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
            kind: it.content.kind.as_str().to_owned(),
            // Most messages have only text.
            parts: if parts == Parts::default() { None } else { Some(to_json(&parts)?) },
            resend_of: it.resend_of.map(Into::into),
            resent_as: it.resent_as.map(Into::into),
            sent_parts: if it.parts.is_empty() { None } else { Some(to_json(&it.parts)?) },
            address: it.address.clone(),
            sent_at: it.sent_at.map(Into::into),
        })
    }

    pub(crate) fn read(self) -> Result<Message, Fault> {
        let parts: Parts = match &self.parts {
            Some(parts) => json(parts, "a message's parts")?,
            None => Parts::default(),
        };
        let content = Content {
            kind: word(&self.kind, "message type", MessageType::parse)?,
            subject: parts.subject,
            text: Some(self.body).filter(|_| !parts.wordless),
            attachments: parts.attachments.into_iter().map(StoredAttachment::read).collect(),
            quick_replies: parts.quick_replies,
            template: parts.template,
            fallback: parts.fallback,
            original: parts.original,
        };
        Ok(Message {
            id: self.id.to_typed_id(),
            conversation: self.conversation_id.map(DbId::to_typed_id),
            contact: self.contact_id.to_typed_id(),
            channel: self.channel_id.to_typed_id(),
            direction: word(&self.direction, "direction", Direction::parse)?,
            content,
            status: word(&self.status, "message status", MessageStatus::parse)?,
            history: json(&self.history, "a message's history")?,
            error: self.error.map(|error| json(&error, "a message's error")).transpose()?,
            sender: Actor::from_parts(&self.sender_kind, self.sender_id),
            is_automatic: parts.auto,
            is_unverified: parts.unverified,
            provider_message_id: self.provider_message_id,
            address: self.address,
            referral: parts.referral,
            choice: parts.choice,
            reply_to: parts.reply_to,
            thread: parts.thread,
            sent_at: self.sent_at.map(|it| it.0),
            revisions: parts.revisions,
            degraded: parts.degraded,
            segments: parts.segments,
            resend_of: self.resend_of.map(DbId::to_typed_id),
            resent_as: self.resent_as.map(DbId::to_typed_id),
            parts: self.sent_parts.map(|parts| json(&parts, "a message's sent parts")).transpose()?.unwrap_or_default(),
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}
