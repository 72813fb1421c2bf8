//! Idempotency records: answers that are stored under idempotency keys.

use crate::ids::WorkspaceId;
use crate::time::Timestamp;

/// The body of an idempotency record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredBody {
    /// As it was sent.
    Plain(Vec<u8>),
    /// Sealed, because it holds a secret.
    Sealed(Vec<u8>),
}

/// An answer kept under an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyRecord {
    /// The HTTP method.
    pub method: String,
    /// The route's template.
    pub route: String,
    /// The caller's key.
    pub key: String,
    /// SHA-256 of path, query and body.
    pub fingerprint: [u8; 32],
    /// The status that was answered.
    pub status: u16,
    /// The `Location` that was answered.
    pub location: Option<String>,
    /// The `ETag` that was answered.
    pub etag: Option<String>,
    /// The body that was answered.
    pub body: StoredBody,
    /// When it was made; it is kept for 24 hours.
    pub created_at: Timestamp,
}

impl IdempotencyRecord {
    /// To what a sealed body is bound: workspace, route and the caller's key. Outside of all workspaces the name under
    /// which it is kept has the person and a space before the key, which holds none.
    pub fn seal_context(workspace: WorkspaceId, route: &str, record_key: &str) -> String {
        let key = record_key.split_once(' ').map_or(record_key, |(_, key)| key);
        format!("idempotency:{workspace}:{route}:{key}")
    }
}
