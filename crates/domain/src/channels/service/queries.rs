//! Queries of channels.

use std::collections::HashMap;

use super::ChannelService;
use crate::access::Access;
use crate::channels::{Channel, ChannelHealth, ChannelStatus, ProviderTemplates, UnparsedRequest};
use crate::conversations::Message;
use crate::error::Error;
use crate::ids::ChannelId;
use crate::list_filter::ListFilter;
use crate::pagination::{Page, PageRequest};
use crate::ports::StoreError;

impl ChannelService {
    /// Returns a channel.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn get(&self, access: &Access, channel: ChannelId) -> Result<Channel, Error> {
        self.ports.channels.get(access, channel).await?.ok_or(Error::NotFound)
    }

    /// Returns the channels of the workspace.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn list(
        &self,
        access: &Access,
        filter: &ListFilter<ChannelStatus>,
        page: PageRequest,
    ) -> Result<Page<Channel>, Error> {
        Ok(self.ports.channels.list(access, filter, page).await?)
    }

    /// Returns the messages that the channel sent to its provider; for a sandbox, those that it would have sent.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn captured(
        &self,
        access: &Access,
        channel: ChannelId,
        page: PageRequest,
    ) -> Result<Page<Message>, Error> {
        self.get(access, channel).await?;
        Ok(self.ports.conversations.captured(access, channel, page).await?)
    }

    /// Returns the kept requests to the channel's inbound address that were not understood.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn unparsed(
        &self,
        access: &Access,
        channel: ChannelId,
        page: PageRequest,
    ) -> Result<Page<UnparsedRequest>, Error> {
        self.get(access, channel).await?;
        Ok(self.ports.channels.unparsed(access, channel, page).await?)
    }

    /// Returns the templates that the provider of the channel stores, from a copy of at most 15 minutes.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::SetupFailed`] if the provider does not return them, [`Error::Store`].
    pub async fn templates(&self, access: &Access, channel: ChannelId) -> Result<ProviderTemplates, Error> {
        let channel = self.get(access, channel).await?;
        let now = self.ports.clock.now();
        if let Some(copy) = self.templates.get(&channel, now) {
            return Ok(copy);
        }
        let connector = self.ports.connectors.for_workspace(channel.kind, access.workspace());
        let connector = connector.ok_or_else(|| StoreError::Corrupt(format!("no connector for {}", channel.id)))?;
        let data = connector.templates(&channel).await.map_err(Error::SetupFailed)?;
        let templates = ProviderTemplates { data, fetched_at: now };
        self.templates.keep(&channel, &templates);
        Ok(templates)
    }

    /// Returns the health of a channel.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn health(&self, access: &Access, channel: ChannelId) -> Result<ChannelHealth, Error> {
        Ok(self.ports.channels.health(access, channel).await?)
    }

    /// Returns the known health of channels of the workspace.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn healths(&self, access: &Access) -> Result<HashMap<ChannelId, ChannelHealth>, Error> {
        Ok(self.ports.channels.healths(access).await?.into_iter().collect())
    }
}
