//! Samples of runs of flows with their queued steps.

use tidings_domain::flows::{Call, Caller, Run, RunStatus, Wait};
use tidings_domain::ids::{JobId, RunId};
use tidings_domain::ports::{Change, FlowChange, Job, NewJob, Row};
use tidings_domain::time::Timestamp;

use super::sample::{Does, Maker, Sample, maker, row_makers};
use crate::fixtures::{World, a_flow_version, a_run, at, id, uuid};

pub(super) fn samples() -> Vec<Maker> {
    let mut samples = row_makers(run);
    samples.extend([
        maker(interrupt_runs),
        maker(drop_steps),
        maker(wake_caller),
        maker(interrupt_called),
        maker(interrupt),
        maker(migrate_runs),
        maker(wake_runs),
    ]);
    samples
}

async fn read(world: &World, run: RunId) -> Option<Run> {
    world.ports.flows.run(&world.access, run).await.unwrap()
}

async fn run(world: World, does: Does) -> Sample {
    let run = a_run(&world.flow().await, &world.contact().await);
    let own = run.id;
    let change = |it: &mut Run| {
        (it.status, it.node, it.wait) = (RunStatus::Waiting, Some("ask".to_owned()), Some(Wait::until(at(60))));
        (it.updated_at, it.visit, it.version) = (at(9), 1, 2);
    };
    does.row(&world, |it| Row::Run(Box::new(it)), run, change, async move |w| read(w, own).await).await
}

/// Stores a run of a new flow for a new contact, with its queued step.
async fn queued(world: &World, describe: impl FnOnce(&mut Run)) -> (Run, JobId) {
    let mut run = a_run(&world.flow().await, &world.contact().await);
    run.slot = uuid();
    describe(&mut run);
    let job = NewJob::new(id(), Job::StepRun { run: run.id, visit: 0 }, at(9_000));
    let written = world.commit(|set| {
        set.change(Change::Insert(Row::Run(Box::new(run.clone()))));
        set.jobs.push(job);
    });
    written.await.unwrap();
    (run, job.id)
}

async fn status(world: &World, run: RunId) -> RunStatus {
    read(world, run).await.unwrap().status
}

async fn due(world: &World, job: JobId) -> Option<Timestamp> {
    world.ports.jobs.get(&world.access, job).await.unwrap().map(|it| it.due_at)
}

async fn interrupt_runs(world: World) -> Sample {
    let (run, _) = queued(&world, |_| {}).await;
    let change = Change::Flow(FlowChange::InterruptRuns { contact: run.contact, at: at(9) });
    Sample::new(&world, change, RunStatus::Interrupted, async move |w| status(w, run.id).await)
}

async fn drop_steps(world: World) -> Sample {
    let (run, step) = queued(&world, |_| {}).await;
    let change = Change::Flow(FlowChange::DropSteps { run: run.id });
    Sample::new(&world, change, None, async move |w| due(w, step).await)
}

async fn wake_caller(world: World) -> Sample {
    let calling = |run: &mut Run| {
        run.status = RunStatus::Waiting;
        run.wait = Some(Wait { call: Some(Call::Began(id())), ..Wait::for_flow() });
    };
    let (run, step) = queued(&world, calling).await;
    let change = Change::Flow(FlowChange::WakeCaller { run: run.id, at: at(20) });
    Sample::new(&world, change, Some(at(20)), async move |w| due(w, step).await)
}

async fn interrupt_called(world: World) -> Sample {
    let (caller, _) = queued(&world, |_| {}).await;
    let (called, _) = queued(&world, |run| run.caller = Some(Caller { run: caller.id, depth: 1 })).await;
    let change = Change::Flow(FlowChange::InterruptCalled { run: caller.id, at: at(9) });
    Sample::new(&world, change, RunStatus::Interrupted, async move |w| status(w, called.id).await)
}

async fn interrupt(world: World) -> Sample {
    let (run, step) = queued(&world, |_| {}).await;
    let change = Change::Flow(FlowChange::Interrupt { flow: run.flow, at: at(9), due_at: at(9) });
    Sample::new(&world, change, (RunStatus::Interrupted, None), async move |w| {
        (status(w, run.id).await, due(w, step).await)
    })
}

async fn migrate_runs(world: World) -> Sample {
    let flow = world.flow().await;
    world.add(Change::Flow(FlowChange::InsertVersion(a_flow_version(&flow, 2)))).await;
    let run = world.run(&flow, &world.contact().await).await.id;
    let change = Change::Flow(FlowChange::MigrateRuns { flow: flow.id, to: 2, nodes: Vec::new(), at: at(9) });
    Sample::new(&world, change, 2, async move |w| read(w, run).await.unwrap().flow_version)
}

async fn wake_runs(world: World) -> Sample {
    let waiting = |run: &mut Run| (run.status, run.wait) = (RunStatus::Waiting, Some(Wait::until(at(10))));
    let (run, step) = queued(&world, waiting).await;
    let change = Change::Flow(FlowChange::WakeRuns { flow: run.flow, at: at(20), due_at: at(20) });
    Sample::new(&world, change, Some(at(20)), async move |w| due(w, step).await)
}
