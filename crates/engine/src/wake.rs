//! Wake-ups: who commits a job says so, and the pool's loop looks at once.

use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;
use tidings_domain::ids::DeliveryId;
use tidings_domain::ports::{Change, ChangeSet, Clock, CommitError, Conflict, Guard, Ledger, Pool, Row, StoreError};
use tidings_domain::webhooks::Delivery;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::local_handoff::{LocalHandoff, ReservedSlot};

/// Tells the loops of this process that there is new work. Clones wake the same loops.
#[derive(Debug, Clone, Default)]
pub struct Wake(Arc<WakeSignals>);

#[derive(Debug, Default)]
struct WakeSignals {
    work: WakeSignal,
    sends: WakeSignal,
    deliveries: WakeSignal,
}

/// The wake signal of one pool, and where its loop takes jobs in this process.
#[derive(Debug, Default)]
struct WakeSignal {
    notify: Notify,
    /// Where the pool's loop runs in this process.
    handoff: RwLock<Option<Arc<LocalHandoff>>>,
}

impl Wake {
    /// A handle that wakes nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Has the pool's loop look for due work now, or as soon as it is free to.
    pub fn wake(&self, pool: Pool) {
        self.signal(pool).notify.notify_one();
    }

    /// Waits until the pool is woken; a wake-up that came before counts.
    pub(crate) async fn woken(&self, pool: Pool) {
        self.signal(pool).notify.notified().await;
    }

    /// Has new jobs of the pool handed to this loop.
    pub(crate) fn open(&self, pool: Pool, handoff: Arc<LocalHandoff>) {
        *self.signal(pool).handoff.write().unwrap_or_else(PoisonError::into_inner) = Some(handoff);
    }

    /// The place where new jobs of the pool are handed over, if there is one.
    fn handoff(&self, pool: Pool) -> Option<Arc<LocalHandoff>> {
        self.signal(pool).handoff.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn signal(&self, pool: Pool) -> &WakeSignal {
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

    /// Has those jobs of the set written as claimed for which there is a place. A job with a lane is, where it is the only
    /// one of the set in its lane and a guard says that the lane is free.
    fn reserve_slots(&self, set: &mut ChangeSet, with_lanes: bool) -> Vec<ReservedSlot> {
        let (workspace, now) = (set.workspace, self.clock.now());
        let lanes: Vec<_> = set.jobs.iter().filter_map(|job| job.job.columns().lane).collect();
        let mut reserved = Vec::new();
        for job in &mut set.jobs {
            let lane = job.job.columns().lane;
            let is_alone = |lane: &Uuid| lanes.iter().filter(|other| *other == lane).count() == 1;
            if lane.is_some_and(|lane| !with_lanes || !is_alone(&lane)) {
                continue;
            }
            // An attempt at a delivery that was there before may be claimed already.
            let delivery = match job.job.delivery(job.id) {
                Some(id) => match inserted(&set.changes, id) {
                    Some(delivery) => Some(delivery.as_claimed()),
                    None => continue,
                },
                None => None,
            };
            let Some(handoff) = self.wake.handoff(job.job.pool()) else { continue };
            if let Some(slot) = handoff.reserve(workspace, job, delivery, now) {
                set.guards.extend(lane.map(Guard::LaneFree));
                reserved.push(slot);
            }
        }
        reserved
    }

    async fn commit_handing_off(&self, mut set: ChangeSet, with_lanes: bool) -> Result<(), CommitError> {
        let reserved = self.reserve_slots(&mut set, with_lanes);
        let waits = |pool| set.jobs.iter().any(|job| job.lease.is_none() && job.job.pool() == pool);
        let makes_due = |pool| set.changes.iter().any(|change| change.makes_due().has_jobs_of(pool));
        let awaited = Pool::ALL.map(|pool| (pool, waits(pool) || makes_due(pool)));
        if reserved.is_empty() {
            self.ledger.commit(set).await?;
        } else {
            let ledger = Arc::clone(&self.ledger);
            let writing = async move {
                ledger.commit(set).await?;
                reserved.into_iter().for_each(ReservedSlot::written);
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

/// The delivery with this id, if it is new.
fn inserted(changes: &[Change], id: DeliveryId) -> Option<&Delivery> {
    changes.iter().find_map(|change| match change {
        Change::Insert(Row::Delivery(it)) if it.id == id => Some(it),
        _ => None,
    })
}

#[async_trait]
impl Ledger for WakingLedger {
    async fn commit(&self, set: ChangeSet) -> Result<(), CommitError> {
        let has_lanes = set.jobs.iter().any(|job| job.job.columns().lane.is_some());
        if !has_lanes {
            return self.commit_handing_off(set, false).await;
        }
        match self.commit_handing_off(set.clone(), true).await {
            // What is before it goes first: it waits in the store, too.
            Err(CommitError::Conflict(Conflict::LaneBusy)) => self.commit_handing_off(set, false).await,
            outcome => outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;
    use tidings_domain::ids::{EventId, FlowId, JobId, RunId, TypedId, WebhookId, WorkspaceId};
    use tidings_domain::memory::FixedClock;
    use tidings_domain::ports::{FlowChange, HeldUntil, Job, JobChange, MockLedger, NewJob};
    use tidings_domain::time::Timestamp;

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
            NewJob::relays(&[EventId::from_uuid(Uuid::nil())], 0, now).next().unwrap(),
            NewJob::new(id, Job::AttemptDelivery { delivery, webhook, round: 0 }, now),
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
    async fn a_commit_that_makes_a_queued_step_due_wakes_who_takes_steps() {
        let (ledger, wake) = answering(Ok(()));
        let (run, at) = (RunId::from_uuid(Uuid::nil()), Timestamp::EPOCH_2026);
        let mut set = a_set(vec![]);
        set.change(Change::Flow(FlowChange::WakeCaller { run, at }));
        ledger.commit(set).await.unwrap();
        assert_eq!(woken(&wake), [Pool::Work]);
    }

    #[tokio::test]
    async fn a_commit_that_releases_held_jobs_wakes_their_pool() {
        let (ledger, wake) = answering(Ok(()));
        let (until, due_at) = (HeldUntil::FlowResumes(FlowId::from_uuid(Uuid::nil())), Timestamp::EPOCH_2026);
        let mut set = a_set(vec![]);
        set.change(Change::Job(JobChange::ReleaseHeld { until, due_at }));
        ledger.commit(set).await.unwrap();
        assert_eq!(woken(&wake), [Pool::Sends]);
    }

    #[tokio::test]
    async fn a_commit_that_failed_wakes_nobody() {
        let (ledger, wake) = answering(Err(StoreError::Contention.into()));
        ledger.commit(a_set(jobs())).await.unwrap_err();
        assert_eq!(woken(&wake), []);
    }
}
