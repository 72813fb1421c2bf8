//! Deletes the bytes of files that have no row. [`EngineStore::expire_media`](crate::ports::EngineStore::expire_media)
//! deletes the rows of files that nothing uses.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::ports::{FilePlace, Ports, StoreError};

/// A file of this age must have a row. The upload of a younger file may not have ended.
const SETTLED: Duration = Duration::from_secs(24 * 3_600);
/// Maximum number of files that one query compares.
const PORTION: usize = 500;

/// Deletes files without a row: the remains of crashes, of deleted rows, and of erased contacts and workspaces.
#[derive(Clone)]
pub struct FileSweeper {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl FileSweeper {
    /// Compares all files with their rows once. Returns the number of deleted files.
    ///
    /// # Errors
    /// [`StoreError`]; the remaining files are deleted the next time.
    pub async fn sweep(&self) -> Result<u64, StoreError> {
        let before = self.ports.clock.now().minus(SETTLED);
        let (mut after, mut deleted) = (None, 0);
        loop {
            let files = self.ports.media_files.older_than(before, after, PORTION).await?;
            let Some(last) = files.last().copied() else { return Ok(deleted) };
            for place in self.without_row(files).await? {
                self.ports.media_files.delete(place).await?;
                deleted += 1;
            }
            after = Some(last);
        }
    }

    async fn without_row(&self, files: Vec<FilePlace>) -> Result<Vec<FilePlace>, StoreError> {
        let rows: BTreeSet<FilePlace> = self.ports.engine.existing_media(files.clone()).await?.into_iter().collect();
        Ok(files.into_iter().filter(|place| !rows.contains(place)).collect())
    }
}
