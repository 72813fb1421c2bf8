//! The port through which engines take due work, and what they need beside it across workspaces.

use std::time::Duration;

use async_trait::async_trait;
use uuid::Uuid;

use super::claim::{Claim, HeldClaim};
use super::claimed_job::ClaimedJob;
use super::errors::StoreError;
use super::jobs::Pool;
use crate::access::stored::{StoredBytes, StoredPlace, StoredPortion};
use crate::events::EventKind;
use crate::ids::{EventId, WorkspaceId};
use crate::time::Timestamp;

/// What one process does for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lease {
    /// Giving events their positions.
    Sequencer,
    /// Adding up stored text.
    Measuring,
}

impl Lease {
    /// The word in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sequencer => "event_sequencer",
            Self::Measuring => "stored_text",
        }
    }
}

/// What an engine asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRequest {
    /// From which pool.
    pub pool: Pool,
    /// How many at the most.
    pub limit: u32,
    /// For how long they are the worker's own, by the store's clock.
    pub lease: Duration,
    /// Of later attempts at deliveries no more than so many, that first ones find a place.
    pub retries: u32,
    /// Groups that have enough under way here: none of theirs.
    pub full_groups: Vec<Uuid>,
    /// Workspaces that have enough under way here: none of theirs, of the pool for deliveries; of other pools none while
    /// others wait.
    pub full_workspaces: Vec<WorkspaceId>,
    /// What fell due before this instant was looked for a moment ago, and may be left out.
    pub since: Option<Timestamp>,
    /// The present instant; stores whose own clock is shared by all workers go by that one.
    pub now: Timestamp,
}

impl ClaimRequest {
    /// Up to `limit` due jobs of the pool, whosever they are.
    pub fn new(pool: Pool, limit: u32, lease: Duration, now: Timestamp) -> Self {
        Self { pool, limit, lease, retries: limit, full_groups: vec![], full_workspaces: vec![], since: None, now }
    }
}

/// An event as it was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvent {
    /// The ID.
    pub id: EventId,
    /// Its kind.
    pub kind: EventKind,
    /// When it happened.
    pub at: Timestamp,
    /// The envelope with whole objects.
    pub full: String,
    /// The envelope with ids only.
    pub thin: String,
}

/// What engines need across workspaces. Everything after the claim goes through the other ports.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait EngineStore: Send + Sync {
    /// Takes due jobs: not claimed or with a lease that ran out, the oldest in their lane, no other
    /// job of the lane claimed. A job that was claimed five times without a result is not taken again.
    ///
    /// Of the pools for sends and deliveries nothing is given out while the store or the workspace holds what it sends.
    ///
    /// Of the pool for deliveries later attempts come before first ones, and each kind goes around
    /// the workspaces: no workspace gets a second job while another one waits for its first. Of the other pools half of
    /// what is asked for goes to whoever is due the longest; where that is not enough, workspaces take turns for the rest.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is claimed then.
    async fn claim(&self, request: ClaimRequest) -> Result<Vec<ClaimedJob>, StoreError>;

    /// Number of pauses of outbound sending that ended, as far as this process observed them. If it grows, jobs that fell due
    /// before the mark [`ClaimRequest::since`] can be claimed again: the next claim must have no mark. A store whose claims
    /// ignore the mark returns 0. A pause that another process ended is counted within half a second.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn pauses_ended(&self) -> Result<u64, StoreError>;

    /// Takes at most `limit` jobs that were claimed five times without a result and have no lease any more, under a lease of
    /// this length: to be put aside, not to be done.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is claimed then.
    async fn poisoned(&self, limit: u32, lease: Duration, now: Timestamp) -> Result<Vec<ClaimedJob>, StoreError>;

    /// Extends leases that are still held and returns those claims; the others are lost.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn extend(&self, claims: Vec<HeldClaim>, lease: Duration, now: Timestamp) -> Result<Vec<Claim>, StoreError>;

    /// When the next job of the pool falls due, of those that are neither claimed nor put aside nor
    /// behind another job of their lane. It may lie in the past: the job may be taken now.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn next_due(&self, pool: Pool) -> Result<Option<Timestamp>, StoreError>;

    /// An event of a workspace.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn event(&self, workspace: WorkspaceId, event: EventId) -> Result<Option<StoredEvent>, StoreError>;

    /// Moves at most `limit` facts into the counters of their quarters, each once; returns how many.
    ///
    /// # Errors
    /// [`StoreError`]; nothing was moved then.
    async fn count_facts(&self, limit: u32) -> Result<u64, StoreError>;

    /// Removes at most `limit` idempotency records made before `before`; returns how many.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_idempotency(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Gives committed events that have none their positions: per workspace 1, 2, 3 without gaps,
    /// behind all that were given before, in the order of their commits where these did not overlap.
    /// At most `limit` of them; returns how many. Whoever does it holds a lease of this length, by
    /// the store's clock: while another `holder` has it, nothing is done and 0 returned. A store that writes one commit
    /// after another may give positions as it writes, and has nothing left to do then.
    ///
    /// # Errors
    /// [`StoreError`]; no position was given then.
    async fn number_events(&self, holder: Uuid, lease: Duration, limit: u32, now: Timestamp)
    -> Result<u64, StoreError>;

    /// Removes at most `limit` events from before `before` with their deliveries, but for those of
    /// which an attempt is planned; returns how many events.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_events(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Removes at most `limit` deliveries made before `before`, with their attempts, but for those of which an attempt is
    /// planned; returns how many.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_deliveries(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Removes at most `limit` custom events from before `before`, the oldest first; returns how many.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_custom_events(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Removes at most `limit` entries of the audit log, the oldest first, of days that were over at `before`; returns how many.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_audit_log(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Empties the traces of at most `limit` runs that ended at or after `from` and before `before`, the oldest first.
    /// Returns from when on there may be more of them; `None` where there are none.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_traces(
        &self,
        from: Timestamp,
        before: Timestamp,
        limit: u32,
    ) -> Result<Option<Timestamp>, StoreError>;

    /// Removes at most `limit` runs that ended before `before`, the oldest first; returns how many.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_runs(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Removes at most `limit` recipients of one broadcast that ended at or after `from` and before `before`, the oldest first.
    /// Returns from when on there may be more of them; `None` where there were none.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_recipients(
        &self,
        from: Timestamp,
        before: Timestamp,
        limit: u32,
    ) -> Result<Option<Timestamp>, StoreError>;

    /// Gives a sort key to at most `limit` contacts and as many tags whose names have none, or have that of an earlier name, as
    /// those that the release before wrote. Returns to how many; if none is left, lists go by sort keys from then on.
    ///
    /// # Errors
    /// [`StoreError`]; no key was given then.
    async fn fill_sort_keys(&self, limit: u32) -> Result<u64, StoreError>;

    /// Takes or keeps the lease of this name for so long, by the store's clock; false where another `holder` has it.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn take_lease(
        &self,
        lease: Lease,
        holder: Uuid,
        length: Duration,
        now: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Adds up the stored text of at most `limit` objects from `from` on, whosever they are.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn measure_stored(&self, from: StoredPlace, limit: u32) -> Result<StoredPortion, StoreError>;

    /// As of which instant stored text was last added up; `None` if no workspace has any.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn last_measured(&self) -> Result<Option<Timestamp>, StoreError>;

    /// Keeps what workspaces have stored, as of an instant.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn keep_stored(&self, bytes: Vec<(WorkspaceId, StoredBytes)>, at: Timestamp) -> Result<(), StoreError>;

    /// Forgets what workspaces had stored that were last measured before an instant: they have nothing any more.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn forget_stored(&self, before: Timestamp) -> Result<(), StoreError>;

    /// Erases at most `limit` rows of one deleted workspace that can no longer be restored at `now`, and its own row after
    /// all others. A sandbox is erased before its live workspace. Returns how many rows were removed, 0 if there is no
    /// such workspace. The workspace cannot be restored after the first call.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn erase_workspace(&self, now: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Removes at most `limit` counters of attempts from hours before `before`; returns how many.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_counts(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;
}
