//! Limits of the rows of a table.

/// The most cells of a row, without trailing empty ones.
pub const MAX_COLUMNS: usize = 200;
/// The most bytes of a row, in UTF-8.
pub const MAX_ROW: usize = 64 * 1024;
