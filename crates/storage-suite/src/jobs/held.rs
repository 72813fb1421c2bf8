//! Messages of a paused flow leave their lane and return to their place when it resumes.

use tidings_domain::conversations::Message;
use tidings_domain::flows::Flow;
use tidings_domain::ports::{Change, ClaimedJob, Conflict, HeldUntil, Job, JobChange, NewJob, Pool, Row, StoreError};

use crate::Ports;
use crate::fixtures::{NOW, World, a_message, conflict, id};
use crate::jobs::request;

/// Stores a queued message of the conversation, with its job.
async fn queued(world: &World, of: &Message) -> NewJob {
    let message = Message { id: id(), provider_message_id: None, ..of.clone() };
    let send = Job::SendMessage { message: message.id, conversation: message.conversation, channel: None, depth: 1 };
    let job = NewJob::new(id(), send, NOW);
    let commit = world.commit(|set| {
        set.change(Change::Insert(Row::Message(Box::new(message))));
        set.jobs.push(job);
    });
    commit.await.unwrap();
    job
}

async fn claimed(world: &World) -> Vec<ClaimedJob> {
    match world.ports.engine.claim(request(Pool::Sends, 100)).await {
        Err(StoreError::Contention) => Vec::new(),
        claimed => claimed.unwrap(),
    }
}

async fn hold(world: &World, job: &ClaimedJob, flow: &Flow) {
    world
        .add(Change::Job(JobChange::Hold { job: job.id, token: job.token, until: HeldUntil::FlowResumes(flow.id) }))
        .await;
}

async fn release(world: &World, flow: &Flow) {
    let until = HeldUntil::FlowResumes(flow.id);
    world.add(Change::Job(JobChange::ReleaseHeld { until, due_at: NOW })).await;
}

/// Claims the only job that can be claimed, and finishes it.
async fn done(world: &World) -> Option<Job> {
    let taken = claimed(world).await;
    assert!(taken.len() < 2, "{taken:?}");
    let job = taken.into_iter().next()?;
    world.add(Change::Job(JobChange::Finish { job: job.id, token: job.token })).await;
    Some(job.job)
}

/// Messages behind a held one are sent. When the flow resumes, its messages follow in order, before later ones.
pub async fn a_held_message_does_not_block_its_lane(store: Ports) {
    let world = World::new(&store).await;
    let (flow, other) = (world.flow().await, world.flow().await);
    let conversation = world.conversation(&world.contact().await).await;
    let message = a_message(&conversation);
    let (first, second, third) =
        (queued(&world, &message).await, queued(&world, &message).await, queued(&world, &message).await);
    for expected in [first, second] {
        let taken = claimed(&world).await;
        assert_eq!(taken.iter().map(|job| job.id).collect::<Vec<_>>(), [expected.id]);
        hold(&world, &taken[0], &flow).await;
    }
    assert_eq!(done(&world).await, Some(third.job), "a message behind the held ones is sent");
    let fourth = queued(&world, &message).await;
    release(&world, &other).await;
    assert_eq!(done(&world).await, Some(fourth.job), "resuming another flow does not release them");
    assert_eq!(done(&world).await, None);

    let under_way = queued(&world, &message).await;
    let taken = claimed(&world).await;
    assert_eq!(taken.len(), 1);
    let last = queued(&world, &message).await;
    release(&world, &flow).await;
    assert_eq!(claimed(&world).await, [], "one message of a lane is claimed at a time");
    world.add(Change::Job(JobChange::Finish { job: taken[0].id, token: taken[0].token })).await;
    assert_eq!(taken[0].job, under_way.job);
    for expected in [first, second, last] {
        assert_eq!(done(&world).await, Some(expected.job));
    }
    assert_eq!(done(&world).await, None);
    assert_eq!(world.ports.engine.next_due(Pool::Sends).await.unwrap(), None);
}

/// A job can only be held with its current claim. A released job can be held again.
pub async fn holds_a_message_only_with_its_current_claim(store: Ports) {
    let world = World::new(&store).await;
    let flow = world.flow().await;
    let conversation = world.conversation(&world.contact().await).await;
    let job = queued(&world, &a_message(&conversation)).await;
    for _ in 0..2 {
        let taken = claimed(&world).await;
        assert_eq!(taken.iter().map(|job| job.job).collect::<Vec<_>>(), [job.job]);
        let stale = JobChange::Hold { job: job.id, token: taken[0].token - 1, until: HeldUntil::FlowResumes(flow.id) };
        assert_eq!(conflict(world.change(Change::Job(stale)).await), Conflict::ClaimLost);
        hold(&world, &taken[0], &flow).await;
        assert_eq!(claimed(&world).await, []);
        // A held job does not block the clock of a sandbox.
        let agenda = store.sandboxes.agenda(world.access.workspace()).await.unwrap();
        assert_eq!((agenda.busy, agenda.next), (false, None));
        let again = JobChange::Hold { job: job.id, token: taken[0].token, until: HeldUntil::FlowResumes(flow.id) };
        assert_eq!(conflict(world.change(Change::Job(again)).await), Conflict::ClaimLost);
        release(&world, &flow).await;
    }
    assert_eq!(done(&world).await, Some(job.job));
}

/// If the message was erased with its contact, its job becomes due once more and finds nothing.
pub async fn a_released_job_of_an_erased_message_is_claimed_once(store: Ports) {
    let world = World::new(&store).await;
    let flow = world.flow().await;
    let send = Job::SendMessage { message: id(), conversation: Some(id()), channel: None, depth: 0 };
    world.commit(|set| set.jobs.push(NewJob::new(id(), send, NOW))).await.unwrap();
    let taken = claimed(&world).await;
    hold(&world, &taken[0], &flow).await;
    release(&world, &flow).await;
    assert!(done(&world).await.is_some());
    assert_eq!(done(&world).await, None);
}
