//! Files in API responses.

use serde::Serialize;

use super::{Media, media_path};
use crate::ids::MediaId;
use crate::time::Timestamp;

/// A stored file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Media))]
#[non_exhaustive]
pub struct MediaView {
    /// The ID, for `media_id` of an attachment.
    pub id: MediaId,
    /// Name, without a path and without control characters; at most 120 characters.
    pub name: String,
    /// Media type, recognized by the content. HTML, SVG and unknown content are `application/octet-stream`.
    pub mime_type: String,
    /// Size in bytes.
    pub size: i64,
    /// SHA-256 of the content, in hexadecimal.
    pub sha256: String,
    /// Path of the content, for requests with a key of the workspace.
    pub url: String,
    /// When it was created.
    pub created_at: Timestamp,
}

impl From<&Media> for MediaView {
    fn from(it: &Media) -> Self {
        Self {
            id: it.id,
            name: it.name.clone(),
            mime_type: it.media_type.as_str().to_owned(),
            size: it.size,
            sha256: it.sha256.clone(),
            url: media_path(it.id),
            created_at: it.created_at,
        }
    }
}
