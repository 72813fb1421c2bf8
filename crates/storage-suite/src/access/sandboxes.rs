//! The clocks of sandboxes.

use std::time::Duration;

use tidings_domain::pagination::PageRequest;
use tidings_domain::ports::{Agenda, Change, ClaimRequest, Conflict, Job, NewJob, Pool, Row};
use tidings_domain::sandboxes::SandboxChange;
use tidings_domain::stored::StoredRow;
use tidings_domain::time::Timestamp;
use uuid::Uuid;

use crate::Ports;
use crate::fixtures::seed::Seed;
use crate::fixtures::{NOW, World, at, conflict, id, uuid};
use crate::jobs::request;

const HOUR: Duration = Duration::from_secs(3_600);

async fn held(world: &World, holder: Uuid) {
    world.add(Change::Sandbox(SandboxChange::Hold { holder, now: NOW, until: at(60) })).await;
}

fn sweep(due_at: Timestamp) -> NewJob {
    NewJob::new(id(), Job::SweepTag { tag: id() }, due_at)
}

/// Returns the due time of the job.
async fn due(world: &World, job: &NewJob) -> Timestamp {
    world.ports.jobs.get(&world.access, job.id).await.unwrap().unwrap().due_at
}

/// Only its holder moves a clock. Due times of queued jobs move closer by the same amount, but not before the present.
pub async fn advancing_a_sandbox_clock_moves_its_queued_jobs(store: Ports) {
    let (world, other) = (World::new(&store).await, World::new(&store).await);
    let ws = world.access.workspace();
    let (soon, late, send) = (sweep(NOW.plus(HOUR)), sweep(NOW.plus(HOUR * 3)), id());
    let send = NewJob::new(
        id(),
        Job::SendMessage { message: send, conversation: None, channel: None, depth: 0 },
        NOW.plus(HOUR * 2),
    );
    let theirs = sweep(NOW.plus(HOUR));
    world.commit(|set| set.jobs.extend([soon, late, send])).await.unwrap();
    other.commit(|set| set.jobs.push(theirs)).await.unwrap();
    assert_eq!(world.ports.sandboxes.ahead(ws).await.unwrap(), Duration::ZERO);
    let agenda = world.ports.sandboxes.agenda(ws).await.unwrap();
    assert_eq!(agenda, Agenda { busy: false, next: Some(NOW.plus(HOUR)) });

    let (holder, somebody) = (uuid(), uuid());
    let advance = |holder, by| Change::Sandbox(SandboxChange::Advance { holder, by, now: NOW });
    assert_eq!(conflict(world.change(advance(holder, HOUR)).await), Conflict::ClaimLost);
    held(&world, holder).await;
    held(&world, holder).await;
    let again = SandboxChange::Hold { holder: somebody, now: at(59), until: at(90) };
    assert_eq!(conflict(world.change(Change::Sandbox(again)).await), Conflict::ClaimLost);
    assert_eq!(conflict(world.change(advance(somebody, HOUR)).await), Conflict::ClaimLost);

    world.add(advance(holder, HOUR * 2)).await;
    assert_eq!(world.ports.sandboxes.ahead(ws).await.unwrap(), HOUR * 2);
    assert_eq!((due(&world, &soon).await, due(&world, &send).await), (NOW, NOW));
    assert_eq!((due(&world, &late).await, due(&other, &theirs).await), (NOW.plus(HOUR), NOW.plus(HOUR)));
    assert_eq!(world.ports.sandboxes.agenda(ws).await.unwrap().next, Some(NOW));
    assert_eq!(other.ports.sandboxes.ahead(other.access.workspace()).await.unwrap(), Duration::ZERO);

    // A claimed job makes the sandbox busy.
    let lease = Duration::from_secs(60);
    let claimed =
        world.ports.engine.claim(ClaimRequest { lease, now: at(0), ..request(Pool::Work, 100) }).await.unwrap();
    assert!(claimed.iter().any(|job| job.id == soon.id), "{claimed:?}");
    assert!(world.ports.sandboxes.agenda(ws).await.unwrap().busy);
    // After the lease expires, another holder can take it.
    world.add(Change::Sandbox(SandboxChange::Hold { holder: somebody, now: at(61), until: at(90) })).await;
    assert_eq!(conflict(world.change(advance(holder, HOUR)).await), Conflict::ClaimLost);
    world.add(Change::Sandbox(SandboxChange::Release { holder })).await;
    world.add(advance(somebody, HOUR)).await;
    assert_eq!(world.ports.sandboxes.ahead(ws).await.unwrap(), HOUR * 3);
}

/// All data of a workspace is removed at once, except its channels and keys, and none of another workspace.
pub async fn empties_a_sandbox_but_keeps_its_channels(store: Ports) {
    let (seed, other) = (Seed::new(&store, 1).await, Seed::new(&store, 2).await);
    let holder = uuid();
    let empty = Change::Sandbox(SandboxChange::Empty { holder });
    assert_eq!(conflict(seed.world.change(empty.clone()).await), Conflict::ClaimLost);
    held(&seed.world, holder).await;
    seed.world.add(empty).await;
    let access = &seed.world.access;
    let ports = &seed.world.ports;
    let page = PageRequest::default();
    assert_eq!(ports.contacts.by_ids(access, &[seed.contact.id]).await.unwrap(), []);
    assert_eq!(ports.flows.get(access, seed.flow.id).await.unwrap(), None);
    assert_eq!(ports.sequences.list(access, &Default::default(), page).await.unwrap().items, []);
    assert_eq!(ports.conversations.message(access, seed.message.id).await.unwrap(), None);
    assert!(ports.channels.get(access, seed.world.channel.id).await.unwrap().is_some());
    assert_eq!(ports.channels.all_unparsed(access, page).await.unwrap().items, []);
    let agenda = ports.sandboxes.agenda(access.workspace()).await.unwrap();
    assert_eq!(agenda, Agenda::default());
    let theirs = other.world.ports.contacts.by_ids(&other.world.access, &[other.contact.id]).await.unwrap();
    assert_eq!(theirs.len(), 1);
    // The sandbox can be used again.
    seed.world.add(Change::Insert(Row::Stored(StoredRow::Tag(seed.tag.clone())))).await;
}
