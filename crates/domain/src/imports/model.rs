//! What an import is.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tidings_tables::Place;
use uuid::Uuid;

use super::{Reading, TableOptions};
use crate::access::Actor;
use crate::contacts::{ContactKey, ContactNames, OnError, WrongCell};
use crate::ids::{ImportId, TypedId};
use crate::time::Timestamp;
use crate::words::words;

/// Of a table that is kept until it is taken in, one row of the store holds so many bytes.
pub const BODY_PART: usize = 64 * 1024;
/// For so long an import that is over is kept, with the rows that it rejected.
pub(super) const KEPT: Duration = Duration::from_secs(30 * 86_400);

words! {
    /// Status of an import.
    ImportStatus {
        /// Nothing of it is done yet.
        Queued = "queued",
        /// Rows are being taken in.
        Running = "running",
        /// All rows were taken in, or rejected.
        Completed = "completed",
        /// It was ended by a request; what was done stays.
        Cancelled = "cancelled",
        /// It could not go on; what was done stays.
        Failed = "failed",
    }
}

impl ImportStatus {
    /// Whether nothing more is done.
    pub fn is_over(self) -> bool {
        match self {
            Self::Queued | Self::Running => false,
            Self::Completed | Self::Cancelled | Self::Failed => true,
        }
    }
}

words! {
    /// Action for a row if the contact already exists.
    OnExisting {
        /// The contact is updated.
        Update = "update",
        /// The contact stays as it is.
        Keep = "keep",
        /// The row is rejected.
        Reject = "reject",
    }
}

/// The error of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImportError {
    /// Error code.
    pub code: String,
    /// Description of the error.
    pub message: String,
}

/// Counts of the rows of an import.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ImportCounts {
    /// How many there are, without the line of names.
    pub rows: i64,
    /// Contacts that were made.
    pub created: i64,
    /// Updated contacts.
    pub updated: i64,
    /// Unchanged contacts: equal to their rows, or kept.
    pub kept: i64,
    /// Rejected rows.
    pub rejected: i64,
    /// Contacts whose rows say that they are subscribed, and that had opted out: that stays.
    pub still_opted_out: i64,
    /// Cells that were skipped because they do not fit their columns.
    pub skipped_cells: i64,
    /// Imported cells with a local time that a clock change skips or repeats.
    pub clock_changes: i64,
}

impl ImportCounts {
    /// How many rows are done.
    pub fn done(&self) -> i64 {
        self.created + self.updated + self.kept + self.rejected
    }
}

/// An import of a table of contacts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The ID.
    pub id: ImportId,
    /// Action for rows if the contact already exists.
    pub existing: OnExisting,
    /// The identifier by which alone rows name their contacts.
    pub key: Option<ContactKey>,
    /// What the first line of the table calls its columns.
    pub columns: Vec<String>,
    /// What columns are whose names do not say it.
    pub names: BTreeMap<String, String>,
    /// How its rows are read.
    pub reading: Reading,
    /// How many bytes the table has.
    pub size: i64,
    /// Where the next row to be taken in begins.
    pub next: Place,
    /// The status.
    pub status: ImportStatus,
    /// The error, if it failed.
    pub error: Option<ImportError>,
    /// What became of the rows.
    pub counts: ImportCounts,
    /// The actor that created the import; contacts change on behalf of that actor.
    pub created_by: Actor,
    /// When the first rows were imported.
    pub started_at: Option<Timestamp>,
    /// When it was over.
    pub ended_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl Import {
    pub(super) fn touch(&mut self, now: Timestamp) {
        self.updated_at = now.max(self.updated_at);
        self.version += 1;
    }

    /// Nothing more is done.
    pub(super) fn end(&mut self, status: ImportStatus, now: Timestamp) {
        self.touch(now);
        self.status = status;
        self.ended_at = Some(self.updated_at);
    }
}

impl Default for Import {
    /// An empty table.
    fn default() -> Self {
        let at = Timestamp::EPOCH_2026;
        Self {
            id: ImportId::from_uuid(Uuid::nil()),
            existing: OnExisting::Update,
            key: None,
            columns: Vec::new(),
            names: BTreeMap::new(),
            reading: Reading::default(),
            size: 0,
            next: Place::START,
            status: ImportStatus::Queued,
            error: None,
            counts: ImportCounts::default(),
            created_by: Actor::system(),
            started_at: None,
            ended_at: None,
            created_at: at,
            updated_at: at,
            version: 1,
        }
    }
}

/// A table to be taken in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewImport<'t> {
    /// The table, as a spreadsheet writes it.
    pub table: &'t [u8],
    /// The parameters of the table.
    pub options: TableOptions,
    /// Action for cells that do not fit their columns.
    pub on_error: OnError,
    /// Action for rows if the contact already exists.
    pub existing: OnExisting,
    /// The identifier by which alone rows name their contacts.
    pub key: Option<ContactKey>,
}

impl<'t> NewImport<'t> {
    /// A table that is read by its headings and cells alone.
    pub fn of(table: &'t [u8]) -> Self {
        let (options, on_error) = (TableOptions::default(), OnError::RejectRow);
        Self { table, options, on_error, existing: OnExisting::Update, key: None }
    }
}

/// A row of which nothing was done, or of which cells were skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedRow {
    /// In which line of the table it begins.
    pub line: i64,
    /// The cells of the row.
    pub cells: Vec<String>,
    /// The errors of the row.
    pub wrong: Vec<WrongCell>,
    /// Whom it is about, as far as it can be read: it goes when they are erased.
    pub names: ContactNames,
}
