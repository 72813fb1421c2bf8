//! Users: an operator creates them, or they accept an invitation.

use secrecy::SecretString;

use super::PlatformService;
use crate::access::attempts::within;
use crate::access::{Access, LoginService, Member, MemberEntry, OpenInvitation, Role, SessionHolder, User};
use crate::audit::{AuditAction, AuditDraft};
use crate::contacts::Email;
use crate::error::Error;
use crate::ids::{TypedId, UserId, WorkspaceId};
use crate::ports::{
    AccessChange, AccountChange, Change, ChangeSet, CommitError, Conflict, Guard, Object, Row, UniqueKey, Waiting,
};
use crate::retry::{AttemptError, commit_new, retry_on_conflict};
use crate::time::Timestamp;

/// A user that an operator creates.
#[derive(Debug, Clone)]
pub struct NewUser {
    /// The email.
    pub email: Email,
    /// The display name, 1 to 100 characters.
    pub name: String,
    /// The password.
    pub password: SecretString,
    /// Whether the user is also an operator.
    pub operator: bool,
    /// The first workspace.
    pub workspace: WorkspaceId,
    /// The role in it.
    pub role: Role,
}

impl NewUser {
    /// Creates the command for a user who is not an operator.
    pub fn new(
        email: Email,
        name: impl Into<String>,
        password: SecretString,
        workspace: WorkspaceId,
        role: Role,
    ) -> Self {
        Self { email, name: name.into(), password, operator: false, workspace, role }
    }
}

fn email_taken(error: CommitError) -> Error {
    match error {
        CommitError::Conflict(Conflict::Exists(UniqueKey::UserEmail)) => {
            Error::Taken { what: "user", field: "email", existing: None }
        }
        error => error.into(),
    }
}

impl PlatformService {
    /// Creates a user as a member of a workspace.
    ///
    /// # Errors
    /// [`Error::Taken`] if the email has an account, [`Error::Busy`], [`Error::Store`].
    pub async fn create_user(&self, command: NewUser) -> Result<User, Error> {
        let password_hash = self.ports.passwords.hash(command.password, Waiting::default()).await?;
        let now = self.ports.clock.now();
        let user = User {
            operator: command.operator,
            ..User::new(UserId::from_uuid(self.ports.ids.next()), command.email, command.name, password_hash, now)
        };
        let mut set = ChangeSet::new(command.workspace);
        set.change(Change::Insert(Row::User(user.clone())));
        let (member, by) = (Member::new(user.id, command.role, now), Access::system(command.workspace));
        set.change(Change::Insert(Row::Member(member.clone())));
        self.ports.add_audit(AuditDraft::created(AuditAction::MemberJoined, &member), &by, &mut set);
        self.ports.ledger.commit(set).await.map_err(email_taken)?;
        Ok(user)
    }

    /// Returns the invitation with this token.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none, it has expired or was accepted, or its sender may no longer assign its
    /// role; [`Error::Store`].
    pub async fn open_invitation(&self, token: &str) -> Result<OpenInvitation, Error> {
        let digest = self.ports.tokens.digest(token).ok_or(Error::NotFound)?;
        let (invitation, workspace) = self.ports.accounts.invitation(digest).await?.ok_or(Error::NotFound)?;
        let invited_by = match invitation.invited_by {
            Some(sender) => self.ports.members.member(&Access::system(workspace), sender).await?,
            None => None,
        };
        let is_backed = invitation.is_backed(invited_by.as_ref().map(|it| it.member.role));
        if !is_backed || self.ports.clock.now() >= invitation.expires_at {
            return Err(Error::NotFound);
        }
        let workspace = self.ports.access.workspace(workspace).await?;
        let workspace = workspace.filter(|it| it.deletion.is_none()).ok_or(Error::NotFound)?;
        Ok(OpenInvitation { invitation, workspace, invited_by })
    }

    /// Accepts an invitation with a new account. The user chooses its name and password.
    ///
    /// # Errors
    /// [`Error::NotFound`] as [`PlatformService::open_invitation`]; [`Error::SignInRequired`] if the email has an
    /// account; [`Error::Busy`], [`Error::Store`].
    pub async fn accept(&self, token: &str, name: String, password: SecretString) -> Result<User, Error> {
        let open = self.open_invitation(token).await?;
        let who = Waiting { account: open.invitation.email.to_string(), ..Waiting::default() };
        let password_hash = self.ports.passwords.hash(password, who).await?;
        retry_on_conflict(|| async {
            let open = self.open_invitation(token).await?;
            let now = self.ports.clock.now();
            let user = User::new(
                UserId::from_uuid(self.ports.ids.next()),
                open.invitation.email.clone(),
                name.clone(),
                password_hash.clone(),
                now,
            );
            let mut set = ChangeSet::new(open.workspace.id);
            set.change(Change::Insert(Row::User(user.clone())));
            self.join(&mut set, &open, user.id, now);
            set.change(count(&open, now));
            match self.ports.ledger.commit(set).await {
                Ok(()) => Ok(user),
                Err(CommitError::Conflict(Conflict::Exists(UniqueKey::UserEmail))) => {
                    // This is stored before the response.
                    let mut set = ChangeSet::new(open.workspace.id);
                    set.change(count(&open, now));
                    commit_new(&*self.ports.ledger, set).await?;
                    Err(Error::SignInRequired.into())
                }
                Err(error) => Err(AttemptError::from(error)),
            }
        })
        .await
    }

    /// Accepts an invitation with the account of the signed-in user, whatever its email is. The user's other sessions
    /// end, and an open password reset link is invalidated: neither may give access to the workspace.
    ///
    /// # Errors
    /// [`Error::NotFound`] as [`PlatformService::open_invitation`]; [`Error::Invalid`] at `/current_password`;
    /// [`Error::AlreadyMember`]; [`Error::Unauthorized`] if the session has ended; [`Error::TooManyAttempts`],
    /// [`Error::Busy`], [`Error::Store`].
    pub async fn accept_signed_in(
        &self,
        token: &str,
        holder: &SessionHolder,
        current: SecretString,
    ) -> Result<User, Error> {
        self.open_invitation(token).await?;
        let known = self.ports.accounts.user(holder.user.id).await?.ok_or(Error::Unauthorized)?;
        LoginService { ports: self.ports.clone() }.confirm(holder, &known, current).await?;
        let session = holder.session.id;
        retry_on_conflict(|| async {
            let open = self.open_invitation(token).await?;
            let now = self.ports.clock.now();
            let live = self.ports.accounts.session(session).await?.filter(|it| it.session.is_live(now));
            let before = live.map(|it| it.user).filter(|it| it.password_hash == known.password_hash);
            let user = before.ok_or(Error::Unauthorized)?.with_reset(None, now);
            let mut set = ChangeSet::new(open.workspace.id);
            set.guard(Guard::Live(Object::Session(session)));
            set.change(Change::Update(Row::User(user.clone())));
            let (id, except) = (user.id, Some(session));
            set.change(Change::Account(AccountChange::RevokeSessionsOf { user: id, except, at: now }));
            set.change(Change::Account(AccountChange::ForgetLogins { account: within(session) }));
            self.join(&mut set, &open, user.id, now);
            match self.ports.ledger.commit(set).await {
                Ok(()) => Ok(user),
                Err(CommitError::Conflict(Conflict::Exists(UniqueKey::Member))) => Err(Error::AlreadyMember.into()),
                Err(error) => Err(AttemptError::from(error)),
            }
        })
        .await
    }

    /// Deletes the invitation and makes the user a member. The sender's membership must be unchanged since it was read.
    fn join(&self, set: &mut ChangeSet, open: &OpenInvitation, user: UserId, now: Timestamp) {
        let OpenInvitation { invitation, workspace, invited_by } = open;
        set.guard(Guard::Live(Object::Invitation(invitation.id)));
        if let Some(MemberEntry { member, .. }) = invited_by {
            set.guard(Guard::Version(Object::Member(member.user), member.version));
        }
        set.change(Change::Delete(Object::Invitation(invitation.id)));
        let member = Member::new(user, invitation.role, now);
        set.change(Change::Insert(Row::Member(member.clone())));
        let draft = AuditDraft::created(AuditAction::MemberJoined, &member).with("invitation_id", &invitation.id);
        let by = Access::of_user(workspace.id, user, invitation.role);
        self.ports.add_audit(draft, &by, set);
    }
}

/// Returns the change by which the invitation counts towards the limit, for an hour from now.
fn count(open: &OpenInvitation, now: Timestamp) -> Change {
    Change::Access(AccessChange::CountInvitation { invitation: open.invitation.id, at: now })
}
