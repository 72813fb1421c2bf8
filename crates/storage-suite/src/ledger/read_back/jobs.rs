//! Samples of claimed and buried jobs.

use tidings_domain::ids::{JobId, TypedId, WebhookId};
use tidings_domain::jobs::{JobStatus, QueuedJob};
use tidings_domain::ports::{Change, Guard, HeldUntil, Job, JobChange, NewJob, Row};
use tidings_domain::time::Timestamp;

use super::sample::{Maker, Sample, maker};
use crate::fixtures::{NOW, World, a_message, at, id};
use crate::jobs::LONG;

/// The token of each claim.
const TOKEN: i64 = NewJob::FIRST_TOKEN;

pub(super) fn samples() -> Vec<Maker> {
    vec![
        maker(finish),
        maker(reschedule),
        maker(park),
        maker(hold),
        maker(release),
        maker(release_held),
        maker(bury),
        maker(drop_dead),
    ]
}

/// Stores a job as claimed, with the first token.
async fn claimed(world: &World, job: Job) -> JobId {
    let job = NewJob { lease: Some(LONG), ..NewJob::new(id(), job, NOW) };
    world.commit(|set| set.jobs.push(job)).await.unwrap();
    job.id
}

async fn sweep(world: &World) -> JobId {
    claimed(world, Job::SweepTag { tag: id() }).await
}

/// Stores a claimed job that has a group.
async fn attempt(world: &World, webhook: WebhookId) -> JobId {
    claimed(world, Job::RetryDelivery { delivery: id(), webhook, round: 0 }).await
}

async fn read(world: &World, job: JobId) -> Option<QueuedJob> {
    world.ports.jobs.get(&world.access, job).await.unwrap()
}

/// The status and the due time of a job.
async fn due(world: &World, job: JobId) -> Option<(JobStatus, Timestamp)> {
    read(world, job).await.map(|it| (it.status, it.due_at))
}

async fn finish(world: World) -> Sample {
    let job = sweep(&world).await;
    let change = Change::Job(JobChange::Finish { job, token: TOKEN });
    Sample::new(&world, change, None, async move |w| read(w, job).await)
}

async fn reschedule(world: World) -> Sample {
    let job = sweep(&world).await;
    let error = Some("no room".to_owned());
    let change = Change::Job(JobChange::Reschedule { job, token: TOKEN, due_at: at(60), error: error.clone() });
    Sample::new(&world, change, (JobStatus::Queued, at(60), 1, error), async move |w| {
        let job = read(w, job).await.unwrap();
        (job.status, job.due_at, job.attempts, job.error)
    })
}

async fn park(world: World) -> Sample {
    let job = attempt(&world, id()).await;
    let change = Change::Job(JobChange::Park { job, token: TOKEN });
    Sample::new(&world, change, Some((JobStatus::Queued, Timestamp::END)), async move |w| due(w, job).await)
}

async fn hold(world: World) -> Sample {
    let job = claimed(&world, Job::SendMessage { message: id(), conversation: None, channel: None, depth: 0 }).await;
    let change =
        Change::Job(JobChange::Hold { job, token: TOKEN, until: HeldUntil::FlowResumes(world.flow().await.id) });
    Sample::new(&world, change, Some((JobStatus::Queued, Timestamp::END)), async move |w| due(w, job).await)
}

async fn release(world: World) -> Sample {
    let webhook: WebhookId = id();
    let job = attempt(&world, webhook).await;
    world.add(Change::Job(JobChange::Park { job, token: TOKEN })).await;
    let change = Change::Job(JobChange::Release { group: webhook.uuid(), due_at: at(60) });
    Sample::new(&world, change, Some((JobStatus::Queued, at(60))), async move |w| due(w, job).await)
}

async fn release_held(world: World) -> Sample {
    let (flow, message) = (world.flow().await.id, a_message(&world.conversation(&world.contact().await).await));
    let send = Job::SendMessage { message: message.id, conversation: message.conversation, channel: None, depth: 0 };
    let job = NewJob { lease: Some(LONG), ..NewJob::new(id(), send, NOW) };
    let written = world.commit(|set| {
        set.guards.extend(send.columns().lane.map(Guard::LaneFree));
        set.change(Change::Insert(Row::Message(Box::new(message))));
        set.jobs.push(job);
    });
    written.await.unwrap();
    world.add(Change::Job(JobChange::Hold { job: job.id, token: TOKEN, until: HeldUntil::FlowResumes(flow) })).await;
    let change = Change::Job(JobChange::ReleaseHeld { until: HeldUntil::FlowResumes(flow), due_at: at(60) });
    // PostgreSQL uses its own clock for the due time of released jobs, if that is later.
    Sample::new(&world, change, Some((true, send)), async move |w| {
        w.ports.jobs.get(&w.access, job.id).await.unwrap().map(|it| (it.due_at < Timestamp::END, it.job))
    })
}

fn burying(job: JobId) -> Change {
    Change::Job(JobChange::Bury { job, token: TOKEN, error: "poison".to_owned(), at: at(9) })
}

async fn bury(world: World) -> Sample {
    let job = sweep(&world).await;
    let after = (JobStatus::Dead, Some("poison".to_owned()), Some(at(9)));
    Sample::new(&world, burying(job), after, async move |w| {
        let job = read(w, job).await.unwrap();
        (job.status, job.error, job.dead_at)
    })
}

async fn drop_dead(world: World) -> Sample {
    let job = sweep(&world).await;
    world.add(burying(job)).await;
    let change = Change::Job(JobChange::DropDead { job });
    Sample::new(&world, change, None, async move |w| read(w, job).await)
}
