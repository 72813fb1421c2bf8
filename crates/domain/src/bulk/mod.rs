//! Bulk operations: one action on all contacts that match a filter. They run in the background, in portions.

mod action;
mod check;
mod executor;
mod filter;
mod model;
mod portion;
mod preview;
mod service;
#[cfg(test)]
mod tests;
mod view;
mod work;

pub use action::{BulkAction, BulkActionKind, BulkActionParts, BulkField};
pub use executor::BulkExecutor;
pub use model::{BulkCounts, BulkError, BulkOperation, BulkStatus, NewBulkOperation};
pub use preview::{BulkOutcome, BulkPreview, BulkPreviewContact};
pub use service::BulkService;
pub use view::{BulkActionView, BulkOperationView};
