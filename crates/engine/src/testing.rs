//! A store in memory, a clock that follows tokio's, and jobs that do as they are told.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use tidings_domain::Error;
use tidings_domain::access::stored::{StoredBytes, StoredPlace, StoredPortion};
use tidings_domain::ids::{
    ContactId, ConversationId, DeliveryId, EventId, JobId, MessageId, TypedId, WebhookId, WorkspaceId,
};
use tidings_domain::memory::FixedRandomness;
use tidings_domain::ports::{
    Claim, ClaimRequest, ClaimedJob, Clock, EngineStore, HeldClaim, Job, Lease, NewJob, Pool, StoreError, StoredEvent,
};
use tidings_domain::time::Timestamp;
use tokio::sync::Notify;
use tokio::time::Instant;
use uuid::Uuid;

use crate::perform::Perform;
use crate::pool::LoopContext;
use crate::settings::EngineSettings;
use crate::wake::Wake;

/// The job with this number, of the pool for work.
pub(crate) fn a_job(number: u128) -> ClaimedJob {
    ClaimedJob {
        id: JobId::from_uuid(Uuid::from_u128(number)),
        workspace: WorkspaceId::from_uuid(Uuid::nil()),
        job: Job::RelayEvent { event: EventId::from_uuid(Uuid::from_u128(number)), depth: 0 },
        token: 0,
        attempts: 0,
        delivery: None,
    }
}

/// The delivery with this number to the webhook `hook`.
pub(crate) fn a_delivery(number: u128, hook: u128) -> ClaimedJob {
    let (delivery, webhook) =
        (DeliveryId::from_uuid(Uuid::from_u128(number)), WebhookId::from_uuid(Uuid::from_u128(hook)));
    ClaimedJob { job: Job::AttemptDelivery { delivery, webhook, round: 0 }, ..a_job(number) }
}

/// What a loop needs, around a store and a performer.
pub(crate) fn loop_context(store: impl EngineStore + 'static, performer: impl Perform + 'static) -> LoopContext {
    LoopContext {
        settings: EngineSettings::default(),
        store: Arc::new(store),
        performer: Arc::new(performer),
        clock: Arc::new(TokioClock::default()),
        random: Arc::new(FixedRandomness(1.0)),
        wake: Wake::new(),
        pulse: crate::Pulse::new(),
    }
}

/// The first of January 2026, and on with tokio's time.
pub(crate) struct TokioClock(Instant);

impl Default for TokioClock {
    fn default() -> Self {
        Self(Instant::now())
    }
}

impl Clock for TokioClock {
    fn now(&self) -> Timestamp {
        Timestamp::EPOCH_2026.plus(self.0.elapsed())
    }
}

struct Row {
    job: ClaimedJob,
    due_at: Timestamp,
    leased_until: Option<Timestamp>,
}

/// Due work in memory. Clones are the same store.
#[derive(Clone, Default)]
pub(crate) struct MemoryStore(Arc<Mutex<Contents>>);

#[derive(Default)]
struct Contents {
    rows: Vec<Row>,
    claims: Vec<ClaimRequest>,
    down: Option<StoreError>,
}

impl MemoryStore {
    /// Adds a job that is due at `due_at`.
    pub(crate) fn add(&self, job: ClaimedJob, due_at: Timestamp) {
        self.0.lock().unwrap().rows.push(Row { job, due_at, leased_until: None });
    }

    /// Adds a job that is due.
    pub(crate) fn add_due(&self, job: ClaimedJob) {
        self.add(job, Timestamp::EPOCH_2026);
    }

    /// Writes a new job, as claimed where it says so.
    pub(crate) fn write(&self, workspace: WorkspaceId, job: &NewJob) {
        let token = job.lease.map_or(0, |_| NewJob::FIRST_TOKEN);
        let leased_until = job.lease.map(|lease| job.due_at.plus(lease));
        let row = Row { job: ClaimedJob { token, ..job.first_claim(workspace) }, due_at: job.due_at, leased_until };
        self.0.lock().unwrap().rows.push(row);
    }

    /// Removes a job, if the token is that of its claim.
    pub(crate) fn finish(&self, job: &ClaimedJob) -> bool {
        let rows = &mut self.0.lock().unwrap().rows;
        let before = rows.len();
        rows.retain(|row| (row.job.id, row.job.token) != (job.id, job.token));
        rows.len() < before
    }

    /// Frees a claimed job, counting the failure.
    pub(crate) fn give_back(&self, job: &ClaimedJob, due_at: Timestamp) {
        for row in &mut self.0.lock().unwrap().rows {
            if (row.job.id, row.job.token) == (job.id, job.token) {
                row.leased_until = None;
                row.due_at = due_at;
                row.job.attempts += 1;
            }
        }
    }

    /// Gives the job to somebody else, for good.
    pub(crate) fn steal(&self, number: u128) {
        for row in &mut self.0.lock().unwrap().rows {
            if row.job.id.uuid().as_u128() == number {
                row.job.token += 1;
                row.leased_until = Some(Timestamp::from_millis(i64::MAX));
            }
        }
    }

    /// Until when the job is leased.
    pub(crate) fn leased_until(&self, number: u128) -> Option<Timestamp> {
        let contents = self.0.lock().unwrap();
        contents.rows.iter().find(|row| row.job.id.uuid().as_u128() == number).and_then(|row| row.leased_until)
    }

    /// How many jobs are left.
    pub(crate) fn left(&self) -> usize {
        self.0.lock().unwrap().rows.len()
    }

    /// The claims that were asked for in this pool.
    pub(crate) fn claims(&self, pool: Pool) -> Vec<ClaimRequest> {
        self.0.lock().unwrap().claims.iter().filter(|claim| claim.pool == pool).cloned().collect()
    }

    /// Refuses everything with this from now on, or no longer.
    pub(crate) fn refuse(&self, down: Option<StoreError>) {
        self.0.lock().unwrap().down = down;
    }
}

#[async_trait]
impl EngineStore for MemoryStore {
    async fn claim(&self, request: ClaimRequest) -> Result<Vec<ClaimedJob>, StoreError> {
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
        };
        let claim = |row: &mut Row| {
            row.leased_until = Some(until);
            row.job.token += 1;
            row.job
        };
        Ok(contents.rows.iter_mut().filter(takeable).take(request.limit as usize).map(claim).collect())
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

    async fn expire_custom_events(&self, _: Timestamp, _: u32) -> Result<u64, StoreError> {
        Ok(0)
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

    async fn take_lease(&self, _: Lease, _: Uuid, _: Duration, _: Timestamp) -> Result<bool, StoreError> {
        Ok(false)
    }

    async fn measure_stored(&self, _: StoredPlace, _: u32) -> Result<StoredPortion, StoreError> {
        Ok(StoredPortion::default())
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

/// How a scripted job goes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Script {
    /// Fails.
    Fail,
    /// Panics.
    Panic,
    /// Runs until [`Scripted::let_go`].
    Hold,
    /// Runs for ever.
    Hang,
}

/// Does jobs as they are told, by number; the others succeed at once. Clones are the same.
#[derive(Clone, Default)]
pub(crate) struct Scripted(Arc<State>);

#[derive(Default)]
struct State {
    store: Option<MemoryStore>,
    clock: TokioClock,
    go: Notify,
    log: Mutex<Log>,
}

#[derive(Default)]
struct Log {
    scripts: HashMap<u128, Script>,
    started: Vec<(u128, Duration)>,
    finished: Vec<u128>,
    fenced: Vec<u128>,
    dropped: Vec<u128>,
    failures: Vec<String>,
    running: usize,
    most_running: usize,
}

/// Notes the end of a job, also of one that is dropped while it runs.
struct Running<'a>(&'a Scripted, u128, bool);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let mut log = self.0.0.log.lock().unwrap();
        log.running -= 1;
        if !self.2 {
            log.dropped.push(self.1);
        }
    }
}

impl Scripted {
    /// Records ends in `store`.
    pub(crate) fn on(store: &MemoryStore) -> Self {
        Self(Arc::new(State { store: Some(store.clone()), ..State::default() }))
    }

    /// Has the job with this number go so.
    pub(crate) fn script(self, number: u128, script: Script) -> Self {
        self.0.log.lock().unwrap().scripts.insert(number, script);
        self
    }

    /// Ends what is held now.
    pub(crate) fn let_go(&self) {
        self.0.go.notify_waiters();
    }

    /// The jobs that were started, in order.
    pub(crate) fn started(&self) -> Vec<u128> {
        self.0.log.lock().unwrap().started.iter().map(|(number, _)| *number).collect()
    }

    /// When the jobs were started, after the beginning.
    pub(crate) fn started_after(&self) -> Vec<Duration> {
        self.0.log.lock().unwrap().started.iter().map(|(_, after)| *after).collect()
    }

    /// The jobs whose end was recorded.
    pub(crate) fn finished(&self) -> Vec<u128> {
        self.0.log.lock().unwrap().finished.clone()
    }

    /// The jobs whose end changed nothing, because the claim was another's.
    pub(crate) fn fenced(&self) -> Vec<u128> {
        self.0.log.lock().unwrap().fenced.clone()
    }

    /// The jobs that were dropped while they ran, or panicked.
    pub(crate) fn dropped(&self) -> Vec<u128> {
        self.0.log.lock().unwrap().dropped.clone()
    }

    /// With which errors jobs were given back.
    pub(crate) fn failures(&self) -> Vec<String> {
        self.0.log.lock().unwrap().failures.clone()
    }

    /// How many ran at the same time, at the most.
    pub(crate) fn most_running(&self) -> usize {
        self.0.log.lock().unwrap().most_running
    }
}

#[async_trait]
impl Perform for Scripted {
    async fn perform(&self, job: &ClaimedJob) -> Result<(), Error> {
        let number = job.id.uuid().as_u128();
        let script = {
            let mut log = self.0.log.lock().unwrap();
            log.started.push((number, self.0.clock.0.elapsed()));
            log.running += 1;
            log.most_running = log.most_running.max(log.running);
            log.scripts.get(&number).copied()
        };
        let mut running = Running(self, number, false);
        match script {
            Some(Script::Panic) => panic!("as it was told"),
            Some(Script::Hang) => std::future::pending().await,
            Some(Script::Hold) => self.0.go.notified().await,
            Some(Script::Fail) | None => {}
        }
        running.2 = true;
        if let Some(Script::Fail) = script {
            return Err(Error::Store(StoreError::Unavailable("as it was told".to_owned())));
        }
        let recorded = self.0.store.as_ref().is_some_and(|store| store.finish(job));
        let mut log = self.0.log.lock().unwrap();
        if recorded {
            log.finished.push(number)
        } else {
            log.fenced.push(number)
        }
        Ok(())
    }

    async fn give_back(&self, job: &ClaimedJob, error: &Error) -> Result<(), StoreError> {
        self.0.log.lock().unwrap().failures.push(error.to_string());
        if let Some(store) = &self.0.store {
            store.give_back(job, self.0.clock.now().plus(Duration::from_secs(10)));
        }
        Ok(())
    }

    async fn bury(&self, _: &ClaimedJob) -> Result<(), StoreError> {
        Ok(())
    }
}

/// Sends the message with this number.
pub(crate) fn a_send(number: u128) -> Job {
    let id = Uuid::from_u128(number);
    Job::SendMessage { message: MessageId::from_uuid(id), conversation: Some(ConversationId::from_uuid(id)), depth: 0 }
}

/// Routes the message with this number.
pub(crate) fn an_inbound(number: u128) -> Job {
    let id = Uuid::from_u128(number);
    Job::RouteInbound { message: MessageId::from_uuid(id), contact: ContactId::from_uuid(id) }
}
