//! Workspaces and their plans.

use serde::Serialize;
use tidings_tables::Country;
use uuid::Uuid;

use crate::contacts::TimeZone;
use crate::ids::{TypedId, WorkspaceId};
use crate::pagination::Total;
use crate::time::Timestamp;

/// The plan of a workspace, which sets the limits, such as requests per minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Plan {
    /// 600 requests a minute by default.
    Starter,
    /// 2 000 requests a minute by default.
    Pro,
    /// 10 000 requests a minute by default.
    Business,
}

impl Plan {
    /// All plans, smallest first.
    pub const ALL: [Self; 3] = [Self::Starter, Self::Pro, Self::Business];

    /// Returns the word in the API and in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Starter => "starter",
            Self::Pro => "pro",
            Self::Business => "business",
        }
    }

    /// Returns the plan with this word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|plan| plan.as_str() == word)
    }
}

/// Whether outbound sending of a workspace is paused.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum OutboundMode {
    /// It is not paused.
    #[default]
    Send,
    /// Messages and deliveries wait, and no attempt is counted.
    Hold,
}

impl OutboundMode {
    /// All modes.
    pub const ALL: [Self; 2] = [Self::Send, Self::Hold];

    /// Returns the word in the API, in the settings and in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Send => "send",
            Self::Hold => "hold",
        }
    }

    /// Returns the mode with this word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.as_str() == word)
    }
}

/// A workspace, which owns contacts, flows and all other objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    /// The ID.
    pub id: WorkspaceId,
    /// The display name, 1 to 100 characters.
    pub name: String,
    /// The plan.
    pub plan: Plan,
    /// The time zone of contacts without their own.
    pub time_zone: TimeZone,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
    /// For a sandbox: its live workspace.
    pub live_workspace: Option<WorkspaceId>,
    /// Whether outbound sending is enabled or paused.
    pub outbound: OutboundMode,
    /// Keywords with which contacts opt out of a channel, in addition to the installation's keywords.
    pub opt_out_words: Vec<String>,
    /// Whether a reply of a member assigns an unassigned conversation to the member.
    pub assign_on_reply: bool,
    /// The country of phone numbers without a country code, and of contacts without a region.
    pub default_country: Option<Country>,
    /// The deletion, while the workspace is deleted and not erased yet.
    pub deletion: Option<WorkspaceDeletion>,
}

/// The deletion of a workspace. Its keys are rejected and its jobs wait. Its data is kept until it is erased.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkspaceDeletion {
    /// When the workspace was deleted.
    pub at: Timestamp,
    /// Until when the workspace can be restored. [`WorkspaceDeletion::BEGUN`] once the erasure has begun.
    pub erase_at: Timestamp,
}

impl WorkspaceDeletion {
    /// The value of `erase_at` once the erasure has begun: the workspace can no longer be restored.
    pub const BEGUN: Timestamp = Timestamp::from_millis(0);

    /// Returns until when users can restore the workspace; the time of the deletion once the erasure has begun.
    pub fn restore_until(&self) -> Timestamp {
        self.erase_at.max(self.at)
    }

    /// Whether the workspace can be restored at `now`.
    pub fn is_reversible(&self, now: Timestamp) -> bool {
        now < self.erase_at
    }
}

impl Workspace {
    /// Creates a live workspace that sends messages, in the time zone UTC.
    pub fn new(id: WorkspaceId, name: impl Into<String>, plan: Plan, now: Timestamp) -> Self {
        Self {
            id,
            name: name.into(),
            plan,
            time_zone: TimeZone::from_store("UTC".to_owned()),
            created_at: now,
            updated_at: now,
            version: 1,
            live_workspace: None,
            outbound: OutboundMode::Send,
            opt_out_words: Vec::new(),
            assign_on_reply: true,
            default_country: None,
            deletion: None,
        }
    }

    /// Returns the workspace that manages the members: for a sandbox, its live workspace.
    pub fn home(&self) -> WorkspaceId {
        self.live_workspace.unwrap_or(self.id)
    }
}

/// The version nibble (RFC 9562, section 4.2) of a sandbox ID: 8, a custom layout, instead of 7 for a live workspace.
const SANDBOX_VERSION: u128 = 8;

impl WorkspaceId {
    /// Returns the ID of a sandbox, derived from a UUIDv7. It keeps its time order. It also identifies a sandbox
    /// without a read of the store, for example in jobs.
    pub fn of_sandbox(uuid: Uuid) -> Self {
        Self::from_uuid(Uuid::from_u128(uuid.as_u128() & !(0xf << 76) | SANDBOX_VERSION << 76))
    }

    /// Whether the workspace is a sandbox: it never reaches real contacts.
    pub fn is_sandbox(self) -> bool {
        self.uuid().as_u128() >> 76 & 0xf == SANDBOX_VERSION
    }
}

/// A workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Workspace))]
#[non_exhaustive]
pub struct WorkspaceView {
    /// The ID.
    pub id: WorkspaceId,
    /// Display name.
    pub name: String,
    /// The plan.
    pub plan: Plan,
    /// Default time zone, an IANA name.
    pub time_zone: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
    /// For a sandbox: ID of its live workspace.
    pub live_workspace_id: Option<WorkspaceId>,
    /// `send`, or `hold` while outbound sending is paused.
    pub outbound: OutboundMode,
    /// Words that opt a contact out of a channel, in addition to the words of the installation.
    pub opt_out_words: Vec<String>,
    /// Whether the reply of a member assigns an unassigned conversation to the member.
    pub assign_on_reply: bool,
    /// Country of phone numbers without a country code, such as `DE` (ISO 3166-1 alpha-2). It also decides how flows read
    /// dates and numbers of contacts without a region.
    pub default_country: Option<String>,
    /// When the workspace was deleted; `null` if it is not deleted.
    pub deleted_at: Option<Timestamp>,
    /// For a deleted workspace: until when it can be restored. Its data is erased after this time.
    pub restore_until: Option<Timestamp>,
}

impl From<&Workspace> for WorkspaceView {
    fn from(it: &Workspace) -> Self {
        Self {
            id: it.id,
            name: it.name.clone(),
            plan: it.plan,
            time_zone: it.time_zone.to_string(),
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
            live_workspace_id: it.live_workspace,
            outbound: it.outbound,
            opt_out_words: it.opt_out_words.clone(),
            assign_on_reply: it.assign_on_reply,
            default_country: it.default_country.map(|it| it.code().to_owned()),
            deleted_at: it.deletion.map(|it| it.at),
            restore_until: it.deletion.map(|it| it.restore_until()),
        }
    }
}

/// The numbers of objects of a workspace, each counted up to [`Total::MOST`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkspaceCounts {
    /// Contacts, including deleted contacts.
    pub contacts: Total,
    /// Conversations.
    pub conversations: Total,
    /// Messages in both directions.
    pub messages: Total,
    /// Flows.
    pub flows: Total,
    /// Sequences.
    pub sequences: Total,
    /// Broadcasts.
    pub broadcasts: Total,
    /// Webhooks.
    pub webhooks: Total,
    /// API keys, including revoked keys.
    pub api_keys: Total,
    /// Members.
    pub members: Total,
}

/// The number of objects of one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ObjectCount {
    /// Exact up to 10 000, which also stands for more.
    pub count: u64,
    /// Whether there are more, or may be.
    pub is_capped: bool,
}

impl From<Total> for ObjectCount {
    fn from(it: Total) -> Self {
        Self { count: it.rows, is_capped: it.is_capped }
    }
}

/// Numbers of objects in a workspace, without its sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = WorkspaceCounts))]
#[allow(missing_docs, reason = "WorkspaceCounts describes each")]
#[non_exhaustive]
pub struct WorkspaceCountsView {
    pub contacts: ObjectCount,
    pub conversations: ObjectCount,
    pub messages: ObjectCount,
    pub flows: ObjectCount,
    pub sequences: ObjectCount,
    pub broadcasts: ObjectCount,
    pub webhooks: ObjectCount,
    pub api_keys: ObjectCount,
    pub members: ObjectCount,
}

impl From<&WorkspaceCounts> for WorkspaceCountsView {
    fn from(it: &WorkspaceCounts) -> Self {
        Self {
            contacts: it.contacts.into(),
            conversations: it.conversations.into(),
            messages: it.messages.into(),
            flows: it.flows.into(),
            sequences: it.sequences.into(),
            broadcasts: it.broadcasts.into(),
            webhooks: it.webhooks.into(),
            api_keys: it.api_keys.into(),
            members: it.members.into(),
        }
    }
}

/// What the deletion of a workspace does, or would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = WorkspaceDeletion))]
pub struct WorkspaceDeletionView {
    /// The workspace. With `dry_run`, it is not deleted.
    pub workspace: WorkspaceView,
    /// Whether nothing was changed.
    pub dry_run: bool,
    /// Until when the workspace can be restored. Its data is erased after this time.
    pub restore_until: Timestamp,
    /// Whether the workspace has a sandbox, which is deleted with it.
    pub has_sandbox: bool,
    /// What the workspace has.
    pub counts: WorkspaceCountsView,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sandbox_ids_are_recognizable_and_sort_by_time() {
        let uuid = Uuid::from_u128(0x01890a5d_ac96_774b_bcce_b302099a8057);
        let (live, sandbox) = (WorkspaceId::from_uuid(uuid), WorkspaceId::of_sandbox(uuid));
        assert!(sandbox.is_sandbox() && !live.is_sandbox());
        assert_eq!(sandbox.uuid(), Uuid::from_u128(0x01890a5d_ac96_874b_bcce_b302099a8057));
        let later = WorkspaceId::from_uuid(Uuid::from_u128(0x01890a5d_ac97_774b_bcce_b302099a8057));
        assert!(sandbox < later);
    }
}
