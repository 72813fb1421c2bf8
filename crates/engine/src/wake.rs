//! Wake-ups: who commits a job says so, and the pool's loop looks at once.

use std::sync::Arc;

use async_trait::async_trait;
use tidings_domain::ports::{ChangeSet, CommitError, Ledger, Pool};
use tokio::sync::Notify;

/// Tells the loops of this process that there is new work. Clones wake the same loops.
#[derive(Debug, Clone, Default)]
pub struct Wake(Arc<Bells>);

#[derive(Debug, Default)]
struct Bells {
    work: Notify,
    sends: Notify,
    deliveries: Notify,
}

impl Wake {
    /// A handle that wakes nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Has the pool's loop look for due work now, or as soon as it is free to.
    pub fn wake(&self, pool: Pool) {
        self.bell(pool).notify_one();
    }

    /// Waits until the pool is woken; a wake-up that came before counts.
    pub(crate) async fn woken(&self, pool: Pool) {
        self.bell(pool).notified().await;
    }

    fn bell(&self, pool: Pool) -> &Notify {
        match pool {
            Pool::Work => &self.0.work,
            Pool::Sends => &self.0.sends,
            Pool::Deliveries => &self.0.deliveries,
        }
    }
}

/// A ledger that wakes the loops after each commit that holds jobs for them.
pub struct WakingLedger {
    ledger: Arc<dyn Ledger>,
    wake: Wake,
}

impl WakingLedger {
    /// Commits through `ledger` and wakes through `wake`.
    pub fn new(ledger: Arc<dyn Ledger>, wake: Wake) -> Self {
        Self { ledger, wake }
    }
}

#[async_trait]
impl Ledger for WakingLedger {
    async fn commit(&self, set: ChangeSet) -> Result<(), CommitError> {
        let awaited = Pool::ALL.map(|pool| (pool, set.jobs.iter().any(|job| job.kind.pool() == pool)));
        self.ledger.commit(set).await?;
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
    use tidings_domain::ports::{MockLedger, NewJob, StoreError};
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
        (WakingLedger::new(Arc::new(ledger), wake.clone()), wake)
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
