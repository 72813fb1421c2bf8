//! First checks of channels that an earlier release connected: it did not check channels.

use std::sync::Arc;

use super::check::check_job;
use super::health::CHECK_INTERVAL;
use super::model::{Channel, ChannelStatus};
use crate::access::Access;
use crate::error::Error;
use crate::ids::{ChannelId, WorkspaceId};
use crate::ports::{Change, ChangeSet, ChannelChange, ConnectedChannel, Ports, StoreError};
use crate::retry::retry_on_conflict;

/// Plans the first checks of connected channels.
#[derive(Clone)]
pub struct FirstCheckPlanner {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl FirstCheckPlanner {
    /// Queues the first check of at most `limit` connected channels of all workspaces after `after`. The checks are
    /// spread over the interval between two checks. Returns the `after` of the next call, or `None` if no channel is
    /// left.
    ///
    /// # Errors
    /// [`StoreError`]; the next call from the same place continues.
    pub async fn plan(
        &self,
        after: Option<(WorkspaceId, ChannelId)>,
        limit: u32,
    ) -> Result<Option<(WorkspaceId, ChannelId)>, StoreError> {
        let found = self.ports.engine.connected_channels(after, limit).await?;
        // The round of a channel with an earlier or a planned check is higher.
        for channel in found.iter().filter(|it| it.round == 0) {
            // If a rule prevents the check of one channel, the others continue.
            if let Err(Error::Store(error)) = self.plan_one(*channel).await {
                return Err(error);
            }
        }
        let is_full = found.len() >= limit as usize;
        Ok(found.last().filter(|_| is_full).map(|last| last.place()))
    }

    async fn plan_one(&self, found: ConnectedChannel) -> Result<(), Error> {
        let (access, id) = (Access::system(found.workspace), found.channel);
        retry_on_conflict(|| async {
            let channel = self.ports.channels.get(&access, id).await?;
            let before = self.ports.channels.health(&access, id).await?;
            if before.round > 0 || !channel.is_some_and(|it| self.is_checked(&it)) {
                return Ok(());
            }
            let after = before.planned();
            let wait = CHECK_INTERVAL.mul_f64(self.ports.random.unit());
            let mut set = ChangeSet::new(access.workspace());
            set.jobs.push(check_job(&self.ports, id, after.round, wait));
            set.change(Change::Channel(ChannelChange::UpdateHealth { channel: id, health: Box::new(after) }));
            self.ports.ledger.commit(set).await?;
            Ok(())
        })
        .await
    }

    /// Whether the server asks the provider about a channel.
    fn is_checked(&self, channel: &Channel) -> bool {
        let registers = self.ports.connectors.channel_type(channel.kind).is_some_and(|it| it.registers);
        registers && channel.status == ChannelStatus::Connected
    }
}
