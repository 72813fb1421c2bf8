//! Deleted workspaces: waiting jobs, restoration and erasure.

use tidings_domain::access::{WorkspaceCounts, WorkspaceDeletion};
use tidings_domain::pagination::Total;
use tidings_domain::ports::{AccessChange, Change, Conflict, Job, NewJob, Object};

use crate::Ports;
use crate::fixtures::seed::Seed;
use crate::fixtures::{NOW, World, a_sandbox, at, conflict, id};

fn deletion() -> WorkspaceDeletion {
    WorkspaceDeletion { at: at(1), erase_at: at(100) }
}

async fn delete(world: &World) {
    let version = world.ports.access.workspace(world.workspace).await.unwrap().unwrap().version;
    world.add(Change::Access(AccessChange::DeleteWorkspace { version, deletion: deletion(), at: at(1) })).await;
}

/// Jobs postponed until the end of the deletion are due again after the workspace is restored.
pub async fn restoring_a_workspace_makes_postponed_jobs_due(store: Ports) {
    let world = World::new(&store).await;
    let ws = world.workspace;
    delete(&world).await;
    assert_eq!(world.ports.outbound.deleted_until(ws).await.unwrap(), Some(at(100)));
    let [waiting, later] = [100, 101].map(|due| NewJob::new(id(), Job::SweepTag { tag: id() }, at(due)));
    let poll = NewJob::new(id(), Job::PollChannel { channel: id(), round: 0 }, at(100));
    world.commit(|set| set.jobs.extend([waiting, later, poll])).await.unwrap();
    let restore = |version| {
        let deletion = deletion();
        Change::Access(AccessChange::RestoreWorkspace { version, deletion, outbound: None, at: at(2) })
    };
    assert_eq!(conflict(world.change(restore(1)).await), Conflict::Stale(Object::Workspace(ws)));
    world.add(restore(2)).await;
    assert_eq!(world.ports.outbound.deleted_until(ws).await.unwrap(), None);
    let due = async |job: &NewJob| world.ports.jobs.get(&world.access, job.id).await.unwrap().unwrap().due_at;
    assert_eq!((due(&waiting).await, due(&later).await, due(&poll).await), (at(2), at(101), at(2)));
}

/// A deleted workspace and its sandbox are erased in portions after the retention time, without data of other
/// workspaces.
pub async fn a_deleted_workspace_is_erased(store: Ports) {
    let (seed, other) = (Seed::new(&store, 1).await, Seed::new(&store, 2).await);
    let (world, engine) = (&seed.world, &seed.world.ports.engine);
    let sandbox = a_sandbox(world.workspace);
    let of_sandbox = sandbox.workspace.id;
    world.add(Change::Access(AccessChange::FoundWorkspace(Box::new(sandbox)))).await;
    assert_eq!(engine.erase_workspace(at(1_000), 10).await.unwrap(), 0, "no workspace is deleted");
    delete(world).await;
    assert_eq!(engine.erase_workspace(NOW, 10).await.unwrap(), 0, "a workspace is not erased while it can be restored");
    let before = other.world.ports.access.counts(other.world.workspace).await.unwrap();
    let mut portions = 0;
    while engine.erase_workspace(at(100), 7).await.unwrap() > 0 {
        portions += 1;
        assert!(portions < 1_000, "the erasure ends");
    }
    let access = &world.ports.access;
    for gone in [world.workspace, of_sandbox] {
        assert_eq!(access.workspace(gone).await.unwrap(), None);
        let none = Total::of(0);
        let nothing = WorkspaceCounts {
            contacts: none,
            conversations: none,
            messages: none,
            flows: none,
            sequences: none,
            broadcasts: none,
            webhooks: none,
            api_keys: none,
            members: none,
        };
        assert_eq!(access.counts(gone).await.unwrap(), nothing);
    }
    assert_eq!(world.ports.contacts.find_even_deleted(&world.access, seed.contact.id).await.unwrap(), None);
    assert_eq!(access.counts(other.world.workspace).await.unwrap(), before);
    assert!(access.workspace(other.world.workspace).await.unwrap().is_some());
}
