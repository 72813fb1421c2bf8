//! Channels as the API and envelopes show them.

use serde::Serialize;

use super::{Channel, ChannelKind, ChannelStatus};
use crate::conversations::MessageType;
use crate::ids::ChannelId;
use crate::time::Timestamp;

/// What a channel can do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CapabilitiesView {
    /// Which types of messages it carries.
    pub types: Vec<MessageType>,
    /// How many quick replies a message may carry.
    pub quick_replies: usize,
    /// Whether contacts can write on it.
    pub inbound: bool,
    /// Whether its provider tells that messages arrived and were read.
    pub receipts: bool,
}

/// How a channel reaches its provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ChannelConfig))]
pub struct ChannelConfigView {
    /// Of `http`: where messages go. Shown to keys and people who may write.
    pub url: Option<String>,
}

/// A way to reach contacts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Channel))]
pub struct ChannelView {
    /// The id.
    pub id: ChannelId,
    /// Which provider it speaks to.
    pub kind: ChannelKind,
    /// What people call it.
    pub name: String,
    /// Whether messages go here where nothing else is said.
    pub is_default: bool,
    /// Whether it carries messages.
    pub status: ChannelStatus,
    /// What it can do.
    pub capabilities: CapabilitiesView,
    /// How it reaches its provider.
    pub config: ChannelConfigView,
    /// The signing secret of both directions; shown once, when the channel is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub secret: Option<String>,
    /// The secret's last four characters.
    pub secret_hint: Option<String>,
    /// Where the provider's messages and reports come in: a path of this server that cannot be guessed. Shown to keys and
    /// people who may write.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub inbound_path: Option<String>,
    /// What was wrong when the channel was last tested.
    pub last_error: Option<String>,
    /// Since when it is connected.
    pub connected_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
    pub version: i64,
}

impl From<&Channel> for ChannelView {
    /// Without what only its owner may see: the secret and the inbound path.
    fn from(it: &Channel) -> Self {
        let types = MessageType::WORDS.iter().filter_map(|word| MessageType::parse(word));
        Self {
            id: it.id,
            kind: it.kind,
            name: it.name.clone(),
            is_default: it.is_default,
            status: it.status,
            capabilities: CapabilitiesView {
                types: types.filter(|kind| *kind != MessageType::Note).collect(),
                quick_replies: it.kind.quick_replies(),
                inbound: true,
                receipts: it.kind == ChannelKind::Http,
            },
            config: ChannelConfigView { url: it.endpoint.as_ref().map(|endpoint| endpoint.url.clone()) },
            secret: None,
            secret_hint: it.endpoint.as_ref().map(|endpoint| endpoint.secret_hint.clone()),
            inbound_path: None,
            last_error: it.last_error.clone(),
            connected_at: it.connected_at,
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}

impl ChannelView {
    /// The channel as those see it who may only read: without the addresses by which messages go out and come in, as these
    /// may hold a token.
    pub fn without_addresses(self) -> Self {
        Self { config: ChannelConfigView { url: None }, inbound_path: None, ..self }
    }
}

/// What the deletion of the default leaves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = DefaultChannel))]
pub struct DefaultChannelView {
    /// Where messages go from now on where nothing else is said; `null` where nowhere: make another channel the default, or
    /// name one in each message.
    pub default_channel: Option<NamedChannel>,
}

/// A channel by its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NamedChannel {
    /// Its id.
    pub id: ChannelId,
    /// What people call it.
    pub name: String,
}
