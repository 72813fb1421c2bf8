//! What changes beside the rows of imports.

use std::sync::Arc;

use super::RejectedRow;
use crate::contacts::ContactNames;
use crate::ids::ImportId;
use crate::ports::Touches;

/// A change to the table of an import, or to the rows that it rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportChange {
    /// Keeps the table until the import is over.
    PutTable {
        /// The import.
        import: ImportId,
        /// The table.
        table: Arc<[u8]>,
    },
    /// Removes the table.
    DropTable {
        /// The import.
        import: ImportId,
    },
    /// Keeps a row that was rejected.
    Reject {
        /// The import.
        import: ImportId,
        /// The row.
        row: Box<RejectedRow>,
    },
    /// Removes at most `limit` rows that were rejected.
    DropRejected {
        /// The import.
        import: ImportId,
        /// How many.
        limit: u32,
    },
    /// Removes the rows that were rejected, of all imports, and name a person by any of these.
    Forget(ContactNames),
}

impl ImportChange {
    /// What it does to rows that others may hold.
    pub fn touches(&self) -> Touches {
        match self {
            Self::PutTable { .. } | Self::DropTable { .. } | Self::Reject { .. } => Touches::Beside,
            Self::DropRejected { .. } | Self::Forget(_) => Touches::Many,
        }
    }

    /// How many rows it writes.
    pub(crate) fn rows(&self) -> usize {
        match self {
            Self::PutTable { table, .. } => table.len().div_ceil(super::BODY_PART).max(1),
            Self::DropTable { .. } | Self::Reject { .. } | Self::DropRejected { .. } | Self::Forget(_) => 1,
        }
    }
}
