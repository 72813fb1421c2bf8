use std::time::Duration;

use futures::executor::block_on;
use secrecy::{ExposeSecret, SecretString};

use super::tests::Setup;
use super::*;
use crate::access::session::ACCESS_LIFE;
use crate::access::{Access, Device, INVITATION_SPAN, LoginService, OpenInvitation, Role, SessionHolder, User};
use crate::error::Error;
use crate::ids::{TypedId, UserId, WorkspaceId};
use crate::outcome::ExpectedVersion;

const PASSWORD: &str = "password of eve";

fn secret(text: &str) -> SecretString {
    text.to_owned().into()
}

impl Setup {
    fn token(&self, email: &str, role: Role) -> SecretString {
        self.invite(Role::Owner, email, role).unwrap().token
    }

    fn look(&self, token: &SecretString) -> Result<OpenInvitation, Error> {
        block_on(self.platform.open_invitation(token.expose_secret()))
    }

    fn accept(&self, token: &SecretString) -> Result<User, Error> {
        block_on(self.platform.accept(token.expose_secret(), "Eve".to_owned(), secret(PASSWORD)))
    }

    fn accept_as(&self, token: &SecretString, holder: &SessionHolder, password: &str) -> Result<UserId, Error> {
        let accepted = self.platform.accept_signed_in(token.expose_secret(), holder, secret(password));
        block_on(accepted).map(|user| user.id)
    }

    fn login(&self) -> LoginService {
        LoginService { ports: self.platform.ports.clone() }
    }

    fn sign_in(&self, email: &str, password: &str) -> SessionHolder {
        let device = Device { network: "192.0.2.1".to_owned(), user_agent: None };
        let pair = block_on(self.login().login(email, secret(password), device)).unwrap();
        assert_eq!(pair.expires_in, ACCESS_LIFE);
        block_on(self.login().authenticate(pair.access_token.expose_secret())).unwrap().unwrap().0
    }

    fn is_live(&self, holder: &SessionHolder) -> bool {
        let found = block_on(self.platform.ports.accounts.session(holder.session.id)).unwrap().unwrap();
        found.session.is_live(self.clock.at_rest())
    }

    /// Returns another workspace of the same service, owned by Bob.
    fn elsewhere(&self) -> (Access, WorkspaceId) {
        let bob = self.person("bob@example.com", Role::Member);
        let command = crate::access::NewWorkspace { name: "Evil".to_owned(), plan: crate::access::Plan::Starter };
        let id = block_on(self.platform.create_workspace(bob, command, None)).unwrap().value.id;
        (Access::of_user(id, bob, Role::Owner), id)
    }

    fn invite_elsewhere(&self, access: &Access, email: &str, role: Role) -> SecretString {
        let invite = Invite { email: email.parse().unwrap(), role };
        block_on(self.platform.invite(access, Role::Owner, invite, None)).unwrap().value.token
    }

    fn places(&self, user: UserId) -> usize {
        block_on(self.platform.ports.accounts.memberships(user)).unwrap().len()
    }
}

#[test]
fn an_invitation_does_not_reveal_whether_an_account_exists() {
    let setup = Setup::new();
    let (evil, _) = setup.elsewhere();
    let stranger = setup.accept(&setup.invite_elsewhere(&evil, "eve@example.com", Role::Viewer)).unwrap();
    for email in ["eve@example.com", "nobody@example.com"] {
        let invited = setup.invite(Role::Admin, email, Role::Member).unwrap();
        assert_eq!((invited.view.status, invited.view.name), (MemberStatus::Invited, None), "{email}");
    }
    assert_eq!(setup.places(stranger.id), 1, "an invitation adds no membership");
    let taken = setup.invite(Role::Owner, "ada@example.com", Role::Admin).map(|_| ());
    assert_eq!(taken, Err(Error::Taken { what: "member", field: "email", existing: None }));
}

#[test]
fn a_token_is_valid_once_and_until_the_next_invitation() {
    let setup = Setup::new();
    let first = setup.token("Eve@example.com", Role::Member);
    let token = setup.token("eve@example.com", Role::Viewer);
    assert_eq!(setup.emails(), ["ada@example.com", "eve@example.com"]);
    let shown = setup.look(&token).unwrap();
    assert_eq!((shown.invitation.email.to_string().as_str(), shown.invitation.role), ("eve@example.com", Role::Viewer));
    assert_eq!((shown.workspace, shown.invited_by.unwrap().user.id), (setup.workspace.clone(), setup.ada));
    assert_eq!(setup.look(&first), Err(Error::NotFound), "the earlier token is invalid");
    assert_eq!(setup.look(&secret("nonsense")), Err(Error::NotFound));
    let user = setup.accept(&token).unwrap();
    assert_eq!((setup.accept(&token), setup.look(&token)), (Err(Error::NotFound), Err(Error::NotFound)));
    let entry = block_on(setup.platform.member(&setup.access, user.id)).unwrap();
    assert_eq!((entry.member.role, entry.user.operator), (Role::Viewer, false));
}

#[test]
fn requires_a_sign_in_if_the_address_has_an_account() {
    let setup = Setup::new();
    let (evil, _) = setup.elsewhere();
    let squatter = setup.accept(&setup.invite_elsewhere(&evil, "cfo@example.com", Role::Viewer)).unwrap();
    let token = setup.token("cfo@example.com", Role::Admin);
    assert_eq!(setup.accept(&token), Err(Error::SignInRequired));
    assert_eq!(setup.places(squatter.id), 1, "the account of the address gets no membership");
    // The user has an account with another email.
    let carl = setup.accept(&setup.invite_elsewhere(&evil, "carl@example.com", Role::Viewer)).unwrap();
    let holder = setup.sign_in("carl@example.com", PASSWORD);
    let (user, other) = (carl.id, setup.sign_in("carl@example.com", PASSWORD));
    let link = block_on(setup.login().reset_link(user)).unwrap().token;
    let wrong = setup.accept_as(&token, &holder, "wrong");
    assert!(matches!(wrong, Err(Error::Invalid(errors)) if errors[0].pointer == "/current_password"));
    assert_eq!(setup.accept_as(&token, &holder, PASSWORD), Ok(user));
    assert_eq!(setup.accept_as(&token, &holder, PASSWORD), Err(Error::NotFound), "the token is valid once");
    assert_eq!((setup.is_live(&holder), setup.is_live(&other)), (true, false));
    assert_eq!(block_on(setup.login().open_reset(link.expose_secret())), Err(Error::NotFound));
    let entry = block_on(setup.platform.member(&setup.access, user)).unwrap();
    assert_eq!((entry.member.role, entry.user.email.to_string().as_str()), (Role::Admin, "carl@example.com"));
    let again = setup.token("another@example.com", Role::Owner);
    assert_eq!(setup.accept_as(&again, &holder, PASSWORD), Err(Error::AlreadyMember));
    assert!(setup.look(&again).is_ok(), "the token stays valid");
}

#[test]
fn rejects_acceptance_with_an_ended_session() {
    let setup = Setup::new();
    let (evil, _) = setup.elsewhere();
    setup.accept(&setup.invite_elsewhere(&evil, "eve@example.com", Role::Viewer)).unwrap();
    let holder = setup.sign_in("eve@example.com", PASSWORD);
    block_on(setup.login().end(holder.session.id)).unwrap();
    let token = setup.token("eve@example.com", Role::Member);
    assert_eq!(setup.accept_as(&token, &holder, PASSWORD), Err(Error::Unauthorized));
}

#[test]
fn rejects_invitations_above_the_current_role_of_the_sender() {
    let setup = Setup::new();
    let bob = setup.person("bob@example.com", Role::Owner);
    let sent = |role| {
        let invite = Invite { email: format!("{role:?}@example.com").parse().unwrap(), role };
        block_on(setup.platform.invite(&setup.acting(bob, Role::Owner), Role::Owner, invite, None)).unwrap().value.token
    };
    let (owner, viewer) = (sent(Role::Owner), sent(Role::Viewer));
    setup.set_role(Role::Owner, bob, Role::Admin).unwrap();
    assert_eq!(setup.accept(&owner), Err(Error::NotFound), "an admin cannot invite an owner");
    assert!(setup.look(&viewer).is_ok());
    setup.remove(Role::Owner, bob).unwrap();
    assert_eq!(setup.accept(&viewer), Err(Error::NotFound));
    assert_eq!(setup.emails(), ["ada@example.com"]);
}

#[test]
fn limits_open_accepted_and_failed_invitations_to_twenty_per_hour() {
    let setup = Setup::new();
    let (evil, workspace) = setup.elsewhere();
    let invite = |number: u32| {
        let invite = Invite { email: format!("p{number}@example.com").parse().unwrap(), role: Role::Viewer };
        block_on(setup.platform.invite(&evil, Role::Owner, invite, None)).map(|done| done.value)
    };
    let limit = |outcome: Result<Invited, Error>| match outcome.map(|_| ()) {
        Err(Error::InvitationLimit { retry_after }) => retry_after,
        other => panic!("{other:?}"),
    };
    let withdraw = |invited: &Invited| {
        let access = Access::of_user(workspace, UserId::from_uuid(uuid::Uuid::nil()), Role::Owner);
        block_on(setup.platform.withdraw(&access, Role::Owner, invited.view.id.parse().unwrap())).unwrap();
    };
    // Five create accounts, which leave the workspace.
    for number in 0..5 {
        setup.accept(&invite(number).unwrap().token).unwrap();
        let member =
            block_on(setup.platform.ports.accounts.user_by_email(&format!("p{number}@example.com").parse().unwrap()));
        block_on(setup.platform.remove_member(&evil, Role::Owner, member.unwrap().unwrap().id, &ExpectedVersion::Any))
            .unwrap();
    }
    // Five are refused, twice each, and withdrawn; ten stay open.
    for number in 0..5 {
        let invited = invite(number).unwrap();
        assert_eq!(setup.accept(&invited.token), Err(Error::SignInRequired));
        assert_eq!(setup.accept(&invited.token), Err(Error::SignInRequired));
        withdraw(&invited);
    }
    setup.clock.set(setup.clock.at_rest().plus(Duration::from_secs(60)));
    let open: Vec<Invited> = (30..40).map(|number| invite(number).unwrap()).collect();
    assert_eq!(limit(invite(40)), INVITATION_SPAN - Duration::from_secs(60));
    assert!(invite(39).is_ok(), "a replaced invitation does not count");
    withdraw(&open[0]);
    assert!(invite(40).is_ok());
    assert_eq!(limit(invite(41)), INVITATION_SPAN - Duration::from_secs(60));
    setup.invite(Role::Owner, "elsewhere@example.com", Role::Viewer).unwrap();
    setup.clock.set(setup.clock.at_rest().plus(INVITATION_SPAN - Duration::from_secs(59)));
    for number in 41..51 {
        invite(number).unwrap();
    }
    limit(invite(51));
}

#[test]
fn an_invitation_ends_after_a_week_or_on_withdrawal() {
    let setup = Setup::new();
    let token = setup.token("eve@example.com", Role::Member);
    setup.clock.set(setup.clock.at_rest().plus(Duration::from_secs(7 * 86_400)));
    assert_eq!(setup.accept(&token), Err(Error::NotFound));
    assert_eq!(setup.look(&token), Err(Error::NotFound));
    assert_eq!(setup.emails(), ["ada@example.com"]);

    let owner = setup.invite(Role::Owner, "eve@example.com", Role::Owner).unwrap();
    let id = owner.view.id.parse().unwrap();
    let withdraw = |actor| block_on(setup.platform.withdraw(&setup.access, actor, id));
    assert_eq!(withdraw(Role::Admin), Err(Error::RoleTooLow(Role::Owner)));
    assert_eq!((withdraw(Role::Owner), withdraw(Role::Owner)), (Ok(()), Err(Error::NotFound)));
}

#[test]
fn every_member_except_the_last_owner_may_leave() {
    let setup = Setup::new();
    for role in Role::ALL {
        let user = setup.person(&format!("{}@example.com", role.as_str()), role);
        let leave = |actor: UserId| {
            let access = setup.acting(actor, role);
            block_on(setup.platform.remove_member(&access, role, user, &ExpectedVersion::Any))
        };
        if role < Role::Admin {
            assert_eq!(leave(setup.ada), Err(Error::RoleTooLow(Role::Owner)), "this role cannot remove other members");
        }
        assert_eq!(leave(user), Ok(()), "{role:?}");
    }
    assert_eq!(setup.remove(Role::Owner, setup.ada), Err(Error::LastOwner));
}
