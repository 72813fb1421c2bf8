//! The parts that all stores of files share: their checks, and the paths of files.

use async_trait::async_trait;
use tidings_domain::ports::{FilePlace, MediaFiles, StoreError};

/// The port of files, with checks for operators.
#[async_trait]
pub(crate) trait MediaStore: MediaFiles {
    /// Returns the name of the store for operators, with the setting that selects it.
    fn name(&self) -> String;

    /// Checks that the store responds. It is called repeatedly, so it must be cheap.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] with the name of the store.
    async fn reach(&self) -> Result<(), StoreError>;

    /// Writes, reads and deletes a small file.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] with the name of the store.
    async fn probe(&self) -> Result<(), StoreError>;
}

/// Returns the path of a file in its store: `WORKSPACE/xx/MEDIA`, where `xx` are the last two characters of the ID, which
/// are random. It is the same in all stores: files can be copied from one to another.
pub(crate) fn path_of(place: FilePlace) -> String {
    let name = place.media.to_string();
    let shard = name.get(name.len().saturating_sub(2)..).unwrap_or_default();
    format!("{}/{shard}/{name}", place.workspace)
}
