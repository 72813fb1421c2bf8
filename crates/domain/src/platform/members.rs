//! Members.

use serde::Serialize;
use uuid::Uuid;

use super::{PlatformService, page};
use crate::access::{Access, Actor, Invitation, MemberEntry, Role, may_change};
use crate::audit::{AuditAction, AuditDraft};
use crate::error::Error;
use crate::ids::{TypedId, UserId};
use crate::outcome::ExpectedVersion;
use crate::pagination::{Page, PageRequest, Position};
use crate::ports::{Change, ChangeSet, Guard, Object, Row};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::time::Timestamp;

/// The maximum number of members and invitations of a workspace.
pub const MAX_MEMBERS: i64 = 200;
/// Whether a member has accepted the invitation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum MemberStatus {
    /// The user is a member.
    Active,
    /// The user is invited and has not accepted yet.
    Invited,
}

/// A member, or an invited user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Member))]
#[non_exhaustive]
pub struct MemberView {
    /// ID of the user, `user_…`, or of the invitation, `inv_…`.
    pub id: String,
    /// Whether the user has accepted the invitation.
    pub status: MemberStatus,
    /// Email address.
    pub email: String,
    /// Display name.
    pub name: Option<String>,
    /// Role in the workspace.
    pub role: Role,
    /// For an invitation: when it expires.
    pub expires_at: Option<Timestamp>,
    /// When the user joined, or was invited.
    pub created_at: Timestamp,
    /// When the role last changed.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
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

/// A member who can be assigned to conversations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Assignee))]
#[non_exhaustive]
pub struct AssigneeView {
    /// ID of the user.
    pub id: UserId,
    /// Display name.
    pub name: String,
}

impl From<&MemberEntry> for AssigneeView {
    fn from(it: &MemberEntry) -> Self {
        Self { id: it.user.id, name: it.user.name.clone() }
    }
}

pub(super) fn allowed(actor: Role, from: Option<Role>, to: Option<Role>) -> Result<(), Error> {
    if may_change(actor, from, to) { Ok(()) } else { Err(Error::RoleTooLow(Role::Owner)) }
}

/// Rejects changes in a sandbox: it uses the members of its live workspace.
pub(super) fn at_home(access: &Access) -> Result<(), Error> {
    if access.workspace().is_sandbox() {
        let why = "a sandbox uses the members of its live workspace; change them there";
        return Err(Error::invalid("", "sandbox", why));
    }
    Ok(())
}

impl PlatformService {
    /// Returns a page of members and open invitations.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn member_views(&self, access: &Access, request: PageRequest) -> Result<Page<MemberView>, Error> {
        let place = |at, id: Uuid, view| (Position { at, id }, view);
        let members = self.ports.members.members(access).await?;
        let invitations = self.ports.members.invitations(access).await?;
        let now = self.ports.clock.now();
        let role_of =
            |user: Option<UserId>| members.iter().find(|it| Some(it.user.id) == user).map(|it| it.member.role);
        let open = invitations.iter().filter(|it| now < it.expires_at && it.is_backed(role_of(it.invited_by)));
        let mut all: Vec<(Position, MemberView)> =
            open.map(|it| place(it.created_at, it.id.uuid(), MemberView::from(it))).collect();
        all.extend(members.iter().map(|it| place(it.member.created_at, it.user.id.uuid(), MemberView::from(it))));
        Ok(page(all, request, |(position, _)| *position).map(|(_, view)| view))
    }

    /// Returns a page of the members who can answer contacts: all except viewers.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn assignees(&self, access: &Access, request: PageRequest) -> Result<Page<MemberEntry>, Error> {
        let mut members = self.ports.members.members(access).await?;
        members.retain(|it| it.member.role.is_assignable());
        Ok(page(members, request, |it| Position { at: it.member.created_at, id: it.user.id.uuid() }))
    }

    /// Returns a member.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn member(&self, access: &Access, user: UserId) -> Result<MemberEntry, Error> {
        self.ports.members.member(access, user).await?.ok_or(Error::NotFound)
    }

    /// Changes the role of a member.
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
        expected: &ExpectedVersion,
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
            self.ports.add_audit(
                AuditDraft::changed(AuditAction::MemberRoleChanged, &before, &entry.member),
                access,
                &mut set,
            );
            self.ports.ledger.commit(set).await.map_err(AttemptError::from)?;
            Ok(entry)
        })
        .await
    }

    /// Removes a member. Each member may remove themselves, whatever their role is.
    ///
    /// # Errors
    /// See [`PlatformService::set_role`].
    pub async fn remove_member(
        &self,
        access: &Access,
        actor: Role,
        user: UserId,
        expected: &ExpectedVersion,
    ) -> Result<(), Error> {
        at_home(access)?;
        retry_on_conflict(|| async {
            let entry = self.member(access, user).await?;
            expected.check(entry.member.version)?;
            if *access.actor() != Actor::user(user) {
                allowed(actor, Some(entry.member.role), None)?;
            }
            let mut set = ChangeSet::new(access.workspace());
            if entry.member.role == Role::Owner {
                set.guard(Guard::OwnerBeside(user));
            }
            // The member must still have the role that was checked.
            set.guard(Guard::Version(Object::Member(user), entry.member.version));
            set.change(Change::Delete(Object::Member(user)));
            self.ports.add_audit(AuditDraft::deleted(AuditAction::MemberRemoved, &entry.member), access, &mut set);
            Ok(self.ports.ledger.commit(set).await?)
        })
        .await
    }
}
