//! What is remembered of those who opted out.

use async_trait::async_trait;

use super::errors::StoreError;
use crate::access::Access;

/// What of some digests is remembered.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Remembered {
    /// As of which revision: it rises whenever somebody is remembered. 0 where the workspace has no key.
    pub revision: i64,
    /// Those that are.
    pub digests: Vec<[u8; 32]>,
}

/// Opt-outs of those who are gone.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait OptOutQueries: Send + Sync {
    /// Those of the digests that are remembered, and the revision: what is remembered later has a higher one.
    async fn among(&self, access: &Access, digests: &[[u8; 32]]) -> Result<Remembered, StoreError>;
}
