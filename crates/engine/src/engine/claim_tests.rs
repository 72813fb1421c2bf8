//! When the loops claim jobs. Tokio's time is paused and advances only while all tasks are idle.

use std::time::Duration;

use tidings_domain::ports::{ClaimRequest, ClaimedJob, Pool};
use tokio::time::sleep;

use super::tests::{HOOK, INSTANT, LINGER, at, started};
use crate::pool::REST;
use crate::testing::{JobsInMemory, Script, Scripted, a_delivery, a_job, an_inbound};

#[tokio::test(start_paused = true)]
async fn claims_without_a_mark_every_five_seconds() {
    let store = JobsInMemory::default();
    (0..200).for_each(|number| store.add_due(a_job(number)));
    let performer = Scripted::on(&store);
    let (_engine, wake) = started(&store, &performer);
    for _ in 0..110 {
        sleep(Duration::from_millis(100)).await;
        wake.wake(Pool::Work);
    }
    let claims = store.claims(Pool::Work);
    let left_out = |claim: &ClaimRequest| claim.since.map(|mark| claim.now.since(mark));
    assert!(claims[..2].iter().all(|claim| claim.since.is_none()), "the first gave out as much as was asked for");
    let full = claims.iter().filter(|claim| claim.since.is_none()).count();
    assert!((4..=5).contains(&full), "of {} claims {full} were full", claims.len());
    let most = claims.iter().filter_map(left_out).max().expect("claims with a mark");
    assert!(most <= Duration::from_millis(2_300), "{most:?} behind, or a little more than the slack");
}

#[tokio::test(start_paused = true)]
async fn claims_without_a_mark_after_a_pause_ends() {
    let store = JobsInMemory::default();
    let performer = Scripted::on(&store);
    let (_engine, wake) = started(&store, &performer);
    let mut full = Vec::new();
    for ends in [false, true, false] {
        sleep(Duration::from_millis(100)).await;
        if ends {
            store.end_pause();
        }
        let before = [Pool::Work, Pool::Sends].map(|pool| store.claims(pool).len());
        Pool::ALL.into_iter().for_each(|pool| wake.wake(pool));
        sleep(Duration::from_millis(20)).await;
        let of = |pool, before: usize| store.claims(pool)[before..].iter().map(|claim| claim.since.is_none()).collect();
        let claims: [Vec<bool>; 2] = [of(Pool::Work, before[0]), of(Pool::Sends, before[1])];
        full.push(claims);
    }
    assert_eq!(full, [[[false], [false]], [[false], [true]], [[false], [false]]]);
}

#[tokio::test(start_paused = true)]
async fn claims_at_once_after_a_wake_up() {
    let store = JobsInMemory::default();
    let performer = Scripted::on(&store);
    let (_engine, wake) = started(&store, &performer);
    sleep(Duration::from_millis(100)).await;
    store.add_due(a_job(1));
    wake.wake(Pool::Work);
    sleep(INSTANT).await;
    assert_eq!(performer.finished(), [1]);
}

#[tokio::test(start_paused = true)]
async fn the_poll_finds_unannounced_jobs() {
    let store = JobsInMemory::default();
    let performer = Scripted::on(&store);
    let (_engine, _) = started(&store, &performer);
    sleep(Duration::from_millis(100)).await;
    store.add_due(a_job(1));
    sleep(Duration::from_millis(399)).await;
    assert_eq!(performer.finished(), []);
    sleep(Duration::from_millis(2)).await;
    assert_eq!(performer.finished(), [1]);
}

#[tokio::test(start_paused = true)]
async fn claims_the_next_job_of_a_lane_when_one_ends() {
    let store = JobsInMemory::default();
    store.add_due(ClaimedJob { job: an_inbound(1), ..a_job(1) });
    let performer = Scripted::on(&store).script(1, Script::Hold);
    let (_engine, _) = started(&store, &performer);
    sleep(Duration::from_millis(100)).await;
    // Like the next job of a lane: claimable now, without any wake-up.
    store.add_due(a_job(2));
    performer.let_go();
    sleep(INSTANT).await;
    assert_eq!(performer.finished(), [1, 2]);
}

#[tokio::test(start_paused = true)]
async fn performs_a_job_at_its_due_time() {
    let store = JobsInMemory::default();
    store.add(a_job(1), at(Duration::from_millis(7_320)));
    let performer = Scripted::on(&store);
    let (_engine, _) = started(&store, &performer);
    sleep(Duration::from_secs(10)).await;
    let after = performer.started_after();
    assert!((7_320..7_325).contains(&after[0].as_millis()), "{after:?}");
}

#[tokio::test(start_paused = true)]
async fn claims_jobs_that_arrive_one_by_one_together() {
    let store = JobsInMemory::default();
    let performer = Scripted::on(&store);
    let (_engine, wake) = started(&store, &performer);
    sleep(Duration::from_millis(100)).await;
    let before = store.claims(Pool::Work).len();
    for number in 0..10 {
        store.add_due(a_job(number));
        wake.wake(Pool::Work);
        sleep(INSTANT).await;
        if number < 3 {
            assert_eq!(performer.finished(), [0], "the first at once, the next after the rest");
        }
    }
    sleep(REST).await;
    assert_eq!(performer.finished().len(), 10);
    assert!((2..=3).contains(&(store.claims(Pool::Work).len() - before)), "ten were claimed by a few claims");
}

#[tokio::test(start_paused = true)]
async fn does_not_claim_repeatedly_while_a_group_is_full() {
    let store = JobsInMemory::default();
    (0..20).for_each(|number| store.add_due(a_delivery(number, HOOK)));
    let performer = (0..20).fold(Scripted::on(&store), |it, number| it.script(number, Script::Hang));
    let (_engine, _) = started(&store, &performer);
    sleep(Duration::from_secs(10)).await;
    assert!(store.claims(Pool::Deliveries).len() <= 25);
}

#[tokio::test(start_paused = true)]
async fn a_claim_of_deliveries_requests_half_of_the_free_slots_and_excludes_full_groups() {
    let store = JobsInMemory::default();
    (0..40).for_each(|number| store.add_due(a_delivery(number, HOOK)));
    store.add_due(a_delivery(50, HOOK + 1));
    let performer = (0..40).fold(Scripted::on(&store), |it, number| it.script(number, Script::Hang));
    let (_engine, _) = started(&store, &performer);
    sleep(LINGER).await;
    let asked: Vec<_> = store.claims(Pool::Deliveries).iter().map(|it| (it.limit, it.full_groups.len())).collect();
    assert_eq!(asked, [(128, 0), (124, 1)], "the pool has 256 slots, and eight deliveries run");
}
