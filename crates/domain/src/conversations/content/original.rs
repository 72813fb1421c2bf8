//! The content of a contact's message as it arrived.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Maximum number of characters of the whole text of a contact's message.
pub const MAX_ORIGINAL: usize = 16_384;

/// The parts of a contact's message that its content leaves out, and facts about them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Original {
    /// The whole text, with quoted messages and the signature, at most [`MAX_ORIGINAL`] characters. `None` if it is the
    /// text of the content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The formatted text: HTML that contains only harmless elements, without pictures. The connector has cleaned it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub html: Option<String>,
    /// The reply address that the verified sender chose, if it is another one. Only a person may answer to
    /// it: a program could be made to send mails to a third party.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers_to: Option<String>,
    /// Whether the text of the content is only the beginning of the contact's text, which is longer than the text of a
    /// message may be.
    #[serde(rename = "truncated", default, skip_serializing_if = "std::ops::Not::not")]
    pub is_truncated: bool,
    /// The fields of a contact card, a poll, an order or a form, an object as the provider sends it. The text is a line
    /// for readers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
    /// Whether nothing checks the sender of the message, because the channel names no server that does. Such a sender is
    /// not verified.
    #[serde(rename = "unchecked", default, skip_serializing_if = "std::ops::Not::not")]
    pub is_sender_unchecked: bool,
}

impl Original {
    /// Whether it has more of the message than the text of the content.
    pub(in crate::conversations) fn has_more(&self) -> bool {
        self.text.is_some() || self.html.is_some()
    }

    /// Whether there is nothing to store.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
