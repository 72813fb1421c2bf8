//! The direction, the status, the errors and the parts of a message, as returned by the API and sent in events.

use serde::Serialize;

use super::{Direction, Message, MessageError, MessageStatus, PartKind, PartStatus};
use crate::time::Timestamp;

/// Why a message failed or was suppressed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = MessageError))]
#[non_exhaustive]
pub struct MessageErrorView {
    /// Error code; for a suppressed message, the reason.
    pub code: String,
    /// Description of the error.
    pub message: String,
    /// Index of the part that was not sent, for a message of several parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub part: Option<usize>,
    /// The provider's own code of the error: of WhatsApp `131026`, of Twilio `30003`, of a mail server `5.1.1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub provider_code: Option<String>,
    /// The HTTP status of the provider's response.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub http_status: Option<u16>,
}

impl MessageErrorView {
    /// Returns an error, of this part.
    fn of_part(error: &MessageError, part: Option<usize>) -> Self {
        Self {
            code: error.code.clone(),
            message: error.message.clone(),
            part,
            provider_code: error.provider_code.clone(),
            http_status: error.http_status,
        }
    }

    /// Returns the error of a message, if it has one.
    pub(crate) fn of(message: &Message) -> Option<Self> {
        Some(Self::of_part(message.problem()?, message.parts.with_error()))
    }
}

/// Direction of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Direction))]
#[serde(rename_all = "snake_case")]
pub enum DirectionView {
    /// From the contact.
    Inbound,
    /// To the contact.
    Outbound,
    /// None: a note for members.
    Internal,
}

impl DirectionView {
    /// Converts the stored value of a message; notes have their own value.
    pub(crate) fn of(stored: Direction, is_note: bool) -> Self {
        match stored {
            _ if is_note => Self::Internal,
            Direction::Inbound => Self::Inbound,
            Direction::Outbound => Self::Outbound,
        }
    }
}

/// Status of a message. It never goes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = MessageStatus))]
#[serde(rename_all = "snake_case")]
pub enum MessageStatusView {
    /// Waits to be sent.
    Queued,
    /// Being sent to the provider.
    Sending,
    /// The provider may have accepted it. It is never sent again automatically.
    Uncertain,
    /// The provider accepted it.
    Sent,
    /// The provider reported the delivery.
    Delivered,
    /// The contact read it.
    Read,
    /// Sending failed; `error` has the reason.
    Failed,
    /// Deliberately not sent; `error.code` is the reason.
    Suppressed,
    /// Stored: a message of a contact.
    Received,
    /// Stored: a note, which is not sent.
    Noted,
}

impl MessageStatusView {
    /// Converts the stored value of a message; notes have their own value.
    pub(crate) fn of(stored: MessageStatus, is_note: bool) -> Self {
        match stored {
            _ if is_note => Self::Noted,
            MessageStatus::Queued => Self::Queued,
            MessageStatus::Sending => Self::Sending,
            MessageStatus::Uncertain => Self::Uncertain,
            MessageStatus::Sent => Self::Sent,
            MessageStatus::Delivered => Self::Delivered,
            MessageStatus::Read => Self::Read,
            MessageStatus::Failed => Self::Failed,
            MessageStatus::Suppressed => Self::Suppressed,
            MessageStatus::Received => Self::Received,
        }
    }
}

/// A status, and since when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = StatusChange))]
#[non_exhaustive]
pub struct StatusChangeView {
    /// The status.
    pub status: MessageStatusView,
    /// Since when.
    pub at: Timestamp,
}

/// A part of an outbound message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = MessagePart))]
#[non_exhaustive]
pub struct MessagePartView {
    /// Index of the part, from 0.
    pub index: usize,
    /// The kind.
    pub kind: PartKind,
    /// The status.
    pub status: PartStatus,
    /// The provider's ID of the part.
    pub provider_message_id: Option<String>,
    /// Why it failed, is uncertain, or was not accepted yet.
    pub error: Option<MessageErrorView>,
    /// When the provider accepted it.
    pub sent_at: Option<Timestamp>,
}

impl MessagePartView {
    /// Returns the parts of a message. A message of one part has no stored part.
    pub(super) fn all_of(message: &Message) -> Vec<Self> {
        if message.direction == Direction::Inbound || message.is_private() {
            return Vec::new();
        }
        if message.parts.is_empty() {
            return vec![Self::only(message)];
        }
        let parts = message.parts.all().iter().enumerate();
        let view = parts.map(|(index, it)| Self {
            index,
            kind: it.kind,
            status: it.status,
            provider_message_id: it.provider_message_id.clone(),
            error: it.error.as_ref().map(|error| MessageErrorView::of_part(error, Some(index))),
            sent_at: it.sent_at,
        });
        view.collect()
    }

    /// Returns the part of a message of one part.
    fn only(message: &Message) -> Self {
        let status = match message.status {
            MessageStatus::Queued | MessageStatus::Suppressed | MessageStatus::Received => PartStatus::Pending,
            MessageStatus::Sending if message.error.is_some() => PartStatus::Pending,
            MessageStatus::Sending => PartStatus::Sending,
            MessageStatus::Uncertain => PartStatus::Uncertain,
            MessageStatus::Sent | MessageStatus::Delivered | MessageStatus::Read => PartStatus::Sent,
            MessageStatus::Failed => PartStatus::Failed,
        };
        Self {
            index: 0,
            kind: PartKind::of(&message.content),
            status,
            provider_message_id: message.provider_message_id.clone(),
            error: MessageErrorView::of(message),
            sent_at: accepted_at(message),
        }
    }
}

/// Returns when the provider accepted an outbound message, with all its parts.
pub(super) fn accepted_at(message: &Message) -> Option<Timestamp> {
    let is_sent =
        |it: MessageStatus| matches!(it, MessageStatus::Sent | MessageStatus::Delivered | MessageStatus::Read);
    message.history.iter().find(|it| is_sent(it.status)).map(|it| it.at)
}
