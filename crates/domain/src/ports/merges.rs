//! Queries of merged contacts.

use async_trait::async_trait;

use super::errors::StoreError;
use crate::access::Access;
use crate::ids::{ContactId, MessageId};
use crate::merges::Merge;

type Answer<T> = Result<T, StoreError>;

/// Merges of contacts, and their remaining data.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait MergeQueries: Send + Sync {
    /// Returns the merge of a contact, if it was merged.
    async fn get(&self, access: &Access, contact: ContactId) -> Answer<Option<Merge>>;
    /// Returns the contacts that were merged into a contact, at most `limit`, by ID.
    async fn merged_into(&self, access: &Access, into: ContactId, limit: u32) -> Answer<Vec<Merge>>;
    /// Whether data is left that [`crate::merges::MergeChange::MovePart`] moves.
    async fn is_left(&self, access: &Access, contact: ContactId, into: ContactId) -> Answer<bool>;
    /// Whether a message of the contact is queued or being sent.
    async fn is_sending(&self, access: &Access, contact: ContactId, into: ContactId) -> Answer<bool>;
    /// Returns one of these messages; `None` if there are none.
    async fn unsettled(&self, access: &Access, contact: ContactId, into: ContactId) -> Answer<Option<MessageId>>;
}
