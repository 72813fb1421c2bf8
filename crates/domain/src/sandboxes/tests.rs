use std::sync::Arc;
use std::time::Duration;

use futures::executor::block_on;
use uuid::Uuid;

use super::service::MOST_STEPS;
use super::{AheadClock, Goal, Progress, SandboxService};
use crate::access::Access;
use crate::error::Error;
use crate::ids::{JobId, TypedId, WorkspaceId};
use crate::memory::{CountingIds, FixedClock, MemoryStore};
use crate::ports::{ChangeSet, Clock, Job, JobQueries, Ledger, NewJob, Ports};
use crate::time::Timestamp;

const HOUR: Duration = Duration::from_secs(3_600);

/// Returns a store and ports with its clock.
fn bench() -> (Arc<MemoryStore>, Arc<FixedClock>, Ports, Access) {
    let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
    let ports = Ports {
        sandboxes: store.clone(),
        jobs: store.clone(),
        ledger: store.clone(),
        clock: clock.clone(),
        ids: Arc::new(CountingIds::default()),
        listeners: store.clone(),
        ..Ports::mocked()
    };
    let ledger = ports.ledger.clone();
    let workspace = WorkspaceId::of_sandbox(Uuid::from_u128(7));
    (store, clock, ports.through(ledger), Access::system(workspace))
}

fn job(number: u128, due_at: Timestamp) -> NewJob {
    let id = JobId::from_uuid(Uuid::from_u128(number));
    NewJob::new(id, Job::SweepTag { tag: TypedId::from_uuid(id.uuid()) }, due_at)
}

async fn add(ports: &Ports, access: &Access, job: NewJob) {
    let mut set = ChangeSet::new(access.workspace());
    set.jobs.push(job);
    ports.ledger.commit(set).await.unwrap();
}

#[test]
fn a_clock_advances_from_one_due_time_to_the_next() {
    block_on(async {
        let (store, clock, ports, access) = bench();
        let service = SandboxService { ports: Arc::new(ports.clone()) };
        let began = clock.now();
        add(&ports, &access, job(1, began.plus(HOUR))).await;
        let mut advance = service.begin(&access, Goal::After(HOUR * 5)).await.unwrap();
        assert_eq!(service.begin(&access, Goal::After(HOUR)).await.unwrap_err(), Error::ClockInUse);
        assert_eq!(service.step(&mut advance).await, Ok(Progress::Moved));
        assert_eq!(service.clock(&access).await.unwrap().now, began.plus(HOUR));
        // The job is due and not done yet.
        assert_eq!(service.step(&mut advance).await, Ok(Progress::Waiting));
        store_ends(&store, &access, &[1]).await;

        // The due times of queued work use the clock of the sandbox: in two hours, and immediately.
        let there = ports.in_time_of(access.workspace()).await.unwrap().unwrap();
        assert_eq!((there.clock.now(), there.ahead), (began.plus(HOUR), HOUR));
        add(&there, &access, job(2, there.clock.now().plus(HOUR * 2))).await;
        add(&there, &access, job(3, there.clock.now())).await;
        // A due time by the clock of the store, which is long past by the clock of the sandbox.
        add(&ports, &access, job(4, began)).await;
        let due = async |number| {
            let id = JobId::from_uuid(Uuid::from_u128(number));
            store.get(&access, id).await.unwrap().unwrap().due_at
        };
        assert_eq!((due(2).await, due(3).await, due(4).await), (began.plus(HOUR * 2), began, began));
        assert_eq!(service.step(&mut advance).await, Ok(Progress::Waiting));
        store_ends(&store, &access, &[3, 4]).await;
        assert_eq!(service.step(&mut advance).await, Ok(Progress::Moved));
        assert_eq!(service.clock(&access).await.unwrap().now, began.plus(HOUR * 3));
        store_ends(&store, &access, &[2]).await;
        assert_eq!(service.step(&mut advance).await, Ok(Progress::Arrived));
        let view = service.end(advance, true).await.unwrap();
        assert_eq!((view.now, view.ahead_seconds, view.steps), (began.plus(HOUR * 5), 5 * 3_600, 2));
        service.begin(&access, Goal::After(HOUR)).await.unwrap();
    });
}

/// Finishes the due jobs, which must have these numbers.
async fn store_ends(store: &MemoryStore, access: &Access, numbers: &[u128]) {
    use crate::ports::{ClaimRequest, EngineStore, Pool};
    let request = ClaimRequest::new(Pool::Work, 9, HOUR, FixedClock::default().now());
    let claimed = store.claim(request).await.unwrap();
    let mut found: Vec<_> = claimed.iter().map(|it| it.id.uuid().as_u128()).collect();
    found.sort_unstable();
    assert_eq!(found, numbers);
    for job in claimed {
        let mut set = ChangeSet::new(access.workspace());
        set.change(job.finish());
        store.commit(set).await.unwrap();
    }
}

#[test]
fn a_live_workspace_has_the_clock_of_the_store() {
    block_on(async {
        let (_, clock, ports, _) = bench();
        let live = Access::system(WorkspaceId::from_uuid(Uuid::from_u128(0x01890a5d_ac96_774b_bcce_b302099a8057)));
        assert!(ports.in_time_of(live.workspace()).await.unwrap().is_none());
        let service = SandboxService { ports: Arc::new(ports.clone()) };
        assert_eq!(service.clock(&live).await.unwrap().now, clock.now());
        assert_eq!(service.begin(&live, Goal::After(HOUR)).await.unwrap_err(), Error::NotASandbox);
        assert_eq!(service.reset(&live).await.unwrap_err(), Error::NotASandbox);
        let ahead = AheadClock { clock: clock.clone(), ahead: HOUR };
        assert_eq!(ahead.now(), clock.now().plus(HOUR));
    });
}

#[test]
fn an_advance_waits_for_expired_leases_and_stops_at_its_limit() {
    block_on(async {
        use crate::ports::{ClaimRequest, EngineStore, Pool};
        let (store, clock, ports, access) = bench();
        let service = SandboxService { ports: Arc::new(ports.clone()) };
        let began = clock.now();
        add(&ports, &access, job(1, began)).await;
        add(&ports, &access, job(2, began.plus(HOUR))).await;
        let lease = Duration::from_secs(30);
        let claimed = store.claim(ClaimRequest::new(Pool::Work, 9, lease, began)).await.unwrap();
        assert_eq!(claimed.len(), 1);
        // The worker stopped and its lease ended; another worker claims the job.
        clock.set(began.plus(lease * 2));
        let mut advance = service.begin(&access, Goal::After(HOUR * 2)).await.unwrap();
        assert_eq!(service.step(&mut advance).await, Ok(Progress::Waiting));
        for job in store.claim(ClaimRequest::new(Pool::Work, 9, lease, clock.now())).await.unwrap() {
            let mut set = ChangeSet::new(access.workspace());
            set.change(job.finish());
            store.commit(set).await.unwrap();
        }
        advance.steps = MOST_STEPS;
        assert_eq!(service.step(&mut advance).await, Ok(Progress::Stopped));
    });
}
