//! What became of contacts that were merged.

use async_trait::async_trait;

use super::errors::StoreError;
use crate::access::Access;
use crate::ids::{ContactId, MessageId};
use crate::merges::Merge;

type Answer<T> = Result<T, StoreError>;

/// What is known of contacts that were merged into others, and what is left to be moved.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait MergeQueries: Send + Sync {
    /// Where a contact went, if it was merged.
    async fn get(&self, access: &Access, contact: ContactId) -> Answer<Option<Merge>>;
    /// Those that were merged into a contact, at most `limit`, in the order of their ids.
    async fn merged_into(&self, access: &Access, into: ContactId, limit: u32) -> Answer<Vec<Merge>>;
    /// Whether anything is left that [`crate::merges::MergeChange::MovePart`] moves.
    async fn is_left(&self, access: &Access, contact: ContactId, into: ContactId) -> Answer<bool>;
    /// Whether a message of the contact is queued, or on its way to its provider.
    async fn is_sending(&self, access: &Access, contact: ContactId, into: ContactId) -> Answer<bool>;
    /// One of these messages; `None` if there is none any more.
    async fn unsettled(&self, access: &Access, contact: ContactId, into: ContactId) -> Answer<Option<MessageId>>;
}
