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

/// Size in bytes of a stored part of a table. Tables are stored until their imports end.
pub const BODY_PART: usize = 64 * 1024;
/// Retention of an ended import and its rejected rows.
pub(super) const KEPT: Duration = Duration::from_secs(30 * 86_400);

words! {
    /// Status of an import.
    ImportStatus {
        /// Processing has not started.
        Queued = "queued",
        /// Rows are being imported.
        Running = "running",
        /// All rows were imported or rejected.
        Completed = "completed",
        /// A request ended it. Changes made before that remain.
        Cancelled = "cancelled",
        /// It could not continue. Changes made before that remain.
        Failed = "failed",
    }
}

impl ImportStatus {
    /// Whether it has ended.
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
        /// The contact does not change.
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
    /// Number of rows, without the headings.
    pub rows: i64,
    /// Created contacts.
    pub created: i64,
    /// Updated contacts.
    pub updated: i64,
    /// Unchanged contacts: equal to their rows, or kept.
    pub kept: i64,
    /// Rejected rows.
    pub rejected: i64,
    /// Contacts that the table subscribes, but that had opted out. They stay opted out.
    pub still_opted_out: i64,
    /// Cells that were skipped because they do not fit their columns.
    pub skipped_cells: i64,
    /// Imported cells with a local time that a clock change skips or repeats.
    pub clock_changes: i64,
}

impl ImportCounts {
    /// Returns the number of processed rows.
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
    /// The only identifier used to find the contacts of rows; `None` if all identifiers are used.
    pub key: Option<ContactKey>,
    /// Headings of the columns.
    pub columns: Vec<String>,
    /// Targets of columns that parameters map, by heading.
    pub names: BTreeMap<String, String>,
    /// The settings for reading the rows.
    pub reading: Reading,
    /// Size of the table in bytes.
    pub size: i64,
    /// Position of the next row to import.
    pub next: Place,
    /// The status.
    pub status: ImportStatus,
    /// The error, if it failed.
    pub error: Option<ImportError>,
    /// Counts of the rows.
    pub counts: ImportCounts,
    /// The actor that created the import; contacts change on behalf of that actor.
    pub created_by: Actor,
    /// When the first rows were imported.
    pub started_at: Option<Timestamp>,
    /// When it ended.
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

    pub(super) fn end(&mut self, status: ImportStatus, now: Timestamp) {
        self.touch(now);
        self.status = status;
        self.ended_at = Some(self.updated_at);
    }
}

impl Default for Import {
    /// Returns an import of an empty table.
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

/// The input for a new import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewImport<'t> {
    /// The table, as exported by a spreadsheet.
    pub table: &'t [u8],
    /// The parameters of the table.
    pub options: TableOptions,
    /// Action for cells that do not fit their columns.
    pub on_error: OnError,
    /// Action for rows if the contact already exists.
    pub existing: OnExisting,
    /// The only identifier used to find the contacts of rows; `None` if all identifiers are used.
    pub key: Option<ContactKey>,
}

impl<'t> NewImport<'t> {
    /// Returns an import without parameters: the columns are detected from headings and cells.
    pub fn of(table: &'t [u8]) -> Self {
        let (options, on_error) = (TableOptions::default(), OnError::RejectRow);
        Self { table, options, on_error, existing: OnExisting::Update, key: None }
    }
}

/// A rejected row, or an imported row with skipped cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedRow {
    /// First line of the row in the table.
    pub line: i64,
    /// The cells of the row.
    pub cells: Vec<String>,
    /// The errors of the row.
    pub wrong: Vec<WrongCell>,
    /// Identifiers of the contact, if they can be read. The row is deleted when that contact is erased.
    pub names: ContactNames,
}
