//! Saved replies in API responses.

use serde::Serialize;

use super::SavedReply;
use crate::ids::SavedReplyId;
use crate::time::Timestamp;

/// A text template for agents.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SavedReply))]
#[non_exhaustive]
pub struct SavedReplyView {
    /// The ID.
    pub id: SavedReplyId,
    /// Name, unique in the workspace (case-insensitive).
    pub name: String,
    /// Text, a template that `POST /templates/render` renders for a contact.
    pub text: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl From<&SavedReply> for SavedReplyView {
    fn from(it: &SavedReply) -> Self {
        let SavedReply { id, name, text, created_at, updated_at, version } = it.clone();
        Self { id, name, text, created_at, updated_at, version }
    }
}
