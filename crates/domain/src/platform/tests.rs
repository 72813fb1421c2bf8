use std::sync::Arc;
use std::time::Duration;

use futures::executor::block_on;
use uuid::Uuid;

use super::*;
use crate::access::{Access, AccessService, NewKey, NewWorkspace, Plan, Role, Scope, Workspace};
use crate::error::Error;
use crate::ids::{TypedId, UserId};
use crate::memory::{FixedClock, MemoryStore};
use crate::outcome::{ExpectedVersion, Outcome};
use crate::pagination::SortedPage;
use crate::ports::{MockContactQueries, StoreError};

pub(super) struct Setup {
    pub(super) clock: Arc<FixedClock>,
    pub(super) platform: PlatformService,
    pub(super) workspace: Workspace,
    pub(super) ada: UserId,
    pub(super) access: Access,
}

impl Setup {
    pub(super) fn new() -> Self {
        let (store, clock) = (Arc::new(MemoryStore::new()), Arc::new(FixedClock::default()));
        let ports = Arc::new(Ports { clock: clock.clone(), ..Ports::of(store) });
        let platform = PlatformService { ports: ports.clone() };
        let nobody = UserId::from_uuid(Uuid::nil());
        let command = NewWorkspace { name: "Acme".to_owned(), plan: Plan::Pro };
        // The operator who creates a workspace must exist, so Ada is created as by the command line.
        let first = block_on(AccessService { ports }.create_workspace(command)).unwrap();
        let mut setup = Self { clock, platform, ada: nobody, access: Access::system(first.id), workspace: first };
        setup.ada = setup.person("ada@example.com", Role::Owner);
        setup.access = setup.acting(setup.ada, Role::Owner);
        setup
    }

    pub(super) fn person(&self, email: &str, role: Role) -> UserId {
        let command = NewUser {
            email: email.parse().unwrap(),
            name: email.to_owned(),
            password: "password".to_owned().into(),
            operator: false,
            workspace: self.workspace.id,
            role,
        };
        block_on(self.platform.create_user(command)).unwrap().id
    }

    pub(super) fn acting(&self, user: UserId, role: Role) -> Access {
        Access::of_user(self.workspace.id, user, role)
    }

    pub(super) fn set_role(&self, actor: Role, user: UserId, role: Role) -> Result<Role, Error> {
        let changed = block_on(self.platform.set_role(&self.access, actor, user, role, &ExpectedVersion::Any));
        changed.map(|entry| entry.member.role)
    }

    pub(super) fn remove(&self, actor: Role, user: UserId) -> Result<(), Error> {
        block_on(self.platform.remove_member(&self.access, actor, user, &ExpectedVersion::Any))
    }

    pub(super) fn invite(&self, actor: Role, email: &str, role: Role) -> Result<Invited, Error> {
        let invite = Invite { email: email.parse().unwrap(), role };
        block_on(self.platform.invite(&self.access, actor, invite, None)).map(|done| done.value)
    }

    pub(super) fn emails(&self) -> Vec<String> {
        let page = PageRequest { limit: 100, order: Order::OldestFirst, ..PageRequest::default() };
        let views = block_on(self.platform.member_views(&self.access, page)).unwrap();
        views.items.into_iter().map(|view| view.email).collect()
    }

    fn new_key(&self, name: &str, scope: Scope) -> Result<crate::access::CreatedKey, Error> {
        let command = NewKey { name: name.to_owned(), scope, expires_at: None };
        block_on(self.platform.create_key(&self.access, command, None)).map(|done| done.value)
    }
}

#[test]
fn only_owners_may_change_owners() {
    use Role::{Admin, Member, Owner, Viewer};
    for role in [Viewer, Member, Admin] {
        assert!(may_change(Owner, Some(role), Some(Owner)) && may_change(Owner, Some(Owner), Some(role)));
        assert!(!may_change(Admin, Some(role), Some(Owner)) && !may_change(Admin, Some(Owner), None));
        assert!(may_change(Admin, None, Some(role)) && may_change(Admin, Some(role), None));
        assert!(!may_change(Member, Some(role), None) && !may_change(Viewer, None, Some(role)));
    }
}

#[test]
fn a_workspace_keeps_an_owner() {
    let setup = Setup::new();
    assert_eq!(setup.remove(Role::Owner, setup.ada), Err(Error::LastOwner));
    assert_eq!(setup.set_role(Role::Owner, setup.ada, Role::Admin), Err(Error::LastOwner));
    let bob = setup.person("bob@example.com", Role::Viewer);
    assert_eq!(setup.set_role(Role::Admin, bob, Role::Owner), Err(Error::RoleTooLow(Role::Owner)));
    assert_eq!(setup.set_role(Role::Owner, bob, Role::Owner), Ok(Role::Owner));
    assert_eq!(setup.set_role(Role::Owner, setup.ada, Role::Viewer), Ok(Role::Viewer));
    assert_eq!(setup.remove(Role::Owner, bob), Err(Error::LastOwner));
    assert_eq!(setup.remove(Role::Admin, setup.ada), Ok(()));
    assert_eq!(setup.emails(), ["bob@example.com"]);
}

#[test]
fn all_members_but_viewers_are_assignees() {
    let setup = Setup::new();
    let (_, bob) = (setup.person("v@example.com", Role::Viewer), setup.person("bob@example.com", Role::Member));
    let page = |access: &Access, limit| {
        let request = PageRequest { limit, order: Order::OldestFirst, ..PageRequest::default() };
        block_on(setup.platform.assignees(access, request)).unwrap()
    };
    let names = |page: Page<crate::access::MemberEntry>| -> Vec<String> {
        page.items.iter().map(|it| AssigneeView::from(it).name).collect()
    };
    let access = setup.acting(bob, Role::Member);
    assert_eq!(names(page(&access, 25)), ["ada@example.com", "bob@example.com"]);
    let first = page(&access, 1);
    assert!(first.next.is_some());
    assert_eq!(names(first), ["ada@example.com"]);
}

#[test]
fn rejects_keys_with_a_scope_above_the_role() {
    let setup = Setup::new();
    let member = Setup { access: setup.acting(setup.ada, Role::Member), ..Setup::new() };
    assert!(matches!(member.new_key("CI", Scope::Full), Err(Error::Invalid(errors)) if errors[0].pointer == "/scope"));
    assert_eq!(setup.new_key("CI", Scope::Full).unwrap().key.scope, Scope::Full);
}

#[test]
fn a_rotated_key_works_until_its_overlap_ends() {
    let setup = Setup::new();
    let old = setup.new_key("CI", Scope::Write).unwrap().key;
    let rotate = |key, overlap| {
        let rotation = Rotation { overlap: Duration::from_secs(overlap) };
        block_on(setup.platform.rotate_key(&setup.access, key, rotation, &ExpectedVersion::Any, None))
            .map(|done| done.value.key)
    };
    let new = rotate(old.id, 3_600).unwrap();
    assert_eq!((new.name.as_str(), new.scope), ("CI", Scope::Write));
    assert_eq!((old.lineage, new.lineage), (old.id, old.id));
    let usable = |key| {
        let found = block_on(setup.platform.key(&setup.access, key));
        found.is_ok_and(|key| key.is_usable(setup.clock.at_rest()))
    };
    assert!(usable(old.id) && usable(new.id));
    setup.clock.set(setup.clock.at_rest().plus(Duration::from_secs(3_600)));
    assert!(!usable(old.id) && usable(new.id));
    assert_eq!(rotate(old.id, 0), Err(Error::NotFound), "an expired key cannot be rotated");
    let newest = rotate(new.id, 0).unwrap();
    assert_eq!(newest.lineage, old.id, "the lineage is the first key");
    assert!(!usable(new.id) && usable(newest.id), "without an overlap the key expires at once");
}

#[test]
fn expired_keys_do_not_count_towards_the_limit() {
    let setup = Setup::new();
    let soon = setup.clock.at_rest().plus(Duration::from_secs(60));
    for number in 0..crate::access::MAX_KEYS {
        let command = NewKey { name: format!("{number}"), scope: Scope::Read, expires_at: Some(soon) };
        block_on(setup.platform.create_key(&setup.access, command, None)).unwrap();
    }
    assert!(matches!(setup.new_key("one more", Scope::Read), Err(Error::Full { .. })));
    setup.clock.set(soon);
    assert!(setup.new_key("one more", Scope::Read).is_ok());
}

#[test]
fn creates_one_sandbox_with_test_keys_and_the_same_members() {
    let setup = Setup::new();
    let first = block_on(setup.platform.create_sandbox(&setup.access, None)).unwrap();
    let second = block_on(setup.platform.create_sandbox(&setup.access, None)).unwrap();
    assert_eq!((first.outcome, second.outcome), (Outcome::Created, Outcome::Unchanged));
    assert_eq!(first.value, second.value);
    assert!(first.value.id.is_sandbox() && first.value.live_workspace == Some(setup.workspace.id));

    let inside = Access::of_user(first.value.id, setup.ada, Role::Owner);
    let command = NewKey { name: "CI".to_owned(), scope: Scope::Full, expires_at: None };
    let key = block_on(setup.platform.create_key(&inside, command, None)).unwrap().value;
    assert_eq!((key.key.prefix.as_str(), key.key.is_live()), ("tdg_test", false));
    let key = setup.new_key("CI", Scope::Full).unwrap();
    assert_eq!((key.key.prefix.as_str(), key.key.is_live()), ("tdg_live", true));
    assert!(block_on(setup.platform.member(&inside, setup.ada)).is_ok());
    let invite = Invite { email: "eve@example.com".parse().unwrap(), role: Role::Viewer };
    let refused = block_on(setup.platform.invite(&inside, Role::Owner, invite, None));
    assert!(matches!(refused, Err(Error::Invalid(errors)) if errors[0].code == "sandbox"));
    let nested = block_on(setup.platform.create_sandbox(&inside, None));
    assert_eq!(nested.err(), Some(Error::NotFound));
}

#[test]
fn an_operator_owns_a_workspace_that_they_create() {
    let setup = Setup::new();
    let command = NewWorkspace { name: "Umbrella".to_owned(), plan: Plan::Business };
    let made = block_on(setup.platform.create_workspace(setup.ada, command, None)).unwrap().value;
    let entry = block_on(setup.platform.member(&Access::system(made.id), setup.ada)).unwrap();
    assert_eq!(entry.member.role, Role::Owner);
    let patch = WorkspacePatch {
        name: Some(" New name ".to_owned()),
        time_zone: "Europe/Berlin".parse().ok(),
        ..WorkspacePatch::default()
    };
    let access = Access::system(made.id);
    let updated = block_on(setup.platform.update_workspace(&access, patch, &ExpectedVersion::Any)).unwrap();
    assert_eq!((updated.name.as_str(), updated.plan, updated.version), ("New name", Plan::Business, 2));
    assert_eq!(updated.time_zone.as_str(), "Europe/Berlin");
    let sandbox = block_on(setup.platform.create_sandbox(&access, None)).unwrap().value;
    assert_eq!(sandbox.time_zone, updated.time_zone, "the sandbox has the time zone of its live workspace");
    let stale = WorkspacePatch { name: Some("x".to_owned()), ..WorkspacePatch::default() };
    let refused = block_on(setup.platform.update_workspace(&access, stale, &ExpectedVersion::OneOf(vec![1])));
    assert_eq!(refused, Err(Error::PreconditionFailed));
}

#[test]
fn an_export_reads_a_page_of_contacts_again_after_a_failure() {
    let setup = Setup::new();
    let mut contacts = MockContactQueries::new();
    let mut answers = vec![Ok(SortedPage::default()), Err(StoreError::Unavailable("a test".to_owned()))];
    contacts.expect_list().times(2).returning(move |_, _, _| answers.pop().unwrap());
    let ports = Ports { contacts: Arc::new(contacts), ..(*setup.platform.ports).clone() };
    let platform = PlatformService { ports: Arc::new(ports) };
    let mut reader = block_on(platform.export_workspace(&setup.access)).unwrap();
    let mut failures = 0;
    loop {
        match block_on(reader.next()) {
            Ok(Some(_)) => {}
            Ok(None) => break,
            Err(error) => {
                assert_eq!(error, Error::Store(StoreError::Unavailable("a test".to_owned())));
                failures += 1;
            }
        }
    }
    assert_eq!(failures, 1);
}
