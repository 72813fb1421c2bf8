//! Changes by contacts to earlier messages: edits, deletions and reactions.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::time::Timestamp;

/// Maximum number of earlier texts of a message.
pub const MAX_EDITS: usize = 10;
/// Maximum size in bytes of the earlier texts of a message: at least the longest text.
const MAX_EDIT_BYTES: usize = 16 * 1_024;
/// Maximum number of reactions to a message.
pub const MAX_REACTIONS: usize = 10;
/// Maximum number of characters of a reaction. An emoji can have several.
pub(super) const MAX_EMOJI: usize = 32;
/// Maximum number of remembered events of a message.
const MAX_EVENTS: usize = 20;

/// An earlier text of a message that the contact edited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = MessageEdit))]
pub struct MessageEdit {
    /// The text; `null` if the message had none.
    pub text: Option<String>,
    /// When the contact replaced it.
    pub at: Timestamp,
}

/// A contact's reaction to a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = MessageReaction))]
pub struct MessageReaction {
    /// The emoji.
    pub emoji: String,
    /// When the contact reacted.
    pub at: Timestamp,
}

/// The changes by the contact to a message.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revisions {
    /// The earlier texts, oldest first.
    pub edits: Vec<MessageEdit>,
    /// When the text was last edited.
    pub edited_at: Option<Timestamp>,
    /// The present reactions.
    pub reactions: Vec<MessageReaction>,
    /// When the reactions were last changed.
    pub reacted_at: Option<Timestamp>,
    /// When the contact deleted the message.
    pub deleted_at: Option<Timestamp>,
    /// The provider's IDs of the last events, oldest first. A repeated event has no effect.
    pub events: VecDeque<String>,
}

impl Revisions {
    /// Whether the contact changed nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Adds an earlier text, and removes the oldest texts over the limits.
    pub(super) fn keep_text(&mut self, text: Option<String>, at: Timestamp) {
        self.edits.push(MessageEdit { text, at });
        let size =
            |edits: &[MessageEdit]| edits.iter().filter_map(|it| it.text.as_deref()).map(str::len).sum::<usize>();
        while self.edits.len() > MAX_EDITS || size(&self.edits) > MAX_EDIT_BYTES {
            self.edits.remove(0);
        }
    }

    /// Remembers an event.
    pub(super) fn remember(&mut self, event: &str) {
        self.events.push_back(event.to_owned());
        if self.events.len() > MAX_EVENTS {
            self.events.pop_front();
        }
    }
}

/// A contact's change to an earlier message, as received from the channel's provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    /// The provider's ID of the event. A repeated one has no effect.
    pub id: String,
    /// The contact's address.
    pub address: String,
    /// The provider's ID of the message, if the contact sent it.
    pub received: Option<String>,
    /// The provider's ID of the message, if the contact received it. Contacts only react to such messages.
    pub sent: Option<String>,
    /// When the contact changed the message. If absent, now.
    pub at: Option<Timestamp>,
    /// The change.
    pub change: RevisionKind,
}

/// A change to an earlier message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RevisionKind {
    /// The contact replaced the text, within the limits of messages. Attachments do not change.
    Edit(Option<String>),
    /// The contact deleted the message.
    Delete,
    /// The contact replaced the reactions by these.
    React(Vec<String>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_few_earlier_texts() {
        let mut revisions = Revisions::default();
        for number in 0..12 {
            revisions.keep_text(Some(number.to_string()), Timestamp::EPOCH_2026);
        }
        let texts = |it: &Revisions| it.edits.iter().filter_map(|it| it.text.clone()).collect::<Vec<_>>();
        assert_eq!(texts(&revisions), ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11"]);
        let longest = "\u{1f980}".repeat(4_096);
        revisions.keep_text(Some(longest.clone()), Timestamp::EPOCH_2026);
        assert_eq!(texts(&revisions), [longest], "the newest text is kept whole");
        revisions.keep_text(None, Timestamp::EPOCH_2026);
        assert_eq!(revisions.edits.len(), 2);
    }

    #[test]
    fn remembers_the_last_events() {
        let mut revisions = Revisions::default();
        assert!(revisions.is_empty());
        (0..30).for_each(|number| revisions.remember(&number.to_string()));
        assert_eq!((revisions.events.len(), revisions.events[0].as_str()), (MAX_EVENTS, "10"));
        assert!(!revisions.is_empty());
    }
}
