//! Queries of bulk operations.

use async_trait::async_trait;

use super::errors::StoreError;
use crate::access::Access;
use crate::bulk::{BulkOperation, BulkStatus};
use crate::ids::BulkOperationId;
use crate::pagination::{Page, PageRequest};

type Answer<T> = Result<T, StoreError>;

/// Bulk operations.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait BulkQueries: Send + Sync {
    /// Returns an operation.
    async fn get(&self, access: &Access, operation: BulkOperationId) -> Answer<Option<BulkOperation>>;
    /// Returns a page of the operations, optionally with one status.
    async fn list(&self, access: &Access, status: Option<BulkStatus>, page: PageRequest)
    -> Answer<Page<BulkOperation>>;
}
