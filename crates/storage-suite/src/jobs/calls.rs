//! Calls of runs: they are claimed with deliveries, in turn between workspaces, and share the fate of their run.

use tidings_domain::events::EventKind;
use tidings_domain::flows::{RunStatus, Wait};
use tidings_domain::ids::RunId;
use tidings_domain::ports::{Change, ClaimRequest, ClaimedJob, FlowChange, Job, NewJob, Pool, Row};

use crate::Ports;
use crate::fixtures::{NOW, World, a_run, at, id, nothing, uuid};
use crate::jobs::request;

async fn claim(store: &Ports, request: ClaimRequest) -> Vec<ClaimedJob> {
    store.engine.claim(request).await.unwrap()
}

async fn add(world: &World, jobs: impl IntoIterator<Item = Job>) {
    let jobs: Vec<NewJob> = jobs.into_iter().map(|job| NewJob::new(id(), job, NOW)).collect();
    world.commit(|set| set.jobs.extend(jobs)).await.unwrap();
}

fn a_call() -> Job {
    Job::CallHttp { run: id(), visit: 1 }
}

/// A call is claimed with all its fields, once, and again after it was given back.
pub async fn claims_a_call_together_with_deliveries(store: Ports) {
    let world = World::new(&store).await;
    let call = a_call();
    add(&world, [call, Job::AttemptDelivery { delivery: id(), webhook: id(), round: 0 }]).await;
    let claimed = claim(&store, request(Pool::Deliveries, 100)).await;
    assert_eq!(claimed.len(), 2);
    let claimed = claimed.into_iter().find(|job| job.job == call).unwrap();
    assert_eq!((claimed.delivery, claimed.group(), claimed.attempts), (None, None, 0));
    assert_eq!(claim(&store, request(Pool::Deliveries, 100)).await, []);
    world.add(claimed.reschedule(at(60), None)).await;
    assert_eq!(store.engine.next_due(Pool::Deliveries).await.unwrap(), Some(at(60)));
    let later = ClaimRequest { now: at(60), ..request(Pool::Deliveries, 100) };
    let again = claim(&store, later).await;
    assert!(again.iter().any(|job| job.job == call && job.token > claimed.token), "{again:?}");
}

/// A long queue of one workspace does not delay the call of another. A workspace at its limit gets none.
pub async fn claims_calls_of_workspaces_in_turn(store: Ports) {
    let (busy, calm, third) = (World::new(&store).await, World::new(&store).await, World::new(&store).await);
    add(&busy, (0..40).map(|_| a_call())).await;
    add(&calm, (0..2).map(|_| a_call())).await;
    add(&third, [a_call()]).await;
    let claimed = claim(&store, request(Pool::Deliveries, 5)).await;
    let of =
        |claimed: &[ClaimedJob], world: &World| claimed.iter().filter(|job| job.workspace == world.workspace).count();
    assert_eq!((claimed.len(), of(&claimed, &third)), (5, 1));
    assert!(of(&claimed, &calm) >= 1, "{claimed:?}");
    let full = ClaimRequest { full_workspaces: vec![busy.workspace], ..request(Pool::Deliveries, 5) };
    assert_eq!(of(&claim(&store, full).await, &busy), 0);
}

/// Calls and deliveries do not delay each other: each claim contains both kinds while both are due.
pub async fn fills_each_claim_with_calls_and_deliveries(store: Ports) {
    let world = World::new(&store).await;
    add(&world, (0..20).map(|_| a_call())).await;
    let webhook = world.webhook(nothing()).await;
    for _ in 0..20 {
        let event = world.event(EventKind::MessageSent).await;
        world.delivery(&webhook, &event).await;
    }
    let mut claims = Vec::new();
    for _ in 0..5 {
        let claimed = claim(&store, request(Pool::Deliveries, 8)).await;
        let calls = claimed.iter().filter(|job| matches!(job.job, Job::CallHttp { .. })).count();
        claims.push((calls, claimed.len() - calls));
    }
    let both = claims.iter().take(3).all(|(calls, deliveries)| *calls >= 2 && *deliveries >= 2);
    assert!(both, "each kind gets at least a quarter of a claim: {claims:?}");
    assert!(claims.iter().all(|(calls, deliveries)| calls + deliveries == 8), "all claims are full: {claims:?}");
    assert_eq!(claims.iter().map(|(calls, _)| calls).sum::<usize>(), 20, "all calls are claimed");
}

/// A call waits for the step of its run that made it, even while the step is claimed.
pub async fn a_call_waits_for_the_step_before_it(store: Ports) {
    let world = World::new(&store).await;
    let run: RunId = id();
    add(&world, [Job::StepRun { run, visit: 1 }]).await;
    let step = claim(&store, request(Pool::Work, 1)).await.remove(0);
    add(&world, [Job::CallHttp { run, visit: 2 }]).await;
    assert_eq!(claim(&store, request(Pool::Deliveries, 100)).await, []);
    world.add(step.finish()).await;
    let claimed = claim(&store, request(Pool::Deliveries, 100)).await;
    assert_eq!(claimed.iter().map(|job| job.job).collect::<Vec<_>>(), [Job::CallHttp { run, visit: 2 }]);
    let next = NewJob::new(id(), Job::CallHttp { run, visit: 3 }, NOW);
    let together = world.commit(|set| {
        set.change(claimed[0].finish());
        set.jobs.push(next);
    });
    together.await.unwrap();
    assert_eq!(claim(&store, request(Pool::Deliveries, 100)).await[0].job, next.job);
}

/// A call is dropped with its run's steps, and becomes due when its flow is resumed.
pub async fn drops_and_wakes_queued_calls_with_their_runs(store: Ports) {
    let world = World::new(&store).await;
    let (flow, contact) = (world.flow().await, world.contact().await);
    let waiting = async |until: u64| {
        let mut run = a_run(&flow, &contact);
        (run.slot, run.status) = (uuid(), RunStatus::Waiting);
        run.wait = Some(Wait { attempt: 3, ..Wait::for_call(at(until)) });
        let job = NewJob::new(id(), run.next_call(), at(3_600 + until));
        let written = run.clone();
        let commit = world.commit(|set| {
            set.change(Change::Insert(Row::Run(Box::new(run))));
            set.jobs.push(job);
        });
        commit.await.unwrap();
        let read = store.flows.run(&world.access, written.id).await.unwrap();
        assert_eq!(read.as_ref(), Some(&written), "all fields of the run are stored");
        written.id
    };
    let (due, dropped, _later) = (waiting(10).await, waiting(11).await, waiting(5_000).await);
    let next = async || store.engine.next_due(Pool::Deliveries).await.unwrap();
    assert_eq!(next().await, Some(at(3_610)));
    world.add(Change::Flow(FlowChange::DropSteps { run: dropped })).await;
    world.add(Change::Flow(FlowChange::WakeRuns { flow: flow.id, at: at(20), due_at: at(20) })).await;
    assert_eq!(next().await, Some(at(20)), "calls that fell due during the pause are due at once");
    world.add(Change::Flow(FlowChange::DropSteps { run: due })).await;
    assert_eq!(next().await, Some(at(8_600)), "calls with a later due time keep it");
    world.add(Change::Flow(FlowChange::Interrupt { flow: flow.id, at: at(30), due_at: at(30) })).await;
    assert_eq!(next().await, None);
}
