//! Memberships of users in workspaces, and invitations.

use std::time::Duration;

use super::{Role, User, Workspace};
use crate::contacts::Email;
use crate::ids::{InvitationId, UserId};
use crate::time::Timestamp;

/// The time span in which the limit counts invitations that are open, that created an account or that were refused.
pub const INVITATION_SPAN: Duration = Duration::from_secs(3_600);

/// A user's membership in a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The user.
    pub user: UserId,
    /// The role.
    pub role: Role,
    /// When the user joined.
    pub created_at: Timestamp,
    /// When the role last changed.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl Member {
    /// Creates a membership that starts now.
    pub fn new(user: UserId, role: Role, now: Timestamp) -> Self {
        Self { user, role, created_at: now, updated_at: now, version: 1 }
    }
}

/// A member with the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberEntry {
    /// The membership.
    pub member: Member,
    /// The user.
    pub user: User,
}

/// A membership with its workspace. Members of a workspace are also members of its sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// The workspace.
    pub workspace: Workspace,
    /// The role in it.
    pub role: Role,
}

/// An invitation to a workspace. Its token is the only proof: an existing account with its email gives no access to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// The ID.
    pub id: InvitationId,
    /// The email of a new account.
    pub email: Email,
    /// The role of the new member.
    pub role: Role,
    /// SHA-256 of the token in the link.
    pub digest: [u8; 32],
    /// The member who sent it; absent for invitations from before this was stored.
    pub invited_by: Option<UserId>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When the link expires.
    pub expires_at: Timestamp,
}

impl Invitation {
    /// Whether the sender may still assign its role. An invitation is never worth more than its sender's current role.
    pub fn is_backed(&self, sender: Option<Role>) -> bool {
        self.invited_by.is_none() || sender.is_some_and(|role| may_change(role, None, Some(self.role)))
    }
}

/// Whether a member with the role `actor` may change a member of role `from` to role `to`. `None` means no member
/// before or after. Only owners may change owners; admins and owners may change all others.
pub fn may_change(actor: Role, from: Option<Role>, to: Option<Role>) -> bool {
    let touches_owner = from == Some(Role::Owner) || to == Some(Role::Owner);
    actor >= if touches_owner { Role::Owner } else { Role::Admin }
}

/// An invitation that can be accepted now, for the holder of the link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenInvitation {
    /// The invitation.
    pub invitation: Invitation,
    /// The workspace.
    pub workspace: Workspace,
    /// The sender, if known.
    pub invited_by: Option<MemberEntry>,
}
