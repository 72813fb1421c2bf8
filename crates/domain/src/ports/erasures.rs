//! Queries of erasures.

use async_trait::async_trait;

use super::errors::StoreError;
use crate::access::Access;
use crate::erasures::Erasure;
use crate::ids::{ContactId, MessageId};

type Answer<T> = Result<T, StoreError>;

/// Erasures, and their remaining data.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait ErasureQueries: Send + Sync {
    /// Returns the erasure of a contact, if one was requested.
    async fn get(&self, access: &Access, contact: ContactId) -> Answer<Option<Erasure>>;
    /// Whether data is left that [`crate::erasures::ErasureChange::RemovePart`] removes.
    async fn is_left(&self, access: &Access, contact: ContactId) -> Answer<bool>;
    /// Returns the messages that are queued or being sent, among those that
    /// [`crate::erasures::ErasureChange::RemovePart`] with this limit removes next.
    async fn unsent(&self, access: &Access, contact: ContactId, limit: u32) -> Answer<Vec<MessageId>>;
}
