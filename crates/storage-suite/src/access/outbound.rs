//! Paused outbound work is not claimed; resumed work is claimed unchanged.

use tidings_domain::access::OutboundMode;
use tidings_domain::ids::ConversationId;
use tidings_domain::ports::{Change, ChangeSet, ClaimRequest, Job, NewJob, PausedBy, Pauses, Pool, Row, StoreHold};

use crate::Ports;
use crate::fixtures::{NOW, World, at, id};
use crate::jobs::request;

/// Adds a message, a first and a later attempt at a delivery, internal work, and a poll.
async fn add_one_of_each(world: &World) {
    let jobs = [
        NewJob::new(
            id(),
            Job::SendMessage { message: id(), conversation: Some(id::<ConversationId>()), channel: None, depth: 0 },
            NOW,
        ),
        NewJob::new(id(), Job::AttemptDelivery { delivery: id(), webhook: id(), round: 0 }, NOW),
        NewJob::new(id(), Job::RetryDelivery { delivery: id(), webhook: id(), round: 0 }, NOW),
        NewJob::new(id(), Job::SweepTag { tag: id() }, NOW),
        NewJob::new(id(), Job::PollChannel { channel: id(), round: 0 }, NOW),
    ];
    world.commit(|set| set.jobs.extend(jobs)).await.unwrap();
}

async fn set_mode(world: &World, mode: OutboundMode) {
    let store = &world.ports;
    let mut workspace = store.access.workspace(world.workspace).await.unwrap().unwrap();
    (workspace.outbound, workspace.version) = (mode, workspace.version + 1);
    let mut set = ChangeSet::new(world.workspace);
    set.change(Change::Update(Row::Workspace(workspace)));
    store.ledger.commit(set).await.unwrap();
}

/// Returns how many of the workspace's jobs each pool's claim returns.
async fn given_out(world: &World) -> [usize; 4] {
    let mut counts = [0; 4];
    for (count, pool) in counts.iter_mut().zip([Pool::Work, Pool::Sends, Pool::Deliveries, Pool::Polls]) {
        let claimed = world.ports.engine.claim(request(pool, 10)).await.unwrap();
        assert!(claimed.iter().all(|job| job.attempts == 0));
        *count = claimed.iter().filter(|job| job.workspace == world.workspace).count();
    }
    counts
}

fn a_mark(reason: &str, seconds: u64) -> StoreHold {
    StoreHold { reason: reason.to_owned(), since: at(seconds), is_restored: false }
}

/// Only the internal work and the polls of a paused workspace are claimed. Other workspaces continue, and so does this one
/// after it is resumed.
pub async fn claims_only_internal_work_of_a_paused_workspace(store: Ports) {
    let (held, free) = (World::new(&store).await, World::new(&store).await);
    set_mode(&held, OutboundMode::Hold).await;
    assert_eq!(store.outbound.paused_by(held.workspace).await, Ok(Some(PausedBy::Workspace)));
    assert_eq!(store.outbound.paused_by(free.workspace).await, Ok(None));
    assert_eq!(store.outbound.pauses().await, Ok(Pauses { store: None, workspaces: 1 }));
    add_one_of_each(&held).await;
    assert_eq!(given_out(&held).await, [1, 0, 0, 1]);
    add_one_of_each(&free).await;
    assert_eq!(given_out(&free).await, [1, 1, 2, 1]);
    set_mode(&held, OutboundMode::Send).await;
    assert_eq!(store.outbound.paused_by(held.workspace).await, Ok(None));
    assert_eq!(given_out(&held).await, [0, 1, 2, 0]);
}

/// A claim with a mark misses jobs that fell due before it, so the ends of pauses are counted.
pub async fn counts_the_end_of_each_pause(store: Ports) {
    let world = World::new(&store).await;
    let late = |pool| ClaimRequest { since: Some(at(3_600)), ..request(pool, 10) };
    for everything in [false, true] {
        match everything {
            true => store.outbound.hold(a_mark("a copy", 0)).await.unwrap(),
            false => set_mode(&world, OutboundMode::Hold).await,
        }
        add_one_of_each(&world).await;
        assert!(store.outbound.paused_by(world.workspace).await.unwrap().is_some());
        let before = store.engine.pauses_ended().await.unwrap();
        match everything {
            true => assert_eq!(store.outbound.lift().await, Ok(true)),
            false => set_mode(&world, OutboundMode::Send).await,
        }
        let ended = store.engine.pauses_ended().await.unwrap();
        let claimed = store.engine.claim(late(Pool::Sends)).await.unwrap().len();
        assert!(ended > before || claimed == 1, "{ended} pauses ended, {claimed} claimed");
        assert_eq!(store.engine.pauses_ended().await.unwrap(), ended, "the end of a pause is counted once");
    }
}

/// A pause of the store applies to all workspaces; pauses of workspaces stay in effect afterwards.
pub async fn a_pause_of_the_store_applies_to_all_workspaces(store: Ports) {
    let (world, held) = (World::new(&store).await, World::new(&store).await);
    add_one_of_each(&world).await;
    set_mode(&held, OutboundMode::Hold).await;
    add_one_of_each(&held).await;
    store.outbound.hold(a_mark("a copy", 0)).await.unwrap();
    for of in [&world, &held] {
        assert_eq!(store.outbound.paused_by(of.workspace).await, Ok(Some(PausedBy::Store)));
    }
    assert_eq!(given_out(&world).await, [1, 0, 0, 1]);
    assert_eq!(store.outbound.lift().await, Ok(true));
    assert_eq!(store.outbound.paused_by(world.workspace).await, Ok(None));
    assert_eq!(store.outbound.paused_by(held.workspace).await, Ok(Some(PausedBy::Workspace)));
    assert_eq!(given_out(&world).await, [0, 1, 2, 0]);
    assert_eq!(store.outbound.lift().await, Ok(false));
}

/// The first reason for a pause of the store stays; a second pause does not change it.
pub async fn a_second_pause_keeps_the_first_reason(store: Ports) {
    store.outbound.hold(a_mark("a copy", 0)).await.unwrap();
    store.outbound.hold(a_mark("another", 60)).await.unwrap();
    assert_eq!(store.outbound.pauses().await.unwrap().store, Some(a_mark("a copy", 0)));
}

/// The mark of a restored store can be added to an existing pause: the backup may contain it. It ends with the pause.
pub async fn a_restored_store_stays_known_until_it_is_resumed(store: Ports) {
    let world = World::new(&store).await;
    let restored = StoreHold { is_restored: true, ..a_mark("restored", 60) };
    store.outbound.hold(a_mark("an import", 0)).await.unwrap();
    store.outbound.hold(restored.clone()).await.unwrap();
    assert_eq!(store.outbound.paused_by(world.workspace).await, Ok(Some(PausedBy::Restore)));
    let kept = StoreHold { is_restored: true, ..a_mark("an import", 0) };
    assert_eq!(store.outbound.pauses().await.unwrap().store, Some(kept));
    assert_eq!(store.outbound.lift().await, Ok(true));
    assert_eq!(store.outbound.paused_by(world.workspace).await, Ok(None));
    store.outbound.hold(a_mark("a later one", 0)).await.unwrap();
    assert_eq!(store.outbound.paused_by(world.workspace).await, Ok(Some(PausedBy::Store)));
    store.outbound.lift().await.unwrap();
    store.outbound.hold(restored.clone()).await.unwrap();
    assert_eq!(store.outbound.pauses().await.unwrap().store, Some(restored));
}
