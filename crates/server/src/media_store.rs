//! A store of files that can be checked.

use async_trait::async_trait;
use tidings_domain::ports::{MediaFiles, StoreError};

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
