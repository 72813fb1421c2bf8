//! Runs all due work sequentially, for programs that embed the domain without a runtime, and for a simulated clock.

use std::time::Duration;

use super::{JobFailure, Worker, attempt, bury_poison, give_back};
use crate::ports::{ClaimRequest, ClaimedJob, Pool, StoreError};
use crate::time::Timestamp;

/// The length of a lease. It is renewed before each job.
const LEASE: Duration = Duration::from_secs(30);
const JOBS: u32 = 16;
const BATCH: u32 = 1_000;

/// The result of running due work.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DueWork {
    /// The number of finished jobs.
    pub done: u64,
    /// The failed jobs, with their errors. They were given back and are due again later.
    pub failed: Vec<(ClaimedJob, JobFailure)>,
}

impl Worker {
    /// Runs all jobs due at `now`, and the jobs that they make due by then. Then numbers events and counts facts. Jobs
    /// that are not yet due by the clock of the ports do not run.
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

    /// Runs only the jobs of [`run_due`](Self::run_due), while `more` returns true before each. Claimed jobs that did
    /// not run are due again after their lease.
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
                    // Earlier jobs of this claim may have taken long.
                    if !engine.extend(vec![job.held_claim()], LEASE, self.ports.clock.now().min(now)).await?.is_empty()
                    {
                        self.carry_out(job, &mut work).await;
                    }
                }
            }
            if is_idle {
                return Ok(work);
            }
        }
    }

    /// Returns when the next job is due, if that is in the future. Returns `None` if there is none, or if jobs that are
    /// already due are paused.
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

    /// Returns the pools with jobs that may run: without outbound pools during a pause of the whole store.
    async fn open_pools(&self) -> Result<Vec<Pool>, StoreError> {
        let is_held = self.ports.outbound.pauses().await?.store.is_some();
        Ok(Pool::ALL.into_iter().filter(|pool| !(is_held && pool.leaves())).collect())
    }

    async fn carry_out(&self, job: ClaimedJob, work: &mut DueWork) {
        match attempt(self, &job).await {
            Ok(()) => work.done += 1,
            Err(failed) => {
                // If even that fails, the lease expires.
                let failed = give_back(self, &job, &failed.error).await.err().unwrap_or(failed);
                work.failed.push((job, failed));
            }
        }
    }
}
