//! Queries of opt-outs that outlive their contacts.

use async_trait::async_trait;

use super::errors::StoreError;
use crate::access::Access;

/// The result of a look-up of digests.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Remembered {
    /// The revision of the stored opt-outs. It rises with each new one. 0 if the workspace has no key.
    pub revision: i64,
    /// The digests with an opt-out.
    pub digests: Vec<[u8; 32]>,
}

/// Opt-outs of deleted contacts.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait OptOutQueries: Send + Sync {
    /// Returns which of the digests have an opt-out, and the revision. Later opt-outs have a higher revision.
    async fn among(&self, access: &Access, digests: &[[u8; 32]]) -> Result<Remembered, StoreError>;
}
