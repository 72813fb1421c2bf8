//! Imports in API responses.

use serde::Serialize;

use super::{Import, ImportCounts, ImportError, ImportStatus, OnExisting, RejectedRow};
use crate::access::Actor;
use crate::contacts::{ContactKey, OnError, WrongCell};
use crate::ids::ImportId;
use crate::time::Timestamp;

/// An import of a table of contacts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Import))]
#[non_exhaustive]
pub struct ImportView {
    /// The ID.
    pub id: ImportId,
    /// The status.
    pub status: ImportStatus,
    /// Action for rows if the contact already exists.
    pub existing: OnExisting,
    /// The only identifier used to find the contacts of rows; `null` if all identifiers are used.
    pub key: Option<ContactKey>,
    /// Action for cells that do not fit their columns.
    pub on_error: OnError,
    /// Names of the columns in the table.
    pub columns: Vec<String>,
    /// Columns with cells that are not imported: a parameter skips them, other columns contain the same, or only the
    /// server sets them. At most 100 names, each shortened to 60 characters.
    pub ignored_columns: Vec<String>,
    /// Counts of the rows so far.
    pub counts: ImportCountsView,
    /// The error, if it failed.
    pub error: Option<ImportError>,
    /// The actor that created the import. Events of its contacts have the same actor. `system` for imports from before
    /// the upgrade to this version.
    pub created_by: Actor,
    /// When the first rows were imported.
    pub started_at: Option<Timestamp>,
    /// When it ended. It is deleted 30 days later.
    pub ended_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

/// Counts of the rows of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ImportCounts))]
#[non_exhaustive]
pub struct ImportCountsView {
    /// Number of rows, without the header row.
    pub rows: i64,
    /// Number of processed rows: the sum of the next four.
    pub done: i64,
    /// Created contacts.
    pub created: i64,
    /// Updated contacts.
    pub updated: i64,
    /// Unchanged contacts: equal to their rows, or kept.
    pub kept: i64,
    /// Rejected rows.
    pub rejected: i64,
    /// Contacts that the table subscribes, but that had opted out. They stay opted out; the rest of the row is
    /// imported.
    pub still_opted_out: i64,
    /// Cells that were skipped because they do not fit their columns. The rest of their rows was imported.
    pub skipped_cells: i64,
    /// Imported local times that a clock change skips or repeats. A skipped time is the first instant after the change, a
    /// repeated time is the first of both.
    pub clock_changes: i64,
}

/// A rejected row of an import, as shown to the contact of the row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RejectedRow))]
#[non_exhaustive]
pub struct RejectedRowView {
    /// ID of the import.
    pub import_id: ImportId,
    /// First line of the row in the table.
    pub line: i64,
    /// Names of the columns in the table.
    pub columns: Vec<String>,
    /// The cells of the row.
    pub cells: Vec<String>,
    /// The errors of the row.
    pub wrong: Vec<RejectedCellView>,
}

/// An error of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RejectedCell))]
#[non_exhaustive]
pub struct RejectedCellView {
    /// Name of the column; empty for the row as a whole.
    pub column: String,
    /// Error code.
    pub code: String,
    /// Description of the error, and of the expected value.
    pub message: String,
}

impl RejectedRowView {
    /// Returns the view of a row; `columns` are the headings of its table.
    pub fn of(import: ImportId, columns: &[String], row: &RejectedRow) -> Self {
        let wrong = |it: &WrongCell| RejectedCellView {
            column: it.column.clone(),
            code: it.code.clone(),
            message: it.reason.clone(),
        };
        Self {
            import_id: import,
            line: row.line,
            columns: columns.to_vec(),
            cells: row.cells.clone(),
            wrong: row.wrong.iter().map(wrong).collect(),
        }
    }
}

impl From<&Import> for ImportView {
    fn from(it: &Import) -> Self {
        let ImportCounts { rows, created, updated, kept, rejected, still_opted_out, skipped_cells, clock_changes } =
            it.counts;
        let done = it.counts.done();
        Self {
            id: it.id,
            status: it.status,
            existing: it.existing,
            key: it.key,
            on_error: it.reading.on_error,
            columns: it.columns.clone(),
            ignored_columns: it.reading.ignored.clone(),
            counts: ImportCountsView {
                rows,
                done,
                created,
                updated,
                kept,
                rejected,
                still_opted_out,
                skipped_cells,
                clock_changes,
            },
            error: it.error.clone(),
            created_by: it.created_by.clone(),
            started_at: it.started_at,
            ended_at: it.ended_at,
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}
