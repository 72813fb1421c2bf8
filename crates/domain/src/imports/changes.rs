use std::sync::Arc;

use super::RejectedRow;
use crate::contacts::ContactNames;
use crate::ids::ImportId;
use crate::ports::RowEffect;

/// A change to the table of an import, or to its rejected rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportChange {
    /// Stores the table until the import has ended.
    PutTable {
        /// The import.
        import: ImportId,
        /// The table.
        table: Arc<[u8]>,
    },
    /// Deletes the table.
    DropTable {
        /// The import.
        import: ImportId,
    },
    /// Stores a rejected row.
    Reject {
        /// The import.
        import: ImportId,
        /// The row.
        row: Box<RejectedRow>,
    },
    /// Deletes at most `limit` rejected rows.
    DropRejected {
        /// The import.
        import: ImportId,
        /// Maximum number of rows.
        limit: u32,
    },
    /// Deletes the rejected rows of all imports that contain one of these identifiers.
    Forget(ContactNames),
}

impl ImportChange {
    /// Returns the rows that it touches.
    pub fn row_effect(&self) -> RowEffect {
        match self {
            Self::PutTable { .. } | Self::DropTable { .. } | Self::Reject { .. } => RowEffect::Unguarded,
            Self::DropRejected { .. } | Self::Forget(_) => RowEffect::Many,
        }
    }

    /// Returns the number of rows that it writes.
    pub(crate) fn rows(&self) -> usize {
        match self {
            Self::PutTable { table, .. } => table.len().div_ceil(super::BODY_PART).max(1),
            Self::DropTable { .. } | Self::Reject { .. } | Self::DropRejected { .. } | Self::Forget(_) => 1,
        }
    }
}
