//! Recipients of a broadcast, with the results of their messages.

use crate::conversations::{Message, MessageError, MessageStatus, Suppression};
use crate::ids::{ContactId, MessageId, TypedId};
use crate::pagination::Position;
use crate::time::Timestamp;
use crate::words::words;

words! {
    /// Status of a recipient of a broadcast.
    RecipientStatus {
        /// The contact has no message yet. In an ended broadcast, it gets none.
        Waiting = "waiting",
        /// The message waits to be sent, or is being sent.
        Queued = "queued",
        /// The provider accepted the message. It may be delivered or read.
        Sent = "sent",
        /// Sending failed; `error` has the reason.
        Failed = "failed",
        /// Deliberately not sent; `error.code` is the reason.
        Suppressed = "suppressed",
        /// The provider may have accepted the message.
        Uncertain = "uncertain",
    }
}

impl RecipientStatus {
    /// Returns the recipient status for a message status.
    pub fn of(message: MessageStatus) -> Self {
        match message {
            MessageStatus::Queued | MessageStatus::Sending => Self::Queued,
            MessageStatus::Sent | MessageStatus::Delivered | MessageStatus::Read | MessageStatus::Received => {
                Self::Sent
            }
            MessageStatus::Failed => Self::Failed,
            MessageStatus::Suppressed => Self::Suppressed,
            MessageStatus::Uncertain => Self::Uncertain,
        }
    }

    /// Whether a recipient with this status and error code may get the message again: it failed, or it was suppressed
    /// for a reason that can end ([`Suppression::can_end`]).
    pub fn may_repeat(self, code: Option<&str>) -> bool {
        match self {
            Self::Failed => true,
            Self::Suppressed => code.and_then(Suppression::parse).is_some_and(Suppression::can_end),
            Self::Waiting | Self::Queued | Self::Sent | Self::Uncertain => false,
        }
    }

    /// Whether a recipient with this status in one repeat is excluded from others, because the contact has or can still
    /// get the message. A recipient that waits in an ended broadcast gets nothing.
    pub fn prevents_repeat(self, has_ended: bool) -> bool {
        match self {
            Self::Waiting => !has_ended,
            Self::Queued | Self::Sent | Self::Uncertain => true,
            Self::Failed | Self::Suppressed => false,
        }
    }
}

/// The stored result of a recipient: the status, with the error code of a message that was not sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecipientResult {
    /// The status.
    pub status: RecipientStatus,
    /// The error code, if the message failed, was suppressed or is uncertain.
    pub code: Option<String>,
}

impl RecipientResult {
    /// Returns the result of a message.
    pub fn of(message: &Message) -> Self {
        let status = RecipientStatus::of(message.status);
        let code = match status {
            RecipientStatus::Failed | RecipientStatus::Suppressed | RecipientStatus::Uncertain => {
                message.error.as_ref().map(|error| error.code.clone())
            }
            RecipientStatus::Waiting | RecipientStatus::Queued | RecipientStatus::Sent => None,
        };
        Self { status, code }
    }

    /// Returns the result of a recipient that was deleted before the message was created.
    pub fn deleted() -> Self {
        let code = Some(Suppression::ContactDeleted.as_str().to_owned());
        Self { status: RecipientStatus::Suppressed, code }
    }
}

/// The fields of a recipient's message that a list shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecipientMessage {
    /// The ID.
    pub id: MessageId,
    /// Its contact: after a merge, the survivor.
    pub contact: ContactId,
    /// The status.
    pub status: MessageStatus,
    /// Why it was not sent.
    pub error: Option<MessageError>,
    /// When it was last updated.
    pub updated_at: Timestamp,
}

/// A recipient of a broadcast.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BroadcastRecipient {
    /// The contact at the start of the broadcast.
    pub contact: ContactId,
    /// The result.
    pub result: RecipientResult,
    /// The message, unless there is none.
    pub message: Option<RecipientMessage>,
}

impl BroadcastRecipient {
    /// Returns the position in a list. Lists are ordered by contact ID and have no times.
    pub fn position(&self) -> Position {
        Position { at: Timestamp::from_millis(0), id: self.contact.uuid() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_failed_and_temporarily_suppressed_recipients_may_repeat() {
        let may = |status: RecipientStatus, code| status.may_repeat(code);
        assert!(may(RecipientStatus::Failed, Some("template_error")));
        let reasons: Vec<_> =
            Suppression::WORDS.iter().filter(|code| may(RecipientStatus::Suppressed, Some(**code))).collect();
        assert_eq!(
            reasons,
            [
                &"no_address",
                &"human_handling",
                &"quiet_hours",
                &"channel_disconnected",
                &"window_closed",
                &"too_many_automatic",
                &"undeliverable"
            ]
        );
        for status in ["waiting", "queued", "sent", "uncertain"] {
            assert!(!may(RecipientStatus::parse(status).unwrap(), Some("no_address")), "{status}");
        }
        assert!(!may(RecipientStatus::Suppressed, None));
    }

    #[test]
    fn a_recipient_who_may_have_the_message_prevents_a_repeat() {
        let all: Vec<_> = RecipientStatus::WORDS.iter().filter_map(|word| RecipientStatus::parse(word)).collect();
        let words = |has_ended| {
            let preventing = all.iter().filter(move |status| status.prevents_repeat(has_ended));
            preventing.map(|status| status.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(words(false), ["waiting", "queued", "sent", "uncertain"]);
        assert_eq!(words(true), ["queued", "sent", "uncertain"]);
    }
}
