//! Imports: tables of contacts that are taken in, row by row, in the background.

mod changes;
mod executor;
mod model;
mod portion;
mod service;
mod table;
#[cfg(test)]
mod tests;
mod view;

pub use changes::ImportChange;
pub use executor::Importer;
pub use model::{BODY_PART, Import, ImportCounts, ImportError, ImportStatus, NewImport, OnExisting, RejectedRow};
pub use service::{ImportService, MAX_TABLE};
pub use view::{ImportCountsView, ImportView, RejectedCellView, RejectedRowView};
