//! Files in memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use crate::ports::{Clock, FilePlace, FileWriter, MediaFiles, StoreError, WrittenFile};
use crate::time::Timestamp;

/// The bytes of a file, with the time when they were written.
type WrittenBytes = (Timestamp, Vec<u8>);

/// Stores the bytes of files in memory. Its digests are not cryptographic.
pub struct MemoryFiles {
    clock: Arc<dyn Clock>,
    files: Arc<Mutex<BTreeMap<FilePlace, WrittenBytes>>>,
}

impl MemoryFiles {
    /// Creates an empty store.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, files: Arc::default() }
    }

    /// Returns the places of all files.
    pub fn places(&self) -> Vec<FilePlace> {
        self.lock().keys().copied().collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<FilePlace, WrittenBytes>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl MediaFiles for MemoryFiles {
    async fn create(&self, place: FilePlace) -> Result<Box<dyn FileWriter>, StoreError> {
        let (at, files) = (self.clock.now(), Arc::clone(&self.files));
        Ok(Box::new(MemoryWriter { place, at, bytes: Vec::new(), files }))
    }

    async fn read(&self, place: FilePlace, from: u64, most: usize) -> Result<Option<Vec<u8>>, StoreError> {
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        let read = |(_, bytes): &WrittenBytes| bytes.iter().skip(from).take(most).copied().collect();
        Ok(self.lock().get(&place).map(read))
    }

    async fn delete(&self, place: FilePlace) -> Result<(), StoreError> {
        self.lock().remove(&place);
        Ok(())
    }

    async fn older_than(
        &self,
        before: Timestamp,
        after: Option<FilePlace>,
        limit: usize,
    ) -> Result<Vec<FilePlace>, StoreError> {
        let files = self.lock();
        let old = files.iter().filter(|(place, (at, _))| *at < before && after.is_none_or(|after| **place > after));
        Ok(old.map(|(place, _)| *place).take(limit).collect())
    }
}

struct MemoryWriter {
    place: FilePlace,
    at: Timestamp,
    bytes: Vec<u8>,
    files: Arc<Mutex<BTreeMap<FilePlace, WrittenBytes>>>,
}

#[async_trait]
impl FileWriter for MemoryWriter {
    async fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    async fn finish(self: Box<Self>) -> Result<WrittenFile, StoreError> {
        let Self { place, at, bytes, files } = *self;
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let written = WrittenFile { size, sha256: checksum(&bytes) };
        files.lock().unwrap_or_else(PoisonError::into_inner).insert(place, (at, bytes));
        Ok(written)
    }
}

/// Returns a checksum of 32 bytes.
fn checksum(bytes: &[u8]) -> [u8; 32] {
    let mut sum = [0_u8; 32];
    for chunk in bytes.chunks(32) {
        for (all, byte) in sum.iter_mut().zip(chunk) {
            *all = all.wrapping_mul(31).wrapping_add(*byte);
        }
    }
    sum
}
