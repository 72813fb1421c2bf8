//! Channels in API responses and event envelopes.

use serde::Serialize;

use super::channel_type::{Capabilities, ChannelType};
use super::health::{ChannelHealth, ChannelProblem, HealthState};
use super::model::{Channel, ChannelKind, ChannelStatus, Config, Endpoint, PlainSecrets};
use super::secrets::SIGNING_SECRET;
use super::setup::WebhookReport;
use super::waiting::WhileDisconnected;
use crate::conversations::MessageType;
use crate::ids::ChannelId;
use crate::time::Timestamp;

/// The member of `config` that all channels show.
const URL: &str = "url";

/// The health of a channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ChannelHealth))]
#[non_exhaustive]
pub struct ChannelHealthView {
    /// The state.
    pub state: HealthState,
    /// When a contact last wrote, at most a minute late.
    pub last_inbound_at: Option<Timestamp>,
    /// When the provider last accepted a message, as the last check saw it.
    pub last_sent_at: Option<Timestamp>,
    /// Since when there have been problems.
    pub failing_since: Option<Timestamp>,
    /// The delivery of inbound requests by the provider.
    pub webhook: WebhookReport,
    /// Limits and ratings of the provider, by name.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub limits: Config,
    /// End of validity of the credential, if the provider reports it.
    pub credential_expires_at: Option<Timestamp>,
    /// The current problems.
    pub problems: Vec<ChannelProblem>,
    /// When the provider was last asked.
    pub checked_at: Option<Timestamp>,
}

impl From<&ChannelHealth> for ChannelHealthView {
    fn from(it: &ChannelHealth) -> Self {
        Self {
            state: it.state(),
            last_inbound_at: it.last_inbound_at,
            last_sent_at: it.last_sent_at,
            failing_since: it.failing_since,
            webhook: it.webhook.clone(),
            limits: it.limits.clone(),
            credential_expires_at: it.credential_expires_at,
            problems: it.problems.clone(),
            checked_at: it.checked_at,
        }
    }
}

/// Capabilities of a channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct CapabilitiesView {
    /// Supported types of messages.
    pub types: Vec<MessageType>,
    /// Maximum number of quick replies of a message.
    pub quick_replies: usize,
    /// Whether contacts can send messages.
    pub inbound: bool,
    /// Whether the provider reports delivered and read messages.
    pub receipts: bool,
}

impl From<Capabilities> for CapabilitiesView {
    fn from(it: Capabilities) -> Self {
        Self { types: it.types.to_vec(), quick_replies: it.quick_replies, inbound: it.inbound, receipts: it.receipts }
    }
}

/// Configuration of a channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ChannelConfig))]
#[non_exhaustive]
pub struct ChannelConfigView {
    /// For `http`: URL that receives the messages. Visible only with write access.
    pub url: Option<String>,
    /// Other members, by the type of the channel.
    #[serde(flatten)]
    #[cfg_attr(feature = "openapi", schema(ignore))]
    pub others: Config,
}

impl From<Option<&Endpoint>> for ChannelConfigView {
    fn from(endpoint: Option<&Endpoint>) -> Self {
        let mut others = endpoint.map(|it| it.config.clone()).unwrap_or_default();
        let url = others.remove(URL).and_then(|url| url.as_str().map(str::to_owned));
        Self { url, others }
    }
}

/// A connection to contacts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Channel))]
pub struct ChannelView {
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
    /// Capabilities of the channel.
    pub capabilities: CapabilitiesView,
    /// Configuration of the channel.
    pub config: ChannelConfigView,
    /// Signing secret for both directions; shown only when the channel is created.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub secret: Option<String>,
    /// The last four characters of the secret.
    pub secret_hint: Option<String>,
    /// Secrets that the server generated, by name; shown only when the channel is created.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, value_type = Option<Object>))]
    pub secrets: Option<PlainSecrets>,
    /// Path of this server for inbound messages and reports of the provider. It cannot be guessed. Visible only with
    /// write access.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub inbound_path: Option<String>,
    /// URL of `inbound_path`, if the server knows its public address (`http.public_url`). Visible only with write
    /// access.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub inbound_url: Option<String>,
    /// The treatment of messages after the provider caused a disconnection.
    pub while_disconnected: WhileDisconnected,
    /// State of the channel at its provider. Events do not contain it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub health: Option<ChannelHealthView>,
    /// Error of the last test of the channel.
    pub last_error: Option<String>,
    /// Since when the channel is connected.
    pub connected_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl ChannelView {
    /// Returns the channel with its capabilities, without the secret and the inbound address.
    pub fn of(it: &Channel, capabilities: Capabilities) -> Self {
        Self {
            id: it.id,
            kind: it.kind,
            name: it.name.clone(),
            is_default: it.is_default,
            status: it.status,
            capabilities: capabilities.into(),
            config: it.endpoint.as_ref().into(),
            secret: None,
            secret_hint: it.endpoint.as_ref().and_then(|endpoint| endpoint.secret_hints.get(SIGNING_SECRET).cloned()),
            secrets: None,
            inbound_path: None,
            inbound_url: None,
            while_disconnected: it.while_disconnected.clone(),
            health: None,
            last_error: it.last_error.clone(),
            connected_at: it.connected_at,
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }

    /// Returns the view for members with read access only: without the outbound and inbound addresses, which can
    /// contain a token.
    pub fn without_addresses(self, channel_type: Option<&ChannelType>) -> Self {
        let is_private = |name: &str| channel_type.and_then(|it| it.config_field(name)).is_none_or(|it| it.private);
        let others = self.config.others.into_iter().filter(|(name, _)| !is_private(name)).collect();
        Self { config: ChannelConfigView { url: None, others }, inbound_path: None, inbound_url: None, ..self }
    }
}

/// The result of deleting the default channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = DefaultChannel))]
#[non_exhaustive]
pub struct DefaultChannelView {
    /// The new default channel; `null` if there is none. Then make another channel the default, or name a channel in
    /// each message.
    pub default_channel: Option<NamedChannel>,
}

/// A channel with its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NamedChannel {
    /// The ID.
    pub id: ChannelId,
    /// Display name.
    pub name: String,
}
