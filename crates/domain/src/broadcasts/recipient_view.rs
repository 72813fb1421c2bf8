//! Recipients of broadcasts as the API shows them.

use serde::Serialize;

use super::{BroadcastRecipient, RecipientStatus};
use crate::conversations::{MessageErrorView, MessageStatusView, Suppression};
use crate::ids::{ContactId, MessageId};
use crate::time::Timestamp;

/// A recipient of a broadcast.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = BroadcastRecipient))]
#[non_exhaustive]
pub struct BroadcastRecipientView {
    /// ID of the contact.
    pub contact_id: ContactId,
    /// The status.
    pub status: RecipientStatus,
    /// Why there is no sent message, if the status is `failed`, `suppressed` or `uncertain`.
    pub error: Option<MessageErrorView>,
    /// ID of the message; `null` if there is none.
    pub message_id: Option<MessageId>,
    /// Status of the message; more precise than `status`.
    pub message_status: Option<MessageStatusView>,
    /// When the message was last updated; `null` if there is none.
    pub updated_at: Option<Timestamp>,
}

impl From<&BroadcastRecipient> for BroadcastRecipientView {
    fn from(it: &BroadcastRecipient) -> Self {
        let BroadcastRecipient { contact, result, message } = it;
        let own = message.as_ref().and_then(|message| message.error.as_ref());
        let error = result.code.as_ref().map(|code| MessageErrorView {
            code: code.clone(),
            message: match (own, Suppression::parse(code)) {
                (Some(own), _) => own.message.clone(),
                (None, Some(reason)) => reason.message().to_owned(),
                (None, None) => String::new(),
            },
            part: None,
            provider_code: own.and_then(|own| own.provider_code.clone()),
            http_status: own.and_then(|own| own.http_status),
        });
        Self {
            contact_id: message.as_ref().map_or(*contact, |message| message.contact),
            status: result.status,
            error,
            message_id: message.as_ref().map(|message| message.id),
            message_status: message.as_ref().map(|message| MessageStatusView::of(message.status, false)),
            updated_at: message.as_ref().map(|message| message.updated_at),
        }
    }
}
