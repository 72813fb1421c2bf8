//! Deliveries are claimed in turn between workspaces, with room for first attempts.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use tidings_domain::events::EventKind;
use tidings_domain::ids::{TypedId, WebhookId};
use tidings_domain::ports::{Change, ClaimRequest, ClaimedJob, Job, JobChange, NewJob, Pool};

use crate::Ports;
use crate::fixtures::{NOW, World, at, id, nothing};
use crate::jobs::request;

async fn claim(store: &Ports, request: ClaimRequest) -> Vec<ClaimedJob> {
    store.engine.claim(request).await.unwrap()
}

async fn add_first(world: &World, webhook: WebhookId, count: u64) {
    let jobs = (0..count)
        .map(|number| NewJob::new(id(), Job::AttemptDelivery { delivery: id(), webhook, round: 0 }, at(number)));
    let jobs: Vec<NewJob> = jobs.map(|job| NewJob { due_at: NOW, ..job }).collect();
    world.commit(|set| set.jobs.extend(jobs)).await.unwrap();
}

/// A long queue of one workspace does not delay the first delivery of another.
pub async fn claims_deliveries_of_workspaces_in_turn(store: Ports) {
    let (busy, calm, third) = (World::new(&store).await, World::new(&store).await, World::new(&store).await);
    for _ in 0..3 {
        add_first(&busy, id(), 20).await;
    }
    add_first(&calm, id(), 2).await;
    add_first(&third, id(), 1).await;
    let claimed = claim(&store, request(Pool::Deliveries, 5)).await;
    let of = |world: &World| claimed.iter().filter(|job| job.workspace == world.workspace).count();
    assert_eq!((of(&busy), of(&calm), of(&third)), (2, 2, 1));
}

/// Later attempts come first, but only up to their limit.
pub async fn claims_retries_first_up_to_their_limit(store: Ports) {
    let world = World::new(&store).await;
    let webhook = id();
    let retries: Vec<NewJob> =
        (0..5).map(|_| NewJob::new(id(), Job::RetryDelivery { delivery: id(), webhook, round: 3 }, NOW)).collect();
    world.commit(|set| set.jobs.extend(retries.iter().cloned())).await.unwrap();
    add_first(&world, webhook, 5).await;
    let asked = ClaimRequest { retries: 2, ..request(Pool::Deliveries, 4) };
    let claimed = claim(&store, asked.clone()).await;
    let later: Vec<_> = claimed.iter().filter(|job| retries.iter().any(|it| it.id == job.id)).collect();
    assert_eq!((claimed.len(), later.len(), later[0].job.columns().mark), (4, 2, 3));
    let none = claim(&store, ClaimRequest { retries: 0, ..asked }).await;
    assert!(none.len() == 3 && none.iter().all(|job| job.job.columns().mark == 0));
    assert_eq!(claim(&store, request(Pool::Deliveries, 100)).await.len(), 3);
}

/// A workspace with a long queue gets half of a claim, and the rest only if no other workspace waits. Each claim
/// continues where the last one stopped.
pub async fn claims_other_work_of_workspaces_in_turn(store: Ports) {
    let busy = World::new(&store).await;
    let others = [World::new(&store).await, World::new(&store).await, World::new(&store).await];
    let add = async |world: &World, count: u64, due: u64| {
        let jobs = (0..count).map(|_| NewJob::new(id(), Job::SweepTag { tag: id() }, at(due)));
        world.commit(|set| set.jobs.extend(jobs)).await.unwrap();
    };
    add(&busy, 60, 0).await;
    for world in &others {
        add(world, 4, 1).await;
    }
    let later = |limit| ClaimRequest { now: at(2), ..request(Pool::Work, limit) };
    let mut of_others = 0;
    for round in 0..2 {
        let claimed = claim(&store, later(12)).await;
        let of = |world: &World| claimed.iter().filter(|job| job.workspace == world.workspace).count();
        let each: Vec<_> = others.iter().map(of).collect();
        assert_eq!((claimed.len(), of(&busy) <= 6), (12, true), "{round}: {} and {each:?}", of(&busy));
        assert!(each.iter().all(|jobs| *jobs > 0), "{round}: {each:?}");
        of_others += each.iter().sum::<usize>();
    }
    assert_eq!(of_others, 12);
    // No other workspace waits.
    assert_eq!(claim(&store, later(12)).await.len(), 12);
    assert_eq!(claim(&store, later(100)).await.len(), 36);
    assert_eq!(claim(&store, later(100)).await, []);
}

/// A mark excludes nothing that fell due after it.
pub async fn finds_jobs_that_fell_due_since_the_mark(store: Ports) {
    let world = World::new(&store).await;
    let sweep = || NewJob::new(id(), Job::SweepTag { tag: id() }, at(10));
    world.commit(|set| set.jobs.push(sweep())).await.unwrap();
    let (webhook, event) = (world.webhook(nothing()).await, world.event(EventKind::MessageSent).await);
    world.delivery(&webhook, &event).await;
    for (pool, mark) in [(Pool::Work, at(10)), (Pool::Deliveries, NOW)] {
        let asked = ClaimRequest { now: at(20), since: Some(mark), ..request(pool, 10) };
        assert_eq!(claim(&store, asked).await.len(), 1, "{pool:?}");
    }
}

/// Workspaces at their concurrency limit are skipped. The pool for short work has no such limit if no other workspace
/// waits.
pub async fn skips_deliveries_and_sends_of_full_workspaces(store: Ports) {
    let (full, other) = (World::new(&store).await, World::new(&store).await);
    let a_send = || {
        NewJob::new(id(), Job::SendMessage { message: id(), conversation: Some(id()), channel: None, depth: 0 }, NOW)
    };
    for world in [&full, &other] {
        add_first(world, id(), 2).await;
        world.commit(|set| set.jobs.push(NewJob::new(id(), Job::SweepTag { tag: id() }, NOW))).await.unwrap();
        world.commit(|set| set.jobs.extend([a_send(), a_send()])).await.unwrap();
    }
    let asked = |pool| ClaimRequest { full_workspaces: vec![full.workspace], ..request(pool, 10) };
    for pool in [Pool::Deliveries, Pool::Sends] {
        let claimed = claim(&store, asked(pool)).await;
        let are_of_other = claimed.iter().all(|job| job.workspace == other.workspace);
        assert!(claimed.len() == 2 && are_of_other, "{pool:?}: {claimed:?}");
    }
    assert_eq!(claim(&store, asked(Pool::Work)).await.len(), 2);
    assert_eq!(claim(&store, request(Pool::Sends, 10)).await.len(), 2, "the jobs of the full workspace wait");
}

/// Six concurrent claimers on three hundred deliveries of six workspaces.
pub async fn concurrent_claims_return_each_delivery_once(store: Ports) {
    for _ in 0..6 {
        let world = World::new(&store).await;
        for _ in 0..5 {
            add_first(&world, id(), 10).await;
        }
    }
    let taken = Arc::new(Mutex::new(HashSet::new()));
    let claimers = (0..6).map(|_| {
        let (store, taken) = (store.clone(), taken.clone());
        tokio::spawn(async move {
            let begun = std::time::Instant::now();
            while taken.lock().unwrap().len() < 300 {
                assert!(begun.elapsed() < std::time::Duration::from_secs(60), "deliveries are left");
                for job in claim(&store, request(Pool::Deliveries, 7)).await {
                    assert!(taken.lock().unwrap().insert(job.id), "{} was claimed twice", job.id);
                }
                tokio::task::yield_now().await;
            }
        })
    });
    for claimer in claimers.collect::<Vec<_>>() {
        claimer.await.unwrap();
    }
}

/// A parked job is released unchanged, however long it waited, and without jobs of other groups.
pub async fn a_parked_job_waits_until_its_group_is_released(store: Ports) {
    let world = World::new(&store).await;
    let (webhook, other): (WebhookId, WebhookId) = (id(), id());
    add_first(&world, webhook, 1).await;
    add_first(&world, other, 1).await;
    let claimed = claim(&store, request(Pool::Deliveries, 10)).await;
    for job in &claimed {
        world.add(Change::Job(JobChange::Park { job: job.id, token: job.token })).await;
    }
    let ages_later = ClaimRequest { now: at(400 * 86_400), ..request(Pool::Deliveries, 10) };
    assert_eq!(claim(&store, ages_later).await, []);
    world.add(Change::Job(JobChange::Release { group: webhook.uuid(), due_at: NOW })).await;
    world.add(Change::Job(JobChange::Release { group: webhook.uuid(), due_at: at(86_400) })).await;
    let again = claim(&store, request(Pool::Deliveries, 10)).await;
    assert_eq!(again.iter().map(|job| (job.group(), job.attempts)).collect::<Vec<_>>(), [(Some(webhook.uuid()), 0)]);
    assert_eq!(store.engine.next_due(Pool::Deliveries).await.unwrap().filter(|at| at.millis() < 1 << 45), None);
}
