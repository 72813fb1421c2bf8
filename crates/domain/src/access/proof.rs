//! [`Access`]: the proof of who asks, for which workspace, with which permissions.

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
    /// A person of the workspace.
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

    /// The word in the API and in the store.
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
    /// The service itself.
    pub fn system() -> Self {
        Self { kind: ActorKind::System, id: None }
    }

    /// A run of this flow.
    pub fn flow(flow: FlowId, _run: RunId) -> Self {
        Self { kind: ActorKind::Flow, id: Some(flow.to_string()) }
    }

    /// A person of the workspace.
    pub fn user(user: UserId) -> Self {
        Self { kind: ActorKind::User, id: Some(user.to_string()) }
    }

    /// The contact whose message or wish it was.
    pub fn contact(contact: ContactId) -> Self {
        Self { kind: ActorKind::Contact, id: Some(contact.to_string()) }
    }

    /// An enrollment in this sequence.
    pub fn sequence(sequence: SequenceId) -> Self {
        Self { kind: ActorKind::Sequence, id: Some(sequence.to_string()) }
    }

    /// The schedule of this flow.
    pub fn schedule(flow: FlowId) -> Self {
        Self { kind: ActorKind::Schedule, id: Some(flow.to_string()) }
    }

    /// A broadcast.
    pub fn broadcast(broadcast: BroadcastId) -> Self {
        Self { kind: ActorKind::Broadcast, id: Some(broadcast.to_string()) }
    }

    /// The actor with these words from the store; an unknown kind is the service itself.
    pub fn from_parts(kind: &str, id: Option<String>) -> Self {
        match ActorKind::ALL.into_iter().find(|known| known.as_str() == kind) {
            None | Some(ActorKind::System) => Self::system(),
            Some(kind) => Self { kind, id },
        }
    }

    /// The person, if it is one.
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

    /// The word of the kind.
    pub fn kind_str(&self) -> &'static str {
        self.kind.as_str()
    }
}

/// Proof that someone may act in one workspace. Every use case and every query takes it, so code
/// that crosses workspaces cannot be written by forgetting a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    workspace: WorkspaceId,
    actor: Actor,
    scope: Scope,
    depth: i64,
    is_background: bool,
}

/// How many runs of flows may stand behind one another in a chain of causes.
pub const MAX_DEPTH: i64 = 16;

impl Access {
    /// The access of an API key that was found, not revoked and not expired.
    pub fn of_key(workspace: WorkspaceId, key: KeyId, scope: Scope) -> Self {
        Self {
            workspace,
            actor: Actor { kind: ActorKind::ApiKey, id: Some(key.to_string()) },
            scope,
            depth: 0,
            is_background: false,
        }
    }

    /// The access of a member, or of a member of the sandbox's live workspace.
    pub fn of_user(workspace: WorkspaceId, user: UserId, role: Role) -> Self {
        Self { workspace, actor: Actor::user(user), scope: role.scope(), depth: 0, is_background: false }
    }

    /// The access of someone who stands outside every workspace, and sees nothing of any: who signs
    /// in, or a person by themself.
    pub fn outside(actor: Actor) -> Self {
        Self {
            workspace: WorkspaceId::from_uuid(Uuid::nil()),
            actor,
            scope: Scope::Read,
            depth: 0,
            is_background: false,
        }
    }

    /// Whether it stands outside every workspace.
    pub fn is_outside(&self) -> bool {
        self.workspace.uuid().is_nil()
    }

    /// The service's own access to one workspace, for due work and for commands on the machine.
    pub fn system(workspace: WorkspaceId) -> Self {
        Self { workspace, actor: Actor::system(), scope: Scope::Full, depth: 0, is_background: true }
    }

    /// The same workspace, acting in the name of a flow's run.
    pub fn acting_as(&self, actor: Actor) -> Self {
        Self { actor, ..self.clone() }
    }

    /// The same access, with so many runs of flows behind it in the chain of causes.
    pub fn at_depth(&self, depth: i64) -> Self {
        Self { depth, ..self.clone() }
    }

    /// Whether no request waits for the work, whoever asked for it.
    pub fn is_background(&self) -> bool {
        self.is_background
    }

    /// How many runs of flows stand behind it in the chain of causes.
    pub fn depth(&self) -> i64 {
        self.depth
    }

    /// The workspace in which it acts.
    pub fn workspace(&self) -> WorkspaceId {
        self.workspace
    }

    /// Who acts.
    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    /// The scope.
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// Whether it may do what needs `required`.
    pub fn allows(&self, required: Scope) -> bool {
        self.scope >= required
    }

    /// Whether it is that of an owner or admin by themself, who may see what no key opens.
    pub fn administers(&self) -> bool {
        self.actor.kind == ActorKind::User && self.scope == Role::Admin.scope()
    }
}
