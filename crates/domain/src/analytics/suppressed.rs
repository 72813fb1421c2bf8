//! Facts of suppressed messages, by channel and reason.

use uuid::Uuid;

use super::{AnalyticsChange, Fact, Metric};
use crate::conversations::{Message, MessageStatus};
use crate::ports::Change;

/// Returns the fact of a message that was just suppressed, with its channel and the reason.
pub(crate) fn suppressed(message: &Message, id: impl FnOnce() -> Uuid) -> Option<Change> {
    let error = message.error.as_ref().filter(|_| message.status == MessageStatus::Suppressed)?;
    let dimension = format!("{} {}", message.channel, error.code);
    let fact = Fact { id: id(), metric: Metric::MessagesSuppressed, dimension, amount: 1, at: message.updated_at };
    Some(Change::Analytics(AnalyticsChange::Record(fact)))
}
