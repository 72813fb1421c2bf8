//! Imports of tables of contacts. They run in the background, row by row.

mod changes;
mod check;
mod dry_run;
mod executor;
mod failures;
mod guess;
mod model;
mod plan;
mod portion;
mod reading;
mod service;
#[cfg(test)]
mod tests;
mod view;

pub use changes::ImportChange;
pub use check::{
    CheckedColumn, ColumnState, FormatExample, FormatProposal, ImportCheck, ImportParameter, ImportProblem,
};
pub use dry_run::{DryRun, unreadable};
pub use executor::Importer;
pub use failures::{CellFailure, RowErrors, RowFailure};
pub use guess::{GuessedTable, TableGuess};
pub use model::{BODY_PART, Import, ImportCounts, ImportError, ImportStatus, NewImport, OnExisting, RejectedRow};
pub use plan::{Plan, Problem};
pub use reading::{Reading, TableOptions};
pub use service::{ImportService, MAX_TABLE};
pub use view::{ImportCountsView, ImportView, RejectedCellView, RejectedRowView};
