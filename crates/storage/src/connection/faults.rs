//! Errors of the databases, converted to errors of the domain.

use diesel::result::{DatabaseErrorKind, Error as DieselError};
use tidings_domain::ports::{CommitError, Conflict, StoreError, UniqueKey};

/// The reason why a statement or a change set failed.
#[derive(Debug)]
pub(crate) enum Fault {
    Conflict(Conflict),
    Store(StoreError),
    /// The database is read-only (25006): a demoted primary, or a standby.
    ReadOnly,
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

/// The constraint that PostgreSQL reports if two workers claimed the same portion of an import. One of them has lost
/// its claim.
const REJECTED_ROW: &str = "import_rejects_pkey";
/// The index that allows one claimed job in each lane, as PostgreSQL reports it.
const CLAIMED_LANE: &str = "jobs_claimed_lane_key";
/// The same index, as SQLite reports it.
const CLAIMED_LANE_COLUMNS: &str = "failed: jobs.lane";

fn database_error(kind: &DatabaseErrorKind, told: &str, message: &str) -> Fault {
    match kind {
        DatabaseErrorKind::UniqueViolation => match unique_key(told) {
            Some(UniqueKey::IdempotencyKey) => Conflict::IdempotencyKeyUsed.into(),
            Some(key) => Conflict::Exists(key).into(),
            // Two claims collided in one lane despite the check of the claim. Retry.
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
        // Diesel has no error kind for PostgreSQL's 40P01 and 55P03. The first case is text that PostgreSQL cannot
        // store, such as U+0000, which the domain should reject.
        _ if message.contains("invalid byte sequence") => StoreError::Corrupt(message.to_owned()).into(),
        _ if message.contains("deadlock detected") || message.contains("lock timeout") => StoreError::Contention.into(),
        _ => StoreError::Unavailable(message.to_owned()).into(),
    }
}

/// Finds the violated key. PostgreSQL reports the constraint, SQLite reports `UNIQUE constraint failed:` and the
/// columns.
fn unique_key(told: &str) -> Option<UniqueKey> {
    let columns = told.strip_prefix("UNIQUE constraint failed: ");
    UniqueKey::ALL.iter().copied().find(|key| match columns {
        Some(columns) => key.columns() == columns,
        None => key.constraint() == told,
    })
}

impl Fault {
    /// A query cannot conflict.
    pub(crate) fn into_store_error(self) -> StoreError {
        match self {
            Self::Store(error) => error,
            Self::ReadOnly => StoreError::Unavailable("the database is read-only".to_owned()),
            Self::Conflict(conflict) => StoreError::Corrupt(format!("a query reported {conflict:?}")),
            Self::NoRow => StoreError::Corrupt("a required row is missing".to_owned()),
        }
    }

    pub(crate) fn into_commit_error(self) -> CommitError {
        match self {
            Self::Conflict(conflict) => CommitError::Conflict(conflict),
            fault => CommitError::Store(fault.into_store_error()),
        }
    }

    /// Returns true if the transaction is still valid after a rollback to its savepoint.
    pub(crate) fn leaves_transaction_sound(&self) -> bool {
        matches!(self, Self::Conflict(_) | Self::Store(StoreError::Corrupt(_)))
    }
}
