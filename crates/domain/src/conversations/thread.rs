//! Threads of messages, on channels whose messages name earlier ones. Pure.

use serde::{Deserialize, Serialize};

use crate::ids::MessageId;

/// A thread: a message that answers no other one, its answers, and their answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = MessageThread))]
pub struct Thread {
    /// ID of the first message. It can be deleted before the others.
    pub id: MessageId,
    /// The subject of the first message.
    pub subject: Option<String>,
}
