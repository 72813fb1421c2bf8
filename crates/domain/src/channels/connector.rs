//! The port through which a message leaves the service.

use std::time::Duration;

use async_trait::async_trait;

use super::{Channel, ChannelKind};
use crate::conversations::Content;
use crate::ids::MessageId;
use crate::time::Timestamp;
use crate::trial::Trial;

/// A message on its way to a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outbound {
    /// The channel, with what it needs to reach its provider.
    pub channel: Channel,
    /// The message; providers with idempotency get it as their key.
    pub message: MessageId,
    /// The contact's address on the channel.
    pub address: String,
    /// The contact's external id: by it the sandbox knows how it shall behave.
    pub external_id: Option<String>,
    /// What to say.
    pub content: Content,
    /// When the message was made.
    pub created_at: Timestamp,
    /// How often the provider put it off before.
    pub attempts: i32,
}

/// What happens on the other side some time after a message was handed to a provider: only where it is played is it known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// How long after the message was handed over.
    pub after: Duration,
    /// The action.
    pub act: Act,
}

/// What happens on the other side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// The message arrives.
    Deliver,
    /// The provider tells that it does not arrive, for this reason.
    Fail(String),
    /// The contact reads it.
    Read,
    /// The contact says this.
    Say(String),
    /// The contact wants no more messages, and says so by the first word that means it.
    Leave,
}

/// What the provider did with a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SendOutcome {
    /// It took the message.
    Accepted {
        /// Its own name for it.
        provider_message_id: Option<String>,
    },
    /// It will never take it.
    Rejected {
        /// For machines, such as `recipient_unreachable`.
        code: String,
        /// Description of the error.
        message: String,
    },
    /// It certainly did not take it now and may take it later.
    TryLater {
        /// Not before this time from now.
        after: Option<Duration>,
        /// Description of the error.
        message: String,
    },
    /// The outcome is unknown: it may or may not have taken the message.
    Unknown {
        /// Description of the error.
        message: String,
    },
}

/// Speaks to one kind of provider.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait Connector: Send + Sync {
    /// Which channels it serves.
    fn kind(&self) -> ChannelKind;

    /// Whether sending the same message id twice reaches the person once. Where it does not, a
    /// message that was under way in a crash is never sent again.
    fn is_idempotent(&self) -> bool;

    /// Whether a message is handed over within the process, so that many can be at once. Such a provider knows a message
    /// again.
    fn is_local(&self) -> bool {
        false
    }

    /// What happens on the other side once it has taken this message, or once the outcome is unknown: always the same of the
    /// same message. A provider of real people tells it when it happens.
    fn plays(&self, message: &Outbound) -> Vec<Played> {
        let _ = message;
        Vec::new()
    }

    /// Asks the provider's side whether it would take a message, without sending one.
    async fn test(&self, channel: &Channel) -> Trial;

    /// Hands one message to the provider. Every end is an outcome; it never fails as a call.
    async fn send(&self, message: Outbound) -> SendOutcome;
}
