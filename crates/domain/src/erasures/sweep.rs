//! Erases contacts that were deleted long ago.

use std::sync::Arc;

use super::ErasureService;
use crate::access::Access;
use crate::error::Error;
use crate::ports::{DeletedContact, Ports, StoreError, SweepPlace};
use crate::time::Timestamp;

/// Erases deleted contacts at the end of their retention.
#[derive(Clone)]
pub struct DeletedContactSweeper {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl DeletedContactSweeper {
    /// Starts the erasure of at most `limit` contacts after `from` that were deleted before `before`. Returns the `from`
    /// of the next call, or `None` if none is left.
    ///
    /// # Errors
    /// [`StoreError`]; the next call from the same place continues.
    pub async fn sweep(
        &self,
        from: SweepPlace,
        before: Timestamp,
        limit: u32,
    ) -> Result<Option<SweepPlace>, StoreError> {
        let found = self.ports.engine.deleted_contacts(from, before, limit).await?;
        for deleted in &found {
            // If a rule prevents the erasure of one contact, the others continue.
            if let Err(Error::Store(error)) = self.erase(*deleted, before).await {
                return Err(error);
            }
        }
        let is_full = found.len() >= limit as usize;
        Ok(found.last().filter(|_| is_full).map(|last| last.place()))
    }

    async fn erase(&self, deleted: DeletedContact, before: Timestamp) -> Result<(), Error> {
        let access = Access::system(deleted.workspace);
        if self.ports.merges.get(&access, deleted.contact).await?.is_some() {
            return Ok(());
        }
        ErasureService { ports: self.ports.clone() }.erase_deleted(&access, deleted.contact, before).await
    }
}
