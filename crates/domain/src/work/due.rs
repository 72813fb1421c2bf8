//! All that is due at an instant, one job after another: for who embeds the domain without a runtime, and for time that is
//! decided, not awaited.

use std::time::Duration;

use super::{Failed, Worker, attempt, bury_poison, give_back};
use crate::ports::{ClaimRequest, ClaimedJob, Pool, StoreError};
use crate::time::Timestamp;

/// For how long a claim is kept; before each job it is taken anew.
const LEASE: Duration = Duration::from_secs(30);
/// How many jobs are claimed at once.
const JOBS: u32 = 16;
/// How many events, or facts, one transaction takes.
const BATCH: u32 = 1_000;

/// What was done.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DueWork {
    /// How many jobs were done.
    pub done: u64,
    /// The jobs that were not, and why. They were given back, and are due again later.
    pub failed: Vec<(ClaimedJob, Failed)>,
}

impl Worker {
    /// Does all that is due at `now`, and what falls due by it, until nothing is due; events get their places in the feed,
    /// and what happened is counted. Nothing is done before the clock of the ports says so, too.
    ///
    /// # Errors
    /// [`StoreError`]: the rest stays due.
    pub async fn run_due(&self, now: Timestamp) -> Result<DueWork, StoreError> {
        let (engine, holder) = (&self.ports.engine, self.ports.ids.next());
        let work = self.run_due_while(now, || true).await?;
        while engine.number_events(holder, LEASE, BATCH, now).await? >= u64::from(BATCH) {}
        while engine.count_facts(BATCH).await? >= u64::from(BATCH) {}
        Ok(work)
    }

    /// The jobs of [`run_due`](Self::run_due) alone, as long as `more` says so: it is asked before each. What was claimed
    /// and not done is due again when its lease is over.
    ///
    /// # Errors
    /// [`StoreError`]: the rest stays due.
    pub async fn run_due_while(
        &self,
        now: Timestamp,
        mut more: impl FnMut() -> bool + Send,
    ) -> Result<DueWork, StoreError> {
        let (engine, mut work) = (&self.ports.engine, DueWork::default());
        loop {
            let at = self.ports.clock.now().min(now);
            bury_poison(&**engine, self, LEASE, at).await?;
            let mut is_idle = true;
            for pool in self.open_pools().await? {
                for job in engine.claim(ClaimRequest::new(pool, JOBS, LEASE, at)).await? {
                    is_idle = false;
                    if !more() {
                        return Ok(work);
                    }
                    // Those before it may have taken long.
                    if !engine.extend(vec![job.held()], LEASE, self.ports.clock.now().min(now)).await?.is_empty() {
                        self.carry_out(job, &mut work).await;
                    }
                }
            }
            if is_idle {
                return Ok(work);
            }
        }
    }

    /// When the next job falls due after the present instant; `None` where none does, or where what is due already is
    /// held back.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn next_due(&self) -> Result<Option<Timestamp>, StoreError> {
        let mut next = None;
        for pool in self.open_pools().await? {
            let due = self.ports.engine.next_due(pool).await?.filter(|at| *at < Timestamp::END);
            next = [next, due].into_iter().flatten().min();
        }
        Ok(next.filter(|at| *at > self.ports.clock.now()))
    }

    /// The pools whose work may be done: not those that leave, while everything is held.
    async fn open_pools(&self) -> Result<Vec<Pool>, StoreError> {
        let is_held = self.ports.outbound.holds().await?.store.is_some();
        Ok(Pool::ALL.into_iter().filter(|pool| !(is_held && pool.leaves())).collect())
    }

    async fn carry_out(&self, job: ClaimedJob, work: &mut DueWork) {
        match attempt(self, &job).await {
            Ok(()) => work.done += 1,
            Err(failed) => {
                // Where even that fails, the lease runs out.
                let failed = give_back(self, &job, &failed.error).await.err().unwrap_or(failed);
                work.failed.push((job, failed));
            }
        }
    }
}
