//! The connectors of a server, by the type of channel that each serves.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::channel_type::{AddressRule, Capabilities, ChannelType, ConfigField, OptOutRule, SANDBOX};
use super::connector::Connector;
use super::model::{Channel, ChannelKind};
use crate::ids::WorkspaceId;
use crate::keywords::fold_message;

/// The registry of connectors: one for each type of channel. The server passes it in.
#[derive(Clone, Default)]
pub struct Connectors(Vec<Arc<dyn Connector>>);

impl fmt::Debug for Connectors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.types().map(|it| it.kind)).finish()
    }
}

impl From<Vec<Arc<dyn Connector>>> for Connectors {
    fn from(connectors: Vec<Arc<dyn Connector>>) -> Self {
        Self(connectors)
    }
}

impl FromIterator<Arc<dyn Connector>> for Connectors {
    fn from_iter<I: IntoIterator<Item = Arc<dyn Connector>>>(connectors: I) -> Self {
        Self(connectors.into_iter().collect())
    }
}

impl Connectors {
    /// Returns a registry of one connector.
    pub fn one(connector: Arc<dyn Connector>) -> Self {
        Self(vec![connector])
    }

    /// Returns the connector of this type; `None` if the server does not serve it.
    pub fn of(&self, kind: ChannelKind) -> Option<&Arc<dyn Connector>> {
        self.0.iter().find(|connector| connector.kind() == kind)
    }

    /// Returns the connector of this type for the calls of a workspace; `None` if the server does not serve it.
    pub fn for_workspace(&self, kind: ChannelKind, workspace: WorkspaceId) -> Option<Arc<dyn Connector>> {
        let connector = self.of(kind)?;
        Some(connector.for_workspace(workspace).unwrap_or_else(|| Arc::clone(connector)))
    }

    /// Returns all served types.
    pub fn types(&self) -> impl Iterator<Item = &'static ChannelType> {
        self.0.iter().map(|connector| connector.channel_type())
    }

    /// Returns the description of this type. The sandbox always has one, because each new workspace has a sandbox
    /// channel.
    pub fn channel_type(&self, kind: ChannelKind) -> Option<&'static ChannelType> {
        let served = self.of(kind).map(|connector| connector.channel_type());
        served.or_else(|| Some(&SANDBOX).filter(|sandbox| sandbox.kind == kind))
    }

    /// Returns every member that a served type declares. Members of the type `first`, if given, come first.
    pub fn config_fields(&self, first: Option<ChannelKind>) -> Vec<&'static ConfigField> {
        let own = first.and_then(|kind| self.channel_type(kind)).into_iter();
        own.chain(self.types()).flat_map(|it| it.config).collect()
    }

    /// Returns the types that declare this member of `config`, as words in a sentence.
    pub fn declaring(&self, name: &str) -> String {
        let types = self.types().filter(|it| it.config_field(name).is_some());
        types.map(|it| format!("`{}`", it.kind.as_str())).collect::<Vec<_>>().join(", ")
    }

    /// Returns the capabilities of channels of this type.
    pub fn capabilities(&self, kind: ChannelKind) -> Capabilities {
        self.channel_type(kind).map_or(Capabilities::NONE, |it| it.capabilities)
    }

    /// Returns the capabilities of a channel: all of its type, or fewer.
    pub fn capabilities_of(&self, channel: &Channel) -> Capabilities {
        match self.of(channel.kind) {
            Some(connector) => connector.capabilities(channel),
            None => self.capabilities(channel.kind),
        }
    }

    /// Whether the server fetches the requests of the channel's provider.
    pub fn polls(&self, channel: &Channel) -> bool {
        self.of(channel.kind).is_some_and(|connector| connector.polls(channel))
    }

    /// Whether the address of a contact on such a channel is the contact's ID.
    pub fn addresses_by_contact_id(&self, kind: ChannelKind) -> bool {
        self.channel_type(kind).is_some_and(|it| it.addresses == AddressRule::ContactId)
    }

    /// Whether the addresses of contacts on such a channel are email addresses.
    pub fn addresses_are_emails(&self, kind: ChannelKind) -> bool {
        self.channel_type(kind).is_some_and(|it| it.addresses == AddressRule::Email)
    }

    /// Returns the time after a contact's message during which such a channel sends messages other than templates.
    pub fn reply_window(&self, kind: ChannelKind) -> Option<Duration> {
        self.channel_type(kind)?.reply_window
    }

    /// Whether messages of such a channel belong to threads.
    pub fn shows_threads(&self, kind: ChannelKind) -> bool {
        self.of(kind).is_some_and(|connector| connector.shows_threads())
    }

    /// Whether an opt-out word opts the contact out of such a channel.
    pub fn hears_opt_out_words(&self, kind: ChannelKind) -> bool {
        self.channel_type(kind).is_none_or(|it| it.opt_out != OptOutRule::Never)
    }

    /// Whether the server confirms an opt-out by this text on such a channel.
    pub fn confirms_opt_out(&self, kind: ChannelKind, text: &str) -> bool {
        match self.channel_type(kind).map(|it| it.opt_out) {
            Some(OptOutRule::ConfirmedWords { by_provider }) => !by_provider.contains(&fold_message(text).as_str()),
            Some(OptOutRule::Words | OptOutRule::Never) | None => false,
        }
    }

    /// Whether this workspace may have channels of this type.
    pub fn is_for(&self, kind: ChannelKind, workspace: WorkspaceId) -> bool {
        self.channel_type(kind).map_or(!workspace.is_sandbox(), |it| it.is_for(workspace))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_registry_supports_only_the_sandbox() {
        let none = Connectors::default();
        assert_eq!(none.types().count(), 0);
        assert!(none.of(ChannelKind::Sandbox).is_none());
        assert_eq!(none.capabilities(ChannelKind::Sandbox), SANDBOX.capabilities);
        assert!(none.addresses_by_contact_id(ChannelKind::Sandbox));
        assert_eq!(none.capabilities(ChannelKind::Http), Capabilities::NONE);
        assert!(!none.addresses_by_contact_id(ChannelKind::Http));
    }
}
