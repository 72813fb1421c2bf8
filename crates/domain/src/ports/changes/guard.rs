//! Conditions of a commit.

use super::Object;
use crate::access::Role;
use crate::ids::{ContactId, FlowId, UserId};
use crate::ports::Claim;
use crate::references::Referent;
use crate::stored::StoredKind;
use crate::time::Timestamp;
use uuid::Uuid;

/// Objects with a limit on their number. Counting locks their owner, so the limit holds under concurrency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// Flows of the workspace.
    Flows,
    /// Simple objects of a kind in the workspace. Files that only messages with one contact use do not count.
    Stored(StoredKind),
    /// Unfinished broadcasts of the workspace.
    Broadcasts,
    /// Unfinished bulk operations of the workspace.
    BulkOperations,
    /// Unfinished imports of the workspace.
    Imports,
    /// Sequences of the workspace that are not deleted.
    Sequences,
    /// Webhooks of the workspace.
    Webhooks,
    /// Channels of the workspace.
    Channels,
    /// Keys of the workspace that are not revoked.
    Keys,
    /// Members of the workspace, and invitations to it.
    Members,
    /// Invitations of the workspace since a time that are open, or whose acceptance created an account or was refused.
    Invitations {
        /// Invitations created, accepted or refused at or after this time count.
        since: Timestamp,
    },
    /// Tags of the contact.
    TagsOf(ContactId),
    /// Starts of the flow for the contact since a time.
    Starts {
        /// The flow.
        flow: FlowId,
        /// The contact.
        contact: ContactId,
        /// Starts at or after this time count.
        since: Timestamp,
    },
    /// Runs of the flow that were refused at once for the contact since a time ([`crate::flows::Run::is_refused`]).
    Refusals {
        /// The flow.
        flow: FlowId,
        /// The contact.
        contact: ContactId,
        /// Runs at or after this time count.
        since: Timestamp,
    },
}

impl Counted {
    /// Returns the contact that owns the objects. Without one, the workspace owns them.
    pub fn contact(self) -> Option<ContactId> {
        match self {
            Self::TagsOf(contact) | Self::Starts { contact, .. } | Self::Refusals { contact, .. } => Some(contact),
            Self::Flows
            | Self::Stored(_)
            | Self::Broadcasts
            | Self::BulkOperations
            | Self::Imports
            | Self::Sequences
            | Self::Webhooks
            | Self::Channels
            | Self::Keys
            | Self::Members
            | Self::Invitations { .. } => None,
        }
    }

    /// Returns the description for users.
    pub fn words(self) -> &'static str {
        match self {
            Self::Flows => "flows in a workspace",
            Self::Stored(kind) => kind.counted(),
            Self::Broadcasts => "unfinished broadcasts in a workspace",
            Self::BulkOperations => "unfinished bulk operations in a workspace",
            Self::Imports => "unfinished imports in a workspace",
            Self::Sequences => "sequences in a workspace",
            Self::Webhooks => "webhooks in a workspace",
            Self::Channels => "channels in a workspace",
            Self::Keys => "API keys in a workspace",
            Self::Members => "members and invitations in a workspace",
            Self::Invitations { .. } => "invitations in an hour",
            Self::TagsOf(_) => "tags on a contact",
            Self::Starts { .. } => "flow starts for a contact in an hour",
            Self::Refusals { .. } => "refused flow starts for a contact in an hour",
        }
    }
}

/// A condition of a commit. Its row stays locked until the commit, unless stated otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// The object exists, with any version; otherwise [`crate::ports::Conflict::Stale`].
    Live(Object),
    /// The object exists with this version; otherwise [`crate::ports::Conflict::Stale`].
    Version(Object, i64),
    /// The claim is still held; otherwise [`crate::ports::Conflict::ClaimLost`].
    Claim(Claim),
    /// The workspace has another owner than this user; otherwise [`crate::ports::Conflict::LastOwner`].
    OwnerBeside(UserId),
    /// The user has at least this role in the workspace, or in the live workspace of a sandbox; otherwise
    /// [`crate::ports::Conflict::Standing`].
    Standing {
        /// The acting user.
        user: UserId,
        /// The role that the change requires.
        role: Role,
    },
    /// The limit holds with the additions of the set; otherwise [`crate::ports::Conflict::Full`].
    Room {
        /// The limited objects.
        what: Counted,
        /// The number that the set adds.
        adding: i64,
        /// The limit.
        most: i64,
    },
    /// The object, which the set deletes, exists and nothing refers to it; otherwise [`crate::ports::Conflict::Stale`]
    /// or [`crate::ports::Conflict::InUse`].
    Unused(Referent),
    /// The listeners of the workspace's events still have this revision; otherwise
    /// [`crate::ports::Conflict::ListenersChanged`]. Locks nothing.
    Listeners(i64),
    /// The workspace's catalog still has this revision; otherwise [`crate::ports::Conflict::CatalogChanged`]. Locks
    /// nothing.
    Catalog(i64),
    /// No job of this lane is queued or claimed; otherwise [`crate::ports::Conflict::LaneBusy`]. Locks nothing: if two
    /// sets find it free, the unique key of claimed lanes refuses one.
    LaneFree(Uuid),
}
