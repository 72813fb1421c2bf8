use serde::Serialize;

use crate::audit::{AuditObject, Audited, AuditedKind, Facts};
use crate::conversations::{Attachment, AttachmentView};
use crate::ids::SavedReplyId;
use crate::text::fold;
use crate::time::Timestamp;

/// A named text. The name is unique in the workspace, ignoring case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedReply {
    /// The ID.
    pub id: SavedReplyId,
    /// Name; 1 to 100 characters.
    pub name: String,
    /// Text: a template like in messages of flows, 1 to 4 096 characters.
    pub text: String,
    /// Files that are attached with the text.
    pub attachments: Vec<Attachment>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl SavedReply {
    /// Returns the unique key of its name.
    pub fn name_key(&self) -> String {
        fold(&self.name)
    }
}

impl Audited for SavedReply {
    const KIND: AuditedKind = AuditedKind::SavedReply;

    fn audited(&self) -> AuditObject {
        AuditObject::of(Self::KIND, &self.id, Some(&self.name))
    }

    fn facts(&self) -> Facts {
        Facts::new().shown("name", &self.name).withheld("text", &self.text).withheld("attachments", &self.attachments)
    }
}

/// The input for a new saved reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSavedReply {
    /// Name; 1 to 100 characters.
    pub name: String,
    /// Text: a template.
    pub text: String,
    /// Files that are attached with the text.
    pub attachments: Vec<Attachment>,
}

impl NewSavedReply {
    /// Creates the command for a saved reply with this template and without files.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), attachments: Vec::new() }
    }
}

/// A partial update; absent fields do not change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SavedReplyPatch {
    /// Name; 1 to 100 characters.
    pub name: Option<String>,
    /// Text: a template.
    pub text: Option<String>,
    /// Files; replaced as a whole.
    pub attachments: Option<Vec<Attachment>>,
}

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
    /// Files that are attached with the text.
    pub attachments: Vec<AttachmentView>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl From<&SavedReply> for SavedReplyView {
    fn from(it: &SavedReply) -> Self {
        let SavedReply { id, name, text, attachments, created_at, updated_at, version } = it.clone();
        let attachments = attachments.into_iter().map(AttachmentView::from).collect();
        Self { id, name, text, attachments, created_at, updated_at, version }
    }
}
