//! Types of channels: all differences between types that need no I/O.

mod field;
mod sandbox;

use std::time::Duration;

use super::model::ChannelKind;
use super::pace::SendPace;
use super::waiting::{DisconnectedMode, WhileDisconnected};
use crate::conversations::MessageType;
use crate::ids::WorkspaceId;

pub use field::{ConfigField, Shape};
pub use sandbox::SANDBOX;

/// Describes a type of channels. A connector returns the description of the type that it serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChannelType {
    /// The type's word in the API and in the store.
    pub kind: ChannelKind,
    /// Display name, and the name of a channel that is created without one.
    pub title: &'static str,
    /// Members of `config`. The API description and the panel's form are generated from them.
    pub config: &'static [ConfigField],
    /// Members of `config` in responses that the provider reports when the channel is connected.
    pub reported: &'static [ConfigField],
    /// Members of `secrets`, which are write-only.
    pub secrets: &'static [ConfigField],
    /// Whether the server generates a secret that signs in both directions. It is shown once.
    pub signing_secret: bool,
    /// Whether [`Connector::connect`](super::Connector::connect) calls the provider: it registers the inbound address,
    /// or checks the log-in. Such a channel has an [`ECHO_SECRET`](super::ECHO_SECRET). It is connected when it is
    /// created, unless `checks_address`.
    pub registers: bool,
    /// Whether the provider calls the inbound address while it is registered. Such a channel is stored first, and
    /// registered when it is connected.
    pub checks_address: bool,
    /// Steps to set up a channel at the provider.
    pub setup: &'static [SetupStep],
    /// Capabilities of its channels.
    pub capabilities: Capabilities,
    /// Limits of its messages.
    pub limits: MessageLimits,
    /// Form of a contact's address.
    pub addresses: AddressRule,
    /// Meaning of the opt-out words.
    pub opt_out: OptOutRule,
    /// Rules of its inbound address; `None` if the provider does not call this server.
    pub inbound: Option<InboundRule>,
    /// Time after a contact's message during which the provider accepts messages other than templates; `None` if it
    /// always accepts them.
    pub reply_window: Option<Duration>,
    /// The limits of its provider for calls that send messages. A channel can have others, by
    /// [`Connector::pace`](super::Connector::pace).
    pub pace: SendPace,
    /// Whether a sandbox workspace may have such a channel: only if no message reaches a real contact.
    pub in_sandbox: bool,
}

impl ChannelType {
    /// Whether this workspace may have channels of this type.
    pub fn is_for(&self, workspace: WorkspaceId) -> bool {
        self.in_sandbox || !workspace.is_sandbox()
    }

    /// Returns the rule of its new channels: messages wait if the server asks the provider about the channel.
    pub fn while_disconnected(&self) -> WhileDisconnected {
        let mode = if self.registers { DisconnectedMode::Wait } else { DisconnectedMode::Suppress };
        WhileDisconnected::new(mode, None)
    }

    /// Whether its channels have a provider, with a configuration and an inbound address.
    pub fn has_provider(&self) -> bool {
        self.inbound.is_some() || !self.config.is_empty()
    }

    /// Returns the member of `config` with this name.
    pub fn config_field(&self, name: &str) -> Option<&'static ConfigField> {
        self.config.iter().find(|field| field.name == name)
    }
}

/// Capabilities of a type's channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capabilities {
    /// Supported types of messages.
    pub types: &'static [MessageType],
    /// Maximum number of quick replies of a message.
    pub quick_replies: usize,
    /// Whether contacts can send messages.
    pub inbound: bool,
    /// Whether the provider reports delivered and read messages.
    pub receipts: bool,
}

impl Capabilities {
    /// Capabilities of a channel if this server does not serve its type.
    pub const NONE: Self = Self { types: &[], quick_replies: 0, inbound: false, receipts: false };
    /// Every type of message that can be sent.
    pub const ALL_TYPES: &'static [MessageType] = &[
        MessageType::Text,
        MessageType::Image,
        MessageType::Video,
        MessageType::Audio,
        MessageType::File,
        MessageType::Location,
        MessageType::Card,
        MessageType::Template,
    ];
}

/// Limits of a type's messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageLimits {
    /// Maximum length of a text.
    pub text: usize,
    /// Unit of `text`.
    pub unit: TextUnit,
}

/// Unit that a provider uses for the length of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextUnit {
    /// Unicode code points.
    Characters,
    /// UTF-16 code units.
    Utf16,
    /// Bytes of UTF-8.
    Bytes,
}

/// Form of a contact's address on a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressRule {
    /// The contact's own ID: every contact has an address on the channel.
    ContactId,
    /// Text that the provider defines.
    Provider,
    /// An email address. It is stored in lower case, and found in any spelling of its domain.
    Email,
}

/// Meaning of the opt-out words on a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptOutRule {
    /// A message that is an opt-out word opts the contact out. The server sends no confirmation.
    Words,
    /// As `Words`, and the server confirms the opt-out once a day.
    ConfirmedWords {
        /// Words whose opt-out the provider confirms, so that the server does not: in lower case, without punctuation.
        by_provider: &'static [&'static str],
    },
    /// Messages never opt a contact out.
    Never,
}

/// Rules of a type's inbound address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InboundRule {
    /// Accepted media types besides `application/json`.
    pub media_types: &'static [&'static str],
    /// Value of `WWW-Authenticate` in the response to an unsigned request.
    pub challenge: &'static str,
    /// Response to an accepted request.
    pub receipt: Receipt,
    /// Maximum size of a request's body in bytes, such as [`InboundRule::BATCH_BODY`].
    pub max_body: usize,
    /// Maximum number of verified requests of a channel in a rolling minute, such as [`InboundRule::USUAL_REQUESTS`].
    pub max_requests: u32,
}

impl InboundRule {
    /// The size in bytes that few bodies exceed: 256 KiB. A workspace receives few larger ones at once.
    pub const USUAL_BODY: usize = 256 * 1024;
    /// The maximum number of verified requests of a provider with its own retries.
    pub const USUAL_REQUESTS: u32 = 30_000;
    /// The maximum size of a body in bytes for events without files: 3 MiB, the limit of Meta's webhooks.
    pub const BATCH_BODY: usize = 3 * 1024 * 1024;
}

/// Response to an accepted request of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Receipt {
    /// The ID of the message as JSON: 202 for a new message or report, 200 for a known one. Each request is one event,
    /// and its error is the response.
    MessageId,
    /// 200 with a fixed body. A report on an unknown message is ignored.
    Fixed {
        /// The media type of the body.
        media_type: &'static str,
        /// The body.
        body: &'static str,
    },
}

/// A step to set up a channel at the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetupStep {
    /// Instruction for an admin.
    pub text: &'static str,
    /// Field of the channel that the admin copies to the provider, such as `inbound_path`.
    pub copy: Option<&'static str>,
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::ids::TypedId;

    #[test]
    fn only_sandbox_types_are_for_sandboxes() {
        let (live, sandbox) = (WorkspaceId::from_uuid(Uuid::nil()), WorkspaceId::of_sandbox(Uuid::nil()));
        let outside = ChannelType { in_sandbox: false, ..SANDBOX };
        assert!(SANDBOX.is_for(live) && SANDBOX.is_for(sandbox));
        assert!(outside.is_for(live) && !outside.is_for(sandbox));
    }

    #[test]
    fn lists_every_type_except_the_note() {
        let all = MessageType::WORDS.iter().filter_map(|word| MessageType::parse(word));
        let sendable: Vec<_> = all.filter(|kind| *kind != MessageType::Note).collect();
        assert_eq!(Capabilities::ALL_TYPES, sendable);
    }
}
