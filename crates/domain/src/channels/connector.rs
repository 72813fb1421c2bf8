//! The port through which a message leaves the service.

use std::time::Duration;

use async_trait::async_trait;

use super::channel_type::ChannelType;
use super::inbound_request::{Handshake, InboundRequest, Unverified};
use super::model::{Channel, ChannelKind};
use super::setup::{Health, SetupFailure};
use crate::conversations::{Content, InboundEvent};
use crate::ids::MessageId;
use crate::read::Refusal;
use crate::time::Timestamp;
use crate::trial::Trial;

/// A message on its way to a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outbound {
    /// The channel.
    pub channel: Channel,
    /// The message; providers with idempotency get it as their key.
    pub message: MessageId,
    /// The contact's address on the channel.
    pub address: String,
    /// The contact's external id: by it the sandbox knows how it shall behave.
    pub external_id: Option<String>,
    /// The content.
    pub content: Content,
    /// When the message was made.
    pub created_at: Timestamp,
    /// Number of earlier attempts that the provider put off.
    pub attempts: i32,
}

/// An action of a simulated contact or provider, some time after a message was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// Time after the message was sent.
    pub after: Duration,
    /// The action.
    pub act: Act,
}

/// An action of a simulated contact or provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// The message arrives.
    Deliver,
    /// The provider reports that the message failed, for this reason.
    Fail(String),
    /// The contact reads it.
    Read,
    /// The contact says this.
    Say(String),
    /// The contact wants no more messages, and says so by the first word that means it.
    Leave,
}

/// Outcome of sending a message.
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

/// Serves one type of channel: the only code that knows its provider. Methods with a default are for features that not every
/// provider has.
///
/// No method is called inside a transaction. `handshake`, `is_signed`, `verify`, `parse` and `plan` do no I/O.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait Connector: Send + Sync {
    /// Describes the type of channel that it serves.
    fn channel_type(&self) -> &'static ChannelType;

    /// The type of channel that it serves.
    fn kind(&self) -> ChannelKind {
        self.channel_type().kind
    }

    /// Whether sending the same message ID twice reaches the contact once. Otherwise, a message that was being sent during a
    /// crash is never sent again.
    fn is_idempotent(&self) -> bool;

    /// Whether messages stay within the process. Then the server sends many at once. Such a provider is idempotent.
    fn is_local(&self) -> bool {
        false
    }

    /// Simulated actions after this message was accepted, or after its outcome became unknown: always the same for the same
    /// message. A provider with real contacts reports them when they happen.
    fn plays(&self, message: &Outbound) -> Vec<Played> {
        let _ = message;
        Vec::new()
    }

    /// Sets up the provider, and registers the channel's inbound address there. `inbound_url` is its public URL, or empty
    /// if the server has none. A repeated call changes nothing.
    ///
    /// # Errors
    /// [`SetupFailure`] with the failed step.
    async fn connect(&self, channel: &Channel, inbound_url: &str) -> Result<(), SetupFailure> {
        let _ = (channel, inbound_url);
        Ok(())
    }

    /// Removes the inbound address at the provider, if the provider can be reached.
    async fn disconnect(&self, channel: &Channel) {
        let _ = channel;
    }

    /// Asks the provider for the health of the channel.
    async fn health(&self, channel: &Channel) -> Health {
        let _ = channel;
        Health::default()
    }

    /// Answers the GET request with which the provider checks the inbound address. `None` if the provider sends none: the
    /// response is then 405.
    fn handshake(&self, channel: &Channel, request: &InboundRequest) -> Option<Handshake> {
        let _ = (channel, request);
        None
    }

    /// Whether a request has a signature. The server asks before it reads the body, so `request.body` is empty.
    fn is_signed(&self, request: &InboundRequest) -> bool {
        let _ = request;
        false
    }

    /// Checks that the provider sent the request: by its signature over the raw body, in constant time.
    ///
    /// # Errors
    /// [`Unverified`]: nothing of the request is stored.
    fn verify(&self, channel: &Channel, request: &InboundRequest) -> Result<(), Unverified> {
        let _ = (channel, request);
        Err(Unverified::Signature)
    }

    /// Reads the events of a verified request, in their order. Events that are ignored on purpose are left out.
    ///
    /// # Errors
    /// [`Refusal`] if the body is not understood.
    fn parse(&self, channel: &Channel, request: &InboundRequest) -> Result<Vec<InboundEvent>, Refusal> {
        let _ = (channel, request);
        Ok(Vec::new())
    }

    /// Splits a message into the parts that the provider accepts: one call each, at least one.
    fn plan(&self, content: &Content) -> Vec<Content> {
        vec![content.clone()]
    }

    /// Asks the provider for the outcome of a message after an unknown one. `None` if it remains unknown.
    async fn look_up(&self, message: &Outbound) -> Option<SendOutcome> {
        let _ = message;
        None
    }

    /// Asks the provider's side whether it would take a message, without sending one.
    async fn test(&self, channel: &Channel) -> Trial;

    /// Hands one message to the provider. Every end is an outcome; it never fails as a call.
    async fn send(&self, message: Outbound) -> SendOutcome;
}
