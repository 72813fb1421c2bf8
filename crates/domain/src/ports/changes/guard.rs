//! What must hold when changes are made.

use super::Object;
use crate::access::Role;
use crate::ids::{ContactId, FlowId, UserId};
use crate::ports::Claim;
use crate::references::Referent;
use crate::stored::StoredKind;
use crate::time::Timestamp;
use uuid::Uuid;

/// What there may be only so many of. The count locks its owner, so that it holds under concurrency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// Tags of the workspace.
    Tags,
    /// Custom fields of the workspace.
    CustomFields,
    /// Bot fields of the workspace.
    BotFields,
    /// Secrets of the workspace.
    Secrets,
    /// Flows of the workspace.
    Flows,
    /// Segments of the workspace.
    Segments,
    /// Simple objects of this kind in the workspace.
    Stored(StoredKind),
    /// Broadcasts of the workspace that are not over.
    Broadcasts,
    /// Bulk operations of the workspace that are not over.
    BulkOperations,
    /// Imports of the workspace that are not over.
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
    /// Invitations of the workspace since an instant that are open, or were accepted in vain.
    Invitations {
        /// Invitations made, or accepted in vain, at or after this instant count.
        since: Timestamp,
    },
    /// Tags of the contact.
    TagsOf(ContactId),
    /// Starts of the flow for the contact since an instant.
    Starts {
        /// The flow.
        flow: FlowId,
        /// The contact.
        contact: ContactId,
        /// Starts at or after this instant count.
        since: Timestamp,
    },
    /// Runs of the flow that were refused at once for the contact since an instant ([`crate::flows::Run::is_refused`]).
    Refusals {
        /// The flow.
        flow: FlowId,
        /// The contact.
        contact: ContactId,
        /// Runs at or after this instant count.
        since: Timestamp,
    },
}

impl Counted {
    /// What is counted, for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Tags => "tags in a workspace",
            Self::CustomFields => "custom fields in a workspace",
            Self::BotFields => "bot fields in a workspace",
            Self::Secrets => "secrets in a workspace",
            Self::Flows => "flows in a workspace",
            Self::Segments => "segments in a workspace",
            Self::Stored(kind) => kind.counted(),
            Self::Broadcasts => "unfinished broadcasts in a workspace",
            Self::BulkOperations => "unfinished bulk operations in a workspace",
            Self::Imports => "unfinished imports in a workspace",
            Self::Sequences => "sequences in a workspace",
            Self::Webhooks => "webhooks in a workspace",
            Self::Channels => "channels in a workspace",
            Self::Keys => "API keys in a workspace",
            Self::Members => "members and invitations in a workspace",
            Self::Invitations { .. } => "unaccepted invitations in an hour",
            Self::TagsOf(_) => "tags on a contact",
            Self::Starts { .. } => "flow starts for a contact in an hour",
            Self::Refusals { .. } => "refused flow starts for a contact in an hour",
        }
    }
}

/// What must hold when the changes are made. Its row stays locked until the commit, but where it says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guard {
    /// The object is there, whatever its version; else [`crate::ports::Conflict::Stale`].
    Live(Object),
    /// The object is there with this version; else [`crate::ports::Conflict::Stale`].
    Version(Object, i64),
    /// The claim is still held; else [`crate::ports::Conflict::ClaimLost`].
    Claim(Claim),
    /// The workspace has an owner beside this user; else [`crate::ports::Conflict::LastOwner`].
    OwnerBeside(UserId),
    /// The person has at least this role in the workspace, or in the live workspace of a sandbox; else
    /// [`crate::ports::Conflict::Standing`].
    Standing {
        /// The person who acts.
        user: UserId,
        /// The role by which the change was allowed.
        role: Role,
    },
    /// With what the set adds there are at most so many; else [`crate::ports::Conflict::Full`].
    Room {
        /// Of what.
        what: Counted,
        /// How many the set adds.
        adding: i64,
        /// The most there may be.
        most: i64,
    },
    /// The object, which the set deletes, is there and nothing names it; else [`crate::ports::Conflict::Stale`],
    /// [`crate::ports::Conflict::InUse`].
    Unused(Referent),
    /// Who listens to the workspace's events is as it was at this revision; else
    /// [`crate::ports::Conflict::ListenersChanged`]. Nothing is locked.
    Listeners(i64),
    /// The workspace's catalog is as it was at this revision; else [`crate::ports::Conflict::CatalogChanged`]. Nothing is
    /// locked.
    Catalog(i64),
    /// No job of this lane is queued or claimed; else [`crate::ports::Conflict::LaneBusy`]. Nothing is locked: two that find
    /// it free are told apart by the key of claimed lanes.
    LaneFree(Uuid),
}
