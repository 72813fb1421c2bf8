//! Conversations and messages as the API and envelopes show them.

use serde::Serialize;

use super::{
    Attachment, Conversation, ConversationStatus, Direction, Handler, Message, MessageStatus, MessageTemplate,
    MessageType, QuickReply,
};
use crate::access::Actor;
use crate::ids::{ChannelId, ContactId, ConversationId, MessageId, UserId};
use crate::time::Timestamp;

/// The conversation with one contact on one channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Conversation))]
pub struct ConversationView {
    /// The id.
    pub id: ConversationId,
    /// With whom.
    pub contact_id: ContactId,
    /// Where.
    pub channel_id: ChannelId,
    /// Where it stands.
    pub status: ConversationStatus,
    /// Who answers.
    pub handler: Handler,
    /// The member to whom it is assigned.
    pub assignee_id: Option<UserId>,
    /// Of a snoozed one: until when.
    pub snoozed_until: Option<Timestamp>,
    /// How many messages of the contact nobody has looked at.
    pub unread_count: i64,
    /// Since when the contact waits for an answer.
    pub waiting_since: Option<Timestamp>,
    /// When the contact was answered for the first time.
    pub first_reply_at: Option<Timestamp>,
    /// Of a resolved one: since when.
    pub resolved_at: Option<Timestamp>,
    /// How often it was resolved and opened again.
    pub reopen_count: i64,
    /// When a message last went either way. Does not change the version.
    pub last_message_at: Option<Timestamp>,
    /// When it was opened.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
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

/// Why a message failed or was suppressed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = MessageError))]
pub struct MessageErrorView {
    /// For machines; of a suppressed message the reason.
    pub code: String,
    /// For people.
    pub message: String,
}

macro_rules! shown {
    ($(#[$doc:meta])* $name:ident as $schema:ident of $stored:ident {
        $($(#[$variant_doc:meta])* $variant:ident,)*
    } and $(#[$own_doc:meta])* $own:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = $schema))]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$variant_doc])* $variant,)* $(#[$own_doc])* $own }

        impl $name {
            /// As it is shown of a message, a note or another one.
            fn of(stored: $stored, is_note: bool) -> Self {
                match stored {
                    _ if is_note => Self::$own,
                    $($stored::$variant => Self::$variant,)*
                }
            }
        }
    };
}

shown! {
    /// Which way a message goes.
    DirectionView as Direction of Direction {
        /// From the contact.
        Inbound,
        /// To the contact.
        Outbound,
    } and
    /// Nowhere: a note for the colleagues.
    Internal
}

shown! {
    /// How far a message is. A status never goes back.
    MessageStatusView as MessageStatus of MessageStatus {
        /// It waits to be sent.
        Queued,
        /// It is being handed to the provider.
        Sending,
        /// The provider may or may not have taken it: it is never sent again by itself.
        Uncertain,
        /// The provider took it.
        Sent,
        /// The provider says that it arrived.
        Delivered,
        /// The contact read it.
        Read,
        /// It will not arrive; `error` says why.
        Failed,
        /// It was not sent, on purpose; `error.code` is the reason.
        Suppressed,
        /// It is kept: a contact's message.
        Received,
    } and
    /// It is kept: a note, which goes nowhere.
    Noted
}

/// A status and since when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = StatusChange))]
pub struct StatusChangeView {
    /// The status.
    pub status: MessageStatusView,
    /// Since when.
    pub at: Timestamp,
}

/// A message in a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Message))]
pub struct MessageView {
    /// The id.
    pub id: MessageId,
    /// Where it stands; `null` for a message of a broadcast until a conversation is opened.
    pub conversation_id: Option<ConversationId>,
    /// To whom.
    pub contact_id: ContactId,
    /// On which channel.
    pub channel_id: ChannelId,
    /// Which way it goes.
    pub direction: DirectionView,
    /// What kind of content it has.
    #[serde(rename = "type")]
    pub kind: MessageType,
    /// The words; of pictures and files their caption.
    pub text: Option<String>,
    /// What is beside the words.
    pub attachments: Vec<Attachment>,
    /// Answers to choose from.
    pub quick_replies: Vec<QuickReply>,
    /// Of a template: which, and what stands in it.
    pub template: Option<MessageTemplate>,
    /// Whether it is for the colleagues only, as notes are.
    pub private: bool,
    /// How far it is; never goes back.
    pub status: MessageStatusView,
    /// How it came there.
    pub status_history: Vec<StatusChangeView>,
    /// Why it failed or was suppressed; of one that is `sending`, why the provider did not take it yet.
    pub error: Option<MessageErrorView>,
    /// Who sends it.
    pub sender: Actor,
    /// The provider's own name for it.
    pub provider_message_id: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
    pub version: i64,
}

impl From<&Message> for MessageView {
    fn from(it: &Message) -> Self {
        let error = it.error.as_ref();
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
            text: it.content.text.clone(),
            attachments: it.content.attachments.clone(),
            quick_replies: it.content.quick_replies.clone(),
            template: it.content.template.clone(),
            private: is_note,
            status: shown(it.status),
            status_history: history.map(|it| StatusChangeView { status: shown(it.status), at: it.at }).collect(),
            error: error.map(|it| MessageErrorView { code: it.code.clone(), message: it.message.clone() }),
            sender: it.sender.clone(),
            provider_message_id: it.provider_message_id.clone(),
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}
