//! Claims, leases and claim tokens. A store measures leases by the clock of the cases or by the database's clock, so
//! cases that need an expired lease poll for it.

pub mod calls;
pub mod claim_races;
pub mod dead_letters;
pub mod full_channels;
pub mod held;
pub mod lanes;

use std::time::{Duration, Instant};

use tidings_domain::ids::TypedId;
use tidings_domain::ports::{
    Change, Claim, ClaimRequest, ClaimedJob, Conflict, ExtraIds, Guard, HeldClaim, Job, JobChange, JobColumns, JobKind,
    NewJob, Pool, Row, StoreError,
};
use tidings_domain::stored::StoredRow;
use tidings_domain::tags::Tag;
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use crate::Ports;
use crate::fixtures::{NOW, World, at, conflict, id, uuid};

/// A lease that does not expire during a case.
pub const LONG: Duration = Duration::from_secs(3_600);
/// A lease that expires soon.
const SHORT: Duration = Duration::from_millis(50);

/// Returns a claim request for jobs of the pool.
pub fn request(pool: Pool, limit: u32) -> ClaimRequest {
    ClaimRequest::new(pool, limit, LONG, NOW)
}

async fn claim(world: &World, pool: Pool) -> Vec<ClaimedJob> {
    world.ports.engine.claim(request(pool, 100)).await.unwrap()
}

/// Claims one job with a lease that expires soon.
async fn claim_shortly(world: &World, pool: Pool) -> Option<ClaimedJob> {
    let request = ClaimRequest { lease: SHORT, ..request(pool, 1) };
    world.ports.engine.claim(request).await.unwrap().pop()
}

/// Polls with an advancing clock until a job can be claimed, with this lease.
async fn claim_eventually(world: &World, pool: Pool, now: &mut Timestamp, lease: Duration) -> ClaimedJob {
    let begun = Instant::now();
    loop {
        assert!(begun.elapsed() < Duration::from_secs(10), "no job became claimable");
        *now = now.plus(SHORT * 2);
        let request = ClaimRequest { lease, now: *now, ..request(pool, 1) };
        bury_poison(world, *now).await;
        match world.ports.engine.claim(request).await {
            Ok(jobs) => {
                if let Some(job) = jobs.into_iter().next() {
                    return job;
                }
            }
            Err(StoreError::Contention) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

/// Dead-letters jobs that were claimed too often.
async fn bury_poison(world: &World, now: Timestamp) {
    for job in world.ports.engine.poisoned(10, LONG, now).await.unwrap() {
        world.add(Change::Job(JobChange::Bury { job: job.id, token: job.token, error: "e".to_owned(), at: NOW })).await;
    }
}

async fn add(world: &World, jobs: impl IntoIterator<Item = NewJob>) {
    world.commit(|set| set.jobs.extend(jobs)).await.unwrap();
}

fn a_job() -> NewJob {
    NewJob::new(id(), Job::SweepTag { tag: id() }, NOW)
}

/// Returns a step of the run that identifies the lane.
fn in_lane(lane: Uuid) -> NewJob {
    NewJob::new(id(), Job::StepRun { run: TypedId::from_uuid(lane), visit: 0 }, NOW)
}

/// All fields of a job are stored.
pub async fn stores_all_fields_of_a_job(store: Ports) {
    let world = World::new(&store).await;
    let run = NewJob::new(id(), Job::StepRun { run: id(), visit: 42 }, NOW);
    add(&world, [run]).await;
    let claimed = claim(&world, Pool::Work).await;
    let expected = ClaimedJob {
        id: run.id,
        workspace: world.workspace,
        job: run.job,
        token: claimed[0].token,
        attempts: 0,
        delivery: None,
    };
    assert_eq!(claimed, [expected]);
    let delivery = NewJob::new(id(), Job::AttemptDelivery { delivery: id(), webhook: id(), round: 0 }, NOW);
    add(&world, [delivery]).await;
    assert_eq!(claim(&world, Pool::Deliveries).await[0].job, delivery.job);
    let further = ExtraIds::new(&[uuid(), uuid(), uuid()]).unwrap();
    for kind in JobKind::ALL {
        let columns = JobColumns { subject: uuid(), mark: 7, lane: Some(uuid()), group: Some(uuid()), further };
        let job = NewJob::new(id(), Job::read(*kind, columns).unwrap(), NOW);
        add(&world, [job]).await;
        let claimed = claim(&world, kind.pool()).await;
        assert_eq!((claimed.len(), claimed[0].job), (1, job.job));
    }
}

/// A job written as claimed by its writer cannot be claimed by others until its lease expires, and ends with its first
/// token.
pub async fn a_job_may_be_written_as_claimed(store: Ports) {
    let world = World::new(&store).await;
    let leased = |due_at, lease| NewJob { due_at, lease: Some(lease), ..a_job() };
    // The lease of the second has expired by any clock.
    let held = leased(Timestamp::from_millis(4_000_000_000_000), LONG);
    let left = leased(at(1).minus(Duration::from_secs(86_400)), Duration::ZERO);
    add(&world, [held, left]).await;
    let claimed = claim(&world, Pool::Work).await;
    let first = left.first_claim(world.workspace);
    assert_eq!(claimed, [ClaimedJob { token: first.token + 1, ..first }]);
    let finish = |job: &NewJob| Change::Job(JobChange::Finish { job: job.id, token: NewJob::FIRST_TOKEN });
    assert_eq!(conflict(world.change(finish(&left)).await), Conflict::ClaimLost);
    world.add(finish(&held)).await;
}

/// A job is claimed once it is due, once, and not after it is finished.
pub async fn a_job_waits_until_it_is_due(store: Ports) {
    let world = World::new(&store).await;
    let far = "2999-01-01T00:00:00Z".parse().unwrap();
    let job = a_job();
    add(&world, [job, NewJob { due_at: far, ..a_job() }]).await;
    let claimed = claim(&world, Pool::Work).await;
    assert_eq!(claimed.iter().map(|job| job.id).collect::<Vec<_>>(), [job.id]);
    assert_eq!(claim(&world, Pool::Work).await, [], "a claimed job is not claimed again");
    world.add(Change::Job(JobChange::Finish { job: job.id, token: claimed[0].token })).await;
    assert_eq!(claim(&world, Pool::Work).await, [], "a finished job is not claimed again");
    let again = world.change(Change::Job(JobChange::Finish { job: job.id, token: claimed[0].token })).await;
    assert_eq!(conflict(again), Conflict::ClaimLost);
}

/// A set with an old token ends nothing, gives nothing back, and writes nothing else.
pub async fn rejects_changes_with_an_old_claim(store: Ports) {
    let world = World::new(&store).await;
    add(&world, [a_job()]).await;
    let mut now = NOW;
    let old = claim_shortly(&world, Pool::Work).await.unwrap();
    let new = claim_eventually(&world, Pool::Work, &mut now, LONG).await;
    assert_eq!(new.id, old.id);
    assert!(new.token > old.token);
    let (job, token) = (old.id, old.token);
    for fenced in [
        Change::Job(JobChange::Finish { job, token }),
        Change::Job(JobChange::Reschedule { job, token, due_at: NOW, error: Some("e".to_owned()) }),
        Change::Job(JobChange::Park { job, token }),
        Change::Job(JobChange::Bury { job, token, error: "e".to_owned(), at: NOW }),
    ] {
        let witness = Tag::new(id(), "witness", NOW);
        let outcome = world
            .commit(|set| {
                set.change(Change::Insert(Row::Stored(StoredRow::Tag(witness.clone())))).change(fenced);
            })
            .await;
        assert_eq!(conflict(outcome), Conflict::ClaimLost);
        assert!(!world.has_tag(&witness).await);
    }
    let guard = |token| Guard::Claim(Claim { job, token });
    assert_eq!(conflict(world.commit(|set| set.guards.push(guard(old.token))).await), Conflict::ClaimLost);
    assert_eq!(world.commit(|set| set.guards.push(guard(new.token))).await, Ok(()));
    let extended = store.engine.extend(vec![old.held_claim()], LONG, now).await.unwrap();
    assert_eq!(extended, []);
    world.add(Change::Job(JobChange::Finish { job, token: new.token })).await;
}

/// After a worker dies, its job is claimed again, with a greater token each time.
pub async fn claims_a_job_again_after_its_lease_expires(store: Ports) {
    let world = World::new(&store).await;
    add(&world, [a_job()]).await;
    let mut now = NOW;
    let mut last = claim_shortly(&world, Pool::Work).await.unwrap();
    for _ in 0..3 {
        let next = claim_eventually(&world, Pool::Work, &mut now, SHORT).await;
        assert_eq!((next.id, next.attempts), (last.id, 0));
        assert!(next.token > last.token);
        last = next;
    }
}

/// Of two claims made at the same time, the extended one stays when the other expires.
pub async fn an_extended_lease_does_not_expire_early(store: Ports) {
    let world = World::new(&store).await;
    add(&world, [a_job(), a_job()]).await;
    let lease = Duration::from_secs(1);
    let claims = store.engine.claim(ClaimRequest { lease, ..request(Pool::Work, 2) }).await.unwrap();
    let [kept, left] = claims.try_into().unwrap();
    let held = Claim { job: kept.id, token: kept.token };
    let lost = Claim { job: left.id, token: left.token + 1 };
    let extended = store
        .engine
        .extend([held, lost].map(|claim| HeldClaim { workspace: world.workspace, claim }).to_vec(), LONG, NOW)
        .await
        .unwrap();
    assert_eq!(extended, [held]);
    let mut now = NOW;
    let next = claim_eventually(&world, Pool::Work, &mut now, LONG).await;
    assert_eq!(next.id, left.id);
    let request = ClaimRequest { now, ..request(Pool::Work, 2) };
    assert_eq!(store.engine.claim(request).await.unwrap(), []);
    world.add(Change::Job(JobChange::Finish { job: kept.id, token: kept.token })).await;
}

/// A job that was given back is claimed again and has the number of its failures.
pub async fn claims_a_rescheduled_job_again(store: Ports) {
    let world = World::new(&store).await;
    add(&world, [a_job()]).await;
    let mut attempts = 0;
    let mut last_token = 0;
    // More often than a job may be claimed without a result, because giving back is a result.
    for error in [Some("e"), None, Some("f"), None, None, None, None, None] {
        let job = claim(&world, Pool::Work).await.pop().expect("the job");
        assert_eq!(job.attempts, attempts);
        assert!(job.token > last_token);
        last_token = job.token;
        let (job, token) = (job.id, job.token);
        let error = error.map(str::to_owned);
        attempts += i32::from(error.is_some());
        world.add(Change::Job(JobChange::Reschedule { job, token, due_at: NOW, error })).await;
    }
    let job = claim(&world, Pool::Work).await.pop().unwrap();
    let far = "2999-01-01T00:00:00Z".parse().unwrap();
    world.add(Change::Job(JobChange::Reschedule { job: job.id, token: job.token, due_at: far, error: None })).await;
    assert_eq!(claim(&world, Pool::Work).await, []);
}

/// A job that was claimed five times without a result may be the cause of its workers' deaths.
pub async fn a_job_claimed_five_times_is_not_claimed_again(store: Ports) {
    let world = World::new(&store).await;
    let lane = uuid();
    let (poison, behind) = (in_lane(lane), in_lane(lane));
    add(&world, [poison, behind]).await;
    let mut now = NOW;
    let mut last = claim_shortly(&world, Pool::Work).await.unwrap();
    for _ in 0..4 {
        assert_eq!(last.id, poison.id);
        last = claim_eventually(&world, Pool::Work, &mut now, SHORT).await;
    }
    assert_eq!(last.id, poison.id);
    let next = claim_eventually(&world, Pool::Work, &mut now, LONG).await;
    assert_eq!(next.id, behind.id, "the next job of the lane is claimed");
    let late = world.change(Change::Job(JobChange::Finish { job: last.id, token: last.token })).await;
    assert_eq!(conflict(late), Conflict::ClaimLost);
}

/// A dead-lettered job delays no other job and is not claimed.
pub async fn never_claims_a_dead_lettered_job(store: Ports) {
    let world = World::new(&store).await;
    let lane = uuid();
    let (bad, behind) = (in_lane(lane), in_lane(lane));
    add(&world, [bad, behind]).await;
    let job = claim(&world, Pool::Work).await.pop().unwrap();
    assert_eq!(job.id, bad.id);
    world.add(Change::Job(JobChange::Bury { job: job.id, token: job.token, error: "e".to_owned(), at: NOW })).await;
    let claimed = claim(&world, Pool::Work).await;
    assert_eq!(claimed.iter().map(|job| job.id).collect::<Vec<_>>(), [behind.id]);
    assert_eq!(store.engine.next_due(Pool::Work).await.unwrap(), None);
}

/// Groups at their concurrency limit are skipped, others are not.
pub async fn skips_full_groups(store: Ports) {
    let world = World::new(&store).await;
    let webhooks = [(); 3].map(|()| id());
    let jobs =
        webhooks.map(|webhook| NewJob::new(id(), Job::AttemptDelivery { delivery: id(), webhook, round: 0 }, NOW));
    add(&world, jobs).await;
    let full_groups = vec![webhooks[0].uuid(), webhooks[2].uuid()];
    let claimed = store.engine.claim(ClaimRequest { full_groups, ..request(Pool::Deliveries, 10) }).await.unwrap();
    assert_eq!(claimed.iter().map(|job| job.id).collect::<Vec<_>>(), [jobs[1].id]);
    assert_eq!(claim(&world, Pool::Deliveries).await.len(), 2);
}

/// A job of a free lane is written as claimed; if the lane is busy, it waits for its turn.
pub async fn a_job_of_a_free_lane_may_be_written_as_claimed(store: Ports) {
    let world = World::new(&store).await;
    let lane = uuid();
    let taken = |lane| NewJob { lease: Some(LONG), ..in_lane(lane) };
    let write = async |job: NewJob| {
        world
            .commit(|set| {
                set.guard(Guard::LaneFree(lane));
                set.jobs.push(job);
            })
            .await
    };
    let first = taken(lane);
    write(first).await.unwrap();
    assert_eq!(conflict(write(taken(lane)).await), Conflict::LaneBusy);
    let second = in_lane(lane);
    add(&world, [second]).await;
    assert_eq!(claim(&world, Pool::Work).await, []);
    world.add(Change::Job(JobChange::Finish { job: first.id, token: NewJob::FIRST_TOKEN })).await;
    assert_eq!(conflict(write(taken(lane)).await), Conflict::LaneBusy, "another job of the lane is queued");
    assert_eq!(claim(&world, Pool::Work).await.iter().map(|job| job.id).collect::<Vec<_>>(), [second.id]);
}

/// The job that was claimed first is claimed again after its lease expires, even before one with a lower ID.
pub async fn a_claimed_job_stays_the_head_of_its_lane(store: Ports) {
    let world = World::new(&store).await;
    let lane = uuid();
    let lower = in_lane(lane);
    let first =
        NewJob { due_at: at(1).minus(Duration::from_secs(86_400)), lease: Some(Duration::ZERO), ..in_lane(lane) };
    add(&world, [first]).await;
    add(&world, [lower]).await;
    let claimed = claim(&world, Pool::Work).await;
    assert_eq!(
        claimed.iter().map(|job| (job.id, job.token)).collect::<Vec<_>>(),
        [(first.id, NewJob::FIRST_TOKEN + 1)]
    );
    world.add(Change::Job(JobChange::Finish { job: first.id, token: NewJob::FIRST_TOKEN + 1 })).await;
    assert_eq!(claim(&world, Pool::Work).await.iter().map(|job| job.id).collect::<Vec<_>>(), [lower.id]);
}

/// Returns the earliest due time in the pool, without claimed or dead-lettered jobs.
pub async fn returns_the_earliest_due_time_of_a_pool(store: Ports) {
    let world = World::new(&store).await;
    let next = async || store.engine.next_due(Pool::Work).await.unwrap();
    assert_eq!(next().await, None);
    let later: Timestamp = "2999-01-01T00:00:00Z".parse().unwrap();
    let much_later: Timestamp = "3000-01-01T00:00:00Z".parse().unwrap();
    add(&world, [NewJob { due_at: much_later, ..a_job() }, NewJob { due_at: later, ..a_job() }]).await;
    add(
        &world,
        [NewJob::new(
            id(),
            Job::SendMessage { message: id(), conversation: Some(id()), channel: None, depth: 0 },
            at(1),
        )],
    )
    .await;
    assert_eq!(next().await, Some(later));
    let lane = uuid();
    let (first, behind) = (NewJob { due_at: much_later, ..in_lane(lane) }, in_lane(lane));
    add(&world, [first, behind]).await;
    assert_eq!(next().await, Some(later), "only the head of a lane counts");
    add(&world, [a_job()]).await;
    assert_eq!(next().await, Some(NOW));
    let job = claim(&world, Pool::Work).await.pop().unwrap();
    assert_eq!(next().await, Some(later));
    world.add(Change::Job(JobChange::Finish { job: job.id, token: job.token })).await;
    assert_eq!(next().await, Some(later));
}

/// Each pool has its own jobs. A claim returns at most its limit, the longest due first.
pub async fn claims_only_jobs_of_the_requested_pool(store: Ports) {
    let world = World::new(&store).await;
    let due = |seconds| NewJob { due_at: at(seconds), ..a_job() };
    let jobs = [due(3), due(1), due(2)];
    add(&world, jobs).await;
    add(
        &world,
        [NewJob::new(id(), Job::SendMessage { message: id(), conversation: Some(id()), channel: None, depth: 0 }, NOW)],
    )
    .await;
    assert_eq!(claim(&world, Pool::Deliveries).await, []);
    assert_eq!(claim(&world, Pool::Sends).await.len(), 1);
    let ask = async || {
        let request = ClaimRequest { now: at(9), ..request(Pool::Work, 1) };
        store.engine.claim(request).await.unwrap().into_iter().map(|job| job.id).collect::<Vec<_>>()
    };
    assert_eq!(ask().await, [jobs[1].id]);
    assert_eq!(ask().await, [jobs[2].id]);
    assert_eq!(ask().await, [jobs[0].id]);
    assert_eq!(ask().await, []);
}
