//! A file that a client is sending.

use super::{Media, MediaType, MediaUse, SNIFFED, safe_file_name};
use crate::error::Error;
use crate::ports::{FilePlace, FileWriter, Ports, StoreError, WrittenFile};
use crate::time::Timestamp;

/// Stores the bytes of a file that was received as a whole, and may be empty. Returns its row, which is not stored yet.
/// `name` need not be safe.
///
/// # Errors
/// [`Error::Store`].
pub(crate) async fn store_bytes(ports: &Ports, place: FilePlace, name: &str, bytes: &[u8]) -> Result<Media, Error> {
    let mut upload = Upload::new(place, ports.media_files.create(place).await?, u64::MAX);
    upload.write(bytes).await?;
    let file = upload.finish_even_empty().await?;
    Ok(file.media(safe_file_name(name), ports.clock.now()))
}

/// A file that is being received. If it is dropped, nothing of it stays.
pub struct Upload {
    pub(super) place: FilePlace,
    pub(super) writer: Box<dyn FileWriter>,
    /// The first bytes, for the type.
    pub(super) head: Vec<u8>,
    pub(super) received: u64,
    /// Maximum number of bytes.
    pub(super) most: u64,
}

impl Upload {
    pub(crate) fn new(place: FilePlace, writer: Box<dyn FileWriter>, most: u64) -> Self {
        Self { place, writer, head: Vec::new(), received: 0, most }
    }

    /// Adds received bytes.
    ///
    /// # Errors
    /// [`Error::MediaTooLarge`], [`Error::Store`].
    pub async fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.received = self.received.saturating_add(length);
        if self.received > self.most {
            return Err(Error::MediaTooLarge { most: self.most });
        }
        let missing = SNIFFED.saturating_sub(self.head.len());
        self.head.extend(bytes.iter().take(missing));
        Ok(self.writer.write(bytes).await?)
    }

    /// Ends the file after its last byte.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it is empty, [`Error::Store`].
    pub async fn finish(self) -> Result<ReceivedFile, Error> {
        if self.received == 0 {
            return Err(Error::invalid("", "empty", "the file is empty"));
        }
        Ok(self.finish_even_empty().await?)
    }

    /// As [`Upload::finish`], for a file that may be empty.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) async fn finish_even_empty(self) -> Result<ReceivedFile, StoreError> {
        let written = self.writer.finish().await?;
        Ok(ReceivedFile { place: self.place, head: self.head, written })
    }
}

/// A file that was received completely. Its row is not stored yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedFile {
    pub(super) place: FilePlace,
    head: Vec<u8>,
    pub(super) written: WrittenFile,
}

impl ReceivedFile {
    /// Returns the SHA-256 of the content.
    pub fn sha256(&self) -> [u8; 32] {
        self.written.sha256
    }

    /// Returns the size in bytes.
    pub fn size(&self) -> i64 {
        i64::try_from(self.written.size).unwrap_or(i64::MAX)
    }

    /// Returns the file with this safe name, which no message uses yet.
    pub(crate) fn media(&self, name: String, now: Timestamp) -> Media {
        Media {
            id: self.place.media,
            media_type: MediaType::sniff(&self.head, &name),
            name,
            size: self.size(),
            sha256: self.written.sha256.iter().map(|byte| format!("{byte:02x}")).collect(),
            used_by: MediaUse::Unused,
            created_at: now,
            updated_at: now,
            version: 1,
        }
    }
}
