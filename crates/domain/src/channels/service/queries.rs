//! Queries of channels.

use std::collections::HashMap;

use super::ChannelService;
use crate::access::Access;
use crate::channels::{Channel, ChannelHealth, ChannelStatus, UnparsedRequest};
use crate::conversations::Message;
use crate::error::Error;
use crate::ids::ChannelId;
use crate::list_filter::ListFilter;
use crate::pagination::{Page, PageRequest};

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

    /// Returns the health of a channel.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn health(&self, access: &Access, channel: ChannelId) -> Result<ChannelHealth, Error> {
        Ok(self.ports.channels.health(access, channel).await?)
    }

    /// Returns the health of the channels of the workspace of which something is known.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn healths(&self, access: &Access) -> Result<HashMap<ChannelId, ChannelHealth>, Error> {
        Ok(self.ports.channels.healths(access).await?.into_iter().collect())
    }
}
