//! The data model of tags.

use serde::Serialize;

use crate::ids::TagId;
use crate::pagination::{SortBy, SortKey};
use crate::patch::Patch;
use crate::text::{fold, sort_key};
use crate::time::Timestamp;

/// A label on contacts. Its name is unique in the workspace (case-insensitive).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// The ID.
    pub id: TagId,
    /// 1 to 100 characters.
    pub name: String,
    /// `#rrggbb`.
    pub color: Option<String>,
    /// At most 500 characters.
    pub description: Option<String>,
    /// Number of contacts with the tag, without deleted ones.
    pub contact_count: i64,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl Tag {
    /// Creates a tag without contacts.
    pub fn new(id: TagId, name: &str, now: Timestamp) -> Self {
        Self {
            id,
            name: name.trim().to_owned(),
            color: None,
            description: None,
            contact_count: 0,
            created_at: now,
            updated_at: now,
            version: 1,
        }
    }

    /// The key that makes its name unique.
    pub fn name_key(&self) -> String {
        fold(&self.name)
    }

    /// The collation key of the name.
    pub fn name_sort_key(&self) -> Vec<u8> {
        sort_key(&self.name)
    }

    /// The sort orders of lists of tags.
    pub const SORTS: [SortBy; 2] = [SortBy::CreatedAt, SortBy::Name];

    /// The sort key for one of [`Tag::SORTS`].
    pub fn sort_key(&self, by: SortBy) -> SortKey {
        match by {
            SortBy::Name => SortKey::Collated(Some(self.name_sort_key())),
            SortBy::FoldedName => SortKey::Text(Some(self.name_key())),
            _ => SortKey::Time(Some(self.created_at)),
        }
    }
}

/// A tag to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTagCommand {
    /// 1 to 100 characters.
    pub name: String,
    /// `#rrggbb`.
    pub color: Option<String>,
    /// At most 500 characters.
    pub description: Option<String>,
}

impl NewTagCommand {
    /// Creates the command for a tag without a color and a description.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), color: None, description: None }
    }
}

/// A merging update of a tag.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TagPatch {
    /// 1 to 100 characters.
    pub name: Option<String>,
    /// `#rrggbb`.
    pub color: Patch<String>,
    /// At most 500 characters.
    pub description: Patch<String>,
}

/// A label on contacts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Tag))]
#[non_exhaustive]
pub struct TagView {
    /// The ID.
    pub id: TagId,
    /// Name, unique in the workspace (case-insensitive).
    pub name: String,
    /// `#rrggbb`.
    pub color: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// Number of contacts with the tag. Does not change the version.
    pub contact_count: i64,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl From<&Tag> for TagView {
    fn from(it: &Tag) -> Self {
        Self {
            id: it.id,
            name: it.name.clone(),
            color: it.color.clone(),
            description: it.description.clone(),
            contact_count: it.contact_count,
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}
