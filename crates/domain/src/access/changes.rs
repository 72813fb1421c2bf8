//! Changes of access outside the rows of workspaces, users and members.

use super::attempts::LoginAttempts;
use super::{
    ApiKey, Invitation, Member, OutboundMode, RefreshToken, Session, SigningKey, Workspace, WorkspaceDeletion,
};
use crate::channels::Channel;
use crate::ids::{InvitationId, KeyId, SessionId, UserId};
use crate::ports::{Due, Object, RowEffect};
use crate::time::Timestamp;

/// A new workspace with its initial objects.
#[derive(Debug, Clone, PartialEq)]
pub struct Founding {
    /// The workspace.
    pub workspace: Workspace,
    /// Its first channel.
    pub channel: Channel,
    /// Its first owner.
    pub owner: Option<Member>,
}

/// A change of access to a workspace.
#[derive(Debug, Clone, PartialEq)]
pub enum AccessChange {
    /// Creates another workspace with its initial objects. For a sandbox, the set must be in its live workspace.
    FoundWorkspace(Box<Founding>),
    /// Marks the workspace and its sandbox as deleted, and replaces an earlier deletion.
    /// [`crate::ports::Conflict::Stale`] if the stored version differs. Increments both versions.
    DeleteWorkspace {
        /// The stored version of the workspace.
        version: i64,
        /// The deletion.
        deletion: WorkspaceDeletion,
        /// The current time.
        at: Timestamp,
    },
    /// Removes the marks of [`AccessChange::DeleteWorkspace`], and makes the jobs due that waited for the end of the
    /// deletion. [`crate::ports::Conflict::Stale`] if the stored version or deletion differs. Increments both versions.
    RestoreWorkspace {
        /// The stored version of the workspace.
        version: i64,
        /// The deletion that ends.
        deletion: WorkspaceDeletion,
        /// The outbound mode of the workspace; `None` keeps it.
        outbound: Option<OutboundMode>,
        /// The current time.
        at: Timestamp,
    },
    /// Creates a key.
    InsertKey(ApiKey),
    /// Makes the key expire at `end`; [`crate::ports::Conflict::Stale`] if it is revoked. Increments its version, as a
    /// revocation does.
    ExpireKey {
        /// The key.
        key: KeyId,
        /// The time of expiry.
        end: Timestamp,
        /// The current time.
        at: Timestamp,
    },
    /// Revokes the key; [`crate::ports::Conflict::Stale`] if it is already revoked.
    RevokeKey {
        /// The key.
        key: KeyId,
        /// The current time.
        at: Timestamp,
    },
    /// Creates an invitation.
    InsertInvitation(Invitation),
    /// Records that an invitation counts towards the limit for an hour, also when it is not open any more: its acceptance
    /// created an account, or was refused because its email has an account. An earlier record is unchanged. Records that
    /// no longer count towards the limit are removed.
    CountInvitation {
        /// The invitation.
        invitation: InvitationId,
        /// The current time.
        at: Timestamp,
    },
}

impl AccessChange {
    /// Returns its effect on rows that others may lock.
    pub fn row_effect(&self) -> RowEffect {
        match self {
            Self::DeleteWorkspace { .. } | Self::RestoreWorkspace { .. } => RowEffect::Many,
            Self::ExpireKey { key, .. } | Self::RevokeKey { key, .. } => RowEffect::Object(Object::Key(*key)),
            Self::FoundWorkspace(_) | Self::InsertKey(_) | Self::InsertInvitation(_) | Self::CountInvitation { .. } => {
                RowEffect::Unguarded
            }
        }
    }

    /// Returns the queued work that it makes due.
    pub fn makes_due(&self) -> Due {
        match self {
            Self::RestoreWorkspace { .. } => Due::All,
            Self::FoundWorkspace(_)
            | Self::DeleteWorkspace { .. }
            | Self::InsertKey(_)
            | Self::ExpireKey { .. }
            | Self::RevokeKey { .. }
            | Self::InsertInvitation(_)
            | Self::CountInvitation { .. } => Due::Nothing,
        }
    }
}

/// A change of a user's credentials. It belongs to no workspace.
#[derive(Debug, Clone, PartialEq)]
pub enum AccountChange {
    /// Creates a session.
    InsertSession(Session),
    /// Ends a session; [`crate::ports::Conflict::Stale`] if it has already ended.
    RevokeSession {
        /// The session.
        session: SessionId,
        /// The current time.
        at: Timestamp,
    },
    /// Ends all live sessions of a user except one.
    RevokeSessionsOf {
        /// The user.
        user: UserId,
        /// The session to keep.
        except: Option<SessionId>,
        /// The current time.
        at: Timestamp,
    },
    /// Creates the next refresh token of a session.
    InsertRefreshToken(RefreshToken),
    /// Marks a token as used; [`crate::ports::Conflict::NoLink`] if it is missing or already used.
    RotateRefreshToken {
        /// Its digest.
        digest: [u8; 32],
        /// The current time.
        at: Timestamp,
    },
    /// Stores a key that signs access tokens.
    InsertSigningKey(SigningKey),
    /// Stores a count of sign-in attempts that replaces a count of `before`, 0 if there is none.
    /// [`crate::ports::Conflict::NoLink`] or `Exists` if the stored count differs.
    CountLogin {
        /// The expected stored count.
        before: i64,
        /// The new count.
        attempts: LoginAttempts,
    },
    /// Removes the count of sign-in attempts on this account.
    ForgetLogins {
        /// The account.
        account: String,
    },
}

impl AccountChange {
    /// Returns its effect on rows that others may lock.
    pub fn row_effect(&self) -> RowEffect {
        match self {
            Self::RevokeSession { session, .. } => RowEffect::Object(Object::Session(*session)),
            Self::RevokeSessionsOf { .. } => RowEffect::Many,
            Self::InsertSession(_)
            | Self::InsertRefreshToken(_)
            | Self::RotateRefreshToken { .. }
            | Self::InsertSigningKey(_)
            | Self::CountLogin { .. }
            | Self::ForgetLogins { .. } => RowEffect::Unguarded,
        }
    }
}
