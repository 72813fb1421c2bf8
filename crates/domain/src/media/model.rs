use super::MediaType;
use crate::audit::{AuditObject, Audited, AuditedKind, Facts};
use crate::ids::{ContactId, MediaId};
use crate::time::Timestamp;

/// A stored file. Its bytes are in the file store and never change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Media {
    /// The ID.
    pub id: MediaId,
    /// A [safe name](super::safe_file_name).
    pub name: String,
    /// The type, by the content.
    pub media_type: MediaType,
    /// Size in bytes.
    pub size: i64,
    /// SHA-256 of the content, in hexadecimal.
    pub sha256: String,
    /// The messages that use it.
    pub used_by: MediaUse,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented when its use changes.
    pub version: i64,
}

/// The messages that use a file. They decide when it is deleted, unless an object refers to it: a flow, a sequence, a
/// broadcast or a saved reply. Such a file stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaUse {
    /// None. The file is deleted [`UNUSED_HOURS`](super::UNUSED_HOURS) after it was created.
    Unused,
    /// Only messages with this contact. The file is deleted when the contact is erased.
    Contact(ContactId),
    /// Messages with several contacts. The file belongs to the workspace.
    Shared,
}

impl MediaUse {
    /// Whether a message uses the file.
    pub fn is_used(self) -> bool {
        match self {
            Self::Unused => false,
            Self::Contact(_) | Self::Shared => true,
        }
    }

    /// Returns the use after another message, with this contact.
    #[must_use]
    pub fn with(self, contact: ContactId) -> Self {
        match self {
            Self::Unused => Self::Contact(contact),
            Self::Contact(first) if first == contact => self,
            Self::Contact(_) | Self::Shared => Self::Shared,
        }
    }
}

impl Audited for Media {
    const KIND: AuditedKind = AuditedKind::Media;

    fn audited(&self) -> AuditObject {
        AuditObject::of(Self::KIND, &self.id, None)
    }

    fn facts(&self) -> Facts {
        Facts::new()
            .withheld("name", &self.name)
            .shown("mime_type", &self.media_type.as_str())
            .shown("size", &self.size)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::ids::TypedId;

    #[test]
    fn a_second_contact_makes_a_file_shared() {
        let [ada, bob] = [1, 2].map(|number| ContactId::from_uuid(Uuid::from_u128(number)));
        assert_eq!(MediaUse::Unused.with(ada), MediaUse::Contact(ada));
        assert_eq!(MediaUse::Contact(ada).with(ada), MediaUse::Contact(ada));
        assert_eq!(MediaUse::Contact(ada).with(bob), MediaUse::Shared);
        assert_eq!(MediaUse::Shared.with(ada), MediaUse::Shared);
        assert!(!MediaUse::Unused.is_used() && MediaUse::Contact(ada).is_used() && MediaUse::Shared.is_used());
    }
}
