//! Errors in a checked table.

use serde::Serialize;

/// Maximum number of examples for each kind of error.
pub(super) const EXAMPLES: usize = 3;

/// A cell that does not fit its column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CellFailure {
    /// First line of the row in the table.
    pub line: u64,
    /// The cell, shortened.
    pub value: String,
    /// Error code.
    pub code: String,
    /// Description of the error, and of the expected value.
    pub message: String,
}

/// The counts of a column in a checked table.
#[derive(Debug, Clone, Default)]
pub(super) struct ColumnCounts {
    /// Cells that do not fit.
    pub(super) failing: u64,
    /// The first cells that do not fit.
    pub(super) failures: Vec<CellFailure>,
    /// Cells with a local time that a clock change skips or repeats.
    pub(super) clock_changes: u64,
}

/// Errors of whole rows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RowErrors {
    /// Number of these rows.
    pub count: u64,
    /// The first ones, at most three.
    pub examples: Vec<RowFailure>,
}

/// A row that cannot be imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RowFailure {
    /// First line of the row in the table.
    pub line: u64,
    /// Error code.
    pub code: String,
    /// Description of the error.
    pub message: String,
}
