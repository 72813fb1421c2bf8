//! Events of providers that are applied once.

use super::super::received::EventDigest;
use super::InboundService;
use crate::ids::ChannelId;
use crate::ports::{Change, ChangeSet, ChannelChange, CommitError, Conflict, UniqueKey};
use crate::retry::AttemptError;

impl InboundService {
    /// Commits the effects of an event together with its record. A repeated event has no effect. An event without
    /// effects is recorded, too: its repetition may come after a change of the contact.
    pub(super) async fn commit_event(
        &self,
        channel: ChannelId,
        digest: EventDigest,
        mut set: ChangeSet,
    ) -> Result<(), AttemptError> {
        let at = self.ports.clock.now();
        set.changes.insert(0, Change::Channel(ChannelChange::RecordEvent { channel, digest, at }));
        match self.ports.ledger.commit(set).await {
            Err(CommitError::Conflict(Conflict::Exists(UniqueKey::ProviderEvent))) => Ok(()),
            outcome => Ok(outcome?),
        }
    }
}
