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

/// Messages of full channels are skipped, even if workspaces take turns. Messages without a channel, which earlier
/// releases queued, and other sends are not skipped.
pub async fn skips_messages_of_full_channels(store: Ports) {
    let world = World::new(&store).await;
    let [first, second, third]: [ChannelId; 3] = [id(), id(), id()];
    let of_channels = [first, second, third].map(|channel| a_send(Some(channel)));
    let others = [a_send(None), NewJob::new(id(), Job::LookUpMessage { message: id(), attempt: 0 }, NOW)];
    world.commit(|set| set.jobs.extend(of_channels.into_iter().chain(others))).await.unwrap();
    let claimed = claim_beside(&store, &[first, third], vec![]).await;
    assert_eq!(ids(&claimed), HashSet::from([of_channels[1].id, others[0].id, others[1].id]));
    let groups: HashSet<_> = claimed.iter().map(ClaimedJob::group).collect();
    assert_eq!(groups, HashSet::from([Some(second.uuid()), None]));
    // If a workspace is full, all sends are claimed in turns of the workspaces.
    let in_turn = claim_beside(&store, &[first], vec![id()]).await;
    assert_eq!(ids(&in_turn), HashSet::from([of_channels[2].id]));
    assert_eq!(ids(&claim_beside(&store, &[], vec![]).await), HashSet::from([of_channels[0].id]));
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
