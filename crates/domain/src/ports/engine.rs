//! The port of engines: claims of due jobs, and maintenance across workspaces.

use std::time::Duration;

use async_trait::async_trait;
use uuid::Uuid;

use super::claim::{Claim, HeldClaim};
use super::claimed_job::ClaimedJob;
use super::errors::StoreError;
use super::jobs::Pool;
use super::media::FilePlace;
use crate::access::storage_usage::{StoredBytes, StoredPlace, StoredPortion};
use crate::events::EventKind;
use crate::ids::{ChannelId, ContactId, EventId, TypedId, WorkspaceId};
use crate::time::Timestamp;

/// A task that one process does for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lease {
    /// Numbering events.
    Sequencer,
    /// Measuring stored text.
    Measuring,
}

impl Lease {
    /// Returns the word in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sequencer => "event_sequencer",
            Self::Measuring => "stored_text",
        }
    }
}

/// A request to claim jobs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRequest {
    /// The pool.
    pub pool: Pool,
    /// The maximum number of jobs.
    pub limit: u32,
    /// The length of the lease, by the store's clock.
    pub lease: Duration,
    /// The maximum number of later attempts at deliveries. It leaves room for first attempts.
    pub retries: u32,
    /// Groups that already have enough running jobs in this process. None of their jobs are claimed.
    pub full_groups: Vec<Uuid>,
    /// Workspaces that already have enough running jobs in this process. The pools whose jobs wait for other services skip
    /// their jobs; the pool for short work claims them only if no others wait.
    pub full_workspaces: Vec<WorkspaceId>,
    /// A recent claim already searched for jobs due before this time, so they may be skipped.
    pub since: Option<Timestamp>,
    /// The current time. Stores with a clock that all workers share ignore it.
    pub now: Timestamp,
}

impl ClaimRequest {
    /// Requests up to `limit` due jobs of the pool, of any workspace.
    pub fn new(pool: Pool, limit: u32, lease: Duration, now: Timestamp) -> Self {
        Self { pool, limit, lease, retries: limit, full_groups: vec![], full_workspaces: vec![], since: None, now }
    }
}

/// The position of a sweep in a list that is ordered by time and ID.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SweepPlace {
    /// The time of the last row.
    pub at: Timestamp,
    /// The ID of the last row.
    pub id: Uuid,
}

impl SweepPlace {
    /// The place before all rows of this time and later.
    pub fn before(at: Timestamp) -> Self {
        Self { at, id: Uuid::nil() }
    }
}

/// A deleted contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeletedContact {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The contact.
    pub contact: ContactId,
    /// The time of the deletion.
    pub deleted_at: Timestamp,
}

impl DeletedContact {
    /// Returns the place of the contact in the list of deleted contacts.
    pub fn place(self) -> SweepPlace {
        SweepPlace { at: self.deleted_at, id: self.contact.uuid() }
    }
}

/// A connected channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectedChannel {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The channel.
    pub channel: ChannelId,
    /// Number of the job that checks the channel next.
    pub round: i64,
}

impl ConnectedChannel {
    /// Returns the place of the channel in the list of connected channels.
    pub fn place(self) -> (WorkspaceId, ChannelId) {
        (self.workspace, self.channel)
    }
}

/// An event as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredEvent {
    /// The ID.
    pub id: EventId,
    /// The kind.
    pub kind: EventKind,
    /// The time of the event.
    pub at: Timestamp,
    /// The envelope with whole objects.
    pub full: String,
    /// The envelope with IDs only.
    pub thin: String,
}

/// The work of engines across workspaces. After a claim, they use the other ports.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait EngineStore: Send + Sync {
    /// Claims due jobs. Such a job is unclaimed, or its lease expired; it is the oldest of its lane, and no other job
    /// of the lane is claimed. A job that was claimed five times without a result is not claimed again.
    ///
    /// The pools for sends and deliveries are empty while outbound sending is paused for the store or the workspace.
    ///
    /// In the pool for deliveries, a quarter of the limit goes to HTTP calls, if enough are due. Then come later
    /// attempts, first attempts and the other calls. For each kind, workspaces take turns: none gets a second job while
    /// another one waits for its first. In the other pools, half of the limit goes to the jobs that are due the longest.
    /// If more are due, workspaces take turns for the other half.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is claimed then.
    async fn claim(&self, request: ClaimRequest) -> Result<Vec<ClaimedJob>, StoreError>;

    /// Returns how many pauses of outbound sending ended, as far as this process observed them. If it grows, jobs due
    /// before [`ClaimRequest::since`] can become claimable: the next claim must not set it. A store that ignores that
    /// mark returns 0. A pause that another process ended is counted within half a second.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn pauses_ended(&self) -> Result<u64, StoreError>;

    /// Claims at most `limit` jobs that were claimed five times without a result and whose lease expired. They must be
    /// dead-lettered, not run.
    ///
    /// # Errors
    /// [`StoreError`]; nothing is claimed then.
    async fn poisoned(&self, limit: u32, lease: Duration, now: Timestamp) -> Result<Vec<ClaimedJob>, StoreError>;

    /// Extends leases that are still held and returns their claims. The other claims are lost.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn extend(&self, claims: Vec<HeldClaim>, lease: Duration, now: Timestamp) -> Result<Vec<Claim>, StoreError>;

    /// Returns when the next job of the pool is due. Claimed and dead-lettered jobs do not count, nor do jobs behind
    /// another one of their lane. The time can be in the past: the job can be claimed now.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn next_due(&self, pool: Pool) -> Result<Option<Timestamp>, StoreError>;

    /// Returns an event of a workspace.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn event(&self, workspace: WorkspaceId, event: EventId) -> Result<Option<StoredEvent>, StoreError>;

    /// Moves at most `limit` facts into the counters of their quarter-hours, each once. Returns their number.
    ///
    /// # Errors
    /// [`StoreError`]; nothing was moved then.
    async fn count_facts(&self, limit: u32) -> Result<u64, StoreError>;

    /// Removes at most `limit` idempotency records created before `before`. Returns their number.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_idempotency(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Gives positions to at most `limit` committed events without one. Returns their number.
    ///
    /// Positions are 1, 2, 3 per workspace, without gaps, after all earlier ones. They follow the order of commits if
    /// these did not overlap. `holder` takes or extends a lease of this length, by the store's clock. If another holder
    /// has the lease, nothing is done and 0 returned. A store with sequential commits may assign positions as it
    /// writes, and has nothing left to do here.
    ///
    /// # Errors
    /// [`StoreError`]; no position was given then.
    async fn number_events(&self, holder: Uuid, lease: Duration, limit: u32, now: Timestamp)
    -> Result<u64, StoreError>;

    /// Removes at most `limit` events from before `before`, with their deliveries. Events with a planned attempt stay.
    /// Returns the number of events.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_events(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Removes at most `limit` deliveries created before `before`, with their attempts. Deliveries with a planned
    /// attempt stay. Returns their number.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_deliveries(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Removes at most `limit` custom events from before `before`, the oldest first. Returns their number.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_custom_events(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Removes at most `limit` requests that were not understood and received before `before`, the oldest first. Returns
    /// their number.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_unparsed(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Removes at most `limit` recorded events of providers from before `before`, the oldest first. Returns their
    /// number.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_provider_events(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Removes at most `limit` files that no message uses and that were created before `before`, the oldest first.
    /// Returns their number. Their bytes stay.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_media(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Returns the files, of at most 500, that have a row.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn existing_media(&self, files: Vec<FilePlace>) -> Result<Vec<FilePlace>, StoreError>;

    /// Examines at most `limit` messages after `from` that were created before `before`, the oldest first, and removes
    /// them. Queued messages, messages that are being sent, and the last message of a conversation that is not resolved
    /// stay. Files that no other message of the contact uses become unused. Returns the `from` of the next call, or
    /// `None` if no message is left.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_messages(
        &self,
        from: SweepPlace,
        before: Timestamp,
        limit: u32,
    ) -> Result<Option<SweepPlace>, StoreError>;

    /// Removes conversations that were resolved before `before` and are still resolved, with all their messages: at
    /// most `limit` rows, of the conversations that were resolved first. Conversations with messages that are queued or
    /// being sent stay. Files that no other message of the contact uses become unused. Returns the number of rows.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_conversations(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Returns at most `limit` contacts after `from` that were deleted before `before`, the first deleted first. Erased
    /// and merged contacts are deleted, too.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn deleted_contacts(
        &self,
        from: SweepPlace,
        before: Timestamp,
        limit: u32,
    ) -> Result<Vec<DeletedContact>, StoreError>;

    /// Returns at most `limit` connected channels of all workspaces after `after`, by workspace and ID.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn connected_channels(
        &self,
        after: Option<(WorkspaceId, ChannelId)>,
        limit: u32,
    ) -> Result<Vec<ConnectedChannel>, StoreError>;

    /// Removes at most `limit` entries of the audit log from days that ended by `before`, the oldest first. Returns
    /// their number.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_audit_log(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Clears the traces of at most `limit` runs that ended at or after `from` and before `before`, the oldest first.
    /// Returns the `from` of the next call, or `None` if no such run is left.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_traces(
        &self,
        from: Timestamp,
        before: Timestamp,
        limit: u32,
    ) -> Result<Option<Timestamp>, StoreError>;

    /// Removes at most `limit` runs that ended before `before`, the oldest first. Returns their number.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_runs(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Removes at most `limit` recipients of one broadcast that ended at or after `from` and before `before`, the
    /// oldest first. Returns the `from` of the next call, or `None` if there was no such broadcast.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_recipients(
        &self,
        from: Timestamp,
        before: Timestamp,
        limit: u32,
    ) -> Result<Option<Timestamp>, StoreError>;

    /// Sets the sort keys of at most `limit` contacts and as many tags. They are missing or outdated because the
    /// previous release wrote the names. Returns the number of keys. If none is left, lists use sort keys from then on.
    ///
    /// # Errors
    /// [`StoreError`]; no key was set then.
    async fn fill_sort_keys(&self, limit: u32) -> Result<u64, StoreError>;

    /// Takes or extends this lease, by the store's clock. Returns false if another `holder` has it.
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

    /// Measures the stored text of at most `limit` objects from `from` on, of all workspaces.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn measure_stored(&self, from: StoredPlace, limit: u32) -> Result<StoredPortion, StoreError>;

    /// Returns the time of the last measurement of stored text; `None` if no workspace has any.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn last_measured(&self) -> Result<Option<Timestamp>, StoreError>;

    /// Stores the amounts of stored text of workspaces, measured at `at`.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn keep_stored(&self, bytes: Vec<(WorkspaceId, StoredBytes)>, at: Timestamp) -> Result<(), StoreError>;

    /// Removes the amounts of workspaces that were last measured before `before`: they have no text any more.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn forget_stored(&self, before: Timestamp) -> Result<(), StoreError>;

    /// Erases at most `limit` rows of one deleted workspace that can no longer be restored at `now`. The workspace's
    /// own row is the last one. A sandbox is erased before its live workspace. Returns the number of rows, 0 if there
    /// is no such workspace. The workspace cannot be restored after the first call.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn erase_workspace(&self, now: Timestamp, limit: u32) -> Result<u64, StoreError>;

    /// Removes at most `limit` attempt counters of hours before `before`. Returns their number.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire_counts(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;
}
