//! Repeats of an ended broadcast for the recipients who did not get its message.

use serde_json::json;

use super::{Audience, Broadcast, BroadcastService, BroadcastStats, BroadcastStatus, CountedBroadcast};
use crate::access::Access;
use crate::error::Error;
use crate::ids::{BroadcastId, TypedId};
use crate::outcome::{Done, IdempotencyHook};
use crate::ports::{ChangeSet, StoreError};
use crate::retry::{commit_outcome, retry_on_conflict};

impl BroadcastService {
    /// Creates a draft that sends the message of an ended broadcast to its recipients who did not get it. A repeat of a
    /// repeat belongs to the first broadcast: each repeat excludes the recipients of all others.
    ///
    /// Recipients are selected when the draft starts. Texts are not checked again: a deleted field renders as empty
    /// text.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::BroadcastStatus`] if the broadcast or the first one has not ended,
    /// [`Error::NoChannel`], [`Error::NoRecipients`] if no recipient can get the message again, [`Error::Full`],
    /// [`Error::Store`].
    pub async fn repeat(
        &self,
        access: &Access,
        broadcast: BroadcastId,
        idempotency: IdempotencyHook<'_, CountedBroadcast>,
    ) -> Result<Done<CountedBroadcast>, Error> {
        retry_on_conflict(|| async {
            let copied = self.find(access, broadcast).await?;
            let first = match copied.repeats {
                Some(first) => self.find(access, first).await?,
                None => copied.clone(),
            };
            if let Some(status) = [copied.status, first.status].into_iter().find(|status| !status.is_over()) {
                return Err(Error::BroadcastStatus(status).into());
            }
            let mut set = ChangeSet::new(access.workspace());
            let mut repeat = self.repeat_of(access, &copied, first.id).await?;
            let channel = self.channel(access, repeat.channel).await?.id;
            let now = repeat.created_at;
            let chosen = self.chosen(access, &repeat, channel, now).await?;
            let count = match chosen {
                Some(chosen) => self.ports.contacts.count(access, &chosen, 1).await?,
                None => 0,
            };
            if count == 0 {
                return Err(Error::NoRecipients.into());
            }
            let named = self.named(access, &mut repeat, Vec::new(), true).await?;
            self.add_draft(access, &repeat, named, &mut set);
            let done = Done::created(CountedBroadcast { broadcast: repeat, stats: BroadcastStats::default() });
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    /// Returns a draft that repeats a broadcast. If its channel was deleted, the draft has none.
    async fn repeat_of(
        &self,
        access: &Access,
        copied: &Broadcast,
        first: BroadcastId,
    ) -> Result<Broadcast, StoreError> {
        let now = self.ports.clock.now();
        let channel = match copied.channel {
            Some(channel) => self.ports.channels.get(access, channel).await?.map(|it| it.id),
            None => None,
        };
        Ok(Broadcast {
            id: BroadcastId::from_uuid(self.ports.ids.next()),
            name: copied.name.clone(),
            audience: Audience::Condition(json!({"all": []}).into()),
            message: copied.message.clone(),
            channel,
            rate_per_minute: copied.rate_per_minute,
            repeats: Some(first),
            status: BroadcastStatus::Draft,
            created_at: now,
            updated_at: now,
            ..Broadcast::default()
        })
    }
}
