//! The loop of one pool: it claims jobs, runs them and extends their leases.

mod look;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::{BoxFuture, Fuse, FusedFuture};
use tidings_domain::ports::{Claim, ClaimedJob, Clock, EngineStore, HeldClaim, Pool, Randomness, StoreError};
use tidings_domain::time::Timestamp;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::watch;
use tokio::task::{AbortHandle, JoinError, JoinSet};
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until, timeout_at};
use uuid::Uuid;

use crate::heartbeat::Heartbeat;
use crate::local_handoff::{HandoffOutcome, LocalHandoff};
use crate::perform::{Perform, run};
use crate::settings::EngineSettings;
use crate::slots::{Key, Slots, key};
use crate::wake::Wake;
use look::Look;

/// Maximum wait for more free slots if few are free.
pub(crate) const LINGER: Duration = Duration::from_millis(2);
/// Minimum time between looks if the last one left nothing behind. Jobs that fall due in this time are claimed
/// together.
pub(crate) const REST: Duration = Duration::from_millis(5);
/// Number of times that the open slots double during the warm-up. It suffices for 256 slots.
const DOUBLINGS: u32 = 8;
/// Timeout for the release of dropped claims during shutdown.
const RELEASE_TIME_OUT: Duration = Duration::from_secs(1);

/// The dependencies that all loops share.
#[derive(Clone)]
pub(crate) struct LoopContext {
    pub(crate) settings: EngineSettings,
    pub(crate) store: Arc<dyn EngineStore>,
    pub(crate) performer: Arc<dyn Perform>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) random: Arc<dyn Randomness>,
    pub(crate) wake: Wake,
    pub(crate) heartbeat: Heartbeat,
}

impl LoopContext {
    /// Returns a random name for a loop, to distinguish it from loops of other processes.
    pub(crate) fn name(&self) -> Uuid {
        let bits = || (self.random.unit() * f64::from(u32::MAX)) as u64;
        Uuid::from_u64_pair(bits() << 32 | bits(), bits() << 32 | bits() | 1)
    }
}

type Asking<T> = Fuse<BoxFuture<'static, Result<T, StoreError>>>;

pub(crate) struct PoolLoop {
    context: LoopContext,
    pool: Pool,
    handoff: Arc<LocalHandoff>,
    outcomes: UnboundedReceiver<HandoffOutcome>,
    tasks: JoinSet<(Key, Duration)>,
    handles: HashMap<Key, AbortHandle>,
    looking: Asking<Look>,
    extending: Asking<(Vec<HeldClaim>, Vec<Claim>)>,
    may_have_work: bool,
    /// Time of the next look if no wake-up comes.
    next_look: Instant,
    /// No look before this time, because the store refused a claim, or because the last claim read past full channels.
    backoff_until: Instant,
    refusals: u32,
    /// Whether the last look left due jobs behind.
    more: bool,
    /// The low-water mark: all jobs that fell due before it were claimed.
    mark: Option<Timestamp>,
    /// Number of ended pauses of outbound sending at the last look.
    pauses_ended: u64,
    /// Time of the next full look, which also searches before the mark.
    next_full_look: Instant,
    /// End of the wait for more free slots.
    linger_until: Option<Instant>,
    /// No look before this time, unless the last one left jobs behind.
    rest_until: Instant,
    stopping: bool,
}

impl PoolLoop {
    pub(crate) fn new(context: LoopContext, pool: Pool) -> Self {
        let now = Instant::now();
        let total = context.settings.slots(pool);
        let slots = if context.settings.warm_up.is_zero() { Slots::new(total) } else { Slots::opening(total) };
        let (handoff, outcomes) = LocalHandoff::open(slots, context.settings.lease);
        context.wake.open(pool, Arc::clone(&handoff));
        Self {
            handoff,
            outcomes,
            context,
            pool,
            tasks: JoinSet::new(),
            handles: HashMap::new(),
            looking: Fuse::terminated(),
            extending: Fuse::terminated(),
            may_have_work: true,
            next_look: now,
            backoff_until: now,
            refusals: 0,
            more: false,
            mark: None,
            pauses_ended: 0,
            next_full_look: now,
            linger_until: None,
            rest_until: now,
            stopping: false,
        }
    }

    /// Runs until `stop` turns true and the running jobs have ended or the grace period is over.
    pub(crate) async fn run(mut self, mut stop: watch::Receiver<bool>) {
        let heartbeat = self.context.settings.heartbeat;
        let mut beat = interval_at(Instant::now() + heartbeat, heartbeat);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let opens_after = (self.context.settings.warm_up / DOUBLINGS).max(Duration::from_millis(1));
        let mut opening = interval_at(Instant::now() + opens_after, opens_after);
        let mut deadline = None;
        let wake = self.context.wake.clone();
        while !self.is_done() {
            self.context.heartbeat.note_turn(self.pool);
            self.look();
            let is_open = self.handoff.slots(|slots| slots.is_open());
            let may_look =
                !self.stopping && self.looking.is_terminated() && self.handoff.slots(|slots| slots.free()) > 0;
            tokio::select! {
                biased;
                () = stopped(&mut stop), if !self.stopping => {
                    deadline = Some(Instant::now() + self.context.settings.shutdown_grace);
                    self.begin_stop().await;
                }
                () = sleep_until(deadline.unwrap_or(self.next_look)), if self.stopping => break,
                answer = &mut self.extending => self.extended(answer),
                _ = beat.tick(), if self.extending.is_terminated() => self.extend(),
                Some(ended) = self.tasks.join_next() => {
                    self.ended(ended);
                    // Jobs often end in groups, because their ends are committed together.
                    while let Some(ended) = self.tasks.try_join_next() {
                        self.ended(ended);
                    }
                    self.tell_depth();
                }
                Some(outcome) = self.outcomes.recv() => {
                    let mut unwanted = Vec::from_iter(self.finish_handoff(outcome));
                    while let Ok(outcome) = self.outcomes.try_recv() {
                        unwanted.extend(self.finish_handoff(outcome));
                    }
                    release(&self.context, unwanted).await;
                }
                answer = &mut self.looking => self.finish_look(answer),
                () = wake.woken(self.pool), if !self.stopping => self.may_have_work = true,
                _ = opening.tick(), if !is_open => {
                    self.handoff.slots(Slots::open_more);
                    self.may_have_work |= self.more;
                }
                () = sleep_until(self.next_look), if may_look => self.may_have_work = true,
            }
        }
        self.abandon().await;
    }

    fn is_done(&self) -> bool {
        self.stopping && self.handoff.slots(|slots| slots.is_idle()) && self.looking.is_terminated()
    }

    fn take(&mut self, job: ClaimedJob) {
        for older in self.handoff.slots(|slots| slots.superseded_by(&job)) {
            self.lose(older);
        }
        if let Some(job) = self.handoff.slots(|slots| slots.take(job)) {
            self.start(job);
        }
    }

    /// Starts a handed-over job after its commit, or frees its slot. Returns its claim if the loop is stopping.
    fn finish_handoff(&mut self, outcome: HandoffOutcome) -> Option<HeldClaim> {
        match outcome {
            HandoffOutcome::Written(job) if self.stopping => {
                self.end(key(&job), None);
                Some(job.held_claim())
            }
            HandoffOutcome::Written(job) => {
                if self.handoff.slots(|slots| slots.confirm_reserved(&job)) {
                    self.start(*job);
                }
                None
            }
            HandoffOutcome::Unwritten(key) => {
                self.end(key, None);
                None
            }
        }
    }

    fn start(&mut self, job: ClaimedJob) {
        let (key, performer) = (key(&job), Arc::clone(&self.context.performer));
        // Another job may wait behind this one in its lane.
        let next_in_lane = job.job.columns().lane.is_some().then(|| self.context.wake.clone());
        let handle = self.tasks.spawn(async move {
            let pool = job.job.pool();
            let began = Instant::now();
            run(performer, job).await;
            if let Some(wake) = next_in_lane {
                wake.wake(pool);
            }
            (key, began.elapsed())
        });
        self.handles.insert(key, handle);
    }

    fn ended(&mut self, ended: Result<(Key, Duration), JoinError>) {
        let (key, took) = match ended {
            Ok((key, took)) => (Some(key), Some(took)),
            Err(error) => {
                (self.handles.iter().find(|(_, handle)| handle.id() == error.id()).map(|(key, _)| *key), None)
            }
        };
        // This end may allow a claim of jobs that the last look left behind.
        self.may_have_work |= self.more;
        if let Some(key) = key {
            self.handles.remove(&key);
            self.end(key, took);
        }
    }

    fn tell_depth(&self) {
        let running = u32::try_from(self.handles.len()).unwrap_or(u32::MAX);
        metrics::gauge!("tidings_pool_running_jobs", "pool" => self.pool.as_str()).set(running);
        let claimed = u32::try_from(self.handoff.slots(|slots| slots.count_claims())).unwrap_or(u32::MAX);
        metrics::gauge!("tidings_pool_claimed_jobs", "pool" => self.pool.as_str()).set(claimed);
    }

    fn end(&mut self, key: Key, took: Option<Duration>) {
        for next in self.handoff.slots(|slots| slots.end(key, took)) {
            self.start(next);
        }
    }

    /// Drops a job with a lost claim. Another worker may have the job, and a result from here would be rejected.
    fn lose(&mut self, key: Key) {
        tracing::warn!(job = %key.0, pool = self.pool.as_str(), "a claim was lost; its result is discarded");
        if let Some(handle) = self.handles.remove(&key) {
            handle.abort();
        }
        self.end(key, None);
    }

    fn extend(&mut self) {
        let claims = self.handoff.slots(|slots| slots.claims());
        if claims.is_empty() {
            return;
        }
        let (store, lease, now) =
            (Arc::clone(&self.context.store), self.context.settings.lease, self.context.clock.now());
        let asking = async move {
            let kept = store.extend(claims.clone(), lease, now).await?;
            Ok((claims, kept))
        };
        self.extending = asking.boxed().fuse();
    }

    fn extended(&mut self, answer: Result<(Vec<HeldClaim>, Vec<Claim>), StoreError>) {
        match answer {
            Ok((asked, kept)) => {
                let held = self.handoff.slots(|slots| slots.claims());
                let is_lost = |it: &HeldClaim| !kept.contains(&it.claim) && held.contains(it);
                for HeldClaim { claim: lost, .. } in asked.into_iter().filter(is_lost) {
                    self.lose((lost.job, lost.token));
                }
            }
            // If the leases expire, tokens still reject outdated results.
            Err(error) => tracing::warn!(pool = self.pool.as_str(), %error, "leases could not be extended"),
        }
    }

    /// Stops claiming and releases the waiting jobs to other processes.
    async fn begin_stop(&mut self) {
        self.stopping = true;
        let waiting = self.handoff.slots(|slots| {
            slots.accepts = false;
            slots.drop_waiting()
        });
        release(&self.context, waiting).await;
    }

    /// Drops the jobs that still run after the grace period, and releases their claims at once.
    async fn abandon(mut self) {
        self.outcomes.close();
        let mut left = self.handoff.slots(|slots| slots.claims());
        while let Ok(outcome) = self.outcomes.try_recv() {
            left.extend(self.finish_handoff(outcome));
        }
        if !left.is_empty() {
            tracing::warn!(
                pool = self.pool.as_str(),
                jobs = left.len(),
                "jobs did not finish in time; they are returned to the queue"
            );
        }
        self.tasks.shutdown().await;
        release(&self.context, left).await;
    }
}

/// Waits until the engine stops or is dropped.
pub(crate) async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

/// Releases claims by setting a lease of zero length.
async fn release(context: &LoopContext, claims: Vec<HeldClaim>) {
    if !claims.is_empty() {
        let released = context.store.extend(claims, Duration::ZERO, context.clock.now());
        let _ = timeout_at(Instant::now() + RELEASE_TIME_OUT, released).await;
    }
}
