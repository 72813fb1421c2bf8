use std::sync::Arc;

use futures::executor::block_on;

use super::*;
use crate::access::{Access, User};
use crate::access::{AccessService, Member, NewKey, NewWorkspace, Plan, Role, Scope};
use crate::error::Error;
use crate::ids::{TypedId, UserId};
use crate::memory::MemoryStore;
use crate::ports::{Change, Object, Ports, Row};
use crate::time::Timestamp;

const NOW: Timestamp = Timestamp::EPOCH_2026;

struct Setup {
    store: Arc<MemoryStore>,
    ports: Ports,
    workspace: WorkspaceId,
    actor: UserId,
}

impl Setup {
    fn new() -> Self {
        let store = Arc::new(MemoryStore::new());
        let ports = Ports::of(store.clone());
        let command = NewWorkspace { name: "Acme".to_owned(), plan: Plan::Pro };
        let service = AccessService { ports: Arc::new(ports.clone()) };
        let workspace = block_on(service.create_workspace(command)).unwrap().id;
        let actor = UserId::from_uuid(uuid::Uuid::from_u128(7));
        let user = User::new(actor, "ada@example.com".parse().unwrap(), "Ada", "", NOW);
        let setup = Self { store, ports, workspace, actor };
        setup.commit(Change::Insert(Row::User(user)));
        setup.commit(Change::Insert(Row::Member(Member::new(actor, Role::Admin, NOW))));
        setup
    }

    fn commit(&self, change: Change) {
        let mut set = ChangeSet::new(self.workspace);
        set.change(change);
        block_on(self.store.commit(set)).unwrap();
    }

    /// Creates a key as a user who had this role when the request was authorized.
    fn create_key(&self, role: Role) -> Result<(), Error> {
        let guard = Guard::Standing { user: self.actor, role };
        let ledger = ActorGuardedLedger::new(self.store.clone(), self.workspace, guard);
        let service = AccessService { ports: Arc::new(Ports { ledger: Arc::new(ledger), ..self.ports.clone() }) };
        let access = Access::of_user(self.workspace, self.actor, role);
        let command = NewKey { name: "CI".to_owned(), scope: Scope::Full, expires_at: None };
        block_on(service.create_key(&access, command)).map(|_| ())
    }

    fn give(&self, role: Role, version: i64) {
        self.commit(Change::Update(Row::Member(Member { version, ..Member::new(self.actor, role, NOW) })));
    }
}

#[test]
fn rejects_commits_of_a_demoted_or_removed_actor() {
    let setup = Setup::new();
    assert_eq!(setup.create_key(Role::Admin), Ok(()));
    setup.give(Role::Owner, 2);
    assert_eq!(setup.create_key(Role::Admin), Ok(()), "a higher role keeps the permissions of a lower one");
    setup.give(Role::Member, 3);
    assert_eq!(setup.create_key(Role::Admin), Err(Error::ActorChanged));
    setup.commit(Change::Delete(Object::Member(setup.actor)));
    assert_eq!(setup.create_key(Role::Viewer), Err(Error::ActorChanged));
    let keys = block_on(setup.ports.access.keys(&Access::system(setup.workspace))).unwrap();
    assert_eq!(keys.len(), 2);
}

/// Runs a demotion and an action of the same user concurrently, a thousand times: after the demotion commits, no action
/// does.
#[test]
fn no_action_commits_after_a_concurrent_demotion() {
    for _ in 0..50 {
        twenty_races(&Setup::new());
    }
}

fn twenty_races(setup: &Setup) {
    let mut version = 1;
    for round in 0..20 {
        let before = block_on(setup.ports.access.keys(&Access::system(setup.workspace))).unwrap();
        let count = i64::try_from(before.iter().filter(|it| it.revoked_at.is_none()).count()).unwrap();
        version += 1;
        // The demotion fails if the action has committed, so exactly one of the two succeeds.
        let mut demotion = ChangeSet::new(setup.workspace);
        demotion.guard(Guard::Room { what: crate::ports::Counted::Keys, adding: 0, most: count });
        let member = Member { version, ..Member::new(setup.actor, Role::Viewer, NOW) };
        demotion.change(Change::Update(Row::Member(member)));
        let (demoted, acted) = std::thread::scope(|threads| {
            let demoted = threads.spawn(|| block_on(setup.store.commit(demotion)).is_ok());
            let acted = setup.create_key(Role::Admin).is_ok();
            (demoted.join().unwrap(), acted)
        });
        assert_ne!(demoted, acted, "round {round}");
        if demoted {
            version += 1;
            setup.give(Role::Admin, version);
        } else {
            version -= 1;
        }
        for key in block_on(setup.ports.access.keys(&Access::system(setup.workspace))).unwrap() {
            if key.revoked_at.is_none() {
                let revoke = crate::ports::AccessChange::RevokeKey { key: key.id, at: NOW };
                setup.commit(Change::Access(revoke));
            }
        }
    }
}
