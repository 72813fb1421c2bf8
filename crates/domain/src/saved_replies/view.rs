//! Saved replies as the API shows them.

use serde::Serialize;

use super::SavedReply;
use crate::ids::SavedReplyId;
use crate::time::Timestamp;

/// A text that people who answer put into their messages.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = SavedReply))]
pub struct SavedReplyView {
    /// The id.
    pub id: SavedReplyId,
    /// By which people find it; unique in the workspace without regard to case.
    pub name: String,
    /// A template, rendered for a contact by `POST /templates/render`.
    pub text: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
    pub version: i64,
}

impl From<&SavedReply> for SavedReplyView {
    fn from(it: &SavedReply) -> Self {
        let SavedReply { id, name, text, created_at, updated_at, version } = it.clone();
        Self { id, name, text, created_at, updated_at, version }
    }
}
