//! How the erasing of people stands.

use async_trait::async_trait;

use super::errors::StoreError;
use crate::access::Access;
use crate::erasures::Erasure;
use crate::ids::ContactId;

type Answer<T> = Result<T, StoreError>;

/// What is known of people who were erased, and what is left of them.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait ErasureQueries: Send + Sync {
    /// The erasing of a contact, if it was asked for.
    async fn get(&self, access: &Access, contact: ContactId) -> Answer<Option<Erasure>>;
    /// Whether anything is left that [`crate::erasures::ErasureChange::RemovePart`] removes.
    async fn is_left(&self, access: &Access, contact: ContactId) -> Answer<bool>;
}
