//! Idempotency records: answers that are stored under idempotency keys.

use super::RecordKey;
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
    /// The name of the record: see [`RecordKey::as_str`].
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
    /// The words to which a sealed body is bound: its workspace, its route, and the actor and key in the record's name.
    pub fn seal_context(workspace: WorkspaceId, route: &str, record_key: &str) -> String {
        format!("idempotency:{workspace}:{route}:{}", RecordKey::bound_part(record_key))
    }

    /// Whether a request may get this answer if the record was found by its earlier name, which has no actor: an answer with
    /// a secret is for its maker only.
    pub fn is_for_any_actor(&self) -> bool {
        match self.body {
            StoredBody::Plain(_) => true,
            StoredBody::Sealed(_) => false,
        }
    }
}
