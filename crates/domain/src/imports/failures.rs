//! Errors in a checked table.

use serde::Serialize;

/// The number of examples for each kind of error.
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
