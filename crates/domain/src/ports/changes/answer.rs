//! Idempotency records: responses that are stored under idempotency keys.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::ids::{ContactId, WorkspaceId};
use crate::time::Timestamp;

/// The body of an idempotency record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredBody {
    /// The sent body.
    Plain(Vec<u8>),
    /// The sent body, compressed with gzip. The comment in the gzip header lists the IDs of the contacts in the body,
    /// so an erasure finds the record.
    Gzip(Vec<u8>),
    /// The sealed body, because it contains a secret.
    Sealed(Vec<u8>),
    /// A reference to the object, because the body is too large. The object is rendered again.
    Object(ShownObject),
}

/// The object that a response shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownObject {
    /// The path of its GET request.
    pub path: String,
    /// Its ID.
    pub id: String,
    /// Its version when it was shown.
    pub version: Option<i64>,
}

impl StoredBody {
    /// Returns the bytes to store.
    pub fn to_stored_bytes(&self) -> Cow<'_, [u8]> {
        match self {
            Self::Plain(body) | Self::Gzip(body) | Self::Sealed(body) => Cow::Borrowed(body),
            Self::Object(object) => Cow::Owned(serde_json::to_vec(object).unwrap_or_default()),
        }
    }

    /// Whether the body contains a contact's ID. A sealed body never does.
    pub fn names(&self, contact: ContactId) -> bool {
        let name = contact.to_string();
        match self {
            Self::Plain(body) | Self::Gzip(body) => body.windows(name.len()).any(|part| part == name.as_bytes()),
            Self::Object(object) => object.id == name || object.path.contains(&name),
            Self::Sealed(_) => false,
        }
    }
}

/// A response stored under an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyRecord {
    /// The HTTP method.
    pub method: String,
    /// The route's template.
    pub route: String,
    /// The name of the record, see [`RecordKey::as_str`](super::RecordKey::as_str).
    pub key: String,
    /// SHA-256 of path, query and body.
    pub fingerprint: [u8; 32],
    /// The response status.
    pub status: u16,
    /// The response's `Location`.
    pub location: Option<String>,
    /// The response's `ETag`.
    pub etag: Option<String>,
    /// The response body.
    pub body: StoredBody,
    /// The time of creation. The record is stored for 24 hours.
    pub created_at: Timestamp,
}

impl IdempotencyRecord {
    /// Returns the context of a sealed body: its workspace, route, and the actor and key in the record's name.
    pub fn seal_context(workspace: WorkspaceId, route: &str, record_key: &str) -> String {
        format!("idempotency:{workspace}:{route}:{record_key}")
    }
}
