//! Idempotency records: answers that are stored under idempotency keys.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::RecordKey;
use crate::ids::{ContactId, WorkspaceId};
use crate::time::Timestamp;

/// The body of an idempotency record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredBody {
    /// As it was sent.
    Plain(Vec<u8>),
    /// As it was sent, in gzip. The comment of the gzip header has the IDs of the contacts in the body, so that an erasure finds
    /// the record.
    Gzip(Vec<u8>),
    /// Sealed, because it holds a secret.
    Sealed(Vec<u8>),
    /// Too large to be stored: the object is rendered again.
    Object(ShownObject),
}

/// The object that a response shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShownObject {
    /// The path of its GET.
    pub path: String,
    /// Its ID.
    pub id: String,
    /// Its version when it was shown.
    pub version: Option<i64>,
}

impl StoredBody {
    /// The bytes that a store writes.
    pub fn written(&self) -> Cow<'_, [u8]> {
        match self {
            Self::Plain(body) | Self::Gzip(body) | Self::Sealed(body) => Cow::Borrowed(body),
            Self::Object(object) => Cow::Owned(serde_json::to_vec(object).unwrap_or_default()),
        }
    }

    /// Whether the body names a contact. A sealed one is never of a contact.
    pub fn names(&self, contact: ContactId) -> bool {
        let name = contact.to_string();
        match self {
            Self::Plain(body) | Self::Gzip(body) => body.windows(name.len()).any(|part| part == name.as_bytes()),
            Self::Object(object) => object.id == name || object.path.contains(&name),
            Self::Sealed(_) => false,
        }
    }
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
            StoredBody::Plain(_) | StoredBody::Gzip(_) | StoredBody::Object(_) => true,
            StoredBody::Sealed(_) => false,
        }
    }
}
