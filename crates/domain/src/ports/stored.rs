//! The port that reads simple objects.

use async_trait::async_trait;

use super::StoreError;
use crate::access::Access;
use crate::pagination::{Page, PageRequest};
use crate::stored::StoredObject;

/// Reads the objects of one kind.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait StoredQueries<T: StoredObject>: Send + Sync {
    /// Returns the object with this ID.
    async fn get(&self, access: &Access, id: T::Id) -> Result<Option<T>, StoreError>;
    /// Returns the object with this value of its unique key ([`StoredObject::unique_value`]).
    async fn by_unique(&self, access: &Access, value: &str) -> Result<Option<T>, StoreError>;
    /// Returns a page of the objects.
    async fn list(&self, access: &Access, page: PageRequest) -> Result<Page<T>, StoreError>;
}
