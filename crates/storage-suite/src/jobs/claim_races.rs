//! Concurrent claims on one queue: each row has at most one holder at a time, and is claimed once for each lease.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tidings_domain::events::{Event, EventKind};
use tidings_domain::ids::{JobId, TypedId};
use tidings_domain::ports::{Change, ClaimedJob, Job, NewJob, Pool, Row, StoreError};
use tidings_domain::webhooks::Delivery;
use uuid::Uuid;

use crate::Ports;
use crate::fixtures::{NOW, World, a_delivery, an_event, id, nothing};
use crate::jobs::request;
use crate::webhooks::delivery_queue::{attempted, record};

const CLAIMERS: usize = 6;
const WORKSPACES: usize = 6;
/// The number of rows that each workspace queues.
const ROWS: usize = 50;

/// The token of each job's last claim, and whether the claim is held.
#[derive(Default)]
struct Hands(Mutex<HashMap<JobId, (i64, bool)>>);

impl Hands {
    fn take(&self, job: &ClaimedJob) {
        let before = self.0.lock().unwrap().insert(job.id, (job.token, true));
        let (token, is_held) = before.unwrap_or((i64::MIN, false));
        assert!(!is_held, "{} is claimed twice", job.id);
        assert!(job.token > token, "{}: token {} is not greater than {token}", job.id, job.token);
    }

    /// Called before the store ends the claim, because another worker may claim the job from then on.
    fn let_go(&self, job: &ClaimedJob) {
        self.0.lock().unwrap().insert(job.id, (job.token, false));
    }
}

/// Runs six workers that claim due jobs, a few at a time, and end each claim with `end`, until this was done `goal`
/// times. The queue must then be empty. `end` also checks that late and repeated ends are rejected.
async fn race<W, E>(store: &Ports, pool: Pool, goal: usize, end: W)
where
    W: Fn(ClaimedJob) -> E + Clone + Send + 'static,
    E: Future<Output = ()> + Send + 'static,
{
    let (hands, ended) = (Arc::new(Hands::default()), Arc::new(AtomicUsize::new(0)));
    let claimers = (0..CLAIMERS).map(|_| {
        let (store, hands, ended, end) = (store.clone(), hands.clone(), ended.clone(), end.clone());
        tokio::spawn(async move {
            let begun = Instant::now();
            while ended.load(Ordering::SeqCst) < goal {
                let so_far = ended.load(Ordering::SeqCst);
                assert!(begun.elapsed() < Duration::from_secs(60), "{so_far} of {goal} claims have ended");
                let claimed = match store.engine.claim(request(pool, 7)).await {
                    Err(StoreError::Contention) => Vec::new(),
                    claimed => claimed.unwrap(),
                };
                claimed.iter().for_each(|job| hands.take(job));
                // Lets the other tasks run, because a store in memory never waits.
                tokio::task::yield_now().await;
                for job in claimed {
                    hands.let_go(&job);
                    end(job).await;
                    ended.fetch_add(1, Ordering::SeqCst);
                }
                tokio::task::yield_now().await;
            }
        })
    });
    for claimer in claimers.collect::<Vec<_>>() {
        claimer.await.unwrap();
    }
    assert_eq!(ended.load(Ordering::SeqCst), goal);
    assert_eq!(store.engine.claim(request(pool, 100)).await.unwrap(), []);
}

/// Makes the lease of a claim expire now, by extending it to zero.
async fn let_lapse(store: &Ports, job: &ClaimedJob) {
    let held = store.engine.extend(vec![job.held_claim()], Duration::ZERO, NOW).await.unwrap();
    assert_eq!(held, [job.held_claim().claim], "the claim was still valid");
}

/// Checks that every job is claimed twice: again after its first lease expires, but not after it is finished.
async fn jobs_are_claimed_once_for_each_lease(store: &Ports, pool: Pool, new: fn() -> Job) {
    let mut worlds = HashMap::new();
    for _ in 0..WORKSPACES {
        let world = World::new(store).await;
        let jobs: Vec<NewJob> = (0..ROWS).map(|_| NewJob::new(id(), new(), NOW)).collect();
        world.commit(|set| set.jobs.extend(jobs)).await.unwrap();
        worlds.insert(world.workspace, world);
    }
    let (worlds, lapsed) = (Arc::new(worlds), Arc::new(Mutex::new(HashMap::<JobId, i64>::new())));
    race(store, pool, 2 * WORKSPACES * ROWS, move |job| {
        let (worlds, lapsed) = (worlds.clone(), lapsed.clone());
        async move {
            let world = &worlds[&job.workspace];
            let first = lapsed.lock().unwrap().insert(job.id, job.token);
            match first {
                None => let_lapse(&world.ports, &job).await,
                Some(_) => world.add(job.finish()).await,
            }
        }
    })
    .await;
}

/// Work jobs, with more due than any claim requests.
pub async fn concurrent_claims_return_each_work_job_once(store: Ports) {
    jobs_are_claimed_once_for_each_lease(&store, Pool::Work, || Job::SweepTag { tag: id() }).await;
}

/// Calls of runs, which are claimed with deliveries.
pub async fn concurrent_claims_return_each_call_once(store: Ports) {
    jobs_are_claimed_once_for_each_lease(&store, Pool::Deliveries, || Job::CallHttp { run: id(), visit: 1 }).await;
}

/// A queued delivery as last recorded.
#[derive(Clone)]
struct Queued {
    world: World,
    delivery: Delivery,
    /// Whether its first lease expired.
    has_lapsed: bool,
}

/// Queues deliveries of five webhooks in each workspace.
async fn queued(store: &Ports) -> HashMap<Uuid, Queued> {
    let mut all = HashMap::new();
    for _ in 0..WORKSPACES {
        let world = World::new(store).await;
        for _ in 0..5 {
            let webhook = world.webhook(nothing()).await;
            let events: Vec<Event> = (0..ROWS / 5).map(|_| an_event(EventKind::MessageSent)).collect();
            let deliveries: Vec<Delivery> = events.iter().map(|event| a_delivery(&webhook, event)).collect();
            let rows = deliveries.iter().cloned().map(|it| Change::Insert(Row::Delivery(it)));
            let commit = world.commit(|set| {
                set.events.extend(events);
                set.changes.extend(rows);
            });
            commit.await.unwrap();
            let queued = |delivery| Queued { world: world.clone(), delivery, has_lapsed: false };
            all.extend(deliveries.into_iter().map(|it| (it.id.uuid(), queued(it))));
        }
    }
    all
}

/// Deliveries are claimed while other workers record attempts, after which a delivery is queued for another attempt or
/// not at all. A claim returns the last recorded state and is exclusive until it ends.
pub async fn concurrent_claims_return_each_queued_delivery_once(store: Ports) {
    let all = Arc::new(Mutex::new(queued(&store).await));
    let recorded = all.clone();
    // The expired lease, a first attempt and a second one.
    race(&store, Pool::Deliveries, 3 * WORKSPACES * ROWS, move |job| {
        let all = all.clone();
        async move {
            let before = all.lock().unwrap()[&job.id.uuid()].clone();
            let Queued { world, delivery, has_lapsed } = before.clone();
            assert_eq!((job.workspace, job.delivery), (world.workspace, Some(delivery.as_claimed())));
            if !has_lapsed {
                all.lock().unwrap().insert(job.id.uuid(), Queued { has_lapsed: true, ..before });
                return let_lapse(&world.ports, &job).await;
            }
            let after = attempted(&delivery, delivery.attempts == 0);
            all.lock().unwrap().insert(job.id.uuid(), Queued { delivery: after.clone(), ..before });
            world.add(record(&after, job.token)).await;
        }
    })
    .await;
    let recorded: Vec<Queued> = recorded.lock().unwrap().values().cloned().collect();
    for Queued { world, delivery, .. } in recorded {
        assert_eq!(delivery.attempts, 2);
        let stored = store.webhooks.delivery(&world.access, delivery.id).await.unwrap();
        assert_eq!(stored, Some(delivery));
    }
}
