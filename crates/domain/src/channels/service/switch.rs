//! Connecting and disconnecting of channels.

use super::ChannelService;
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::channels::{Channel, ChannelStatus};
use crate::error::Error;
use crate::events::EventKind;
use crate::ids::ChannelId;
use crate::outcome::{Done, Expected, IdempotencyHook, record_of};
use crate::ports::{Change, ChangeSet, Row};
use crate::retry::{AttemptError, retry_on_conflict};

impl ChannelService {
    /// Connects a channel: it sends and receives messages. Changes nothing if it is connected.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn connect(
        &self,
        access: &Access,
        channel: ChannelId,
        expected: &Expected,
        idempotency: IdempotencyHook<'_, Channel>,
    ) -> Result<Done<Channel>, Error> {
        self.switch(access, channel, ChannelStatus::Connected, expected, idempotency).await
    }

    /// Disconnects a channel: its outbound messages are suppressed. Changes nothing if it is disconnected.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn disconnect(
        &self,
        access: &Access,
        channel: ChannelId,
        expected: &Expected,
        idempotency: IdempotencyHook<'_, Channel>,
    ) -> Result<Done<Channel>, Error> {
        self.switch(access, channel, ChannelStatus::Disconnected, expected, idempotency).await
    }

    async fn switch(
        &self,
        access: &Access,
        channel: ChannelId,
        to: ChannelStatus,
        expected: &Expected,
        idempotency: IdempotencyHook<'_, Channel>,
    ) -> Result<Done<Channel>, Error> {
        retry_on_conflict(|| async {
            let mut channel = self.get(access, channel).await?;
            expected.check(channel.version)?;
            let mut set = ChangeSet::new(access.workspace());
            let done = if channel.status == to {
                Done::unchanged(channel)
            } else {
                let (now, before) = (self.ports.clock.now(), channel.clone());
                channel.status = to;
                channel.connected_at = (to == ChannelStatus::Connected).then_some(now);
                channel.touch(now);
                set.change(Change::Update(Row::Channel(channel.clone())));
                let action = match to {
                    ChannelStatus::Connected => AuditAction::ChannelConnected,
                    _ => AuditAction::ChannelDisconnected,
                };
                set.audit(AuditDraft::changed(action, &before, &channel), access, &*self.ports.clock, &*self.ports.ids);
                match to {
                    ChannelStatus::Connected => {
                        self.tell(EventKind::ChannelConnected, &channel, None, access, &mut set);
                    }
                    _ => self.tell(EventKind::ChannelDisconnected, &channel, Some("switched_off"), access, &mut set),
                }
                Done::changed(channel)
            };
            set.idempotency = record_of(idempotency, &done);
            if !set.is_empty() {
                self.ports.ledger.commit(set).await?;
            }
            Ok::<_, AttemptError>(done)
        })
        .await
    }
}
