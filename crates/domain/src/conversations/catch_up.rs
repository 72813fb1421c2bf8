//! Messages of contacts that the provider could not deliver, such as while the server was down.

use std::sync::Arc;
use std::time::Duration;

use super::{InboundService, OptOutWords};
use crate::access::Access;
use crate::channels::{Channel, ChannelHealth, ChannelStatus};
use crate::error::Error;
use crate::ids::ChannelId;
use crate::ports::{Change, ChangeSet, ChannelChange, Ports};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::time::Timestamp;

/// The maximum age of the messages to read.
const LONGEST: Duration = Duration::from_secs(24 * 3_600);
/// The time before the last reading that is read again: the provider may list a message late.
const OVERLAP: Duration = Duration::from_secs(5 * 60);

/// Reads the messages that providers could not deliver.
#[derive(Clone)]
pub struct CatchUp {
    /// The ports.
    pub ports: Arc<Ports>,
    /// The words that opt contacts out and in.
    pub words: OptOutWords,
}

impl CatchUp {
    /// Receives the messages of a connected channel since the last time, if its provider does not repeat those that it
    /// could not deliver. Known messages change nothing. If the provider gives no answer, the next round asks again. A
    /// job of an earlier round does nothing.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn catch_up(&self, access: &Access, channel: ChannelId, round: i64) -> Result<(), Error> {
        let found = self.ports.channels.get(access, channel).await?;
        let Some(found) = found.filter(|it| it.status == ChannelStatus::Connected) else { return Ok(()) };
        let health = self.ports.channels.health(access, channel).await?;
        let connector = self.ports.connectors.for_workspace(found.kind, access.workspace());
        let connector = connector.filter(|it| it.catches_up() && health.round == round);
        let Some(connector) = connector else { return Ok(()) };
        let now = self.ports.clock.now();
        let Some(messages) = connector.received_since(&found, start(&found, &health, now)).await else {
            return Ok(());
        };
        let inbound = InboundService { ports: Arc::clone(&self.ports), words: self.words.clone() };
        for message in messages {
            // A message that cannot be stored does not hold up the others.
            if let Err(Error::Store(error)) = inbound.receive(access, &found, message).await {
                return Err(Error::Store(error));
            }
        }
        self.record(access, channel, now).await
    }

    /// Records that the messages until `now` are stored.
    async fn record(&self, access: &Access, channel: ChannelId, now: Timestamp) -> Result<(), Error> {
        retry_on_conflict(|| async {
            if self.ports.channels.get(access, channel).await?.is_none() {
                return Ok(());
            }
            let health = self.ports.channels.health(access, channel).await?;
            let health = Box::new(health.caught_up(now));
            let mut set = ChangeSet::new(access.workspace());
            set.change(Change::Channel(ChannelChange::UpdateHealth { channel, health }));
            self.ports.ledger.commit(set).await?;
            Ok::<_, AttemptError>(())
        })
        .await
    }
}

/// Returns the time since which messages are read. Messages before the creation of the channel belong to the program
/// that used the number before.
fn start(channel: &Channel, health: &ChannelHealth, now: Timestamp) -> Timestamp {
    let last = health.caught_up_at.map_or(channel.created_at, |at| at.minus(OVERLAP));
    last.max(channel.created_at).max(now.minus(LONGEST))
}

#[cfg(test)]
#[path = "catch_up_tests.rs"]
mod tests;
