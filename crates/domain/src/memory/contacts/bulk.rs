//! Bulk operations.

use async_trait::async_trait;

use crate::access::Access;
use crate::bulk::{BulkOperation, BulkStatus};
use crate::ids::BulkOperationId;
use crate::memory::MemoryStore;
use crate::memory::tables::pages::{Answer, at, of, page};
use crate::pagination::{Page, PageRequest};
use crate::ports::BulkQueries;

#[async_trait]
impl BulkQueries for MemoryStore {
    async fn get(&self, access: &Access, operation: BulkOperationId) -> Answer<Option<BulkOperation>> {
        Ok(self.lock().bulk_operations.get(&(access.workspace(), operation)).cloned())
    }

    async fn list(
        &self,
        access: &Access,
        status: Option<BulkStatus>,
        request: PageRequest,
    ) -> Answer<Page<BulkOperation>> {
        let is_shown = |it: &BulkOperation| status.is_none_or(|status| it.status == status);
        let operations = of(&self.lock().bulk_operations, access.workspace(), is_shown);
        Ok(page(operations, request, |it: &BulkOperation| at(it.created_at, it.id)))
    }
}
