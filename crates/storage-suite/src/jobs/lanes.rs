//! Rule 6: the jobs of a lane are performed one after another, in the order of their IDs.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tidings_domain::ids::{JobId, TypedId};
use tidings_domain::ports::{Change, ClaimRequest, Job, JobChange, NewJob, Pool, StoreError};
use tidings_domain::time::Timestamp;
use tokio::sync::Barrier;
use uuid::Uuid;

use crate::Ports;
use crate::fixtures::{NOW, World, id, uuid};
use crate::jobs::request;

/// The time after which a case fails.
const LONGEST: Duration = Duration::from_secs(60);

fn in_lane(lane: Uuid) -> NewJob {
    NewJob::new(
        id(),
        Job::SendMessage { message: id(), conversation: Some(TypedId::from_uuid(lane)), channel: None, depth: 0 },
        NOW,
    )
}

async fn claimed(world: &World) -> Vec<(JobId, i64)> {
    let claimed = match world.ports.engine.claim(request(Pool::Sends, 100)).await {
        Err(StoreError::Contention) => Vec::new(),
        claimed => claimed.unwrap(),
    };
    claimed.into_iter().map(|job| (job.id, job.token)).collect()
}

/// A claim returns only the first job of each lane, whatever its limit.
pub async fn only_the_head_of_a_lane_is_claimed(store: Ports) {
    let world = World::new(&store).await;
    let lanes = [uuid(), uuid()];
    let jobs: Vec<NewJob> = (0..6).map(|number| in_lane(lanes[number % 2])).collect();
    let free: Vec<NewJob> = (0..3).map(|_| in_lane(uuid())).collect();
    // Inserted in another order than their IDs.
    world.commit(|set| set.jobs.extend(jobs.iter().rev().chain(&free).cloned())).await.unwrap();
    let mut taken: Vec<JobId> = claimed(&world).await.into_iter().map(|(job, _)| job).collect();
    taken.sort();
    let mut expected: Vec<JobId> = [&jobs[0], &jobs[1]].into_iter().chain(&free).map(|job| job.id).collect();
    expected.sort();
    assert_eq!(taken, expected);
}

/// While a job of the lane is claimed, no other is, not even a later one with a lower ID.
pub async fn a_lane_waits_for_its_claimed_job(store: Ports) {
    let world = World::new(&store).await;
    let lane = uuid();
    let (lower, first, second) = (in_lane(lane), in_lane(lane), in_lane(lane));
    world.commit(|set| set.jobs.extend([first, second])).await.unwrap();
    let taken = claimed(&world).await;
    assert_eq!(taken[0].0, first.id);
    world.commit(|set| set.jobs.push(lower)).await.unwrap();
    assert_eq!(claimed(&world).await, []);
    world.add(Change::Job(JobChange::Finish { job: taken[0].0, token: taken[0].1 })).await;
    let taken = claimed(&world).await;
    assert_eq!(taken.iter().map(|(job, _)| *job).collect::<Vec<_>>(), [lower.id]);
}

/// The head of a lane that was given back for later blocks the lane, to keep the order.
pub async fn a_head_that_is_not_due_blocks_its_lane(store: Ports) {
    let world = World::new(&store).await;
    let lane = uuid();
    world.commit(|set| set.jobs.extend([in_lane(lane), in_lane(lane)])).await.unwrap();
    let (job, token) = claimed(&world).await[0];
    let due_at = "2999-01-01T00:00:00Z".parse().unwrap();
    world.add(Change::Job(JobChange::Reschedule { job, token, due_at, error: None })).await;
    assert_eq!(claimed(&world).await, []);
}

/// Each job of a lane becomes claimable when the one before it ends, is dead-lettered or is removed, however many are
/// queued.
pub async fn claims_the_next_job_of_a_lane_after_each_end(store: Ports) {
    let world = World::new(&store).await;
    let lane = uuid();
    let jobs: Vec<NewJob> = (0..5).map(|_| in_lane(lane)).collect();
    // One after another, and the last two together.
    for part in [&jobs[..1], &jobs[1..2], &jobs[2..3], &jobs[3..]] {
        world.commit(|set| set.jobs.extend(part.iter().cloned())).await.unwrap();
    }
    for (place, job) in jobs.iter().enumerate() {
        let taken = claimed(&world).await;
        assert_eq!(taken.iter().map(|(job, _)| *job).collect::<Vec<_>>(), [job.id], "{place}");
        let (job, token) = taken[0];
        world
            .add(Change::Job(match place {
                1 => JobChange::Bury { job, token, error: "of no use".to_owned(), at: NOW },
                _ => JobChange::Finish { job, token },
            }))
            .await;
    }
    assert_eq!(claimed(&world).await, []);
    assert_eq!(world.ports.engine.next_due(Pool::Sends).await.unwrap(), None);
}

/// A claim that only reads jobs due since a mark finds the next job of a lane when the one before it ends, whether the
/// two were queued together or not, and however long ago.
pub async fn a_claim_with_a_mark_finds_the_next_job_of_a_lane(store: Ports) {
    let world = World::new(&store).await;
    for together in [true, false] {
        let lane = uuid();
        let (first, second) = (in_lane(lane), in_lane(lane));
        let sets = if together { vec![vec![first, second]] } else { vec![vec![first], vec![second]] };
        for jobs in sets {
            world.commit(|set| set.jobs.extend(jobs)).await.unwrap();
        }
        let taken = claimed(&world).await;
        assert_eq!(taken.len(), 1);
        world.add(Change::Job(JobChange::Finish { job: taken[0].0, token: taken[0].1 })).await;
        let asked = ClaimRequest { since: Some(Timestamp::END), ..request(Pool::Sends, 10) };
        let found = world.ports.engine.claim(asked).await.unwrap();
        assert_eq!(found.iter().map(|job| job.id).collect::<Vec<_>>(), [second.id], "together: {together}");
        world.add(Change::Job(JobChange::Finish { job: found[0].id, token: found[0].token })).await;
    }
}

/// None of eight hundred jobs waits for an ended one, although jobs are queued and finished concurrently.
pub async fn no_job_waits_for_an_ended_one(store: Ports) {
    let world = World::new(&store).await;
    who_queues_and_who_ends_meet(&world, &world).await;
}

/// As above, with two stores that share no transactions, like two processes: one queues and the other finishes.
pub async fn nothing_waits_for_what_another_has_ended(one: Ports, other: Ports) {
    let queuing = World::new(&one).await;
    let ending = World { ports: other, ..queuing.clone() };
    who_queues_and_who_ends_meet(&queuing, &ending).await;
}

/// Four writers each add a job to one lane after another at about the same time, while four workers finish the jobs
/// that they find. Lanes are short, so a lane's only job ends while another is queued.
async fn who_queues_and_who_ends_meet(queuing: &World, ending: &World) {
    let lanes: Arc<Vec<Uuid>> = Arc::new((0..200).map(|_| uuid()).collect());
    let (begun, done, together) = (Instant::now(), Arc::new(AtomicUsize::new(0)), Arc::new(Barrier::new(4)));
    let writers = (0..4).map(|writer| {
        let (world, lanes, done, together) = (queuing.clone(), lanes.clone(), done.clone(), together.clone());
        tokio::spawn(async move {
            for (place, lane) in lanes.iter().enumerate() {
                together.wait().await;
                for _ in 0..(place * 7 + writer * 13) % 40 {
                    tokio::task::yield_now().await;
                }
                world.commit(|set| set.jobs.push(in_lane(*lane))).await.unwrap();
                while done.load(Ordering::Relaxed) < place * 4 && begun.elapsed() < LONGEST {
                    tokio::task::yield_now().await;
                }
            }
        })
    });
    let writers: Vec<_> = writers.collect();
    let workers = (0..4).map(|_| {
        let (world, done) = (ending.clone(), done.clone());
        tokio::spawn(async move {
            loop {
                let ended = done.load(Ordering::Relaxed);
                if ended == 800 {
                    break;
                }
                assert!(begun.elapsed() < LONGEST, "only {ended} jobs are done");
                for (job, token) in claimed(&world).await {
                    world.add(Change::Job(JobChange::Finish { job, token })).await;
                    done.fetch_add(1, Ordering::Relaxed);
                }
                tokio::task::yield_now().await;
            }
        })
    });
    for task in workers.collect::<Vec<_>>().into_iter().chain(writers) {
        task.await.unwrap();
    }
}

/// The remaining jobs of each lane, and its claimed job.
type Lanes = HashMap<Uuid, (std::collections::VecDeque<JobId>, Option<JobId>)>;

/// Eight workers perform two hundred jobs in twenty lanes: each once, in the order of its lane, and at most one of a
/// lane at a time.
pub async fn concurrent_claims_return_each_job_once_in_lane_order(store: Ports) {
    let world = World::new(&store).await;
    let names: Vec<Uuid> = (0..20).map(|_| uuid()).collect();
    let jobs: Vec<NewJob> = (0..200).map(|number| in_lane(names[number % 20])).collect();
    world.commit(|set| set.jobs.extend(jobs.iter().cloned())).await.unwrap();
    let mut lanes = Lanes::new();
    for job in &jobs {
        lanes.entry(job.job.columns().lane.unwrap()).or_default().0.push_back(job.id);
    }
    let lane_of: Arc<HashMap<JobId, Uuid>> =
        Arc::new(jobs.iter().map(|job| (job.id, job.job.columns().lane.unwrap())).collect());
    let lanes = Arc::new(Mutex::new(lanes));
    let left = |lanes: &Mutex<Lanes>| lanes.lock().unwrap().values().map(|(waiting, _)| waiting.len()).sum::<usize>();
    let begun = Instant::now();
    let workers = (0..8).map(|_| {
        let (world, lanes, lane_of) = (world.clone(), lanes.clone(), lane_of.clone());
        tokio::spawn(async move {
            while left(&lanes) > 0 {
                assert!(begun.elapsed() < Duration::from_secs(60), "{} jobs are left", left(&lanes));
                let claimed = match world.ports.engine.claim(request(Pool::Sends, 7)).await {
                    Ok(claimed) => claimed,
                    Err(StoreError::Contention) => continue,
                    Err(error) => panic!("{error}"),
                };
                // Lets the other workers run, because a store in memory never waits.
                tokio::task::yield_now().await;
                for job in &claimed {
                    let mut lanes = lanes.lock().unwrap();
                    let (waiting, held) = lanes.get_mut(&lane_of[&job.id]).unwrap();
                    assert_eq!(held.replace(job.id), None, "two jobs of a lane are claimed at a time");
                    assert_eq!(waiting.front(), Some(&job.id), "a job is claimed out of order or twice");
                }
                for job in claimed {
                    tokio::task::yield_now().await;
                    {
                        let mut lanes = lanes.lock().unwrap();
                        let (waiting, held) = lanes.get_mut(&lane_of[&job.id]).unwrap();
                        waiting.pop_front();
                        *held = None;
                    }
                    world.add(Change::Job(JobChange::Finish { job: job.id, token: job.token })).await;
                }
            }
        })
    });
    for worker in workers.collect::<Vec<_>>() {
        worker.await.unwrap();
    }
    assert_eq!(claimed(&world).await, []);
}
