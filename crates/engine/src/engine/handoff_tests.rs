//! Tests of the hand-off of new jobs to the process that writes them.

use std::sync::Mutex;

use tidings_domain::events::EventKind;
use tidings_domain::ids::{DeliveryId, EventId, JobId, RunId, TypedId, WebhookId, WorkspaceId};
use tidings_domain::memory::FixedClock;
use tidings_domain::ports::{
    Change, ChangeSet, CommitError, Conflict, Guard, Job, Ledger, MockLedger, NewJob, Row, StoreError,
};
use tidings_domain::time::Timestamp;
use tidings_domain::webhooks::Delivery;
use tokio::sync::Notify;
use tokio::task::yield_now;
use tokio::time::sleep;
use uuid::Uuid;

use super::tests::{HOOK, INSTANT, started};
use super::*;
use crate::pool::REST;
use crate::testing::{JobsInMemory, Script, Scripted};
use crate::wake::WakingLedger;

const NOW: Timestamp = Timestamp::EPOCH_2026;

fn a_set(job: NewJob) -> ChangeSet {
    ChangeSet { jobs: vec![job], ..ChangeSet::new(WorkspaceId::from_uuid(Uuid::nil())) }
}

fn work(number: u128) -> NewJob {
    let event = EventId::from_uuid(Uuid::nil());
    NewJob::new(JobId::from_uuid(Uuid::from_u128(number)), Job::RelayEvent { event, depth: 0 }, NOW)
}

fn delivery(number: u128) -> NewJob {
    let (delivery, webhook) = (DeliveryId::from_uuid(Uuid::max()), WebhookId::from_uuid(Uuid::from_u128(HOOK)));
    let job = Job::AttemptDelivery { delivery, webhook, round: 0 };
    NewJob::new(JobId::from_uuid(Uuid::from_u128(number)), job, NOW)
}

fn ledger(commit: impl Ledger + 'static, wake: &Wake) -> WakingLedger {
    WakingLedger::new(Arc::new(commit), wake.clone(), Arc::new(FixedClock::at(NOW)))
}

fn writing(store: &JobsInMemory) -> MockLedger {
    let (store, mut ledger) = (store.clone(), MockLedger::new());
    ledger.expect_commit().returning(move |set| {
        set.jobs.iter().for_each(|job| store.write(set.workspace, job));
        Ok(())
    });
    ledger
}

#[tokio::test(start_paused = true)]
async fn hands_off_an_attempt_only_with_its_new_delivery() {
    let store = JobsInMemory::default();
    let performer = Scripted::on(&store);
    let (_engine, wake) = started(&store, &performer);
    sleep(INSTANT).await;
    let claims = store.claims(Pool::Deliveries).len();
    let event = (EventId::from_uuid(Uuid::nil()), EventKind::MessageSent);
    let made = |number| {
        let webhook = WebhookId::from_uuid(Uuid::from_u128(HOOK));
        Delivery::new(DeliveryId::from_uuid(Uuid::from_u128(number)), webhook, event, NOW)
    };
    let mut set = a_set(made(1).queued(NOW));
    set.change(Change::Insert(Row::Delivery(made(1))));
    ledger(writing(&store), &wake).commit(set).await.unwrap();
    sleep(INSTANT).await;
    assert_eq!((performer.finished(), store.claims(Pool::Deliveries).len()), (vec![1], claims));
    // An existing delivery may be claimed already, for example a replayed one.
    let mut set = a_set(made(2).queued(NOW));
    set.change(Change::Update(Row::Delivery(made(2))));
    ledger(writing(&store), &wake).commit(set).await.unwrap();
    sleep(REST).await;
    assert_eq!(performer.finished(), [1, 2]);
    assert!(store.claims(Pool::Deliveries).len() > claims);
}

#[tokio::test(start_paused = true)]
async fn a_new_job_starts_without_a_claim() {
    let store = JobsInMemory::default();
    let performer = Scripted::on(&store);
    let (_engine, wake) = started(&store, &performer);
    sleep(INSTANT).await;
    let claims = store.claims(Pool::Work).len();
    ledger(writing(&store), &wake).commit(a_set(work(1))).await.unwrap();
    sleep(INSTANT).await;
    assert_eq!((performer.finished(), store.claims(Pool::Work).len()), (vec![1], claims));
}

#[tokio::test(start_paused = true)]
async fn extends_the_lease_of_a_handed_off_job() {
    let store = JobsInMemory::default();
    let performer = Scripted::on(&store).script(1, Script::Hang);
    let (_engine, wake) = started(&store, &performer);
    sleep(INSTANT).await;
    ledger(writing(&store), &wake).commit(a_set(work(1))).await.unwrap();
    sleep(Duration::from_secs(100)).await;
    assert!(store.leased_until(1).unwrap() > NOW.plus(Duration::from_secs(110)));
    assert_eq!(performer.started(), [1]);
}

#[tokio::test(start_paused = true)]
async fn does_not_hand_off_a_job_that_is_not_due() {
    let store = JobsInMemory::default();
    let performer = Scripted::on(&store);
    let (_engine, wake) = started(&store, &performer);
    sleep(INSTANT).await;
    let ledger = ledger(writing(&store), &wake);
    let later = NewJob { due_at: NOW.plus(Duration::from_secs(3_600)), ..work(1) };
    ledger.commit(a_set(later)).await.unwrap();
    assert_eq!(store.leased_until(1), None);
}

/// Commits these jobs while all lanes are busy or free. Returns the number of leased jobs and the guards of each set
/// that reached the store, and the leased jobs that ran.
async fn handed_off(jobs: Vec<NewJob>, is_busy: bool) -> (Vec<(usize, Vec<Guard>)>, Vec<u128>) {
    let store = JobsInMemory::default();
    let performer = Scripted::on(&store);
    let (_engine, wake) = started(&store, &performer);
    sleep(INSTANT).await;
    let (seen, written) = (Arc::new(Mutex::new(Vec::new())), store.clone());
    let (sets, mut commits) = (Arc::clone(&seen), MockLedger::new());
    commits.expect_commit().returning(move |set| {
        let leased: Vec<_> = set.jobs.iter().filter(|job| job.lease.is_some()).collect();
        sets.lock().unwrap().push((leased.len(), set.guards.clone()));
        if is_busy && !set.guards.is_empty() {
            return Err(Conflict::LaneBusy.into());
        }
        leased.into_iter().for_each(|job| written.write(set.workspace, job));
        Ok(())
    });
    let set = ChangeSet { jobs, ..ChangeSet::new(WorkspaceId::from_uuid(Uuid::nil())) };
    ledger(commits, &wake).commit(set).await.unwrap();
    sleep(INSTANT).await;
    let seen = seen.lock().unwrap().clone();
    (seen, performer.finished())
}

fn in_lane(number: u128, lane: Uuid) -> NewJob {
    let job = Job::StepRun { run: RunId::from_uuid(lane), visit: 1 };
    NewJob::new(JobId::from_uuid(Uuid::from_u128(number)), job, NOW)
}

#[tokio::test(start_paused = true)]
async fn hands_off_the_only_new_job_of_a_free_lane() {
    let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let free = Guard::LaneFree(one);
    assert_eq!(handed_off(vec![in_lane(1, one)], false).await, (vec![(1, vec![free])], vec![1]));
    let outcome = handed_off(vec![in_lane(1, one)], true).await;
    assert_eq!(outcome, (vec![(1, vec![free]), (0, vec![])], vec![]), "the lane is busy");
    let outcome = handed_off(vec![in_lane(1, two), in_lane(2, one), in_lane(3, two)], false).await;
    assert_eq!(outcome, (vec![(1, vec![free])], vec![2]), "two jobs of the set have the same lane");
}

#[tokio::test(start_paused = true)]
async fn a_new_job_does_not_overtake_waiting_jobs() {
    let store = JobsInMemory::default();
    (0..300).for_each(|number| store.write(WorkspaceId::from_uuid(Uuid::nil()), &work(number)));
    let performer = (0..300).fold(Scripted::on(&store), |it, number| it.script(number, Script::Hold));
    let (_engine, wake) = started(&store, &performer);
    sleep(INSTANT).await;
    let ledger = ledger(writing(&store), &wake);
    ledger.commit(a_set(work(1_000))).await.unwrap();
    assert_eq!(store.leased_until(1_000), None);
    while store.count_jobs() > 1 {
        performer.let_go();
        sleep(INSTANT * 10).await;
    }
    let claims = store.claims(Pool::Work).len();
    ledger.commit(a_set(work(1_001))).await.unwrap();
    sleep(INSTANT).await;
    assert_eq!((store.count_jobs(), store.claims(Pool::Work).len()), (0, claims), "a slot is free again");
}

#[tokio::test(start_paused = true)]
async fn a_failed_commit_frees_its_slot() {
    let store = JobsInMemory::default();
    let performer = Scripted::on(&store);
    let (_engine, wake) = started(&store, &performer);
    sleep(INSTANT).await;
    for number in 0..500 {
        let mut refusing = MockLedger::new();
        refusing.expect_commit().return_once(|set| {
            assert!(set.jobs[0].lease.is_some(), "a slot is free for each job");
            Err(CommitError::Store(StoreError::Contention))
        });
        ledger(refusing, &wake).commit(a_set(work(number))).await.unwrap_err();
        yield_now().await;
    }
    assert_eq!(performer.started(), []);
}

#[tokio::test(start_paused = true)]
async fn returns_a_rejected_set_unchanged() {
    let store = JobsInMemory::default();
    let performer = Scripted::on(&store);
    let (_engine, wake) = started(&store, &performer);
    sleep(INSTANT).await;
    let mut refusing = MockLedger::new();
    refusing.expect_commit().return_once(|set| {
        assert!(set.jobs[0].lease.is_some());
        Err(CommitError::Store(StoreError::Contention))
    });
    let set = a_set(NewJob { due_at: NOW.minus(Duration::from_secs(1)), ..work(1) });
    let refused = ledger(refusing, &wake).commit_or_return(set.clone()).await.unwrap_err();
    assert_eq!((refused.error, refused.set.as_deref()), (StoreError::Contention.into(), Some(&set)));
}

#[tokio::test(start_paused = true)]
async fn limits_the_jobs_handed_off_to_a_slow_webhook() {
    let store = JobsInMemory::default();
    let performer = (0..12).fold(Scripted::on(&store), |it, number| it.script(number, Script::Hang));
    let (_engine, wake) = started(&store, &performer);
    sleep(INSTANT).await;
    let mut leased = 0;
    for number in 0..12 {
        let mut seen = MockLedger::new();
        let written = store.clone();
        seen.expect_commit().return_once(move |set| {
            written.write(set.workspace, &set.jobs[0]);
            Ok(())
        });
        ledger(seen, &wake).commit(a_set(delivery(number))).await.unwrap();
        leased += usize::from(store.leased_until(number).is_some());
        yield_now().await;
    }
    assert_eq!(leased, 8);
    sleep(INSTANT).await;
    assert_eq!(performer.started().len(), 8, "at most eight jobs of the webhook run");
}

#[tokio::test(start_paused = true)]
async fn releases_jobs_written_while_the_engine_stops() {
    let store = JobsInMemory::default();
    let performer = Scripted::on(&store);
    let (engine, wake) = started(&store, &performer);
    sleep(INSTANT).await;
    let go = Arc::new(Notify::new());
    let ledger = Arc::new(ledger(Slow(store.clone(), Arc::clone(&go)), &wake));
    let committing = tokio::spawn(async move { ledger.commit(a_set(work(1))).await });
    sleep(INSTANT).await;
    let stopping = tokio::spawn(engine.stop());
    sleep(INSTANT).await;
    go.notify_one();
    committing.await.unwrap().unwrap();
    stopping.await.unwrap();
    assert_eq!(performer.started(), []);
    assert!(store.leased_until(1).unwrap() <= NOW.plus(Duration::from_secs(1)));
}

/// A ledger that writes only when notified.
struct Slow(JobsInMemory, Arc<Notify>);

#[async_trait::async_trait]
impl Ledger for Slow {
    async fn commit(&self, set: ChangeSet) -> Result<(), CommitError> {
        self.1.notified().await;
        set.jobs.iter().for_each(|job| self.0.write(set.workspace, job));
        Ok(())
    }
}
