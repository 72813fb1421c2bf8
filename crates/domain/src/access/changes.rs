//! What changes beside the rows of workspaces, people and members.

use super::attempts::LoginAttempts;
use super::{
    ApiKey, Invitation, Member, OutboundMode, RefreshToken, Session, SigningKey, Workspace, WorkspaceDeletion,
};
use crate::channels::Channel;
use crate::ids::{InvitationId, KeyId, SessionId, UserId};
use crate::ports::{Due, Object, Touches};
use crate::time::Timestamp;

/// A workspace with all that it begins with.
#[derive(Debug, Clone, PartialEq)]
pub struct Founding {
    /// The workspace.
    pub workspace: Workspace,
    /// Its first channel.
    pub channel: Channel,
    /// Its first owner.
    pub owner: Option<Member>,
}

/// A change to who may do what in a workspace.
#[derive(Debug, Clone, PartialEq)]
pub enum AccessChange {
    /// Makes another workspace with all that it begins with. Its live workspace, if it has one, must be the set's own.
    FoundWorkspace(Box<Founding>),
    /// Marks the workspace and its sandbox as deleted, and replaces an earlier deletion;
    /// [`crate::ports::Conflict::Stale`] if the stored version is another. Both become their next version.
    DeleteWorkspace {
        /// The stored version of the workspace.
        version: i64,
        /// The deletion.
        deletion: WorkspaceDeletion,
        /// The present instant.
        at: Timestamp,
    },
    /// Removes the marks of [`AccessChange::DeleteWorkspace`], and makes the jobs due that waited for the end of the
    /// deletion; [`crate::ports::Conflict::Stale`] if the stored version or deletion is another. Both workspaces become
    /// their next version.
    RestoreWorkspace {
        /// The stored version of the workspace.
        version: i64,
        /// The deletion that ends.
        deletion: WorkspaceDeletion,
        /// The outbound mode of the workspace; `None` leaves it.
        outbound: Option<OutboundMode>,
        /// The present instant.
        at: Timestamp,
    },
    /// Makes a key.
    InsertKey(ApiKey),
    /// From `end` on the key opens nothing; [`crate::ports::Conflict::Stale`] where it is revoked. It becomes its next
    /// version, as a key that is revoked does.
    ExpireKey {
        /// Which.
        key: KeyId,
        /// From when on.
        end: Timestamp,
        /// The present instant.
        at: Timestamp,
    },
    /// The key opens nothing any more; [`crate::ports::Conflict::Stale`] where it is revoked already.
    RevokeKey {
        /// Which.
        key: KeyId,
        /// The present instant.
        at: Timestamp,
    },
    /// Asks a person to join.
    InsertInvitation(Invitation),
    /// Records that an invitation was accepted in vain, because its address has an account. An earlier record of it stays
    /// as it is; records that no limit counts any more are removed.
    RefuseInvitation {
        /// Which.
        invitation: InvitationId,
        /// The present instant.
        at: Timestamp,
    },
}

impl AccessChange {
    /// What it does to rows that others may hold.
    pub fn touches(&self) -> Touches {
        match self {
            Self::DeleteWorkspace { .. } | Self::RestoreWorkspace { .. } => Touches::Many,
            Self::ExpireKey { key, .. } | Self::RevokeKey { key, .. } => Touches::Object(Object::Key(*key)),
            Self::FoundWorkspace(_)
            | Self::InsertKey(_)
            | Self::InsertInvitation(_)
            | Self::RefuseInvitation { .. } => Touches::Beside,
        }
    }

    /// The queued work that it makes due.
    pub fn makes_due(&self) -> Due {
        match self {
            Self::RestoreWorkspace { .. } => Due::All,
            Self::FoundWorkspace(_)
            | Self::DeleteWorkspace { .. }
            | Self::InsertKey(_)
            | Self::ExpireKey { .. }
            | Self::RevokeKey { .. }
            | Self::InsertInvitation(_)
            | Self::RefuseInvitation { .. } => Due::Nothing,
        }
    }
}

/// A change to what a person signs in with; of no workspace.
#[derive(Debug, Clone, PartialEq)]
pub enum AccountChange {
    /// Begins a session.
    InsertSession(Session),
    /// Ends a session; [`crate::ports::Conflict::Stale`] where it has ended already.
    RevokeSession {
        /// Which.
        session: SessionId,
        /// The present instant.
        at: Timestamp,
    },
    /// Ends all live sessions of a person but this one.
    RevokeSessionsOf {
        /// Whose.
        user: UserId,
        /// The one that stays.
        except: Option<SessionId>,
        /// The present instant.
        at: Timestamp,
    },
    /// Gives a session its next token.
    InsertRefreshToken(RefreshToken),
    /// Marks a token as used; [`crate::ports::Conflict::NoLink`] where it is not there or used already.
    RotateRefreshToken {
        /// Its digest.
        digest: [u8; 32],
        /// The present instant.
        at: Timestamp,
    },
    /// Keeps a key that access tokens are signed with.
    InsertSigningKey(SigningKey),
    /// Counts a log-in on top of a count of `before`, 0 where none is kept;
    /// [`crate::ports::Conflict::NoLink`] or `Exists` where it is another by now.
    CountLogin {
        /// The count that it was decided by.
        before: i64,
        /// The count with this log-in.
        attempts: LoginAttempts,
    },
    /// Forgets the log-ins that were tried on this account.
    ForgetLogins {
        /// Which.
        account: String,
    },
}

impl AccountChange {
    /// What it does to rows that others may hold.
    pub fn touches(&self) -> Touches {
        match self {
            Self::RevokeSession { session, .. } => Touches::Object(Object::Session(*session)),
            Self::RevokeSessionsOf { .. } => Touches::Many,
            Self::InsertSession(_)
            | Self::InsertRefreshToken(_)
            | Self::RotateRefreshToken { .. }
            | Self::InsertSigningKey(_)
            | Self::CountLogin { .. }
            | Self::ForgetLogins { .. } => Touches::Beside,
        }
    }
}
