//! API keys. Only their digests are stored.

use serde::Serialize;

use super::{Plan, Scope};
use crate::ids::{KeyId, WorkspaceId};
use crate::time::Timestamp;

/// The stored form of an API key: everything except the key itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// The ID.
    pub id: KeyId,
    /// The first key of the rotations that led to this one; its own ID if it replaced none. Idempotency records belong to it.
    pub lineage: KeyId,
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The display name, 1 to 100 characters.
    pub name: String,
    /// The scope.
    pub scope: Scope,
    /// SHA-256 of the whole key.
    pub digest: [u8; 32],
    /// The first characters of the key, which show its kind.
    pub prefix: String,
    /// The key's last four characters.
    pub last_four: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// When it last authenticated a request, up to a second late. No decision uses it.
    pub last_used_at: Option<Timestamp>,
    /// The client's network address of that request.
    pub last_used_address: Option<String>,
    /// When its expiry last changed, or when it was revoked. Use of the key is not a change.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

/// A key with the data that authenticates a request without another look-up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyHolder {
    /// The key.
    pub key: ApiKey,
    /// The workspace's name.
    pub workspace_name: String,
    /// The workspace's plan.
    pub plan: Plan,
}

impl ApiKey {
    /// Whether its workspace has real data; false for a sandbox.
    pub fn is_live(&self) -> bool {
        !self.workspace.is_sandbox()
    }

    /// Whether the key is valid at `now`.
    pub fn is_usable(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|expiry| now < expiry)
    }

    /// Records a change, as stores do in its row.
    pub(crate) fn touch(&mut self, now: Timestamp) {
        self.updated_at = now;
        self.version += 1;
    }
}

/// An API key in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ApiKey))]
#[non_exhaustive]
pub struct ApiKeyView {
    /// The ID.
    pub id: KeyId,
    /// ID of the workspace.
    pub workspace_id: WorkspaceId,
    /// Display name.
    pub name: String,
    /// The scope.
    pub scope: Scope,
    /// The first characters of the key.
    pub prefix: String,
    /// The last four characters.
    pub last_four: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// When the key last authenticated a request.
    pub last_used_at: Option<Timestamp>,
    /// Network address of that request.
    pub last_used_address: Option<String>,
    /// When the expiry last changed. Use of the key is not a change.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl From<&ApiKey> for ApiKeyView {
    fn from(it: &ApiKey) -> Self {
        Self {
            id: it.id,
            workspace_id: it.workspace,
            name: it.name.clone(),
            scope: it.scope,
            prefix: it.prefix.clone(),
            last_four: it.last_four.clone(),
            created_at: it.created_at,
            expires_at: it.expires_at,
            revoked_at: it.revoked_at,
            last_used_at: it.last_used_at,
            last_used_address: it.last_used_address.clone(),
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}
