//! Files: the queries of their rows, and the store of their bytes.

use async_trait::async_trait;

use super::StoreError;
use crate::access::Access;
use crate::ids::{ContactId, MediaId, WorkspaceId};
use crate::media::Media;
use crate::time::Timestamp;

/// Reads files, without their bytes.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait MediaQueries: Send + Sync {
    /// Returns the file with this ID.
    async fn get(&self, access: &Access, media: MediaId) -> Result<Option<Media>, StoreError>;
    /// Returns the existing files among these, in any order.
    async fn by_ids(&self, access: &Access, media: &[MediaId]) -> Result<Vec<Media>, StoreError>;
    /// Returns the files that only messages with a contact use, the oldest first, at most `limit`. Files with references
    /// from other objects are skipped.
    async fn of_contact(&self, access: &Access, contact: ContactId, limit: u32) -> Result<Vec<MediaId>, StoreError>;
    /// Returns the total size of all files of the workspace, in bytes.
    async fn total_size(&self, access: &Access) -> Result<i64, StoreError>;
}

/// The place of a file's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FilePlace {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// The file.
    pub media: MediaId,
}

/// The bytes of a file that is completely stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenFile {
    /// Number of bytes.
    pub size: u64,
    /// SHA-256 of the bytes.
    pub sha256: [u8; 32],
}

/// Stores the bytes of files. It is shared by all processes with the same database.
///
/// A file is written before its row is inserted, and its row is deleted before the file. So each row has a file. A file
/// without a row is left over from a crash or a deletion, and [`MediaFiles::older_than`] finds it.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait MediaFiles: Send + Sync {
    /// Starts to write a file. It appears at its place when [`FileWriter::finish`] returns. A writer that is dropped
    /// leaves no file.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn create(&self, place: FilePlace) -> Result<Box<dyn FileWriter>, StoreError>;

    /// Returns at most `most` bytes of a file, from the byte with the index `from` on; empty at its end. `None` if
    /// there is no such file.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn read(&self, place: FilePlace, from: u64, most: usize) -> Result<Option<Vec<u8>>, StoreError>;

    /// Deletes a file. A missing file is no error.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn delete(&self, place: FilePlace) -> Result<(), StoreError>;

    /// Returns files that were written before `before`, in a fixed order, at most `limit`. They start with the first one,
    /// or with the one after `after`, which may be deleted.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn older_than(
        &self,
        before: Timestamp,
        after: Option<FilePlace>,
        limit: usize,
    ) -> Result<Vec<FilePlace>, StoreError>;
}

/// A file that is being written.
#[async_trait]
pub trait FileWriter: Send {
    /// Appends bytes.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError>;

    /// Makes the file durable, and puts it in its place.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]; then there is no file.
    async fn finish(self: Box<Self>) -> Result<WrittenFile, StoreError>;
}
