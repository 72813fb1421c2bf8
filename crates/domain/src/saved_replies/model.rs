//! What a saved reply is.

use crate::audit::{Audited, AuditedKind, Facts};
use crate::ids::SavedReplyId;
use crate::text::fold;
use crate::time::Timestamp;

/// A text with a name; the name is unique in the workspace without regard to case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedReply {
    /// The ID.
    pub id: SavedReplyId,
    /// 1 to 100 characters.
    pub name: String,
    /// A template, as messages of flows have it: 1 to 4 096 characters.
    pub text: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl SavedReply {
    /// The key by which its name is unique.
    pub fn name_key(&self) -> String {
        fold(&self.name)
    }
}

impl Audited for SavedReply {
    const KIND: AuditedKind = AuditedKind::SavedReply;

    fn audited_id(&self) -> String {
        self.id.to_string()
    }

    fn audited_name(&self) -> Option<String> {
        Some(self.name.clone())
    }

    fn facts(&self) -> Facts {
        Facts::new().shown("name", &self.name).withheld("text", &self.text)
    }
}

/// A saved reply to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSavedReply {
    /// 1 to 100 characters.
    pub name: String,
    /// A template.
    pub text: String,
}

/// A merging update; what is absent stays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SavedReplyPatch {
    /// 1 to 100 characters.
    pub name: Option<String>,
    /// A template.
    pub text: Option<String>,
}
