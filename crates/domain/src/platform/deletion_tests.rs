//! Tests of deleting and restoring workspaces, over the memory store.

use std::sync::Arc;
use std::time::Duration;

use futures::executor::block_on;
use uuid::Uuid;

use super::DeleteWorkspace;
use crate::Tidings;
use crate::access::{Access, NewWorkspace, Plan, Workspace};
use crate::error::Error;
use crate::ids::{JobId, TypedId};
use crate::memory::MemoryStore;
use crate::outcome::ExpectedVersion;
use crate::ports::{Change, ChangeSet, Job, NewJob, Ports, SandboxChange};
use crate::retention::days;
use crate::time::Timestamp;

struct World {
    tidings: Tidings,
    live: Workspace,
    access: Access,
}

fn world() -> World {
    let tidings = Tidings::new(Ports::of(Arc::new(MemoryStore::new())));
    let command = NewWorkspace { name: "Acme".to_owned(), plan: Plan::Pro };
    let live = block_on(tidings.access.create_workspace(command)).unwrap();
    World { tidings, access: Access::system(live.id), live }
}

impl World {
    fn delete(&self, grace_days: u32) -> Result<Timestamp, Error> {
        let command = DeleteWorkspace { name: "Acme".to_owned(), grace_days, dry_run: false };
        let deletion = block_on(self.tidings.platform.delete_workspace(&self.access, &command, &ExpectedVersion::Any));
        deletion.map(|it| it.restore_until)
    }

    fn commit(&self, access: &Access, fill: impl FnOnce(&mut ChangeSet)) {
        let mut set = ChangeSet::new(access.workspace());
        fill(&mut set);
        block_on(self.tidings.ports.ledger.commit(set)).unwrap();
    }
}

#[test]
fn jobs_of_a_deleted_sandbox_wait_by_the_clock_of_the_store() {
    let world = world();
    let ports = &world.tidings.ports;
    let sandbox = block_on(world.tidings.platform.create_sandbox(&world.access, None)).unwrap().value;
    let (inside, now, month) = (Access::system(sandbox.id), ports.clock.now(), days(30));
    let holder = Uuid::from_u128(7);
    let hold = SandboxChange::Hold { holder, now, until: now.plus(Duration::from_secs(60)) };
    world.commit(&inside, |set| {
        set.change(Change::Sandbox(hold));
    });
    world.commit(&inside, |set| {
        set.change(Change::Sandbox(SandboxChange::Advance { holder, by: month, now }));
    });
    let job = JobId::from_uuid(ports.ids.next());
    let due_at = ports.clock.now().plus(month);
    world.commit(&inside, |set| set.jobs.push(NewJob::new(job, Job::CountSegments { workspace: sandbox.id }, due_at)));
    let due = || block_on(ports.jobs.get(&inside, job)).unwrap().unwrap().due_at;

    let until = world.delete(7).unwrap();
    block_on(world.tidings.run_due(ports.clock.now())).unwrap();
    assert_eq!(due(), until, "the job is due by the clock of the store");
    let restored = block_on(world.tidings.platform.restore_workspace(&world.access, None, &ExpectedVersion::Any, None));
    assert_eq!(restored.unwrap().value.deletion, None);
    assert!(due() <= ports.clock.now());
}

#[test]
fn a_deletion_is_replaced_only_by_one_that_ends_earlier() {
    let world = world();
    let until = world.delete(7).unwrap();
    assert_eq!(world.delete(7), Err(Error::WorkspaceDeleted { restore_until: until }));
    assert_eq!(world.delete(30), Err(Error::WorkspaceDeleted { restore_until: until }));
    assert!(world.delete(0).unwrap() < until);
    let too_late = block_on(world.tidings.platform.restore_workspace(&world.access, None, &ExpectedVersion::Any, None));
    assert!(matches!(too_late, Err(Error::WorkspaceDeleted { .. })));
    while block_on(world.tidings.ports.engine.erase_workspace(world.tidings.ports.clock.now(), 10)).unwrap() > 0 {}
    assert_eq!(block_on(world.tidings.ports.access.workspace(world.live.id)).unwrap(), None);
}
