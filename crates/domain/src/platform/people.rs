//! How people come: by an invitation, or by who runs the service.

use secrecy::SecretString;

use super::PlatformService;
use crate::access::{Access, Invitation, Member, OpenInvitation, Role, User};
use crate::audit::{AuditAction, AuditDraft};
use crate::contacts::Email;
use crate::error::Error;
use crate::ids::{TypedId, UserId, WorkspaceId};
use crate::ports::{Change, ChangeSet, CommitError, Conflict, Guard, Object, Row, UniqueKey, Waiting};

/// A person to be made by who runs the service.
#[derive(Debug, Clone)]
pub struct NewUser {
    /// Their address.
    pub email: Email,
    /// What people call them; 1 to 100 characters.
    pub name: String,
    /// Their password.
    pub password: SecretString,
    /// Whether they run the service, too.
    pub operator: bool,
    /// Their first place.
    pub workspace: WorkspaceId,
    /// What they are there.
    pub role: Role,
}

fn taken(error: CommitError) -> Error {
    match error {
        CommitError::Conflict(Conflict::Exists(UniqueKey::UserEmail)) => {
            Error::Taken { what: "user", field: "email", existing: None }
        }
        error => error.into(),
    }
}

impl PlatformService {
    /// Makes a person with a place in a workspace.
    ///
    /// # Errors
    /// [`Error::Taken`] where somebody has the address, [`Error::Busy`], [`Error::Store`].
    pub async fn create_user(&self, command: NewUser) -> Result<User, Error> {
        let password_hash = self.ports.passwords.hash(command.password, Waiting::default()).await?;
        let now = self.ports.clock.now();
        let user = User {
            id: UserId::from_uuid(self.ports.ids.next()),
            email: command.email,
            name: command.name,
            password_hash,
            operator: command.operator,
            reset: None,
            created_at: now,
            updated_at: now,
            version: 1,
        };
        let mut set = ChangeSet::new(command.workspace);
        set.change(Change::Insert(Row::User(user.clone())));
        let (member, by) = (Member::new(user.id, command.role, now), Access::system(command.workspace));
        set.change(Change::Insert(Row::Member(member.clone())));
        set.audit(AuditDraft::created(AuditAction::MemberJoined, &member), &by, &*self.ports.clock, &*self.ports.ids);
        self.ports.ledger.commit(set).await.map_err(taken)?;
        Ok(user)
    }

    /// The invitation with this token.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none, or it is over, or was taken; [`Error::Store`].
    pub async fn open_invitation(&self, token: &str) -> Result<OpenInvitation, Error> {
        let (invitation, workspace) = self.open(token).await?;
        let workspace = self.ports.access.workspace(workspace).await?.ok_or(Error::NotFound)?;
        Ok(OpenInvitation { invitation, workspace })
    }

    async fn open(&self, token: &str) -> Result<(Invitation, WorkspaceId), Error> {
        let digest = self.ports.tokens.digest(token).ok_or(Error::NotFound)?;
        let found = self.ports.accounts.invitation(digest).await?;
        found.filter(|(invitation, _)| self.ports.clock.now() < invitation.expires_at).ok_or(Error::NotFound)
    }

    /// The person who takes an invitation, with the name and password that they choose.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none, or it is over, or was taken; [`Error::Taken`] where
    /// somebody has the address by now; [`Error::Busy`], [`Error::Store`].
    pub async fn accept(&self, token: &str, name: String, password: SecretString) -> Result<User, Error> {
        let (invitation, workspace) = self.open(token).await?;
        let who = Waiting { account: invitation.email.to_string(), ..Waiting::default() };
        let password_hash = self.ports.passwords.hash(password, who).await?;
        let now = self.ports.clock.now();
        let user = User {
            id: UserId::from_uuid(self.ports.ids.next()),
            email: invitation.email.clone(),
            name,
            password_hash,
            operator: false,
            reset: None,
            created_at: now,
            updated_at: now,
            version: 1,
        };
        let mut set = ChangeSet::new(workspace);
        set.guard(Guard::Live(Object::Invitation(invitation.id)));
        set.change(Change::Delete(Object::Invitation(invitation.id)));
        set.change(Change::Insert(Row::User(user.clone())));
        let member = Member::new(user.id, invitation.role, now);
        set.change(Change::Insert(Row::Member(member.clone())));
        let draft = AuditDraft::created(AuditAction::MemberJoined, &member).with("invitation_id", &invitation.id);
        let by = Access::of_user(workspace, user.id, invitation.role);
        set.audit(draft, &by, &*self.ports.clock, &*self.ports.ids);
        match self.ports.ledger.commit(set).await {
            Ok(()) => Ok(user),
            Err(CommitError::Conflict(Conflict::Stale(_))) => Err(Error::NotFound),
            Err(error) => Err(taken(error)),
        }
    }
}
