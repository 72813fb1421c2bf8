//! Who has the conversation.

use crate::conversations::{Conversation, Handler};

/// Whether people have it, so that bots are silent.
pub(super) fn is_with_people(conversation: Option<&Conversation>) -> bool {
    conversation.is_some_and(|conversation| conversation.handler == Handler::Human)
}
