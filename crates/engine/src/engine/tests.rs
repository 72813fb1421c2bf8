//! Guarantees of the loops. Tokio's time is paused and advances only while all tasks are idle.

use std::time::Duration;

use tidings_domain::ids::{TypedId, WorkspaceId};
use tidings_domain::ports::{ClaimedJob, MockEngineStore, Pool, StoreError};
use tidings_domain::time::Timestamp;
use tokio::time::sleep;
use uuid::Uuid;

use super::*;
use crate::slots::QUICK;
use crate::testing::{JobsInMemory, Script, Scripted, a_delivery, a_job, a_poll, a_send, loop_context};

pub(super) const INSTANT: Duration = Duration::from_millis(1);
pub(super) const LINGER: Duration = crate::pool::LINGER.saturating_mul(2);
pub(super) const HOOK: u128 = 0xB0;

pub(super) fn started(store: &JobsInMemory, performer: &Scripted) -> (RunningEngine, Wake) {
    let context = loop_context(store.clone(), performer.clone());
    let wake = context.wake.clone();
    (Engine { context }.start(), wake)
}

pub(super) fn at(after: Duration) -> Timestamp {
    Timestamp::EPOCH_2026.plus(after)
}

#[tokio::test(start_paused = true)]
async fn performs_all_due_jobs_at_once() {
    let store = JobsInMemory::default();
    (0..500).for_each(|number| store.add_due(a_job(number)));
    let performer = Scripted::on(&store);
    let (_engine, _) = started(&store, &performer);
    sleep(INSTANT).await;
    assert_eq!(performer.finished().len(), 500);
    assert_eq!(store.count_jobs(), 0);
}

#[tokio::test(start_paused = true)]
async fn runs_at_most_as_many_jobs_as_slots() {
    let store = JobsInMemory::default();
    (0..300).for_each(|number| store.add_due(a_job(number)));
    let performer = (0..300).fold(Scripted::on(&store), |it, number| it.script(number, Script::Hold));
    let (_engine, _) = started(&store, &performer);
    sleep(INSTANT).await;
    assert_eq!(performer.started().len(), 128);
    performer.let_go();
    sleep(INSTANT).await;
    assert_eq!((performer.started().len(), performer.most_running()), (256, 128));
}

/// If the start of a job ends the process, the job is given up after five claims. Other jobs must not be given up with it.
#[tokio::test(start_paused = true)]
async fn a_crashing_job_does_not_use_up_the_claims_of_other_jobs() {
    const CRASHES: u128 = 50;
    let mut store = JobsInMemory::default();
    (0..120).for_each(|number| store.add_due(a_job(number)));
    for _ in 0..5 {
        let takes = Script::Take(INSTANT * 5);
        let performer = (0..120).fold(Scripted::on(&store), |it, number| it.script(number, takes));
        let performer = performer.script(CRASHES, Script::Hang);
        let mut context = loop_context(store.clone(), performer.clone());
        context.settings.warm_up = EngineSettings::default().warm_up;
        let _engine = Engine { context }.start();
        while !performer.started().contains(&CRASHES) {
            sleep(INSTANT).await;
        }
        store = store.after_a_crash();
    }
    let claimed = store.claimed();
    let most = claimed.iter().filter(|(number, _)| *number != CRASHES).map(|(_, claims)| *claims).max();
    let most = most.expect("other jobs are left");
    assert!(claimed.contains(&(CRASHES, 5)) && most < 5, "{claimed:?}");
}

#[tokio::test(start_paused = true)]
async fn runs_eight_deliveries_per_webhook_without_delaying_others() {
    let store = JobsInMemory::default();
    (0..40).for_each(|number| store.add_due(a_delivery(number, HOOK)));
    let performer = (0..40).fold(Scripted::on(&store), |it, number| it.script(number, Script::Hold));
    let (_engine, wake) = started(&store, &performer);
    sleep(INSTANT).await;
    assert_eq!(performer.started().len(), 8);
    sleep(QUICK * 2).await;
    store.add_due(a_delivery(100, HOOK + 1));
    wake.wake(Pool::Deliveries);
    sleep(LINGER).await;
    assert_eq!(performer.finished(), [100]);
    performer.let_go();
    sleep(INSTANT).await;
    assert_eq!((performer.started().len(), performer.most_running()), (17, 9));
}

#[tokio::test(start_paused = true)]
async fn extends_leases_of_running_and_waiting_jobs() {
    let store = JobsInMemory::default();
    (0..10).for_each(|number| store.add_due(a_delivery(number, HOOK)));
    let performer = (0..10).fold(Scripted::on(&store), |it, number| it.script(number, Script::Hold));
    let (_engine, _) = started(&store, &performer);
    sleep(Duration::from_secs(300)).await;
    for number in [0, 9] {
        assert!(store.leased_until(number) > Some(at(Duration::from_secs(315))), "{number}");
    }
    assert_eq!(performer.started().len(), 8, "no lease ran out, so nothing was claimed twice");
}

#[tokio::test(start_paused = true)]
async fn drops_the_work_of_a_lost_claim_and_frees_its_slot() {
    let store = JobsInMemory::default();
    (0..129).for_each(|number| store.add_due(a_job(number)));
    let performer = (0..129).fold(Scripted::on(&store), |it, number| it.script(number, Script::Hang));
    let (engine, _) = started(&store, &performer);
    sleep(INSTANT).await;
    store.steal(1);
    let lease = store.leased_until(1);
    sleep(Duration::from_secs(9)).await;
    assert_eq!((performer.started().len(), performer.dropped()), (128, vec![]), "no slot is free");
    sleep(Duration::from_secs(2)).await;
    assert_eq!((performer.dropped(), performer.started().last()), (vec![1], Some(&128)));
    engine.stop().await;
    assert_eq!((store.count_jobs(), store.leased_until(1)), (129, lease), "another worker has the lost claim");
}

#[tokio::test(start_paused = true)]
async fn a_finish_with_an_old_token_changes_nothing() {
    let store = JobsInMemory::default();
    store.add_due(a_job(1));
    let performer = Scripted::on(&store).script(1, Script::Hold);
    let (_engine, _) = started(&store, &performer);
    sleep(INSTANT).await;
    store.steal(1);
    performer.let_go();
    sleep(INSTANT).await;
    assert_eq!((performer.fenced(), store.count_jobs()), (vec![1], 1));
}

#[tokio::test(start_paused = true)]
async fn retries_a_failed_job_later() {
    let store = JobsInMemory::default();
    store.add_due(a_job(1));
    let performer = Scripted::on(&store).script(1, Script::Fail);
    let (_engine, _) = started(&store, &performer);
    sleep(Duration::from_secs(9)).await;
    assert_eq!(performer.failures(), ["the store is unavailable: as the script says"]);
    sleep(Duration::from_secs(2)).await;
    assert_eq!(performer.started(), [1, 1]);
}

#[tokio::test(start_paused = true)]
async fn a_panic_fails_only_its_own_job() {
    let store = JobsInMemory::default();
    [1, 2].into_iter().for_each(|number| store.add_due(a_job(number)));
    let performer = Scripted::on(&store).script(1, Script::Panic);
    let (_engine, _) = started(&store, &performer);
    sleep(INSTANT).await;
    assert_eq!(performer.finished(), [2]);
    assert_eq!(performer.failures().len(), 1);
    assert!(performer.failures()[0].contains("panicked"));
}

/// A clock that panics on its first use.
#[derive(Default)]
struct Stumbling(std::sync::atomic::AtomicBool);

impl Clock for Stumbling {
    fn now(&self) -> Timestamp {
        assert!(self.0.swap(true, std::sync::atomic::Ordering::SeqCst), "the first who asks breaks off");
        Timestamp::EPOCH_2026
    }
}

#[tokio::test(start_paused = true)]
async fn restarts_housekeeping_after_a_panic() {
    let mut store = MockEngineStore::new();
    store.expect_expire_idempotency().times(1).returning(|_, _| Ok(0));
    store.expect_expire_deliveries().returning(|_, _| Ok(0));
    store.expect_expire_events().returning(|_, _| Ok(0));
    store.expect_expire_traces().returning(|_, _, _| Ok(None));
    store.expect_expire_custom_events().returning(|_, _| Ok(0));
    store.expect_expire_unparsed().returning(|_, _| Ok(0));
    store.expect_expire_provider_events().returning(|_, _| Ok(0));
    store.expect_expire_media().returning(|_, _| Ok(0));
    store.expect_erase_workspace().returning(|_, _| Ok(0));
    store.expect_expire_audit_log().returning(|_, _| Ok(0));
    store.expect_expire_runs().returning(|_, _| Ok(0));
    store.expect_expire_recipients().returning(|_, _, _| Ok(None));
    store.expect_fill_sort_keys().returning(|_| Ok(0));
    store.expect_expire_counts().returning(|_, _| Ok(0));
    store.expect_poisoned().returning(|_, _, _| Ok(Vec::new()));
    store.expect_count_facts().returning(|_| Ok(0));
    let context = LoopContext { clock: Arc::new(Stumbling::default()), ..loop_context(store, Scripted::default()) };
    let (stop, stopped) = watch::channel(false);
    let housekeeping = tokio::spawn(supervise_housekeeping(context, stopped));
    sleep(Duration::from_secs(30)).await;
    stop.send(true).unwrap();
    housekeeping.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn backs_off_while_the_store_is_unavailable() {
    let store = JobsInMemory::default();
    store.add_due(a_job(1));
    store.refuse(Some(StoreError::Unavailable("it is down".to_owned())));
    let performer = Scripted::on(&store);
    let (_engine, wake) = started(&store, &performer);
    for _ in 0..600 {
        wake.wake(Pool::Work);
        sleep(Duration::from_millis(100)).await;
    }
    let asked = store.claims(Pool::Work).len();
    assert!((12..=24).contains(&asked), "{asked} times in a minute");
    store.refuse(None);
    sleep(Duration::from_secs(5)).await;
    assert_eq!(performer.finished(), [1]);
}

#[tokio::test(start_paused = true)]
async fn retries_soon_after_contention() {
    let store = JobsInMemory::default();
    store.add_due(a_job(1));
    store.refuse(Some(StoreError::Contention));
    let performer = Scripted::on(&store);
    let (_engine, _) = started(&store, &performer);
    sleep(Duration::from_secs(2)).await;
    store.refuse(None);
    sleep(Duration::from_millis(101)).await;
    assert_eq!(performer.finished(), [1]);
}

#[tokio::test(start_paused = true)]
async fn stopping_waits_for_running_jobs_and_starts_none() {
    let store = JobsInMemory::default();
    store.add_due(a_job(1));
    let performer = Scripted::on(&store).script(1, Script::Hold);
    let (engine, wake) = started(&store, &performer);
    sleep(INSTANT).await;
    let stopping = tokio::spawn(engine.stop());
    sleep(INSTANT).await;
    store.add_due(a_job(2));
    wake.wake(Pool::Work);
    sleep(Duration::from_secs(20)).await;
    assert!(!stopping.is_finished());
    performer.let_go();
    stopping.await.unwrap();
    assert_eq!((performer.finished(), store.count_jobs()), (vec![1], 1));
}

#[tokio::test(start_paused = true)]
async fn drops_and_releases_jobs_after_the_grace_period() {
    let store = JobsInMemory::default();
    (0..9).for_each(|number| store.add_due(a_delivery(number, HOOK)));
    let performer = (0..9).fold(Scripted::on(&store), |it, number| it.script(number, Script::Hang));
    let (engine, _) = started(&store, &performer);
    sleep(INSTANT).await;
    let stopping = tokio::spawn(engine.stop());
    sleep(INSTANT).await;
    let is_free = |number, by| store.leased_until(number).expect("the job was claimed") <= at(by);
    assert!(is_free(8, 2 * INSTANT), "what waited is free at once");
    sleep(Duration::from_secs(24)).await;
    assert!(!stopping.is_finished());
    sleep(Duration::from_secs(1)).await;
    stopping.await.unwrap();
    assert_eq!(performer.dropped().len(), 8);
    assert!((0..9).all(|number| is_free(number, Duration::from_millis(25_010))));
}

#[tokio::test(start_paused = true)]
async fn silent_receivers_of_two_workspaces_leave_slots_to_others() {
    let of = |workspace: u128, number: u128| {
        let workspace = WorkspaceId::from_uuid(Uuid::from_u128(workspace));
        ClaimedJob { workspace, ..a_delivery(number, HOOK + number) }
    };
    let store = JobsInMemory::default();
    (0..300).for_each(|number| store.add_due(of(1, number)));
    (300..600).for_each(|number| store.add_due(of(2, number)));
    let performer = (0..600).fold(Scripted::on(&store), |it, number| it.script(number, Script::Hang));
    let (_engine, wake) = started(&store, &performer);
    sleep(Duration::from_secs(2)).await;
    let started = performer.started();
    let [one, other] = [0..300, 300..600].map(|range| started.iter().filter(|number| range.contains(*number)).count());
    assert_eq!(one, 128);
    assert!((64..128).contains(&other), "{other}");
    (600..650).for_each(|number| store.add_due(of(3, number)));
    wake.wake(Pool::Deliveries);
    sleep(LINGER * 10).await;
    assert_eq!(performer.finished().len(), 50, "the deliveries of a third workspace do not wait");
}

#[tokio::test(start_paused = true)]
async fn a_dropped_engine_claims_nothing_more() {
    let store = JobsInMemory::default();
    let performer = Scripted::on(&store);
    let (engine, wake) = started(&store, &performer);
    sleep(INSTANT).await;
    drop(engine);
    sleep(INSTANT).await;
    let job: ClaimedJob = a_job(1);
    store.add_due(job);
    wake.wake(Pool::Work);
    sleep(Duration::from_secs(5)).await;
    assert_eq!(performer.started(), []);
}

#[tokio::test(start_paused = true)]
async fn performs_only_internal_work_while_outbound_is_paused() {
    let store = JobsInMemory::default();
    store.add_due(a_job(1));
    store.add_due(a_delivery(2, HOOK));
    store.add_due(ClaimedJob { job: a_send(3), ..a_job(3) });
    store.add_due(ClaimedJob { job: a_poll(4), ..a_job(4) });
    let performer = Scripted::on(&store);
    let mut context = loop_context(store.clone(), performer.clone());
    context.settings.holds_outbound = true;
    let engine = Engine { context };
    let heartbeat = engine.heartbeat();
    let _running = engine.start();
    sleep(Duration::from_secs(120)).await;
    assert_eq!((performer.finished(), store.count_jobs()), (vec![1], 3));
    assert!([Pool::Sends, Pool::Deliveries, Pool::Polls].iter().all(|pool| store.claims(*pool).is_empty()));
    assert_eq!(heartbeat.stalled_pools(), [], "its loops turn");
}
