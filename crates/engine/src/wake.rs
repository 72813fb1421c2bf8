//! Wake-ups: a commit with jobs wakes the loops of their pools.

use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;
use tidings_domain::ids::DeliveryId;
use tidings_domain::ports::{
    Change, ChangeSet, Clock, CommitError, Conflict, Guard, Ledger, Pool, RejectedChangeSet, Row, StoreError,
};
use tidings_domain::time::Timestamp;
use tidings_domain::webhooks::Delivery;
use tokio::sync::Notify;
use uuid::Uuid;

use crate::local_handoff::{LocalHandoff, ReservedSlot};

/// Notifies the loops of this process about new work. Clones wake the same loops.
#[derive(Debug, Clone, Default)]
pub struct Wake(Arc<WakeSignals>);

#[derive(Debug, Default)]
struct WakeSignals {
    work: WakeSignal,
    sends: WakeSignal,
    deliveries: WakeSignal,
    polls: WakeSignal,
}

#[derive(Debug, Default)]
struct WakeSignal {
    notify: Notify,
    /// The hand-off of the pool's loop, if it runs in this process.
    handoff: RwLock<Option<Arc<LocalHandoff>>>,
}

impl Wake {
    /// Creates a handle without any loops.
    pub fn new() -> Self {
        Self::default()
    }

    /// Wakes the pool's loop: it claims due work now, or as soon as it has free slots.
    pub fn wake(&self, pool: Pool) {
        self.signal(pool).notify.notify_one();
    }

    /// Waits until the pool is woken. An earlier wake-up counts.
    pub(crate) async fn woken(&self, pool: Pool) {
        self.signal(pool).notify.notified().await;
    }

    pub(crate) fn open(&self, pool: Pool, handoff: Arc<LocalHandoff>) {
        *self.signal(pool).handoff.write().unwrap_or_else(PoisonError::into_inner) = Some(handoff);
    }

    fn handoff(&self, pool: Pool) -> Option<Arc<LocalHandoff>> {
        self.signal(pool).handoff.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn signal(&self, pool: Pool) -> &WakeSignal {
        match pool {
            Pool::Work => &self.0.work,
            Pool::Sends => &self.0.sends,
            Pool::Deliveries => &self.0.deliveries,
            Pool::Polls => &self.0.polls,
        }
    }
}

/// A ledger that hands new jobs to the loops of this process. Due jobs with a free slot are written as claimed and
/// start at once. For other jobs, it wakes the loops.
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

    /// Reserves slots for jobs of the set and marks those jobs to be written as claimed. A job with a lane gets a slot
    /// only if it is the set's only job in that lane. A guard then checks that the lane is free.
    fn reserve_slots(&self, set: &mut ChangeSet, with_lanes: bool) -> Reserved {
        let (workspace, now) = (set.workspace, self.clock.now());
        let lanes: Vec<_> = set.jobs.iter().filter_map(|job| job.job.columns().lane).collect();
        let mut reserved = Reserved { slots: Vec::new(), before: Vec::new(), own_guards: set.guards.len() };
        for (place, job) in set.jobs.iter_mut().enumerate() {
            let lane = job.job.columns().lane;
            let is_alone = |lane: &Uuid| lanes.iter().filter(|other| *other == lane).count() == 1;
            if lane.is_some_and(|lane| !with_lanes || !is_alone(&lane)) {
                continue;
            }
            // An existing delivery may be claimed already.
            let delivery = match job.job.delivery(job.id) {
                Some(id) => match inserted(&set.changes, id) {
                    Some(delivery) => Some(delivery.as_claimed()),
                    None => continue,
                },
                None => None,
            };
            let Some(handoff) = self.wake.handoff(job.job.pool()) else { continue };
            let due_at = job.due_at;
            if let Some(slot) = handoff.reserve(workspace, job, delivery, now) {
                set.guards.extend(lane.map(Guard::LaneFree));
                reserved.slots.push(slot);
                reserved.before.push((place, due_at));
            }
        }
        reserved
    }

    async fn commit_handing_off(&self, mut set: ChangeSet, with_lanes: bool) -> Result<(), RejectedChangeSet> {
        let Reserved { slots, before, own_guards } = self.reserve_slots(&mut set, with_lanes);
        let waits = |pool| set.jobs.iter().any(|job| job.lease.is_none() && job.job.pool() == pool);
        let makes_due = |pool| set.changes.iter().any(|change| change.makes_due().has_jobs_of(pool));
        let awaited = Pool::ALL.map(|pool| (pool, waits(pool) || makes_due(pool)));
        if slots.is_empty() {
            self.ledger.commit_or_return(set).await?;
        } else {
            let ledger = Arc::clone(&self.ledger);
            let writing = async move {
                ledger.commit_or_return(set).await?;
                slots.into_iter().for_each(ReservedSlot::start_job);
                Ok::<(), RejectedChangeSet>(())
            };
            // The write continues even if the caller is dropped: no other process would run the claimed jobs.
            let outcome = match tokio::spawn(writing).await {
                Ok(outcome) => outcome,
                Err(error) => match error.try_into_panic() {
                    Ok(panic) => std::panic::resume_unwind(panic),
                    Err(_) => Err(RejectedChangeSet { error: StoreError::OutcomeUnknown.into(), set: None }),
                },
            };
            outcome.map_err(|refused| unreserved(refused, &before, own_guards))?;
        }
        for (pool, _) in awaited.into_iter().filter(|(_, awaited)| *awaited) {
            self.wake.wake(pool);
        }
        Ok(())
    }
}

/// The reserved slots for jobs of a set, and the data to undo the reservation.
struct Reserved {
    slots: Vec<ReservedSlot>,
    /// The indices of the jobs that are written as claimed, and their original due times.
    before: Vec<(usize, Timestamp)>,
    /// The number of guards in the original set.
    own_guards: usize,
}

/// Restores a refused set to its state before slots were reserved.
fn unreserved(mut refused: RejectedChangeSet, before: &[(usize, Timestamp)], own_guards: usize) -> RejectedChangeSet {
    if let Some(set) = &mut refused.set {
        set.guards.truncate(own_guards);
        for (place, due_at) in before {
            if let Some(job) = set.jobs.get_mut(*place) {
                (job.due_at, job.lease) = (*due_at, None);
            }
        }
    }
    refused
}

fn inserted(changes: &[Change], id: DeliveryId) -> Option<&Delivery> {
    changes.iter().find_map(|change| match change {
        Change::Insert(Row::Delivery(it)) if it.id == id => Some(it),
        _ => None,
    })
}

#[async_trait]
impl Ledger for WakingLedger {
    async fn commit(&self, set: ChangeSet) -> Result<(), CommitError> {
        Ok(self.commit_or_return(set).await?)
    }

    async fn commit_or_return(&self, set: ChangeSet) -> Result<(), RejectedChangeSet> {
        let has_lanes = set.jobs.iter().any(|job| job.job.columns().lane.is_some());
        match self.commit_handing_off(set, has_lanes).await {
            // Earlier jobs of the lane run first. This job waits in the store.
            Err(RejectedChangeSet { error: CommitError::Conflict(Conflict::LaneBusy), set: Some(set) })
                if has_lanes =>
            {
                self.commit_handing_off(*set, false).await
            }
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
    async fn a_commit_wakes_only_the_pools_of_its_jobs() {
        let (ledger, wake) = answering(Ok(()));
        ledger.commit(a_set(jobs())).await.unwrap();
        assert_eq!(woken(&wake), [Pool::Work, Pool::Deliveries]);
    }

    #[tokio::test]
    async fn a_commit_without_jobs_wakes_no_pool() {
        let (ledger, wake) = answering(Ok(()));
        ledger.commit(a_set(vec![])).await.unwrap();
        assert_eq!(woken(&wake), []);
    }

    #[tokio::test]
    async fn a_commit_that_makes_a_step_due_wakes_the_work_pool() {
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
    async fn a_failed_commit_wakes_no_pool() {
        let (ledger, wake) = answering(Err(StoreError::Contention.into()));
        ledger.commit(a_set(jobs())).await.unwrap_err();
        assert_eq!(woken(&wake), []);
    }
}
