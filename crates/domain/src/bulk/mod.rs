//! Bulk operations: contacts that a filter chooses are tagged, untagged or deleted, portion by portion, in the background.

mod action;
mod executor;
mod filter;
mod model;
mod portion;
mod service;
#[cfg(test)]
mod tests;
mod view;

pub use action::{BulkAction, BulkActionKind};
pub use executor::BulkExecutor;
pub use model::{BulkCounts, BulkError, BulkOperation, BulkStatus, NewBulkOperation};
pub use service::BulkService;
pub use view::{BulkActionView, BulkOperationView};
