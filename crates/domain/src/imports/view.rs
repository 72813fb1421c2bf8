//! Imports as the API shows them.

use serde::Serialize;

use super::{Import, ImportCounts, ImportError, ImportStatus, OnExisting, RejectedRow};
use crate::contacts::{ContactKey, WrongCell};
use crate::ids::ImportId;
use crate::time::Timestamp;

/// A table of contacts that is taken in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Import))]
pub struct ImportView {
    /// The id.
    pub id: ImportId,
    /// How far it is.
    pub status: ImportStatus,
    /// What becomes of rows whose contacts are there.
    pub existing: OnExisting,
    /// The identifier by which alone rows name their contacts; `null` if the identifiers rank.
    pub key: Option<ContactKey>,
    /// What the table calls its columns.
    pub columns: Vec<String>,
    /// What became of the rows so far.
    pub counts: ImportCountsView,
    /// Of a failed one: why.
    pub error: Option<ImportError>,
    /// When the first rows were taken in.
    pub started_at: Option<Timestamp>,
    /// When it was over; thirty days later it is forgotten.
    pub ended_at: Option<Timestamp>,
    /// When it was asked for.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// 1 at first, one more on each change.
    pub version: i64,
}

/// What became of the rows of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ImportCounts))]
pub struct ImportCountsView {
    /// How many rows the table has, without the line of names.
    pub rows: i64,
    /// How many of them are done: the sum of the next four.
    pub done: i64,
    /// Contacts that were created.
    pub created: i64,
    /// Contacts that were changed.
    pub updated: i64,
    /// Contacts that were as their rows say, or are left as they are.
    pub kept: i64,
    /// Rows of which nothing was done.
    pub rejected: i64,
    /// Contacts whose rows say that they are subscribed, and that had opted out: that stays, and the rest is done.
    pub still_opted_out: i64,
}

/// A row that an import rejected, as those are told whom it names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RejectedRow))]
pub struct RejectedRowView {
    /// Of which import.
    pub import_id: ImportId,
    /// In which line of its table the row begins.
    pub line: i64,
    /// What the table calls its columns.
    pub columns: Vec<String>,
    /// What the row says.
    pub cells: Vec<String>,
    /// What is wrong with it.
    pub wrong: Vec<RejectedCellView>,
}

/// What is wrong with a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = RejectedCell))]
pub struct RejectedCellView {
    /// In which column; empty where it is the row as a whole.
    pub column: String,
    /// For machines.
    pub code: String,
    /// For people: what is wrong, and what would be right.
    pub message: String,
}

impl RejectedRowView {
    /// A row of an import whose table calls its columns so.
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
        let ImportCounts { rows, created, updated, kept, rejected, still_opted_out } = it.counts;
        let done = it.counts.done();
        Self {
            id: it.id,
            status: it.status,
            existing: it.existing,
            key: it.key,
            columns: it.columns.clone(),
            counts: ImportCountsView { rows, done, created, updated, kept, rejected, still_opted_out },
            error: it.error.clone(),
            started_at: it.started_at,
            ended_at: it.ended_at,
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}
