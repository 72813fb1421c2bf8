//! Wake-ups: who commits a job says so, and the pool's loop looks at once.

use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;
use tidings_domain::ports::{ChangeSet, Clock, CommitError, Ledger, NewJob, Pool, StoreError};
use tokio::sync::Notify;

use crate::adoption::{Adoption, Desk};

/// Tells the loops of this process that there is new work. Clones wake the same loops.
#[derive(Debug, Clone, Default)]
pub struct Wake(Arc<Bells>);

#[derive(Debug, Default)]
struct Bells {
    work: Bell,
    sends: Bell,
    deliveries: Bell,
}

/// Of one pool.
#[derive(Debug, Default)]
struct Bell {
    notify: Notify,
    /// Where the pool's loop runs in this process.
    desk: RwLock<Option<Arc<Desk>>>,
}

impl Wake {
    /// A handle that wakes nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Has the pool's loop look for due work now, or as soon as it is free to.
    pub fn wake(&self, pool: Pool) {
        self.bell(pool).notify.notify_one();
    }

    /// Waits until the pool is woken; a wake-up that came before counts.
    pub(crate) async fn woken(&self, pool: Pool) {
        self.bell(pool).notify.notified().await;
    }

    /// Has new jobs of the pool adopted at this desk.
    pub(crate) fn open(&self, pool: Pool, desk: Arc<Desk>) {
        *self.bell(pool).desk.write().unwrap_or_else(PoisonError::into_inner) = Some(desk);
    }

    /// The place where new jobs of the pool are adopted, if there is one.
    fn desk(&self, pool: Pool) -> Option<Arc<Desk>> {
        self.bell(pool).desk.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn bell(&self, pool: Pool) -> &Bell {
        match pool {
            Pool::Work => &self.0.work,
            Pool::Sends => &self.0.sends,
            Pool::Deliveries => &self.0.deliveries,
        }
    }
}

/// A ledger that hands new jobs to the loops of this process: those that are due and find a place are written as
/// claimed and start at once, for the others the loops are woken.
pub struct WakingLedger {
    ledger: Arc<dyn Ledger>,
    wake: Wake,
    clock: Arc<dyn Clock>,
}

impl WakingLedger {
    /// Commits through `ledger` and wakes through `wake`.
    pub fn new(ledger: Arc<dyn Ledger>, wake: Wake, clock: Arc<dyn Clock>) -> Self {
        Self { ledger, wake, clock }
    }

    /// Has those jobs of the set written as claimed for which there is a place.
    fn adopt(&self, set: &mut ChangeSet) -> Vec<Adoption> {
        if set.jobs.is_empty() {
            return Vec::new();
        }
        let (workspace, now) = (set.workspace, self.clock.now());
        let adopt = |job: &mut NewJob| self.wake.desk(job.kind.pool())?.adopt(workspace, job, now);
        set.jobs.iter_mut().filter_map(adopt).collect()
    }
}

#[async_trait]
impl Ledger for WakingLedger {
    async fn commit(&self, mut set: ChangeSet) -> Result<(), CommitError> {
        let adopted = self.adopt(&mut set);
        let waits = |pool| set.jobs.iter().any(|job| job.lease.is_none() && job.kind.pool() == pool);
        let awaited = Pool::ALL.map(|pool| (pool, waits(pool)));
        if adopted.is_empty() {
            self.ledger.commit(set).await?;
        } else {
            let ledger = Arc::clone(&self.ledger);
            let writing = async move {
                ledger.commit(set).await?;
                adopted.into_iter().for_each(Adoption::written);
                Ok::<(), CommitError>(())
            };
            // To its end, even if who asked for it goes away: nobody else would take what is claimed.
            match tokio::spawn(writing).await {
                Ok(outcome) => outcome?,
                Err(error) => match error.try_into_panic() {
                    Ok(panic) => std::panic::resume_unwind(panic),
                    Err(_) => return Err(StoreError::OutcomeUnknown.into()),
                },
            }
        }
        for (pool, _) in awaited.into_iter().filter(|(_, awaited)| *awaited) {
            self.wake.wake(pool);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;
    use tidings_domain::ids::{DeliveryId, EventId, JobId, TypedId, WebhookId, WorkspaceId};
    use tidings_domain::memory::FixedClock;
    use tidings_domain::ports::MockLedger;
    use tidings_domain::time::Timestamp;
    use uuid::Uuid;

    use super::*;

    fn woken(wake: &Wake) -> Vec<Pool> {
        Pool::ALL.into_iter().filter(|pool| wake.woken(*pool).now_or_never().is_some()).collect()
    }

    fn a_set(jobs: Vec<NewJob>) -> ChangeSet {
        ChangeSet { jobs, ..ChangeSet::new(WorkspaceId::from_uuid(Uuid::nil())) }
    }

    fn jobs() -> Vec<NewJob> {
        let (id, now) = (JobId::from_uuid(Uuid::nil()), Timestamp::EPOCH_2026);
        let (delivery, webhook) = (DeliveryId::from_uuid(Uuid::nil()), WebhookId::from_uuid(Uuid::nil()));
        vec![
            NewJob::relay_event(id, EventId::from_uuid(Uuid::nil()), now),
            NewJob::attempt_delivery(id, delivery, webhook, now),
        ]
    }

    fn answering(answer: Result<(), CommitError>) -> (WakingLedger, Wake) {
        let mut ledger = MockLedger::new();
        ledger.expect_commit().times(1).return_once(move |_| answer);
        let wake = Wake::new();
        (WakingLedger::new(Arc::new(ledger), wake.clone(), Arc::new(FixedClock::default())), wake)
    }

    #[tokio::test]
    async fn a_commit_wakes_the_pools_of_its_jobs_and_no_other() {
        let (ledger, wake) = answering(Ok(()));
        ledger.commit(a_set(jobs())).await.unwrap();
        assert_eq!(woken(&wake), [Pool::Work, Pool::Deliveries]);
    }

    #[tokio::test]
    async fn a_commit_without_jobs_wakes_nobody() {
        let (ledger, wake) = answering(Ok(()));
        ledger.commit(a_set(vec![])).await.unwrap();
        assert_eq!(woken(&wake), []);
    }

    #[tokio::test]
    async fn a_commit_that_failed_wakes_nobody() {
        let (ledger, wake) = answering(Err(StoreError::Contention.into()));
        ledger.commit(a_set(jobs())).await.unwrap_err();
        assert_eq!(woken(&wake), []);
    }
}
