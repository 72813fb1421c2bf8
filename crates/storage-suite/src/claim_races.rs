//! Several claimers over one queue: whatever its rows are, each is in one hand at a time, and is claimed once for each lease.

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
use crate::delivery_queue::{attempted, record};
use crate::fixtures::{NOW, World, a_delivery, an_event, id, nothing};
use crate::jobs::request;

const CLAIMERS: usize = 6;
const WORKSPACES: usize = 6;
/// What each workspace queues.
const ROWS: usize = 50;

/// Of each job the token of its last claim, and whether somebody has it.
#[derive(Default)]
struct Hands(Mutex<HashMap<JobId, (i64, bool)>>);

impl Hands {
    fn take(&self, job: &ClaimedJob) {
        let before = self.0.lock().unwrap().insert(job.id, (job.token, true));
        let (token, is_held) = before.unwrap_or((i64::MIN, false));
        assert!(!is_held, "{} is in two hands", job.id);
        assert!(job.token > token, "{}: the token {} came after {token}", job.id, job.token);
    }

    /// Before the store hears of it: from then on somebody else may have the job.
    fn let_go(&self, job: &ClaimedJob) {
        self.0.lock().unwrap().insert(job.id, (job.token, false));
    }
}

/// Has six claimers take what is due, a few at a time, and end each claim by `end`, until that was done `goal` times; then
/// nothing is left. A claim that ends late, or twice, is refused where `end` ends it.
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
                // A store that never waits must let the others have a look at what is held.
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

/// Has the lease of a claim run out now: one of no length has.
async fn let_lapse(store: &Ports, job: &ClaimedJob) {
    let held = store.engine.extend(vec![job.held()], Duration::ZERO, NOW).await.unwrap();
    assert_eq!(held, [job.held().claim], "it was held");
}

/// Every job is claimed twice: after its first lease, which runs out, and not after it was finished.
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

/// Work inside the store, of which more is due than any claim asks for.
pub async fn concurrent_claimers_take_each_piece_of_work_once(store: Ports) {
    jobs_are_claimed_once_for_each_lease(&store, Pool::Work, || Job::SweepTag { tag: id() }).await;
}

/// Calls of runs, which stand among deliveries.
pub async fn concurrent_claimers_take_each_call_once(store: Ports) {
    jobs_are_claimed_once_for_each_lease(&store, Pool::Deliveries, || Job::CallHttp { run: id(), visit: 1 }).await;
}

/// A delivery in its queue, as it was recorded last.
#[derive(Clone)]
struct Queued {
    world: World,
    delivery: Delivery,
    /// Whether its first lease ran out.
    has_lapsed: bool,
}

/// Deliveries of five webhooks of each workspace.
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

/// The rows of deliveries themselves: while some claim, others record what came of an attempt, by which a delivery comes back
/// as a later attempt, or not at all. A claim finds what was recorded last, and is its own until it ends.
pub async fn concurrent_claimers_take_each_queued_delivery_once(store: Ports) {
    let all = Arc::new(Mutex::new(queued(&store).await));
    let recorded = all.clone();
    // The lease that ran out, a first attempt and a second one.
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
