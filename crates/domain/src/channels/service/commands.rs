//! Commands of the use cases of channels, and their results.

use std::time::Duration;

use secrecy::SecretString;

use crate::channels::model::{Config, PlainSecrets};
use crate::channels::waiting::WhileDisconnected;
use crate::channels::{Channel, ChannelHealth, ChannelKind};
use crate::trial::TrialView;

/// The input for a new channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewChannel {
    /// Type of the channel.
    pub kind: ChannelKind,
    /// 1 to 100 characters.
    pub name: String,
    /// Whether messages use this channel by default. It replaces the current default channel.
    pub is_default: bool,
    /// The configuration; the type declares its members.
    pub config: Config,
    /// The secrets; the type declares their names.
    pub secrets: PlainSecrets,
    /// The handling of messages while the provider accepts none; by the type if absent.
    pub while_disconnected: Option<WhileDisconnected>,
}

impl NewChannel {
    /// Creates the command for a channel that is not the default channel, without a configuration and secrets.
    pub fn new(kind: ChannelKind, name: impl Into<String>) -> Self {
        let (config, secrets) = (Config::new(), PlainSecrets::new());
        Self { kind, name: name.into(), is_default: false, config, secrets, while_disconnected: None }
    }
}

/// A partial update; absent fields do not change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChannelPatch {
    /// 1 to 100 characters.
    pub name: Option<String>,
    /// Whether messages use this channel by default.
    pub is_default: Option<bool>,
    /// Members of the configuration to replace. The others do not change.
    pub config: Config,
    /// Secrets to replace. The others do not change.
    pub secrets: PlainSecrets,
    /// Time while the server also accepts requests of the provider that are signed with a replaced secret.
    pub secret_overlap: Duration,
    /// The handling of messages while the provider accepts none.
    pub while_disconnected: Option<WhileDisconnected>,
}

/// The result of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestedChannel {
    /// The provider's response.
    pub outcome: TrialView,
    /// The channel's version afterwards.
    pub version: i64,
}

/// A channel with its health.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedChannel {
    /// The channel.
    pub channel: Channel,
    /// Its health.
    pub health: ChannelHealth,
}

/// A new channel, with its secret. The secret is never shown again.
#[derive(Debug, Clone)]
pub struct CreatedChannel {
    /// The stored channel.
    pub channel: Channel,
    /// The signing secret (`whsec_…`), if the type has one.
    pub secret: Option<SecretString>,
    /// The secrets that the server generated because the request has none, by name.
    pub generated: Vec<(&'static str, SecretString)>,
}
