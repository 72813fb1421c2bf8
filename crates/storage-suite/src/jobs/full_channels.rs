//! Messages of a channel with its maximum of running sends are not claimed.

use std::collections::HashSet;

use tidings_domain::ids::{ChannelId, JobId, TypedId, WorkspaceId};
use tidings_domain::ports::{Change, ClaimRequest, ClaimedJob, HeldUntil, Job, JobChange, NewJob, Pool};
use uuid::Uuid;

use crate::Ports;
use crate::fixtures::{NOW, World, id};
use crate::jobs::request;

fn a_send(channel: Option<ChannelId>) -> NewJob {
    NewJob::new(id(), Job::SendMessage { message: id(), conversation: Some(id()), channel, depth: 0 }, NOW)
}

async fn claim_beside(store: &Ports, full: &[ChannelId], full_workspaces: Vec<WorkspaceId>) -> Vec<ClaimedJob> {
    let full_groups: Vec<Uuid> = full.iter().map(|channel| channel.uuid()).collect();
    let request = ClaimRequest { full_groups, full_workspaces, ..request(Pool::Sends, 10) };
    store.engine.claim(request).await.unwrap()
}

fn ids(jobs: &[ClaimedJob]) -> HashSet<JobId> {
    jobs.iter().map(|job| job.id).collect()
}

/// Messages of full channels are skipped, even if workspaces take turns. Jobs without a channel, which earlier releases
/// queued, and checks of channels are not skipped.
pub async fn skips_messages_of_full_channels(store: Ports) {
    let world = World::new(&store).await;
    let [first, second, third]: [ChannelId; 3] = [id(), id(), id()];
    let of_channels = [first, second, third].map(|channel| a_send(Some(channel)));
    let others = [
        Job::LookUpMessage { message: id(), attempt: 0, channel: None },
        Job::FetchMedia { message: id(), channel: None },
        Job::CheckChannel { channel: first, round: 1 },
    ];
    let others = others.map(|job| NewJob::new(id(), job, NOW)).into_iter().chain([a_send(None)]);
    let others: Vec<NewJob> = others.collect();
    world.commit(|set| set.jobs.extend(of_channels.into_iter().chain(others.clone()))).await.unwrap();
    let claimed = claim_beside(&store, &[first, third], vec![]).await;
    let expected: HashSet<_> = others.iter().map(|job| job.id).chain([of_channels[1].id]).collect();
    assert_eq!(ids(&claimed), expected);
    let groups: HashSet<_> = claimed.iter().map(ClaimedJob::group).collect();
    assert_eq!(groups, HashSet::from([Some(second.uuid()), None]));
    // If a workspace is full, all sends are claimed in turns of the workspaces.
    let in_turn = claim_beside(&store, &[first], vec![id()]).await;
    assert_eq!(ids(&in_turn), HashSet::from([of_channels[2].id]));
    assert_eq!(ids(&claim_beside(&store, &[], vec![]).await), HashSet::from([of_channels[0].id]));
}

/// Look-ups of messages and fetches of their files belong to the channel, too.
pub async fn skips_other_calls_of_full_channels(store: Ports) {
    let world = World::new(&store).await;
    let [full, free]: [ChannelId; 2] = [id(), id()];
    let calls_of = |channel: ChannelId| {
        let look_up = Job::LookUpMessage { message: id(), attempt: 1, channel: Some(channel) };
        let fetch = Job::FetchMedia { message: id(), channel: Some(channel) };
        [look_up, fetch].map(|job| NewJob::new(id(), job, NOW))
    };
    let (of_full, of_free) = (calls_of(full), calls_of(free));
    world.commit(|set| set.jobs.extend(of_full.into_iter().chain(of_free))).await.unwrap();
    let claimed = claim_beside(&store, &[full], vec![]).await;
    assert_eq!(ids(&claimed), HashSet::from(of_free.map(|job| job.id)));
    assert!(claimed.iter().all(|job| of_free.iter().any(|free| free.job == job.job)), "{claimed:?}");
    assert_eq!(ids(&claim_beside(&store, &[free], vec![]).await), HashSet::from(of_full.map(|job| job.id)));
}

/// A held message is not taken for one of its channel by the end of another wait, and belongs to its channel afterwards.
pub async fn a_held_message_keeps_its_channel(store: Ports) {
    let world = World::new(&store).await;
    let (channel, flow) = (id(), id());
    world.commit(|set| set.jobs.push(a_send(Some(channel)))).await.unwrap();
    let claimed = claim_beside(&store, &[], vec![]).await;
    let [job]: [ClaimedJob; 1] = claimed.try_into().unwrap();
    let until = HeldUntil::FlowResumes(flow);
    world.add(Change::Job(JobChange::Hold { job: job.id, token: job.token, until })).await;
    let other = HeldUntil::ChannelReturns(channel);
    world.add(Change::Job(JobChange::ReleaseHeld { until: other, due_at: NOW })).await;
    assert_eq!(ids(&claim_beside(&store, &[], vec![]).await), HashSet::new());
    world.add(Change::Job(JobChange::ReleaseHeld { until, due_at: NOW })).await;
    assert_eq!(ids(&claim_beside(&store, &[channel], vec![]).await), HashSet::new());
    let claimed = claim_beside(&store, &[], vec![]).await;
    assert_eq!(claimed.iter().map(ClaimedJob::group).collect::<Vec<_>>(), [Some(channel.uuid())]);
}
