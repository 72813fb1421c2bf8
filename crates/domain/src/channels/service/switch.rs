//! Connecting and disconnecting of channels.

use super::ChannelService;
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::channels::check::{first_check, first_poll, release_waiting};
use crate::channels::{ChannelStatus, CheckedChannel, Config};
use crate::error::Error;
use crate::events::EventKind;
use crate::ids::ChannelId;
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook};
use crate::ports::{Change, ChangeSet, ChannelChange, Row};
use crate::retry::{commit_outcome, retry_on_conflict};

impl ChannelService {
    /// Connects a channel: it sends and receives messages. The server registers it at its provider, if the type does
    /// that. If the channel is connected, this is repeated, and nothing else changes.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::NoPublicUrl`], [`Error::SetupFailed`],
    /// [`Error::Store`].
    pub async fn connect(
        &self,
        access: &Access,
        channel: ChannelId,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, CheckedChannel>,
    ) -> Result<Done<CheckedChannel>, Error> {
        let found = self.get(access, channel).await?;
        expected.check(found.version)?;
        let reported = self.register(access, &found).await?;
        self.switch(access, channel, (ChannelStatus::Connected, reported), expected, idempotency).await
    }

    /// Disconnects a channel: its outbound messages are suppressed. Its address is removed at the provider, if the
    /// server registered it there. Changes nothing else if it is disconnected.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn disconnect(
        &self,
        access: &Access,
        channel: ChannelId,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, CheckedChannel>,
    ) -> Result<Done<CheckedChannel>, Error> {
        let to = (ChannelStatus::Disconnected, Config::new());
        let done = self.switch(access, channel, to, expected, idempotency).await?;
        self.unregister(access, &done.value.channel).await;
        Ok(done)
    }

    async fn switch(
        &self,
        access: &Access,
        channel: ChannelId,
        (to, reported): (ChannelStatus, Config),
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, CheckedChannel>,
    ) -> Result<Done<CheckedChannel>, Error> {
        retry_on_conflict(|| async {
            let before = self.get(access, channel).await?;
            expected.check(before.version)?;
            let mut channel = before.clone();
            let mut health = self.ports.channels.health(access, channel.id).await?;
            channel.report(&reported);
            let is_waiting = channel.waits_until.take().is_some();
            let mut set = ChangeSet::new(access.workspace());
            let done = if channel == before && channel.status == to {
                Done::unchanged(CheckedChannel { channel, health })
            } else if channel.status == to {
                channel.touch(self.ports.clock.now());
                set.change(Change::Update(Row::Channel(channel.clone())));
                let updated = AuditDraft::changed(AuditAction::ChannelUpdated, &before, &channel);
                self.ports.add_audit(updated, access, &mut set);
                Done::changed(CheckedChannel { channel, health })
            } else {
                let now = self.ports.clock.now();
                channel.status = to;
                channel.connected_at = (to == ChannelStatus::Connected).then_some(now);
                let check = first_check(&self.ports, &channel, health.round + 1);
                let mut check = check.filter(|_| to == ChannelStatus::Connected);
                let catches_up = self.ports.connectors.of(channel.kind).is_some_and(|it| it.catches_up());
                if let Some(check) = check.as_mut().filter(|_| catches_up) {
                    // The provider could not deliver messages in the meantime.
                    check.due_at = now;
                }
                if check.is_some() {
                    // The provider has just accepted the channel.
                    channel.last_error = None;
                }
                channel.touch(now);
                set.change(Change::Update(Row::Channel(channel.clone())));
                let action = match to {
                    ChannelStatus::Connected => AuditAction::ChannelConnected,
                    _ => AuditAction::ChannelDisconnected,
                };
                self.ports.add_audit(AuditDraft::changed(action, &before, &channel), access, &mut set);
                match to {
                    ChannelStatus::Connected => {
                        if let Some(check) = check {
                            health = health.connected(now);
                            set.jobs.extend(first_poll(&self.ports, &channel, health.polling.round));
                            let (channel, health) = (channel.id, Box::new(health.clone()));
                            set.change(Change::Channel(ChannelChange::UpdateHealth { channel, health }));
                            set.jobs.push(check);
                        }
                        self.tell(EventKind::ChannelConnected, &channel, None, access, &mut set);
                    }
                    _ => self.tell(EventKind::ChannelDisconnected, &channel, Some("switched_off"), access, &mut set),
                }
                Done::changed(CheckedChannel { channel, health })
            };
            if is_waiting {
                set.change(release_waiting(before.id, self.ports.clock.now()));
            }
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }
}
