//! Channels.

use async_trait::async_trait;

use crate::access::Access;
use crate::channels::{Channel, ChannelHealth, ChannelStatus, MAX_UNPARSED, UnparsedRequest};
use crate::ids::{ChannelId, WorkspaceId};
use crate::list_filter::ListFilter;
use crate::memory::{MemoryStore, State};
use crate::pagination::{Page, PageRequest};
use crate::ports::{ChannelChange, ChannelQueries, Conflict, Object, UniqueKey};

use crate::memory::apply::{Applied, delete, insert, unique};
use crate::memory::tables::filter_fields::Filtered;
use crate::memory::tables::pages::{Answer, at, of, page};

impl State {
    pub(in crate::memory) fn change_channels(&mut self, ws: WorkspaceId, change: ChannelChange) -> Applied {
        match change {
            ChannelChange::Delete { channel, .. } => {
                delete(&mut self.channels, &(ws, channel), Object::Channel(channel))?;
                self.gone_channels.insert((ws, channel));
                self.channel_health.remove(&(ws, channel));
                self.opt_outs.retain(|(of, _), on| *of != ws || *on != Some(channel));
                self.unparsed.retain(|(of, _), request| *of != ws || request.channel != channel);
                self.provider_events.retain(|(of, (on, _)), _| *of != ws || *on != channel);
                Ok(())
            }
            ChannelChange::UpdateHealth { channel, health } => {
                let before = self.channel_health.get(&(ws, channel)).map_or(0, |it| it.version);
                if !self.channels.contains_key(&(ws, channel)) || before + 1 != health.version {
                    return Err(Conflict::Stale(Object::Channel(channel)).into());
                }
                self.channel_health.insert((ws, channel), *health);
                Ok(())
            }
            ChannelChange::RecordEvent { channel, digest, at } => {
                let key = (ws, (channel, digest));
                unique(self.provider_events.contains_key(&key), UniqueKey::ProviderEvent)?;
                self.provider_events.insert(key, at);
                Ok(())
            }
            ChannelChange::KeepUnparsed(request) => {
                let channel = request.channel;
                insert(&mut self.unparsed, (ws, request.id), *request)?;
                let of_channel = self.unparsed.iter().filter(|((of, _), it)| *of == ws && it.channel == channel);
                let mut of_channel: Vec<_> = of_channel.map(|((_, id), it)| (it.received_at, *id)).collect();
                of_channel.sort_unstable();
                let most = usize::try_from(MAX_UNPARSED).unwrap_or(usize::MAX);
                for (_, id) in of_channel.iter().rev().skip(most) {
                    self.unparsed.remove(&(ws, *id));
                }
                Ok(())
            }
        }
    }

    /// Whether the channel exists or existed. References to deleted channels remain.
    pub(in crate::memory) fn channel_was_made(&self, ws: WorkspaceId, channel: ChannelId) -> bool {
        self.channels.contains_key(&(ws, channel)) || self.gone_channels.contains(&(ws, channel))
    }

    pub(in crate::memory) fn token_taken(&self, it: &Channel) -> bool {
        let digest = |channel: &Channel| channel.endpoint.as_ref().map(|endpoint| endpoint.inbound_digest);
        let mut others = self.channels.values().filter(|other| other.id != it.id);
        digest(it).is_some() && others.any(|other| digest(other) == digest(it))
    }
}

#[async_trait]
impl ChannelQueries for MemoryStore {
    async fn get(&self, access: &Access, channel: ChannelId) -> Answer<Option<Channel>> {
        Ok(self.lock().channels.get(&(access.workspace(), channel)).cloned())
    }

    async fn default_channel(&self, access: &Access) -> Answer<Option<Channel>> {
        Ok(of(&self.lock().channels, access.workspace(), |it| it.is_default).pop())
    }

    async fn list(
        &self,
        access: &Access,
        filter: &ListFilter<ChannelStatus>,
        request: PageRequest,
    ) -> Answer<Page<Channel>> {
        let found = of(&self.lock().channels, access.workspace(), |it: &Channel| filter.admits(&it.filter_fields()));
        Ok(page(found, request, |it: &Channel| at(it.created_at, it.id)))
    }

    async fn health(&self, access: &Access, channel: ChannelId) -> Answer<ChannelHealth> {
        Ok(self.lock().channel_health.get(&(access.workspace(), channel)).cloned().unwrap_or_default())
    }

    async fn healths(&self, access: &Access) -> Answer<Vec<(ChannelId, ChannelHealth)>> {
        let state = self.lock();
        let own = state.channel_health.iter().filter(|((ws, _), _)| *ws == access.workspace());
        Ok(own.map(|((_, channel), health)| (*channel, health.clone())).collect())
    }

    async fn by_inbound_digest(&self, digest: [u8; 32]) -> Answer<Option<(WorkspaceId, Channel)>> {
        let state = self.lock();
        let named = |it: &Channel| it.endpoint.as_ref().is_some_and(|endpoint| endpoint.inbound_digest == digest);
        Ok(state.channels.iter().find(|(_, it)| named(it)).map(|((ws, _), it)| (*ws, it.clone())))
    }

    async fn unparsed(
        &self,
        access: &Access,
        channel: ChannelId,
        request: PageRequest,
    ) -> Answer<Page<UnparsedRequest>> {
        let found = of(&self.lock().unparsed, access.workspace(), |it| it.channel == channel);
        Ok(page(found, request, |it: &UnparsedRequest| at(it.received_at, it.id)))
    }

    async fn all_unparsed(&self, access: &Access, request: PageRequest) -> Answer<Page<UnparsedRequest>> {
        let found = of(&self.lock().unparsed, access.workspace(), |_| true);
        Ok(page(found, request, |it: &UnparsedRequest| at(it.received_at, it.id)))
    }
}
