use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::waiting::{DisconnectedMode, WhileDisconnected};
use crate::ids::ChannelId;
use crate::time::Timestamp;
use crate::words::words;

/// Maximum number of channels of a workspace.
pub const MAX_CHANNELS: i64 = 50;

words! {
    /// Type of a channel.
    ChannelKind {
        /// Stores every message and sends none: for first steps and for tests.
        Sandbox = "sandbox",
        /// Any service that speaks the protocol of `docs/reference/channels.md`.
        Http = "http",
        /// A bot of Telegram.
        Telegram = "telegram",
        /// A phone number of WhatsApp.
        Whatsapp = "whatsapp",
        /// Text messages to phones.
        Sms = "sms",
        /// A mailbox: SMTP and inbound mail of a relay.
        Email = "email",
    }
}

words! {
    /// Status of a channel.
    ChannelStatus {
        /// It was created and is not connected yet.
        Connecting = "connecting",
        /// It sends and receives messages.
        Connected = "connected",
        /// It is disabled: its outbound messages are suppressed.
        Disconnected = "disconnected",
    }
}

/// Members of a channel's configuration, by name.
pub type Config = Map<String, Value>;
/// Secrets of a channel in plain text, by name.
pub type PlainSecrets = BTreeMap<String, String>;

/// Connection to the channel's provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// The configuration; the type of the channel declares its members.
    pub config: Config,
    /// All secrets as one text ([`write_secrets`](super::write_secrets)), sealed.
    pub secrets: Vec<u8>,
    /// The last four characters of each secret; empty for a short one.
    pub secret_hints: PlainSecrets,
    /// The token of the inbound address, sealed.
    pub inbound_token: Vec<u8>,
    /// SHA-256 of that token, which identifies the channel.
    pub inbound_digest: [u8; 32],
}

impl Endpoint {
    /// Returns a member of the configuration that is a text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.config.get(name)?.as_str()
    }
}

/// A connection to contacts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Channel {
    /// The ID.
    pub id: ChannelId,
    /// Type of the channel.
    pub kind: ChannelKind,
    /// Display name.
    pub name: String,
    /// Whether messages use this channel by default.
    pub is_default: bool,
    /// Status of the channel.
    pub status: ChannelStatus,
    /// Connection to the provider; `None` for a sandbox.
    pub endpoint: Option<Endpoint>,
    /// What happens to its messages while its provider does not accept any.
    pub while_disconnected: WhileDisconnected,
    /// If it is disconnected by its provider and its messages wait: until when.
    pub waits_until: Option<Timestamp>,
    /// Error of the last send or test.
    pub last_error: Option<String>,
    /// Since when it is connected.
    pub connected_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl Channel {
    /// Returns a connected sandbox channel.
    pub fn sandbox(id: ChannelId, is_default: bool, now: Timestamp) -> Self {
        Self {
            id,
            kind: ChannelKind::Sandbox,
            name: "Sandbox".to_owned(),
            is_default,
            status: ChannelStatus::Connected,
            endpoint: None,
            while_disconnected: WhileDisconnected::new(DisconnectedMode::Suppress, None),
            waits_until: None,
            last_error: None,
            connected_at: Some(now),
            created_at: now,
            updated_at: now,
            version: 1,
        }
    }

    /// Sets members of the configuration that the provider reported.
    pub(super) fn report(&mut self, reported: &Config) {
        if let Some(endpoint) = &mut self.endpoint {
            endpoint.config.extend(reported.clone());
        }
    }

    /// Whether new messages on it are sent or wait. Otherwise they are suppressed.
    pub fn accepts_messages(&self) -> bool {
        self.status == ChannelStatus::Connected || self.waits_until.is_some()
    }

    /// Increments the version and sets the time of the update.
    pub fn touch(&mut self, now: Timestamp) {
        self.version += 1;
        self.updated_at = now.max(self.updated_at);
    }
}
