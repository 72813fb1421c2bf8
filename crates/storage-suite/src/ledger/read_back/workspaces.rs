//! Samples of changes to a workspace as a whole.

use std::time::Duration;

use tidings_domain::access::{Access, OutboundMode, Workspace, WorkspaceDeletion};
use tidings_domain::ports::{AccessChange, Change, Object, Row, SandboxChange};
use uuid::Uuid;

use super::sample::{Maker, Sample, maker};
use crate::contacts::opt_outs::a_key_of_opt_outs;
use crate::fixtures::{NOW, World, a_sandbox, at, id, uuid};

pub(super) fn samples() -> Vec<Maker> {
    vec![
        maker(insert_workspace),
        maker(update_workspace),
        maker(delete_workspace),
        maker(mark_workspace_deleted),
        maker(restore_workspace),
        maker(make_key_of_opt_outs),
        maker(hold_clock),
        maker(release_clock),
        maker(advance_clock),
        maker(empty_sandbox),
    ]
}

/// A new workspace that is not stored, and its world.
fn empty(world: &World) -> (World, Workspace) {
    let mut workspace = a_sandbox(world.workspace).workspace;
    (workspace.id, workspace.live_workspace) = (id(), None);
    (World { workspace: workspace.id, access: Access::system(workspace.id), ..world.clone() }, workspace)
}

async fn read(world: &World) -> Option<Workspace> {
    world.ports.access.workspace(world.workspace).await.unwrap()
}

async fn insert_workspace(world: World) -> Sample {
    let (world, workspace) = empty(&world);
    Sample::new(&world, Change::Insert(Row::Workspace(workspace.clone())), Some(workspace), read)
}

async fn update_workspace(world: World) -> Sample {
    let mut workspace = read(&world).await.unwrap();
    (workspace.name, workspace.opt_out_words) = ("Eve's shop".to_owned(), vec!["genug".to_owned()]);
    (workspace.updated_at, workspace.version) = (at(9), 2);
    Sample::new(&world, Change::Update(Row::Workspace(workspace.clone())), Some(workspace), read)
}

async fn delete_workspace(world: World) -> Sample {
    let (world, workspace) = empty(&world);
    world.add(Change::Insert(Row::Workspace(workspace))).await;
    Sample::new(&world, Change::Delete(Object::Workspace(world.workspace)), None, read)
}

fn deletion() -> WorkspaceDeletion {
    WorkspaceDeletion { at: at(9), erase_at: at(900) }
}

async fn mark_workspace_deleted(world: World) -> Sample {
    let version = read(&world).await.unwrap().version;
    let change = Change::Access(AccessChange::DeleteWorkspace { version, deletion: deletion(), at: at(9) });
    Sample::new(&world, change, Some(deletion()), async |w| read(w).await.unwrap().deletion)
}

async fn restore_workspace(world: World) -> Sample {
    let (version, deletion) = (read(&world).await.unwrap().version, deletion());
    world.add(Change::Access(AccessChange::DeleteWorkspace { version, deletion, at: at(9) })).await;
    let (version, outbound) = (version + 1, Some(OutboundMode::Hold));
    let change = Change::Access(AccessChange::RestoreWorkspace { version, deletion, outbound, at: at(10) });
    Sample::new(&world, change, (None, OutboundMode::Hold), async |w| {
        let workspace = read(w).await.unwrap();
        (workspace.deletion, workspace.outbound)
    })
}

async fn make_key_of_opt_outs(world: World) -> Sample {
    Sample::new(&world, a_key_of_opt_outs(b"sealed\0"), Some(b"sealed\0".to_vec()), async |w| {
        w.ports.catalog.catalog(w.workspace).await.unwrap().opt_out_key.clone()
    })
}

fn hold(holder: Uuid) -> Change {
    Change::Sandbox(SandboxChange::Hold { holder, now: NOW, until: at(60) })
}

fn advance(holder: Uuid, by: Duration) -> Change {
    Change::Sandbox(SandboxChange::Advance { holder, by, now: NOW })
}

/// Whether the holder may move the clock. The probe moves it by zero.
async fn is_holder(world: &World, holder: Uuid) -> bool {
    world.change(advance(holder, Duration::ZERO)).await.is_ok()
}

async fn hold_clock(world: World) -> Sample {
    let holder = uuid();
    Sample::new(&world, hold(holder), true, async move |w| is_holder(w, holder).await)
}

async fn release_clock(world: World) -> Sample {
    let holder = uuid();
    world.add(hold(holder)).await;
    let change = Change::Sandbox(SandboxChange::Release { holder });
    Sample::new(&world, change, false, async move |w| is_holder(w, holder).await)
}

async fn advance_clock(world: World) -> Sample {
    let (holder, hour) = (uuid(), Duration::from_secs(3_600));
    world.add(hold(holder)).await;
    Sample::new(&world, advance(holder, hour), hour, async |w| w.ports.sandboxes.ahead(w.workspace).await.unwrap())
}

async fn empty_sandbox(world: World) -> Sample {
    let (holder, contact) = (uuid(), world.contact().await.id);
    world.add(hold(holder)).await;
    let change = Change::Sandbox(SandboxChange::Empty { holder });
    Sample::new(&world, change, None, async move |w| {
        w.ports.contacts.find_even_deleted(&w.access, contact).await.unwrap()
    })
}
