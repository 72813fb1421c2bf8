//! What a channel is.

use crate::ids::ChannelId;
use crate::time::Timestamp;
use crate::words::words;

/// How many channels a workspace has at the most.
pub const MAX_CHANNELS: i64 = 50;

words! {
    /// Type of a channel.
    ChannelKind {
        /// Stores every message and sends none: for first steps and for tests.
        Sandbox = "sandbox",
        /// Any service that speaks the protocol of `docs/reference/channels.md`.
        Http = "http",
    }
}

words! {
    /// Status of a channel.
    ChannelStatus {
        /// It was made, and nobody has connected it yet.
        Connecting = "connecting",
        /// It does.
        Connected = "connected",
        /// It was switched off: what should be sent is suppressed.
        Disconnected = "disconnected",
    }
}

/// What an `http` channel needs to speak with its provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Where messages go.
    pub url: String,
    /// The signing secret, sealed.
    pub secret: Vec<u8>,
    /// The last four characters of the secret.
    pub secret_hint: String,
    /// The token of the address at which the provider's messages come in, sealed.
    pub inbound_token: Vec<u8>,
    /// SHA-256 of that token, by which the channel is found.
    pub inbound_digest: [u8; 32],
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
    /// Of `http`: the provider's side.
    pub endpoint: Option<Endpoint>,
    /// What was wrong when a message was last handed over, or tried.
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
    /// A sandbox, connected, which is the default if `is_default`.
    pub fn sandbox(id: ChannelId, is_default: bool, now: Timestamp) -> Self {
        Self {
            id,
            kind: ChannelKind::Sandbox,
            name: "Sandbox".to_owned(),
            is_default,
            status: ChannelStatus::Connected,
            endpoint: None,
            last_error: None,
            connected_at: Some(now),
            created_at: now,
            updated_at: now,
            version: 1,
        }
    }

    /// Marks one more change.
    pub fn touch(&mut self, now: Timestamp) {
        self.version += 1;
        self.updated_at = now.max(self.updated_at);
    }
}
