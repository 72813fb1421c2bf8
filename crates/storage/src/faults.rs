//! What the databases say when something does not go, in the domain's words.

use diesel::result::{DatabaseErrorKind, Error as DieselError};
use tidings_domain::ports::{CommitError, Conflict, StoreError, UniqueKey};

/// Why a statement, or a change set, did not go through.
#[derive(Debug)]
pub(crate) enum Fault {
    /// It contradicts what is there.
    Conflict(Conflict),
    /// The store did not do its part.
    Store(StoreError),
    /// The database takes no writes now (25006): a primary that was put aside, or a standby.
    ReadOnly,
    /// A query for one row found none.
    NoRow,
}

impl From<Conflict> for Fault {
    fn from(conflict: Conflict) -> Self {
        Self::Conflict(conflict)
    }
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<DieselError> for Fault {
    fn from(error: DieselError) -> Self {
        match error {
            DieselError::NotFound => Self::NoRow,
            DieselError::DatabaseError(kind, info) => {
                let told = info.constraint_name().unwrap_or_else(|| info.message());
                database_error(&kind, told, info.message())
            }
            DieselError::DeserializationError(error) => StoreError::Corrupt(error.to_string()).into(),
            error => StoreError::Unavailable(error.to_string()).into(),
        }
    }
}

/// The key by which PostgreSQL tells that two took the same portion of an import: one of them has lost its claim.
const REJECTED_ROW: &str = "import_rejects_pkey";
/// The index that lets one job of a lane be claimed, as PostgreSQL tells it.
const CLAIMED_LANE: &str = "jobs_claimed_lane_key";
/// The same index, as SQLite tells it.
const CLAIMED_LANE_COLUMNS: &str = "failed: jobs.lane";

fn database_error(kind: &DatabaseErrorKind, told: &str, message: &str) -> Fault {
    match kind {
        DatabaseErrorKind::UniqueViolation => match unique_key(told) {
            Some(UniqueKey::IdempotencyKey) => Conflict::IdempotencyKeyUsed.into(),
            Some(key) => Conflict::Exists(key).into(),
            // Two claimers met in one lane: the net under the claim's own look. Ask again.
            None if told == REJECTED_ROW || told.contains(CLAIMED_LANE) || told.ends_with(CLAIMED_LANE_COLUMNS) => {
                StoreError::Contention.into()
            }
            None => StoreError::Corrupt(format!("an unknown unique key was violated: {told}")).into(),
        },
        DatabaseErrorKind::ReadOnlyTransaction => Fault::ReadOnly,
        DatabaseErrorKind::SerializationFailure => StoreError::Contention.into(),
        DatabaseErrorKind::ForeignKeyViolation
        | DatabaseErrorKind::NotNullViolation
        | DatabaseErrorKind::CheckViolation => StoreError::Corrupt(message.to_owned()).into(),
        // Diesel has no kind of its own for PostgreSQL's 40P01 and 55P03.
        // Such as U+0000, which PostgreSQL's texts cannot hold: the domain lets none through.
        _ if message.contains("invalid byte sequence") => StoreError::Corrupt(message.to_owned()).into(),
        _ if message.contains("deadlock detected") || message.contains("lock timeout") => StoreError::Contention.into(),
        _ => StoreError::Unavailable(message.to_owned()).into(),
    }
}

/// PostgreSQL tells the constraint; SQLite tells `UNIQUE constraint failed:` and the columns.
fn unique_key(told: &str) -> Option<UniqueKey> {
    let columns = told.strip_prefix("UNIQUE constraint failed: ");
    UniqueKey::ALL.iter().copied().find(|key| match columns {
        Some(columns) => key.columns() == columns,
        None => key.constraint() == told,
    })
}

impl Fault {
    /// As the answer to a query, which cannot conflict.
    pub(crate) fn into_store_error(self) -> StoreError {
        match self {
            Self::Store(error) => error,
            Self::ReadOnly => StoreError::Unavailable("the database is read-only".to_owned()),
            Self::Conflict(conflict) => StoreError::Corrupt(format!("a query reported {conflict:?}")),
            Self::NoRow => StoreError::Corrupt("a required row is missing".to_owned()),
        }
    }

    /// As the answer to a commit.
    pub(crate) fn into_commit_error(self) -> CommitError {
        match self {
            Self::Conflict(conflict) => CommitError::Conflict(conflict),
            fault => CommitError::Store(fault.into_store_error()),
        }
    }

    /// Whether the transaction itself is sound, so that going back to its savepoint is enough.
    pub(crate) fn leaves_transaction_sound(&self) -> bool {
        matches!(self, Self::Conflict(_) | Self::Store(StoreError::Corrupt(_)))
    }
}
