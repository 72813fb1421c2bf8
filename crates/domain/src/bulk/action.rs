//! What is done to each contact.

use crate::access::Scope;
use crate::ids::TagId;
use crate::words::words;

words! {
    /// The action for each contact.
    BulkActionKind {
        /// Adds a tag.
        Tag = "tag",
        /// A tag is taken off.
        Untag = "untag",
        /// It is deleted.
        Delete = "delete",
    }
}

/// The action for each contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BulkAction {
    /// It gets this tag.
    Tag(TagId),
    /// This tag is taken off.
    Untag(TagId),
    /// It is deleted.
    Delete,
}

impl BulkAction {
    /// The action of a kind, with its tag; `None` where the tag is missing, or there is none to be named.
    pub fn from_parts(kind: BulkActionKind, tag: Option<TagId>) -> Option<Self> {
        match (kind, tag) {
            (BulkActionKind::Tag, Some(tag)) => Some(Self::Tag(tag)),
            (BulkActionKind::Untag, Some(tag)) => Some(Self::Untag(tag)),
            (BulkActionKind::Delete, None) => Some(Self::Delete),
            (BulkActionKind::Tag | BulkActionKind::Untag, None) | (BulkActionKind::Delete, Some(_)) => None,
        }
    }

    /// Of which kind it is.
    pub fn kind(self) -> BulkActionKind {
        match self {
            Self::Tag(_) => BulkActionKind::Tag,
            Self::Untag(_) => BulkActionKind::Untag,
            Self::Delete => BulkActionKind::Delete,
        }
    }

    /// The tag that it names.
    pub fn tag(self) -> Option<TagId> {
        match self {
            Self::Tag(tag) | Self::Untag(tag) => Some(tag),
            Self::Delete => None,
        }
    }

    /// What it needs, as for one contact: taking something away is a deletion.
    pub fn scope(self) -> Scope {
        match self {
            Self::Tag(_) => Scope::Write,
            Self::Untag(_) | Self::Delete => Scope::Full,
        }
    }
}
