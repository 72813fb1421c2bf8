//! An in-memory store of due work that can be made to refuse requests.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use tidings_domain::access::storage_usage::{StoredBytes, StoredPlace, StoredPortion};
use tidings_domain::ids::{ChannelId, EventId, TypedId, WorkspaceId};
use tidings_domain::ports::{
    Claim, ClaimRequest, ClaimedJob, ConnectedChannel, DeletedContact, EngineStore, FilePlace, HeldClaim, Lease,
    NewJob, Pool, StoreError, StoredEvent, SweepPlace,
};
use tidings_domain::time::Timestamp;
use uuid::Uuid;

struct Row {
    job: ClaimedJob,
    due_at: Timestamp,
    leased_until: Option<Timestamp>,
}

/// Due work in memory. Clones share their contents.
#[derive(Clone, Default)]
pub(crate) struct JobsInMemory(Arc<Mutex<Contents>>);

#[derive(Default)]
struct Contents {
    rows: Vec<Row>,
    claims: Vec<ClaimRequest>,
    down: Option<StoreError>,
    pauses_ended: u64,
    claims_take: Duration,
}

impl JobsInMemory {
    pub(crate) fn add(&self, job: ClaimedJob, due_at: Timestamp) {
        self.0.lock().unwrap().rows.push(Row { job, due_at, leased_until: None });
    }

    pub(crate) fn add_due(&self, job: ClaimedJob) {
        self.add(job, Timestamp::EPOCH_2026);
    }

    /// Writes a new job, claimed if it has a lease.
    pub(crate) fn write(&self, workspace: WorkspaceId, job: &NewJob) {
        let token = job.lease.map_or(0, |_| NewJob::FIRST_TOKEN);
        let leased_until = job.lease.map(|lease| job.due_at.plus(lease));
        let row = Row { job: ClaimedJob { token, ..job.first_claim(workspace) }, due_at: job.due_at, leased_until };
        self.0.lock().unwrap().rows.push(row);
    }

    /// Removes a job if the token is the current one.
    pub(crate) fn finish(&self, job: &ClaimedJob) -> bool {
        let rows = &mut self.0.lock().unwrap().rows;
        let before = rows.len();
        rows.retain(|row| (row.job.id, row.job.token) != (job.id, job.token));
        rows.len() < before
    }

    /// Releases a claimed job and counts the failure.
    pub(crate) fn give_back(&self, job: &ClaimedJob, due_at: Timestamp) {
        for row in &mut self.0.lock().unwrap().rows {
            if (row.job.id, row.job.token) == (job.id, job.token) {
                row.leased_until = None;
                row.due_at = due_at;
                row.job.attempts += 1;
            }
        }
    }

    /// Assigns the job to another worker permanently.
    pub(crate) fn steal(&self, number: u128) {
        for row in &mut self.0.lock().unwrap().rows {
            if row.job.id.uuid().as_u128() == number {
                row.job.token += 1;
                row.leased_until = Some(Timestamp::from_millis(i64::MAX));
            }
        }
    }

    pub(crate) fn leased_until(&self, number: u128) -> Option<Timestamp> {
        let contents = self.0.lock().unwrap();
        contents.rows.iter().find(|row| row.job.id.uuid().as_u128() == number).and_then(|row| row.leased_until)
    }

    /// Returns the number of claims of each remaining job, by number.
    pub(crate) fn claimed(&self) -> Vec<(u128, i64)> {
        self.0.lock().unwrap().rows.iter().map(|row| (row.job.id.uuid().as_u128(), row.job.token)).collect()
    }

    /// Returns the store as the next process finds it after a crash: without leases.
    pub(crate) fn after_a_crash(&self) -> Self {
        let rows = &self.0.lock().unwrap().rows;
        let rows = rows.iter().map(|row| Row { job: row.job, due_at: row.due_at, leased_until: None }).collect();
        Self(Arc::new(Mutex::new(Contents { rows, ..Contents::default() })))
    }

    pub(crate) fn count_jobs(&self) -> usize {
        self.0.lock().unwrap().rows.len()
    }

    pub(crate) fn claims(&self, pool: Pool) -> Vec<ClaimRequest> {
        self.0.lock().unwrap().claims.iter().filter(|claim| claim.pool == pool).cloned().collect()
    }

    pub(crate) fn end_pause(&self) {
        self.0.lock().unwrap().pauses_ended += 1;
    }

    /// Makes each claim take this time.
    pub(crate) fn slow_down_claims(&self, claims_take: Duration) {
        self.0.lock().unwrap().claims_take = claims_take;
    }

    /// Refuses all requests with this error, or accepts them again.
    pub(crate) fn refuse(&self, down: Option<StoreError>) {
        self.0.lock().unwrap().down = down;
    }
}

#[async_trait]
impl EngineStore for JobsInMemory {
    async fn claim(&self, request: ClaimRequest) -> Result<Vec<ClaimedJob>, StoreError> {
        let takes = self.0.lock().unwrap().claims_take;
        if !takes.is_zero() {
            tokio::time::sleep(takes).await;
        }
        let mut contents = self.0.lock().unwrap();
        contents.claims.push(request.clone());
        if let Some(error) = &contents.down {
            return Err(error.clone());
        }
        let until = request.now.plus(request.lease);
        let takeable = |row: &&mut Row| {
            row.job.job.pool() == request.pool
                && row.due_at <= request.now
                && row.leased_until.is_none_or(|until| until <= request.now)
                && row.job.group().is_none_or(|group| !request.full_groups.contains(&group))
                && !(request.pool.waits_for_others() && request.full_workspaces.contains(&row.job.workspace))
        };
        let claim = |row: &mut Row| {
            row.leased_until = Some(until);
            row.job.token += 1;
            row.job
        };
        Ok(contents.rows.iter_mut().filter(takeable).take(request.limit as usize).map(claim).collect())
    }

    async fn pauses_ended(&self) -> Result<u64, StoreError> {
        Ok(self.0.lock().unwrap().pauses_ended)
    }

    async fn poisoned(&self, _: u32, _: Duration, _: Timestamp) -> Result<Vec<ClaimedJob>, StoreError> {
        Ok(Vec::new())
    }

    async fn extend(&self, claims: Vec<HeldClaim>, lease: Duration, now: Timestamp) -> Result<Vec<Claim>, StoreError> {
        let mut contents = self.0.lock().unwrap();
        if let Some(error) = &contents.down {
            return Err(error.clone());
        }
        let held = |row: &Row, claim: &Claim| row.job.id == claim.job && row.job.token == claim.token;
        let mut kept = Vec::new();
        for HeldClaim { claim, .. } in claims {
            for row in contents.rows.iter_mut().filter(|row| held(row, &claim)) {
                row.leased_until = Some(now.plus(lease));
                kept.push(claim);
            }
        }
        Ok(kept)
    }

    async fn next_due(&self, pool: Pool) -> Result<Option<Timestamp>, StoreError> {
        let contents = self.0.lock().unwrap();
        let free = contents.rows.iter().filter(|row| row.job.job.pool() == pool && row.leased_until.is_none());
        Ok(free.map(|row| row.due_at).min())
    }

    async fn event(&self, _: WorkspaceId, _: EventId) -> Result<Option<StoredEvent>, StoreError> {
        Ok(None)
    }

    async fn count_facts(&self, _: u32) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn expire_idempotency(&self, _: Timestamp, _: u32) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn number_events(&self, _: Uuid, _: Duration, _: u32, _: Timestamp) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn expire_events(&self, _: Timestamp, _: u32) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn expire_deliveries(&self, _: Timestamp, _: u32) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn expire_unparsed(&self, _: Timestamp, _: u32) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn expire_provider_events(&self, _: Timestamp, _: u32) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn expire_media(&self, _: Timestamp, _: u32) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn existing_media(&self, files: Vec<FilePlace>) -> Result<Vec<FilePlace>, StoreError> {
        Ok(files)
    }

    async fn expire_custom_events(&self, _: Timestamp, _: u32) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn erase_workspace(&self, _: Timestamp, _: u32) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn expire_messages(&self, _: SweepPlace, _: Timestamp, _: u32) -> Result<Option<SweepPlace>, StoreError> {
        Ok(None)
    }

    async fn expire_conversations(&self, _: Timestamp, _: u32) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn deleted_contacts(&self, _: SweepPlace, _: Timestamp, _: u32) -> Result<Vec<DeletedContact>, StoreError> {
        Ok(Vec::new())
    }

    async fn connected_channels(
        &self,
        _: Option<(WorkspaceId, ChannelId)>,
        _: u32,
    ) -> Result<Vec<ConnectedChannel>, StoreError> {
        Ok(Vec::new())
    }

    async fn expire_audit_log(&self, _: Timestamp, _: u32) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn expire_traces(&self, _: Timestamp, _: Timestamp, _: u32) -> Result<Option<Timestamp>, StoreError> {
        Ok(None)
    }

    async fn expire_runs(&self, _: Timestamp, _: u32) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn expire_recipients(&self, _: Timestamp, _: Timestamp, _: u32) -> Result<Option<Timestamp>, StoreError> {
        Ok(None)
    }

    async fn fill_sort_keys(&self, _: u32) -> Result<u64, StoreError> {
        Ok(0)
    }

    async fn take_lease(&self, _: Lease, _: Uuid, _: Duration, _: Timestamp) -> Result<bool, StoreError> {
        Ok(false)
    }

    async fn measure_stored(&self, _: StoredPlace, _: u32) -> Result<StoredPortion, StoreError> {
        Ok(StoredPortion::default())
    }

    async fn last_measured(&self) -> Result<Option<Timestamp>, StoreError> {
        Ok(None)
    }

    async fn keep_stored(&self, _: Vec<(WorkspaceId, StoredBytes)>, _: Timestamp) -> Result<(), StoreError> {
        Ok(())
    }

    async fn forget_stored(&self, _: Timestamp) -> Result<(), StoreError> {
        Ok(())
    }

    async fn expire_counts(&self, _: Timestamp, _: u32) -> Result<u64, StoreError> {
        Ok(0)
    }
}
