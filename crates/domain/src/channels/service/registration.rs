//! Registration of channels at their providers. No call happens inside a transaction.

use std::sync::Arc;

use super::{ChannelPatch, ChannelService, secret_context, token_context};
use crate::access::Access;
use crate::channels::check::first_poll;
use crate::channels::connector::Connector;
use crate::channels::model::{Channel, ChannelKind, ChannelStatus, Config, PlainSecrets};
use crate::channels::setup::SetupFailure;
use crate::error::Error;
use crate::ids::ChannelId;
use crate::list_filter::ListFilter;
use crate::outcome::ExpectedVersion;
use crate::pagination::{Order, PageRequest};
use crate::ports::{Change, ChangeSet, ChannelChange, StoreError};

/// Converts the rejection of a secret into a violation, for requests that contain the secret.
pub(super) fn rejected_secret(error: Error) -> Error {
    match error {
        Error::SetupFailed(SetupFailure { secret: Some(name), hint, .. }) => {
            Error::invalid(format!("/secrets/{name}"), "rejected", hint)
        }
        other => other,
    }
}

impl ChannelService {
    /// Returns the path of the channel's inbound address.
    pub(super) fn inbound_path(&self, channel: &Channel) -> Option<String> {
        let endpoint = channel.endpoint.as_ref()?;
        let token = self.ports.sealer.open(&endpoint.inbound_token, &token_context(channel.id)).ok()?;
        Some(format!("/inbound/{}", String::from_utf8(token).ok()?))
    }

    /// Registers the channel at its provider, and returns the members of `config` that the provider reports. Does
    /// nothing for types that do not register.
    ///
    /// # Errors
    /// [`Error::NoPublicUrl`], [`Error::SetupFailed`].
    pub(super) async fn register(&self, access: &Access, channel: &Channel) -> Result<Config, Error> {
        let Some(connector) = self.registering(access, channel) else { return Ok(Config::new()) };
        let Some(path) = self.inbound_path(channel) else { return Ok(Config::new()) };
        if self.public_url.is_empty() && !connector.polls(channel) {
            return Err(Error::NoPublicUrl);
        }
        let url = format!("{}{path}", self.public_url);
        connector.connect(channel, &url).await.map_err(Error::SetupFailed)
    }

    /// Removes the channel's inbound address at its provider, if the provider can be reached.
    pub(super) async fn unregister(&self, access: &Access, channel: &Channel) {
        if let Some(connector) = self.registering(access, channel) {
            connector.disconnect(channel).await;
        }
    }

    /// Begins or stops to poll a connected channel after an update of its configuration. A channel that is still polled
    /// begins another series, because its provider can have another address.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(super) async fn follow_transport(
        &self,
        access: &Access,
        (before, after): (&Channel, &Channel),
        set: &mut ChangeSet,
    ) -> Result<(), StoreError> {
        let config = |of: &Channel| of.endpoint.as_ref().map(|it| it.config.clone());
        let (was_polled, is_polled) = (self.ports.connectors.polls(before), self.ports.connectors.polls(after));
        let is_same = was_polled == is_polled && (!is_polled || config(before) == config(after));
        if after.status != ChannelStatus::Connected || is_same {
            return Ok(());
        }
        let health = self.ports.channels.health(access, after.id).await?.transport_changed();
        set.jobs.extend(first_poll(&self.ports, after, health.polling.round));
        set.change(Change::Channel(ChannelChange::UpdateHealth { channel: after.id, health: Box::new(health) }));
        Ok(())
    }

    /// Checks the rules of the connector about a complete configuration and new secrets.
    ///
    /// # Errors
    /// [`Error::Invalid`] below `/config` and `/secrets`.
    pub(super) fn check_rules(&self, kind: ChannelKind, config: &Config, secrets: &PlainSecrets) -> Result<(), Error> {
        let connector = self.ports.connectors.of(kind);
        let violations = connector.map(|it| it.check(config, secrets)).unwrap_or_default();
        if violations.is_empty() { Ok(()) } else { Err(Error::Invalid(violations)) }
    }

    /// Checks that no other channel of the workspace uses the account of this one.
    ///
    /// # Errors
    /// [`Error::AccountInUse`], [`Error::Store`].
    pub(super) async fn check_account(&self, access: &Access, channel: &Channel) -> Result<(), Error> {
        let Some(account) = self.account(channel) else { return Ok(()) };
        let page = PageRequest { limit: 100, order: Order::default(), after: None, counted: false };
        let channels = self.ports.channels.list(access, &ListFilter::default(), page).await?;
        let mut others = channels.items.iter().filter(|it| it.kind == channel.kind && it.id != channel.id);
        match others.find(|it| self.account(it).as_ref() == Some(&account)) {
            Some(other) => Err(Error::AccountInUse { existing: other.id }),
            None => Ok(()),
        }
    }

    /// Registers a connected channel again before an update changes its configuration or a secret. Returns what the
    /// provider reports, and the channel before the update if the registration replaced its transport: see
    /// [`ChannelService::restore`].
    ///
    /// # Errors
    /// As [`ChannelService::update`].
    pub(super) async fn renew(
        &self,
        access: &Access,
        channel: ChannelId,
        patch: &ChannelPatch,
        expected: &ExpectedVersion,
    ) -> Result<(Config, Option<Channel>), Error> {
        if patch.config.is_empty() && patch.secrets.is_empty() {
            return Ok((Config::new(), None));
        }
        let before = self.get(access, channel).await?;
        expected.check(before.version)?;
        if self.registering(access, &before).is_none() {
            return Ok((Config::new(), None));
        }
        let mut after = before.clone();
        self.reconfigure(&mut after, patch)?;
        let (old, new) = (self.account(&before), self.account(&after));
        if let Some(name) = patch.secrets.keys().next().filter(|_| old.is_some() && new.is_some() && old != new) {
            let why = "belongs to another account of the provider; create another channel for it";
            return Err(Error::invalid(format!("/secrets/{name}"), "immutable", why));
        }
        if before.status != ChannelStatus::Connected {
            return Ok((Config::new(), None));
        }
        let is_replaced = self.ports.connectors.polls(&before) != self.ports.connectors.polls(&after);
        let replaced = is_replaced.then_some(before);
        match self.register(access, &after).await {
            Ok(reported) => Ok((reported, replaced)),
            Err(error) => {
                // The provider may have removed the address before the step that failed.
                if let Some(before) = replaced {
                    self.restore(access, before).await;
                }
                Err(rejected_secret(error))
            }
        }
    }

    /// Registers a channel as it is stored, after an update that replaced its transport failed: by calls of its provider,
    /// or by polls. If the store cannot be read, the channel is registered as it was before the update.
    pub(super) async fn restore(&self, access: &Access, before: Channel) {
        let stored = match self.get(access, before.id).await {
            Ok(stored) => stored,
            Err(Error::Store(_)) => before,
            // The channel was deleted in the meantime.
            Err(_) => return self.unregister(access, &before).await,
        };
        if stored.status == ChannelStatus::Connected {
            // The health of the channel reports a failure.
            let _ = self.register(access, &stored).await;
        } else {
            self.unregister(access, &stored).await;
        }
    }

    /// Returns the connector for calls of the workspace, if the type of the channel registers.
    fn registering(&self, access: &Access, channel: &Channel) -> Option<Arc<dyn Connector>> {
        let connector = self.ports.connectors.for_workspace(channel.kind, access.workspace());
        connector.filter(|it| it.channel_type().registers)
    }

    /// Returns the provider's account of a channel.
    fn account(&self, channel: &Channel) -> Option<String> {
        let endpoint = channel.endpoint.as_ref()?;
        let secrets: PlainSecrets = self.open(&endpoint.secrets, &secret_context(channel.id)).ok()?;
        let connector = self.ports.connectors.of(channel.kind).filter(|it| it.channel_type().registers)?;
        connector.account(&endpoint.config, &secrets)
    }
}

#[cfg(test)]
#[path = "registration_tests.rs"]
mod tests;
