//! Sealing of headers that earlier releases stored in plain text.

use std::sync::Arc;

use crate::ports::{SealedStore, Sealer, StoreError};

/// Number of webhooks per read and transaction.
const PORTION: u32 = 100;

/// Seals headers.
#[derive(Clone)]
#[allow(missing_docs, reason = "the ports that it needs")]
pub struct HeaderSealing {
    pub store: Arc<dyn SealedStore>,
    pub sealer: Arc<dyn Sealer>,
}

impl HeaderSealing {
    /// Seals the values of all plain headers, in portions, and returns the number of webhooks. It can be interrupted
    /// and repeated.
    ///
    /// # Errors
    /// [`StoreError`]; completed portions remain.
    pub async fn run(&self) -> Result<u64, StoreError> {
        let (mut after, mut written) = (None, 0);
        loop {
            let rows = self.store.plain_headers(after, PORTION).await?;
            let Some(last) = rows.last() else { return Ok(written) };
            after = Some((last.workspace, last.webhook));
            let sealed = rows.into_iter().map(|row| {
                let headers = row.headers.all_sealed(row.webhook, &*self.sealer);
                (row, headers)
            });
            written += self.store.replace_headers(sealed.collect()).await?;
        }
    }
}
