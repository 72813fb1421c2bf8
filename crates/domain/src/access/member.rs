//! Members: which people have a place in which workspace, and who is asked to come.

use super::{Role, User, Workspace};
use crate::contacts::Email;
use crate::ids::{InvitationId, UserId};
use crate::time::Timestamp;

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
    /// 1 at first, one more on each change.
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

/// A person who is asked into a workspace and has no account yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// Its id.
    pub id: InvitationId,
    /// Who is asked.
    pub email: Email,
    /// What they will be.
    pub role: Role,
    /// SHA-256 of the token in the link.
    pub digest: [u8; 32],
    /// When they were asked.
    pub created_at: Timestamp,
    /// From when on the link opens nothing.
    pub expires_at: Timestamp,
}

/// An invitation that can be taken now, as it is shown to who has the link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenInvitation {
    /// The invitation.
    pub invitation: Invitation,
    /// Where it asks to.
    pub workspace: Workspace,
}
