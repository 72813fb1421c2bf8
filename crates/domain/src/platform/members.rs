//! Members and invitations.

use std::time::Duration;

use secrecy::SecretString;
use serde::Serialize;
use uuid::Uuid;

use super::{PlatformService, page};
use crate::access::{Access, Invitation, Member, MemberEntry, Role};
use crate::audit::{AuditAction, AuditDraft};
use crate::contacts::Email;
use crate::error::Error;
use crate::ids::{InvitationId, TypedId, UserId};
use crate::outcome::{Done, Expected, IdempotencyHook, record_of};
use crate::pagination::{Page, PageRequest, Position};
use crate::ports::{AccessChange, Change, ChangeSet, CommitError, Conflict, Counted, Guard, Object, Row, UniqueKey};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::time::Timestamp;

/// How many members and invitations a workspace has at the most.
pub const MAX_MEMBERS: i64 = 200;
/// How long an invitation is open.
const OPEN: Duration = Duration::from_secs(7 * 86_400);

/// Somebody to be asked in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invite {
    /// Who.
    pub email: Email,
    /// As what.
    pub role: Role,
}

/// Who came of an invitation.
#[derive(Debug, Clone)]
pub struct Invited {
    /// The member, or the invitation.
    pub view: MemberView,
    /// Of an invitation: the token of its link, shown this once.
    pub token: Option<SecretString>,
}

/// Whether a member is there yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum MemberStatus {
    /// They are.
    Active,
    /// They were asked and have not come.
    Invited,
}

/// A member, or somebody who is asked to be one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Member))]
pub struct MemberView {
    /// The id of the person, `user_…`; of an invitation its own, `inv_…`.
    pub id: String,
    /// Whether they are there yet.
    pub status: MemberStatus,
    /// Their address.
    pub email: String,
    /// What people call them.
    pub name: Option<String>,
    /// What they are in the workspace.
    pub role: Role,
    /// Of an invitation: until when it is open.
    pub expires_at: Option<Timestamp>,
    /// When they came, or were asked.
    pub created_at: Timestamp,
    /// When the role last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
    pub version: i64,
}

impl From<&MemberEntry> for MemberView {
    fn from(it: &MemberEntry) -> Self {
        Self {
            id: it.user.id.to_string(),
            status: MemberStatus::Active,
            email: it.user.email.to_string(),
            name: Some(it.user.name.clone()),
            role: it.member.role,
            expires_at: None,
            created_at: it.member.created_at,
            updated_at: it.member.updated_at,
            version: it.member.version,
        }
    }
}

impl From<&Invitation> for MemberView {
    fn from(it: &Invitation) -> Self {
        Self {
            id: it.id.to_string(),
            status: MemberStatus::Invited,
            email: it.email.to_string(),
            name: None,
            role: it.role,
            expires_at: Some(it.expires_at),
            created_at: it.created_at,
            updated_at: it.created_at,
            version: 1,
        }
    }
}

/// Whether somebody with the role `actor` may make a member of role `from` one of role `to`, either
/// of which may be none: owners are the affair of owners, everybody else that of admins.
pub fn may_change(actor: Role, from: Option<Role>, to: Option<Role>) -> bool {
    let touches_owner = from == Some(Role::Owner) || to == Some(Role::Owner);
    actor >= if touches_owner { Role::Owner } else { Role::Admin }
}

pub(super) fn allowed(actor: Role, from: Option<Role>, to: Option<Role>) -> Result<(), Error> {
    if may_change(actor, from, to) { Ok(()) } else { Err(Error::RoleTooLow(Role::Owner)) }
}

/// The members of a sandbox are those of its live workspace, and are changed there.
pub(super) fn at_home(access: &Access) -> Result<(), Error> {
    if access.workspace().is_sandbox() {
        let why = "a sandbox has the members of its live workspace; change them there";
        return Err(Error::invalid("", "sandbox", why));
    }
    Ok(())
}

impl PlatformService {
    /// Members, and who is asked to be one.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn member_views(&self, access: &Access, request: PageRequest) -> Result<Page<MemberView>, Error> {
        let place = |at, id: Uuid, view| (Position { at, id }, view);
        let members = self.ports.members.members(access).await?;
        let invitations = self.ports.members.invitations(access).await?;
        let now = self.ports.clock.now();
        let open = invitations.iter().filter(|it| now < it.expires_at);
        let mut all: Vec<(Position, MemberView)> =
            open.map(|it| place(it.created_at, it.id.uuid(), MemberView::from(it))).collect();
        all.extend(members.iter().map(|it| place(it.member.created_at, it.user.id.uuid(), MemberView::from(it))));
        Ok(page(all, request, |(position, _)| *position).map(|(_, view)| view))
    }

    /// A member.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn member(&self, access: &Access, user: UserId) -> Result<MemberEntry, Error> {
        self.ports.members.member(access, user).await?.ok_or(Error::NotFound)
    }

    /// Asks somebody in: who has an account is a member at once, for anybody else there is an
    /// invitation with a token. An earlier invitation of the same address gives way.
    ///
    /// # Errors
    /// [`Error::RoleTooLow`]; [`Error::Taken`] where they are a member; [`Error::Full`], [`Error::Store`].
    pub async fn invite(
        &self,
        access: &Access,
        actor: Role,
        invite: Invite,
        idempotency: IdempotencyHook<'_, Invited>,
    ) -> Result<Done<Invited>, Error> {
        at_home(access)?;
        allowed(actor, None, Some(invite.role))?;
        retry_on_conflict(|| async {
            let now = self.ports.clock.now();
            let mut set = ChangeSet::new(access.workspace());
            let mut leaving = 0;
            for it in self.ports.members.invitations(access).await? {
                if it.email == invite.email || now >= it.expires_at {
                    set.change(Change::Delete(Object::Invitation(it.id)));
                    leaving += 1;
                    // Those that are over go by themselves.
                    let replaced =
                        (now < it.expires_at).then(|| AuditDraft::deleted(AuditAction::InvitationWithdrawn, &it));
                    set.audit(replaced, access, &*self.ports.clock, &*self.ports.ids);
                }
            }
            set.guard(Guard::Room { what: Counted::Members, adding: 1 - leaving, most: MAX_MEMBERS });
            let done = match self.ports.accounts.user_by_email(&invite.email).await? {
                Some(user) => {
                    let member = Member::new(user.id, invite.role, now);
                    set.change(Change::Insert(Row::Member(member.clone())));
                    set.audit(
                        AuditDraft::created(AuditAction::MemberJoined, &member),
                        access,
                        &*self.ports.clock,
                        &*self.ports.ids,
                    );
                    let view = MemberView::from(&MemberEntry { member, user });
                    Done::created(Invited { view, token: None })
                }
                None => {
                    let token = self.ports.tokens.fresh();
                    let invitation = Invitation {
                        id: InvitationId::from_uuid(self.ports.ids.next()),
                        email: invite.email.clone(),
                        role: invite.role,
                        digest: token.digest,
                        created_at: now,
                        expires_at: now.plus(OPEN),
                    };
                    let view = MemberView::from(&invitation);
                    set.audit(
                        AuditDraft::created(AuditAction::InvitationCreated, &invitation),
                        access,
                        &*self.ports.clock,
                        &*self.ports.ids,
                    );
                    set.change(Change::Access(AccessChange::InsertInvitation(invitation)));
                    Done::created(Invited { view, token: Some(token.text) })
                }
            };
            set.idempotency = record_of(idempotency, &done);
            match self.ports.ledger.commit(set).await {
                Ok(()) => Ok(done),
                Err(CommitError::Conflict(Conflict::Exists(UniqueKey::Member))) => {
                    Err(Error::Taken { what: "member", field: "email", existing: None }.into())
                }
                Err(error) => Err(AttemptError::from(error)),
            }
        })
        .await
    }

    /// Gives a member another role.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::RoleTooLow`], [`Error::LastOwner`], [`Error::PreconditionFailed`],
    /// [`Error::Store`].
    pub async fn set_role(
        &self,
        access: &Access,
        actor: Role,
        user: UserId,
        role: Role,
        expected: &Expected,
    ) -> Result<MemberEntry, Error> {
        at_home(access)?;
        retry_on_conflict(|| async {
            let mut entry = self.member(access, user).await?;
            expected.check(entry.member.version)?;
            allowed(actor, Some(entry.member.role), Some(role))?;
            if entry.member.role == role {
                return Ok(entry);
            }
            let mut set = ChangeSet::new(access.workspace());
            if entry.member.role == Role::Owner {
                set.guard(Guard::OwnerBeside(user));
            }
            let before = entry.member.clone();
            entry.member.role = role;
            entry.member.version += 1;
            entry.member.updated_at = self.ports.clock.now().max(entry.member.updated_at);
            set.change(Change::Update(Row::Member(entry.member.clone())));
            set.audit(
                AuditDraft::changed(AuditAction::MemberRoleChanged, &before, &entry.member),
                access,
                &*self.ports.clock,
                &*self.ports.ids,
            );
            self.ports.ledger.commit(set).await.map_err(AttemptError::from)?;
            Ok(entry)
        })
        .await
    }

    /// Takes a member's place away, be it one's own.
    ///
    /// # Errors
    /// As [`PlatformService::set_role`].
    pub async fn remove_member(
        &self,
        access: &Access,
        actor: Role,
        user: UserId,
        expected: &Expected,
    ) -> Result<(), Error> {
        at_home(access)?;
        retry_on_conflict(|| async {
            let entry = self.member(access, user).await?;
            expected.check(entry.member.version)?;
            allowed(actor, Some(entry.member.role), None)?;
            let mut set = ChangeSet::new(access.workspace());
            if entry.member.role == Role::Owner {
                set.guard(Guard::OwnerBeside(user));
            }
            // The role that was looked at is the one that goes.
            set.guard(Guard::Version(Object::Member(user), entry.member.version));
            set.change(Change::Delete(Object::Member(user)));
            set.audit(
                AuditDraft::deleted(AuditAction::MemberRemoved, &entry.member),
                access,
                &*self.ports.clock,
                &*self.ports.ids,
            );
            Ok(self.ports.ledger.commit(set).await?)
        })
        .await
    }

    /// Takes an invitation back.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::RoleTooLow`], [`Error::Store`].
    pub async fn withdraw(&self, access: &Access, actor: Role, invitation: InvitationId) -> Result<(), Error> {
        at_home(access)?;
        let all = self.ports.members.invitations(access).await?;
        let found = all.into_iter().find(|it| it.id == invitation).ok_or(Error::NotFound)?;
        allowed(actor, Some(found.role), None)?;
        let mut set = ChangeSet::new(access.workspace());
        set.change(Change::Delete(Object::Invitation(invitation)));
        set.audit(
            AuditDraft::deleted(AuditAction::InvitationWithdrawn, &found),
            access,
            &*self.ports.clock,
            &*self.ports.ids,
        );
        self.ports.ledger.commit(set).await.map_err(|error| match error {
            CommitError::Conflict(Conflict::Stale(_)) => Error::NotFound,
            error => error.into(),
        })
    }
}
