//! Imports, their tables, and what they rejected.

use std::ops::Range;

use async_trait::async_trait;

use super::errors::StoreError;
use crate::access::Access;
use crate::contacts::ContactRef;
use crate::ids::ImportId;
use crate::imports::{Import, RejectedRow};
use crate::pagination::{Page, PageRequest};

type Answer<T> = Result<T, StoreError>;

/// Imports.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait ImportQueries: Send + Sync {
    /// An import.
    async fn get(&self, access: &Access, import: ImportId) -> Answer<Option<Import>>;
    /// Imports, page by page.
    async fn list(&self, access: &Access, page: PageRequest) -> Answer<Page<Import>>;
    /// These parts of an import's table, of [`crate::imports::BODY_PART`] bytes each but the last one; those that are not there
    /// are left out.
    async fn table(&self, access: &Access, import: ImportId, parts: Range<i64>) -> Answer<Vec<u8>>;
    /// Rows that an import rejected, of lines behind this one, the first first, at most `limit`.
    async fn rejected(&self, access: &Access, import: ImportId, behind: i64, limit: u32) -> Answer<Vec<RejectedRow>>;
    /// Rows of all imports that were rejected and name somebody so, behind this import and line, in the order of imports and
    /// lines, at most `limit`. Rows name nobody by an id.
    async fn rejected_naming(
        &self,
        access: &Access,
        person: &ContactRef,
        behind: Option<(ImportId, i64)>,
        limit: u32,
    ) -> Answer<Vec<(ImportId, RejectedRow)>>;
}
