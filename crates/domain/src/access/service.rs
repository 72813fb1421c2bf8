//! Use cases of workspaces and keys.

use std::sync::Arc;

use secrecy::SecretString;
use serde::Serialize;

use super::{Access, ApiKey, KeyHolder, Membership, Plan, Role, Scope, User, Workspace};
use crate::audit::{AuditAction, AuditDraft};
use crate::channels::Channel;
use crate::error::Error;
use crate::ids::{ChannelId, KeyId, TypedId, UserId, WorkspaceId};
use crate::ports::{
    AccessChange, Change, ChangeSet, CommitError, Conflict, Counted, Guard, NewApiKey, Ports, Row, StoreError,
};
use crate::time::Timestamp;

/// The maximum number of unrevoked keys of a workspace.
pub const MAX_KEYS: i64 = 50;

/// A workspace to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWorkspace {
    /// The name, 1 to 100 characters.
    pub name: String,
    /// The plan.
    pub plan: Plan,
}

impl NewWorkspace {
    /// Creates the command for a workspace with this plan.
    pub fn new(name: impl Into<String>, plan: Plan) -> Self {
        Self { name: name.into(), plan }
    }
}

/// A key to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewKey {
    /// The name, 1 to 100 characters.
    pub name: String,
    /// The scope.
    pub scope: Scope,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
}

impl NewKey {
    /// Creates the command for a key that does not expire.
    pub fn new(name: impl Into<String>, scope: Scope) -> Self {
        Self { name: name.into(), scope, expires_at: None }
    }
}

/// A new key, with its text, which is shown only this time.
#[derive(Debug, Clone)]
pub struct CreatedKey {
    /// The key as stored.
    pub key: ApiKey,
    /// The key itself.
    pub text: SecretString,
}

impl CreatedKey {
    /// Creates a key of generated data. It continues `lineage`, or starts a new one.
    pub(crate) fn of(
        id: KeyId,
        workspace: WorkspaceId,
        lineage: Option<KeyId>,
        command: NewKey,
        made: NewApiKey,
        now: Timestamp,
    ) -> Self {
        let key = ApiKey {
            id,
            lineage: lineage.unwrap_or(id),
            workspace,
            name: command.name,
            scope: command.scope,
            digest: made.digest,
            prefix: made.prefix,
            last_four: made.last_four,
            created_at: now,
            expires_at: command.expires_at,
            revoked_at: None,
            last_used_at: None,
            last_used_address: None,
            updated_at: now,
            version: 1,
        };
        Self { key, text: made.text }
    }
}

/// The workspace of a credential.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WorkspaceRef {
    /// The ID.
    pub id: WorkspaceId,
    /// Display name.
    pub name: String,
}

/// The API key of the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MeKey {
    /// The ID.
    pub id: KeyId,
    /// Display name.
    pub name: String,
    /// The first characters of the key.
    pub prefix: String,
    /// The last four characters.
    pub last_four: String,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
}

/// The user of the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MeUser {
    /// The ID.
    pub id: UserId,
    /// The email address for signing in.
    pub email: String,
    /// Display name.
    pub name: String,
    /// The role of the user in the workspace.
    pub role: Role,
}

/// The access of a credential.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Me {
    /// The workspace.
    pub workspace: WorkspaceRef,
    /// Plan of the workspace.
    pub plan: Plan,
    /// Scope of the credential.
    pub scope: Scope,
    /// Whether the workspace has real data; false for a sandbox.
    pub live: bool,
    /// Number of requests that all keys of the workspace together can make in a rolling minute.
    pub requests_per_minute: u32,
    /// The API key of the request; `null` for an access token.
    pub api_key: Option<MeKey>,
    /// The user of the access token; `null` for an API key.
    pub user: Option<MeUser>,
}

impl Me {
    /// Describes the access of a key.
    pub fn of_key(it: &KeyHolder, requests_per_minute: u32) -> Self {
        let key = &it.key;
        Self {
            workspace: WorkspaceRef { id: key.workspace, name: it.workspace_name.clone() },
            plan: it.plan,
            scope: key.scope,
            live: key.is_live(),
            requests_per_minute,
            api_key: Some(MeKey {
                id: key.id,
                name: key.name.clone(),
                prefix: key.prefix.clone(),
                last_four: key.last_four.clone(),
                expires_at: key.expires_at,
            }),
            user: None,
        }
    }

    /// Describes the access of a user's access token in a workspace.
    pub fn of_person(user: &User, place: &Membership, requests_per_minute: u32) -> Self {
        let Membership { workspace, role } = place;
        Self {
            workspace: WorkspaceRef { id: workspace.id, name: workspace.name.clone() },
            plan: workspace.plan,
            scope: role.scope(),
            live: !workspace.id.is_sandbox(),
            requests_per_minute,
            api_key: None,
            user: Some(MeUser { id: user.id, email: user.email.to_string(), name: user.name.clone(), role: *role }),
        }
    }
}

/// Use cases of workspaces and keys.
#[derive(Clone)]
pub struct AccessService {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl AccessService {
    /// Returns the holder of a presented key, if it is valid now. A wrong checksum is rejected without a look-up.
    ///
    /// # Errors
    /// [`StoreError`]: the validity of the key is unknown.
    pub async fn authenticate(&self, presented: &str) -> Result<Option<KeyHolder>, StoreError> {
        let Some(digest) = self.ports.secrets.key_digest(presented) else { return Ok(None) };
        self.authenticate_digest(digest).await
    }

    /// Does the same as [`AccessService::authenticate`], by the digest of a key with a correct checksum.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn authenticate_digest(&self, digest: [u8; 32]) -> Result<Option<KeyHolder>, StoreError> {
        let holder = self.ports.access.key_by_digest(digest).await?;
        Ok(holder.filter(|holder| holder.key.is_usable(self.ports.clock.now())))
    }

    /// Creates a workspace with a sandbox channel as its default channel.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn create_workspace(&self, command: NewWorkspace) -> Result<Workspace, Error> {
        let now = self.ports.clock.now();
        let workspace = Workspace::new(WorkspaceId::from_uuid(self.ports.ids.next()), command.name, command.plan, now);
        let channel = Channel::sandbox(ChannelId::from_uuid(self.ports.ids.next()), true, now);
        let mut set = ChangeSet::new(workspace.id);
        set.change(Change::Insert(Row::Workspace(workspace.clone()))).change(Change::Insert(Row::Channel(channel)));
        let (draft, by) =
            (AuditDraft::created(AuditAction::WorkspaceCreated, &workspace), Access::system(workspace.id));
        self.ports.add_audit(draft, &by, &mut set);
        self.ports.ledger.commit(set).await?;
        Ok(workspace)
    }

    /// Returns the workspace with this ID, or the only one with this name.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Taken`] if several have the name, [`Error::Store`].
    pub async fn workspace(&self, id_or_name: &str) -> Result<Workspace, Error> {
        if let Ok(id) = id_or_name.parse() {
            return self.ports.access.workspace(id).await?.ok_or(Error::NotFound);
        }
        let mut found = self.ports.access.workspaces(Some(id_or_name.to_owned())).await?;
        match (found.pop(), found.pop()) {
            (Some(workspace), None) => Ok(workspace),
            (Some(_), Some(_)) => Err(Error::Taken { what: "workspace", field: "name", existing: None }),
            (None, _) => Err(Error::NotFound),
        }
    }

    /// Whether there is no workspace yet.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn is_empty(&self) -> Result<bool, Error> {
        Ok(self.ports.access.workspaces(None).await?.is_empty())
    }

    /// Creates a key for the workspace of `access`.
    ///
    /// # Errors
    /// [`Error::Full`], [`Error::Store`].
    pub async fn create_key(&self, access: &Access, command: NewKey) -> Result<CreatedKey, Error> {
        let (made, now) = (self.ports.secrets.api_key(!access.workspace().is_sandbox()), self.ports.clock.now());
        let id = KeyId::from_uuid(self.ports.ids.next());
        let created = CreatedKey::of(id, access.workspace(), None, command, made, now);
        let mut set = ChangeSet::new(access.workspace());
        set.guard(Guard::Room { what: Counted::Keys, adding: 1, most: MAX_KEYS });
        set.change(Change::Access(AccessChange::InsertKey(created.key.clone())));
        let draft = AuditDraft::created(AuditAction::KeyCreated, &created.key);
        self.ports.add_audit(draft, access, &mut set);
        self.ports.ledger.commit(set).await?;
        Ok(created)
    }

    /// Returns the keys of the workspace, revoked ones included.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn keys(&self, access: &Access) -> Result<Vec<ApiKey>, Error> {
        Ok(self.ports.access.keys(access).await?)
    }

    /// Revokes a key. All instances reject it within five seconds.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none or it is already revoked, [`Error::Store`].
    pub async fn revoke_key(&self, access: &Access, key: KeyId) -> Result<(), Error> {
        let mut set = ChangeSet::new(access.workspace());
        set.change(Change::Access(AccessChange::RevokeKey { key, at: self.ports.clock.now() }));
        self.ports.add_audit(AuditDraft::about(AuditAction::KeyRevoked, Some(key.to_string())), access, &mut set);
        self.ports.ledger.commit(set).await.map_err(|error| match error {
            CommitError::Conflict(Conflict::Stale(_)) => Error::NotFound,
            error => error.into(),
        })
    }
}
