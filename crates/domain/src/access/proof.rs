//! [`Access`]: the proof of actor, workspace and permissions.

use serde::Serialize;
use uuid::Uuid;

use super::{Role, Scope};
use crate::ids::{BroadcastId, ContactId, FlowId, KeyId, RunId, SequenceId, TypedId, UserId, WorkspaceId};

/// The type of an actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ActorKind {
    /// A client of the REST API.
    ApiKey,
    /// A user of the workspace.
    User,
    /// The contact.
    Contact,
    /// A run of a flow.
    Flow,
    /// An enrollment in a sequence.
    Sequence,
    /// The schedule of a flow.
    Schedule,
    /// A broadcast.
    Broadcast,
    /// The service itself.
    System,
}

impl ActorKind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::ApiKey,
        Self::User,
        Self::Contact,
        Self::Flow,
        Self::Sequence,
        Self::Schedule,
        Self::Broadcast,
        Self::System,
    ];

    /// Returns the word in the API and in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ApiKey => "api_key",
            Self::User => "user",
            Self::Contact => "contact",
            Self::Flow => "flow",
            Self::Sequence => "sequence",
            Self::Schedule => "schedule",
            Self::Broadcast => "broadcast",
            Self::System => "system",
        }
    }
}

/// The actor that caused something, as in envelopes and messages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Actor {
    /// The type of the actor.
    #[serde(rename = "type")]
    pub kind: ActorKind,
    /// ID of the actor; absent for the service itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub id: Option<String>,
}

impl Actor {
    /// Returns the service itself.
    pub fn system() -> Self {
        Self { kind: ActorKind::System, id: None }
    }

    /// Returns a run of this flow.
    pub fn flow(flow: FlowId, _run: RunId) -> Self {
        Self { kind: ActorKind::Flow, id: Some(flow.to_string()) }
    }

    /// Returns a user of the workspace.
    pub fn user(user: UserId) -> Self {
        Self { kind: ActorKind::User, id: Some(user.to_string()) }
    }

    /// Returns the contact who sent the message or made the request.
    pub fn contact(contact: ContactId) -> Self {
        Self { kind: ActorKind::Contact, id: Some(contact.to_string()) }
    }

    /// Returns an enrollment in this sequence.
    pub fn sequence(sequence: SequenceId) -> Self {
        Self { kind: ActorKind::Sequence, id: Some(sequence.to_string()) }
    }

    /// Returns the schedule of this flow.
    pub fn schedule(flow: FlowId) -> Self {
        Self { kind: ActorKind::Schedule, id: Some(flow.to_string()) }
    }

    /// Returns a broadcast.
    pub fn broadcast(broadcast: BroadcastId) -> Self {
        Self { kind: ActorKind::Broadcast, id: Some(broadcast.to_string()) }
    }

    /// Returns the actor with these stored words. An unknown type is the service itself.
    pub fn from_parts(kind: &str, id: Option<String>) -> Self {
        match ActorKind::ALL.into_iter().find(|known| known.as_str() == kind) {
            None | Some(ActorKind::System) => Self::system(),
            Some(kind) => Self { kind, id },
        }
    }

    /// Returns the user, if the actor is one.
    pub fn as_user(&self) -> Option<UserId> {
        match self.kind {
            ActorKind::User => self.id.as_deref().and_then(|id| id.parse().ok()),
            ActorKind::ApiKey
            | ActorKind::Contact
            | ActorKind::Flow
            | ActorKind::Sequence
            | ActorKind::Schedule
            | ActorKind::Broadcast
            | ActorKind::System => None,
        }
    }

    /// Returns the word of the type.
    pub fn kind_str(&self) -> &'static str {
        self.kind.as_str()
    }
}

/// Proof that an actor may act in one workspace. Each use case and query requires it, so a forgotten check cannot give
/// access to another workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    workspace: WorkspaceId,
    actor: Actor,
    scope: Scope,
    depth: i64,
    is_background: bool,
}

/// The maximum number of flow runs in a chain of causes.
pub const MAX_DEPTH: i64 = 16;
/// The depth of changes that no flow may react to. Chains of runs stay far below it.
pub(crate) const NO_AUTOMATION: i64 = 1_000_000;

impl Access {
    /// Returns the access of a verified API key, which is neither revoked nor expired.
    pub fn of_key(workspace: WorkspaceId, key: KeyId, scope: Scope) -> Self {
        Self {
            workspace,
            actor: Actor { kind: ActorKind::ApiKey, id: Some(key.to_string()) },
            scope,
            depth: 0,
            is_background: false,
        }
    }

    /// Returns the access of a member, or of a member of the sandbox's live workspace.
    pub fn of_user(workspace: WorkspaceId, user: UserId, role: Role) -> Self {
        Self { workspace, actor: Actor::user(user), scope: role.scope(), depth: 0, is_background: false }
    }

    /// Returns an access outside of all workspaces, which sees no workspace's data: for sign-in and a user's own
    /// account.
    pub fn outside(actor: Actor) -> Self {
        Self {
            workspace: WorkspaceId::from_uuid(Uuid::nil()),
            actor,
            scope: Scope::Read,
            depth: 0,
            is_background: false,
        }
    }

    /// Whether it is outside of all workspaces.
    pub fn is_outside(&self) -> bool {
        self.workspace.uuid().is_nil()
    }

    /// Returns the service's own access to one workspace, for jobs and CLI commands.
    pub fn system(workspace: WorkspaceId) -> Self {
        Self { workspace, actor: Actor::system(), scope: Scope::Full, depth: 0, is_background: true }
    }

    /// Returns the access with another actor, such as a run of a flow.
    pub fn acting_as(&self, actor: Actor) -> Self {
        Self { actor, ..self.clone() }
    }

    /// Returns the access with this number of flow runs in the chain of causes.
    pub fn at_depth(&self, depth: i64) -> Self {
        Self { depth, ..self.clone() }
    }

    /// Returns the access for changes that no flow may react to: its events only reach webhooks and the stream.
    pub fn without_automation(&self) -> Self {
        self.at_depth(NO_AUTOMATION)
    }

    /// Whether the work is done in the background: no request waits for it.
    pub fn is_background(&self) -> bool {
        self.is_background
    }

    /// Returns the number of flow runs in the chain of causes.
    pub fn depth(&self) -> i64 {
        self.depth
    }

    /// Returns the workspace.
    pub fn workspace(&self) -> WorkspaceId {
        self.workspace
    }

    /// Returns the actor.
    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    /// Returns the scope.
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// Whether the scope includes `required`.
    pub fn allows(&self, required: Scope) -> bool {
        self.scope >= required
    }

    /// Whether the actor is an owner or admin in person. They may see data that no key can read.
    pub fn administers(&self) -> bool {
        self.actor.kind == ActorKind::User && self.scope == Role::Admin.scope()
    }
}
