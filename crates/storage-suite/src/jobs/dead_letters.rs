//! Dead-lettered jobs: listed, retried and discarded.

use tidings_domain::access::Access;
use tidings_domain::ids::JobId;
use tidings_domain::jobs::{JobService, JobStatus, QueuedJob};
use tidings_domain::pagination::PageRequest;
use tidings_domain::ports::{Change, ClaimRequest, Conflict, Ids, Job, JobChange, NewJob, Pool};
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use crate::Ports;
use crate::fixtures::{NOW, World, at, conflict, id, uuid};
use crate::jobs::request;

/// Claims all due jobs and dead-letters them one after another.
async fn put_aside(world: &World, mut when: u64) {
    for job in world.ports.engine.claim(ClaimRequest { now: at(9), ..request(Pool::Work, 100) }).await.unwrap() {
        let error = format!("error {when}");
        world.add(Change::Job(JobChange::Bury { job: job.id, token: job.token, error, at: at(when) })).await;
        when += 1;
    }
}

fn sweep(due_at: Timestamp) -> NewJob {
    NewJob::new(id(), Job::SweepTag { tag: id() }, due_at)
}

async fn dead(world: &World, access: &Access) -> Vec<QueuedJob> {
    world.ports.jobs.dead(access, PageRequest::default()).await.unwrap().items
}

/// Only dead-lettered jobs are listed, with their errors, in order of failure.
pub async fn lists_dead_letters_by_time_of_failure(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let jobs = [sweep(at(0)), sweep(at(1)), sweep(at(2))];
    world.commit(|set| set.jobs.extend(jobs)).await.unwrap();
    put_aside(&world, 10).await;
    let waiting = sweep(at(60));
    world.commit(|set| set.jobs.push(waiting)).await.unwrap();

    let all = dead(&world, &world.access).await;
    let told: Vec<_> = all.iter().map(|it| (it.id, it.job, it.dead_at, it.error.clone().unwrap())).collect();
    let expected = [2, 1, 0].map(|n: usize| {
        let when = 10 + n as u64;
        (jobs[n].id, jobs[n].job, Some(at(when)), format!("error {when}"))
    });
    assert_eq!(told, expected);
    assert!(all.iter().all(|it| it.status == JobStatus::Dead));
    let mut page = PageRequest { limit: 1, ..PageRequest::default() };
    let mut read = Vec::new();
    loop {
        let found = world.ports.jobs.dead(&world.access, page).await.unwrap();
        read.extend(found.items.iter().map(|it| it.id));
        match found.next {
            Some(next) => page.after = Some(next),
            None => break,
        }
    }
    assert_eq!(read, [jobs[2].id, jobs[1].id, jobs[0].id]);
    assert_eq!(dead(&other, &other.access).await, []);

    let shown = world.ports.jobs.get(&world.access, waiting.id).await.unwrap().expect("the queued job is found");
    assert_eq!((shown.status, shown.due_at, shown.error), (JobStatus::Queued, at(60), None));
    assert_eq!(world.ports.jobs.get(&other.access, waiting.id).await.unwrap(), None);
    assert_eq!(world.ports.jobs.get(&other.access, jobs[0].id).await.unwrap(), None);
}

/// Of several concurrent retries and discards, one succeeds. The job is performed once, behind the jobs that wait in
/// its lane.
pub async fn retries_a_dead_letter_once(store: Ports) {
    let world = World::new(&store).await;
    let sequence = id();
    let review = || NewJob::new(id(), Job::ReviewSequence { sequence }, NOW);
    let (lost, ahead) = (review(), review());
    world.commit(|set| set.jobs.push(lost)).await.unwrap();
    put_aside(&world, 1).await;
    world.commit(|set| set.jobs.push(ahead)).await.unwrap();

    let ports = Ports { ids: std::sync::Arc::new(Later), ..world.ports.clone() };
    let service = JobService { ports: ports.into() };
    let attempts = futures::future::join_all((0..8).map(|_| service.retry(&world.access, lost.id, None))).await;
    let retried: Vec<_> = attempts.into_iter().filter_map(Result::ok).collect();
    let [after] = retried.as_slice() else { panic!("retried {} times", retried.len()) };
    assert_eq!((after.value.status, after.value.job), (JobStatus::Queued, lost.job));
    assert_eq!(dead(&world, &world.access).await, []);
    assert_eq!(conflict(world.change(drop_dead(lost.id)).await), Conflict::NoLink);
    // A waiting job is not a dead letter.
    assert_eq!(conflict(world.change(drop_dead(ahead.id)).await), Conflict::NoLink);

    let mut done = Vec::new();
    while let Some(job) = world.ports.engine.claim(later()).await.unwrap().pop() {
        done.push(job.id);
        world.add(Change::Job(JobChange::Finish { job: job.id, token: job.token })).await;
    }
    assert_eq!(done, [ahead.id, after.value.id]);
}

/// Generates IDs after the fixtures' IDs, as real IDs increase with time.
struct Later;

impl Ids for Later {
    fn next(&self) -> Uuid {
        uuid()
    }
}

fn later() -> ClaimRequest {
    ClaimRequest { now: at(3_600), ..request(Pool::Work, 10) }
}

fn drop_dead(job: JobId) -> Change {
    Change::Job(JobChange::DropDead { job })
}
