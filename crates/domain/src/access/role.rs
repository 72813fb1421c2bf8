//! Roles of members.

use serde::Serialize;

use super::Scope;

/// The role of a member in a workspace, in ascending order of permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Can read.
    Viewer,
    /// Can also write and answer contacts.
    Member,
    /// Can also manage members, keys and the sandbox.
    Admin,
    /// Like an admin, and can manage owners. A workspace has at least one owner.
    Owner,
}

impl Role {
    /// All roles, weakest first.
    pub const ALL: [Self; 4] = [Self::Viewer, Self::Member, Self::Admin, Self::Owner];

    /// Returns the word in the API and in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Member => "member",
            Self::Admin => "admin",
            Self::Owner => "owner",
        }
    }

    /// Returns the role with this word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == word)
    }

    /// Returns the role's scope in the REST API.
    pub fn scope(self) -> Scope {
        match self {
            Self::Viewer => Scope::Read,
            Self::Member => Scope::Write,
            Self::Admin | Self::Owner => Scope::Full,
        }
    }

    /// Whether a conversation can be assigned to a member with this role: only to members who can answer contacts.
    pub fn is_assignable(self) -> bool {
        self.scope() >= Scope::Write
    }
}
