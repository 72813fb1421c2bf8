//! The bytes of files, in a folder.
//!
//! A file is written beside its place, with the extension `part`, and renamed when it is durable. The operations run on
//! threads for blocking work.

mod probe;
mod walk;
mod writer;

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use tidings_domain::ports::{FilePlace, FileWriter, MediaFiles, StoreError};
use tidings_domain::time::Timestamp;
use tokio::task::spawn_blocking;

use crate::media_store::{MediaStore, path_of};
use writer::FolderWriter;

/// The extension of a file that is not completely written.
const PART: &str = "part";

/// Stores files in a folder. Several processes may share it.
pub(crate) struct MediaFolder {
    root: PathBuf,
}

impl MediaFolder {
    /// Uses this folder, which is created with the first file.
    pub(crate) fn new(root: PathBuf) -> Self {
        Self { root }
    }

    fn path(&self, place: FilePlace) -> PathBuf {
        self.root.join(path_of(place))
    }

    /// Runs blocking work on its own thread.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> io::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        run(&self.root, work).await
    }
}

#[async_trait]
impl MediaStore for MediaFolder {
    fn name(&self) -> String {
        name(&self.root)
    }

    async fn reach(&self) -> Result<(), StoreError> {
        self.probe().await
    }

    async fn probe(&self) -> Result<(), StoreError> {
        let root = self.root.clone();
        self.run(move || probe::probe(&root)).await
    }
}

#[async_trait]
impl MediaFiles for MediaFolder {
    async fn create(&self, place: FilePlace) -> Result<Box<dyn FileWriter>, StoreError> {
        let (root, target) = (self.root.clone(), self.path(place));
        let writer = self.run(move || FolderWriter::create(&root, target)).await?;
        Ok(Box::new(writer))
    }

    async fn read(&self, place: FilePlace, from: u64, most: usize) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.path(place);
        self.run(move || existing(read(&path, from, most))).await
    }

    async fn delete(&self, place: FilePlace) -> Result<(), StoreError> {
        let path = self.path(place);
        self.run(move || {
            existing(fs::remove_file(path.with_extension(PART)))?;
            existing(fs::remove_file(path)).map(|_| ())
        })
        .await
    }

    async fn older_than(
        &self,
        before: Timestamp,
        after: Option<FilePlace>,
        limit: usize,
    ) -> Result<Vec<FilePlace>, StoreError> {
        let (root, after) = (self.root.clone(), after.map(|place| self.path(place)));
        self.run(move || walk::older_than(&root, before, after.as_deref(), limit)).await
    }
}

fn read(path: &Path, from: u64, most: usize) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(u64::try_from(most).unwrap_or(u64::MAX)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns `None` for a missing file.
fn existing<T>(outcome: io::Result<T>) -> io::Result<Option<T>> {
    match outcome {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the name of a folder in errors.
fn name(root: &Path) -> String {
    format!("the folder of files {} (media.folder)", root.display())
}

/// Returns the error of an operation in the folder.
fn unavailable(root: &Path, why: &str) -> StoreError {
    StoreError::Unavailable(format!("{}: {why}", name(root)))
}

/// Runs blocking work on its own thread.
async fn run<T: Send + 'static>(
    root: &Path,
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, StoreError> {
    match spawn_blocking(work).await {
        Ok(outcome) => outcome.map_err(|error| unavailable(root, &error.to_string())),
        Err(error) => Err(unavailable(root, &error.to_string())),
    }
}

#[cfg(test)]
mod tests;
