//! The queries of engines, across workspaces.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use tidings_domain::access::storage_usage::{StoredBytes, StoredPlace, StoredPortion};
use tidings_domain::ids::{ChannelId, EventId, WorkspaceId};
use tidings_domain::ports::{
    Claim, ClaimRequest, ClaimedJob, Conflict, ConnectedChannel, DeletedContact, EngineStore, FilePlace, HeldClaim,
    Lease, Pool, StoreError, StoredEvent, SweepPlace,
};
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use crate::access::{audit, storage_usage, workspace_erasure};
use crate::connection::fair_queue::SYSTEM;
use crate::connection::faults::Fault;
use crate::contacts::{self, custom_events};
use crate::conversations::{self, channels, media};
use crate::events::{self, feed, numbering};
use crate::queries::sort_keys;
use crate::webhooks::{self, webhook_counts};
use crate::{Backend, Storage, analytics, broadcasts, flows, jobs};

/// Converts a collision of two claims in one lane to a contention, which can be retried.
fn or_contention(fault: Fault) -> StoreError {
    match fault {
        Fault::Conflict(Conflict::Exists(_)) => StoreError::Contention,
        fault => fault.into_store_error(),
    }
}

#[async_trait]
impl EngineStore for Storage {
    async fn claim(&self, request: ClaimRequest) -> Result<Vec<ClaimedJob>, StoreError> {
        let queues = Arc::clone(&self.queues);
        self.engine
            .write(move |mut c| Box::pin(async move { jobs::claim(&mut c, &request, &queues).await }))
            .await
            .map_err(or_contention)
    }

    async fn pauses_ended(&self) -> Result<u64, StoreError> {
        self.count_ended_pauses().await
    }

    async fn poisoned(&self, limit: u32, lease: Duration, now: Timestamp) -> Result<Vec<ClaimedJob>, StoreError> {
        let outcome = self
            .engine
            .write(move |mut c| Box::pin(async move { jobs::poisoned(&mut c, limit, lease, now).await }))
            .await;
        outcome.map_err(Fault::into_store_error)
    }

    async fn extend(&self, claims: Vec<HeldClaim>, lease: Duration, _: Timestamp) -> Result<Vec<Claim>, StoreError> {
        let outcome = self
            .engine
            .transact(move |mut c| {
                Box::pin(async move {
                    let now = jobs::lease_now(&mut c).await?;
                    jobs::extend(&mut c, &claims, (now, now.plus(lease))).await
                })
            })
            .await;
        outcome.map_err(Fault::into_store_error)
    }

    async fn next_due(&self, pool: Pool) -> Result<Option<Timestamp>, StoreError> {
        let found =
            self.engine.read(SYSTEM, move |mut c| Box::pin(async move { jobs::next_due(&mut c, pool).await })).await;
        found.map_err(Fault::into_store_error)
    }

    async fn event(&self, workspace: WorkspaceId, event: EventId) -> Result<Option<StoredEvent>, StoreError> {
        let key = (workspace.into(), event.into());
        if let Some(event) = self.recent.get(&key) {
            return Ok(Some(event));
        }
        let found = self.loaders.events.load(&self.backend, key).await?;
        if let Some(event) = &found {
            self.recent.insert(key, event.clone());
        }
        Ok(found)
    }

    async fn count_facts(&self, limit: u32) -> Result<u64, StoreError> {
        let outcome =
            self.engine.transact(move |mut c| Box::pin(async move { analytics::count(&mut c, limit).await })).await;
        outcome.map_err(Fault::into_store_error)
    }

    async fn expire_idempotency(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let outcome = self
            .engine
            .transact(move |mut c| Box::pin(async move { events::expire(&mut c, before, limit).await }))
            .await;
        outcome.map_err(Fault::into_store_error)
    }

    async fn number_events(&self, holder: Uuid, lease: Duration, limit: u32, _: Timestamp) -> Result<u64, StoreError> {
        let (to, begin) = (Arc::clone(&self.numbered_to), self.numbered_to.begin(Instant::now()));
        let unnumbered = self
            .engine
            .read(SYSTEM, move |mut c| Box::pin(async move { numbering::has_unnumbered(&mut c, begin).await }));
        if !unnumbered.await.map_err(Fault::into_store_error)? {
            return Ok(0);
        }
        let outcome = self
            .engine
            .transact(move |mut c| {
                Box::pin(async move {
                    match feed::hold(&mut c, Lease::Sequencer, holder, lease).await? {
                        true => numbering::number(&mut c, limit, begin, &to).await,
                        false => Ok(0),
                    }
                })
            })
            .await;
        outcome.map_err(Fault::into_store_error)
    }

    async fn expire_events(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let outcome =
            self.engine.transact(move |mut c| Box::pin(async move { feed::expire(&mut c, before, limit).await })).await;
        if !matches!(outcome, Ok(0)) {
            self.recent.clear();
        }
        outcome.map_err(Fault::into_store_error)
    }

    async fn expire_deliveries(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let outcome = self
            .engine
            .transact(move |mut c| Box::pin(async move { webhooks::expire_deliveries(&mut c, before, limit).await }));
        outcome.await.map_err(Fault::into_store_error)
    }

    async fn expire_unparsed(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let outcome = self
            .engine
            .transact(move |mut c| Box::pin(async move { channels::expire_unparsed(&mut c, before, limit).await }));
        outcome.await.map_err(Fault::into_store_error)
    }

    async fn expire_provider_events(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let outcome = self
            .engine
            .transact(move |mut c| Box::pin(async move { channels::expire_events(&mut c, before, limit).await }));
        outcome.await.map_err(Fault::into_store_error)
    }

    async fn expire_media(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let outcome = self
            .engine
            .transact(move |mut c| Box::pin(async move { media::expire(&mut c, before, limit).await }))
            .await;
        outcome.map_err(Fault::into_store_error)
    }

    async fn existing_media(&self, files: Vec<FilePlace>) -> Result<Vec<FilePlace>, StoreError> {
        let found =
            self.engine.read(SYSTEM, move |mut c| Box::pin(async move { media::existing(&mut c, files).await })).await;
        found.map_err(Fault::into_store_error)
    }

    async fn expire_custom_events(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let outcome = self
            .engine
            .transact(move |mut c| Box::pin(async move { custom_events::expire(&mut c, before, limit).await }));
        outcome.await.map_err(Fault::into_store_error)
    }

    async fn erase_workspace(&self, now: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let over = self.engine.read(SYSTEM, move |mut c| {
            Box::pin(async move { workspace_erasure::find_unrestorable(&mut c, now).await })
        });
        let Some(workspace) = over.await.map_err(Fault::into_store_error)? else { return Ok(0) };
        let erased = self.engine.transact(move |mut c| {
            Box::pin(async move { workspace_erasure::erase_part(&mut c, workspace, i64::from(limit)).await })
        });
        let erased = erased.await.map_err(Fault::into_store_error);
        self.recent.clear();
        erased
    }

    async fn expire_messages(
        &self,
        from: SweepPlace,
        before: Timestamp,
        limit: u32,
    ) -> Result<Option<SweepPlace>, StoreError> {
        let outcome = self.engine.transact(move |mut c| {
            Box::pin(async move { conversations::expire_messages(&mut c, from, before, limit).await })
        });
        outcome.await.map_err(Fault::into_store_error)
    }

    async fn expire_conversations(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let outcome = self.engine.transact(move |mut c| {
            Box::pin(async move { conversations::expire_conversations(&mut c, before, limit).await })
        });
        outcome.await.map_err(Fault::into_store_error)
    }

    async fn deleted_contacts(
        &self,
        from: SweepPlace,
        before: Timestamp,
        limit: u32,
    ) -> Result<Vec<DeletedContact>, StoreError> {
        let found = self.engine.read(SYSTEM, move |mut c| {
            Box::pin(async move { contacts::deleted_before(&mut c, from, before, limit).await })
        });
        found.await.map_err(Fault::into_store_error)
    }

    async fn connected_channels(
        &self,
        after: Option<(WorkspaceId, ChannelId)>,
        limit: u32,
    ) -> Result<Vec<ConnectedChannel>, StoreError> {
        let found = self
            .engine
            .read(SYSTEM, move |mut c| Box::pin(async move { channels::find_connected(&mut c, after, limit).await }));
        found.await.map_err(Fault::into_store_error)
    }

    async fn expire_audit_log(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let outcome =
            self.engine.transact(move |mut c| Box::pin(async move { audit::expire(&mut c, before, limit).await }));
        outcome.await.map_err(Fault::into_store_error)
    }

    async fn expire_traces(
        &self,
        from: Timestamp,
        before: Timestamp,
        limit: u32,
    ) -> Result<Option<Timestamp>, StoreError> {
        let outcome = self
            .engine
            .transact(move |mut c| Box::pin(async move { flows::expire_traces(&mut c, from, before, limit).await }));
        outcome.await.map_err(Fault::into_store_error)
    }

    async fn expire_runs(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let outcome =
            self.engine.transact(move |mut c| Box::pin(async move { flows::expire_runs(&mut c, before, limit).await }));
        outcome.await.map_err(Fault::into_store_error)
    }

    async fn expire_recipients(
        &self,
        from: Timestamp,
        before: Timestamp,
        limit: u32,
    ) -> Result<Option<Timestamp>, StoreError> {
        let outcome = self
            .engine
            .transact(move |mut c| Box::pin(async move { broadcasts::expire(&mut c, from, before, limit).await }));
        outcome.await.map_err(Fault::into_store_error)
    }

    async fn fill_sort_keys(&self, limit: u32) -> Result<u64, StoreError> {
        let outcome =
            self.engine.transact(move |mut c| Box::pin(async move { sort_keys::fill(&mut c, limit).await })).await;
        outcome.map_err(Fault::into_store_error)
    }

    async fn take_lease(&self, lease: Lease, holder: Uuid, length: Duration, _: Timestamp) -> Result<bool, StoreError> {
        let outcome =
            self.engine.transact(move |mut c| Box::pin(async move { feed::hold(&mut c, lease, holder, length).await }));
        outcome.await.map_err(Fault::into_store_error)
    }

    async fn measure_stored(&self, from: StoredPlace, limit: u32) -> Result<StoredPortion, StoreError> {
        let outcome = self
            .engine
            .read(SYSTEM, move |mut c| Box::pin(async move { storage_usage::measure(&mut c, from, limit).await }));
        outcome.await.map_err(Fault::into_store_error)
    }

    async fn last_measured(&self) -> Result<Option<Timestamp>, StoreError> {
        let outcome =
            self.engine.read(SYSTEM, |mut c| Box::pin(async move { storage_usage::last_measured(&mut c).await }));
        outcome.await.map_err(Fault::into_store_error)
    }

    async fn keep_stored(&self, bytes: Vec<(WorkspaceId, StoredBytes)>, at: Timestamp) -> Result<(), StoreError> {
        let outcome =
            self.engine.transact(move |mut c| Box::pin(async move { storage_usage::keep(&mut c, bytes, at).await }));
        outcome.await.map_err(Fault::into_store_error)
    }

    async fn forget_stored(&self, before: Timestamp) -> Result<(), StoreError> {
        let outcome =
            self.engine.transact(move |mut c| Box::pin(async move { storage_usage::forget(&mut c, before).await }));
        outcome.await.map_err(Fault::into_store_error)
    }

    async fn expire_counts(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let outcome = self
            .engine
            .transact(move |mut c| Box::pin(async move { webhook_counts::expire(&mut c, before, limit).await }));
        outcome.await.map_err(Fault::into_store_error)
    }
}

impl Storage {
    /// Releases the leases of the previous process on this SQLite file. On PostgreSQL, other processes may be running:
    /// it does nothing, and leases expire.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn free_own_leases(&self, now: Timestamp) -> Result<usize, StoreError> {
        match &self.backend {
            Backend::Postgres(_) => Ok(0),
            Backend::Sqlite(_) => {
                let freed = self.transact(move |mut c| {
                    Box::pin(async move {
                        feed::free(&mut c).await?;
                        jobs::free_leases(&mut c, now).await
                    })
                });
                freed.await.map_err(Fault::into_store_error)
            }
        }
    }
}
