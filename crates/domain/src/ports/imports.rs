//! Queries of imports, their tables and rejected rows.

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
    /// Returns an import.
    async fn get(&self, access: &Access, import: ImportId) -> Answer<Option<Import>>;
    /// Returns a page of imports.
    async fn list(&self, access: &Access, page: PageRequest) -> Answer<Page<Import>>;
    /// Returns these parts of an import's table. Each has [`crate::imports::BODY_PART`] bytes, except the last one.
    /// Missing parts are omitted.
    async fn table(&self, access: &Access, import: ImportId, parts: Range<i64>) -> Answer<Vec<u8>>;
    /// Returns rejected rows of an import after line `behind`, in order, at most `limit`.
    async fn rejected(&self, access: &Access, import: ImportId, behind: i64, limit: u32) -> Answer<Vec<RejectedRow>>;
    /// Returns rejected rows of all imports that contain this identifier, after this import and line, in the order of
    /// imports and lines, at most `limit`. Rows contain no contact IDs.
    async fn rejected_naming(
        &self,
        access: &Access,
        person: &ContactRef,
        behind: Option<(ImportId, i64)>,
        limit: u32,
    ) -> Answer<Vec<(ImportId, RejectedRow)>>;
}
