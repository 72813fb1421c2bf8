//! Members: which people have a place in which workspace, and who is asked to come.

use std::time::Duration;

use super::{Role, User, Workspace};
use crate::contacts::Email;
use crate::ids::{InvitationId, UserId};
use crate::time::Timestamp;

/// The span in which open invitations, and those accepted in vain, are counted.
pub const INVITATION_SPAN: Duration = Duration::from_secs(3_600);

/// A person's place in a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The person.
    pub user: UserId,
    /// What they are there.
    pub role: Role,
    /// Since when.
    pub created_at: Timestamp,
    /// When the role last changed.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl Member {
    /// A place that is taken now.
    pub fn new(user: UserId, role: Role, now: Timestamp) -> Self {
        Self { user, role, created_at: now, updated_at: now, version: 1 }
    }
}

/// A member with the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberEntry {
    /// The place.
    pub member: Member,
    /// Who has it.
    pub user: User,
}

/// A place of a person, seen from the person. The sandbox of a workspace is a place of its members, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// Where.
    pub workspace: Workspace,
    /// What they are there.
    pub role: Role,
}

/// An invitation into a workspace. Its token is the only proof: who has an account with its address has no part in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// The ID.
    pub id: InvitationId,
    /// The address that a new account gets by it.
    pub email: Email,
    /// What they will be.
    pub role: Role,
    /// SHA-256 of the token in the link.
    pub digest: [u8; 32],
    /// The member who sent it; absent for invitations from before this was stored.
    pub invited_by: Option<UserId>,
    /// When they were asked.
    pub created_at: Timestamp,
    /// From when on the link opens nothing.
    pub expires_at: Timestamp,
}

impl Invitation {
    /// Whether the member who sent it may still give its role. An invitation is worth no more than its sender is now.
    pub fn is_backed(&self, sender: Option<Role>) -> bool {
        self.invited_by.is_none() || sender.is_some_and(|role| may_change(role, None, Some(self.role)))
    }
}

/// Whether a member with the role `actor` may change a member of role `from` to role `to`. Either is `None` if there is no
/// member before or after. Only owners may change owners; everyone else is changed by admins and owners.
pub fn may_change(actor: Role, from: Option<Role>, to: Option<Role>) -> bool {
    let touches_owner = from == Some(Role::Owner) || to == Some(Role::Owner);
    actor >= if touches_owner { Role::Owner } else { Role::Admin }
}

/// An invitation that can be taken now, as it is shown to who has the link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenInvitation {
    /// The invitation.
    pub invitation: Invitation,
    /// Where it asks to.
    pub workspace: Workspace,
    /// The member who sent it, where that is known.
    pub invited_by: Option<MemberEntry>,
}
